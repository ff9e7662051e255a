//! Why the broker does not start or did not end well. Each is one line for the operator.

use std::path::PathBuf;

/// Why the broker ended.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The configuration cannot be used.
    #[error("{0}")]
    Config(#[from] crate::config::ConfigError),
    /// The CPUs cannot be had.
    #[error("{0}")]
    Topology(#[from] crate::runtime::topology::TopologyError),
    /// The machine lacks what the broker needs.
    #[error("{0}")]
    Probe(String),
    /// Shards did not start.
    #[error("{0}")]
    Shards(#[from] crate::runtime::shards::ShardError),
    /// A signal handler cannot be set.
    #[error("signals cannot be handled: {0}")]
    Signals(std::io::Error),
    /// A listener cannot be opened.
    #[error("listener {name}: {address}: {cause}")]
    Listen {
        /// Its name.
        name: String,
        /// Host and port.
        address: String,
        /// What the system says.
        cause: String,
    },
    /// The log directories belong to different clusters or nodes.
    #[error("{path}: {text}")]
    Directory {
        /// The log directory.
        path: PathBuf,
        /// What is wrong with it.
        text: String,
    },
    /// No log directory can be used.
    #[error("no log directory can be used: {0}")]
    NoDirectory(String),
    /// The log engine failed.
    #[error("log: {0}")]
    Log(#[from] crate::log::LogError),
    /// The controller failed: without it nothing can change.
    #[error("controller: {0}")]
    Controller(String),
}
