//! Configs of groups and of subscriptions to clients' metrics. They are checked, kept and told; what they are about, the
//! newer kinds of groups and the metrics that clients push, is not served yet.

use super::describe::{Described, Source};
use super::error::{ConfigError, Place};
use super::layers;
use super::settings::Config;
use super::topic_config::inherited_text;
use super::value::Value;
use super::{Key, catalog};
use std::collections::BTreeMap;

/// What a pattern of a subscription can be about.
const MATCHED: [&str; 6] = [
    "client_instance_id",
    "client_id",
    "client_software_name",
    "client_software_version",
    "client_source_address",
    "client_source_port",
];

/// Of each kind of group, a member that is silent for so long is gone, and how often it is heard.
const SESSIONS: [(&str, &str); 3] = [
    ("consumer.session.timeout.ms", "consumer.heartbeat.interval.ms"),
    ("share.session.timeout.ms", "share.heartbeat.interval.ms"),
    ("streams.session.timeout.ms", "streams.heartbeat.interval.ms"),
];

/// Why configs of a subscription are refused; Kafka has two codes for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientMetricsError {
    /// INVALID_REQUEST.
    Request(String),
    /// INVALID_CONFIG.
    Config(String),
}

/// Checks everything that would be set on a subscription (Kafka's ClientMetricsConfigs).
///
/// # Errors
/// The text that the client gets.
pub fn check_client_metrics(
    name: &str,
    configs: &BTreeMap<String, String>,
) -> Result<(), ClientMetricsError> {
    use ClientMetricsError as E;
    if name.is_empty() {
        return Err(E::Request("Subscription name can't be empty".to_owned()));
    }
    for (name, text) in configs {
        let key = catalog::client_metrics_keys().iter().find(|key| key.name == name);
        let key = key.ok_or_else(|| E::Request(format!("Unknown client metrics configuration: {name}")))?;
        let value = layers::parse(key, name, text, &Place::ClientMetrics);
        match value.map_err(|error| E::Config(error.to_string()))? {
            Value::Int(interval) if !(100..=3_600_000).contains(&interval) => {
                return Err(E::Request(format!(
                    "Invalid value {interval} for {name}, interval must be between 100 and 3600000 (1 hour)"
                )));
            }
            Value::List(patterns) if name == "match" => {
                // What stands behind the sign is a regular expression, which nobody reads yet.
                let is_pattern = |pattern: &&String| {
                    pattern.split_once('=').is_some_and(|(what, expression)| {
                        MATCHED.contains(&what.trim()) && !expression.is_empty() && !expression.contains('=')
                    })
                };
                if let Some(wrong) = patterns.iter().find(|pattern| !is_pattern(pattern)) {
                    return Err(E::Config(format!("Illegal client matching pattern: {wrong}")));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

impl Config {
    /// Checks everything that would be set on a group (Kafka's GroupConfig).
    ///
    /// # Errors
    /// A name that no key has, or a value that is refused alone, by the broker's bounds, or beside another: answer
    /// INVALID_CONFIG with the error's text.
    pub fn check_group(&self, overrides: &BTreeMap<String, String>) -> Result<(), ConfigError> {
        for (name, text) in overrides {
            let Some(key) = catalog::group_keys().iter().find(|key| key.name == name) else {
                let (key, remedy) = (name.clone(), String::new());
                return Err(ConfigError::UnknownKey { place: Place::Group, key, remedy });
            };
            let value = layers::parse(key, name, text, &Place::Group)?;
            if let (Value::Int(number), Some((least, most))) = (&value, self.group_bounds(name))
                && !(least..=most).contains(number)
            {
                return Err(conflict(format!("{name} must be in the range {least} to {most} inclusive.")));
            }
        }
        for (session, heartbeat) in SESSIONS {
            let (session_ms, heartbeat_ms) =
                (self.group_number(overrides, session), self.group_number(overrides, heartbeat));
            let is_set = overrides.contains_key(session) || overrides.contains_key(heartbeat);
            if is_set && session_ms <= heartbeat_ms {
                return Err(conflict(format!("{session} must be greater than {heartbeat}")));
            }
        }
        Ok(())
    }

    /// The bounds that the broker's configs `group.KIND.min.NAME` and `group.KIND.max.NAME` set.
    fn group_bounds(&self, name: &str) -> Option<(i64, i64)> {
        let (kind, rest) = name.split_once('.')?;
        let bound = |which: &str| {
            let key = catalog::broker_key(&format!("group.{kind}.{which}.{rest}"))?;
            match self.layers.value(key.name) {
                Value::Int(bound) => Some(bound),
                _ => None,
            }
        };
        Some((bound("min")?, bound("max")?))
    }

    /// A group's value of a key that is a number: its own, the broker's, or the default.
    fn group_number(&self, overrides: &BTreeMap<String, String>, name: &str) -> Option<i64> {
        let key = catalog::group_keys().iter().find(|key| key.name == name)?;
        let text = match overrides.get(name) {
            Some(text) => text.clone(),
            None => match self.layers.first(&broker_names(key)) {
                Some((_, setting)) => inherited_text(key, setting),
                None => key.default?.to_owned(),
            },
        };
        text.trim().parse().ok()
    }

    /// Every key of a group with these overrides, which were checked when they were made.
    pub fn describe_group(&self, overrides: &BTreeMap<String, String>) -> Vec<Described> {
        self.describe_keys(catalog::group_keys(), overrides, Source::Group)
    }

    /// Every key of a subscription to clients' metrics. Nobody but the subscription gives its values.
    pub fn describe_client_metrics(&self, overrides: &BTreeMap<String, String>) -> Vec<Described> {
        self.describe_own(catalog::client_metrics_keys(), overrides, Source::ClientMetrics)
    }
}

fn broker_names(key: &Key) -> Vec<&'static str> {
    key.synonyms.iter().map(|(name, _)| *name).collect()
}

fn conflict(text: String) -> ConfigError {
    ConfigError::Conflict { place: Place::Group, text }
}
