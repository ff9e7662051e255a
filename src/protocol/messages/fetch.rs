//! Fetch: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Records, Request, Response, Size, Uuid, Writer,
    unsigned_varint_len,
};

/// Request of API key 1 (Fetch), versions 4 to 18, flexible from 12.
#[derive(Clone, Debug, PartialEq)]
pub struct FetchRequest<'a> {
    /// String, versions 12 to 18, tag 0, nullable, default None, ignorable.
    pub cluster_id: Option<&'a str>,
    /// Int32, versions 4 to 14, default -1, refused elsewhere.
    pub replica_id: i32,
    /// [`ReplicaState`], versions 15 to 18, tag 1, refused elsewhere.
    pub replica_state: ReplicaState,
    /// Int32, versions 4 to 18.
    pub max_wait_ms: i32,
    /// Int32, versions 4 to 18.
    pub min_bytes: i32,
    /// Int32, versions 4 to 18, default i32::MAX.
    pub max_bytes: i32,
    /// Int8, versions 4 to 18.
    pub isolation_level: i8,
    /// Int32, versions 7 to 18, ignorable.
    pub session_id: i32,
    /// Int32, versions 7 to 18, default -1, ignorable.
    pub session_epoch: i32,
    /// Array of [`FetchTopic`], versions 4 to 18.
    pub topics: Vec<FetchTopic<'a>>,
    /// Array of [`ForgottenTopic`], versions 7 to 18, refused elsewhere.
    pub forgotten_topics_data: Vec<ForgottenTopic<'a>>,
    /// String, versions 11 to 18, ignorable.
    pub rack_id: &'a str,
}

impl Default for FetchRequest<'_> {
    fn default() -> Self {
        Self {
            cluster_id: None,
            replica_id: -1,
            replica_state: ReplicaState::default(),
            max_wait_ms: 0,
            min_bytes: 0,
            max_bytes: i32::MAX,
            isolation_level: 0,
            session_id: 0,
            session_epoch: -1,
            topics: Vec::new(),
            forgotten_topics_data: Vec::new(),
            rack_id: "",
        }
    }
}

impl<'a> Element<'a> for FetchRequest<'a> {
    const MIN_LEN: usize = 21;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            cluster_id: None,
            replica_id: if version <= 14 { reader.i32()? } else { -1 },
            replica_state: ReplicaState::default(),
            max_wait_ms: reader.i32()?,
            min_bytes: reader.i32()?,
            max_bytes: reader.i32()?,
            isolation_level: reader.i8()?,
            session_id: if version >= 7 { reader.i32()? } else { 0 },
            session_epoch: if version >= 7 { reader.i32()? } else { -1 },
            topics: reader.array(version, flexible)?,
            forgotten_topics_data: if version >= 7 { reader.array(version, flexible)? } else { Vec::new() },
            rack_id: if version >= 11 { reader.string(flexible)? } else { "" },
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 => message.cluster_id = reader.nullable_string(flexible)?,
                    1 if version >= 15 => {
                        message.replica_state = ReplicaState::read(reader, version, flexible)?
                    }
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 13;
        if version <= 14 {
            size.bytes += 4;
        }
        if version >= 7 {
            size.bytes += 4;
        }
        if version >= 7 {
            size.bytes += 4;
        }
        size.array(Some(&self.topics[..]), version, flexible);
        if version >= 7 {
            size.array(Some(&self.forgotten_topics_data[..]), version, flexible);
        }
        if version >= 11 {
            size.string(Some(self.rack_id), flexible);
        }
        if flexible {
            let mut tags = 0u32;
            if self.cluster_id.is_some() {
                tags += 1;
                size.tagged(0, |size| {
                    size.string(self.cluster_id, flexible);
                });
            }
            if version >= 15 && self.replica_state != ReplicaState::default() {
                tags += 1;
                size.tagged(1, |size| {
                    self.replica_state.size(size, version, flexible);
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 14 {
            writer.i32(self.replica_id);
        } else if self.replica_id != -1 {
            return Err(EncodeError::UnsupportedField { field: "FetchRequest.ReplicaId", version });
        }
        if version < 15 && self.replica_state != ReplicaState::default() {
            return Err(EncodeError::UnsupportedField { field: "FetchRequest.ReplicaState", version });
        }
        writer.i32(self.max_wait_ms);
        writer.i32(self.min_bytes);
        writer.i32(self.max_bytes);
        writer.i8(self.isolation_level);
        if version >= 7 {
            writer.i32(self.session_id);
        }
        if version >= 7 {
            writer.i32(self.session_epoch);
        }
        writer.array(&self.topics, version, flexible)?;
        if version >= 7 {
            writer.array(&self.forgotten_topics_data, version, flexible)?;
        } else if !self.forgotten_topics_data.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "FetchRequest.ForgottenTopicsData", version });
        }
        if version >= 11 {
            writer.string(self.rack_id, flexible)?;
        }
        if flexible {
            let mut tags = 0u32;
            if self.cluster_id.is_some() {
                tags += 1;
            }
            if version >= 15 && self.replica_state != ReplicaState::default() {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if self.cluster_id.is_some() {
                writer.tag(
                    0,
                    Size::of(|size| {
                        size.string(self.cluster_id, flexible);
                    }),
                );
                writer.nullable_string(self.cluster_id, flexible)?;
            }
            if version >= 15 && self.replica_state != ReplicaState::default() {
                writer.tag(
                    1,
                    Size::of(|size| {
                        self.replica_state.size(size, version, flexible);
                    }),
                );
                self.replica_state.write(writer, version, flexible)?;
            }
        }
        Ok(())
    }
}

/// Part of [`FetchRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicaState {
    /// Int32, versions 15 to 18, default -1.
    pub replica_id: i32,
    /// Int64, versions 15 to 18, default -1.
    pub replica_epoch: i64,
}

impl Default for ReplicaState {
    fn default() -> Self {
        Self { replica_id: -1, replica_epoch: -1 }
    }
}

impl<'a> Element<'a> for ReplicaState {
    const MIN_LEN: usize = 13;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { replica_id: reader.i32()?, replica_epoch: reader.i64()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 12;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.replica_id);
        writer.i64(self.replica_epoch);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`FetchRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FetchTopic<'a> {
    /// String, versions 4 to 12, ignorable.
    pub topic: &'a str,
    /// Uuid, versions 13 to 18, ignorable.
    pub topic_id: Uuid,
    /// Array of [`FetchPartition`], versions 4 to 18.
    pub partitions: Vec<FetchPartition>,
}

impl<'a> Element<'a> for FetchTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            topic: if version <= 12 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 13 { reader.uuid()? } else { Uuid::ZERO },
            partitions: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 12 {
            size.string(Some(self.topic), flexible);
        }
        if version >= 13 {
            size.bytes += 16;
        }
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 12 {
            writer.string(self.topic, flexible)?;
        }
        if version >= 13 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`FetchRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct FetchPartition {
    /// Int32, versions 4 to 18.
    pub partition: i32,
    /// Int32, versions 9 to 18, default -1, ignorable.
    pub current_leader_epoch: i32,
    /// Int64, versions 4 to 18.
    pub fetch_offset: i64,
    /// Int32, versions 12 to 18, default -1, refused elsewhere.
    pub last_fetched_epoch: i32,
    /// Int64, versions 5 to 18, default -1, ignorable.
    pub log_start_offset: i64,
    /// Int32, versions 4 to 18.
    pub partition_max_bytes: i32,
    /// Uuid, versions 17 to 18, tag 0, ignorable.
    pub replica_directory_id: Uuid,
    /// Int64, version 18, tag 1, default i64::MAX, ignorable.
    pub high_watermark: i64,
}

impl Default for FetchPartition {
    fn default() -> Self {
        Self {
            partition: 0,
            current_leader_epoch: -1,
            fetch_offset: 0,
            last_fetched_epoch: -1,
            log_start_offset: -1,
            partition_max_bytes: 0,
            replica_directory_id: Uuid::ZERO,
            high_watermark: i64::MAX,
        }
    }
}

impl<'a> Element<'a> for FetchPartition {
    const MIN_LEN: usize = 16;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            partition: reader.i32()?,
            current_leader_epoch: if version >= 9 { reader.i32()? } else { -1 },
            fetch_offset: reader.i64()?,
            last_fetched_epoch: if version >= 12 { reader.i32()? } else { -1 },
            log_start_offset: if version >= 5 { reader.i64()? } else { -1 },
            partition_max_bytes: reader.i32()?,
            replica_directory_id: Uuid::ZERO,
            high_watermark: i64::MAX,
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 if version >= 17 => message.replica_directory_id = reader.uuid()?,
                    1 if version >= 18 => message.high_watermark = reader.i64()?,
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 16;
        if version >= 9 {
            size.bytes += 4;
        }
        if version >= 12 {
            size.bytes += 4;
        }
        if version >= 5 {
            size.bytes += 8;
        }
        if flexible {
            let mut tags = 0u32;
            if version >= 17 && self.replica_directory_id != Uuid::ZERO {
                tags += 1;
                size.tagged(0, |size| {
                    size.bytes += 16;
                });
            }
            if version >= 18 && self.high_watermark != i64::MAX {
                tags += 1;
                size.tagged(1, |size| {
                    size.bytes += 8;
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition);
        if version >= 9 {
            writer.i32(self.current_leader_epoch);
        }
        writer.i64(self.fetch_offset);
        if version >= 12 {
            writer.i32(self.last_fetched_epoch);
        } else if self.last_fetched_epoch != -1 {
            return Err(EncodeError::UnsupportedField { field: "FetchPartition.LastFetchedEpoch", version });
        }
        if version >= 5 {
            writer.i64(self.log_start_offset);
        }
        writer.i32(self.partition_max_bytes);
        if flexible {
            let mut tags = 0u32;
            if version >= 17 && self.replica_directory_id != Uuid::ZERO {
                tags += 1;
            }
            if version >= 18 && self.high_watermark != i64::MAX {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if version >= 17 && self.replica_directory_id != Uuid::ZERO {
                writer.tag(
                    0,
                    Size::of(|size| {
                        size.bytes += 16;
                    }),
                );
                writer.uuid(self.replica_directory_id);
            }
            if version >= 18 && self.high_watermark != i64::MAX {
                writer.tag(
                    1,
                    Size::of(|size| {
                        size.bytes += 8;
                    }),
                );
                writer.i64(self.high_watermark);
            }
        }
        Ok(())
    }
}

/// Part of [`FetchRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForgottenTopic<'a> {
    /// String, versions 7 to 12, ignorable.
    pub topic: &'a str,
    /// Uuid, versions 13 to 18, ignorable.
    pub topic_id: Uuid,
    /// Array of int32, versions 7 to 18.
    pub partitions: Vec<i32>,
}

impl<'a> Element<'a> for ForgottenTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            topic: if version <= 12 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 13 { reader.uuid()? } else { Uuid::ZERO },
            partitions: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 12 {
            size.string(Some(self.topic), flexible);
        }
        if version >= 13 {
            size.bytes += 16;
        }
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 12 {
            writer.string(self.topic, flexible)?;
        }
        if version >= 13 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for FetchRequest<'a> {
    const NAME: &'static str = "FetchRequest";
    const MIN_VERSION: i16 = 4;
    const MAX_VERSION: i16 = 18;
    const FLEXIBLE_FROM: i16 = 12;
}

impl<'a> Request<'a> for FetchRequest<'a> {
    const API_KEY: ApiKey = ApiKey(1);
    type Response<'r> = FetchResponse<'r>;
}

/// Response of API key 1 (Fetch), versions 4 to 18, flexible from 12.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FetchResponse<'a> {
    /// Int32, versions 4 to 18.
    pub throttle_time_ms: i32,
    /// Int16, versions 7 to 18, ignorable.
    pub error_code: i16,
    /// Int32, versions 7 to 18, refused elsewhere.
    pub session_id: i32,
    /// Array of [`FetchableTopicResponse`], versions 4 to 18.
    pub responses: Vec<FetchableTopicResponse<'a>>,
    /// Array of [`NodeEndpoint`], versions 16 to 18, tag 0, refused elsewhere.
    pub node_endpoints: Vec<NodeEndpoint<'a>>,
}

impl<'a> Element<'a> for FetchResponse<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: if version >= 7 { reader.i16()? } else { 0 },
            session_id: if version >= 7 { reader.i32()? } else { 0 },
            responses: reader.array(version, flexible)?,
            node_endpoints: Vec::new(),
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 if version >= 16 => message.node_endpoints = reader.array(version, flexible)?,
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        if version >= 7 {
            size.bytes += 2;
        }
        if version >= 7 {
            size.bytes += 4;
        }
        size.array(Some(&self.responses[..]), version, flexible);
        if flexible {
            let mut tags = 0u32;
            if version >= 16 && !self.node_endpoints.is_empty() {
                tags += 1;
                size.tagged(0, |size| {
                    size.array(Some(&self.node_endpoints[..]), version, flexible);
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        if version >= 7 {
            writer.i16(self.error_code);
        }
        if version >= 7 {
            writer.i32(self.session_id);
        } else if self.session_id != 0 {
            return Err(EncodeError::UnsupportedField { field: "FetchResponse.SessionId", version });
        }
        writer.array(&self.responses, version, flexible)?;
        if version < 16 && !self.node_endpoints.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "FetchResponse.NodeEndpoints", version });
        }
        if flexible {
            let mut tags = 0u32;
            if version >= 16 && !self.node_endpoints.is_empty() {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if version >= 16 && !self.node_endpoints.is_empty() {
                writer.tag(
                    0,
                    Size::of(|size| {
                        size.array(Some(&self.node_endpoints[..]), version, flexible);
                    }),
                );
                writer.array(&self.node_endpoints, version, flexible)?;
            }
        }
        Ok(())
    }
}

/// Part of [`FetchResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FetchableTopicResponse<'a> {
    /// String, versions 4 to 12, ignorable.
    pub topic: &'a str,
    /// Uuid, versions 13 to 18, ignorable.
    pub topic_id: Uuid,
    /// Array of [`PartitionData`], versions 4 to 18.
    pub partitions: Vec<PartitionData<'a>>,
}

impl<'a> Element<'a> for FetchableTopicResponse<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            topic: if version <= 12 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 13 { reader.uuid()? } else { Uuid::ZERO },
            partitions: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 12 {
            size.string(Some(self.topic), flexible);
        }
        if version >= 13 {
            size.bytes += 16;
        }
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 12 {
            writer.string(self.topic, flexible)?;
        }
        if version >= 13 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`FetchResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionData<'a> {
    /// Int32, versions 4 to 18.
    pub partition_index: i32,
    /// Int16, versions 4 to 18.
    pub error_code: i16,
    /// Int64, versions 4 to 18.
    pub high_watermark: i64,
    /// Int64, versions 4 to 18, default -1.
    pub last_stable_offset: i64,
    /// Int64, versions 5 to 18, default -1, ignorable.
    pub log_start_offset: i64,
    /// [`EpochEndOffset`], versions 12 to 18, tag 0, refused elsewhere.
    pub diverging_epoch: EpochEndOffset,
    /// [`LeaderIdAndEpoch`], versions 12 to 18, tag 1, refused elsewhere.
    pub current_leader: LeaderIdAndEpoch,
    /// [`SnapshotId`], versions 12 to 18, tag 2, refused elsewhere.
    pub snapshot_id: SnapshotId,
    /// Array of [`AbortedTransaction`], versions 4 to 18, nullable, default Some(Vec::new()).
    pub aborted_transactions: Option<Vec<AbortedTransaction>>,
    /// Int32, versions 11 to 18, default -1, refused elsewhere.
    pub preferred_read_replica: i32,
    /// Records, versions 4 to 18, nullable.
    pub records: Records<'a>,
}

impl Default for PartitionData<'_> {
    fn default() -> Self {
        Self {
            partition_index: 0,
            error_code: 0,
            high_watermark: 0,
            last_stable_offset: -1,
            log_start_offset: -1,
            diverging_epoch: EpochEndOffset::default(),
            current_leader: LeaderIdAndEpoch::default(),
            snapshot_id: SnapshotId::default(),
            aborted_transactions: Some(Vec::new()),
            preferred_read_replica: -1,
            records: Records::Null,
        }
    }
}

impl<'a> Element<'a> for PartitionData<'a> {
    const MIN_LEN: usize = 30;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            partition_index: reader.i32()?,
            error_code: reader.i16()?,
            high_watermark: reader.i64()?,
            last_stable_offset: reader.i64()?,
            log_start_offset: if version >= 5 { reader.i64()? } else { -1 },
            diverging_epoch: EpochEndOffset::default(),
            current_leader: LeaderIdAndEpoch::default(),
            snapshot_id: SnapshotId::default(),
            aborted_transactions: reader.nullable_array(version, flexible)?,
            preferred_read_replica: if version >= 11 { reader.i32()? } else { -1 },
            records: reader.records(flexible)?,
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 => message.diverging_epoch = EpochEndOffset::read(reader, version, flexible)?,
                    1 => message.current_leader = LeaderIdAndEpoch::read(reader, version, flexible)?,
                    2 => message.snapshot_id = SnapshotId::read(reader, version, flexible)?,
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 22;
        if version >= 5 {
            size.bytes += 8;
        }
        size.array(self.aborted_transactions.as_deref(), version, flexible);
        if version >= 11 {
            size.bytes += 4;
        }
        size.records(&self.records, flexible);
        if flexible {
            let mut tags = 0u32;
            if self.diverging_epoch != EpochEndOffset::default() {
                tags += 1;
                size.tagged(0, |size| {
                    self.diverging_epoch.size(size, version, flexible);
                });
            }
            if self.current_leader != LeaderIdAndEpoch::default() {
                tags += 1;
                size.tagged(1, |size| {
                    self.current_leader.size(size, version, flexible);
                });
            }
            if self.snapshot_id != SnapshotId::default() {
                tags += 1;
                size.tagged(2, |size| {
                    self.snapshot_id.size(size, version, flexible);
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i16(self.error_code);
        writer.i64(self.high_watermark);
        writer.i64(self.last_stable_offset);
        if version >= 5 {
            writer.i64(self.log_start_offset);
        }
        if version < 12 && self.diverging_epoch != EpochEndOffset::default() {
            return Err(EncodeError::UnsupportedField { field: "PartitionData.DivergingEpoch", version });
        }
        if version < 12 && self.current_leader != LeaderIdAndEpoch::default() {
            return Err(EncodeError::UnsupportedField { field: "PartitionData.CurrentLeader", version });
        }
        if version < 12 && self.snapshot_id != SnapshotId::default() {
            return Err(EncodeError::UnsupportedField { field: "PartitionData.SnapshotId", version });
        }
        writer.nullable_array(self.aborted_transactions.as_deref(), version, flexible)?;
        if version >= 11 {
            writer.i32(self.preferred_read_replica);
        } else if self.preferred_read_replica != -1 {
            return Err(EncodeError::UnsupportedField {
                field: "PartitionData.PreferredReadReplica",
                version,
            });
        }
        writer.records(&self.records, flexible)?;
        if flexible {
            let mut tags = 0u32;
            if self.diverging_epoch != EpochEndOffset::default() {
                tags += 1;
            }
            if self.current_leader != LeaderIdAndEpoch::default() {
                tags += 1;
            }
            if self.snapshot_id != SnapshotId::default() {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if self.diverging_epoch != EpochEndOffset::default() {
                writer.tag(
                    0,
                    Size::of(|size| {
                        self.diverging_epoch.size(size, version, flexible);
                    }),
                );
                self.diverging_epoch.write(writer, version, flexible)?;
            }
            if self.current_leader != LeaderIdAndEpoch::default() {
                writer.tag(
                    1,
                    Size::of(|size| {
                        self.current_leader.size(size, version, flexible);
                    }),
                );
                self.current_leader.write(writer, version, flexible)?;
            }
            if self.snapshot_id != SnapshotId::default() {
                writer.tag(
                    2,
                    Size::of(|size| {
                        self.snapshot_id.size(size, version, flexible);
                    }),
                );
                self.snapshot_id.write(writer, version, flexible)?;
            }
        }
        Ok(())
    }
}

/// Part of [`FetchResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct EpochEndOffset {
    /// Int32, versions 12 to 18, default -1.
    pub epoch: i32,
    /// Int64, versions 12 to 18, default -1.
    pub end_offset: i64,
}

impl Default for EpochEndOffset {
    fn default() -> Self {
        Self { epoch: -1, end_offset: -1 }
    }
}

impl<'a> Element<'a> for EpochEndOffset {
    const MIN_LEN: usize = 13;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { epoch: reader.i32()?, end_offset: reader.i64()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 12;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.epoch);
        writer.i64(self.end_offset);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`FetchResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct LeaderIdAndEpoch {
    /// Int32, versions 12 to 18, default -1.
    pub leader_id: i32,
    /// Int32, versions 12 to 18, default -1.
    pub leader_epoch: i32,
}

impl Default for LeaderIdAndEpoch {
    fn default() -> Self {
        Self { leader_id: -1, leader_epoch: -1 }
    }
}

impl<'a> Element<'a> for LeaderIdAndEpoch {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { leader_id: reader.i32()?, leader_epoch: reader.i32()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 8;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.leader_id);
        writer.i32(self.leader_epoch);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`FetchResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotId {
    /// Int64, versions 12 to 18, default -1.
    pub end_offset: i64,
    /// Int32, versions 12 to 18, default -1.
    pub epoch: i32,
}

impl Default for SnapshotId {
    fn default() -> Self {
        Self { end_offset: -1, epoch: -1 }
    }
}

impl<'a> Element<'a> for SnapshotId {
    const MIN_LEN: usize = 13;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { end_offset: reader.i64()?, epoch: reader.i32()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 12;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i64(self.end_offset);
        writer.i32(self.epoch);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`FetchResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AbortedTransaction {
    /// Int64, versions 4 to 18.
    pub producer_id: i64,
    /// Int64, versions 4 to 18.
    pub first_offset: i64,
}

impl<'a> Element<'a> for AbortedTransaction {
    const MIN_LEN: usize = 16;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { producer_id: reader.i64()?, first_offset: reader.i64()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 16;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i64(self.producer_id);
        writer.i64(self.first_offset);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`FetchResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeEndpoint<'a> {
    /// Int32, versions 16 to 18.
    pub node_id: i32,
    /// String, versions 16 to 18.
    pub host: &'a str,
    /// Int32, versions 16 to 18.
    pub port: i32,
    /// String, versions 16 to 18, nullable, default None.
    pub rack: Option<&'a str>,
}

impl<'a> Element<'a> for NodeEndpoint<'a> {
    const MIN_LEN: usize = 11;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            node_id: reader.i32()?,
            host: reader.string(flexible)?,
            port: reader.i32()?,
            rack: reader.nullable_string(flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 8;
        size.string(Some(self.host), flexible);
        size.string(self.rack, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.node_id);
        writer.string(self.host, flexible)?;
        writer.i32(self.port);
        writer.nullable_string(self.rack, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for FetchResponse<'a> {
    const NAME: &'static str = "FetchResponse";
    const MIN_VERSION: i16 = 4;
    const MAX_VERSION: i16 = 18;
    const FLEXIBLE_FROM: i16 = 12;
}

impl<'a> Response<'a> for FetchResponse<'a> {
    const API_KEY: ApiKey = ApiKey(1);
}
