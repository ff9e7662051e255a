//! Metadata record PartitionChangeRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Uuid, Writer,
    unsigned_varint_len,
};

/// Record of type 5 of the metadata log, versions 0 to 2, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionChangeRecord {
    /// Int32, versions 0 to 2, default -1.
    pub partition_id: i32,
    /// Uuid, versions 0 to 2.
    pub topic_id: Uuid,
    /// Array of int32, versions 0 to 2, tag 0, nullable, default None.
    pub isr: Option<Vec<i32>>,
    /// Int32, versions 0 to 2, tag 1, default -2.
    pub leader: i32,
    /// Array of int32, versions 0 to 2, tag 2, nullable, default None.
    pub replicas: Option<Vec<i32>>,
    /// Array of int32, versions 0 to 2, tag 3, nullable, default None.
    pub removing_replicas: Option<Vec<i32>>,
    /// Array of int32, versions 0 to 2, tag 4, nullable, default None.
    pub adding_replicas: Option<Vec<i32>>,
    /// Int8, versions 0 to 2, tag 5, default -1.
    pub leader_recovery_state: i8,
    /// Array of uuid, versions 1 to 2, tag 8, nullable, default None, refused elsewhere.
    pub directories: Option<Vec<Uuid>>,
    /// Array of int32, version 2, tag 6, nullable, default None, refused elsewhere.
    pub eligible_leader_replicas: Option<Vec<i32>>,
    /// Array of int32, version 2, tag 7, nullable, default None, refused elsewhere.
    pub last_known_elr: Option<Vec<i32>>,
}

impl Default for PartitionChangeRecord {
    fn default() -> Self {
        Self {
            partition_id: -1,
            topic_id: Uuid::ZERO,
            isr: None,
            leader: -2,
            replicas: None,
            removing_replicas: None,
            adding_replicas: None,
            leader_recovery_state: -1,
            directories: None,
            eligible_leader_replicas: None,
            last_known_elr: None,
        }
    }
}

impl<'a> Element<'a> for PartitionChangeRecord {
    const MIN_LEN: usize = 21;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            partition_id: reader.i32()?,
            topic_id: reader.uuid()?,
            isr: None,
            leader: -2,
            replicas: None,
            removing_replicas: None,
            adding_replicas: None,
            leader_recovery_state: -1,
            directories: None,
            eligible_leader_replicas: None,
            last_known_elr: None,
        };
        reader.tagged_fields(|tag, reader| {
            match tag {
                0 => message.isr = reader.nullable_array(version, flexible)?,
                1 => message.leader = reader.i32()?,
                2 => message.replicas = reader.nullable_array(version, flexible)?,
                3 => message.removing_replicas = reader.nullable_array(version, flexible)?,
                4 => message.adding_replicas = reader.nullable_array(version, flexible)?,
                5 => message.leader_recovery_state = reader.i8()?,
                6 if version >= 2 => {
                    message.eligible_leader_replicas = reader.nullable_array(version, flexible)?
                }
                7 if version >= 2 => message.last_known_elr = reader.nullable_array(version, flexible)?,
                8 if version >= 1 => message.directories = reader.nullable_array(version, flexible)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 20;
        let mut tags = 0u32;
        if self.isr.is_some() {
            tags += 1;
            size.tagged(0, |size| {
                size.array(self.isr.as_deref(), version, flexible);
            });
        }
        if self.leader != -2 {
            tags += 1;
            size.tagged(1, |size| {
                size.bytes += 4;
            });
        }
        if self.replicas.is_some() {
            tags += 1;
            size.tagged(2, |size| {
                size.array(self.replicas.as_deref(), version, flexible);
            });
        }
        if self.removing_replicas.is_some() {
            tags += 1;
            size.tagged(3, |size| {
                size.array(self.removing_replicas.as_deref(), version, flexible);
            });
        }
        if self.adding_replicas.is_some() {
            tags += 1;
            size.tagged(4, |size| {
                size.array(self.adding_replicas.as_deref(), version, flexible);
            });
        }
        if self.leader_recovery_state != -1 {
            tags += 1;
            size.tagged(5, |size| {
                size.bytes += 1;
            });
        }
        if version >= 2 && self.eligible_leader_replicas.is_some() {
            tags += 1;
            size.tagged(6, |size| {
                size.array(self.eligible_leader_replicas.as_deref(), version, flexible);
            });
        }
        if version >= 2 && self.last_known_elr.is_some() {
            tags += 1;
            size.tagged(7, |size| {
                size.array(self.last_known_elr.as_deref(), version, flexible);
            });
        }
        if version >= 1 && self.directories.is_some() {
            tags += 1;
            size.tagged(8, |size| {
                size.array(self.directories.as_deref(), version, flexible);
            });
        }
        size.bytes += unsigned_varint_len(tags);
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_id);
        writer.uuid(self.topic_id);
        if version < 1 && self.directories.is_some() {
            return Err(EncodeError::UnsupportedField {
                field: "PartitionChangeRecord.Directories",
                version,
            });
        }
        if version < 2 && self.eligible_leader_replicas.is_some() {
            return Err(EncodeError::UnsupportedField {
                field: "PartitionChangeRecord.EligibleLeaderReplicas",
                version,
            });
        }
        if version < 2 && self.last_known_elr.is_some() {
            return Err(EncodeError::UnsupportedField {
                field: "PartitionChangeRecord.LastKnownElr",
                version,
            });
        }
        let mut tags = 0u32;
        if self.isr.is_some() {
            tags += 1;
        }
        if self.leader != -2 {
            tags += 1;
        }
        if self.replicas.is_some() {
            tags += 1;
        }
        if self.removing_replicas.is_some() {
            tags += 1;
        }
        if self.adding_replicas.is_some() {
            tags += 1;
        }
        if self.leader_recovery_state != -1 {
            tags += 1;
        }
        if version >= 2 && self.eligible_leader_replicas.is_some() {
            tags += 1;
        }
        if version >= 2 && self.last_known_elr.is_some() {
            tags += 1;
        }
        if version >= 1 && self.directories.is_some() {
            tags += 1;
        }
        writer.unsigned_varint(tags);
        if self.isr.is_some() {
            writer.tag(
                0,
                Size::of(|size| {
                    size.array(self.isr.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.isr.as_deref(), version, flexible)?;
        }
        if self.leader != -2 {
            writer.tag(
                1,
                Size::of(|size| {
                    size.bytes += 4;
                }),
            );
            writer.i32(self.leader);
        }
        if self.replicas.is_some() {
            writer.tag(
                2,
                Size::of(|size| {
                    size.array(self.replicas.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.replicas.as_deref(), version, flexible)?;
        }
        if self.removing_replicas.is_some() {
            writer.tag(
                3,
                Size::of(|size| {
                    size.array(self.removing_replicas.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.removing_replicas.as_deref(), version, flexible)?;
        }
        if self.adding_replicas.is_some() {
            writer.tag(
                4,
                Size::of(|size| {
                    size.array(self.adding_replicas.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.adding_replicas.as_deref(), version, flexible)?;
        }
        if self.leader_recovery_state != -1 {
            writer.tag(
                5,
                Size::of(|size| {
                    size.bytes += 1;
                }),
            );
            writer.i8(self.leader_recovery_state);
        }
        if version >= 2 && self.eligible_leader_replicas.is_some() {
            writer.tag(
                6,
                Size::of(|size| {
                    size.array(self.eligible_leader_replicas.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.eligible_leader_replicas.as_deref(), version, flexible)?;
        }
        if version >= 2 && self.last_known_elr.is_some() {
            writer.tag(
                7,
                Size::of(|size| {
                    size.array(self.last_known_elr.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.last_known_elr.as_deref(), version, flexible)?;
        }
        if version >= 1 && self.directories.is_some() {
            writer.tag(
                8,
                Size::of(|size| {
                    size.array(self.directories.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.directories.as_deref(), version, flexible)?;
        }
        Ok(())
    }
}

impl<'a> Message<'a> for PartitionChangeRecord {
    const NAME: &'static str = "PartitionChangeRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for PartitionChangeRecord {
    const RECORD_TYPE: i16 = 5;
}
