//! The typed config of a topic: its own values over the broker's over the defaults.

use super::error::{ConfigError, Place};
use super::layers::{self, Layers};
use super::settings::Config;
use super::value::Value;
use super::{Key, catalog, nearest};
use std::collections::BTreeMap;

/// What happens to old segments; neither: they stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CleanupPolicy {
    /// The last record of each key is kept.
    pub compact: bool,
    /// Retention by time and size applies.
    pub delete: bool,
}

/// How batches are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// As the producer sent them.
    Producer,
    /// Not compressed.
    Uncompressed,
    /// With gzip.
    Gzip,
    /// With snappy.
    Snappy,
    /// With lz4.
    Lz4,
    /// With zstd.
    Zstd,
}

/// Whose time a record carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimestampType {
    /// The client's.
    CreateTime,
    /// The broker's, of the append.
    LogAppendTime,
}

/// The config of one topic. Times and sizes that are unlimited are `None` or `i64::MAX`, as each field says.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicConfig {
    /// `cleanup.policy`.
    pub cleanup: CleanupPolicy,
    /// `compression.type`.
    pub compression: Compression,
    /// 1 to 9, or -1 for the library's default.
    pub gzip_level: i32,
    /// 1 to 17.
    pub lz4_level: i32,
    /// -131072 to 22.
    pub zstd_level: i32,
    /// The largest batch.
    pub max_message_bytes: i32,
    /// The largest batch when it is decompressed.
    pub max_decompressed_message_bytes: i32,
    /// `message.timestamp.type`.
    pub timestamp_type: TimestampType,
    /// `i64::MAX`: any.
    pub timestamp_before_max_ms: i64,
    /// `i64::MAX`: any.
    pub timestamp_after_max_ms: i64,
    /// `None`: for ever.
    pub retention_ms: Option<i64>,
    /// `None`: no limit.
    pub retention_bytes: Option<i64>,
    /// The size at which a segment is closed.
    pub segment_bytes: i32,
    /// The age at which a segment is closed.
    pub segment_ms: i64,
    /// The most that is taken from `segment_ms` at random.
    pub segment_jitter_ms: i64,
    /// The largest index file.
    pub segment_index_bytes: i32,
    /// Bytes of log between index entries.
    pub index_interval_bytes: i32,
    /// Whether a segment's whole file is allocated at once.
    pub preallocate: bool,
    /// Between a segment's deletion and its file's.
    pub file_delete_delay_ms: i64,
    /// `i64::MAX`: never for this reason.
    pub flush_messages: i64,
    /// `i64::MAX`: never for this reason.
    pub flush_ms: i64,
    /// Replicas in sync that a write with acks=all needs.
    pub min_insync_replicas: i32,
    /// Whether a replica out of sync may lead.
    pub unclean_leader_election: bool,
    /// How long a tombstone stays.
    pub delete_retention_ms: i64,
    /// The part not yet compacted at which compaction starts.
    pub min_cleanable_dirty_ratio: f64,
    /// A record younger than this is not compacted.
    pub min_compaction_lag_ms: i64,
    /// A record older than this is compacted; `i64::MAX`: no limit.
    pub max_compaction_lag_ms: i64,
}

/// Kafka's defaults.
impl Default for TopicConfig {
    fn default() -> Self {
        match Self::over(&Layers::default(), &BTreeMap::new()) {
            Ok(config) => config,
            Err(error) => unreachable!("the defaults are declared wrong: {error}"),
        }
    }
}

impl TopicConfig {
    /// The config of a topic with these overrides, by Kafka's names; the rest is the broker's.
    ///
    /// # Errors
    /// A name that no topic key has, a value that the key refuses, or values that contradict each other: answer
    /// INVALID_CONFIG with the error's text.
    pub fn from_overrides(
        config: &Config,
        overrides: &BTreeMap<String, String>,
    ) -> Result<Self, ConfigError> {
        Self::over(&config.layers, overrides)
    }

    pub(super) fn over(layers: &Layers, overrides: &BTreeMap<String, String>) -> Result<Self, ConfigError> {
        if let Some(name) = overrides.keys().find(|name| catalog::topic_key(name).is_none()) {
            let (key, remedy) = (name.clone(), nearest::topic_remedy(name));
            return Err(ConfigError::UnknownKey { place: Place::Topic, key, remedy });
        }
        let mut values = Values(BTreeMap::new());
        for key in catalog::topic_keys() {
            let value = match overrides.get(key.name) {
                Some(text) => layers::parse(key, key.name, text, &Place::Topic)?,
                None => inherited(layers, key)?,
            };
            values.0.insert(key.name, value);
        }
        let config = values.typed();
        config.check(layers, overrides, &values)?;
        Ok(config)
    }

    /// What Kafka checks beyond single values.
    fn check(
        &self,
        layers: &Layers,
        overrides: &BTreeMap<String, String>,
        values: &Values,
    ) -> Result<(), ConfigError> {
        let (least, most) = (self.min_compaction_lag_ms, self.max_compaction_lag_ms);
        if least > most {
            let lags = ["log.cleaner.min.compaction.lag.ms", "log.cleaner.max.compaction.lag.ms"];
            let place = if overrides.is_empty() {
                layers.first(&lags).map_or(Place::Default, |(_, setting)| setting.place.clone())
            } else {
                Place::Topic
            };
            let text = format!(
                "min.compaction.lag.ms is {least} and max.compaction.lag.ms is {most}; \
                 the first must not exceed the second"
            );
            return Err(ConfigError::Conflict { place, text });
        }
        if values.boolean("remote.storage.enable") {
            let text = "remote.storage.enable is true, and this broker has no tiered storage; leave it false";
            return Err(ConfigError::Conflict { place: Place::Topic, text: text.to_owned() });
        }
        Ok(())
    }
}

/// What a topic has without an override: the broker's value, converted, or the default.
fn inherited(layers: &Layers, key: &'static Key) -> Result<Value, ConfigError> {
    let names: Vec<&'static str> = key.synonyms.iter().map(|(name, _)| *name).collect();
    let Some((_, setting)) = layers.first(&names) else { return Ok(key.default_value()) };
    let text = inherited_text(key, setting);
    layers::parse(key, &setting.shown, &text, &setting.place)
}

/// A broker's setting in the topic key's unit. Where the broker's key has no lower bound and the topic's has, Kafka
/// reads what is below as "unlimited" (retention) and as "always" (flush).
pub(super) fn inherited_text(key: &Key, setting: &layers::Setting) -> String {
    let factor =
        key.synonyms.iter().find(|(name, _)| *name == setting.key.name).map_or(1, |(_, factor)| *factor);
    match setting.value {
        Value::Int(number) if number < 0 && key.name == "retention.ms" => "-1".to_owned(),
        Value::Int(number) if number < 0 && key.name == "flush.ms" => "0".to_owned(),
        Value::Int(number) => number.saturating_mul(factor).to_string(),
        _ => setting.text.clone(),
    }
}

/// The values of all topic keys.
struct Values(BTreeMap<&'static str, Value>);

impl Values {
    fn typed(&self) -> TopicConfig {
        let unlimited_below_0 = |number: i64| (number >= 0).then_some(number);
        TopicConfig {
            cleanup: self.cleanup(),
            compression: self.compression(),
            gzip_level: self.number("compression.gzip.level"),
            lz4_level: self.number("compression.lz4.level"),
            zstd_level: self.number("compression.zstd.level"),
            max_message_bytes: self.number("max.message.bytes"),
            max_decompressed_message_bytes: self.number("max.decompressed.message.bytes"),
            timestamp_type: match self.text("message.timestamp.type") {
                "LogAppendTime" => TimestampType::LogAppendTime,
                _ => TimestampType::CreateTime,
            },
            timestamp_before_max_ms: self.number("message.timestamp.before.max.ms"),
            timestamp_after_max_ms: self.number("message.timestamp.after.max.ms"),
            retention_ms: unlimited_below_0(self.number("retention.ms")),
            retention_bytes: unlimited_below_0(self.number("retention.bytes")),
            segment_bytes: self.number("segment.bytes"),
            segment_ms: self.number("segment.ms"),
            segment_jitter_ms: self.number("segment.jitter.ms"),
            segment_index_bytes: self.number("segment.index.bytes"),
            index_interval_bytes: self.number("index.interval.bytes"),
            preallocate: self.boolean("preallocate"),
            file_delete_delay_ms: self.number("file.delete.delay.ms"),
            flush_messages: self.number("flush.messages"),
            flush_ms: self.number("flush.ms"),
            min_insync_replicas: self.number("min.insync.replicas"),
            unclean_leader_election: self.boolean("unclean.leader.election.enable"),
            delete_retention_ms: self.number("delete.retention.ms"),
            min_cleanable_dirty_ratio: match self.get("min.cleanable.dirty.ratio") {
                Value::Double(ratio) => *ratio,
                other => unreachable!("min.cleanable.dirty.ratio is {other:?}"),
            },
            min_compaction_lag_ms: self.number("min.compaction.lag.ms"),
            max_compaction_lag_ms: self.number("max.compaction.lag.ms"),
        }
    }

    fn get(&self, name: &'static str) -> &Value {
        self.0.get(name).unwrap_or_else(|| unreachable!("{name} is read and not declared"))
    }

    fn number<T: TryFrom<i64>>(&self, name: &'static str) -> T {
        let Value::Int(number) = self.get(name) else { unreachable!("{name} is read as a number") };
        T::try_from(*number)
            .unwrap_or_else(|_| unreachable!("{name} is declared with bounds that admit {number}"))
    }

    fn boolean(&self, name: &'static str) -> bool {
        matches!(self.get(name), Value::Bool(true))
    }

    fn text(&self, name: &'static str) -> &str {
        let Value::Text(text) = self.get(name) else { unreachable!("{name} is read as a text") };
        text
    }

    fn cleanup(&self) -> CleanupPolicy {
        let Value::List(policies) = self.get("cleanup.policy") else {
            unreachable!("cleanup.policy is a list")
        };
        let has = |name: &str| policies.iter().any(|policy| policy == name);
        CleanupPolicy { compact: has("compact"), delete: has("delete") }
    }

    fn compression(&self) -> Compression {
        match self.text("compression.type") {
            "uncompressed" => Compression::Uncompressed,
            "gzip" => Compression::Gzip,
            "snappy" => Compression::Snappy,
            "lz4" => Compression::Lz4,
            "zstd" => Compression::Zstd,
            _ => Compression::Producer,
        }
    }
}
