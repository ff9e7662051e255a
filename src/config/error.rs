//! What is wrong with a configuration, each as one line that names place, key, value and remedy.

use std::fmt;
use std::path::PathBuf;

/// Where a setting was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The configuration inside the program.
    Embedded,
    /// A line of a file, from 1.
    File {
        /// As it was named on the command line.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// `--set` on the command line.
    Set,
    /// A dynamic config of all brokers.
    ClusterDefault,
    /// A dynamic config of this broker.
    ThisBroker,
    /// A topic's own config.
    Topic,
    /// A group's own config.
    Group,
    /// A config of a subscription to clients' metrics.
    ClientMetrics,
    /// Nowhere: the key's default.
    Default,
}

impl Place {
    /// Whether a client gave it: then the message names the config as Kafka does, and no file.
    fn is_dynamic(&self) -> bool {
        matches!(
            self,
            Self::ClusterDefault | Self::ThisBroker | Self::Topic | Self::Group | Self::ClientMetrics
        )
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embedded => f.write_str("embedded configuration"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Set => f.write_str("--set"),
            Self::ClusterDefault => f.write_str("cluster-wide default"),
            Self::ThisBroker => f.write_str("dynamic config of the broker"),
            Self::Topic => f.write_str("topic config"),
            Self::Group => f.write_str("group config"),
            Self::ClientMetrics => f.write_str("client metrics config"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// Why there is no configuration. Its text is one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {reason}; name a file that this user may read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file, or an argument of `--set`, is not in its format.
    #[error("{place}: {reason}")]
    Syntax {
        /// Where.
        place: Place,
        /// What, and what is right.
        reason: String,
    },
    /// No key has this name.
    #[error("{}", unknown(place, key, remedy))]
    UnknownKey {
        /// Where.
        place: Place,
        /// The name.
        key: String,
        /// What to write instead.
        remedy: String,
    },
    /// The value is not of the key's type, or out of its bounds.
    #[error("{0}")]
    BadValue(Box<BadValue>),
    /// One key, perhaps under two names, has two values in one file.
    #[error("{place}: {key}: already set at {first}; keep one of the two")]
    SetTwice {
        /// The second.
        place: Place,
        /// The name.
        key: String,
        /// The first.
        first: Place,
    },
    /// Values that are good alone and not together.
    #[error("{}{text}", prefix(place))]
    Conflict {
        /// Where the one of them stands that is to be changed.
        place: Place,
        /// What, and the remedy.
        text: String,
    },
    /// A dynamic config that cannot be changed so.
    #[error("{key} cannot be changed while the broker runs{scope}; set it in the broker's file and restart")]
    ReadOnly {
        /// The name.
        key: String,
        /// Empty, or for whom not.
        scope: &'static str,
    },
}

fn prefix(place: &Place) -> String {
    if place.is_dynamic() || *place == Place::Default { String::new() } else { format!("{place}: ") }
}

fn unknown(place: &Place, key: &str, remedy: &str) -> String {
    match place {
        Place::Topic => format!("Unknown topic config name: {key}; {remedy}"),
        Place::Group => format!("Unknown group config name: {key}"),
        _ => format!("{place}: {key}: there is no such key; {remedy}"),
    }
}

/// A value that a key refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadValue {
    /// Where.
    pub place: Place,
    /// The name as it was given.
    pub key: String,
    /// The value as it was given; a password's is hidden.
    pub value: String,
    /// What is wrong.
    pub problem: String,
    /// What is right.
    pub allowed: String,
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, key, value, problem, allowed } = self;
        if place.is_dynamic() {
            write!(f, "Invalid value {value} for configuration {key}: {problem}; allowed: {allowed}")
        } else {
            write!(f, "{place}: {key} = {value}: {problem}; allowed: {allowed}")
        }
    }
}

impl From<BadValue> for ConfigError {
    fn from(bad: BadValue) -> Self {
        Self::BadValue(Box::new(bad))
    }
}

/// Something that is accepted and probably not meant. Its text is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning(pub(super) String);

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
