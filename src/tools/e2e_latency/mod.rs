//! `e2e-latency`: how long a record takes from the producer to the consumer, with the options and lines of
//! `kafka-e2e-latency.sh`.

mod command;
mod options;
mod record;

pub use command::run;
