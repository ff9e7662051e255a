//! Kafka's consumer configs, with their defaults.

use std::time::Duration;

use crate::tools::client::ClientError;
use crate::tools::client_settings::{check, duration, number};
use crate::tools::properties::Properties;

const SERVED: &[&str] = &[
    "auto.commit.interval.ms",
    "auto.offset.reset",
    "check.crcs",
    "client.rack",
    "enable.auto.commit",
    "exclude.internal.topics",
    "fetch.max.bytes",
    "fetch.max.wait.ms",
    "fetch.min.bytes",
    "group.id",
    "group.instance.id",
    "heartbeat.interval.ms",
    "isolation.level",
    "max.partition.fetch.bytes",
    "max.poll.interval.ms",
    // The tools take records one by one.
    "max.poll.records",
    "partition.assignment.strategy",
    "session.timeout.ms",
];

/// The assignor that is served, under the name that Kafka's configs give it.
const RANGE_ASSIGNOR: &str = "org.apache.kafka.clients.consumer.RangeAssignor";

/// Where to start without a committed offset, or when the offset is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetReset {
    /// At the first record.
    Earliest,
    /// Behind the last record.
    Latest,
    /// Nowhere: that is an error.
    None,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct ConsumerSettings {
    /// `group.id`.
    pub group_id: String,
    /// `group.instance.id`.
    pub instance_id: Option<String>,
    /// `client.rack`.
    pub rack: String,
    /// `enable.auto.commit`, and how often.
    pub auto_commit: Option<Duration>,
    /// `auto.offset.reset`.
    pub reset: OffsetReset,
    /// `isolation.level` is `read_committed`.
    pub committed_only: bool,
    /// `check.crcs`.
    pub check_crcs: bool,
    /// `exclude.internal.topics`.
    pub exclude_internal: bool,
    /// `fetch.max.bytes`.
    pub fetch_bytes: i32,
    /// `max.partition.fetch.bytes`.
    pub partition_bytes: i32,
    /// `fetch.min.bytes`.
    pub min_bytes: i32,
    /// `fetch.max.wait.ms`.
    pub max_wait: Duration,
    /// `session.timeout.ms`.
    pub session_timeout: Duration,
    /// `heartbeat.interval.ms`.
    pub heartbeat_interval: Duration,
    /// `max.poll.interval.ms`, also the time that a rebalance may take.
    pub max_poll_interval: Duration,
    /// `retry.backoff.ms`.
    pub retry_backoff: Duration,
    /// `metadata.max.age.ms`.
    pub metadata_max_age: Duration,
    /// The client's properties.
    pub client: Properties,
}

fn one_of<T: Copy>(
    properties: &Properties,
    key: &str,
    allowed: &[(&str, T)],
    default: T,
) -> Result<T, ClientError> {
    let Some(text) = properties.get(key) else { return Ok(default) };
    allowed
        .iter()
        .find(|(name, _)| text.trim().eq_ignore_ascii_case(name))
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let names: Vec<_> = allowed.iter().map(|(name, _)| *name).collect();
            ClientError::Config(format!(
                "Invalid value {text} for configuration {key}: String must be one of: {}",
                names.join(", ")
            ))
        })
}

impl ConsumerSettings {
    /// The settings that the properties state.
    ///
    /// # Errors
    /// [`ClientError::Config`].
    pub fn new(properties: &Properties) -> Result<Self, ClientError> {
        check(properties, SERVED)?;
        if let Some(assignors) = properties.get("partition.assignment.strategy")
            && !assignors.split(',').any(|name| name.trim().trim_start_matches("class ") == RANGE_ASSIGNOR)
        {
            return Err(ClientError::Config(format!(
                "partition.assignment.strategy={assignors} is not served: only {RANGE_ASSIGNOR} is"
            )));
        }
        let bool_of = |key, default| one_of(properties, key, &[("true", true), ("false", false)], default);
        let bytes = |key, default| {
            number(properties, key, default, 0).map(|value| i32::try_from(value).unwrap_or(i32::MAX))
        };
        let resets = [
            ("earliest", OffsetReset::Earliest),
            ("latest", OffsetReset::Latest),
            ("none", OffsetReset::None),
        ];
        let levels = [("read_committed", true), ("read_uncommitted", false)];
        let interval = duration(properties, "auto.commit.interval.ms", 5000)?;
        Ok(Self {
            group_id: properties.get("group.id").unwrap_or_default().to_owned(),
            instance_id: properties.get("group.instance.id").map(str::to_owned),
            rack: properties.get("client.rack").unwrap_or_default().to_owned(),
            auto_commit: bool_of("enable.auto.commit", true)?.then_some(interval),
            reset: one_of(properties, "auto.offset.reset", &resets, OffsetReset::Latest)?,
            committed_only: one_of(properties, "isolation.level", &levels, false)?,
            check_crcs: bool_of("check.crcs", true)?,
            exclude_internal: bool_of("exclude.internal.topics", true)?,
            fetch_bytes: bytes("fetch.max.bytes", 52_428_800)?,
            partition_bytes: bytes("max.partition.fetch.bytes", 1_048_576)?,
            min_bytes: bytes("fetch.min.bytes", 1)?,
            max_wait: duration(properties, "fetch.max.wait.ms", 500)?,
            session_timeout: duration(properties, "session.timeout.ms", 45_000)?,
            heartbeat_interval: duration(properties, "heartbeat.interval.ms", 3000)?,
            max_poll_interval: duration(properties, "max.poll.interval.ms", 300_000)?,
            retry_backoff: duration(properties, "retry.backoff.ms", 100)?,
            metadata_max_age: duration(properties, "metadata.max.age.ms", 300_000)?,
            client: properties.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(entries: &[&str]) -> Result<ConsumerSettings, ClientError> {
        let mut properties = Properties::default();
        properties.add(entries).unwrap();
        ConsumerSettings::new(&properties)
    }

    #[test]
    fn defaults_and_checks_are_kafkas() {
        let defaults = settings(&[]).unwrap();
        assert_eq!((defaults.reset, defaults.committed_only), (OffsetReset::Latest, false));
        assert_eq!(defaults.auto_commit, Some(Duration::from_secs(5)));
        let text = settings(&["isolation.level=foo"]).unwrap_err().to_string();
        assert_eq!(
            text,
            "Invalid value foo for configuration isolation.level: String must be one of: read_committed, read_uncommitted"
        );
        assert!(
            settings(&["partition.assignment.strategy=org.apache.kafka.clients.consumer.StickyAssignor"])
                .is_err()
        );
    }
}
