//! `configs`: shows and changes configs of topics, brokers, groups, clients and users, with the options and lines of
//! `kafka-configs.sh`.
//!
//! - [`command`]: from the options to the action; [`options`]: the options, and which entities they mean
//! - [`changes`]: `--add-config` and its like; [`resource`]: configs of topics, brokers, groups and so on
//! - [`quota`]: quotas of users, clients and addresses; [`scram`]: credentials of users

mod alter;
mod changes;
mod command;
mod describe;
mod options;
mod quota;
mod resource;
mod scram;

pub use command::run;
