//! AlterUserScramCredentials: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 51 (AlterUserScramCredentials), version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterUserScramCredentialsRequest<'a> {
    /// Array of [`ScramCredentialDeletion`], version 0.
    pub deletions: Vec<ScramCredentialDeletion<'a>>,
    /// Array of [`ScramCredentialUpsertion`], version 0.
    pub upsertions: Vec<ScramCredentialUpsertion<'a>>,
}

impl<'a> Element<'a> for AlterUserScramCredentialsRequest<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            deletions: reader.array(version, flexible)?,
            upsertions: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.deletions[..]), version, flexible);
        size.array(Some(&self.upsertions[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.deletions, version, flexible)?;
        writer.array(&self.upsertions, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`AlterUserScramCredentialsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScramCredentialDeletion<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Int8, version 0.
    pub mechanism: i8,
}

impl<'a> Element<'a> for ScramCredentialDeletion<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, mechanism: reader.i8()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 1;
        size.string(Some(self.name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i8(self.mechanism);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`AlterUserScramCredentialsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScramCredentialUpsertion<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Int8, version 0.
    pub mechanism: i8,
    /// Int32, version 0.
    pub iterations: i32,
    /// Bytes, version 0.
    pub salt: &'a [u8],
    /// Bytes, version 0.
    pub salted_password: &'a [u8],
}

impl<'a> Element<'a> for ScramCredentialUpsertion<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            mechanism: reader.i8()?,
            iterations: reader.i32()?,
            salt: reader.bytes(flexible)?,
            salted_password: reader.bytes(flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 5;
        size.string(Some(self.name), flexible);
        size.byte_string(Some(self.salt), flexible);
        size.byte_string(Some(self.salted_password), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i8(self.mechanism);
        writer.i32(self.iterations);
        writer.bytes(self.salt, flexible)?;
        writer.bytes(self.salted_password, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for AlterUserScramCredentialsRequest<'a> {
    const NAME: &'static str = "AlterUserScramCredentialsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for AlterUserScramCredentialsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(51);
    type Response<'r> = AlterUserScramCredentialsResponse<'r>;
}

/// Response of API key 51 (AlterUserScramCredentials), version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterUserScramCredentialsResponse<'a> {
    /// Int32, version 0.
    pub throttle_time_ms: i32,
    /// Array of [`AlterUserScramCredentialsResult`], version 0.
    pub results: Vec<AlterUserScramCredentialsResult<'a>>,
}

impl<'a> Element<'a> for AlterUserScramCredentialsResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { throttle_time_ms: reader.i32()?, results: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.results[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.results, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`AlterUserScramCredentialsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct AlterUserScramCredentialsResult<'a> {
    /// String, version 0.
    pub user: &'a str,
    /// Int16, version 0.
    pub error_code: i16,
    /// String, version 0, nullable, default Some("").
    pub error_message: Option<&'a str>,
}

impl Default for AlterUserScramCredentialsResult<'_> {
    fn default() -> Self {
        Self { user: "", error_code: 0, error_message: Some("") }
    }
}

impl<'a> Element<'a> for AlterUserScramCredentialsResult<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            user: reader.string(flexible)?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.user), flexible);
        size.string(self.error_message, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.user, flexible)?;
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for AlterUserScramCredentialsResponse<'a> {
    const NAME: &'static str = "AlterUserScramCredentialsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for AlterUserScramCredentialsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(51);
}
