//! `console-producer`: each line of standard input becomes a record, as with `kafka-console-producer.sh`.

mod command;
mod line_reader;
mod options;

pub use command::run;
