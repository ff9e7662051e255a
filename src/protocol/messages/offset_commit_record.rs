//! OffsetCommitKey and OffsetCommitValue.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    CoordinatorKey, DecodeError, Element, EncodeError, Message, Reader, Size, Uuid, Writer,
    unsigned_varint_len,
};

/// Key of type 1 in a coordinator's log, version 0, never flexible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetCommitKey<'a> {
    /// String, version 0.
    pub group: &'a str,
    /// String, version 0.
    pub topic: &'a str,
    /// Int32, version 0.
    pub partition: i32,
}

impl<'a> Element<'a> for OffsetCommitKey<'a> {
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

impl<'a> Message<'a> for OffsetCommitKey<'a> {
    const NAME: &'static str = "OffsetCommitKey";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = i16::MAX;
}

impl<'a> CoordinatorKey<'a> for OffsetCommitKey<'a> {
    const RECORD_TYPE: i16 = 1;
}

/// Value of type 1 in a coordinator's log, versions 0 to 4, flexible from 4.
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetCommitValue<'a> {
    /// Int64, versions 0 to 4.
    pub offset: i64,
    /// Int32, versions 3 to 4, default -1, ignorable.
    pub leader_epoch: i32,
    /// String, versions 0 to 4.
    pub metadata: &'a str,
    /// Int64, versions 0 to 4.
    pub commit_timestamp: i64,
    /// Int64, version 1, default -1, ignorable.
    pub expire_timestamp: i64,
    /// Uuid, version 4, tag 0, ignorable.
    pub topic_id: Uuid,
}

impl Default for OffsetCommitValue<'_> {
    fn default() -> Self {
        Self {
            offset: 0,
            leader_epoch: -1,
            metadata: "",
            commit_timestamp: 0,
            expire_timestamp: -1,
            topic_id: Uuid::ZERO,
        }
    }
}

impl<'a> Element<'a> for OffsetCommitValue<'a> {
    const MIN_LEN: usize = 18;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            offset: reader.i64()?,
            leader_epoch: if version >= 3 { reader.i32()? } else { -1 },
            metadata: reader.string(flexible)?,
            commit_timestamp: reader.i64()?,
            expire_timestamp: if version == 1 { reader.i64()? } else { -1 },
            topic_id: Uuid::ZERO,
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 => message.topic_id = reader.uuid()?,
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 16;
        if version >= 3 {
            size.bytes += 4;
        }
        size.string(Some(self.metadata), flexible);
        if version == 1 {
            size.bytes += 8;
        }
        if flexible {
            let mut tags = 0u32;
            if self.topic_id != Uuid::ZERO {
                tags += 1;
                size.tagged(0, |size| {
                    size.bytes += 16;
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i64(self.offset);
        if version >= 3 {
            writer.i32(self.leader_epoch);
        }
        writer.string(self.metadata, flexible)?;
        writer.i64(self.commit_timestamp);
        if version == 1 {
            writer.i64(self.expire_timestamp);
        }
        if flexible {
            let mut tags = 0u32;
            if self.topic_id != Uuid::ZERO {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if self.topic_id != Uuid::ZERO {
                writer.tag(
                    0,
                    Size::of(|size| {
                        size.bytes += 16;
                    }),
                );
                writer.uuid(self.topic_id);
            }
        }
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetCommitValue<'a> {
    const NAME: &'static str = "OffsetCommitValue";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 4;
}
