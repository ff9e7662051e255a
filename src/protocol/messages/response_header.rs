//! ResponseHeader.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{DecodeError, Element, EncodeError, Message, Reader, Size, Writer};

/// Header, versions 0 to 1, flexible from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResponseHeader {
    /// Int32, versions 0 to 1.
    pub correlation_id: i32,
}

impl<'a> Element<'a> for ResponseHeader {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { correlation_id: reader.i32()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.correlation_id);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ResponseHeader {
    const NAME: &'static str = "ResponseHeader";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 1;
}
