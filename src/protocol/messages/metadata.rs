//! Metadata: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Uuid, Writer,
};

/// Request of API key 3 (Metadata), versions 0 to 13, flexible from 9.
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataRequest<'a> {
    /// Array of [`MetadataRequestTopic`], versions 0 to 13, nullable in 1 to 13, default Some(Vec::new()).
    pub topics: Option<Vec<MetadataRequestTopic<'a>>>,
    /// Bool, versions 4 to 13, default true, refused elsewhere.
    pub allow_auto_topic_creation: bool,
    /// Bool, versions 8 to 10, refused elsewhere.
    pub include_cluster_authorized_operations: bool,
    /// Bool, versions 8 to 13, refused elsewhere.
    pub include_topic_authorized_operations: bool,
}

impl Default for MetadataRequest<'_> {
    fn default() -> Self {
        Self {
            topics: Some(Vec::new()),
            allow_auto_topic_creation: true,
            include_cluster_authorized_operations: false,
            include_topic_authorized_operations: false,
        }
    }
}

impl<'a> Element<'a> for MetadataRequest<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            topics: if version >= 1 {
                reader.nullable_array(version, flexible)?
            } else {
                Some(reader.array(version, flexible)?)
            },
            allow_auto_topic_creation: if version >= 4 { reader.bool()? } else { true },
            include_cluster_authorized_operations: if (8..=10).contains(&version) {
                reader.bool()?
            } else {
                false
            },
            include_topic_authorized_operations: if version >= 8 { reader.bool()? } else { false },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(self.topics.as_deref(), version, flexible);
        if version >= 4 {
            size.bytes += 1;
        }
        if (8..=10).contains(&version) {
            size.bytes += 1;
        }
        if version >= 8 {
            size.bytes += 1;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if self.topics.is_none() && version < 1 {
            return Err(EncodeError::UnexpectedNull { field: "MetadataRequest.Topics", version });
        }
        writer.nullable_array(self.topics.as_deref(), version, flexible)?;
        if version >= 4 {
            writer.bool(self.allow_auto_topic_creation);
        } else if !self.allow_auto_topic_creation {
            return Err(EncodeError::UnsupportedField {
                field: "MetadataRequest.AllowAutoTopicCreation",
                version,
            });
        }
        if (8..=10).contains(&version) {
            writer.bool(self.include_cluster_authorized_operations);
        } else if self.include_cluster_authorized_operations {
            return Err(EncodeError::UnsupportedField {
                field: "MetadataRequest.IncludeClusterAuthorizedOperations",
                version,
            });
        }
        if version >= 8 {
            writer.bool(self.include_topic_authorized_operations);
        } else if self.include_topic_authorized_operations {
            return Err(EncodeError::UnsupportedField {
                field: "MetadataRequest.IncludeTopicAuthorizedOperations",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`MetadataRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataRequestTopic<'a> {
    /// Uuid, versions 10 to 13, ignorable.
    pub topic_id: Uuid,
    /// String, versions 0 to 13, nullable in 10 to 13, default Some("").
    pub name: Option<&'a str>,
}

impl Default for MetadataRequestTopic<'_> {
    fn default() -> Self {
        Self { topic_id: Uuid::ZERO, name: Some("") }
    }
}

impl<'a> Element<'a> for MetadataRequestTopic<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            topic_id: if version >= 10 { reader.uuid()? } else { Uuid::ZERO },
            name: if version >= 10 {
                reader.nullable_string(flexible)?
            } else {
                Some(reader.string(flexible)?)
            },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version >= 10 {
            size.bytes += 16;
        }
        size.string(self.name, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 10 {
            writer.uuid(self.topic_id);
        }
        if self.name.is_none() && version < 10 {
            return Err(EncodeError::UnexpectedNull { field: "MetadataRequestTopic.Name", version });
        }
        writer.nullable_string(self.name, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for MetadataRequest<'a> {
    const NAME: &'static str = "MetadataRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 13;
    const FLEXIBLE_FROM: i16 = 9;
}

impl<'a> Request<'a> for MetadataRequest<'a> {
    const API_KEY: ApiKey = ApiKey(3);
    type Response<'r> = MetadataResponse<'r>;
}

/// Response of API key 3 (Metadata), versions 0 to 13, flexible from 9.
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataResponse<'a> {
    /// Int32, versions 3 to 13, ignorable.
    pub throttle_time_ms: i32,
    /// Array of [`MetadataResponseBroker`], versions 0 to 13.
    pub brokers: Vec<MetadataResponseBroker<'a>>,
    /// String, versions 2 to 13, nullable, default None, ignorable.
    pub cluster_id: Option<&'a str>,
    /// Int32, versions 1 to 13, default -1, ignorable.
    pub controller_id: i32,
    /// Array of [`MetadataResponseTopic`], versions 0 to 13.
    pub topics: Vec<MetadataResponseTopic<'a>>,
    /// Int32, versions 8 to 10, default i32::MIN, refused elsewhere.
    pub cluster_authorized_operations: i32,
    /// Int16, version 13, ignorable.
    pub error_code: i16,
}

impl Default for MetadataResponse<'_> {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            brokers: Vec::new(),
            cluster_id: None,
            controller_id: -1,
            topics: Vec::new(),
            cluster_authorized_operations: i32::MIN,
            error_code: 0,
        }
    }
}

impl<'a> Element<'a> for MetadataResponse<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 3 { reader.i32()? } else { 0 },
            brokers: reader.array(version, flexible)?,
            cluster_id: if version >= 2 { reader.nullable_string(flexible)? } else { None },
            controller_id: if version >= 1 { reader.i32()? } else { -1 },
            topics: reader.array(version, flexible)?,
            cluster_authorized_operations: if (8..=10).contains(&version) { reader.i32()? } else { i32::MIN },
            error_code: if version >= 13 { reader.i16()? } else { 0 },
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
        size.array(Some(&self.brokers[..]), version, flexible);
        if version >= 2 {
            size.string(self.cluster_id, flexible);
        }
        if version >= 1 {
            size.bytes += 4;
        }
        size.array(Some(&self.topics[..]), version, flexible);
        if (8..=10).contains(&version) {
            size.bytes += 4;
        }
        if version >= 13 {
            size.bytes += 2;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 3 {
            writer.i32(self.throttle_time_ms);
        }
        writer.array(&self.brokers, version, flexible)?;
        if version >= 2 {
            writer.nullable_string(self.cluster_id, flexible)?;
        }
        if version >= 1 {
            writer.i32(self.controller_id);
        }
        writer.array(&self.topics, version, flexible)?;
        if (8..=10).contains(&version) {
            writer.i32(self.cluster_authorized_operations);
        } else if self.cluster_authorized_operations != i32::MIN {
            return Err(EncodeError::UnsupportedField {
                field: "MetadataResponse.ClusterAuthorizedOperations",
                version,
            });
        }
        if version >= 13 {
            writer.i16(self.error_code);
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`MetadataResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetadataResponseBroker<'a> {
    /// Int32, versions 0 to 13.
    pub node_id: i32,
    /// String, versions 0 to 13.
    pub host: &'a str,
    /// Int32, versions 0 to 13.
    pub port: i32,
    /// String, versions 1 to 13, nullable, default None, ignorable.
    pub rack: Option<&'a str>,
}

impl<'a> Element<'a> for MetadataResponseBroker<'a> {
    const MIN_LEN: usize = 10;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            node_id: reader.i32()?,
            host: reader.string(flexible)?,
            port: reader.i32()?,
            rack: if version >= 1 { reader.nullable_string(flexible)? } else { None },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 8;
        size.string(Some(self.host), flexible);
        if version >= 1 {
            size.string(self.rack, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.node_id);
        writer.string(self.host, flexible)?;
        writer.i32(self.port);
        if version >= 1 {
            writer.nullable_string(self.rack, flexible)?;
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`MetadataResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataResponseTopic<'a> {
    /// Int16, versions 0 to 13.
    pub error_code: i16,
    /// String, versions 0 to 13, nullable in 12 to 13, default Some("").
    pub name: Option<&'a str>,
    /// Uuid, versions 10 to 13, ignorable.
    pub topic_id: Uuid,
    /// Bool, versions 1 to 13, ignorable.
    pub is_internal: bool,
    /// Array of [`MetadataResponsePartition`], versions 0 to 13.
    pub partitions: Vec<MetadataResponsePartition>,
    /// Int32, versions 8 to 13, default i32::MIN, refused elsewhere.
    pub topic_authorized_operations: i32,
}

impl Default for MetadataResponseTopic<'_> {
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

impl<'a> Element<'a> for MetadataResponseTopic<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            name: if version >= 12 {
                reader.nullable_string(flexible)?
            } else {
                Some(reader.string(flexible)?)
            },
            topic_id: if version >= 10 { reader.uuid()? } else { Uuid::ZERO },
            is_internal: if version >= 1 { reader.bool()? } else { false },
            partitions: reader.array(version, flexible)?,
            topic_authorized_operations: if version >= 8 { reader.i32()? } else { i32::MIN },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(self.name, flexible);
        if version >= 10 {
            size.bytes += 16;
        }
        if version >= 1 {
            size.bytes += 1;
        }
        size.array(Some(&self.partitions[..]), version, flexible);
        if version >= 8 {
            size.bytes += 4;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        if self.name.is_none() && version < 12 {
            return Err(EncodeError::UnexpectedNull { field: "MetadataResponseTopic.Name", version });
        }
        writer.nullable_string(self.name, flexible)?;
        if version >= 10 {
            writer.uuid(self.topic_id);
        }
        if version >= 1 {
            writer.bool(self.is_internal);
        }
        writer.array(&self.partitions, version, flexible)?;
        if version >= 8 {
            writer.i32(self.topic_authorized_operations);
        } else if self.topic_authorized_operations != i32::MIN {
            return Err(EncodeError::UnsupportedField {
                field: "MetadataResponseTopic.TopicAuthorizedOperations",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`MetadataResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataResponsePartition {
    /// Int16, versions 0 to 13.
    pub error_code: i16,
    /// Int32, versions 0 to 13.
    pub partition_index: i32,
    /// Int32, versions 0 to 13.
    pub leader_id: i32,
    /// Int32, versions 7 to 13, default -1, ignorable.
    pub leader_epoch: i32,
    /// Array of int32, versions 0 to 13.
    pub replica_nodes: Vec<i32>,
    /// Array of int32, versions 0 to 13.
    pub isr_nodes: Vec<i32>,
    /// Array of int32, versions 5 to 13, ignorable.
    pub offline_replicas: Vec<i32>,
}

impl Default for MetadataResponsePartition {
    fn default() -> Self {
        Self {
            error_code: 0,
            partition_index: 0,
            leader_id: 0,
            leader_epoch: -1,
            replica_nodes: Vec::new(),
            isr_nodes: Vec::new(),
            offline_replicas: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for MetadataResponsePartition {
    const MIN_LEN: usize = 18;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            partition_index: reader.i32()?,
            leader_id: reader.i32()?,
            leader_epoch: if version >= 7 { reader.i32()? } else { -1 },
            replica_nodes: reader.array(version, flexible)?,
            isr_nodes: reader.array(version, flexible)?,
            offline_replicas: if version >= 5 { reader.array(version, flexible)? } else { Vec::new() },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 10;
        if version >= 7 {
            size.bytes += 4;
        }
        size.array(Some(&self.replica_nodes[..]), version, flexible);
        size.array(Some(&self.isr_nodes[..]), version, flexible);
        if version >= 5 {
            size.array(Some(&self.offline_replicas[..]), version, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.i32(self.partition_index);
        writer.i32(self.leader_id);
        if version >= 7 {
            writer.i32(self.leader_epoch);
        }
        writer.array(&self.replica_nodes, version, flexible)?;
        writer.array(&self.isr_nodes, version, flexible)?;
        if version >= 5 {
            writer.array(&self.offline_replicas, version, flexible)?;
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for MetadataResponse<'a> {
    const NAME: &'static str = "MetadataResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 13;
    const FLEXIBLE_FROM: i16 = 9;
}

impl<'a> Response<'a> for MetadataResponse<'a> {
    const API_KEY: ApiKey = ApiKey(3);
}
