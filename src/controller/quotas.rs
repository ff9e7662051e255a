//! Quotas of clients in the image: for users, client ids, and both together, or for addresses (KIP-546).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::protocol::messages::ClientQuotaRecord;

use super::persistent_map::PersistentMap;

/// Type of entities that are users.
pub const USER: &str = "user";
/// Type of entities that are client ids.
pub const CLIENT_ID: &str = "client-id";
/// Type of entities that are addresses.
pub const IP: &str = "ip";

/// Whom quotas are for: names by type. No name: all of the type that have no quotas of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct QuotaEntity(pub BTreeMap<String, Option<String>>);

impl QuotaEntity {
    /// The entity in Kafka's words, for messages.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = "ClientQuotaEntity(entries={".to_owned();
        for (at, (entity_type, name)) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            // Writing to a string does not fail.
            let _ = write!(text, "{separator}{entity_type}={}", name.as_deref().unwrap_or("null"));
        }
        text + "})"
    }
}

/// Quotas of one entity, by their key.
pub type Quotas = Arc<BTreeMap<String, f64>>;

/// All quotas that were set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientQuotasImage {
    by_entity: PersistentMap<QuotaEntity, Quotas>,
}

impl ClientQuotasImage {
    /// The quotas of exactly this entity; empty when it has none.
    #[must_use]
    pub fn get(&self, entity: &QuotaEntity) -> Quotas {
        self.by_entity.get(entity).cloned().unwrap_or_default()
    }

    /// All entities that have quotas.
    pub fn iter(&self) -> impl Iterator<Item = (&QuotaEntity, &Quotas)> {
        self.by_entity.iter()
    }

    pub(super) fn apply(&mut self, record: &ClientQuotaRecord<'_>) {
        let named = record.entity.iter();
        let entity = QuotaEntity(
            named.map(|part| (part.entity_type.to_owned(), part.entity_name.map(str::to_owned))).collect(),
        );
        let mut quotas = self.get(&entity);
        let map = Arc::make_mut(&mut quotas);
        if record.remove {
            map.remove(record.key);
        } else {
            map.insert(record.key.to_owned(), record.value);
        }
        if quotas.is_empty() {
            self.by_entity.remove(&entity);
        } else {
            self.by_entity.insert(entity, quotas);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::messages::client_quota_record::EntityData;

    #[test]
    fn the_last_quota_that_goes_takes_its_entity_with_it() {
        let mut image = ClientQuotasImage::default();
        let record = |key: &'static str, value, remove| ClientQuotaRecord {
            entity: vec![EntityData { entity_type: USER, entity_name: None }],
            key,
            value,
            remove,
        };
        image.apply(&record("producer_byte_rate", 10.0, false));
        image.apply(&record("request_percentage", 2.5, false));
        let entity = QuotaEntity([(USER.to_owned(), None)].into());
        assert_eq!(entity.text(), "ClientQuotaEntity(entries={user=null})");
        assert_eq!(image.get(&entity).get("request_percentage"), Some(&2.5));
        image.apply(&record("producer_byte_rate", 0.0, true));
        assert_eq!(image.get(&entity).len(), 1);
        image.apply(&record("request_percentage", 0.0, true));
        assert_eq!(image.iter().count(), 0);
    }
}
