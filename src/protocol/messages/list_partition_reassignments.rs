//! ListPartitionReassignments: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 46 (ListPartitionReassignments), version 0, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPartitionReassignmentsRequest<'a> {
    /// Int32, version 0, default 60000.
    pub timeout_ms: i32,
    /// Array of [`ListPartitionReassignmentsTopics`], version 0, nullable, default None.
    pub topics: Option<Vec<ListPartitionReassignmentsTopics<'a>>>,
}

impl Default for ListPartitionReassignmentsRequest<'_> {
    fn default() -> Self {
        Self { timeout_ms: 60000, topics: None }
    }
}

impl<'a> Element<'a> for ListPartitionReassignmentsRequest<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { timeout_ms: reader.i32()?, topics: reader.nullable_array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(self.topics.as_deref(), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.timeout_ms);
        writer.nullable_array(self.topics.as_deref(), version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`ListPartitionReassignmentsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListPartitionReassignmentsTopics<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Array of int32, version 0.
    pub partition_indexes: Vec<i32>,
}

impl<'a> Element<'a> for ListPartitionReassignmentsTopics<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { name: reader.string(flexible)?, partition_indexes: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partition_indexes[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partition_indexes, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for ListPartitionReassignmentsRequest<'a> {
    const NAME: &'static str = "ListPartitionReassignmentsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for ListPartitionReassignmentsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(46);
    type Response<'r> = ListPartitionReassignmentsResponse<'r>;
}

/// Response of API key 46 (ListPartitionReassignments), version 0, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPartitionReassignmentsResponse<'a> {
    /// Int32, version 0.
    pub throttle_time_ms: i32,
    /// Int16, version 0.
    pub error_code: i16,
    /// String, version 0, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Array of [`OngoingTopicReassignment`], version 0.
    pub topics: Vec<OngoingTopicReassignment<'a>>,
}

impl Default for ListPartitionReassignmentsResponse<'_> {
    fn default() -> Self {
        Self { throttle_time_ms: 0, error_code: 0, error_message: Some(""), topics: Vec::new() }
    }
}

impl<'a> Element<'a> for ListPartitionReassignmentsResponse<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            topics: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.string(self.error_message, flexible);
        size.array(Some(&self.topics[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.array(&self.topics, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`ListPartitionReassignmentsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OngoingTopicReassignment<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Array of [`OngoingPartitionReassignment`], version 0.
    pub partitions: Vec<OngoingPartitionReassignment>,
}

impl<'a> Element<'a> for OngoingTopicReassignment<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`ListPartitionReassignmentsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OngoingPartitionReassignment {
    /// Int32, version 0.
    pub partition_index: i32,
    /// Array of int32, version 0.
    pub replicas: Vec<i32>,
    /// Array of int32, version 0.
    pub adding_replicas: Vec<i32>,
    /// Array of int32, version 0.
    pub removing_replicas: Vec<i32>,
}

impl<'a> Element<'a> for OngoingPartitionReassignment {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            replicas: reader.array(version, flexible)?,
            adding_replicas: reader.array(version, flexible)?,
            removing_replicas: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.replicas[..]), version, flexible);
        size.array(Some(&self.adding_replicas[..]), version, flexible);
        size.array(Some(&self.removing_replicas[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.array(&self.replicas, version, flexible)?;
        writer.array(&self.adding_replicas, version, flexible)?;
        writer.array(&self.removing_replicas, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for ListPartitionReassignmentsResponse<'a> {
    const NAME: &'static str = "ListPartitionReassignmentsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for ListPartitionReassignmentsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(46);
}
