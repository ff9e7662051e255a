//! What Kafka's client configs mean to the client here: which are served, which are refused, and their defaults.

use std::sync::Arc;
use std::time::Duration;

use super::client::{Client, ClientError, NetworkSettings, parse_bootstrap};
use super::log;
use super::properties::Properties;

/// Served for every kind of client.
const COMMON: &[&str] = &[
    "bootstrap.servers",
    "client.id",
    "request.timeout.ms",
    "default.api.timeout.ms",
    "retry.backoff.ms",
    "reconnect.backoff.ms",
    "reconnect.backoff.max.ms",
    "socket.connection.setup.timeout.ms",
    "metadata.max.age.ms",
    "security.protocol",
];

/// Without effect on what a tool does here, and harmless: Java's own business, or tuning without a counterpart.
const WITHOUT_EFFECT: &[&str] = &[
    "key.serializer",
    "value.serializer",
    "key.deserializer",
    "value.deserializer",
    "metric.reporters",
    "metrics.num.samples",
    "metrics.recording.level",
    "metrics.sample.window.ms",
    "auto.include.jmx.reporter",
    "enable.metrics.push",
    "client.dns.lookup",
    "connections.max.idle.ms",
    "retry.backoff.max.ms",
    "receive.buffer.bytes",
    "send.buffer.bytes",
    "socket.connection.setup.timeout.max.ms",
    "metadata.recovery.strategy",
    "metadata.recovery.rebootstrap.trigger.ms",
    "config.providers",
    "allow.auto.create.topics",
];

/// Keys of Kafka's clients that change what happens and are not served: anything but the value here is refused.
const REFUSED: &[(&str, &str)] = &[
    ("security.protocol", "PLAINTEXT"),
    ("transactional.id", ""),
    ("transaction.two.phase.commit.enable", "false"),
    ("interceptor.classes", ""),
    ("partitioner.class", ""),
    ("partitioner.ignore.keys", "false"),
    ("group.protocol", "classic"),
    ("group.remote.assignor", ""),
    ("bootstrap.controllers", ""),
];

/// A number in the properties, or its default.
///
/// # Errors
/// [`ClientError::Config`] with Kafka's words if it is none, or below `least`.
pub fn number(properties: &Properties, key: &str, default: i64, least: i64) -> Result<i64, ClientError> {
    let Some(text) = properties.get(key) else { return Ok(default) };
    let value: i64 = text.trim().parse().map_err(|_| {
        ClientError::Config(format!(
            "Invalid value {text} for configuration {key}: Not a number of type LONG"
        ))
    })?;
    if value < least {
        return Err(ClientError::Config(format!(
            "Invalid value {value} for configuration {key}: Value must be at least {least}"
        )));
    }
    Ok(value)
}

/// A time in the properties, in milliseconds.
///
/// # Errors
/// See [`number`].
pub fn duration(properties: &Properties, key: &str, default_ms: u64) -> Result<Duration, ClientError> {
    let ms = number(properties, key, i64::try_from(default_ms).unwrap_or(i64::MAX), 0)?;
    Ok(Duration::from_millis(ms.unsigned_abs()))
}

/// Refuses what is not served, and warns of keys that nobody knows. `served` are the keys of this kind of client.
///
/// # Errors
/// [`ClientError::Config`].
pub fn check(properties: &Properties, served: &[&str]) -> Result<(), ClientError> {
    for (key, harmless) in REFUSED {
        let value = properties.get(key).unwrap_or(harmless);
        if !value.is_empty() && !value.eq_ignore_ascii_case(harmless) {
            return Err(ClientError::Config(format!("{key}={value} is not served by millrace's tools yet")));
        }
    }
    let known = |key: &str| {
        COMMON.contains(&key)
            || WITHOUT_EFFECT.contains(&key)
            || served.contains(&key)
            || REFUSED.iter().any(|(refused, _)| *refused == key)
            || key.starts_with("ssl.")
            || key.starts_with("sasl.")
    };
    let unknown: Vec<_> = properties.keys().filter(|key| !known(key)).collect();
    if !unknown.is_empty() {
        log::warn(&format!("These configurations '{unknown:?}' were supplied but are not used yet."));
    }
    Ok(())
}

/// The settings of connections.
///
/// # Errors
/// See [`number`].
pub fn network(
    properties: &Properties,
    client_id: &str,
    request_timeout_ms: u64,
) -> Result<NetworkSettings, ClientError> {
    Ok(NetworkSettings {
        client_id: Arc::from(properties.get("client.id").filter(|id| !id.is_empty()).unwrap_or(client_id)),
        request_timeout: duration(properties, "request.timeout.ms", request_timeout_ms)?,
        setup_timeout: duration(properties, "socket.connection.setup.timeout.ms", 10_000)?,
        reconnect_backoff: duration(properties, "reconnect.backoff.ms", 50)?,
        reconnect_backoff_max: duration(properties, "reconnect.backoff.max.ms", 1000)?,
    })
}

/// A client to the brokers that `bootstrap.servers` names.
///
/// # Errors
/// [`ClientError::Config`].
pub fn client(properties: &Properties, client_id: &str) -> Result<Client, ClientError> {
    let bootstrap = parse_bootstrap(properties.get("bootstrap.servers").unwrap_or_default())?;
    Ok(Client::new(
        bootstrap,
        network(properties, client_id, 30_000)?,
        duration(properties, "default.api.timeout.ms", 60_000)?,
        duration(properties, "retry.backoff.ms", 100)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(entries: &[&str]) -> Properties {
        let mut properties = Properties::default();
        properties.add(entries).unwrap();
        properties
    }

    #[test]
    fn what_is_not_served_is_refused() {
        for bad in ["security.protocol=SASL_SSL", "transactional.id=t", "group.protocol=consumer"] {
            assert!(check(&properties(&[bad]), &[]).is_err(), "{bad}");
        }
        let fine =
            ["security.protocol=plaintext", "group.protocol=CLASSIC", "ssl.protocol=TLSv1.3", "acks=1"];
        assert_eq!(check(&properties(&fine), &["acks"]), Ok(()));
    }

    #[test]
    fn numbers_are_checked() {
        let properties = properties(&["a=x", "b=-2"]);
        assert_eq!(number(&properties, "c", 7, 0), Ok(7));
        let text = number(&properties, "a", 7, 0).unwrap_err().to_string();
        assert_eq!(text, "Invalid value x for configuration a: Not a number of type LONG");
        assert!(number(&properties, "b", 7, -1).is_err());
    }
}
