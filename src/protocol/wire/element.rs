//! The traits that generated messages implement, and the few types that their fields have.

use super::{DecodeError, EncodeError, Reader, Uuid, Writer, unsigned_varint_len};
use crate::protocol::api_key::ApiKey;

/// The encoded size of something, counted before a byte is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Bytes that a [`Writer`] writes.
    pub bytes: usize,
    /// Bytes that belong in holes.
    pub hole_bytes: usize,
}

impl Size {
    /// All bytes, those in holes included.
    pub fn total(self) -> usize {
        self.bytes + self.hole_bytes
    }

    fn length(&mut self, length: Option<usize>, flexible: bool, width: usize) {
        self.bytes += if flexible {
            unsigned_varint_len(length.map_or(0, |length| (length as u32).wrapping_add(1)))
        } else {
            width
        };
    }

    /// Adds a string or null.
    pub fn string(&mut self, value: Option<&str>, flexible: bool) {
        self.length(value.map(str::len), flexible, 2);
        self.bytes += value.map_or(0, str::len);
    }

    /// Adds bytes or null.
    pub fn byte_string(&mut self, value: Option<&[u8]>, flexible: bool) {
        self.length(value.map(<[u8]>::len), flexible, 4);
        self.bytes += value.map_or(0, <[u8]>::len);
    }

    /// Adds records.
    pub fn records(&mut self, value: &Records<'_>, flexible: bool) {
        match *value {
            Records::Null => self.length(None, flexible, 4),
            Records::Slice(bytes) => self.byte_string(Some(bytes), flexible),
            Records::Hole(length) => {
                self.length(Some(length as usize), flexible, 4);
                self.hole_bytes += length as usize;
            }
        }
    }

    /// Adds an array or null.
    pub fn array<'a, T: Element<'a>>(&mut self, value: Option<&[T]>, version: i16, flexible: bool) {
        self.length(value.map(<[T]>::len), flexible, 4);
        for element in value.unwrap_or_default() {
            element.size(self, version, flexible);
        }
    }

    /// Adds a struct behind its marker byte, or null.
    pub fn nullable_struct<'a, T: Element<'a>>(&mut self, value: Option<&T>, version: i16, flexible: bool) {
        self.bytes += 1;
        if let Some(value) = value {
            value.size(self, version, flexible);
        }
    }

    /// Adds a tagged field with the content that `content` adds.
    pub fn tagged(&mut self, tag: u32, content: impl FnOnce(&mut Self)) {
        let before = self.total();
        content(self);
        let length = self.total() - before;
        self.bytes += unsigned_varint_len(tag) + unsigned_varint_len(length as u32);
    }

    /// The size of what `content` adds, on its own.
    pub fn of(content: impl FnOnce(&mut Self)) -> usize {
        let mut size = Self::default();
        content(&mut size);
        size.total()
    }
}

/// Whatever can be an element of an array, or a struct field: generated structs and a few primitives.
///
/// `version` is the message's version, `flexible` whether that is a flexible one.
pub trait Element<'a>: Sized {
    /// The fewest bytes that one takes in any version; at least 1.
    const MIN_LEN: usize;

    /// Reads one.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are none.
    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError>;

    /// Adds the encoded size, exact for everything that [`Element::write`] accepts.
    fn size(&self, size: &mut Size, version: i16, flexible: bool);

    /// Writes one.
    ///
    /// # Errors
    /// [`EncodeError`] if this version cannot carry it.
    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError>;
}

macro_rules! fixed_element {
    ($type:ty, $bytes:literal, $method:ident) => {
        impl<'a> Element<'a> for $type {
            const MIN_LEN: usize = $bytes;

            #[inline]
            fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
                reader.$method()
            }

            #[inline]
            fn size(&self, size: &mut Size, _: i16, _: bool) {
                size.bytes += $bytes;
            }

            #[inline]
            fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
                writer.$method(*self);
                Ok(())
            }
        }
    };
}

fixed_element!(bool, 1, bool);
fixed_element!(i8, 1, i8);
fixed_element!(i16, 2, i16);
fixed_element!(u16, 2, u16);
fixed_element!(i32, 4, i32);
fixed_element!(u32, 4, u32);
fixed_element!(i64, 8, i64);
fixed_element!(f64, 8, f64);
fixed_element!(Uuid, 16, uuid);

impl<'a> Element<'a> for &'a str {
    const MIN_LEN: usize = 1;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        reader.string(flexible)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self), flexible);
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self, flexible)
    }
}

impl<'a> Element<'a> for &'a [u8] {
    const MIN_LEN: usize = 1;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        reader.bytes(flexible)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.byte_string(Some(self), flexible);
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.bytes(self, flexible)
    }
}

/// The records of one partition inside a produce request or a fetch response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Records<'a> {
    /// None at all.
    #[default]
    Null,
    /// Whole batches in memory; written by copy.
    Slice(&'a [u8]),
    /// So many bytes that the sender puts in itself, from memory or from a file; see [`Writer::holes`]. Never decoded.
    Hole(u32),
}

impl<'a> Records<'a> {
    /// Bytes of records.
    pub fn len(&self) -> usize {
        match *self {
            Self::Null => 0,
            Self::Slice(bytes) => bytes.len(),
            Self::Hole(length) => length as usize,
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes, if they are in memory.
    pub fn as_slice(&self) -> Option<&'a [u8]> {
        match *self {
            Self::Slice(bytes) => Some(bytes),
            Self::Null | Self::Hole(_) => None,
        }
    }
}

/// A message with versions of its own: request, response, header, or stored record.
pub trait Message<'a>: Element<'a> {
    /// The schema's name.
    const NAME: &'static str;
    /// The oldest version.
    const MIN_VERSION: i16;
    /// The newest version.
    const MAX_VERSION: i16;
    /// The first flexible version; `i16::MAX` if there is none.
    const FLEXIBLE_FROM: i16;

    /// Whether this version exists.
    fn has_version(version: i16) -> bool {
        (Self::MIN_VERSION..=Self::MAX_VERSION).contains(&version)
    }

    /// Reads the message; bytes behind it stay in the reader.
    ///
    /// # Errors
    /// [`DecodeError::UnsupportedVersion`], or what the bytes give.
    fn decode(reader: &mut Reader<'a>, version: i16) -> Result<Self, DecodeError> {
        if !Self::has_version(version) {
            return Err(DecodeError::UnsupportedVersion { message: Self::NAME, version });
        }
        Self::read(reader, version, version >= Self::FLEXIBLE_FROM)
    }

    /// The encoded size, exact for everything that [`Message::encode`] accepts.
    fn encoded_size(&self, version: i16) -> Size {
        let mut size = Size::default();
        self.size(&mut size, version, version >= Self::FLEXIBLE_FROM);
        size
    }

    /// Encoded bytes, those in holes included.
    fn encoded_len(&self, version: i16) -> usize {
        self.encoded_size(version).total()
    }

    /// Encoded bytes, without those in holes.
    fn buffer_len(&self, version: i16) -> usize {
        self.encoded_size(version).bytes
    }

    /// Writes the message. A field that this version lacks is dropped if the schema calls it ignorable.
    ///
    /// # Errors
    /// [`EncodeError`]; what was written so far stays in the writer.
    fn encode(&self, writer: &mut Writer, version: i16) -> Result<(), EncodeError> {
        if !Self::has_version(version) {
            return Err(EncodeError::UnsupportedVersion { message: Self::NAME, version });
        }
        self.write(writer, version, version >= Self::FLEXIBLE_FROM)
    }
}

/// A request. Its response has the same key and versions.
pub trait Request<'a>: Message<'a> {
    /// The API key.
    const API_KEY: ApiKey;
    /// The response, borrowing from its own frame.
    type Response<'r>: Response<'r>;
}

/// A response.
pub trait Response<'a>: Message<'a> {
    /// The API key of its request.
    const API_KEY: ApiKey;
}

/// A record of the metadata log.
pub trait MetadataMessage<'a>: Message<'a> {
    /// The number that names the type in the record's frame.
    const RECORD_TYPE: i16;
}

/// The key of a record in a coordinator's log; always written in version 0 behind its type.
pub trait CoordinatorKey<'a>: Message<'a> {
    /// The number in front of the key.
    const RECORD_TYPE: i16;
}
