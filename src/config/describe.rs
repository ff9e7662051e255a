//! What DescribeConfigs tells of the broker and of topics: each key's value, who set it, and whom it hides (KIP-226).

use super::key::{Key, Kind};
use super::layers::{Layer, Setting};
use super::settings::Config;
use super::topic_config;
use super::value::Value;
use super::{catalog, layers};
use std::collections::BTreeMap;

/// Who set a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The topic.
    Topic,
    /// A dynamic config of this broker.
    DynamicBroker,
    /// A dynamic config of all brokers.
    DynamicClusterDefault,
    /// The file or the command line.
    StaticBroker,
    /// Nobody.
    Default,
    /// The subscription to clients' metrics.
    ClientMetrics,
    /// The group.
    Group,
}

impl Source {
    /// Its number in DescribeConfigs responses.
    pub fn wire_id(self) -> i8 {
        match self {
            Self::Topic => 1,
            Self::DynamicBroker => 2,
            Self::DynamicClusterDefault => 3,
            Self::StaticBroker => 4,
            Self::Default => 5,
            Self::ClientMetrics => 7,
            Self::Group => 8,
        }
    }
}

/// One value that a key has or would have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synonym {
    /// The key that gives it: the key itself, or a broker's.
    pub name: &'static str,
    /// `None`: unset, or never shown.
    pub value: Option<String>,
    /// Who set it.
    pub source: Source,
}

/// One key with its value.
#[derive(Debug, Clone)]
pub struct Described {
    /// The key.
    pub key: &'static Key,
    /// `None`: unset, or never shown.
    pub value: Option<String>,
    /// Who set it.
    pub source: Source,
    /// All values from the one that counts to the default, each in its own key's unit.
    pub synonyms: Vec<Synonym>,
}

impl Described {
    fn new(key: &'static Key, value: Option<String>, synonyms: Vec<Synonym>) -> Self {
        let source = synonyms.first().map_or(Source::Default, |synonym| synonym.source);
        Self { key, value, source, synonyms }
    }
}

impl Config {
    /// The value of a declared broker key, for what has no field; `Null` for a name that is not declared.
    pub fn value(&self, name: &str) -> Value {
        catalog::broker_key(name).map_or(Value::Null, |key| self.layers.value(key.name))
    }

    /// Every broker key, in the order of its tables.
    pub fn describe_broker(&self) -> Vec<Described> {
        let describe = |key: &'static Key| {
            let synonyms = self.synonyms(&[key.name]);
            let value = synonyms.first().and_then(|synonym| synonym.value.clone());
            Described::new(key, value, synonyms)
        };
        catalog::broker_keys().map(describe).collect()
    }

    /// Every topic key, for a topic with these overrides, which were checked when they were made.
    pub fn describe_topic(&self, overrides: &BTreeMap<String, String>) -> Vec<Described> {
        self.describe_keys(catalog::topic_keys(), overrides, Source::Topic)
    }

    /// What is set for all brokers, and nothing else.
    pub fn describe_cluster_default(&self, set: &BTreeMap<String, String>) -> Vec<Described> {
        let keys = catalog::broker_keys().filter(|key| set.contains_key(key.name));
        self.describe_own(keys, set, Source::DynamicClusterDefault)
    }

    /// Keys of a resource of whose values nobody else has a say.
    pub(super) fn describe_own(
        &self,
        keys: impl IntoIterator<Item = &'static Key>,
        overrides: &BTreeMap<String, String>,
        own: Source,
    ) -> Vec<Described> {
        let mut described = self.describe_keys(keys, overrides, own);
        for described in &mut described {
            described.synonyms.retain(|synonym| synonym.source == own);
        }
        described
    }

    /// Keys of a resource that has overrides of its own over the broker's values.
    pub(super) fn describe_keys(
        &self,
        keys: impl IntoIterator<Item = &'static Key>,
        overrides: &BTreeMap<String, String>,
        own: Source,
    ) -> Vec<Described> {
        let describe = |key: &'static Key| {
            let names: Vec<&'static str> = key.synonyms.iter().map(|(name, _)| *name).collect();
            let mut synonyms = self.synonyms(&names);
            if names.is_empty() {
                let value = key.default.map(str::to_owned);
                synonyms.push(Synonym { name: key.name, value, source: Source::Default });
            }
            let value = match overrides.get(key.name) {
                Some(text) => {
                    let value = (!key.is_sensitive()).then(|| text.trim().to_owned());
                    synonyms.insert(0, Synonym { name: key.name, value: value.clone(), source: own });
                    value
                }
                None => match self.layers.first(&names) {
                    Some((_, setting)) => Some(topic_config::inherited_text(key, setting)),
                    None => match key.default {
                        Some(default) => Some(default.to_owned()),
                        None => synonyms.first().and_then(|synonym| synonym.value.clone()),
                    },
                },
            };
            Described::new(key, value, synonyms)
        };
        keys.into_iter().map(describe).collect()
    }

    /// What the layers say of these keys, the topmost first, and their defaults.
    fn synonyms(&self, names: &[&'static str]) -> Vec<Synonym> {
        let mut synonyms = Vec::new();
        for layer in Layer::TOP_DOWN {
            let set = names.iter().filter_map(|name| self.layers.get(layer, name));
            synonyms.extend(set.map(|setting| Synonym {
                name: setting.key.name,
                value: shown(setting),
                source: layer.source(),
            }));
        }
        for name in names {
            let key = layers::declared(name);
            if let Some(default) = key.default {
                let value = Some(in_base_unit(key, default, &key.default_value()));
                synonyms.push(Synonym { name, value, source: Source::Default });
            }
        }
        synonyms
    }
}

fn shown(setting: &Setting) -> Option<String> {
    (!setting.key.is_sensitive()).then(|| in_base_unit(setting.key, &setting.text, &setting.value))
}

/// Clients read numbers: sizes in bytes, times in ms.
fn in_base_unit(key: &Key, text: &str, value: &Value) -> String {
    match (key.kind, value) {
        (Kind::Bytes | Kind::Millis, Value::Int(number)) => number.to_string(),
        (Kind::Boolean, Value::Bool(value)) => value.to_string(),
        _ => text.to_owned(),
    }
}
