//! Turns a record's key and value into the text that is printed, by what the log holds.

use super::control::CONSUMER_PROTOCOL;
use super::json::Json;
use super::options::{Options, PlainDecoder};
use super::schema::{Schema, find};
use super::schemas::{groups, metadata, shares, transactions};
use crate::protocol::Reader;
use crate::protocol::record_batch::Record;

/// The version of the frame around metadata records.
const METADATA_FRAME_VERSION: u32 = 1;

/// Names of transaction states, by their number (KIP-98).
const TRANSACTION_STATES: [&str; 8] = [
    "Empty",
    "Ongoing",
    "PrepareCommit",
    "PrepareAbort",
    "CompleteCommit",
    "CompleteAbort",
    "Dead",
    "PrepareEpochFence",
];

/// How the records of a log are printed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decoder {
    Plain { key: PlainDecoder, value: PlainDecoder },
    Offsets,
    Transactions,
    Metadata,
    Shares,
}

impl Decoder {
    /// The first that the options ask for, in Kafka's order.
    pub(super) fn of(options: &Options) -> Self {
        if options.offsets_decoder {
            Self::Offsets
        } else if options.transaction_log_decoder {
            Self::Transactions
        } else if options.cluster_metadata_decoder {
            Self::Metadata
        } else if options.share_group_state_decoder {
            Self::Shares
        } else {
            let key = options.key_decoder_class.unwrap_or_default();
            Self::Plain { key, value: options.value_decoder_class.unwrap_or_default() }
        }
    }

    /// The texts of key and value, where they are printed.
    pub(super) fn decode(self, record: &Record<'_>, offset: i64) -> (Option<String>, Option<String>) {
        let (keys, values) = match self {
            Self::Plain { key, value } => {
                return (
                    record.key.map(|bytes| plain(key, bytes)),
                    record.value.map(|bytes| plain(value, bytes)),
                );
            }
            Self::Metadata => {
                let text = metadata_record(record.value.unwrap_or_default());
                return (
                    None,
                    Some(text.unwrap_or_else(|error| format!("Error at {offset}, skipping. {error}"))),
                );
            }
            Self::Offsets => (groups::KEYS, groups::VALUES),
            Self::Transactions => (transactions::KEYS, transactions::VALUES),
            Self::Shares => (shares::KEYS, shares::VALUES),
        };
        match self.coordinator_record(record, keys, values) {
            Ok((key, value)) => (Some(key), Some(value)),
            Err(CoordinatorError::UnknownType(record_type)) => {
                (Some(format!("Unknown record type {record_type} at offset {offset}, skipping.")), None)
            }
            Err(CoordinatorError::Malformed(error)) => {
                (Some(format!("Error at offset {offset}, skipping. {error}")), None)
            }
        }
    }

    fn coordinator_record(
        self,
        record: &Record<'_>,
        keys: &'static [&'static Schema],
        values: &'static [&'static Schema],
    ) -> Result<(String, String), CoordinatorError> {
        let (record_type, key) = split_version(record.key, "key")?;
        let key_schema = find(keys, record_type).ok_or(CoordinatorError::UnknownType(record_type))?;
        let key = key_schema.read(key, 0)?;
        let key = format!("{{\"type\":\"{record_type}\",\"data\":{key}}}");
        if record.value.is_none() {
            return Ok((key, "<DELETE>".to_owned()));
        }
        let (version, value) = split_version(record.value, "value")?;
        let schema = find(values, record_type).ok_or(CoordinatorError::UnknownType(record_type))?;
        let mut value = schema.read(value, version)?;
        match self {
            Self::Transactions => name_transaction_state(&mut value),
            Self::Offsets => decode_consumer_protocol(&mut value),
            Self::Plain { .. } | Self::Metadata | Self::Shares => {}
        }
        Ok((key, format!("{{\"version\":\"{version}\",\"data\":{value}}}")))
    }
}

enum CoordinatorError {
    UnknownType(i16),
    Malformed(String),
}

impl From<String> for CoordinatorError {
    fn from(error: String) -> Self {
        Self::Malformed(error)
    }
}

fn split_version<'a>(bytes: Option<&'a [u8]>, part: &str) -> Result<(i16, &'a [u8]), CoordinatorError> {
    let bytes = bytes.ok_or_else(|| CoordinatorError::Malformed(format!("The record has no {part}.")))?;
    let split = bytes.split_first_chunk::<2>();
    let short = || CoordinatorError::Malformed(format!("Could not read version from {part}'s buffer."));
    split.map(|(version, rest)| (i16::from_be_bytes(*version), rest)).ok_or_else(short)
}

fn plain(decoder: PlainDecoder, bytes: &[u8]) -> String {
    let number = match decoder {
        PlainDecoder::String => return String::from_utf8_lossy(bytes).into_owned(),
        PlainDecoder::Hex => None,
        PlainDecoder::Integer => bytes.try_into().ok().map(|bytes| i32::from_be_bytes(bytes).to_string()),
        PlainDecoder::Long => bytes.try_into().ok().map(|bytes| i64::from_be_bytes(bytes).to_string()),
    };
    number.unwrap_or_else(|| bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn metadata_record(value: &[u8]) -> Result<String, String> {
    let mut reader = Reader::new(value);
    let mut number = || reader.unsigned_varint().map_err(|error| error.to_string());
    let (frame_version, record_type, version) = (number()?, number()?, number()?);
    if frame_version != METADATA_FRAME_VERSION {
        return Err(format!(
            "Could not deserialize metadata record due to unknown frame version {frame_version}(only frame version \
             {METADATA_FRAME_VERSION} is supported)"
        ));
    }
    let schema = i16::try_from(record_type).ok().and_then(|record_type| find(metadata::RECORDS, record_type));
    let schema = schema.ok_or_else(|| format!("Unknown metadata id {record_type}"))?;
    let short = i16::try_from(version).map_err(|_| format!("Value for version was too large: {version}"))?;
    let data = schema.read(reader.rest(), short)?;
    Ok(format!("{{\"type\":\"{}\",\"version\":{version},\"data\":{data}}}", schema.name))
}

fn name_transaction_state(value: &mut Json) {
    if let Some(status) = value.field_mut("transactionStatus")
        && let Json::Int(number) = *status
    {
        let known = usize::try_from(number).ok().and_then(|number| TRANSACTION_STATES.get(number));
        *status = Json::Text(known.map_or_else(|| number.to_string(), |name| (*name).to_owned()));
    }
}

/// Members of classic consumer groups keep a subscription and an assignment of the consumers' own protocol.
fn decode_consumer_protocol(value: &mut Json) {
    if value.field_mut("protocolType") != Some(&mut Json::Text("consumer".to_owned())) {
        return;
    }
    let Some(Json::Array(members)) = value.field_mut("members") else {
        return;
    };
    for member in members {
        for (name, schema) in CONSUMER_PROTOCOL {
            if let Some(slot) = member.field_mut(name)
                && let Json::Bytes(bytes) = &*slot
                && let Some((version, rest)) = bytes.split_first_chunk::<2>()
                && let Ok(decoded) = schema.read(rest, i16::from_be_bytes(*version))
            {
                *slot = decoded;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_bytes_are_printed_as_asked() {
        assert_eq!(plain(PlainDecoder::String, b"a\xffb"), "a\u{fffd}b");
        assert_eq!(plain(PlainDecoder::Integer, &[0xff; 4]), "-1");
        assert_eq!(plain(PlainDecoder::Long, &[0, 0, 0, 0, 0, 0, 1, 0]), "256");
        assert_eq!(plain(PlainDecoder::Long, &[1, 2]), "0102", "not a number of that size");
    }

    #[test]
    fn a_damaged_metadata_record_is_named() {
        assert!(metadata_record(&[1, 2, 0, 2, b'a']).is_err());
        assert_eq!(metadata_record(&[1, 99, 0]), Err("Unknown metadata id 99".to_owned()));
        assert!(metadata_record(&[2, 2, 0]).unwrap_err().contains("frame version 2"));
        assert!(metadata_record(&[]).is_err());
        let feature = [1, 12, 0, 2, b'f', 0, 3, 0];
        let expected = r#"{"type":"FEATURE_LEVEL_RECORD","version":0,"data":{"name":"f","featureLevel":3}}"#;
        assert_eq!(metadata_record(&feature), Ok(expected.to_owned()));
    }
}
