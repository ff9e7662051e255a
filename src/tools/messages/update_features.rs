//! UpdateFeatures: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 57 (UpdateFeatures), versions 0 to 2, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct UpdateFeaturesRequest<'a> {
    /// Int32, versions 0 to 2, default 60000.
    pub timeout_ms: i32,
    /// Array of [`FeatureUpdateKey`], versions 0 to 2.
    pub feature_updates: Vec<FeatureUpdateKey<'a>>,
    /// Bool, versions 1 to 2, refused elsewhere.
    pub validate_only: bool,
}

impl Default for UpdateFeaturesRequest<'_> {
    fn default() -> Self {
        Self { timeout_ms: 60000, feature_updates: Vec::new(), validate_only: false }
    }
}

impl<'a> Element<'a> for UpdateFeaturesRequest<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            timeout_ms: reader.i32()?,
            feature_updates: reader.array(version, flexible)?,
            validate_only: if version >= 1 { reader.bool()? } else { false },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.feature_updates[..]), version, flexible);
        if version >= 1 {
            size.bytes += 1;
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.timeout_ms);
        writer.array(&self.feature_updates, version, flexible)?;
        if version >= 1 {
            writer.bool(self.validate_only);
        } else if self.validate_only {
            return Err(EncodeError::UnsupportedField {
                field: "UpdateFeaturesRequest.ValidateOnly",
                version,
            });
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`UpdateFeaturesRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureUpdateKey<'a> {
    /// String, versions 0 to 2.
    pub feature: &'a str,
    /// Int16, versions 0 to 2.
    pub max_version_level: i16,
    /// Bool, version 0, refused elsewhere.
    pub allow_downgrade: bool,
    /// Int8, versions 1 to 2, default 1, refused elsewhere.
    pub upgrade_type: i8,
}

impl Default for FeatureUpdateKey<'_> {
    fn default() -> Self {
        Self { feature: "", max_version_level: 0, allow_downgrade: false, upgrade_type: 1 }
    }
}

impl<'a> Element<'a> for FeatureUpdateKey<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            feature: reader.string(flexible)?,
            max_version_level: reader.i16()?,
            allow_downgrade: if version <= 0 { reader.bool()? } else { false },
            upgrade_type: if version >= 1 { reader.i8()? } else { 1 },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.feature), flexible);
        if version <= 0 {
            size.bytes += 1;
        }
        if version >= 1 {
            size.bytes += 1;
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.feature, flexible)?;
        writer.i16(self.max_version_level);
        if version <= 0 {
            writer.bool(self.allow_downgrade);
        } else if self.allow_downgrade {
            return Err(EncodeError::UnsupportedField { field: "FeatureUpdateKey.AllowDowngrade", version });
        }
        if version >= 1 {
            writer.i8(self.upgrade_type);
        } else if self.upgrade_type != 1 {
            return Err(EncodeError::UnsupportedField { field: "FeatureUpdateKey.UpgradeType", version });
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for UpdateFeaturesRequest<'a> {
    const NAME: &'static str = "UpdateFeaturesRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for UpdateFeaturesRequest<'a> {
    const API_KEY: ApiKey = ApiKey(57);
    type Response<'r> = UpdateFeaturesResponse<'r>;
}

/// Response of API key 57 (UpdateFeatures), versions 0 to 2, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct UpdateFeaturesResponse<'a> {
    /// Int32, versions 0 to 2.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 2.
    pub error_code: i16,
    /// String, versions 0 to 2, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Array of [`UpdatableFeatureResult`], versions 0 to 1, ignorable.
    pub results: Vec<UpdatableFeatureResult<'a>>,
}

impl Default for UpdateFeaturesResponse<'_> {
    fn default() -> Self {
        Self { throttle_time_ms: 0, error_code: 0, error_message: Some(""), results: Vec::new() }
    }
}

impl<'a> Element<'a> for UpdateFeaturesResponse<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            results: if version <= 1 { reader.array(version, flexible)? } else { Vec::new() },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.string(self.error_message, flexible);
        if version <= 1 {
            size.array(Some(&self.results[..]), version, flexible);
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        if version <= 1 {
            writer.array(&self.results, version, flexible)?;
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`UpdateFeaturesResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct UpdatableFeatureResult<'a> {
    /// String, versions 0 to 1.
    pub feature: &'a str,
    /// Int16, versions 0 to 1.
    pub error_code: i16,
    /// String, versions 0 to 1, nullable, default Some("").
    pub error_message: Option<&'a str>,
}

impl Default for UpdatableFeatureResult<'_> {
    fn default() -> Self {
        Self { feature: "", error_code: 0, error_message: Some("") }
    }
}

impl<'a> Element<'a> for UpdatableFeatureResult<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            feature: reader.string(flexible)?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.feature), flexible);
        size.string(self.error_message, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.feature, flexible)?;
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for UpdateFeaturesResponse<'a> {
    const NAME: &'static str = "UpdateFeaturesResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for UpdateFeaturesResponse<'a> {
    const API_KEY: ApiKey = ApiKey(57);
}
