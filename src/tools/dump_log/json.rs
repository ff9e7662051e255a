//! JSON as Kafka's tools print it: fields in their order, no spaces, bytes as base64.

use std::fmt::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A value of a decoded record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    Array(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// A field of an object.
    pub(super) fn field_mut(&mut self, name: &str) -> Option<&mut Json> {
        match self {
            Self::Object(fields) => {
                fields.iter_mut().find(|(field, _)| *field == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write_float(f, *value),
            Self::Text(text) => write_text(f, text),
            Self::Bytes(bytes) => write!(f, "\"{}\"", STANDARD.encode(bytes)),
            Self::Array(values) => write_list(f, ['[', ']'], values, |f, value| write!(f, "{value}")),
            Self::Object(fields) => {
                write_list(f, ['{', '}'], fields, |f, (name, value)| write!(f, "\"{name}\":{value}"))
            }
        }
    }
}

/// As Java: with an exponent from ten millions on and below a thousandth.
fn write_float(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        return write!(f, "{value:?}");
    }
    let text = format!("{value:E}");
    match text.split_once('E') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => write!(f, "{mantissa}.0E{exponent}"),
        _ => f.write_str(&text),
    }
}

fn write_list<T>(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [char; 2],
    items: &[T],
    write_item: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_char(open)?;
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            f.write_char(',')?;
        }
        write_item(f, item)?;
    }
    f.write_char(close)
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\u{8}' => f.write_str("\\b")?,
            '\u{c}' => f.write_str("\\f")?,
            c if c < ' ' => write!(f, "\\u{:04X}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_as_jackson_does() {
        let value = Json::Object(vec![
            ("b", Json::Array(vec![Json::Int(-1), Json::Null, Json::Bool(true)])),
            ("a", Json::Text("\"\\\n\u{1}é".to_owned())),
            ("bytes", Json::Bytes(vec![0, 0xff])),
            ("empty", Json::Object(vec![])),
            ("floats", Json::Array([1000.0, 1e7, 10_485_760.5, 0.0005].map(Json::Float).into())),
        ]);
        let expected = r#"{"b":[-1,null,true],"a":"\"\\\n\u0001é","bytes":"AP8=","empty":{},"floats":[1000.0,1.0E7,1.04857605E7,5.0E-4]}"#;
        assert_eq!(value.to_string(), expected);
    }
}
