//! InitProducerId: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 22 (InitProducerId), versions 0 to 6, flexible from 2.
#[derive(Clone, Debug, PartialEq)]
pub struct InitProducerIdRequest<'a> {
    /// String, versions 0 to 6, nullable, default Some("").
    pub transactional_id: Option<&'a str>,
    /// Int32, versions 0 to 6.
    pub transaction_timeout_ms: i32,
    /// Int64, versions 3 to 6, default -1, refused elsewhere.
    pub producer_id: i64,
    /// Int16, versions 3 to 6, default -1, refused elsewhere.
    pub producer_epoch: i16,
    /// Bool, version 6, refused elsewhere.
    pub enable2_pc: bool,
    /// Bool, version 6, refused elsewhere.
    pub keep_prepared_txn: bool,
}

impl Default for InitProducerIdRequest<'_> {
    fn default() -> Self {
        Self {
            transactional_id: Some(""),
            transaction_timeout_ms: 0,
            producer_id: -1,
            producer_epoch: -1,
            enable2_pc: false,
            keep_prepared_txn: false,
        }
    }
}

impl<'a> Element<'a> for InitProducerIdRequest<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            transactional_id: reader.nullable_string(flexible)?,
            transaction_timeout_ms: reader.i32()?,
            producer_id: if version >= 3 { reader.i64()? } else { -1 },
            producer_epoch: if version >= 3 { reader.i16()? } else { -1 },
            enable2_pc: if version >= 6 { reader.bool()? } else { false },
            keep_prepared_txn: if version >= 6 { reader.bool()? } else { false },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.string(self.transactional_id, flexible);
        if version >= 3 {
            size.bytes += 8;
        }
        if version >= 3 {
            size.bytes += 2;
        }
        if version >= 6 {
            size.bytes += 1;
        }
        if version >= 6 {
            size.bytes += 1;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.nullable_string(self.transactional_id, flexible)?;
        writer.i32(self.transaction_timeout_ms);
        if version >= 3 {
            writer.i64(self.producer_id);
        } else if self.producer_id != -1 {
            return Err(EncodeError::UnsupportedField { field: "InitProducerIdRequest.ProducerId", version });
        }
        if version >= 3 {
            writer.i16(self.producer_epoch);
        } else if self.producer_epoch != -1 {
            return Err(EncodeError::UnsupportedField {
                field: "InitProducerIdRequest.ProducerEpoch",
                version,
            });
        }
        if version >= 6 {
            writer.bool(self.enable2_pc);
        } else if self.enable2_pc {
            return Err(EncodeError::UnsupportedField { field: "InitProducerIdRequest.Enable2Pc", version });
        }
        if version >= 6 {
            writer.bool(self.keep_prepared_txn);
        } else if self.keep_prepared_txn {
            return Err(EncodeError::UnsupportedField {
                field: "InitProducerIdRequest.KeepPreparedTxn",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for InitProducerIdRequest<'a> {
    const NAME: &'static str = "InitProducerIdRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 6;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Request<'a> for InitProducerIdRequest<'a> {
    const API_KEY: ApiKey = ApiKey(22);
    type Response<'r> = InitProducerIdResponse;
}

/// Response of API key 22 (InitProducerId), versions 0 to 6, flexible from 2.
#[derive(Clone, Debug, PartialEq)]
pub struct InitProducerIdResponse {
    /// Int32, versions 0 to 6.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 6.
    pub error_code: i16,
    /// Int64, versions 0 to 6, default -1.
    pub producer_id: i64,
    /// Int16, versions 0 to 6.
    pub producer_epoch: i16,
    /// Int64, version 6, default -1, refused elsewhere.
    pub ongoing_txn_producer_id: i64,
    /// Int16, version 6, default -1, refused elsewhere.
    pub ongoing_txn_producer_epoch: i16,
}

impl Default for InitProducerIdResponse {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            error_code: 0,
            producer_id: -1,
            producer_epoch: 0,
            ongoing_txn_producer_id: -1,
            ongoing_txn_producer_epoch: -1,
        }
    }
}

impl<'a> Element<'a> for InitProducerIdResponse {
    const MIN_LEN: usize = 16;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: reader.i16()?,
            producer_id: reader.i64()?,
            producer_epoch: reader.i16()?,
            ongoing_txn_producer_id: if version >= 6 { reader.i64()? } else { -1 },
            ongoing_txn_producer_epoch: if version >= 6 { reader.i16()? } else { -1 },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 16;
        if version >= 6 {
            size.bytes += 8;
        }
        if version >= 6 {
            size.bytes += 2;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.i16(self.error_code);
        writer.i64(self.producer_id);
        writer.i16(self.producer_epoch);
        if version >= 6 {
            writer.i64(self.ongoing_txn_producer_id);
        } else if self.ongoing_txn_producer_id != -1 {
            return Err(EncodeError::UnsupportedField {
                field: "InitProducerIdResponse.OngoingTxnProducerId",
                version,
            });
        }
        if version >= 6 {
            writer.i16(self.ongoing_txn_producer_epoch);
        } else if self.ongoing_txn_producer_epoch != -1 {
            return Err(EncodeError::UnsupportedField {
                field: "InitProducerIdResponse.OngoingTxnProducerEpoch",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for InitProducerIdResponse {
    const NAME: &'static str = "InitProducerIdResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 6;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Response<'a> for InitProducerIdResponse {
    const API_KEY: ApiKey = ApiKey(22);
}
