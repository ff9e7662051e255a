//! Produce: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Records, Request, Response, Size, Uuid, Writer,
    unsigned_varint_len,
};

/// Request of API key 0 (Produce), versions 3 to 13, flexible from 9.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProduceRequest<'a> {
    /// String, versions 3 to 13, nullable, default None.
    pub transactional_id: Option<&'a str>,
    /// Int16, versions 3 to 13.
    pub acks: i16,
    /// Int32, versions 3 to 13.
    pub timeout_ms: i32,
    /// Array of [`TopicProduceData`], versions 3 to 13.
    pub topic_data: Vec<TopicProduceData<'a>>,
}

impl<'a> Element<'a> for ProduceRequest<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            transactional_id: reader.nullable_string(flexible)?,
            acks: reader.i16()?,
            timeout_ms: reader.i32()?,
            topic_data: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.string(self.transactional_id, flexible);
        size.array(Some(&self.topic_data[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.nullable_string(self.transactional_id, flexible)?;
        writer.i16(self.acks);
        writer.i32(self.timeout_ms);
        writer.array(&self.topic_data, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ProduceRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicProduceData<'a> {
    /// String, versions 3 to 12, ignorable.
    pub name: &'a str,
    /// Uuid, version 13, ignorable.
    pub topic_id: Uuid,
    /// Array of [`PartitionProduceData`], versions 3 to 13.
    pub partition_data: Vec<PartitionProduceData<'a>>,
}

impl<'a> Element<'a> for TopicProduceData<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: if version <= 12 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 13 { reader.uuid()? } else { Uuid::ZERO },
            partition_data: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 12 {
            size.string(Some(self.name), flexible);
        }
        if version >= 13 {
            size.bytes += 16;
        }
        size.array(Some(&self.partition_data[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 12 {
            writer.string(self.name, flexible)?;
        }
        if version >= 13 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partition_data, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ProduceRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartitionProduceData<'a> {
    /// Int32, versions 3 to 13.
    pub index: i32,
    /// Records, versions 3 to 13, nullable.
    pub records: Records<'a>,
}

impl<'a> Element<'a> for PartitionProduceData<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { index: reader.i32()?, records: reader.records(flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.records(&self.records, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.index);
        writer.records(&self.records, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ProduceRequest<'a> {
    const NAME: &'static str = "ProduceRequest";
    const MIN_VERSION: i16 = 3;
    const MAX_VERSION: i16 = 13;
    const FLEXIBLE_FROM: i16 = 9;
}

impl<'a> Request<'a> for ProduceRequest<'a> {
    const API_KEY: ApiKey = ApiKey(0);
    type Response<'r> = ProduceResponse<'r>;
}

/// Response of API key 0 (Produce), versions 3 to 13, flexible from 9.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProduceResponse<'a> {
    /// Array of [`TopicProduceResponse`], versions 3 to 13.
    pub responses: Vec<TopicProduceResponse<'a>>,
    /// Int32, versions 3 to 13.
    pub throttle_time_ms: i32,
    /// Array of [`NodeEndpoint`], versions 10 to 13, tag 0, refused elsewhere.
    pub node_endpoints: Vec<NodeEndpoint<'a>>,
}

impl<'a> Element<'a> for ProduceResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            responses: reader.array(version, flexible)?,
            throttle_time_ms: reader.i32()?,
            node_endpoints: Vec::new(),
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 if version >= 10 => message.node_endpoints = reader.array(version, flexible)?,
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.responses[..]), version, flexible);
        if flexible {
            let mut tags = 0u32;
            if version >= 10 && !self.node_endpoints.is_empty() {
                tags += 1;
                size.tagged(0, |size| {
                    size.array(Some(&self.node_endpoints[..]), version, flexible);
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.responses, version, flexible)?;
        writer.i32(self.throttle_time_ms);
        if version < 10 && !self.node_endpoints.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "ProduceResponse.NodeEndpoints", version });
        }
        if flexible {
            let mut tags = 0u32;
            if version >= 10 && !self.node_endpoints.is_empty() {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if version >= 10 && !self.node_endpoints.is_empty() {
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

/// Part of [`ProduceResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicProduceResponse<'a> {
    /// String, versions 3 to 12, ignorable.
    pub name: &'a str,
    /// Uuid, version 13, ignorable.
    pub topic_id: Uuid,
    /// Array of [`PartitionProduceResponse`], versions 3 to 13.
    pub partition_responses: Vec<PartitionProduceResponse<'a>>,
}

impl<'a> Element<'a> for TopicProduceResponse<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: if version <= 12 { reader.string(flexible)? } else { "" },
            topic_id: if version >= 13 { reader.uuid()? } else { Uuid::ZERO },
            partition_responses: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 12 {
            size.string(Some(self.name), flexible);
        }
        if version >= 13 {
            size.bytes += 16;
        }
        size.array(Some(&self.partition_responses[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 12 {
            writer.string(self.name, flexible)?;
        }
        if version >= 13 {
            writer.uuid(self.topic_id);
        }
        writer.array(&self.partition_responses, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ProduceResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionProduceResponse<'a> {
    /// Int32, versions 3 to 13.
    pub index: i32,
    /// Int16, versions 3 to 13.
    pub error_code: i16,
    /// Int64, versions 3 to 13.
    pub base_offset: i64,
    /// Int64, versions 3 to 13, default -1.
    pub log_append_time_ms: i64,
    /// Int64, versions 5 to 13, default -1, ignorable.
    pub log_start_offset: i64,
    /// Array of [`BatchIndexAndErrorMessage`], versions 8 to 13, ignorable.
    pub record_errors: Vec<BatchIndexAndErrorMessage<'a>>,
    /// String, versions 8 to 13, nullable, default None, ignorable.
    pub error_message: Option<&'a str>,
    /// [`LeaderIdAndEpoch`], versions 10 to 13, tag 0, refused elsewhere.
    pub current_leader: LeaderIdAndEpoch,
}

impl Default for PartitionProduceResponse<'_> {
    fn default() -> Self {
        Self {
            index: 0,
            error_code: 0,
            base_offset: 0,
            log_append_time_ms: -1,
            log_start_offset: -1,
            record_errors: Vec::new(),
            error_message: None,
            current_leader: LeaderIdAndEpoch::default(),
        }
    }
}

impl<'a> Element<'a> for PartitionProduceResponse<'a> {
    const MIN_LEN: usize = 22;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            index: reader.i32()?,
            error_code: reader.i16()?,
            base_offset: reader.i64()?,
            log_append_time_ms: reader.i64()?,
            log_start_offset: if version >= 5 { reader.i64()? } else { -1 },
            record_errors: if version >= 8 { reader.array(version, flexible)? } else { Vec::new() },
            error_message: if version >= 8 { reader.nullable_string(flexible)? } else { None },
            current_leader: LeaderIdAndEpoch::default(),
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 if version >= 10 => {
                        message.current_leader = LeaderIdAndEpoch::read(reader, version, flexible)?
                    }
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
        if version >= 8 {
            size.array(Some(&self.record_errors[..]), version, flexible);
        }
        if version >= 8 {
            size.string(self.error_message, flexible);
        }
        if flexible {
            let mut tags = 0u32;
            if version >= 10 && self.current_leader != LeaderIdAndEpoch::default() {
                tags += 1;
                size.tagged(0, |size| {
                    self.current_leader.size(size, version, flexible);
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.index);
        writer.i16(self.error_code);
        writer.i64(self.base_offset);
        writer.i64(self.log_append_time_ms);
        if version >= 5 {
            writer.i64(self.log_start_offset);
        }
        if version >= 8 {
            writer.array(&self.record_errors, version, flexible)?;
        }
        if version >= 8 {
            writer.nullable_string(self.error_message, flexible)?;
        }
        if version < 10 && self.current_leader != LeaderIdAndEpoch::default() {
            return Err(EncodeError::UnsupportedField {
                field: "PartitionProduceResponse.CurrentLeader",
                version,
            });
        }
        if flexible {
            let mut tags = 0u32;
            if version >= 10 && self.current_leader != LeaderIdAndEpoch::default() {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if version >= 10 && self.current_leader != LeaderIdAndEpoch::default() {
                writer.tag(
                    0,
                    Size::of(|size| {
                        self.current_leader.size(size, version, flexible);
                    }),
                );
                self.current_leader.write(writer, version, flexible)?;
            }
        }
        Ok(())
    }
}

/// Part of [`ProduceResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchIndexAndErrorMessage<'a> {
    /// Int32, versions 8 to 13.
    pub batch_index: i32,
    /// String, versions 8 to 13, nullable, default None.
    pub batch_index_error_message: Option<&'a str>,
}

impl<'a> Element<'a> for BatchIndexAndErrorMessage<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { batch_index: reader.i32()?, batch_index_error_message: reader.nullable_string(flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.string(self.batch_index_error_message, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.batch_index);
        writer.nullable_string(self.batch_index_error_message, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ProduceResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct LeaderIdAndEpoch {
    /// Int32, versions 10 to 13, default -1.
    pub leader_id: i32,
    /// Int32, versions 10 to 13, default -1.
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

/// Part of [`ProduceResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeEndpoint<'a> {
    /// Int32, versions 10 to 13.
    pub node_id: i32,
    /// String, versions 10 to 13.
    pub host: &'a str,
    /// Int32, versions 10 to 13.
    pub port: i32,
    /// String, versions 10 to 13, nullable, default None.
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

impl<'a> Message<'a> for ProduceResponse<'a> {
    const NAME: &'static str = "ProduceResponse";
    const MIN_VERSION: i16 = 3;
    const MAX_VERSION: i16 = 13;
    const FLEXIBLE_FROM: i16 = 9;
}

impl<'a> Response<'a> for ProduceResponse<'a> {
    const API_KEY: ApiKey = ApiKey(0);
}
