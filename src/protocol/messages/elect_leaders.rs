//! ElectLeaders: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 43 (ElectLeaders), versions 0 to 2, flexible from 2.
#[derive(Clone, Debug, PartialEq)]
pub struct ElectLeadersRequest<'a> {
    /// Int8, versions 1 to 2, refused elsewhere.
    pub election_type: i8,
    /// Array of [`TopicPartitions`], versions 0 to 2, nullable, default Some(Vec::new()).
    pub topic_partitions: Option<Vec<TopicPartitions<'a>>>,
    /// Int32, versions 0 to 2, default 60000.
    pub timeout_ms: i32,
}

impl Default for ElectLeadersRequest<'_> {
    fn default() -> Self {
        Self { election_type: 0, topic_partitions: Some(Vec::new()), timeout_ms: 60000 }
    }
}

impl<'a> Element<'a> for ElectLeadersRequest<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            election_type: if version >= 1 { reader.i8()? } else { 0 },
            topic_partitions: reader.nullable_array(version, flexible)?,
            timeout_ms: reader.i32()?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        if version >= 1 {
            size.bytes += 1;
        }
        size.array(self.topic_partitions.as_deref(), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 1 {
            writer.i8(self.election_type);
        } else if self.election_type != 0 {
            return Err(EncodeError::UnsupportedField { field: "ElectLeadersRequest.ElectionType", version });
        }
        writer.nullable_array(self.topic_partitions.as_deref(), version, flexible)?;
        writer.i32(self.timeout_ms);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ElectLeadersRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicPartitions<'a> {
    /// String, versions 0 to 2.
    pub topic: &'a str,
    /// Array of int32, versions 0 to 2.
    pub partitions: Vec<i32>,
}

impl<'a> Element<'a> for TopicPartitions<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { topic: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.topic), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.topic, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ElectLeadersRequest<'a> {
    const NAME: &'static str = "ElectLeadersRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Request<'a> for ElectLeadersRequest<'a> {
    const API_KEY: ApiKey = ApiKey(43);
    type Response<'r> = ElectLeadersResponse<'r>;
}

/// Response of API key 43 (ElectLeaders), versions 0 to 2, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElectLeadersResponse<'a> {
    /// Int32, versions 0 to 2.
    pub throttle_time_ms: i32,
    /// Int16, versions 1 to 2, refused elsewhere.
    pub error_code: i16,
    /// Array of [`ReplicaElectionResult`], versions 0 to 2.
    pub replica_election_results: Vec<ReplicaElectionResult<'a>>,
}

impl<'a> Element<'a> for ElectLeadersResponse<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: if version >= 1 { reader.i16()? } else { 0 },
            replica_election_results: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        if version >= 1 {
            size.bytes += 2;
        }
        size.array(Some(&self.replica_election_results[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        if version >= 1 {
            writer.i16(self.error_code);
        } else if self.error_code != 0 {
            return Err(EncodeError::UnsupportedField { field: "ElectLeadersResponse.ErrorCode", version });
        }
        writer.array(&self.replica_election_results, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ElectLeadersResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicaElectionResult<'a> {
    /// String, versions 0 to 2.
    pub topic: &'a str,
    /// Array of [`PartitionResult`], versions 0 to 2.
    pub partition_result: Vec<PartitionResult<'a>>,
}

impl<'a> Element<'a> for ReplicaElectionResult<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { topic: reader.string(flexible)?, partition_result: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.topic), flexible);
        size.array(Some(&self.partition_result[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.topic, flexible)?;
        writer.array(&self.partition_result, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ElectLeadersResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionResult<'a> {
    /// Int32, versions 0 to 2.
    pub partition_id: i32,
    /// Int16, versions 0 to 2.
    pub error_code: i16,
    /// String, versions 0 to 2, nullable, default Some("").
    pub error_message: Option<&'a str>,
}

impl Default for PartitionResult<'_> {
    fn default() -> Self {
        Self { partition_id: 0, error_code: 0, error_message: Some("") }
    }
}

impl<'a> Element<'a> for PartitionResult<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_id: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 6;
        size.string(self.error_message, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_id);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ElectLeadersResponse<'a> {
    const NAME: &'static str = "ElectLeadersResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Response<'a> for ElectLeadersResponse<'a> {
    const API_KEY: ApiKey = ApiKey(43);
}
