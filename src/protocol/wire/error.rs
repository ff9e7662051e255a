//! The two error types of the wire codec: what a peer got wrong, and what our own caller got wrong.

use thiserror::Error;

/// Why bytes from a peer or from a file are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// The bytes end inside a field.
    #[error("the message ends early: {wanted} more bytes needed, {left} left")]
    UnexpectedEnd {
        /// Bytes that the field needs.
        wanted: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// Bytes are left where the message should end.
    #[error("{0} bytes after the end of the message")]
    TrailingBytes(usize),
    /// A length that is negative (other than -1 for null) or above what its type may hold.
    #[error("invalid length {0}")]
    InvalidLength(i64),
    /// An array that the bytes left cannot hold.
    #[error("an array of {length} elements in {left} bytes")]
    ArrayTooLong {
        /// Elements announced.
        length: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// Null where this version has no null.
    #[error("null for a field that is not nullable")]
    UnexpectedNull,
    /// A string that is no UTF-8.
    #[error("a string that is not UTF-8")]
    InvalidUtf8,
    /// A varint with more bytes than its type has.
    #[error("a varint that is too long")]
    VarintTooLong,
    /// A version that the message does not have.
    #[error("{message} has no version {version}")]
    UnsupportedVersion {
        /// Name of the message.
        message: &'static str,
        /// The version asked for.
        version: i16,
    },
    /// An API key that is unknown or not the expected one.
    #[error("unexpected API key {0}")]
    UnexpectedApiKey(i16),
    /// A stored record of a type that is unknown or not the expected one.
    #[error("unexpected record type {0}")]
    UnexpectedRecordType(i64),
    /// A metadata record in a frame other than version 1.
    #[error("unknown frame version {0} of a metadata record")]
    UnknownFrameVersion(u32),
}

/// Why a message cannot be written. Each is a fault of the caller, none comes from a peer's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// A field holds something that this version cannot carry, and that must not be dropped.
    #[error("{field} cannot be written in version {version}")]
    UnsupportedField {
        /// Message and field.
        field: &'static str,
        /// The version asked for.
        version: i16,
    },
    /// Null in a version in which the field is not nullable.
    #[error("{field} is null, which version {version} has not")]
    UnexpectedNull {
        /// Message and field.
        field: &'static str,
        /// The version asked for.
        version: i16,
    },
    /// A string, an array or records longer than the encoding can say.
    #[error("a length of {0} is too long for its encoding")]
    TooLong(usize),
    /// A hole for records where the caller takes none: in a request.
    #[error("a hole for records in a request")]
    UnexpectedHole,
    /// A version that the message does not have.
    #[error("{message} has no version {version}")]
    UnsupportedVersion {
        /// Name of the message.
        message: &'static str,
        /// The version asked for.
        version: i16,
    },
}
