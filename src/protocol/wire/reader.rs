//! Decode of untrusted bytes: every step is checked, nothing is copied but array elements.

use super::{DecodeError, Element, Records, Uuid};

/// Capacity that an array gets before its first element is decoded, in bytes of memory.
const FIRST_ARRAY_BYTES: usize = 16 * 1024;

/// Longest string in either encoding, as in Kafka.
const MAX_STRING_BYTES: usize = i16::MAX as usize;

/// A position in borrowed bytes.
///
/// After an error the position is unspecified; what was read before stays valid.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Bytes not read yet.
    pub fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes not read yet, without moving.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// Ends a decode that must have used everything.
    ///
    /// # Errors
    /// [`DecodeError::TrailingBytes`] if bytes are left.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(DecodeError::TrailingBytes(self.bytes.len())) }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`DecodeError::UnexpectedEnd`] if fewer are left; so for every other read of this type.
    #[inline]
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let Some((head, tail)) = self.bytes.split_at_checked(count) else {
            return Err(DecodeError::UnexpectedEnd { wanted: count, left: self.bytes.len() });
        };
        self.bytes = tail;
        Ok(head)
    }

    #[inline]
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let Some((head, tail)) = self.bytes.split_first_chunk::<N>() else {
            return Err(DecodeError::UnexpectedEnd { wanted: N, left: self.bytes.len() });
        };
        self.bytes = tail;
        Ok(*head)
    }

    /// A signed byte.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn i8(&mut self) -> Result<i8, DecodeError> {
        Ok(i8::from_be_bytes(self.fixed()?))
    }

    /// A byte that is false when zero.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn bool(&mut self) -> Result<bool, DecodeError> {
        Ok(self.i8()? != 0)
    }

    /// Two bytes, signed.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn i16(&mut self) -> Result<i16, DecodeError> {
        Ok(i16::from_be_bytes(self.fixed()?))
    }

    /// Two bytes, unsigned.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn u16(&mut self) -> Result<u16, DecodeError> {
        Ok(u16::from_be_bytes(self.fixed()?))
    }

    /// Four bytes, signed.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn i32(&mut self) -> Result<i32, DecodeError> {
        Ok(i32::from_be_bytes(self.fixed()?))
    }

    /// Four bytes, unsigned.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(u32::from_be_bytes(self.fixed()?))
    }

    /// Eight bytes, signed.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn i64(&mut self) -> Result<i64, DecodeError> {
        Ok(i64::from_be_bytes(self.fixed()?))
    }

    /// An IEEE 754 double.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn f64(&mut self) -> Result<f64, DecodeError> {
        Ok(f64::from_be_bytes(self.fixed()?))
    }

    /// Sixteen bytes.
    ///
    /// # Errors
    /// See [`Reader::take`].
    #[inline]
    pub fn uuid(&mut self) -> Result<Uuid, DecodeError> {
        Ok(Uuid(self.fixed()?))
    }

    /// An unsigned varint of up to 5 bytes.
    ///
    /// # Errors
    /// [`DecodeError::VarintTooLong`] beyond 5 bytes, else see [`Reader::take`].
    #[inline]
    pub fn unsigned_varint(&mut self) -> Result<u32, DecodeError> {
        if let Some((&first, tail)) = self.bytes.split_first()
            && first < 0x80
        {
            self.bytes = tail;
            return Ok(u32::from(first));
        }
        let mut value = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = self.fixed()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(DecodeError::VarintTooLong)
    }

    /// A zigzag varint of up to 5 bytes.
    ///
    /// # Errors
    /// See [`Reader::unsigned_varint`].
    #[inline]
    pub fn varint(&mut self) -> Result<i32, DecodeError> {
        let value = self.unsigned_varint()?;
        Ok((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    /// A zigzag varint of up to 10 bytes.
    ///
    /// # Errors
    /// [`DecodeError::VarintTooLong`] beyond 10 bytes, else see [`Reader::take`].
    #[inline]
    pub fn varlong(&mut self) -> Result<i64, DecodeError> {
        let mut value = 0u64;
        for step in 0..10 {
            let [byte] = self.fixed()?;
            value |= u64::from(byte & 0x7f) << (step * 7);
            if byte & 0x80 == 0 {
                return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
            }
        }
        Err(DecodeError::VarintTooLong)
    }

    /// A length with a null: -1 as two or four bytes, or zero in the flexible encoding.
    #[inline]
    fn length(&mut self, flexible: bool, short: bool) -> Result<Option<usize>, DecodeError> {
        let length = if flexible {
            i64::from(self.unsigned_varint()?) - 1
        } else if short {
            i64::from(self.i16()?)
        } else {
            i64::from(self.i32()?)
        };
        match length {
            -1 => Ok(None),
            0..=0x7fff_ffff => Ok(Some(length as usize)),
            _ => Err(DecodeError::InvalidLength(length)),
        }
    }

    /// A string that may be null.
    ///
    /// # Errors
    /// [`DecodeError::InvalidUtf8`], [`DecodeError::InvalidLength`], or see [`Reader::take`].
    pub fn nullable_string(&mut self, flexible: bool) -> Result<Option<&'a str>, DecodeError> {
        let Some(length) = self.length(flexible, true)? else { return Ok(None) };
        if length > MAX_STRING_BYTES {
            return Err(DecodeError::InvalidLength(length as i64));
        }
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map(Some).map_err(|_| DecodeError::InvalidUtf8)
    }

    /// A string.
    ///
    /// # Errors
    /// [`DecodeError::UnexpectedNull`] for null, else see [`Reader::nullable_string`].
    pub fn string(&mut self, flexible: bool) -> Result<&'a str, DecodeError> {
        self.nullable_string(flexible)?.ok_or(DecodeError::UnexpectedNull)
    }

    /// Bytes that may be null.
    ///
    /// # Errors
    /// [`DecodeError::InvalidLength`], or see [`Reader::take`].
    pub fn nullable_bytes(&mut self, flexible: bool) -> Result<Option<&'a [u8]>, DecodeError> {
        match self.length(flexible, false)? {
            Some(length) => self.take(length).map(Some),
            None => Ok(None),
        }
    }

    /// Bytes.
    ///
    /// # Errors
    /// [`DecodeError::UnexpectedNull`] for null, else see [`Reader::nullable_bytes`].
    pub fn bytes(&mut self, flexible: bool) -> Result<&'a [u8], DecodeError> {
        self.nullable_bytes(flexible)?.ok_or(DecodeError::UnexpectedNull)
    }

    /// Record batches, or null; their inside is not looked at.
    ///
    /// # Errors
    /// See [`Reader::nullable_bytes`].
    pub fn records(&mut self, flexible: bool) -> Result<Records<'a>, DecodeError> {
        Ok(self.nullable_bytes(flexible)?.map_or(Records::Null, Records::Slice))
    }

    /// An array that may be null.
    ///
    /// The announced length is refused if the bytes left cannot hold it, and memory grows with the elements that were
    /// really decoded: at most `size_of::<T>() / T::MIN_LEN` (and growth of a `Vec`) times the bytes read.
    ///
    /// # Errors
    /// [`DecodeError::ArrayTooLong`], [`DecodeError::InvalidLength`], or what an element gives.
    pub fn nullable_array<T: Element<'a>>(
        &mut self,
        version: i16,
        flexible: bool,
    ) -> Result<Option<Vec<T>>, DecodeError> {
        let Some(length) = self.length(flexible, false)? else { return Ok(None) };
        let left = self.bytes.len();
        if length.checked_mul(T::MIN_LEN).is_none_or(|least| least > left) {
            return Err(DecodeError::ArrayTooLong { length, left });
        }
        let mut array = Vec::with_capacity(length.min(FIRST_ARRAY_BYTES / size_of::<T>().max(1)));
        for _ in 0..length {
            array.push(T::read(self, version, flexible)?);
        }
        Ok(Some(array))
    }

    /// An array.
    ///
    /// # Errors
    /// [`DecodeError::UnexpectedNull`] for null, else see [`Reader::nullable_array`].
    pub fn array<T: Element<'a>>(&mut self, version: i16, flexible: bool) -> Result<Vec<T>, DecodeError> {
        self.nullable_array(version, flexible)?.ok_or(DecodeError::UnexpectedNull)
    }

    /// A struct behind a marker byte: negative for null.
    ///
    /// # Errors
    /// What the struct gives.
    pub fn nullable_struct<T: Element<'a>>(
        &mut self,
        version: i16,
        flexible: bool,
    ) -> Result<Option<T>, DecodeError> {
        if self.i8()? < 0 { Ok(None) } else { T::read(self, version, flexible).map(Some) }
    }

    /// The tagged fields that end a struct of a flexible version (KIP-482).
    ///
    /// `field` gets each tag with a reader over exactly its bytes and returns whether it knows the tag; what it does not
    /// know is skipped.
    ///
    /// # Errors
    /// What `field` gives, [`DecodeError::TrailingBytes`] if a known field is shorter than announced, or see
    /// [`Reader::take`].
    pub fn tagged_fields(
        &mut self,
        mut field: impl FnMut(u32, &mut Reader<'a>) -> Result<bool, DecodeError>,
    ) -> Result<(), DecodeError> {
        for _ in 0..self.unsigned_varint()? {
            let tag = self.unsigned_varint()?;
            let length = self.unsigned_varint()? as usize;
            let mut inner = Reader::new(self.take(length)?);
            if field(tag, &mut inner)? {
                inner.finish()?;
            }
        }
        Ok(())
    }

    /// Skips the tagged fields of a struct that knows none.
    ///
    /// # Errors
    /// See [`Reader::take`].
    pub fn skip_tagged_fields(&mut self) -> Result<(), DecodeError> {
        for _ in 0..self.unsigned_varint()? {
            self.unsigned_varint()?;
            let length = self.unsigned_varint()? as usize;
            self.take(length)?;
        }
        Ok(())
    }
}
