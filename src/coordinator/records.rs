//! Groups and offsets as records of `__consumer_offsets`, in Kafka's formats and versions.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use super::command::CommitOffset;
use super::group::{Committed, Group, State};
use super::member::Member;
use crate::protocol::messages::group_metadata_record::MemberMetadata;
use crate::protocol::messages::{GroupMetadataKey, GroupMetadataValue, OffsetCommitKey, OffsetCommitValue};
use crate::protocol::record_batch::BatchBuilder;
use crate::protocol::{
    EncodeError, codec::Codec, coordinator_key_type, decode_coordinator_key, decode_versioned,
    encode_coordinator_key, encode_versioned,
};

/// Version of the values of offsets: with leader epoch, as Kafka writes while no feature asks for more.
const OFFSET_VALUE_VERSION: i16 = 3;
/// The one version that can say when an offset is over.
const OFFSET_VALUE_WITH_EXPIRY: i16 = 1;
/// Version of the values of groups: with instance ids.
const GROUP_VALUE_VERSION: i16 = 3;
/// Keys of the oldest kind of offsets; the newer kind 1 has the same fields.
const LEGACY_OFFSET_KEY: i16 = 0;
const OFFSET_KEY: i16 = 1;
const GROUP_KEY: i16 = 2;

/// A record to store; no value deletes.
pub(super) type Stored = (BytesMut, Option<BytesMut>);

/// Why a record cannot be made or a batch not be built.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    #[error("a record cannot be encoded: {0}")]
    Encode(#[from] EncodeError),
    #[error("a batch cannot be built: {0}")]
    Batch(String),
}

/// One batch with these records.
pub(super) fn batch(records: &[Stored], now_ms: i64) -> Result<Vec<u8>, RecordError> {
    let mut builder = BatchBuilder::new(Codec::None);
    for (key, value) in records {
        builder.append(now_ms, Some(key), value.as_deref(), &[]);
    }
    builder.build().map_err(|error| RecordError::Batch(error.to_string()))
}

fn offset_key(group: &str, topic: &str, partition: i32) -> Result<BytesMut, EncodeError> {
    encode_coordinator_key(&OffsetCommitKey { group, topic, partition })
}

/// An offset that is kept.
pub(super) fn offset(group: &str, commit: &CommitOffset, now_ms: i64) -> Result<Stored, EncodeError> {
    let value = OffsetCommitValue {
        offset: commit.offset,
        leader_epoch: commit.leader_epoch,
        metadata: &commit.metadata,
        commit_timestamp: now_ms,
        expire_timestamp: commit.retention_ms.map_or(-1, |kept_ms| now_ms.saturating_add(kept_ms)),
        ..Default::default()
    };
    let version = if commit.retention_ms.is_some() { OFFSET_VALUE_WITH_EXPIRY } else { OFFSET_VALUE_VERSION };
    let key = offset_key(group, &commit.topic, commit.partition)?;
    Ok((key, Some(encode_versioned(&value, version)?)))
}

/// An offset that is kept no longer.
pub(super) fn no_offset(group: &str, topic: &str, partition: i32) -> Result<Stored, EncodeError> {
    Ok((offset_key(group, topic, partition)?, None))
}

/// The members of a group, with their parts.
pub(super) fn members(group: &Group) -> Result<Stored, EncodeError> {
    let subscriptions: Vec<Bytes> =
        group.members.values().map(|member| member.metadata(group.protocol.as_deref())).collect();
    let members = group.members.values().zip(&subscriptions).map(|(member, subscription)| MemberMetadata {
        member_id: &member.member_id,
        group_instance_id: member.instance_id.as_deref(),
        client_id: &member.client_id,
        client_host: &member.client_host,
        rebalance_timeout: member.rebalance_timeout_ms,
        session_timeout: member.session_timeout_ms,
        subscription,
        assignment: &member.assignment,
    });
    let value = GroupMetadataValue {
        protocol_type: group.protocol_type.as_deref().unwrap_or_default(),
        generation: group.generation,
        protocol: group.protocol.as_deref(),
        leader: group.leader.as_deref(),
        current_state_timestamp: group.state_since_ms,
        members: members.collect(),
    };
    let key = encode_coordinator_key(&GroupMetadataKey { group: &group.name })?;
    Ok((key, Some(encode_versioned(&value, GROUP_VALUE_VERSION)?)))
}

/// A group that is there no longer.
pub(super) fn no_group(group: &str) -> Result<Stored, EncodeError> {
    Ok((encode_coordinator_key(&GroupMetadataKey { group })?, None))
}

/// What a stored record says.
#[derive(Debug)]
pub(super) enum Loaded {
    /// An offset, or that none is kept.
    Offset { group: String, topic: Arc<str>, partition: i32, committed: Option<Committed> },
    /// A group with its members; None: deleted.
    Group { name: String, group: Option<Box<Group>> },
    /// A record of another kind (newer group protocols): passed over.
    Other,
}

/// Reads a record. Err: its bytes are not what its type says.
pub(super) fn load(key: &[u8], value: Option<&[u8]>, now_ms: i64) -> Result<Loaded, String> {
    let text = |error: crate::protocol::DecodeError| error.to_string();
    match coordinator_key_type(key).map_err(text)? {
        LEGACY_OFFSET_KEY | OFFSET_KEY => {
            // Both kinds of keys have the same fields in the same order.
            let mut as_newer = key.to_vec();
            if let Some(kind) = as_newer.get_mut(1) {
                *kind = OFFSET_KEY as u8;
            }
            let key: OffsetCommitKey<'_> = decode_coordinator_key(&as_newer).map_err(text)?;
            let committed = match value {
                None => None,
                Some(value) => {
                    let (_, value): (i16, OffsetCommitValue<'_>) = decode_versioned(value).map_err(text)?;
                    Some(Committed {
                        offset: value.offset,
                        leader_epoch: value.leader_epoch,
                        metadata: value.metadata.to_owned(),
                        commit_timestamp_ms: value.commit_timestamp,
                        expire_timestamp_ms: Some(value.expire_timestamp).filter(|at_ms| *at_ms >= 0),
                    })
                }
            };
            let (group, topic) = (key.group.to_owned(), key.topic.into());
            Ok(Loaded::Offset { group, topic, partition: key.partition, committed })
        }
        GROUP_KEY => {
            let key: GroupMetadataKey<'_> = decode_coordinator_key(key).map_err(text)?;
            let name = key.group.to_owned();
            let group = match value {
                None => None,
                Some(value) => {
                    let (_, value): (i16, GroupMetadataValue<'_>) = decode_versioned(value).map_err(text)?;
                    Some(Box::new(group_of(&name, &value, now_ms)))
                }
            };
            Ok(Loaded::Group { name, group })
        }
        _ => Ok(Loaded::Other),
    }
}

/// The group that a record describes. Its members are given their session time from now to be heard of.
fn group_of(name: &str, value: &GroupMetadataValue<'_>, now_ms: i64) -> Group {
    let mut group = Group::new(name.to_owned(), now_ms);
    group.generation = value.generation;
    group.state_since_ms = value.current_state_timestamp;
    group.protocol_type = Some(value.protocol_type.to_owned()).filter(|text| !text.is_empty());
    group.protocol = value.protocol.map(str::to_owned);
    group.leader = value.leader.map(str::to_owned);
    group.state = if value.members.is_empty() { State::Empty } else { State::Stable };
    for stored in &value.members {
        let subscription = Bytes::copy_from_slice(stored.subscription);
        let member = Member {
            member_id: stored.member_id.to_owned(),
            instance_id: stored.group_instance_id.map(str::to_owned),
            client_id: stored.client_id.to_owned(),
            client_host: stored.client_host.to_owned(),
            session_timeout_ms: stored.session_timeout,
            rebalance_timeout_ms: stored.rebalance_timeout,
            protocols: vec![(value.protocol.unwrap_or_default().to_owned(), subscription)],
            assignment: Bytes::copy_from_slice(stored.assignment),
            joining: None,
            syncing: None,
            has_synced: true,
            deadline_ms: now_ms + i64::from(stored.session_timeout),
            is_new: false,
        };
        if let Some(instance) = &member.instance_id {
            group.instances.insert(instance.clone(), member.member_id.clone());
        }
        group.members.insert(member.member_id.clone(), member);
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_comes_back() {
        let commit = CommitOffset {
            topic: "t".into(),
            partition: 3,
            offset: 42,
            leader_epoch: 5,
            metadata: "words".into(),
            retention_ms: None,
        };
        let (key, value) = offset("g", &commit, 7).unwrap();
        let Loaded::Offset { group, topic, partition, committed } = load(&key, value.as_deref(), 0).unwrap()
        else {
            panic!("no offset")
        };
        assert_eq!((group.as_str(), &*topic, partition), ("g", "t", 3));
        let committed = committed.unwrap();
        assert_eq!((committed.offset, committed.leader_epoch, committed.commit_timestamp_ms), (42, 5, 7));
        assert_eq!(committed.expire_timestamp_ms, None);
        let kept = CommitOffset { retention_ms: Some(10), ..commit };
        let (key, value) = offset("g", &kept, 7).unwrap();
        let Loaded::Offset { committed: Some(committed), .. } = load(&key, value.as_deref(), 0).unwrap()
        else {
            panic!("no offset")
        };
        assert_eq!((committed.offset, committed.expire_timestamp_ms), (42, Some(17)));
        let (key, _) = no_offset("g", "t", 3).unwrap();
        assert!(matches!(load(&key, None, 0), Ok(Loaded::Offset { committed: None, .. })));
        let (key, value) = members(&Group::new("g".into(), 0)).unwrap();
        assert!(matches!(load(&key, value.as_deref(), 0), Ok(Loaded::Group { group: Some(_), .. })));
        assert!(load(&[0, 1, 9], None, 0).is_err());
    }
}
