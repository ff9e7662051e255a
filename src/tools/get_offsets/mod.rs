//! `get-offsets`: where partitions begin, end, or stood at a time, with the options and lines of
//! `kafka-get-offsets.sh`.

mod command;
mod filter;

pub use command::run;
