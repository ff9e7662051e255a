//! OffsetForLeaderEpoch: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 23 (OffsetForLeaderEpoch), versions 2 to 4, flexible from 4.
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetForLeaderEpochRequest<'a> {
    /// Int32, versions 3 to 4, default -2, ignorable.
    pub replica_id: i32,
    /// Array of [`OffsetForLeaderTopic`], versions 2 to 4.
    pub topics: Vec<OffsetForLeaderTopic<'a>>,
}

impl Default for OffsetForLeaderEpochRequest<'_> {
    fn default() -> Self {
        Self { replica_id: -2, topics: Vec::new() }
    }
}

impl<'a> Element<'a> for OffsetForLeaderEpochRequest<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            replica_id: if version >= 3 { reader.i32()? } else { -2 },
            topics: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version >= 3 {
            size.bytes += 4;
        }
        size.array(Some(&self.topics[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 3 {
            writer.i32(self.replica_id);
        }
        writer.array(&self.topics, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetForLeaderEpochRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetForLeaderTopic<'a> {
    /// String, versions 2 to 4.
    pub topic: &'a str,
    /// Array of [`OffsetForLeaderPartition`], versions 2 to 4.
    pub partitions: Vec<OffsetForLeaderPartition>,
}

impl<'a> Element<'a> for OffsetForLeaderTopic<'a> {
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

/// Part of [`OffsetForLeaderEpochRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetForLeaderPartition {
    /// Int32, versions 2 to 4.
    pub partition: i32,
    /// Int32, versions 2 to 4, default -1.
    pub current_leader_epoch: i32,
    /// Int32, versions 2 to 4.
    pub leader_epoch: i32,
}

impl Default for OffsetForLeaderPartition {
    fn default() -> Self {
        Self { partition: 0, current_leader_epoch: -1, leader_epoch: 0 }
    }
}

impl<'a> Element<'a> for OffsetForLeaderPartition {
    const MIN_LEN: usize = 12;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition: reader.i32()?,
            current_leader_epoch: reader.i32()?,
            leader_epoch: reader.i32()?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 12;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition);
        writer.i32(self.current_leader_epoch);
        writer.i32(self.leader_epoch);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetForLeaderEpochRequest<'a> {
    const NAME: &'static str = "OffsetForLeaderEpochRequest";
    const MIN_VERSION: i16 = 2;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Request<'a> for OffsetForLeaderEpochRequest<'a> {
    const API_KEY: ApiKey = ApiKey(23);
    type Response<'r> = OffsetForLeaderEpochResponse<'r>;
}

/// Response of API key 23 (OffsetForLeaderEpoch), versions 2 to 4, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetForLeaderEpochResponse<'a> {
    /// Int32, versions 2 to 4.
    pub throttle_time_ms: i32,
    /// Array of [`OffsetForLeaderTopicResult`], versions 2 to 4.
    pub topics: Vec<OffsetForLeaderTopicResult<'a>>,
}

impl<'a> Element<'a> for OffsetForLeaderEpochResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { throttle_time_ms: reader.i32()?, topics: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.topics[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.topics, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetForLeaderEpochResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetForLeaderTopicResult<'a> {
    /// String, versions 2 to 4.
    pub topic: &'a str,
    /// Array of [`EpochEndOffset`], versions 2 to 4.
    pub partitions: Vec<EpochEndOffset>,
}

impl<'a> Element<'a> for OffsetForLeaderTopicResult<'a> {
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

/// Part of [`OffsetForLeaderEpochResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct EpochEndOffset {
    /// Int16, versions 2 to 4.
    pub error_code: i16,
    /// Int32, versions 2 to 4.
    pub partition: i32,
    /// Int32, versions 2 to 4, default -1.
    pub leader_epoch: i32,
    /// Int64, versions 2 to 4, default -1.
    pub end_offset: i64,
}

impl Default for EpochEndOffset {
    fn default() -> Self {
        Self { error_code: 0, partition: 0, leader_epoch: -1, end_offset: -1 }
    }
}

impl<'a> Element<'a> for EpochEndOffset {
    const MIN_LEN: usize = 18;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            partition: reader.i32()?,
            leader_epoch: reader.i32()?,
            end_offset: reader.i64()?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 18;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.i32(self.partition);
        writer.i32(self.leader_epoch);
        writer.i64(self.end_offset);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetForLeaderEpochResponse<'a> {
    const NAME: &'static str = "OffsetForLeaderEpochResponse";
    const MIN_VERSION: i16 = 2;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Response<'a> for OffsetForLeaderEpochResponse<'a> {
    const API_KEY: ApiKey = ApiKey(23);
}
