//! ApiVersions: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer, unsigned_varint_len,
};

/// Request of API key 18 (ApiVersions), versions 0 to 5, flexible from 3.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiVersionsRequest<'a> {
    /// String, versions 3 to 5, ignorable.
    pub client_software_name: &'a str,
    /// String, versions 3 to 5, ignorable.
    pub client_software_version: &'a str,
    /// String, version 5, nullable, default None, ignorable.
    pub cluster_id: Option<&'a str>,
    /// Int32, version 5, default -1, ignorable.
    pub node_id: i32,
}

impl Default for ApiVersionsRequest<'_> {
    fn default() -> Self {
        Self { client_software_name: "", client_software_version: "", cluster_id: None, node_id: -1 }
    }
}

impl<'a> Element<'a> for ApiVersionsRequest<'a> {
    const MIN_LEN: usize = 1;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            client_software_name: if version >= 3 { reader.string(flexible)? } else { "" },
            client_software_version: if version >= 3 { reader.string(flexible)? } else { "" },
            cluster_id: if version >= 5 { reader.nullable_string(flexible)? } else { None },
            node_id: if version >= 5 { reader.i32()? } else { -1 },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version >= 3 {
            size.string(Some(self.client_software_name), flexible);
        }
        if version >= 3 {
            size.string(Some(self.client_software_version), flexible);
        }
        if version >= 5 {
            size.string(self.cluster_id, flexible);
        }
        if version >= 5 {
            size.bytes += 4;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 3 {
            writer.string(self.client_software_name, flexible)?;
        }
        if version >= 3 {
            writer.string(self.client_software_version, flexible)?;
        }
        if version >= 5 {
            writer.nullable_string(self.cluster_id, flexible)?;
        }
        if version >= 5 {
            writer.i32(self.node_id);
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ApiVersionsRequest<'a> {
    const NAME: &'static str = "ApiVersionsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 3;
}

impl<'a> Request<'a> for ApiVersionsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(18);
    type Response<'r> = ApiVersionsResponse<'r>;
}

/// Response of API key 18 (ApiVersions), versions 0 to 5, flexible from 3.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiVersionsResponse<'a> {
    /// Int16, versions 0 to 5.
    pub error_code: i16,
    /// Array of [`ApiVersion`], versions 0 to 5.
    pub api_keys: Vec<ApiVersion>,
    /// Int32, versions 1 to 5, ignorable.
    pub throttle_time_ms: i32,
    /// Array of [`SupportedFeatureKey`], versions 3 to 5, tag 0, ignorable.
    pub supported_features: Vec<SupportedFeatureKey<'a>>,
    /// Int64, versions 3 to 5, tag 1, default -1, ignorable.
    pub finalized_features_epoch: i64,
    /// Array of [`FinalizedFeatureKey`], versions 3 to 5, tag 2, ignorable.
    pub finalized_features: Vec<FinalizedFeatureKey<'a>>,
    /// Bool, versions 3 to 5, tag 3, ignorable.
    pub zk_migration_ready: bool,
}

impl Default for ApiVersionsResponse<'_> {
    fn default() -> Self {
        Self {
            error_code: 0,
            api_keys: Vec::new(),
            throttle_time_ms: 0,
            supported_features: Vec::new(),
            finalized_features_epoch: -1,
            finalized_features: Vec::new(),
            zk_migration_ready: false,
        }
    }
}

impl<'a> Element<'a> for ApiVersionsResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            error_code: reader.i16()?,
            api_keys: reader.array(version, flexible)?,
            throttle_time_ms: if version >= 1 { reader.i32()? } else { 0 },
            supported_features: Vec::new(),
            finalized_features_epoch: -1,
            finalized_features: Vec::new(),
            zk_migration_ready: false,
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 => message.supported_features = reader.array(version, flexible)?,
                    1 => message.finalized_features_epoch = reader.i64()?,
                    2 => message.finalized_features = reader.array(version, flexible)?,
                    3 => message.zk_migration_ready = reader.bool()?,
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.array(Some(&self.api_keys[..]), version, flexible);
        if version >= 1 {
            size.bytes += 4;
        }
        if flexible {
            let mut tags = 0u32;
            if !self.supported_features.is_empty() {
                tags += 1;
                size.tagged(0, |size| {
                    size.array(Some(&self.supported_features[..]), version, flexible);
                });
            }
            if self.finalized_features_epoch != -1 {
                tags += 1;
                size.tagged(1, |size| {
                    size.bytes += 8;
                });
            }
            if !self.finalized_features.is_empty() {
                tags += 1;
                size.tagged(2, |size| {
                    size.array(Some(&self.finalized_features[..]), version, flexible);
                });
            }
            if self.zk_migration_ready {
                tags += 1;
                size.tagged(3, |size| {
                    size.bytes += 1;
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.array(&self.api_keys, version, flexible)?;
        if version >= 1 {
            writer.i32(self.throttle_time_ms);
        }
        if flexible {
            let mut tags = 0u32;
            if !self.supported_features.is_empty() {
                tags += 1;
            }
            if self.finalized_features_epoch != -1 {
                tags += 1;
            }
            if !self.finalized_features.is_empty() {
                tags += 1;
            }
            if self.zk_migration_ready {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if !self.supported_features.is_empty() {
                writer.tag(
                    0,
                    Size::of(|size| {
                        size.array(Some(&self.supported_features[..]), version, flexible);
                    }),
                );
                writer.array(&self.supported_features, version, flexible)?;
            }
            if self.finalized_features_epoch != -1 {
                writer.tag(
                    1,
                    Size::of(|size| {
                        size.bytes += 8;
                    }),
                );
                writer.i64(self.finalized_features_epoch);
            }
            if !self.finalized_features.is_empty() {
                writer.tag(
                    2,
                    Size::of(|size| {
                        size.array(Some(&self.finalized_features[..]), version, flexible);
                    }),
                );
                writer.array(&self.finalized_features, version, flexible)?;
            }
            if self.zk_migration_ready {
                writer.tag(
                    3,
                    Size::of(|size| {
                        size.bytes += 1;
                    }),
                );
                writer.bool(self.zk_migration_ready);
            }
        }
        Ok(())
    }
}

/// Part of [`ApiVersionsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApiVersion {
    /// Int16, versions 0 to 5.
    pub api_key: i16,
    /// Int16, versions 0 to 5.
    pub min_version: i16,
    /// Int16, versions 0 to 5.
    pub max_version: i16,
}

impl<'a> Element<'a> for ApiVersion {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { api_key: reader.i16()?, min_version: reader.i16()?, max_version: reader.i16()? };
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
        writer.i16(self.api_key);
        writer.i16(self.min_version);
        writer.i16(self.max_version);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`ApiVersionsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SupportedFeatureKey<'a> {
    /// String, versions 3 to 5.
    pub name: &'a str,
    /// Int16, versions 3 to 5.
    pub min_version: i16,
    /// Int16, versions 3 to 5.
    pub max_version: i16,
}

impl<'a> Element<'a> for SupportedFeatureKey<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { name: reader.string(flexible)?, min_version: reader.i16()?, max_version: reader.i16()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i16(self.min_version);
        writer.i16(self.max_version);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`ApiVersionsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FinalizedFeatureKey<'a> {
    /// String, versions 3 to 5.
    pub name: &'a str,
    /// Int16, versions 3 to 5.
    pub max_version_level: i16,
    /// Int16, versions 3 to 5.
    pub min_version_level: i16,
}

impl<'a> Element<'a> for FinalizedFeatureKey<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            max_version_level: reader.i16()?,
            min_version_level: reader.i16()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i16(self.max_version_level);
        writer.i16(self.min_version_level);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for ApiVersionsResponse<'a> {
    const NAME: &'static str = "ApiVersionsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 3;
}

impl<'a> Response<'a> for ApiVersionsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(18);
}
