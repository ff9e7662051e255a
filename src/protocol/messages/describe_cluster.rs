//! DescribeCluster: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 60 (DescribeCluster), versions 0 to 2, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeClusterRequest {
    /// Bool, versions 0 to 2.
    pub include_cluster_authorized_operations: bool,
    /// Int8, versions 1 to 2, default 1, refused elsewhere.
    pub endpoint_type: i8,
    /// Bool, version 2, refused elsewhere.
    pub include_fenced_brokers: bool,
}

impl Default for DescribeClusterRequest {
    fn default() -> Self {
        Self { include_cluster_authorized_operations: false, endpoint_type: 1, include_fenced_brokers: false }
    }
}

impl<'a> Element<'a> for DescribeClusterRequest {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self {
            include_cluster_authorized_operations: reader.bool()?,
            endpoint_type: if version >= 1 { reader.i8()? } else { 1 },
            include_fenced_brokers: if version >= 2 { reader.bool()? } else { false },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, _: bool) {
        size.bytes += 1;
        if version >= 1 {
            size.bytes += 1;
        }
        if version >= 2 {
            size.bytes += 1;
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, _: bool) -> Result<(), EncodeError> {
        writer.bool(self.include_cluster_authorized_operations);
        if version >= 1 {
            writer.i8(self.endpoint_type);
        } else if self.endpoint_type != 1 {
            return Err(EncodeError::UnsupportedField {
                field: "DescribeClusterRequest.EndpointType",
                version,
            });
        }
        if version >= 2 {
            writer.bool(self.include_fenced_brokers);
        } else if self.include_fenced_brokers {
            return Err(EncodeError::UnsupportedField {
                field: "DescribeClusterRequest.IncludeFencedBrokers",
                version,
            });
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeClusterRequest {
    const NAME: &'static str = "DescribeClusterRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for DescribeClusterRequest {
    const API_KEY: ApiKey = ApiKey(60);
    type Response<'r> = DescribeClusterResponse<'r>;
}

/// Response of API key 60 (DescribeCluster), versions 0 to 2, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeClusterResponse<'a> {
    /// Int32, versions 0 to 2.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 2.
    pub error_code: i16,
    /// String, versions 0 to 2, nullable, default None.
    pub error_message: Option<&'a str>,
    /// Int8, versions 1 to 2, default 1, refused elsewhere.
    pub endpoint_type: i8,
    /// String, versions 0 to 2.
    pub cluster_id: &'a str,
    /// Int32, versions 0 to 2, default -1.
    pub controller_id: i32,
    /// Array of [`DescribeClusterBroker`], versions 0 to 2.
    pub brokers: Vec<DescribeClusterBroker<'a>>,
    /// Int32, versions 0 to 2, default i32::MIN.
    pub cluster_authorized_operations: i32,
}

impl Default for DescribeClusterResponse<'_> {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            error_code: 0,
            error_message: None,
            endpoint_type: 1,
            cluster_id: "",
            controller_id: -1,
            brokers: Vec::new(),
            cluster_authorized_operations: i32::MIN,
        }
    }
}

impl<'a> Element<'a> for DescribeClusterResponse<'a> {
    const MIN_LEN: usize = 18;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            endpoint_type: if version >= 1 { reader.i8()? } else { 1 },
            cluster_id: reader.string(flexible)?,
            controller_id: reader.i32()?,
            brokers: reader.array(version, flexible)?,
            cluster_authorized_operations: reader.i32()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 14;
        size.string(self.error_message, flexible);
        if version >= 1 {
            size.bytes += 1;
        }
        size.string(Some(self.cluster_id), flexible);
        size.array(Some(&self.brokers[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        if version >= 1 {
            writer.i8(self.endpoint_type);
        } else if self.endpoint_type != 1 {
            return Err(EncodeError::UnsupportedField {
                field: "DescribeClusterResponse.EndpointType",
                version,
            });
        }
        writer.string(self.cluster_id, flexible)?;
        writer.i32(self.controller_id);
        writer.array(&self.brokers, version, flexible)?;
        writer.i32(self.cluster_authorized_operations);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeClusterResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeClusterBroker<'a> {
    /// Int32, versions 0 to 2.
    pub broker_id: i32,
    /// String, versions 0 to 2.
    pub host: &'a str,
    /// Int32, versions 0 to 2.
    pub port: i32,
    /// String, versions 0 to 2, nullable, default None.
    pub rack: Option<&'a str>,
    /// Bool, version 2, refused elsewhere.
    pub is_fenced: bool,
}

impl<'a> Element<'a> for DescribeClusterBroker<'a> {
    const MIN_LEN: usize = 11;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            broker_id: reader.i32()?,
            host: reader.string(flexible)?,
            port: reader.i32()?,
            rack: reader.nullable_string(flexible)?,
            is_fenced: if version >= 2 { reader.bool()? } else { false },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 8;
        size.string(Some(self.host), flexible);
        size.string(self.rack, flexible);
        if version >= 2 {
            size.bytes += 1;
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.broker_id);
        writer.string(self.host, flexible)?;
        writer.i32(self.port);
        writer.nullable_string(self.rack, flexible)?;
        if version >= 2 {
            writer.bool(self.is_fenced);
        } else if self.is_fenced {
            return Err(EncodeError::UnsupportedField { field: "DescribeClusterBroker.IsFenced", version });
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeClusterResponse<'a> {
    const NAME: &'static str = "DescribeClusterResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for DescribeClusterResponse<'a> {
    const API_KEY: ApiKey = ApiKey(60);
}
