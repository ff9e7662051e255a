//! ListOffsets: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 2 (ListOffsets), versions 0 to 11, flexible from 6.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListOffsetsRequest<'a> {
    /// Int32, versions 0 to 11.
    pub replica_id: i32,
    /// Int8, versions 2 to 11, refused elsewhere.
    pub isolation_level: i8,
    /// Array of [`ListOffsetsTopic`], versions 0 to 11.
    pub topics: Vec<ListOffsetsTopic<'a>>,
    /// Int32, versions 10 to 11, ignorable.
    pub timeout_ms: i32,
}

impl<'a> Element<'a> for ListOffsetsRequest<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            replica_id: reader.i32()?,
            isolation_level: if version >= 2 { reader.i8()? } else { 0 },
            topics: reader.array(version, flexible)?,
            timeout_ms: if version >= 10 { reader.i32()? } else { 0 },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        if version >= 2 {
            size.bytes += 1;
        }
        size.array(Some(&self.topics[..]), version, flexible);
        if version >= 10 {
            size.bytes += 4;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.replica_id);
        if version >= 2 {
            writer.i8(self.isolation_level);
        } else if self.isolation_level != 0 {
            return Err(EncodeError::UnsupportedField {
                field: "ListOffsetsRequest.IsolationLevel",
                version,
            });
        }
        writer.array(&self.topics, version, flexible)?;
        if version >= 10 {
            writer.i32(self.timeout_ms);
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ListOffsetsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListOffsetsTopic<'a> {
    /// String, versions 0 to 11.
    pub name: &'a str,
    /// Array of [`ListOffsetsPartition`], versions 0 to 11.
    pub partitions: Vec<ListOffsetsPartition>,
}

impl<'a> Element<'a> for ListOffsetsTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ListOffsetsRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct ListOffsetsPartition {
    /// Int32, versions 0 to 11.
    pub partition_index: i32,
    /// Int32, versions 4 to 11, default -1, ignorable.
    pub current_leader_epoch: i32,
    /// Int64, versions 0 to 11.
    pub timestamp: i64,
    /// Int32, version 0, default 1, ignorable.
    pub max_num_offsets: i32,
}

impl Default for ListOffsetsPartition {
    fn default() -> Self {
        Self { partition_index: 0, current_leader_epoch: -1, timestamp: 0, max_num_offsets: 1 }
    }
}

impl<'a> Element<'a> for ListOffsetsPartition {
    const MIN_LEN: usize = 12;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            current_leader_epoch: if version >= 4 { reader.i32()? } else { -1 },
            timestamp: reader.i64()?,
            max_num_offsets: if version <= 0 { reader.i32()? } else { 1 },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 12;
        if version >= 4 {
            size.bytes += 4;
        }
        if version <= 0 {
            size.bytes += 4;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        if version >= 4 {
            writer.i32(self.current_leader_epoch);
        }
        writer.i64(self.timestamp);
        if version <= 0 {
            writer.i32(self.max_num_offsets);
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ListOffsetsRequest<'a> {
    const NAME: &'static str = "ListOffsetsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 11;
    const FLEXIBLE_FROM: i16 = 6;
}

impl<'a> Request<'a> for ListOffsetsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(2);
    type Response<'r> = ListOffsetsResponse<'r>;
}

/// Response of API key 2 (ListOffsets), versions 0 to 11, flexible from 6.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListOffsetsResponse<'a> {
    /// Int32, versions 2 to 11, ignorable.
    pub throttle_time_ms: i32,
    /// Array of [`ListOffsetsTopicResponse`], versions 0 to 11.
    pub topics: Vec<ListOffsetsTopicResponse<'a>>,
}

impl<'a> Element<'a> for ListOffsetsResponse<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 2 { reader.i32()? } else { 0 },
            topics: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version >= 2 {
            size.bytes += 4;
        }
        size.array(Some(&self.topics[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 2 {
            writer.i32(self.throttle_time_ms);
        }
        writer.array(&self.topics, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ListOffsetsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListOffsetsTopicResponse<'a> {
    /// String, versions 0 to 11.
    pub name: &'a str,
    /// Array of [`ListOffsetsPartitionResponse`], versions 0 to 11.
    pub partitions: Vec<ListOffsetsPartitionResponse>,
}

impl<'a> Element<'a> for ListOffsetsTopicResponse<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ListOffsetsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct ListOffsetsPartitionResponse {
    /// Int32, versions 0 to 11.
    pub partition_index: i32,
    /// Int16, versions 0 to 11.
    pub error_code: i16,
    /// Array of int64, version 0, ignorable.
    pub old_style_offsets: Vec<i64>,
    /// Int64, versions 1 to 11, default -1, refused elsewhere.
    pub timestamp: i64,
    /// Int64, versions 1 to 11, default -1, refused elsewhere.
    pub offset: i64,
    /// Int32, versions 4 to 11, default -1, refused elsewhere.
    pub leader_epoch: i32,
}

impl Default for ListOffsetsPartitionResponse {
    fn default() -> Self {
        Self {
            partition_index: 0,
            error_code: 0,
            old_style_offsets: Vec::new(),
            timestamp: -1,
            offset: -1,
            leader_epoch: -1,
        }
    }
}

impl<'a> Element<'a> for ListOffsetsPartitionResponse {
    const MIN_LEN: usize = 10;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            error_code: reader.i16()?,
            old_style_offsets: if version <= 0 { reader.array(version, flexible)? } else { Vec::new() },
            timestamp: if version >= 1 { reader.i64()? } else { -1 },
            offset: if version >= 1 { reader.i64()? } else { -1 },
            leader_epoch: if version >= 4 { reader.i32()? } else { -1 },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        if version <= 0 {
            size.array(Some(&self.old_style_offsets[..]), version, flexible);
        }
        if version >= 1 {
            size.bytes += 8;
        }
        if version >= 1 {
            size.bytes += 8;
        }
        if version >= 4 {
            size.bytes += 4;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i16(self.error_code);
        if version <= 0 {
            writer.array(&self.old_style_offsets, version, flexible)?;
        }
        if version >= 1 {
            writer.i64(self.timestamp);
        } else if self.timestamp != -1 {
            return Err(EncodeError::UnsupportedField {
                field: "ListOffsetsPartitionResponse.Timestamp",
                version,
            });
        }
        if version >= 1 {
            writer.i64(self.offset);
        } else if self.offset != -1 {
            return Err(EncodeError::UnsupportedField {
                field: "ListOffsetsPartitionResponse.Offset",
                version,
            });
        }
        if version >= 4 {
            writer.i32(self.leader_epoch);
        } else if self.leader_epoch != -1 {
            return Err(EncodeError::UnsupportedField {
                field: "ListOffsetsPartitionResponse.LeaderEpoch",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ListOffsetsResponse<'a> {
    const NAME: &'static str = "ListOffsetsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 11;
    const FLEXIBLE_FROM: i16 = 6;
}

impl<'a> Response<'a> for ListOffsetsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(2);
}
