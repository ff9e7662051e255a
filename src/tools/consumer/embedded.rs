//! What members of a classic group tell each other inside JoinGroup and SyncGroup: subscriptions and assignments
//! ("consumer protocol"), written in version 1 and 0, read in any.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::TopicPartition;
use crate::protocol::wire::{DecodeError, EncodeError, Reader, Writer};

const SUBSCRIPTION_VERSION: i16 = 1;
const ASSIGNMENT_VERSION: i16 = 0;

fn count(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

/// The subscription of a member to topics, as bytes. It owns no partitions: it gives all up before it joins.
pub(super) fn subscription(topics: &[String]) -> Result<Vec<u8>, EncodeError> {
    let mut writer = Writer::new();
    writer.i16(SUBSCRIPTION_VERSION);
    writer.i32(count(topics.len()));
    for topic in topics {
        writer.string(topic, false)?;
    }
    writer.i32(-1); // no user data
    writer.i32(0); // no owned partitions
    Ok(writer.finish().0.to_vec())
}

/// The topics of a subscription; whatever a later version has behind them does not matter to the range assignor.
pub(super) fn subscribed_topics(bytes: &[u8]) -> Result<Vec<String>, DecodeError> {
    let mut reader = Reader::new(bytes);
    reader.i16()?;
    let topics = reader.i32()?.max(0);
    (0..topics).map(|_| reader.string(false).map(str::to_owned)).collect()
}

/// An assignment as bytes.
pub(super) fn assignment(partitions: &[TopicPartition]) -> Result<Vec<u8>, EncodeError> {
    let mut by_topic: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
    for (topic, partition) in partitions {
        by_topic.entry(topic).or_default().push(*partition);
    }
    let mut writer = Writer::new();
    writer.i16(ASSIGNMENT_VERSION);
    writer.i32(count(by_topic.len()));
    for (topic, partitions) in by_topic {
        writer.string(topic, false)?;
        writer.i32(count(partitions.len()));
        partitions.into_iter().for_each(|partition| writer.i32(partition));
    }
    writer.i32(-1); // no user data
    Ok(writer.finish().0.to_vec())
}

/// The partitions of an assignment. No bytes are no partitions.
pub(super) fn assigned(bytes: &[u8]) -> Result<Vec<TopicPartition>, DecodeError> {
    let mut partitions = Vec::new();
    if bytes.is_empty() {
        return Ok(partitions);
    }
    let mut reader = Reader::new(bytes);
    reader.i16()?;
    for _ in 0..reader.i32()?.max(0) {
        let topic: Arc<str> = reader.string(false)?.into();
        for _ in 0..reader.i32()?.max(0) {
            partitions.push((Arc::clone(&topic), reader.i32()?));
        }
    }
    Ok(partitions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let topics = ["a".to_owned(), "b".to_owned()];
        assert_eq!(subscribed_topics(&subscription(&topics).unwrap()).unwrap(), topics);
        let partitions: Vec<TopicPartition> = vec![("a".into(), 0), ("a".into(), 2), ("b".into(), 1)];
        assert_eq!(assigned(&assignment(&partitions).unwrap()).unwrap(), partitions);
        assert_eq!(assigned(&[]).unwrap(), []);
        assert!(assigned(&[0, 0, 0]).is_err());
    }

    #[test]
    fn the_bytes_are_those_of_kafkas_clients() {
        let bytes = subscription(&["ab".to_owned()]).unwrap();
        assert_eq!(bytes, [0, 1, 0, 0, 0, 1, 0, 2, b'a', b'b', 255, 255, 255, 255, 0, 0, 0, 0]);
    }
}
