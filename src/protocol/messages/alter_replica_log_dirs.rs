//! AlterReplicaLogDirs: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 34 (AlterReplicaLogDirs), versions 1 to 2, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterReplicaLogDirsRequest<'a> {
    /// Array of [`AlterReplicaLogDir`], versions 1 to 2.
    pub dirs: Vec<AlterReplicaLogDir<'a>>,
}

impl<'a> Element<'a> for AlterReplicaLogDirsRequest<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { dirs: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.dirs[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.dirs, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`AlterReplicaLogDirsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterReplicaLogDir<'a> {
    /// String, versions 1 to 2.
    pub path: &'a str,
    /// Array of [`AlterReplicaLogDirTopic`], versions 1 to 2.
    pub topics: Vec<AlterReplicaLogDirTopic<'a>>,
}

impl<'a> Element<'a> for AlterReplicaLogDir<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { path: reader.string(flexible)?, topics: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.path), flexible);
        size.array(Some(&self.topics[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.path, flexible)?;
        writer.array(&self.topics, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`AlterReplicaLogDirsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterReplicaLogDirTopic<'a> {
    /// String, versions 1 to 2.
    pub name: &'a str,
    /// Array of int32, versions 1 to 2.
    pub partitions: Vec<i32>,
}

impl<'a> Element<'a> for AlterReplicaLogDirTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for AlterReplicaLogDirsRequest<'a> {
    const NAME: &'static str = "AlterReplicaLogDirsRequest";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Request<'a> for AlterReplicaLogDirsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(34);
    type Response<'r> = AlterReplicaLogDirsResponse<'r>;
}

/// Response of API key 34 (AlterReplicaLogDirs), versions 1 to 2, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterReplicaLogDirsResponse<'a> {
    /// Int32, versions 1 to 2.
    pub throttle_time_ms: i32,
    /// Array of [`AlterReplicaLogDirTopicResult`], versions 1 to 2.
    pub results: Vec<AlterReplicaLogDirTopicResult<'a>>,
}

impl<'a> Element<'a> for AlterReplicaLogDirsResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { throttle_time_ms: reader.i32()?, results: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.results[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.results, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`AlterReplicaLogDirsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterReplicaLogDirTopicResult<'a> {
    /// String, versions 1 to 2.
    pub topic_name: &'a str,
    /// Array of [`AlterReplicaLogDirPartitionResult`], versions 1 to 2.
    pub partitions: Vec<AlterReplicaLogDirPartitionResult>,
}

impl<'a> Element<'a> for AlterReplicaLogDirTopicResult<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { topic_name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.topic_name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.topic_name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`AlterReplicaLogDirsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterReplicaLogDirPartitionResult {
    /// Int32, versions 1 to 2.
    pub partition_index: i32,
    /// Int16, versions 1 to 2.
    pub error_code: i16,
}

impl<'a> Element<'a> for AlterReplicaLogDirPartitionResult {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { partition_index: reader.i32()?, error_code: reader.i16()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 6;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i16(self.error_code);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for AlterReplicaLogDirsResponse<'a> {
    const NAME: &'static str = "AlterReplicaLogDirsResponse";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Response<'a> for AlterReplicaLogDirsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(34);
}
