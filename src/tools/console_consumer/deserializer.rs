//! Kafka's deserializers by their class names: from bytes to the text that Java would show.

use crate::protocol::wire::Uuid;

const PACKAGE: &str = "org.apache.kafka.common.serialization.";

/// How bytes become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deserializer {
    /// As they are: strings in UTF-8, and what is none.
    Bytes,
    Integer,
    Long,
    Short,
    Boolean,
    Uuid,
}

impl Deserializer {
    /// The deserializer of a class.
    pub(super) fn of_class(class: &str) -> Result<Self, String> {
        match class.strip_prefix(PACKAGE) {
            Some(
                "StringDeserializer"
                | "ByteArrayDeserializer"
                | "BytesDeserializer"
                | "ByteBufferDeserializer",
            ) => Ok(Self::Bytes),
            Some("IntegerDeserializer") => Ok(Self::Integer),
            Some("LongDeserializer") => Ok(Self::Long),
            Some("ShortDeserializer") => Ok(Self::Short),
            Some("BooleanDeserializer") => Ok(Self::Boolean),
            Some("UUIDDeserializer") => Ok(Self::Uuid),
            _ => Err(format!("The deserializer {class} is not served")),
        }
    }

    /// Appends the text for `bytes`.
    pub(super) fn write(self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let length = bytes.len();
        let wrong = |what: &str| {
            format!("Size of data received by {what}Deserializer is not the right one: {length}")
        };
        let text = match self {
            Self::Bytes => {
                out.extend_from_slice(bytes);
                return Ok(());
            }
            Self::Integer => i32::from_be_bytes(bytes.try_into().map_err(|_| wrong("Integer"))?).to_string(),
            Self::Long => i64::from_be_bytes(bytes.try_into().map_err(|_| wrong("Long"))?).to_string(),
            Self::Short => i16::from_be_bytes(bytes.try_into().map_err(|_| wrong("Short"))?).to_string(),
            Self::Boolean => match bytes {
                [0] => "false".to_owned(),
                [1] => "true".to_owned(),
                _ => return Err(wrong("Boolean")),
            },
            // Kafka's UUIDs travel as their text.
            Self::Uuid => {
                let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
                let plain: String = text.chars().filter(|c| *c != '-').collect();
                let number = u128::from_str_radix(&plain, 16).map_err(|_| wrong("UUID"))?;
                debug_assert_eq!(Uuid::from_u128(number).to_u128(), number);
                text
            }
        };
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(class: &str, bytes: &[u8]) -> Result<String, String> {
        let mut out = Vec::new();
        Deserializer::of_class(&format!("{PACKAGE}{class}"))?.write(bytes, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn numbers_are_shown_as_by_java() {
        assert_eq!(shown("IntegerDeserializer", &[255, 255, 255, 254]).unwrap(), "-2");
        assert_eq!(shown("LongDeserializer", &[0, 0, 0, 0, 0, 0, 1, 0]).unwrap(), "256");
        assert_eq!(shown("BooleanDeserializer", &[1]).unwrap(), "true");
        assert!(shown("LongDeserializer", &[1]).is_err());
        assert!(shown("ListDeserializer", &[1]).is_err());
    }
}
