//! `broker-api-versions`: which versions of which APIs the brokers serve, with the options and lines of
//! `kafka-broker-api-versions.sh`.

mod command;

pub use command::run;
