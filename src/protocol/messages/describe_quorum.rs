//! DescribeQuorum: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Uuid, Writer,
};

/// Request of API key 55 (DescribeQuorum), versions 0 to 2, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeQuorumRequest<'a> {
    /// Array of [`TopicData`], versions 0 to 2.
    pub topics: Vec<TopicData<'a>>,
}

impl<'a> Element<'a> for DescribeQuorumRequest<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { topics: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.topics[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.topics, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeQuorumRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicData<'a> {
    /// String, versions 0 to 2.
    pub topic_name: &'a str,
    /// Array of [`PartitionData`], versions 0 to 2.
    pub partitions: Vec<PartitionData>,
}

impl<'a> Element<'a> for TopicData<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { topic_name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.topic_name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.topic_name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeQuorumRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartitionData {
    /// Int32, versions 0 to 2.
    pub partition_index: i32,
}

impl<'a> Element<'a> for PartitionData {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { partition_index: reader.i32()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 4;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeQuorumRequest<'a> {
    const NAME: &'static str = "DescribeQuorumRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for DescribeQuorumRequest<'a> {
    const API_KEY: ApiKey = ApiKey(55);
    type Response<'r> = DescribeQuorumResponse<'r>;
}

/// Response of API key 55 (DescribeQuorum), versions 0 to 2, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeQuorumResponse<'a> {
    /// Int16, versions 0 to 2.
    pub error_code: i16,
    /// String, version 2, nullable, default Some(""), ignorable.
    pub error_message: Option<&'a str>,
    /// Array of [`ResponseTopicData`], versions 0 to 2.
    pub topics: Vec<ResponseTopicData<'a>>,
    /// Array of [`Node`], version 2, refused elsewhere.
    pub nodes: Vec<Node<'a>>,
}

impl Default for DescribeQuorumResponse<'_> {
    fn default() -> Self {
        Self { error_code: 0, error_message: Some(""), topics: Vec::new(), nodes: Vec::new() }
    }
}

impl<'a> Element<'a> for DescribeQuorumResponse<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            error_message: if version >= 2 { reader.nullable_string(flexible)? } else { Some("") },
            topics: reader.array(version, flexible)?,
            nodes: if version >= 2 { reader.array(version, flexible)? } else { Vec::new() },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        if version >= 2 {
            size.string(self.error_message, flexible);
        }
        size.array(Some(&self.topics[..]), version, flexible);
        if version >= 2 {
            size.array(Some(&self.nodes[..]), version, flexible);
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        if version >= 2 {
            writer.nullable_string(self.error_message, flexible)?;
        }
        writer.array(&self.topics, version, flexible)?;
        if version >= 2 {
            writer.array(&self.nodes, version, flexible)?;
        } else if !self.nodes.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "DescribeQuorumResponse.Nodes", version });
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeQuorumResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicaState {
    /// Int32, versions 0 to 2.
    pub replica_id: i32,
    /// Uuid, version 2, refused elsewhere.
    pub replica_directory_id: Uuid,
    /// Int64, versions 0 to 2.
    pub log_end_offset: i64,
    /// Int64, versions 1 to 2, default -1, ignorable.
    pub last_fetch_timestamp: i64,
    /// Int64, versions 1 to 2, default -1, ignorable.
    pub last_caught_up_timestamp: i64,
}

impl Default for ReplicaState {
    fn default() -> Self {
        Self {
            replica_id: 0,
            replica_directory_id: Uuid::ZERO,
            log_end_offset: 0,
            last_fetch_timestamp: -1,
            last_caught_up_timestamp: -1,
        }
    }
}

impl<'a> Element<'a> for ReplicaState {
    const MIN_LEN: usize = 13;

    fn read(reader: &mut Reader<'a>, version: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self {
            replica_id: reader.i32()?,
            replica_directory_id: if version >= 2 { reader.uuid()? } else { Uuid::ZERO },
            log_end_offset: reader.i64()?,
            last_fetch_timestamp: if version >= 1 { reader.i64()? } else { -1 },
            last_caught_up_timestamp: if version >= 1 { reader.i64()? } else { -1 },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, _: bool) {
        size.bytes += 12;
        if version >= 2 {
            size.bytes += 16;
        }
        if version >= 1 {
            size.bytes += 8;
        }
        if version >= 1 {
            size.bytes += 8;
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.replica_id);
        if version >= 2 {
            writer.uuid(self.replica_directory_id);
        } else if self.replica_directory_id != Uuid::ZERO {
            return Err(EncodeError::UnsupportedField { field: "ReplicaState.ReplicaDirectoryId", version });
        }
        writer.i64(self.log_end_offset);
        if version >= 1 {
            writer.i64(self.last_fetch_timestamp);
        }
        if version >= 1 {
            writer.i64(self.last_caught_up_timestamp);
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeQuorumResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResponseTopicData<'a> {
    /// String, versions 0 to 2.
    pub topic_name: &'a str,
    /// Array of [`ResponsePartitionData`], versions 0 to 2.
    pub partitions: Vec<ResponsePartitionData<'a>>,
}

impl<'a> Element<'a> for ResponseTopicData<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { topic_name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.topic_name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.topic_name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeQuorumResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct ResponsePartitionData<'a> {
    /// Int32, versions 0 to 2.
    pub partition_index: i32,
    /// Int16, versions 0 to 2.
    pub error_code: i16,
    /// String, version 2, nullable, default Some(""), ignorable.
    pub error_message: Option<&'a str>,
    /// Int32, versions 0 to 2.
    pub leader_id: i32,
    /// Int32, versions 0 to 2.
    pub leader_epoch: i32,
    /// Int64, versions 0 to 2.
    pub high_watermark: i64,
    /// Array of [`ReplicaState`], versions 0 to 2.
    pub current_voters: Vec<ReplicaState>,
    /// Array of [`ReplicaState`], versions 0 to 2.
    pub observers: Vec<ReplicaState>,
}

impl Default for ResponsePartitionData<'_> {
    fn default() -> Self {
        Self {
            partition_index: 0,
            error_code: 0,
            error_message: Some(""),
            leader_id: 0,
            leader_epoch: 0,
            high_watermark: 0,
            current_voters: Vec::new(),
            observers: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for ResponsePartitionData<'a> {
    const MIN_LEN: usize = 25;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            error_code: reader.i16()?,
            error_message: if version >= 2 { reader.nullable_string(flexible)? } else { Some("") },
            leader_id: reader.i32()?,
            leader_epoch: reader.i32()?,
            high_watermark: reader.i64()?,
            current_voters: reader.array(version, flexible)?,
            observers: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 22;
        if version >= 2 {
            size.string(self.error_message, flexible);
        }
        size.array(Some(&self.current_voters[..]), version, flexible);
        size.array(Some(&self.observers[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i16(self.error_code);
        if version >= 2 {
            writer.nullable_string(self.error_message, flexible)?;
        }
        writer.i32(self.leader_id);
        writer.i32(self.leader_epoch);
        writer.i64(self.high_watermark);
        writer.array(&self.current_voters, version, flexible)?;
        writer.array(&self.observers, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeQuorumResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node<'a> {
    /// Int32, version 2.
    pub node_id: i32,
    /// Array of [`Listener`], version 2.
    pub listeners: Vec<Listener<'a>>,
}

impl<'a> Element<'a> for Node<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { node_id: reader.i32()?, listeners: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.listeners[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.node_id);
        writer.array(&self.listeners, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeQuorumResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listener<'a> {
    /// String, version 2.
    pub name: &'a str,
    /// String, version 2.
    pub host: &'a str,
    /// Uint16, version 2.
    pub port: u16,
}

impl<'a> Element<'a> for Listener<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { name: reader.string(flexible)?, host: reader.string(flexible)?, port: reader.u16()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.name), flexible);
        size.string(Some(self.host), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.string(self.host, flexible)?;
        writer.u16(self.port);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeQuorumResponse<'a> {
    const NAME: &'static str = "DescribeQuorumResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for DescribeQuorumResponse<'a> {
    const API_KEY: ApiKey = ApiKey(55);
}
