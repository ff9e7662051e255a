//! Encode into one growing buffer, with holes where records go.

use bytes::{BufMut, BytesMut};

use super::{Element, EncodeError, Records, Uuid};

/// Where bytes that are never copied into a message belong: `(position, length)`.
///
/// The position counts bytes of the buffer as it is, without the bytes of this or earlier holes: to send the message,
/// write the buffer up to the position, then `length` bytes of records, and go on behind it.
pub type Hole = (usize, u32);

/// Longest string in either encoding, as in Kafka.
const MAX_STRING_BYTES: usize = i16::MAX as usize;

/// Longest bytes, records or array in either encoding, as in Kafka.
const MAX_LENGTH: usize = i32::MAX as usize;

/// A buffer under construction and the holes in it.
#[derive(Debug, Default)]
pub struct Writer {
    buffer: BytesMut,
    holes: Vec<Hole>,
}

impl Writer {
    /// An empty writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty writer with room for `bytes` bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self::from_buf(BytesMut::with_capacity(bytes))
    }

    /// A writer that appends to `buffer`; positions of holes count from its start.
    pub fn from_buf(buffer: BytesMut) -> Self {
        Self { buffer, holes: Vec::new() }
    }

    /// What is written.
    pub fn as_slice(&self) -> &[u8] {
        &self.buffer
    }

    /// Bytes written, without those of the holes.
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// The holes so far, in order.
    pub fn holes(&self) -> &[Hole] {
        &self.holes
    }

    /// Bytes that belong in the holes.
    pub fn hole_bytes(&self) -> usize {
        self.holes.iter().map(|&(_, length)| length as usize).sum()
    }

    /// The buffer and its holes.
    pub fn finish(self) -> (BytesMut, Vec<Hole>) {
        (self.buffer, self.holes)
    }

    /// Bytes as they are, without a length.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.buffer.put_slice(bytes);
    }

    /// A signed byte.
    #[inline]
    pub fn i8(&mut self, value: i8) {
        self.buffer.put_i8(value);
    }

    /// One byte, 1 for true.
    #[inline]
    pub fn bool(&mut self, value: bool) {
        self.buffer.put_u8(u8::from(value));
    }

    /// Two bytes, signed.
    #[inline]
    pub fn i16(&mut self, value: i16) {
        self.buffer.put_i16(value);
    }

    /// Two bytes, unsigned.
    #[inline]
    pub fn u16(&mut self, value: u16) {
        self.buffer.put_u16(value);
    }

    /// Four bytes, signed.
    #[inline]
    pub fn i32(&mut self, value: i32) {
        self.buffer.put_i32(value);
    }

    /// Four bytes, unsigned.
    #[inline]
    pub fn u32(&mut self, value: u32) {
        self.buffer.put_u32(value);
    }

    /// Eight bytes, signed.
    #[inline]
    pub fn i64(&mut self, value: i64) {
        self.buffer.put_i64(value);
    }

    /// An IEEE 754 double.
    #[inline]
    pub fn f64(&mut self, value: f64) {
        self.buffer.put_f64(value);
    }

    /// Sixteen bytes.
    #[inline]
    pub fn uuid(&mut self, value: Uuid) {
        self.buffer.put_slice(&value.0);
    }

    /// An unsigned varint of up to 5 bytes.
    #[inline]
    pub fn unsigned_varint(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.buffer.put_u8(value as u8 | 0x80);
            value >>= 7;
        }
        self.buffer.put_u8(value as u8);
    }

    /// A zigzag varint of up to 5 bytes.
    #[inline]
    pub fn varint(&mut self, value: i32) {
        self.unsigned_varint(((value << 1) ^ (value >> 31)) as u32);
    }

    /// A zigzag varint of up to 10 bytes.
    pub fn varlong(&mut self, value: i64) {
        let mut value = ((value << 1) ^ (value >> 63)) as u64;
        while value >= 0x80 {
            self.buffer.put_u8(value as u8 | 0x80);
            value >>= 7;
        }
        self.buffer.put_u8(value as u8);
    }

    fn length(&mut self, length: Option<usize>, flexible: bool, short: bool) -> Result<(), EncodeError> {
        let limit = if short { MAX_STRING_BYTES } else { MAX_LENGTH };
        if let Some(length) = length
            && length > limit
        {
            return Err(EncodeError::TooLong(length));
        }
        // At most i32::MAX here, so neither the sum nor the casts lose anything.
        if flexible {
            self.unsigned_varint(length.map_or(0, |length| length as u32 + 1));
        } else if short {
            self.i16(length.map_or(-1, |length| length as i16));
        } else {
            self.i32(length.map_or(-1, |length| length as i32));
        }
        Ok(())
    }

    /// A string or null.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`] above 32,767 bytes.
    pub fn nullable_string(&mut self, value: Option<&str>, flexible: bool) -> Result<(), EncodeError> {
        self.length(value.map(str::len), flexible, true)?;
        self.raw(value.unwrap_or_default().as_bytes());
        Ok(())
    }

    /// A string.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`] above 32,767 bytes.
    pub fn string(&mut self, value: &str, flexible: bool) -> Result<(), EncodeError> {
        self.nullable_string(Some(value), flexible)
    }

    /// Bytes or null.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`] above 2 GiB.
    pub fn nullable_bytes(&mut self, value: Option<&[u8]>, flexible: bool) -> Result<(), EncodeError> {
        self.length(value.map(<[u8]>::len), flexible, false)?;
        self.raw(value.unwrap_or_default());
        Ok(())
    }

    /// Bytes.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`] above 2 GiB.
    pub fn bytes(&mut self, value: &[u8], flexible: bool) -> Result<(), EncodeError> {
        self.nullable_bytes(Some(value), flexible)
    }

    /// Records: null, a copy, or a hole of which only the length is written.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`] above 2 GiB.
    pub fn records(&mut self, value: &Records<'_>, flexible: bool) -> Result<(), EncodeError> {
        match *value {
            Records::Null => self.length(None, flexible, false),
            Records::Slice(bytes) => self.bytes(bytes, flexible),
            Records::Hole(length) => {
                self.length(Some(length as usize), flexible, false)?;
                if length > 0 {
                    self.holes.push((self.buffer.len(), length));
                }
                Ok(())
            }
        }
    }

    /// An array or null.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`], or what an element gives.
    pub fn nullable_array<'a, T: Element<'a>>(
        &mut self,
        value: Option<&[T]>,
        version: i16,
        flexible: bool,
    ) -> Result<(), EncodeError> {
        self.length(value.map(<[T]>::len), flexible, false)?;
        value.unwrap_or_default().iter().try_for_each(|element| element.write(self, version, flexible))
    }

    /// An array.
    ///
    /// # Errors
    /// See [`Writer::nullable_array`].
    pub fn array<'a, T: Element<'a>>(
        &mut self,
        value: &[T],
        version: i16,
        flexible: bool,
    ) -> Result<(), EncodeError> {
        self.nullable_array(Some(value), version, flexible)
    }

    /// A struct behind a marker byte: -1 for null.
    ///
    /// # Errors
    /// What the struct gives.
    pub fn nullable_struct<'a, T: Element<'a>>(
        &mut self,
        value: Option<&T>,
        version: i16,
        flexible: bool,
    ) -> Result<(), EncodeError> {
        self.i8(if value.is_some() { 1 } else { -1 });
        value.map_or(Ok(()), |value| value.write(self, version, flexible))
    }

    /// The head of a tagged field whose content of `length` bytes follows.
    pub fn tag(&mut self, tag: u32, length: usize) {
        self.unsigned_varint(tag);
        self.unsigned_varint(length as u32);
    }
}

/// Bytes of an unsigned varint, 1 to 5.
#[inline]
pub fn unsigned_varint_len(value: u32) -> usize {
    (38 - (value | 1).leading_zeros() as usize) / 7
}

/// Bytes of a zigzag varint, 1 to 5.
#[inline]
pub fn varint_len(value: i32) -> usize {
    unsigned_varint_len(((value << 1) ^ (value >> 31)) as u32)
}

/// Bytes of a zigzag varint of 64 bits, 1 to 10.
#[inline]
pub fn varlong_len(value: i64) -> usize {
    let value = ((value << 1) ^ (value >> 63)) as u64;
    (70 - (value | 1).leading_zeros() as usize) / 7
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::*;

    #[test]
    fn varints_have_the_length_that_is_computed_and_come_back() {
        for shift in 0..64 {
            for value in [1i64 << shift, (1i64 << shift).wrapping_sub(1), i64::MIN, -1, 0] {
                let mut writer = Writer::new();
                writer.varlong(value);
                assert_eq!(writer.len(), varlong_len(value));
                assert_eq!(Reader::new(writer.as_slice()).varlong(), Ok(value));
                let mut writer = Writer::new();
                writer.varint(value as i32);
                assert_eq!(writer.len(), varint_len(value as i32));
                assert_eq!(Reader::new(writer.as_slice()).varint(), Ok(value as i32));
                let mut writer = Writer::new();
                writer.unsigned_varint(value as u32);
                assert_eq!(writer.len(), unsigned_varint_len(value as u32));
                assert_eq!(Reader::new(writer.as_slice()).unsigned_varint(), Ok(value as u32));
            }
        }
    }

    #[test]
    fn null_and_empty_differ_in_both_encodings() {
        for flexible in [false, true] {
            let mut writer = Writer::new();
            writer.nullable_string(None, flexible).unwrap();
            writer.nullable_string(Some(""), flexible).unwrap();
            writer.nullable_bytes(None, flexible).unwrap();
            writer.nullable_bytes(Some(b""), flexible).unwrap();
            writer.nullable_array::<i32>(None, 0, flexible).unwrap();
            writer.nullable_array::<i32>(Some(&[]), 0, flexible).unwrap();
            writer.records(&Records::Hole(0), flexible).unwrap();
            assert_eq!(writer.holes(), [], "an empty hole is none");
            let mut reader = Reader::new(writer.as_slice());
            assert_eq!(reader.nullable_string(flexible), Ok(None));
            assert_eq!(reader.nullable_string(flexible), Ok(Some("")));
            assert_eq!(reader.nullable_bytes(flexible), Ok(None));
            assert_eq!(reader.nullable_bytes(flexible), Ok(Some(&b""[..])));
            assert_eq!(reader.nullable_array::<i32>(0, flexible), Ok(None));
            assert_eq!(reader.nullable_array::<i32>(0, flexible), Ok(Some(vec![])));
            assert_eq!(reader.records(flexible), Ok(Records::Slice(b"")));
            assert_eq!(reader.finish(), Ok(()));
        }
    }
}
