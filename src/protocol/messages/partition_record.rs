//! Metadata record PartitionRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Uuid, Writer,
    unsigned_varint_len,
};

/// Record of type 3 of the metadata log, versions 0 to 2, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionRecord {
    /// Int32, versions 0 to 2, default -1.
    pub partition_id: i32,
    /// Uuid, versions 0 to 2.
    pub topic_id: Uuid,
    /// Array of int32, versions 0 to 2.
    pub replicas: Vec<i32>,
    /// Array of int32, versions 0 to 2.
    pub isr: Vec<i32>,
    /// Array of int32, versions 0 to 2.
    pub removing_replicas: Vec<i32>,
    /// Array of int32, versions 0 to 2.
    pub adding_replicas: Vec<i32>,
    /// Int32, versions 0 to 2, default -1.
    pub leader: i32,
    /// Int8, versions 0 to 2, tag 0.
    pub leader_recovery_state: i8,
    /// Int32, versions 0 to 2, default -1.
    pub leader_epoch: i32,
    /// Int32, versions 0 to 2, default -1.
    pub partition_epoch: i32,
    /// Array of uuid, versions 1 to 2, refused elsewhere.
    pub directories: Vec<Uuid>,
    /// Array of int32, version 2, tag 1, nullable, default None, refused elsewhere.
    pub eligible_leader_replicas: Option<Vec<i32>>,
    /// Array of int32, version 2, tag 2, nullable, default None, refused elsewhere.
    pub last_known_elr: Option<Vec<i32>>,
}

impl Default for PartitionRecord {
    fn default() -> Self {
        Self {
            partition_id: -1,
            topic_id: Uuid::ZERO,
            replicas: Vec::new(),
            isr: Vec::new(),
            removing_replicas: Vec::new(),
            adding_replicas: Vec::new(),
            leader: -1,
            leader_recovery_state: 0,
            leader_epoch: -1,
            partition_epoch: -1,
            directories: Vec::new(),
            eligible_leader_replicas: None,
            last_known_elr: None,
        }
    }
}

impl<'a> Element<'a> for PartitionRecord {
    const MIN_LEN: usize = 37;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            partition_id: reader.i32()?,
            topic_id: reader.uuid()?,
            replicas: reader.array(version, flexible)?,
            isr: reader.array(version, flexible)?,
            removing_replicas: reader.array(version, flexible)?,
            adding_replicas: reader.array(version, flexible)?,
            leader: reader.i32()?,
            leader_recovery_state: 0,
            leader_epoch: reader.i32()?,
            partition_epoch: reader.i32()?,
            directories: if version >= 1 { reader.array(version, flexible)? } else { Vec::new() },
            eligible_leader_replicas: None,
            last_known_elr: None,
        };
        reader.tagged_fields(|tag, reader| {
            match tag {
                0 => message.leader_recovery_state = reader.i8()?,
                1 if version >= 2 => {
                    message.eligible_leader_replicas = reader.nullable_array(version, flexible)?
                }
                2 if version >= 2 => message.last_known_elr = reader.nullable_array(version, flexible)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 32;
        size.array(Some(&self.replicas[..]), version, flexible);
        size.array(Some(&self.isr[..]), version, flexible);
        size.array(Some(&self.removing_replicas[..]), version, flexible);
        size.array(Some(&self.adding_replicas[..]), version, flexible);
        if version >= 1 {
            size.array(Some(&self.directories[..]), version, flexible);
        }
        let mut tags = 0u32;
        if self.leader_recovery_state != 0 {
            tags += 1;
            size.tagged(0, |size| {
                size.bytes += 1;
            });
        }
        if version >= 2 && self.eligible_leader_replicas.is_some() {
            tags += 1;
            size.tagged(1, |size| {
                size.array(self.eligible_leader_replicas.as_deref(), version, flexible);
            });
        }
        if version >= 2 && self.last_known_elr.is_some() {
            tags += 1;
            size.tagged(2, |size| {
                size.array(self.last_known_elr.as_deref(), version, flexible);
            });
        }
        size.bytes += unsigned_varint_len(tags);
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_id);
        writer.uuid(self.topic_id);
        writer.array(&self.replicas, version, flexible)?;
        writer.array(&self.isr, version, flexible)?;
        writer.array(&self.removing_replicas, version, flexible)?;
        writer.array(&self.adding_replicas, version, flexible)?;
        writer.i32(self.leader);
        writer.i32(self.leader_epoch);
        writer.i32(self.partition_epoch);
        if version >= 1 {
            writer.array(&self.directories, version, flexible)?;
        } else if !self.directories.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "PartitionRecord.Directories", version });
        }
        if version < 2 && self.eligible_leader_replicas.is_some() {
            return Err(EncodeError::UnsupportedField {
                field: "PartitionRecord.EligibleLeaderReplicas",
                version,
            });
        }
        if version < 2 && self.last_known_elr.is_some() {
            return Err(EncodeError::UnsupportedField { field: "PartitionRecord.LastKnownElr", version });
        }
        let mut tags = 0u32;
        if self.leader_recovery_state != 0 {
            tags += 1;
        }
        if version >= 2 && self.eligible_leader_replicas.is_some() {
            tags += 1;
        }
        if version >= 2 && self.last_known_elr.is_some() {
            tags += 1;
        }
        writer.unsigned_varint(tags);
        if self.leader_recovery_state != 0 {
            writer.tag(
                0,
                Size::of(|size| {
                    size.bytes += 1;
                }),
            );
            writer.i8(self.leader_recovery_state);
        }
        if version >= 2 && self.eligible_leader_replicas.is_some() {
            writer.tag(
                1,
                Size::of(|size| {
                    size.array(self.eligible_leader_replicas.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.eligible_leader_replicas.as_deref(), version, flexible)?;
        }
        if version >= 2 && self.last_known_elr.is_some() {
            writer.tag(
                2,
                Size::of(|size| {
                    size.array(self.last_known_elr.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.last_known_elr.as_deref(), version, flexible)?;
        }
        Ok(())
    }
}

impl<'a> Message<'a> for PartitionRecord {
    const NAME: &'static str = "PartitionRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for PartitionRecord {
    const RECORD_TYPE: i16 = 3;
}
