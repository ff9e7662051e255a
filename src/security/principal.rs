//! Who is behind a connection.

use std::fmt;
use std::sync::Arc;

/// A principal, as Kafka writes it: a kind and a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Principal {
    /// The kind, "User" for all that Kafka itself knows.
    pub kind: Arc<str>,
    /// The name.
    pub name: Arc<str>,
}

impl Principal {
    /// Who has not shown who they are.
    #[must_use]
    pub fn anonymous() -> Self {
        Self { kind: "User".into(), name: "ANONYMOUS".into() }
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.name)
    }
}
