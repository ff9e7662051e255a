//! Kafka's broker keys, by what they are about.

mod cluster;
mod groups;
mod log;
mod network;
mod remote;
mod security;

pub(super) use cluster::CLUSTER;
pub(super) use groups::GROUPS;
pub(super) use log::LOG;
pub(super) use network::NETWORK;
pub(super) use remote::REMOTE;
pub(super) use security::SECURITY;
