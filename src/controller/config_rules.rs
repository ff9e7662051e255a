//! The rules of configs as the configuration declares them.

use std::collections::BTreeMap;

use crate::config::{
    ClientMetricsError, Config, ConfigError, Kind, TopicConfig, broker_key, check_client_metrics, topic_key,
};
use crate::protocol::ErrorCode;

use super::decide::ConfigRules;
use super::image::{ConfigKind, ConfigResource};
use super::request::ApiError;

fn refused(error: &ConfigError) -> ApiError {
    let code = match error {
        ConfigError::ReadOnly { .. } => ErrorCode::INVALID_REQUEST,
        _ => ErrorCode::INVALID_CONFIG,
    };
    ApiError::new(code, error.to_string())
}

impl ConfigRules for Config {
    fn validate(
        &self,
        resource: &ConfigResource,
        overrides: &BTreeMap<String, String>,
    ) -> Result<(), ApiError> {
        let none = BTreeMap::new();
        match resource.kind {
            ConfigKind::Topic => {
                TopicConfig::from_overrides(self, overrides).map(drop).map_err(|error| refused(&error))
            }
            ConfigKind::Broker if resource.name.is_empty() => {
                self.with_dynamic(overrides, &none).map(drop).map_err(|error| refused(&error))
            }
            ConfigKind::Broker if resource.name.parse() == Ok(self.node_id) => {
                self.with_dynamic(&none, overrides).map(drop).map_err(|error| refused(&error))
            }
            // Only the broker itself knows what it takes, and the request is to be sent to it.
            ConfigKind::Broker => Err(ApiError::new(
                ErrorCode::INVALID_REQUEST,
                format!("Unexpected broker id, expected {}, but received {}", self.node_id, resource.name),
            )),
            ConfigKind::Group => self.check_group(overrides).map_err(|error| refused(&error)),
            ConfigKind::ClientMetrics => {
                check_client_metrics(&resource.name, overrides).map_err(|error| match error {
                    ClientMetricsError::Request(text) => ApiError::new(ErrorCode::INVALID_REQUEST, text),
                    ClientMetricsError::Config(text) => ApiError::new(ErrorCode::INVALID_CONFIG, text),
                })
            }
        }
    }

    fn is_list(&self, kind: ConfigKind, key: &str) -> bool {
        declared(kind, key).is_some_and(|key| key.kind == Kind::List)
    }

    fn default_value(&self, kind: ConfigKind, key: &str) -> Option<String> {
        declared(kind, key)?.default.map(str::to_owned)
    }
}

fn declared(kind: ConfigKind, key: &str) -> Option<&'static crate::config::Key> {
    match kind {
        ConfigKind::Topic => topic_key(key),
        ConfigKind::Broker => broker_key(key),
        // Kafka's controller knows no types of these keys, so that nothing can be appended to one.
        ConfigKind::Group | ConfigKind::ClientMetrics => None,
    }
}
