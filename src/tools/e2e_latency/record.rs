//! A record that is sent, and whether what is read is the same.

use super::options::Sizes;
use crate::tools::consumer::ConsumerRecord;
use crate::tools::random::Random;

/// See the module.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) key: Vec<u8>,
    pub(super) value: Vec<u8>,
    pub(super) headers: Vec<(String, Option<Vec<u8>>)>,
}

/// One letter, chosen at random, again and again.
fn letters(random: &mut Random, length: usize) -> Vec<u8> {
    let letter = b'A' + random.below(26) as u8;
    vec![letter; length]
}

impl Sent {
    pub(super) fn new(random: &mut Random, sizes: Sizes) -> Self {
        let (key, value) = (letters(random, sizes.key), letters(random, sizes.value));
        let headers = (0..sizes.headers)
            .map(|_| {
                let key = String::from_utf8_lossy(&letters(random, sizes.header_key)).into_owned();
                (key, sizes.header_value.map(|size| letters(random, size)))
            })
            .collect();
        Self { key, value, headers }
    }

    /// What is wrong with a record that was read.
    pub(super) fn compare(&self, read: &ConsumerRecord) -> Result<(), String> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let value = read.value.as_deref().unwrap_or_default();
        if value != self.value {
            return Err(format!(
                "The message value read [{}] did not match the message value sent [{}]",
                text(value),
                text(&self.value)
            ));
        }
        let Some(key) = read.key.as_deref() else {
            return Err("Expected message key but received null".to_owned());
        };
        if key != self.key {
            return Err(format!(
                "The message key read [{}] did not match the message key sent [{}]",
                text(key),
                text(&self.key)
            ));
        }
        if !self.headers.is_empty() && read.headers.is_empty() {
            return Err("Expected message headers but received none".to_owned());
        }
        for ((sent_key, sent_value), (key, value)) in self.headers.iter().zip(&read.headers) {
            if sent_key.as_bytes() != key || sent_value != value {
                let shown = |value: &Option<Vec<u8>>| {
                    value.as_ref().map_or("null".to_owned(), |bytes| format!("{bytes:?}"))
                };
                return Err(format!(
                    "The message header read [{}:{}] did not match the message header sent [{sent_key}:{}]",
                    text(key),
                    shown(value),
                    shown(sent_value)
                ));
            }
        }
        if self.headers.len() != read.headers.len() {
            return Err("Header count mismatch between sent and received messages".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::record_batch::TimestampType;

    #[test]
    fn a_record_is_compared_in_all_its_parts() {
        let sizes = Sizes { key: 2, value: 3, headers: 1, header_key: 4, header_value: None };
        let sent = Sent::new(&mut Random::seeded(1), sizes);
        let mut read = ConsumerRecord {
            topic: "t".into(),
            partition: 0,
            offset: 0,
            timestamp_ms: 0,
            timestamp_type: TimestampType::CreateTime,
            key: Some(sent.key.clone()),
            value: Some(sent.value.clone()),
            headers: vec![(sent.headers[0].0.clone().into_bytes(), None)],
        };
        assert_eq!(sent.compare(&read), Ok(()));
        read.headers.clear();
        assert_eq!(sent.compare(&read).unwrap_err(), "Expected message headers but received none");
        read.value = Some(b"x".to_vec());
        assert!(sent.compare(&read).unwrap_err().starts_with("The message value read [x] did not match"));
    }
}
