//! Reads a record by a table of its fields, for the tool alone: it shows every field under Kafka's name for it, which
//! the broker's own types do not keep.

use std::ops::RangeInclusive;

use super::json::Json;
use crate::protocol::{DecodeError, Reader};

/// No version.
pub(super) const NEVER: i16 = i16::MAX;

/// A message and its fields.
#[derive(Debug)]
pub(super) struct Schema {
    /// Kafka's name in capitals.
    pub(super) name: &'static str,
    /// Its number in the log, or -1.
    pub(super) record_type: i16,
    /// The versions that can be read.
    pub(super) versions: RangeInclusive<i16>,
    /// From this version on lengths are varints and structs have tagged fields (KIP-482).
    pub(super) flexible_from: i16,
    /// In their order.
    pub(super) fields: &'static [Field],
}

/// One field.
#[derive(Debug)]
pub(super) struct Field {
    name: &'static str,
    kind: Kind,
    since: i16,
    until: i16,
    nullable_since: i16,
    tag: Option<u32>,
}

/// What a field holds.
#[derive(Debug)]
pub(super) enum Kind {
    Bool,
    Int8,
    Int16,
    Uint16,
    Int32,
    Int64,
    Float64,
    Text,
    Bytes,
    Uuid,
    Array(&'static Kind),
    Struct(&'static [Field]),
}

/// A field in all versions, never null.
pub(super) const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, since: 0, until: NEVER, nullable_since: NEVER, tag: None }
}

impl Field {
    /// In this version and later.
    pub(super) const fn since(self, version: i16) -> Self {
        Self { since: version, ..self }
    }

    /// In this version and earlier.
    pub(super) const fn until(self, version: i16) -> Self {
        Self { until: version, ..self }
    }

    /// May be null in this version and later.
    pub(super) const fn nullable(self, version: i16) -> Self {
        Self { nullable_since: version, ..self }
    }

    /// Stands behind the other fields, under a number, if it is not its default.
    pub(super) const fn tagged(self, tag: u32) -> Self {
        Self { tag: Some(tag), ..self }
    }

    fn is_in(&self, version: i16) -> bool {
        (self.since..=self.until).contains(&version)
    }
}

impl Schema {
    /// Reads the message; bytes behind it are ignored, as Kafka's tool does.
    pub(super) fn read(&self, bytes: &[u8], version: i16) -> Result<Json, String> {
        if !self.versions.contains(&version) {
            return Err(format!("Can't read version {version} of {}", self.name));
        }
        let flexible = version >= self.flexible_from;
        read_struct(self.fields, &mut Reader::new(bytes), version, flexible)
            .map_err(|error| error.to_string())
    }
}

/// The schema with this number in the log.
pub(super) fn find(schemas: &'static [&'static Schema], record_type: i16) -> Option<&'static Schema> {
    schemas.iter().find(|schema| schema.record_type == record_type).copied()
}

fn read_struct(
    fields: &'static [Field],
    reader: &mut Reader<'_>,
    version: i16,
    flexible: bool,
) -> Result<Json, DecodeError> {
    let mut values: Vec<Option<Json>> = Vec::with_capacity(fields.len());
    for field in fields {
        let here = field.tag.is_none() && field.is_in(version);
        values.push(if here { Some(read_field(field, reader, version, flexible)?) } else { None });
    }
    if flexible {
        for _ in 0..reader.unsigned_varint()? {
            let tag = reader.unsigned_varint()?;
            let size = length(reader.unsigned_varint()?, reader)?;
            let bytes = reader.take(size)?;
            let known = fields.iter().position(|field| field.tag == Some(tag) && field.is_in(version));
            if let Some(field) = known.and_then(|number| fields.get(number))
                && let Some(slot) = known.and_then(|number| values.get_mut(number))
            {
                *slot = Some(read_field(field, &mut Reader::new(bytes), version, flexible)?);
            }
        }
    }
    let named = fields.iter().zip(values).filter_map(|(field, value)| Some((field.name, value?)));
    Ok(Json::Object(named.collect()))
}

fn read_field(
    field: &'static Field,
    reader: &mut Reader<'_>,
    version: i16,
    flexible: bool,
) -> Result<Json, DecodeError> {
    let nullable = version >= field.nullable_since;
    if nullable && matches!(field.kind, Kind::Struct(_)) {
        // Kafka marks a null struct with -1, one among the tagged fields with 0.
        let mark = reader.i8()?;
        if mark < 0 || (mark == 0 && field.tag.is_some()) {
            return Ok(Json::Null);
        }
    }
    read_value(&field.kind, reader, version, flexible, nullable)
}

fn read_value(
    kind: &'static Kind,
    reader: &mut Reader<'_>,
    version: i16,
    flexible: bool,
    nullable: bool,
) -> Result<Json, DecodeError> {
    let text = |text: Option<&str>| text.map_or(Json::Null, |text| Json::Text(text.to_owned()));
    let bytes = |bytes: Option<&[u8]>| bytes.map_or(Json::Null, |bytes| Json::Bytes(bytes.to_vec()));
    Ok(match kind {
        Kind::Bool => Json::Bool(reader.bool()?),
        Kind::Int8 => Json::Int(reader.i8()?.into()),
        Kind::Int16 => Json::Int(reader.i16()?.into()),
        Kind::Uint16 => Json::Int(reader.u16()?.into()),
        Kind::Int32 => Json::Int(reader.i32()?.into()),
        Kind::Int64 => Json::Int(reader.i64()?),
        Kind::Float64 => Json::Float(reader.f64()?),
        Kind::Uuid => Json::Text(reader.uuid()?.to_string()),
        Kind::Text if nullable => text(reader.nullable_string(flexible)?),
        Kind::Text => text(Some(reader.string(flexible)?)),
        Kind::Bytes if nullable => bytes(reader.nullable_bytes(flexible)?),
        Kind::Bytes => bytes(Some(reader.bytes(flexible)?)),
        Kind::Array(element) => return read_array(element, reader, version, flexible),
        Kind::Struct(fields) => return read_struct(fields, reader, version, flexible),
    })
}

fn read_array(
    element: &'static Kind,
    reader: &mut Reader<'_>,
    version: i16,
    flexible: bool,
) -> Result<Json, DecodeError> {
    let count =
        if flexible { reader.unsigned_varint()?.checked_sub(1) } else { u32::try_from(reader.i32()?).ok() };
    let Some(count) = count else {
        return Ok(Json::Null);
    };
    // Every element has at least a byte.
    let count = length(count, reader)?;
    let values = (0..count).map(|_| read_value(element, reader, version, flexible, false));
    values.collect::<Result<_, _>>().map(Json::Array)
}

/// A length that the bytes that are left can hold.
fn length(stated: u32, reader: &Reader<'_>) -> Result<usize, DecodeError> {
    let left = reader.remaining();
    let wanted = usize::try_from(stated).unwrap_or(usize::MAX);
    if wanted <= left { Ok(wanted) } else { Err(DecodeError::UnexpectedEnd { wanted, left }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    static EXAMPLE: Schema = Schema {
        name: "EXAMPLE",
        record_type: 7,
        versions: 0..=2,
        flexible_from: 1,
        fields: &[
            field("id", Kind::Int32),
            field("old", Kind::Bool).until(0),
            field("late", Kind::Text).tagged(3).since(2).nullable(2),
            field("list", Kind::Array(&Kind::Struct(&[field("n", Kind::Int16)]))),
        ],
    };

    #[test]
    fn versions_decide_the_fields_and_the_encoding() {
        let old = [0, 0, 0, 5, 1, 0, 0, 0, 1, 0, 9];
        assert_eq!(EXAMPLE.read(&old, 0).unwrap().to_string(), r#"{"id":5,"old":true,"list":[{"n":9}]}"#);
        let new = [0, 0, 0, 5, 2, 0, 9, 0, 2, 3, 2, 2, b'x', 9, 1, 0];
        let tagged = r#"{"id":5,"late":"x","list":[{"n":9}]}"#;
        assert_eq!(EXAMPLE.read(&new, 2).unwrap().to_string(), tagged);
        assert_eq!(
            EXAMPLE.read(&new, 1).unwrap().to_string(),
            r#"{"id":5,"list":[{"n":9}]}"#,
            "tag not known"
        );
        assert_eq!(EXAMPLE.read(&new, 3).unwrap_err(), "Can't read version 3 of EXAMPLE");
    }

    #[test]
    fn a_hostile_length_is_an_error() {
        let bytes = [0, 0, 0, 5, 1, 0x7f, 0xff, 0xff, 0xff, 0, 9];
        assert!(EXAMPLE.read(&bytes, 0).is_err());
        for cut in 0..11 {
            assert!(EXAMPLE.read(&[0, 0, 0, 5, 1, 0, 0, 0, 1, 0, 9][..cut], 0).is_err(), "cut at {cut}");
        }
    }
}
