//! OffsetDelete, as far as it is a decision of the group (Kafka's ClassicGroup).

use std::collections::BTreeSet;

use super::group::{Group, State};
use crate::protocol::{DecodeError, ErrorCode, Reader};

/// The protocol type of consumers, whose metadata says which topics they read.
const CONSUMER: &str = "consumer";

impl Group {
    /// Whether offsets may be deleted at all: while a group has members, only those of consumers may, since only theirs
    /// say what they read.
    pub fn check_delete_offsets(&self) -> Result<(), ErrorCode> {
        match self.state {
            State::Empty => Ok(()),
            _ if self.is_of_consumers() => Ok(()),
            _ => Err(ErrorCode::NON_EMPTY_GROUP),
        }
    }

    pub(super) fn is_of_consumers(&self) -> bool {
        self.protocol_type.as_deref() == Some(CONSUMER)
    }

    /// The topics that the members read; None when that cannot be told, and any could be.
    pub fn subscribed_topics(&self) -> Option<BTreeSet<String>> {
        if !self.is_of_consumers() || self.members.is_empty() {
            return Some(BTreeSet::new());
        }
        let protocol = self.protocol.as_deref()?;
        let mut topics = BTreeSet::new();
        for member in self.members.values() {
            topics.append(&mut topics_of(&member.metadata(Some(protocol))).ok()?);
        }
        Some(topics)
    }
}

/// Whether a topic is one of those that [`Group::subscribed_topics`] told.
pub(super) fn is_read(subscribed: Option<&BTreeSet<String>>, topic: &str) -> bool {
    subscribed.is_none_or(|topics| topics.contains(topic))
}

/// The topics of a consumer's subscription: every version of it begins with its number and them.
fn topics_of(subscription: &[u8]) -> Result<BTreeSet<String>, DecodeError> {
    let mut reader = Reader::new(subscription);
    reader.i16()?;
    let count = reader.i32()?;
    let mut topics = BTreeSet::new();
    for _ in 0..count {
        topics.insert(reader.string(false)?.to_owned());
    }
    Ok(topics)
}
