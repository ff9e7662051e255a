//! EndTxnMarker.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{DecodeError, Element, EncodeError, Message, Reader, Size, Writer};

/// Data without a number of its own, version 0, never flexible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndTxnMarker {
    /// Int32, version 0.
    pub coordinator_epoch: i32,
}

impl<'a> Element<'a> for EndTxnMarker {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        Ok(Self { coordinator_epoch: reader.i32()? })
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 4;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.coordinator_epoch);
        Ok(())
    }
}

impl<'a> Message<'a> for EndTxnMarker {
    const NAME: &'static str = "EndTxnMarker";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = i16::MAX;
}
