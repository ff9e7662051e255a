//! OffsetCommit: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Uuid, Writer,
};

/// Request of API key 8 (OffsetCommit), versions 2 to 10, flexible from 8.
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetCommitRequest<'a> {
    /// String, versions 2 to 10.
    pub group_id: &'a str,
    /// Int32, versions 2 to 10, default -1.
    pub generation_id_or_member_epoch: i32,
    /// String, versions 2 to 10.
    pub member_id: &'a str,
    /// String, versions 7 to 10, nullable, default None, refused elsewhere.
    pub group_instance_id: Option<&'a str>,
    /// Int64, versions 2 to 4, default -1, ignorable.
    pub retention_time_ms: i64,
    /// Array of [`OffsetCommitRequestTopic`], versions 2 to 10.
    pub topics: Vec<OffsetCommitRequestTopic<'a>>,
}

impl Default for OffsetCommitRequest<'_> {
    fn default() -> Self {
        Self {
            group_id: "",
            generation_id_or_member_epoch: -1,
            member_id: "",
            group_instance_id: None,
            retention_time_ms: -1,
            topics: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for OffsetCommitRequest<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            generation_id_or_member_epoch: reader.i32()?,
            member_id: reader.string(flexible)?,
            group_instance_id: if version >= 7 { reader.nullable_string(flexible)? } else { None },
            retention_time_ms: if version <= 4 { reader.i64()? } else { -1 },
            topics: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.group_id), flexible);
        size.string(Some(self.member_id), flexible);
        if version >= 7 {
            size.string(self.group_instance_id, flexible);
        }
        if version <= 4 {
            size.bytes += 8;
        }
        size.array(Some(&self.topics[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        writer.i32(self.generation_id_or_member_epoch);
        writer.string(self.member_id, flexible)?;
        if version >= 7 {
            writer.nullable_string(self.group_instance_id, flexible)?;
        } else if self.group_instance_id.is_some() {
            return Err(EncodeError::UnsupportedField {
                field: "OffsetCommitRequest.GroupInstanceId",
                version,
            });
        }
        if version <= 4 {
            writer.i64(self.retention_time_ms);
        }
        writer.array(&self.topics, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetCommitRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetCommitRequestTopic<'a> {
    /// String, versions 2 to 9, ignorable.
    pub name: &'a str,
    /// Uuid, version 10, ignorable.
    pub topic_id: Uuid,
    /// Array of [`OffsetCommitRequestPartition`], versions 2 to 10.
    pub partitions: Vec<OffsetCommitRequestPartition<'a>>,
}

impl<'a> Element<'a> for OffsetCommitRequestTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: if version <= 9 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 10 { reader.uuid()? } else { Uuid::ZERO },
            partitions: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 9 {
            size.string(Some(self.name), flexible);
        }
        if version >= 10 {
            size.bytes += 16;
        }
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 9 {
            writer.string(self.name, flexible)?;
        }
        if version >= 10 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetCommitRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetCommitRequestPartition<'a> {
    /// Int32, versions 2 to 10.
    pub partition_index: i32,
    /// Int64, versions 2 to 10.
    pub committed_offset: i64,
    /// Int32, versions 6 to 10, default -1, ignorable.
    pub committed_leader_epoch: i32,
    /// String, versions 2 to 10, nullable, default Some("").
    pub committed_metadata: Option<&'a str>,
}

impl Default for OffsetCommitRequestPartition<'_> {
    fn default() -> Self {
        Self {
            partition_index: 0,
            committed_offset: 0,
            committed_leader_epoch: -1,
            committed_metadata: Some(""),
        }
    }
}

impl<'a> Element<'a> for OffsetCommitRequestPartition<'a> {
    const MIN_LEN: usize = 14;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            committed_offset: reader.i64()?,
            committed_leader_epoch: if version >= 6 { reader.i32()? } else { -1 },
            committed_metadata: reader.nullable_string(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 12;
        if version >= 6 {
            size.bytes += 4;
        }
        size.string(self.committed_metadata, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i64(self.committed_offset);
        if version >= 6 {
            writer.i32(self.committed_leader_epoch);
        }
        writer.nullable_string(self.committed_metadata, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetCommitRequest<'a> {
    const NAME: &'static str = "OffsetCommitRequest";
    const MIN_VERSION: i16 = 2;
    const MAX_VERSION: i16 = 10;
    const FLEXIBLE_FROM: i16 = 8;
}

impl<'a> Request<'a> for OffsetCommitRequest<'a> {
    const API_KEY: ApiKey = ApiKey(8);
    type Response<'r> = OffsetCommitResponse<'r>;
}

/// Response of API key 8 (OffsetCommit), versions 2 to 10, flexible from 8.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetCommitResponse<'a> {
    /// Int32, versions 3 to 10, ignorable.
    pub throttle_time_ms: i32,
    /// Array of [`OffsetCommitResponseTopic`], versions 2 to 10.
    pub topics: Vec<OffsetCommitResponseTopic<'a>>,
}

impl<'a> Element<'a> for OffsetCommitResponse<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 3 { reader.i32()? } else { 0 },
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
            writer.i32(self.throttle_time_ms);
        }
        writer.array(&self.topics, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetCommitResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetCommitResponseTopic<'a> {
    /// String, versions 2 to 9, ignorable.
    pub name: &'a str,
    /// Uuid, version 10, ignorable.
    pub topic_id: Uuid,
    /// Array of [`OffsetCommitResponsePartition`], versions 2 to 10.
    pub partitions: Vec<OffsetCommitResponsePartition>,
}

impl<'a> Element<'a> for OffsetCommitResponseTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: if version <= 9 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 10 { reader.uuid()? } else { Uuid::ZERO },
            partitions: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 9 {
            size.string(Some(self.name), flexible);
        }
        if version >= 10 {
            size.bytes += 16;
        }
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 9 {
            writer.string(self.name, flexible)?;
        }
        if version >= 10 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetCommitResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetCommitResponsePartition {
    /// Int32, versions 2 to 10.
    pub partition_index: i32,
    /// Int16, versions 2 to 10.
    pub error_code: i16,
}

impl<'a> Element<'a> for OffsetCommitResponsePartition {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { partition_index: reader.i32()?, error_code: reader.i16()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 6;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i16(self.error_code);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetCommitResponse<'a> {
    const NAME: &'static str = "OffsetCommitResponse";
    const MIN_VERSION: i16 = 2;
    const MAX_VERSION: i16 = 10;
    const FLEXIBLE_FROM: i16 = 8;
}

impl<'a> Response<'a> for OffsetCommitResponse<'a> {
    const API_KEY: ApiKey = ApiKey(8);
}
