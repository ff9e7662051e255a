//! LegacyOffsetCommitKey and LegacyOffsetCommitValue.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    CoordinatorKey, DecodeError, Element, EncodeError, Message, Reader, Size, Writer,
};

/// Key of type 0 in a coordinator's log, version 0, never flexible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LegacyOffsetCommitKey<'a> {
    /// String, version 0.
    pub group: &'a str,
    /// String, version 0.
    pub topic: &'a str,
    /// Int32, version 0.
    pub partition: i32,
}

impl<'a> Element<'a> for LegacyOffsetCommitKey<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        Ok(Self {
            group: reader.string(flexible)?,
            topic: reader.string(flexible)?,
            partition: reader.i32()?,
        })
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.group), flexible);
        size.string(Some(self.topic), flexible);
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group, flexible)?;
        writer.string(self.topic, flexible)?;
        writer.i32(self.partition);
        Ok(())
    }
}

impl<'a> Message<'a> for LegacyOffsetCommitKey<'a> {
    const NAME: &'static str = "LegacyOffsetCommitKey";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = i16::MAX;
}

impl<'a> CoordinatorKey<'a> for LegacyOffsetCommitKey<'a> {
    const RECORD_TYPE: i16 = 0;
}

/// Value of type 0 in a coordinator's log, version 0, never flexible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LegacyOffsetCommitValue<'a> {
    /// Int64, version 0.
    pub offset: i64,
    /// String, version 0.
    pub metadata: &'a str,
    /// Int64, version 0.
    pub commit_timestamp: i64,
}

impl<'a> Element<'a> for LegacyOffsetCommitValue<'a> {
    const MIN_LEN: usize = 18;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        Ok(Self {
            offset: reader.i64()?,
            metadata: reader.string(flexible)?,
            commit_timestamp: reader.i64()?,
        })
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 16;
        size.string(Some(self.metadata), flexible);
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i64(self.offset);
        writer.string(self.metadata, flexible)?;
        writer.i64(self.commit_timestamp);
        Ok(())
    }
}

impl<'a> Message<'a> for LegacyOffsetCommitValue<'a> {
    const NAME: &'static str = "LegacyOffsetCommitValue";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = i16::MAX;
}
