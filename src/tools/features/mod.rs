//! `features`: shows and changes the levels of a cluster's features, with the options and lines of `kafka-features.sh`.
//!
//! - [`command`]: from the options to the action; [`update`]: upgrade, downgrade, disable
//! - [`versions`]: Kafka's releases, and the levels that belong to them

mod command;
mod update;
mod versions;

pub use command::run;
