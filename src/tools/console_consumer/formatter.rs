//! From records to bytes on standard output, field by field as Kafka's DefaultMessageFormatter does.

use super::deserializer::Deserializer;
use crate::protocol::record_batch::{NO_TIMESTAMP, TimestampType};
use crate::tools::consumer::ConsumerRecord;
use crate::tools::properties::Properties;

const PACKAGE: &str = "org.apache.kafka.tools.consumer.";

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Formatter {
    /// Nothing is shown at all.
    silent: bool,
    timestamp: bool,
    partition: bool,
    offset: bool,
    delivery: bool,
    epoch: bool,
    headers: bool,
    key: bool,
    value: bool,
    key_separator: Vec<u8>,
    line_separator: Vec<u8>,
    headers_separator: Vec<u8>,
    null_literal: Vec<u8>,
    key_deserializer: Deserializer,
    value_deserializer: Deserializer,
    headers_deserializer: Deserializer,
}

impl Formatter {
    /// The formatter of a class with these properties.
    pub(super) fn new(class: Option<&str>, properties: &Properties) -> Result<Self, String> {
        let silent = match class.map(|class| class.strip_prefix(PACKAGE).unwrap_or(class)) {
            None | Some("DefaultMessageFormatter") => false,
            Some("NoOpMessageFormatter") => true,
            Some(other) => return Err(format!("The formatter {other} is not served")),
        };
        let flag = |key, default| properties.is_true(key).unwrap_or(default);
        let bytes = |key, default: &str| properties.get(key).unwrap_or(default).as_bytes().to_vec();
        let deserializer = |key| properties.get(key).map_or(Ok(Deserializer::Bytes), Deserializer::of_class);
        Ok(Self {
            silent,
            timestamp: flag("print.timestamp", false),
            partition: flag("print.partition", false),
            offset: flag("print.offset", false),
            delivery: flag("print.delivery", false),
            epoch: flag("print.epoch", false),
            headers: flag("print.headers", false),
            key: flag("print.key", false),
            value: flag("print.value", true),
            key_separator: bytes("key.separator", "\t"),
            line_separator: bytes("line.separator", "\n"),
            headers_separator: bytes("headers.separator", ","),
            null_literal: bytes("null.literal", "null"),
            key_deserializer: deserializer("key.deserializer")?,
            value_deserializer: deserializer("value.deserializer")?,
            headers_deserializer: deserializer("headers.deserializer")?,
        })
    }

    /// Appends what is to be shown of a record.
    ///
    /// # Errors
    /// What a deserializer says; `out` then holds a part.
    pub(super) fn write(&self, record: &ConsumerRecord, out: &mut Vec<u8>) -> Result<(), String> {
        if self.silent {
            return Ok(());
        }
        let (from, mut any) = (out.len(), false);
        let mut begin = |out: &mut Vec<u8>| {
            if any {
                out.extend_from_slice(&self.key_separator);
            }
            any = true;
        };
        let fields = [
            (self.timestamp, timestamp_text(record)),
            (self.partition, format!("Partition:{}", record.partition)),
            (self.offset, format!("Offset:{}", record.offset)),
            // The tool's records carry neither, in Kafka's tool as here.
            (self.delivery, "Delivery:NOT_PRESENT".to_owned()),
            (self.epoch, "Epoch:NOT_PRESENT".to_owned()),
        ];
        for (_, text) in fields.into_iter().filter(|(wanted, _)| *wanted) {
            begin(out);
            out.extend_from_slice(text.as_bytes());
        }
        if self.headers {
            begin(out);
            self.write_headers(record, out)?;
        }
        if self.key {
            begin(out);
            self.write_part(self.key_deserializer, record.key.as_deref(), out)?;
        }
        if self.value {
            begin(out);
            self.write_part(self.value_deserializer, record.value.as_deref(), out)?;
        }
        // Kafka's tool ends no line that is empty because nothing is to be shown.
        if any || out.len() > from {
            out.extend_from_slice(&self.line_separator);
        }
        Ok(())
    }

    fn write_headers(&self, record: &ConsumerRecord, out: &mut Vec<u8>) -> Result<(), String> {
        if record.headers.is_empty() {
            out.extend_from_slice(b"NO_HEADERS");
        }
        for (at, (key, value)) in record.headers.iter().enumerate() {
            if at > 0 {
                out.extend_from_slice(&self.headers_separator);
            }
            out.extend_from_slice(key);
            out.push(b':');
            self.write_part(self.headers_deserializer, value.as_deref(), out)?;
        }
        Ok(())
    }

    fn write_part(
        &self,
        deserializer: Deserializer,
        part: Option<&[u8]>,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        match part {
            Some(bytes) => deserializer.write(bytes, out),
            None => {
                out.extend_from_slice(&self.null_literal);
                Ok(())
            }
        }
    }
}

fn timestamp_text(record: &ConsumerRecord) -> String {
    match record.timestamp_type {
        _ if record.timestamp_ms == NO_TIMESTAMP => "NO_TIMESTAMP".to_owned(),
        TimestampType::CreateTime => format!("CreateTime:{}", record.timestamp_ms),
        TimestampType::LogAppendTime => format!("LogAppendTime:{}", record.timestamp_ms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(
        properties: &[&str],
        key: Option<&str>,
        value: Option<&str>,
        headers: &[(&str, Option<&str>)],
    ) -> String {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        let record = ConsumerRecord {
            topic: "t".into(),
            partition: 2,
            offset: 7,
            timestamp_ms: 99,
            timestamp_type: TimestampType::CreateTime,
            key: bytes(key),
            value: bytes(value),
            headers: headers.iter().map(|(key, value)| (key.as_bytes().to_vec(), bytes(*value))).collect(),
        };
        let mut all = Properties::default();
        all.add(properties).unwrap();
        let mut out = Vec::new();
        Formatter::new(None, &all).unwrap().write(&record, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_stand_in_kafkas_order() {
        let all = [
            "print.key=true",
            "print.timestamp=true",
            "print.offset=true",
            "print.partition=true",
            "print.headers=true",
            "print.epoch=true",
        ];
        assert_eq!(
            shown(&all, Some("k"), Some("v"), &[("h1", Some("a")), ("h2", None)]),
            "CreateTime:99\tPartition:2\tOffset:7\tEpoch:NOT_PRESENT\th1:a,h2:null\tk\tv\n"
        );
        assert_eq!(shown(&["print.headers=true", "print.value=false"], None, Some("v"), &[]), "NO_HEADERS\n");
    }

    #[test]
    fn separators_and_null_can_be_set() {
        let properties = ["print.key=true", "key.separator=@", "line.separator=|", "null.literal=NIX"];
        assert_eq!(shown(&properties, None, Some("plain"), &[]), "NIX@plain|");
        assert_eq!(shown(&[], None, None, &[]), "null\n");
    }

    #[test]
    fn other_formatters_are_refused() {
        assert!(Formatter::new(Some("foo.Bar"), &Properties::default()).is_err());
        assert!(
            Formatter::new(
                Some("org.apache.kafka.tools.consumer.NoOpMessageFormatter"),
                &Properties::default()
            )
            .is_ok()
        );
    }
}
