//! ListGroups: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 16 (ListGroups), versions 0 to 5, flexible from 3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListGroupsRequest<'a> {
    /// Array of string, versions 4 to 5, refused elsewhere.
    pub states_filter: Vec<&'a str>,
    /// Array of string, version 5, refused elsewhere.
    pub types_filter: Vec<&'a str>,
}

impl<'a> Element<'a> for ListGroupsRequest<'a> {
    const MIN_LEN: usize = 1;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            states_filter: if version >= 4 { reader.array(version, flexible)? } else { Vec::new() },
            types_filter: if version >= 5 { reader.array(version, flexible)? } else { Vec::new() },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version >= 4 {
            size.array(Some(&self.states_filter[..]), version, flexible);
        }
        if version >= 5 {
            size.array(Some(&self.types_filter[..]), version, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 4 {
            writer.array(&self.states_filter, version, flexible)?;
        } else if !self.states_filter.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "ListGroupsRequest.StatesFilter", version });
        }
        if version >= 5 {
            writer.array(&self.types_filter, version, flexible)?;
        } else if !self.types_filter.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "ListGroupsRequest.TypesFilter", version });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ListGroupsRequest<'a> {
    const NAME: &'static str = "ListGroupsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 3;
}

impl<'a> Request<'a> for ListGroupsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(16);
    type Response<'r> = ListGroupsResponse<'r>;
}

/// Response of API key 16 (ListGroups), versions 0 to 5, flexible from 3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListGroupsResponse<'a> {
    /// Int32, versions 1 to 5, ignorable.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 5.
    pub error_code: i16,
    /// Array of [`ListedGroup`], versions 0 to 5.
    pub groups: Vec<ListedGroup<'a>>,
}

impl<'a> Element<'a> for ListGroupsResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 1 { reader.i32()? } else { 0 },
            error_code: reader.i16()?,
            groups: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        if version >= 1 {
            size.bytes += 4;
        }
        size.array(Some(&self.groups[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 1 {
            writer.i32(self.throttle_time_ms);
        }
        writer.i16(self.error_code);
        writer.array(&self.groups, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ListGroupsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListedGroup<'a> {
    /// String, versions 0 to 5.
    pub group_id: &'a str,
    /// String, versions 0 to 5.
    pub protocol_type: &'a str,
    /// String, versions 4 to 5, ignorable.
    pub group_state: &'a str,
    /// String, version 5, ignorable.
    pub group_type: &'a str,
}

impl<'a> Element<'a> for ListedGroup<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            protocol_type: reader.string(flexible)?,
            group_state: if version >= 4 { reader.string(flexible)? } else { "" },
            group_type: if version >= 5 { reader.string(flexible)? } else { "" },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.group_id), flexible);
        size.string(Some(self.protocol_type), flexible);
        if version >= 4 {
            size.string(Some(self.group_state), flexible);
        }
        if version >= 5 {
            size.string(Some(self.group_type), flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        writer.string(self.protocol_type, flexible)?;
        if version >= 4 {
            writer.string(self.group_state, flexible)?;
        }
        if version >= 5 {
            writer.string(self.group_type, flexible)?;
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ListGroupsResponse<'a> {
    const NAME: &'static str = "ListGroupsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 3;
}

impl<'a> Response<'a> for ListGroupsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(16);
}
