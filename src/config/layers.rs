//! What was set, by whom: one layer on the other. The topmost layer that sets a key, or a synonym of it, wins.

use super::error::{BadValue, ConfigError, Place};
use super::key::Key;
use super::value::Value;
use super::{catalog, describe::Source};
use std::collections::BTreeMap;
use std::fmt;

/// Who set it, from the bottom to the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    Embedded,
    File,
    Set,
    ClusterDefault,
    ThisBroker,
}

const LAYERS: usize = 5;

impl Layer {
    pub(super) const TOP_DOWN: [Self; LAYERS] =
        [Self::ThisBroker, Self::ClusterDefault, Self::Set, Self::File, Self::Embedded];

    pub(super) fn source(self) -> Source {
        match self {
            Self::Embedded | Self::File | Self::Set => Source::StaticBroker,
            Self::ClusterDefault => Source::DynamicClusterDefault,
            Self::ThisBroker => Source::DynamicBroker,
        }
    }
}

/// One setting, checked.
#[derive(Clone)]
pub(super) struct Setting {
    pub(super) key: &'static Key,
    /// The name as it was given, for messages.
    pub(super) shown: String,
    pub(super) text: String,
    pub(super) value: Value,
    pub(super) place: Place,
}

/// What to do with a key that the layer has already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    Replaces,
    IsRefused,
}

#[derive(Clone, Default)]
pub(super) struct Layers {
    layers: [BTreeMap<&'static str, Setting>; LAYERS],
    /// The descriptors that a shard may have, once the host was asked; 0 before.
    pub(super) host_descriptors: usize,
    /// The shards; 0 before.
    pub(super) host_shards: u16,
}

/// Names only: values may be secret.
impl fmt::Debug for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.layers.iter().flat_map(BTreeMap::keys)).finish()
    }
}

impl Layers {
    /// Checks a text as a value of the key and keeps it.
    pub(super) fn put(
        &mut self,
        layer: Layer,
        key: &'static Key,
        shown: &str,
        text: &str,
        place: Place,
        again: Again,
    ) -> Result<(), ConfigError> {
        let layer = &mut self.layers[layer as usize];
        if let (Again::IsRefused, Some(first)) = (again, layer.get(key.name)) {
            return Err(ConfigError::SetTwice { place, key: shown.to_owned(), first: first.place.clone() });
        }
        let value = parse(key, shown, text, &place)?;
        let setting = Setting { key, shown: shown.to_owned(), text: text.trim().to_owned(), value, place };
        layer.insert(key.name, setting);
        Ok(())
    }

    pub(super) fn clear(&mut self, layer: Layer) {
        self.layers[layer as usize].clear();
    }

    pub(super) fn get(&self, layer: Layer, name: &str) -> Option<&Setting> {
        self.layers[layer as usize].get(name)
    }

    /// What a layer sets, by name.
    pub(super) fn of(&self, layer: Layer) -> impl Iterator<Item = &Setting> {
        self.layers[layer as usize].values()
    }

    /// The setting that counts for synonyms: of the topmost layer that has any, the first of them.
    pub(super) fn first(&self, synonyms: &[&'static str]) -> Option<(Layer, &Setting)> {
        let in_layer = |layer: Layer| synonyms.iter().find_map(move |name| self.get(layer, name));
        Layer::TOP_DOWN.into_iter().find_map(|layer| in_layer(layer).map(|setting| (layer, setting)))
    }

    /// The value that counts for a declared key; its default if nobody set it.
    pub(super) fn value(&self, name: &'static str) -> Value {
        match self.first(&[name]) {
            Some((_, setting)) => setting.value.clone(),
            None => declared(name).default_value(),
        }
    }

    /// Where the value that counts was given.
    pub(super) fn place(&self, name: &'static str) -> Place {
        self.first(&[name]).map_or(Place::Default, |(_, setting)| setting.place.clone())
    }

    pub(super) fn boolean(&self, name: &'static str) -> bool {
        match self.value(name) {
            Value::Bool(value) => value,
            other => unreachable!("{name} is read as a boolean and is {other:?}"),
        }
    }

    /// Of a key that has a default.
    pub(super) fn long(&self, name: &'static str) -> i64 {
        self.whole(name).unwrap_or_else(|| unreachable!("{name} is read as a number and is unset"))
    }

    /// Of a key that may be unset.
    pub(super) fn whole(&self, name: &'static str) -> Option<i64> {
        match self.value(name) {
            Value::Int(value) => Some(value),
            Value::Null => None,
            other => unreachable!("{name} is read as a number and is {other:?}"),
        }
    }

    pub(super) fn text(&self, name: &'static str) -> Option<String> {
        match self.value(name) {
            Value::Text(value) => Some(value),
            Value::Null => None,
            other => unreachable!("{name} is read as a text and is {other:?}"),
        }
    }

    /// Of a key that has a default.
    pub(super) fn double(&self, name: &'static str) -> f64 {
        match self.value(name) {
            Value::Double(value) => value,
            other => unreachable!("{name} is read as a double and is {other:?}"),
        }
    }

    pub(super) fn list(&self, name: &'static str) -> Vec<String> {
        match self.value(name) {
            Value::List(value) => value,
            Value::Null => Vec::new(),
            other => unreachable!("{name} is read as a list and is {other:?}"),
        }
    }

    /// As a number of another type, which the key's bounds make fit.
    pub(super) fn number<T: TryFrom<i64>>(&self, name: &'static str) -> T {
        let number = self.long(name);
        T::try_from(number)
            .unwrap_or_else(|_| unreachable!("{name} is declared with bounds that admit {number}"))
    }
}

/// The key of a name that the code itself reads.
pub(super) fn declared(name: &str) -> &'static Key {
    catalog::broker_key(name).unwrap_or_else(|| unreachable!("{name} is read and not declared"))
}

/// The value of a text, or the message that says what is wrong with it.
pub(super) fn parse(key: &Key, shown: &str, text: &str, place: &Place) -> Result<Value, ConfigError> {
    key.parse(text).map_err(|refusal| {
        let bad = BadValue {
            place: place.clone(),
            key: shown.to_owned(),
            value: if key.is_sensitive() { "(hidden)".to_owned() } else { text.trim().to_owned() },
            problem: refusal.problem,
            allowed: refusal.allowed,
        };
        bad.into()
    })
}
