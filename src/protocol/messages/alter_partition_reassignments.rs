//! AlterPartitionReassignments: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 45 (AlterPartitionReassignments), versions 0 to 1, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct AlterPartitionReassignmentsRequest<'a> {
    /// Int32, versions 0 to 1, default 60000.
    pub timeout_ms: i32,
    /// Bool, version 1, default true, refused elsewhere.
    pub allow_replication_factor_change: bool,
    /// Array of [`ReassignableTopic`], versions 0 to 1.
    pub topics: Vec<ReassignableTopic<'a>>,
}

impl Default for AlterPartitionReassignmentsRequest<'_> {
    fn default() -> Self {
        Self { timeout_ms: 60000, allow_replication_factor_change: true, topics: Vec::new() }
    }
}

impl<'a> Element<'a> for AlterPartitionReassignmentsRequest<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            timeout_ms: reader.i32()?,
            allow_replication_factor_change: if version >= 1 { reader.bool()? } else { true },
            topics: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        if version >= 1 {
            size.bytes += 1;
        }
        size.array(Some(&self.topics[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.timeout_ms);
        if version >= 1 {
            writer.bool(self.allow_replication_factor_change);
        } else if !self.allow_replication_factor_change {
            return Err(EncodeError::UnsupportedField {
                field: "AlterPartitionReassignmentsRequest.AllowReplicationFactorChange",
                version,
            });
        }
        writer.array(&self.topics, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`AlterPartitionReassignmentsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReassignableTopic<'a> {
    /// String, versions 0 to 1.
    pub name: &'a str,
    /// Array of [`ReassignablePartition`], versions 0 to 1.
    pub partitions: Vec<ReassignablePartition>,
}

impl<'a> Element<'a> for ReassignableTopic<'a> {
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

/// Part of [`AlterPartitionReassignmentsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReassignablePartition {
    /// Int32, versions 0 to 1.
    pub partition_index: i32,
    /// Array of int32, versions 0 to 1, nullable, default None.
    pub replicas: Option<Vec<i32>>,
}

impl<'a> Element<'a> for ReassignablePartition {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { partition_index: reader.i32()?, replicas: reader.nullable_array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(self.replicas.as_deref(), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.nullable_array(self.replicas.as_deref(), version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for AlterPartitionReassignmentsRequest<'a> {
    const NAME: &'static str = "AlterPartitionReassignmentsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for AlterPartitionReassignmentsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(45);
    type Response<'r> = AlterPartitionReassignmentsResponse<'r>;
}

/// Response of API key 45 (AlterPartitionReassignments), versions 0 to 1, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct AlterPartitionReassignmentsResponse<'a> {
    /// Int32, versions 0 to 1.
    pub throttle_time_ms: i32,
    /// Bool, version 1, default true, ignorable.
    pub allow_replication_factor_change: bool,
    /// Int16, versions 0 to 1.
    pub error_code: i16,
    /// String, versions 0 to 1, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Array of [`ReassignableTopicResponse`], versions 0 to 1.
    pub responses: Vec<ReassignableTopicResponse<'a>>,
}

impl Default for AlterPartitionReassignmentsResponse<'_> {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            allow_replication_factor_change: true,
            error_code: 0,
            error_message: Some(""),
            responses: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for AlterPartitionReassignmentsResponse<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            allow_replication_factor_change: if version >= 1 { reader.bool()? } else { true },
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            responses: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        if version >= 1 {
            size.bytes += 1;
        }
        size.string(self.error_message, flexible);
        size.array(Some(&self.responses[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        if version >= 1 {
            writer.bool(self.allow_replication_factor_change);
        }
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.array(&self.responses, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`AlterPartitionReassignmentsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReassignableTopicResponse<'a> {
    /// String, versions 0 to 1.
    pub name: &'a str,
    /// Array of [`ReassignablePartitionResponse`], versions 0 to 1.
    pub partitions: Vec<ReassignablePartitionResponse<'a>>,
}

impl<'a> Element<'a> for ReassignableTopicResponse<'a> {
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

/// Part of [`AlterPartitionReassignmentsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct ReassignablePartitionResponse<'a> {
    /// Int32, versions 0 to 1.
    pub partition_index: i32,
    /// Int16, versions 0 to 1.
    pub error_code: i16,
    /// String, versions 0 to 1, nullable, default Some("").
    pub error_message: Option<&'a str>,
}

impl Default for ReassignablePartitionResponse<'_> {
    fn default() -> Self {
        Self { partition_index: 0, error_code: 0, error_message: Some("") }
    }
}

impl<'a> Element<'a> for ReassignablePartitionResponse<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 6;
        size.string(self.error_message, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for AlterPartitionReassignmentsResponse<'a> {
    const NAME: &'static str = "AlterPartitionReassignmentsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for AlterPartitionReassignmentsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(45);
}
