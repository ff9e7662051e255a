//! FindCoordinator: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 10 (FindCoordinator), versions 0 to 6, flexible from 3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FindCoordinatorRequest<'a> {
    /// String, versions 0 to 3, refused elsewhere.
    pub key: &'a str,
    /// Int8, versions 1 to 6, refused elsewhere.
    pub key_type: i8,
    /// Array of string, versions 4 to 6, refused elsewhere.
    pub coordinator_keys: Vec<&'a str>,
}

impl<'a> Element<'a> for FindCoordinatorRequest<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            key: if version <= 3 { reader.string(flexible)? } else { "" },
            key_type: if version >= 1 { reader.i8()? } else { 0 },
            coordinator_keys: if version >= 4 { reader.array(version, flexible)? } else { Vec::new() },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version <= 3 {
            size.string(Some(self.key), flexible);
        }
        if version >= 1 {
            size.bytes += 1;
        }
        if version >= 4 {
            size.array(Some(&self.coordinator_keys[..]), version, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version <= 3 {
            writer.string(self.key, flexible)?;
        } else if !self.key.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "FindCoordinatorRequest.Key", version });
        }
        if version >= 1 {
            writer.i8(self.key_type);
        } else if self.key_type != 0 {
            return Err(EncodeError::UnsupportedField { field: "FindCoordinatorRequest.KeyType", version });
        }
        if version >= 4 {
            writer.array(&self.coordinator_keys, version, flexible)?;
        } else if !self.coordinator_keys.is_empty() {
            return Err(EncodeError::UnsupportedField {
                field: "FindCoordinatorRequest.CoordinatorKeys",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for FindCoordinatorRequest<'a> {
    const NAME: &'static str = "FindCoordinatorRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 6;
    const FLEXIBLE_FROM: i16 = 3;
}

impl<'a> Request<'a> for FindCoordinatorRequest<'a> {
    const API_KEY: ApiKey = ApiKey(10);
    type Response<'r> = FindCoordinatorResponse<'r>;
}

/// Response of API key 10 (FindCoordinator), versions 0 to 6, flexible from 3.
#[derive(Clone, Debug, PartialEq)]
pub struct FindCoordinatorResponse<'a> {
    /// Int32, versions 1 to 6, ignorable.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 3, refused elsewhere.
    pub error_code: i16,
    /// String, versions 1 to 3, nullable, default Some(""), ignorable.
    pub error_message: Option<&'a str>,
    /// Int32, versions 0 to 3, refused elsewhere.
    pub node_id: i32,
    /// String, versions 0 to 3, refused elsewhere.
    pub host: &'a str,
    /// Int32, versions 0 to 3, refused elsewhere.
    pub port: i32,
    /// Array of [`Coordinator`], versions 4 to 6, refused elsewhere.
    pub coordinators: Vec<Coordinator<'a>>,
}

impl Default for FindCoordinatorResponse<'_> {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            error_code: 0,
            error_message: Some(""),
            node_id: 0,
            host: "",
            port: 0,
            coordinators: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for FindCoordinatorResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 1 { reader.i32()? } else { 0 },
            error_code: if version <= 3 { reader.i16()? } else { 0 },
            error_message: if (1..=3).contains(&version) {
                reader.nullable_string(flexible)?
            } else {
                Some("")
            },
            node_id: if version <= 3 { reader.i32()? } else { 0 },
            host: if version <= 3 { reader.string(flexible)? } else { "" },
            port: if version <= 3 { reader.i32()? } else { 0 },
            coordinators: if version >= 4 { reader.array(version, flexible)? } else { Vec::new() },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version >= 1 {
            size.bytes += 4;
        }
        if version <= 3 {
            size.bytes += 2;
        }
        if (1..=3).contains(&version) {
            size.string(self.error_message, flexible);
        }
        if version <= 3 {
            size.bytes += 4;
        }
        if version <= 3 {
            size.string(Some(self.host), flexible);
        }
        if version <= 3 {
            size.bytes += 4;
        }
        if version >= 4 {
            size.array(Some(&self.coordinators[..]), version, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 1 {
            writer.i32(self.throttle_time_ms);
        }
        if version <= 3 {
            writer.i16(self.error_code);
        } else if self.error_code != 0 {
            return Err(EncodeError::UnsupportedField {
                field: "FindCoordinatorResponse.ErrorCode",
                version,
            });
        }
        if (1..=3).contains(&version) {
            writer.nullable_string(self.error_message, flexible)?;
        }
        if version <= 3 {
            writer.i32(self.node_id);
        } else if self.node_id != 0 {
            return Err(EncodeError::UnsupportedField { field: "FindCoordinatorResponse.NodeId", version });
        }
        if version <= 3 {
            writer.string(self.host, flexible)?;
        } else if !self.host.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "FindCoordinatorResponse.Host", version });
        }
        if version <= 3 {
            writer.i32(self.port);
        } else if self.port != 0 {
            return Err(EncodeError::UnsupportedField { field: "FindCoordinatorResponse.Port", version });
        }
        if version >= 4 {
            writer.array(&self.coordinators, version, flexible)?;
        } else if !self.coordinators.is_empty() {
            return Err(EncodeError::UnsupportedField {
                field: "FindCoordinatorResponse.Coordinators",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`FindCoordinatorResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinator<'a> {
    /// String, versions 4 to 6.
    pub key: &'a str,
    /// Int32, versions 4 to 6.
    pub node_id: i32,
    /// String, versions 4 to 6.
    pub host: &'a str,
    /// Int32, versions 4 to 6.
    pub port: i32,
    /// Int16, versions 4 to 6.
    pub error_code: i16,
    /// String, versions 4 to 6, nullable, default Some("").
    pub error_message: Option<&'a str>,
}

impl Default for Coordinator<'_> {
    fn default() -> Self {
        Self { key: "", node_id: 0, host: "", port: 0, error_code: 0, error_message: Some("") }
    }
}

impl<'a> Element<'a> for Coordinator<'a> {
    const MIN_LEN: usize = 14;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            key: reader.string(flexible)?,
            node_id: reader.i32()?,
            host: reader.string(flexible)?,
            port: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 10;
        size.string(Some(self.key), flexible);
        size.string(Some(self.host), flexible);
        size.string(self.error_message, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.key, flexible)?;
        writer.i32(self.node_id);
        writer.string(self.host, flexible)?;
        writer.i32(self.port);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for FindCoordinatorResponse<'a> {
    const NAME: &'static str = "FindCoordinatorResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 6;
    const FLEXIBLE_FROM: i16 = 3;
}

impl<'a> Response<'a> for FindCoordinatorResponse<'a> {
    const API_KEY: ApiKey = ApiKey(10);
}
