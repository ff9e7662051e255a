//! `consumer-perf-test`: how fast records can be consumed, with the options and lines of
//! `kafka-consumer-perf-test.sh`.

mod command;
mod options;
mod stats;

pub use command::run;
