//! `delete-records`: deletes the records before an offset, with the options and lines of `kafka-delete-records.sh`.

mod command;
mod plan;

pub use command::run;
