//! Dynamic broker configs.

use super::support::{map, set};
use crate::config::{Config, ConfigError, Source, Value};

fn config() -> Config {
    set(&["message.max.bytes=1000", "log.retention.ms=7"]).unwrap()
}

#[test]
fn the_brokers_own_wins_over_the_clusters_and_both_over_the_file() {
    let both = [("message.max.bytes", "2000"), ("log.segment.bytes", "1048576")];
    let dynamic = config().with_dynamic(&map(&both), &map(&[("message.max.bytes", "3000")])).unwrap();
    let topic = &dynamic.topic_defaults;
    assert_eq!((topic.max_message_bytes, topic.segment_bytes, topic.retention_ms), (3000, 1 << 20, Some(7)));
    assert_eq!(dynamic.value("message.max.bytes"), Value::Int(3000));
    let described = dynamic.describe_broker();
    let size = described.iter().find(|one| one.key.name == "message.max.bytes").unwrap();
    let sources: Vec<_> =
        size.synonyms.iter().map(|one| (one.source.wire_id(), one.value.as_deref())).collect();
    assert_eq!(sources, [(2, Some("3000")), (3, Some("2000")), (4, Some("1000")), (5, Some("1048588"))]);
    assert_eq!(size.source, Source::DynamicBroker);
    let back = dynamic.with_dynamic(&map(&[]), &map(&[])).unwrap();
    assert_eq!(back.topic_defaults.max_message_bytes, 1000);
}

#[test]
fn what_needs_a_restart_is_refused() {
    let refused = |cluster: &[(&str, &str)], broker: &[(&str, &str)]| {
        config().with_dynamic(&map(cluster), &map(broker)).unwrap_err()
    };
    let error = refused(&[], &[("node.id", "3")]);
    assert!(matches!(error, ConfigError::ReadOnly { .. }));
    assert_eq!(
        error.to_string(),
        "node.id cannot be changed while the broker runs; set it in the broker's file and restart"
    );
    assert_eq!(
        refused(&[("listeners", "PLAINTEXT://:1")], &[]).to_string(),
        "listeners cannot be changed while the broker runs for all brokers at once; set it in the broker's file and \
         restart"
    );
    assert_eq!(
        refused(&[], &[("message.max.bytes", "-1")]).to_string(),
        "Invalid value -1 for configuration message.max.bytes: too small; allowed: a whole number from 0 to 2147483647"
    );
    assert_eq!(
        refused(&[("message.max.byte", "1")], &[]).to_string(),
        "cluster-wide default: message.max.byte: there is no such key; did you mean message.max.bytes?"
    );
    assert!(refused(&[("leader.replication.throttled.rate", "-1")], &[]).to_string().contains("too small"));
}

#[test]
fn quotas_of_replication_and_keys_of_one_listener_are_accepted() {
    let quotas =
        map(&[("leader.replication.throttled.rate", "5"), ("listener.name.x.ssl.keystore.type", "PEM")]);
    assert!(config().with_dynamic(&map(&[]), &quotas).is_ok());
}
