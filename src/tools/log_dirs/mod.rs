//! `log-dirs`: what the brokers' log directories hold, with the options and the JSON of `kafka-log-dirs.sh`.

mod command;
mod json;

pub use command::run;
