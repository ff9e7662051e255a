//! RequestHeader.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{DecodeError, Element, EncodeError, Message, Reader, Size, Writer};

/// Header, versions 1 to 2, flexible from 2.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestHeader<'a> {
    /// Int16, versions 1 to 2.
    pub request_api_key: i16,
    /// Int16, versions 1 to 2.
    pub request_api_version: i16,
    /// Int32, versions 1 to 2.
    pub correlation_id: i32,
    /// String, versions 1 to 2, nullable, default Some("").
    pub client_id: Option<&'a str>,
}

impl Default for RequestHeader<'_> {
    fn default() -> Self {
        Self { request_api_key: 0, request_api_version: 0, correlation_id: 0, client_id: Some("") }
    }
}

impl<'a> Element<'a> for RequestHeader<'a> {
    const MIN_LEN: usize = 10;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            request_api_key: reader.i16()?,
            request_api_version: reader.i16()?,
            correlation_id: reader.i32()?,
            client_id: reader.nullable_string(false)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 8;
        size.string(self.client_id, false);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.request_api_key);
        writer.i16(self.request_api_version);
        writer.i32(self.correlation_id);
        writer.nullable_string(self.client_id, false)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for RequestHeader<'a> {
    const NAME: &'static str = "RequestHeader";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 2;
}
