//! The tables themselves.

use crate::config::{
    Effect, Key, Origin, Update, broker_key, broker_keys, changes_live, client_metrics_keys,
    client_quota_keys, group_keys, ip_quota_keys, replication_quota_keys, topic_keys, why_without_effect,
};
use std::collections::BTreeSet;

fn all() -> impl Iterator<Item = &'static Key> {
    let others =
        [group_keys(), client_metrics_keys(), replication_quota_keys(), client_quota_keys(), ip_quota_keys()];
    broker_keys().chain(topic_keys()).chain(others.into_iter().flatten())
}

#[test]
fn each_broker_key_is_declared_once() {
    let kafka: Vec<&str> =
        broker_keys().filter(|key| key.origin == Origin::Kafka).map(|key| key.name).collect();
    assert_eq!(kafka.len(), 379, "as in Apache Kafka 4.4.0");
    assert_eq!(kafka.iter().collect::<BTreeSet<_>>().len(), kafka.len());
    let names: BTreeSet<&str> = broker_keys().flat_map(|key| [Some(key.name), key.toml]).flatten().collect();
    let with_toml = broker_keys().filter(|key| key.toml.is_some_and(|toml| toml != key.name)).count();
    assert_eq!(names.len(), broker_keys().count() + with_toml, "a name in TOML is another key's");
    assert_eq!(topic_keys().count(), 38);
}

#[test]
fn every_default_is_valid() {
    for key in all() {
        if let Some(default) = key.default.filter(|default| !default.is_empty()) {
            assert!(key.parse(default).is_ok(), "{}", key.name);
        }
        let _ = key.default_value();
    }
}

#[test]
fn what_does_nothing_has_its_reason() {
    for key in all() {
        let reason = why_without_effect(key);
        assert_eq!(reason.is_some(), key.effect == Effect::NotYet, "{}", key.name);
        assert!(reason.is_none_or(|reason| reason.starts_with("Without effect here: ")), "{}", key.name);
    }
}

#[test]
fn what_kafka_changes_live_changes_live_here() {
    let fixed = broker_keys().filter(|key| {
        key.effect == Effect::Honoured && key.update != Update::ReadOnly && !changes_live(key.name)
    });
    let fixed: Vec<&str> = fixed.map(|key| key.name).collect();
    assert_eq!(fixed, ["listener.security.protocol.map", "listeners"], "they need a restart here");
}

#[test]
fn what_is_honoured_says_what_it_does_and_the_rest_does_not_pretend() {
    for key in all() {
        assert_eq!(key.effect == Effect::Honoured, !key.help.is_empty(), "{}", key.name);
        assert!(key.help.is_empty() || key.help.ends_with('.'), "{}", key.name);
    }
}

#[test]
fn synonyms_are_declared_and_have_the_topic_keys_default() {
    for key in topic_keys().filter(|key| !key.synonyms.is_empty()) {
        let defaults = key.synonyms.iter().filter_map(|(name, factor)| {
            let default = broker_key(name).unwrap().default?;
            Some(default.parse::<i64>().map_or(default.to_owned(), |number| (number * factor).to_string()))
        });
        for default in defaults {
            assert_eq!(Some(default.as_str()), key.default, "{}", key.name);
        }
    }
}

#[test]
fn other_checks_accept_what_kafka_accepts() {
    let reset = group_keys().iter().find(|key| key.name == "share.auto.offset.reset").unwrap();
    for text in ["latest", "EARLIEST", "by_duration:PT1H", "by_duration:P1DT2H3M4.5S", "by_duration:P2D"] {
        assert!(reset.parse(text).is_ok(), "{text}");
    }
    for text in
        ["", "none", "by_duration:", "by_duration:P", "by_duration:PT", "by_duration:1h", "by_duration:P1H"]
    {
        assert!(reset.parse(text).is_err(), "{text}");
    }
}
