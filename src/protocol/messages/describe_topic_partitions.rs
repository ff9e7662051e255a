//! DescribeTopicPartitions: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Uuid, Writer,
};

/// Request of API key 75 (DescribeTopicPartitions), version 0, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeTopicPartitionsRequest<'a> {
    /// Array of [`TopicRequest`], version 0.
    pub topics: Vec<TopicRequest<'a>>,
    /// Int32, version 0, default 2000.
    pub response_partition_limit: i32,
    /// [`Cursor`], version 0, nullable, default None.
    pub cursor: Option<Cursor<'a>>,
}

impl Default for DescribeTopicPartitionsRequest<'_> {
    fn default() -> Self {
        Self { topics: Vec::new(), response_partition_limit: 2000, cursor: None }
    }
}

impl<'a> Element<'a> for DescribeTopicPartitionsRequest<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            topics: reader.array(version, flexible)?,
            response_partition_limit: reader.i32()?,
            cursor: reader.nullable_struct(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.topics[..]), version, flexible);
        size.nullable_struct(self.cursor.as_ref(), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.topics, version, flexible)?;
        writer.i32(self.response_partition_limit);
        writer.nullable_struct(self.cursor.as_ref(), version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeTopicPartitionsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicRequest<'a> {
    /// String, version 0.
    pub name: &'a str,
}

impl<'a> Element<'a> for TopicRequest<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeTopicPartitionsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cursor<'a> {
    /// String, version 0.
    pub topic_name: &'a str,
    /// Int32, version 0.
    pub partition_index: i32,
}

impl<'a> Element<'a> for Cursor<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { topic_name: reader.string(flexible)?, partition_index: reader.i32()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.topic_name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.topic_name, flexible)?;
        writer.i32(self.partition_index);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeTopicPartitionsRequest<'a> {
    const NAME: &'static str = "DescribeTopicPartitionsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for DescribeTopicPartitionsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(75);
    type Response<'r> = DescribeTopicPartitionsResponse<'r>;
}

/// Response of API key 75 (DescribeTopicPartitions), version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeTopicPartitionsResponse<'a> {
    /// Int32, version 0.
    pub throttle_time_ms: i32,
    /// Array of [`DescribeTopicPartitionsResponseTopic`], version 0.
    pub topics: Vec<DescribeTopicPartitionsResponseTopic<'a>>,
    /// [`ResponseCursor`], version 0, nullable, default None.
    pub next_cursor: Option<ResponseCursor<'a>>,
}

impl<'a> Element<'a> for DescribeTopicPartitionsResponse<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            topics: reader.array(version, flexible)?,
            next_cursor: reader.nullable_struct(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.topics[..]), version, flexible);
        size.nullable_struct(self.next_cursor.as_ref(), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.topics, version, flexible)?;
        writer.nullable_struct(self.next_cursor.as_ref(), version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeTopicPartitionsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeTopicPartitionsResponseTopic<'a> {
    /// Int16, version 0.
    pub error_code: i16,
    /// String, version 0, nullable, default Some("").
    pub name: Option<&'a str>,
    /// Uuid, version 0.
    pub topic_id: Uuid,
    /// Bool, version 0.
    pub is_internal: bool,
    /// Array of [`DescribeTopicPartitionsResponsePartition`], version 0.
    pub partitions: Vec<DescribeTopicPartitionsResponsePartition>,
    /// Int32, version 0, default i32::MIN.
    pub topic_authorized_operations: i32,
}

impl Default for DescribeTopicPartitionsResponseTopic<'_> {
    fn default() -> Self {
        Self {
            error_code: 0,
            name: Some(""),
            topic_id: Uuid::ZERO,
            is_internal: false,
            partitions: Vec::new(),
            topic_authorized_operations: i32::MIN,
        }
    }
}

impl<'a> Element<'a> for DescribeTopicPartitionsResponseTopic<'a> {
    const MIN_LEN: usize = 26;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            name: reader.nullable_string(flexible)?,
            topic_id: reader.uuid()?,
            is_internal: reader.bool()?,
            partitions: reader.array(version, flexible)?,
            topic_authorized_operations: reader.i32()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 23;
        size.string(self.name, flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.nullable_string(self.name, flexible)?;
        writer.uuid(self.topic_id);
        writer.bool(self.is_internal);
        writer.array(&self.partitions, version, flexible)?;
        writer.i32(self.topic_authorized_operations);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeTopicPartitionsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeTopicPartitionsResponsePartition {
    /// Int16, version 0.
    pub error_code: i16,
    /// Int32, version 0.
    pub partition_index: i32,
    /// Int32, version 0.
    pub leader_id: i32,
    /// Int32, version 0, default -1.
    pub leader_epoch: i32,
    /// Array of int32, version 0.
    pub replica_nodes: Vec<i32>,
    /// Array of int32, version 0.
    pub isr_nodes: Vec<i32>,
    /// Array of int32, version 0, nullable, default None.
    pub eligible_leader_replicas: Option<Vec<i32>>,
    /// Array of int32, version 0, nullable, default None.
    pub last_known_elr: Option<Vec<i32>>,
    /// Array of int32, version 0.
    pub offline_replicas: Vec<i32>,
}

impl Default for DescribeTopicPartitionsResponsePartition {
    fn default() -> Self {
        Self {
            error_code: 0,
            partition_index: 0,
            leader_id: 0,
            leader_epoch: -1,
            replica_nodes: Vec::new(),
            isr_nodes: Vec::new(),
            eligible_leader_replicas: None,
            last_known_elr: None,
            offline_replicas: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for DescribeTopicPartitionsResponsePartition {
    const MIN_LEN: usize = 20;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            partition_index: reader.i32()?,
            leader_id: reader.i32()?,
            leader_epoch: reader.i32()?,
            replica_nodes: reader.array(version, flexible)?,
            isr_nodes: reader.array(version, flexible)?,
            eligible_leader_replicas: reader.nullable_array(version, flexible)?,
            last_known_elr: reader.nullable_array(version, flexible)?,
            offline_replicas: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 14;
        size.array(Some(&self.replica_nodes[..]), version, flexible);
        size.array(Some(&self.isr_nodes[..]), version, flexible);
        size.array(self.eligible_leader_replicas.as_deref(), version, flexible);
        size.array(self.last_known_elr.as_deref(), version, flexible);
        size.array(Some(&self.offline_replicas[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.i32(self.partition_index);
        writer.i32(self.leader_id);
        writer.i32(self.leader_epoch);
        writer.array(&self.replica_nodes, version, flexible)?;
        writer.array(&self.isr_nodes, version, flexible)?;
        writer.nullable_array(self.eligible_leader_replicas.as_deref(), version, flexible)?;
        writer.nullable_array(self.last_known_elr.as_deref(), version, flexible)?;
        writer.array(&self.offline_replicas, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeTopicPartitionsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResponseCursor<'a> {
    /// String, version 0.
    pub topic_name: &'a str,
    /// Int32, version 0.
    pub partition_index: i32,
}

impl<'a> Element<'a> for ResponseCursor<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { topic_name: reader.string(flexible)?, partition_index: reader.i32()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.topic_name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.topic_name, flexible)?;
        writer.i32(self.partition_index);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeTopicPartitionsResponse<'a> {
    const NAME: &'static str = "DescribeTopicPartitionsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for DescribeTopicPartitionsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(75);
}
