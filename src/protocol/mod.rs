//! The Kafka protocol as bytes: messages, frames, stored records, record batches, codecs, error codes.
//!
//! Does no I/O, keeps no state and depends on nothing else in this crate; every function may run on any thread. What
//! comes from a peer is never trusted: it gives an error, never a panic, and memory in proportion to its bytes.
//!
//! - [`wire`]: primitive encodings and the traits that messages implement; [`messages`]: what `generate.py` writes from
//!   Kafka's schemas
//! - [`frame`]: whole requests and responses; [`api_key`]: names, versions, header versions
//! - [`stored_record`]: metadata records and coordinators' records
//! - [`record_batch`]: record batches of magic 2, read, built, patched, and checked as a broker must
//! - [`codec`]: the five compressions; [`error_code`]: Kafka's codes

pub mod api_key;
pub mod codec;
pub mod error_code;
pub mod frame;
pub mod messages;
pub mod record_batch;
pub mod stored_record;
pub mod wire;

pub use api_key::{
    ApiInfo, ApiKey, PRODUCE_ADVERTISED_MIN_VERSION, request_header_version, response_header_version,
};
pub use error_code::ErrorCode;
pub use frame::{decode_request_header, decode_response, encode_request, encode_response};
pub use messages::{API_TABLE, MetadataRecord};
pub use stored_record::{
    coordinator_key_type, decode_coordinator_key, decode_versioned, encode_coordinator_key,
    encode_metadata_record, encode_versioned,
};
pub use wire::{
    CoordinatorKey, DecodeError, Element, EncodeError, Hole, Message, MetadataMessage, Reader, Records,
    Request, Response, Size, Uuid, Writer,
};
