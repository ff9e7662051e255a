//! `producer-perf-test`: how fast records can be produced, with the options and lines of
//! `kafka-producer-perf-test.sh`.

mod command;
mod options;
mod payload;
mod stats;
mod throttle;

pub use command::run;
