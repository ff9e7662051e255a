//! Dynamic broker configs: those kept in the metadata, over the file's.

use super::error::{ConfigError, Place};
use super::key::{Key, Update};
use super::layers::{self, Again, Layer};
use super::settings::Config;
use super::{build, catalog, nearest};
use std::collections::BTreeMap;

impl Config {
    /// This configuration with other dynamic configs, by Kafka's names; the earlier ones no longer count. Quotas of
    /// replication and keys for one listener are accepted and have no effect yet.
    ///
    /// # Errors
    /// A name that no broker key has, a key that cannot be changed so, or a value that is refused alone or beside the
    /// others: answer INVALID_CONFIG (INVALID_REQUEST for [`ConfigError::ReadOnly`]) with the error's text.
    pub fn with_dynamic(
        &self,
        cluster_default: &BTreeMap<String, String>,
        this_broker: &BTreeMap<String, String>,
    ) -> Result<Self, ConfigError> {
        let mut layers = self.layers.clone();
        let given = [
            (Layer::ClusterDefault, Place::ClusterDefault, cluster_default),
            (Layer::ThisBroker, Place::ThisBroker, this_broker),
        ];
        for (layer, place, configs) in given {
            layers.clear(layer);
            for (name, text) in configs {
                if let Some(quota) = catalog::replication_quota_keys().iter().find(|key| key.name == name) {
                    layers::parse(quota, name, text, &place)?;
                    continue;
                }
                if catalog::is_listener_key(name) {
                    continue;
                }
                let Some(key) = catalog::broker_key(name) else {
                    let (key, remedy) = (name.clone(), nearest::kafka_remedy(name));
                    return Err(ConfigError::UnknownKey { place, key, remedy });
                };
                check_update(key, layer)?;
                layers.put(layer, key, name, text, place.clone(), Again::Replaces)?;
            }
        }
        build::build(layers, &mut Vec::new())
    }
}

fn check_update(key: &Key, layer: Layer) -> Result<(), ConfigError> {
    let scope = match (key.update, layer) {
        (Update::ReadOnly, _) => "",
        (Update::PerBroker, Layer::ClusterDefault) => " for all brokers at once",
        _ => return Ok(()),
    };
    Err(ConfigError::ReadOnly { key: key.name.to_owned(), scope })
}
