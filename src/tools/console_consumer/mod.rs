//! `console-consumer`: shows records of topics, as `kafka-console-consumer.sh` does.

mod command;
mod deserializer;
mod formatter;
mod options;

pub use command::run;
