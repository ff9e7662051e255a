//! The primitive encodings of the Kafka protocol and the traits that messages are made of.
//!
//! Owns: [`Reader`] (borrowing decode of untrusted bytes), [`Writer`] (encode with holes for records), [`Element`] and
//! [`Message`] (what generated code implements), [`Uuid`], [`Records`] and the two error types.
//! Runs on any thread and keeps no state. Bounds: a decode never allocates more than what the bytes that are left can
//! hold as elements (see [`Reader::array`]); encoded sizes are computed before a byte is written.
//!
//! "Flexible" means the encodings of KIP-482: lengths as unsigned varints plus one, tagged fields after each struct.

mod element;
mod error;
mod reader;
mod uuid;
mod writer;

pub use element::{CoordinatorKey, MetadataMessage};
pub use element::{Element, Message, Records, Request, Response, Size};
pub use error::{DecodeError, EncodeError};
pub use reader::Reader;
pub use uuid::Uuid;
pub use writer::{Hole, Writer, unsigned_varint_len, varint_len, varlong_len};
