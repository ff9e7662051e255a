//! `.kafka_cleanshutdown` of a log directory: the broker closed every log in it, and with which broker epoch (KIP-966).
//!
//! The file's presence alone says that the stop was clean; it is removed before the first write after a start. The
//! broker epoch lets the controller see whether this is the broker it knew.

use serde::Deserialize;

/// The file's name in the log directory.
pub const FILE_NAME: &str = ".kafka_cleanshutdown";

/// What the file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CleanShutdown {
    /// The broker epoch at the stop.
    pub broker_epoch: i64,
}

#[derive(Deserialize)]
struct Content {
    #[serde(rename = "brokerEpoch")]
    broker_epoch: i64,
}

impl CleanShutdown {
    /// Parses the file. `None`: no epoch can be read from it. The stop was clean all the same, as older Kafka left an
    /// empty file.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let content: Content = serde_json::from_slice(bytes).ok()?;
        Some(Self { broker_epoch: content.broker_epoch })
    }

    /// The file.
    pub fn encode(&self) -> Vec<u8> {
        format!("{{\"version\":0,\"brokerEpoch\":{}}}", self.broker_epoch).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_as_kafka_does_and_read_back() {
        let stop = CleanShutdown { broker_epoch: 667 };
        assert_eq!(stop.encode(), br#"{"version":0,"brokerEpoch":667}"#);
        assert_eq!(CleanShutdown::parse(&stop.encode()), Some(stop));
        assert_eq!(CleanShutdown::parse(br#"{"version":1,"brokerEpoch":667,"more":[]}"#), Some(stop));
    }

    #[test]
    fn without_an_epoch_nothing_is_invented() {
        for bytes in [&b""[..], b"{}", br#"{"version":0,"brokerEpoch":null}"#, b"\xff"] {
            assert_eq!(CleanShutdown::parse(bytes), None);
        }
    }
}
