//! Kafka's producer configs, with their defaults and the rules between them.

use std::time::Duration;

use crate::protocol::codec::Codec;
use crate::tools::client::{Address, ClientError, NetworkSettings, parse_bootstrap};
use crate::tools::client_settings::{check, duration, network, number};
use crate::tools::properties::Properties;

const SERVED: &[&str] = &[
    "acks",
    "batch.size",
    "buffer.memory",
    "compression.type",
    "compression.gzip.level",
    "compression.zstd.level",
    "delivery.timeout.ms",
    "enable.idempotence",
    "linger.ms",
    "max.block.ms",
    "max.in.flight.requests.per.connection",
    "max.request.size",
    "retries",
    "transaction.timeout.ms",
    // What Java's partitioner does by default, and the only way here.
    "partitioner.adaptive.partitioning.enable",
    "partitioner.availability.timeout.ms",
    "metadata.max.idle.ms",
    "compression.lz4.level",
];

/// See the module.
#[derive(Clone, Debug)]
pub struct ProducerSettings {
    /// Brokers to connect to first.
    pub bootstrap: Vec<Address>,
    /// Connections.
    pub network: NetworkSettings,
    /// `acks`: -1, 0 or 1.
    pub acks: i16,
    /// `batch.size`, bytes of records before compression.
    pub batch_bytes: usize,
    /// `buffer.memory`.
    pub buffer_bytes: usize,
    /// `compression.type`.
    pub codec: Codec,
    /// The codec's level, if set.
    pub level: Option<i32>,
    /// `delivery.timeout.ms`.
    pub delivery_timeout: Duration,
    /// `enable.idempotence`.
    pub idempotent: bool,
    /// `linger.ms`.
    pub linger: Duration,
    /// `max.block.ms`.
    pub max_block: Duration,
    /// `max.in.flight.requests.per.connection`.
    pub max_in_flight: usize,
    /// `max.request.size`.
    pub request_bytes: usize,
    /// `retries`.
    pub retries: u32,
    /// `retry.backoff.ms`.
    pub retry_backoff: Duration,
    /// `metadata.max.age.ms`.
    pub metadata_max_age: Duration,
}

fn acks(properties: &Properties) -> Result<i16, ClientError> {
    match properties.get("acks").map(str::trim) {
        None | Some("all" | "-1") => Ok(-1),
        Some("0") => Ok(0),
        Some("1") => Ok(1),
        Some(other) => Err(ClientError::Config(format!(
            "Invalid value {other} for configuration acks: String must be one of: all, -1, 0, 1"
        ))),
    }
}

fn codec(properties: &Properties) -> Result<(Codec, Option<i32>), ClientError> {
    let name = properties.get("compression.type").unwrap_or("none");
    let codec = Codec::from_name(name).ok_or_else(|| {
        ClientError::Config(format!(
            "Invalid value {name} for configuration compression.type: String must be one of: none, gzip, snappy, lz4, zstd"
        ))
    })?;
    let key = format!("compression.{}.level", codec.name());
    let level = match properties.get(&key) {
        Some(_) => i32::try_from(number(properties, &key, 0, i64::from(i32::MIN))?).ok(),
        None => None,
    };
    Ok((codec, level))
}

impl ProducerSettings {
    /// The settings that the properties state.
    ///
    /// # Errors
    /// [`ClientError::Config`].
    pub fn new(properties: &Properties, client_id: &str) -> Result<Self, ClientError> {
        check(properties, SERVED)?;
        let size = |key, default, least| {
            number(properties, key, default, least).map(|value| value.unsigned_abs() as usize)
        };
        let (codec, level) = codec(properties)?;
        let acks = acks(properties)?;
        let retries = number(properties, "retries", i64::from(i32::MAX), 0)?;
        let max_in_flight = size("max.in.flight.requests.per.connection", 5, 1)?;
        let wanted =
            properties.get("enable.idempotence").map(|value| value.trim().eq_ignore_ascii_case("true"));
        let conflict = [
            (acks != -1, "Must set acks to all in order to use the idempotent producer."),
            (retries == 0, "Must set retries to non-zero when using the idempotent producer."),
            (
                max_in_flight > 5,
                "Must set max.in.flight.requests.per.connection to at most 5 to use the idempotent producer.",
            ),
        ]
        .into_iter()
        .find_map(|(wrong, text)| wrong.then_some(text));
        if let (Some(true), Some(text)) = (wanted, conflict) {
            return Err(ClientError::Config(text.to_owned()));
        }
        let settings = Self {
            bootstrap: parse_bootstrap(properties.get("bootstrap.servers").unwrap_or_default())?,
            network: network(properties, client_id, 30_000)?,
            acks,
            batch_bytes: size("batch.size", 16_384, 0)?,
            buffer_bytes: size("buffer.memory", 33_554_432, 0)?,
            codec,
            level,
            delivery_timeout: duration(properties, "delivery.timeout.ms", 120_000)?,
            idempotent: wanted.unwrap_or(true) && conflict.is_none(),
            linger: duration(properties, "linger.ms", 5)?,
            max_block: duration(properties, "max.block.ms", 60_000)?,
            max_in_flight,
            request_bytes: size("max.request.size", 1_048_576, 0)?,
            retries: u32::try_from(retries).unwrap_or(u32::MAX),
            retry_backoff: duration(properties, "retry.backoff.ms", 100)?,
            metadata_max_age: duration(properties, "metadata.max.age.ms", 300_000)?,
        };
        let least = settings.linger + settings.network.request_timeout;
        if properties.get("delivery.timeout.ms").is_some() && settings.delivery_timeout < least {
            return Err(ClientError::Config(
                "delivery.timeout.ms should be equal to or larger than linger.ms + request.timeout.ms"
                    .to_owned(),
            ));
        }
        Ok(Self { delivery_timeout: settings.delivery_timeout.max(least), ..settings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(entries: &[&str]) -> Result<ProducerSettings, ClientError> {
        let mut properties = Properties::default();
        properties.set("bootstrap.servers", "localhost:1");
        properties.add(entries).unwrap();
        ProducerSettings::new(&properties, "x")
    }

    #[test]
    fn idempotence_is_on_unless_something_speaks_against_it() {
        assert!(settings(&[]).unwrap().idempotent);
        for other in
            ["acks=1", "retries=0", "max.in.flight.requests.per.connection=6", "enable.idempotence=false"]
        {
            assert!(!settings(&[other]).unwrap().idempotent, "{other}");
        }
        assert!(settings(&["acks=1", "enable.idempotence=true"]).is_err());
    }

    #[test]
    fn bad_values_are_refused() {
        for bad in [
            "acks=2",
            "compression.type=brotli",
            "linger.ms=x",
            "delivery.timeout.ms=10",
            "transactional.id=a",
        ] {
            assert!(matches!(settings(&[bad]), Err(ClientError::Config(_))), "{bad}");
        }
        assert_eq!(settings(&["compression.type=zstd", "compression.zstd.level=9"]).unwrap().level, Some(9));
    }
}
