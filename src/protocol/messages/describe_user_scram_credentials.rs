//! DescribeUserScramCredentials: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 50 (DescribeUserScramCredentials), version 0, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeUserScramCredentialsRequest<'a> {
    /// Array of [`UserName`], version 0, nullable, default Some(Vec::new()).
    pub users: Option<Vec<UserName<'a>>>,
}

impl Default for DescribeUserScramCredentialsRequest<'_> {
    fn default() -> Self {
        Self { users: Some(Vec::new()) }
    }
}

impl<'a> Element<'a> for DescribeUserScramCredentialsRequest<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { users: reader.nullable_array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(self.users.as_deref(), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.nullable_array(self.users.as_deref(), version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeUserScramCredentialsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserName<'a> {
    /// String, version 0.
    pub name: &'a str,
}

impl<'a> Element<'a> for UserName<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeUserScramCredentialsRequest<'a> {
    const NAME: &'static str = "DescribeUserScramCredentialsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for DescribeUserScramCredentialsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(50);
    type Response<'r> = DescribeUserScramCredentialsResponse<'r>;
}

/// Response of API key 50 (DescribeUserScramCredentials), version 0, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeUserScramCredentialsResponse<'a> {
    /// Int32, version 0.
    pub throttle_time_ms: i32,
    /// Int16, version 0.
    pub error_code: i16,
    /// String, version 0, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Array of [`DescribeUserScramCredentialsResult`], version 0.
    pub results: Vec<DescribeUserScramCredentialsResult<'a>>,
}

impl Default for DescribeUserScramCredentialsResponse<'_> {
    fn default() -> Self {
        Self { throttle_time_ms: 0, error_code: 0, error_message: Some(""), results: Vec::new() }
    }
}

impl<'a> Element<'a> for DescribeUserScramCredentialsResponse<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            results: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.string(self.error_message, flexible);
        size.array(Some(&self.results[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.array(&self.results, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeUserScramCredentialsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeUserScramCredentialsResult<'a> {
    /// String, version 0.
    pub user: &'a str,
    /// Int16, version 0.
    pub error_code: i16,
    /// String, version 0, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Array of [`CredentialInfo`], version 0.
    pub credential_infos: Vec<CredentialInfo>,
}

impl Default for DescribeUserScramCredentialsResult<'_> {
    fn default() -> Self {
        Self { user: "", error_code: 0, error_message: Some(""), credential_infos: Vec::new() }
    }
}

impl<'a> Element<'a> for DescribeUserScramCredentialsResult<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            user: reader.string(flexible)?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            credential_infos: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.user), flexible);
        size.string(self.error_message, flexible);
        size.array(Some(&self.credential_infos[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.user, flexible)?;
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.array(&self.credential_infos, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeUserScramCredentialsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CredentialInfo {
    /// Int8, version 0.
    pub mechanism: i8,
    /// Int32, version 0.
    pub iterations: i32,
}

impl<'a> Element<'a> for CredentialInfo {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { mechanism: reader.i8()?, iterations: reader.i32()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 5;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i8(self.mechanism);
        writer.i32(self.iterations);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeUserScramCredentialsResponse<'a> {
    const NAME: &'static str = "DescribeUserScramCredentialsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for DescribeUserScramCredentialsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(50);
}
