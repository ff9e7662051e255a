//! OffsetFetch: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Uuid, Writer,
};

/// Request of API key 9 (OffsetFetch), versions 1 to 10, flexible from 6.
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetFetchRequest<'a> {
    /// String, versions 1 to 7, refused elsewhere.
    pub group_id: &'a str,
    /// Array of [`OffsetFetchRequestTopic`], versions 1 to 7, nullable in 2 to 7, default Some(Vec::new()), refused elsewhere.
    pub topics: Option<Vec<OffsetFetchRequestTopic<'a>>>,
    /// Array of [`OffsetFetchRequestGroup`], versions 8 to 10, refused elsewhere.
    pub groups: Vec<OffsetFetchRequestGroup<'a>>,
    /// Bool, versions 7 to 10, refused elsewhere.
    pub require_stable: bool,
}

impl Default for OffsetFetchRequest<'_> {
    fn default() -> Self {
        Self { group_id: "", topics: Some(Vec::new()), groups: Vec::new(), require_stable: false }
    }
}

impl<'a> Element<'a> for OffsetFetchRequest<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: if version <= 7 { reader.string(flexible)? } else { "" },
            topics: if version <= 7 {
                if version >= 2 {
                    reader.nullable_array(version, flexible)?
                } else {
                    Some(reader.array(version, flexible)?)
                }
            } else {
                Some(Vec::new())
            },
            groups: if version >= 8 { reader.array(version, flexible)? } else { Vec::new() },
            require_stable: if version >= 7 { reader.bool()? } else { false },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 7 {
            size.string(Some(self.group_id), flexible);
        }
        if version <= 7 {
            size.array(self.topics.as_deref(), version, flexible);
        }
        if version >= 8 {
            size.array(Some(&self.groups[..]), version, flexible);
        }
        if version >= 7 {
            size.bytes += 1;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 7 {
            writer.string(self.group_id, flexible)?;
        } else if !self.group_id.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "OffsetFetchRequest.GroupId", version });
        }
        if version <= 7 {
            if self.topics.is_none() && version < 2 {
                return Err(EncodeError::UnexpectedNull { field: "OffsetFetchRequest.Topics", version });
            }
            writer.nullable_array(self.topics.as_deref(), version, flexible)?;
        } else if !self.topics.as_ref().is_some_and(|value| value.is_empty()) {
            return Err(EncodeError::UnsupportedField { field: "OffsetFetchRequest.Topics", version });
        }
        if version >= 8 {
            writer.array(&self.groups, version, flexible)?;
        } else if !self.groups.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "OffsetFetchRequest.Groups", version });
        }
        if version >= 7 {
            writer.bool(self.require_stable);
        } else if self.require_stable {
            return Err(EncodeError::UnsupportedField { field: "OffsetFetchRequest.RequireStable", version });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetFetchRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetFetchRequestTopic<'a> {
    /// String, versions 1 to 7.
    pub name: &'a str,
    /// Array of int32, versions 1 to 7.
    pub partition_indexes: Vec<i32>,
}

impl<'a> Element<'a> for OffsetFetchRequestTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { name: reader.string(flexible)?, partition_indexes: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partition_indexes[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partition_indexes, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetFetchRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetFetchRequestGroup<'a> {
    /// String, versions 8 to 10.
    pub group_id: &'a str,
    /// String, versions 9 to 10, nullable, default None, ignorable.
    pub member_id: Option<&'a str>,
    /// Int32, versions 9 to 10, default -1, ignorable.
    pub member_epoch: i32,
    /// Array of [`OffsetFetchRequestTopics`], versions 8 to 10, nullable, default Some(Vec::new()).
    pub topics: Option<Vec<OffsetFetchRequestTopics<'a>>>,
}

impl Default for OffsetFetchRequestGroup<'_> {
    fn default() -> Self {
        Self { group_id: "", member_id: None, member_epoch: -1, topics: Some(Vec::new()) }
    }
}

impl<'a> Element<'a> for OffsetFetchRequestGroup<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            member_id: if version >= 9 { reader.nullable_string(flexible)? } else { None },
            member_epoch: if version >= 9 { reader.i32()? } else { -1 },
            topics: reader.nullable_array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.group_id), flexible);
        if version >= 9 {
            size.string(self.member_id, flexible);
        }
        if version >= 9 {
            size.bytes += 4;
        }
        size.array(self.topics.as_deref(), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        if version >= 9 {
            writer.nullable_string(self.member_id, flexible)?;
        }
        if version >= 9 {
            writer.i32(self.member_epoch);
        }
        writer.nullable_array(self.topics.as_deref(), version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`OffsetFetchRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetFetchRequestTopics<'a> {
    /// String, versions 8 to 9, ignorable.
    pub name: &'a str,
    /// Uuid, version 10, ignorable.
    pub topic_id: Uuid,
    /// Array of int32, versions 8 to 10.
    pub partition_indexes: Vec<i32>,
}

impl<'a> Element<'a> for OffsetFetchRequestTopics<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: if version <= 9 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 10 { reader.uuid()? } else { Uuid::ZERO },
            partition_indexes: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 9 {
            size.string(Some(self.name), flexible);
        }
        if version >= 10 {
            size.bytes += 16;
        }
        size.array(Some(&self.partition_indexes[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 9 {
            writer.string(self.name, flexible)?;
        }
        if version >= 10 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partition_indexes, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetFetchRequest<'a> {
    const NAME: &'static str = "OffsetFetchRequest";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 10;
    const FLEXIBLE_FROM: i16 = 6;
}

impl<'a> Request<'a> for OffsetFetchRequest<'a> {
    const API_KEY: ApiKey = ApiKey(9);
    type Response<'r> = OffsetFetchResponse<'r>;
}

/// Response of API key 9 (OffsetFetch), versions 1 to 10, flexible from 6.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetFetchResponse<'a> {
    /// Int32, versions 3 to 10, ignorable.
    pub throttle_time_ms: i32,
    /// Array of [`OffsetFetchResponseTopic`], versions 1 to 7, refused elsewhere.
    pub topics: Vec<OffsetFetchResponseTopic<'a>>,
    /// Int16, versions 2 to 7, ignorable.
    pub error_code: i16,
    /// Array of [`OffsetFetchResponseGroup`], versions 8 to 10, refused elsewhere.
    pub groups: Vec<OffsetFetchResponseGroup<'a>>,
}

impl<'a> Element<'a> for OffsetFetchResponse<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 3 { reader.i32()? } else { 0 },
            topics: if version <= 7 { reader.array(version, flexible)? } else { Vec::new() },
            error_code: if (2..=7).contains(&version) { reader.i16()? } else { 0 },
            groups: if version >= 8 { reader.array(version, flexible)? } else { Vec::new() },
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
        if version <= 7 {
            size.array(Some(&self.topics[..]), version, flexible);
        }
        if (2..=7).contains(&version) {
            size.bytes += 2;
        }
        if version >= 8 {
            size.array(Some(&self.groups[..]), version, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 3 {
            writer.i32(self.throttle_time_ms);
        }
        if version <= 7 {
            writer.array(&self.topics, version, flexible)?;
        } else if !self.topics.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "OffsetFetchResponse.Topics", version });
        }
        if (2..=7).contains(&version) {
            writer.i16(self.error_code);
        }
        if version >= 8 {
            writer.array(&self.groups, version, flexible)?;
        } else if !self.groups.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "OffsetFetchResponse.Groups", version });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetFetchResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetFetchResponseTopic<'a> {
    /// String, versions 1 to 7.
    pub name: &'a str,
    /// Array of [`OffsetFetchResponsePartition`], versions 1 to 7.
    pub partitions: Vec<OffsetFetchResponsePartition<'a>>,
}

impl<'a> Element<'a> for OffsetFetchResponseTopic<'a> {
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

/// Part of [`OffsetFetchResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetFetchResponsePartition<'a> {
    /// Int32, versions 1 to 7.
    pub partition_index: i32,
    /// Int64, versions 1 to 7.
    pub committed_offset: i64,
    /// Int32, versions 5 to 7, default -1, ignorable.
    pub committed_leader_epoch: i32,
    /// String, versions 1 to 7, nullable, default Some("").
    pub metadata: Option<&'a str>,
    /// Int16, versions 1 to 7.
    pub error_code: i16,
}

impl Default for OffsetFetchResponsePartition<'_> {
    fn default() -> Self {
        Self {
            partition_index: 0,
            committed_offset: 0,
            committed_leader_epoch: -1,
            metadata: Some(""),
            error_code: 0,
        }
    }
}

impl<'a> Element<'a> for OffsetFetchResponsePartition<'a> {
    const MIN_LEN: usize = 16;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            committed_offset: reader.i64()?,
            committed_leader_epoch: if version >= 5 { reader.i32()? } else { -1 },
            metadata: reader.nullable_string(flexible)?,
            error_code: reader.i16()?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 14;
        if version >= 5 {
            size.bytes += 4;
        }
        size.string(self.metadata, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i64(self.committed_offset);
        if version >= 5 {
            writer.i32(self.committed_leader_epoch);
        }
        writer.nullable_string(self.metadata, flexible)?;
        writer.i16(self.error_code);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`OffsetFetchResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetFetchResponseGroup<'a> {
    /// String, versions 8 to 10.
    pub group_id: &'a str,
    /// Array of [`OffsetFetchResponseTopics`], versions 8 to 10.
    pub topics: Vec<OffsetFetchResponseTopics<'a>>,
    /// Int16, versions 8 to 10.
    pub error_code: i16,
}

impl<'a> Element<'a> for OffsetFetchResponseGroup<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            topics: reader.array(version, flexible)?,
            error_code: reader.i16()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.group_id), flexible);
        size.array(Some(&self.topics[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        writer.array(&self.topics, version, flexible)?;
        writer.i16(self.error_code);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`OffsetFetchResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetFetchResponseTopics<'a> {
    /// String, versions 8 to 9, ignorable.
    pub name: &'a str,
    /// Uuid, version 10, ignorable.
    pub topic_id: Uuid,
    /// Array of [`OffsetFetchResponsePartitions`], versions 8 to 10.
    pub partitions: Vec<OffsetFetchResponsePartitions<'a>>,
}

impl<'a> Element<'a> for OffsetFetchResponseTopics<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: if version <= 9 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 10 { reader.uuid()? } else { Uuid::ZERO },
            partitions: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
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
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 9 {
            writer.string(self.name, flexible)?;
        }
        if version >= 10 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partitions, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`OffsetFetchResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetFetchResponsePartitions<'a> {
    /// Int32, versions 8 to 10.
    pub partition_index: i32,
    /// Int64, versions 8 to 10.
    pub committed_offset: i64,
    /// Int32, versions 8 to 10, default -1.
    pub committed_leader_epoch: i32,
    /// String, versions 8 to 10, nullable, default Some("").
    pub metadata: Option<&'a str>,
    /// Int16, versions 8 to 10.
    pub error_code: i16,
}

impl Default for OffsetFetchResponsePartitions<'_> {
    fn default() -> Self {
        Self {
            partition_index: 0,
            committed_offset: 0,
            committed_leader_epoch: -1,
            metadata: Some(""),
            error_code: 0,
        }
    }
}

impl<'a> Element<'a> for OffsetFetchResponsePartitions<'a> {
    const MIN_LEN: usize = 20;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            committed_offset: reader.i64()?,
            committed_leader_epoch: reader.i32()?,
            metadata: reader.nullable_string(flexible)?,
            error_code: reader.i16()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 18;
        size.string(self.metadata, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i64(self.committed_offset);
        writer.i32(self.committed_leader_epoch);
        writer.nullable_string(self.metadata, flexible)?;
        writer.i16(self.error_code);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetFetchResponse<'a> {
    const NAME: &'static str = "OffsetFetchResponse";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 10;
    const FLEXIBLE_FROM: i16 = 6;
}

impl<'a> Response<'a> for OffsetFetchResponse<'a> {
    const API_KEY: ApiKey = ApiKey(9);
}
