//! `topics`: makes, deletes, lists, describes and grows topics, as `kafka-topics.sh` does.

mod assignment;
mod change;
mod command;
mod describe;
mod failure;
mod options;
mod partitions;

pub use command::run;
