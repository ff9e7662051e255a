//! The levels of this broker's loggers, as configs of the resource type BROKER_LOGGER (KIP-412): DescribeConfigs and
//! IncrementalAlterConfigs come here for them.

use std::collections::BTreeSet;

use super::context::RequestContext;
use crate::controller::ApiError;
use crate::protocol::ErrorCode;
use crate::protocol::messages::incremental_alter_configs::AlterConfigsResource;
use crate::server::{LevelChange, LogLevels, ROOT};

/// Kafka's number of the resource type.
pub(super) const BROKER_LOGGER: i8 = 8;
/// Kafka's number of the source of a level: DYNAMIC_BROKER_LOGGER_CONFIG.
pub(super) const LOGGER_SOURCE: i8 = 6;

const SET: i8 = 0;
const DELETE: i8 = 1;
const APPEND: i8 = 2;
const SUBTRACT: i8 = 3;

fn invalid(text: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::INVALID_REQUEST, text)
}

/// Loggers and their levels.
pub(super) fn describe(
    context: &RequestContext,
    name: &str,
) -> Result<Vec<(&'static str, &'static str)>, ApiError> {
    if name.is_empty() {
        return Err(invalid("Broker id must not be empty"));
    }
    let node_id = context.shard.config.node_id;
    match name.parse::<i32>() {
        Err(_) => Err(invalid(format!("Broker id must be an integer, but it is: {name}"))),
        Ok(id) if id != node_id => {
            Err(invalid(format!("Unexpected broker id, expected {node_id} but received {name}")))
        }
        Ok(_) => Ok(context.shard.log_levels.describe()),
    }
}

/// Changes levels, all of a resource or none (Kafka's RuntimeLoggerManager).
pub(super) fn alter(
    context: &RequestContext,
    resource: &AlterConfigsResource<'_>,
    validate_only: bool,
) -> Result<(), ApiError> {
    let mut seen = BTreeSet::new();
    if !resource.configs.iter().all(|config| seen.insert(config.name)) {
        return Err(invalid("Error due to duplicate config keys"));
    }
    let nulls: Vec<&str> = resource
        .configs
        .iter()
        .filter(|config| config.config_operation != DELETE && config.value.is_none())
        .map(|config| config.name)
        .collect();
    if !nulls.is_empty() {
        return Err(invalid(format!("Null value not supported for : {}", nulls.join(", "))));
    }
    let node_id = context.shard.config.node_id;
    match resource.resource_name.parse::<i32>() {
        Ok(id) if id == node_id => {}
        Ok(id) => return Err(invalid(format!("Unexpected node id. Expected {node_id}, but received {id}"))),
        Err(_) => {
            let name = resource.resource_name;
            return Err(invalid(format!("Node id must be an integer, but it is: {name}")));
        }
    }
    let changes =
        resource.configs.iter().map(|config| change(config.name, config.config_operation, config.value));
    let changes = changes.collect::<Result<Vec<LevelChange>, ApiError>>()?;
    if validate_only {
        return Ok(());
    }
    let refused = |text: String| ApiError::new(ErrorCode::UNKNOWN_SERVER_ERROR, text);
    context.shard.log_levels.change(&changes).map_err(refused)?;
    for LevelChange { logger, level } in &changes {
        tracing::warn!(logger, level = level.as_deref().unwrap_or("unset"), "log level changed");
    }
    Ok(())
}

fn change(logger: &str, operation: i8, value: Option<&str>) -> Result<LevelChange, ApiError> {
    let not_allowed =
        |what: String| Err(invalid(format!("{what} is not allowed for the BROKER_LOGGER resource")));
    match operation {
        SET | DELETE => {}
        APPEND => return not_allowed("APPEND operation".to_owned()),
        SUBTRACT => return not_allowed("SUBTRACT operation".to_owned()),
        other => return not_allowed(format!("Unknown operation type {other}")),
    }
    let invalid_config = |text: String| ApiError::new(ErrorCode::INVALID_CONFIG, text);
    if !LogLevels::loggers().any(|known| known == logger) {
        return Err(invalid_config(format!("Logger {logger} does not exist!")));
    }
    let level = value.filter(|_| operation == SET);
    match level {
        None if logger == ROOT => {
            Err(invalid(format!("Removing the log level of the {ROOT} logger is not allowed")))
        }
        Some(level) if !LogLevels::levels().any(|known| known == level) => {
            let known: Vec<&str> = LogLevels::levels().collect();
            Err(invalid_config(format!(
                "Cannot set the log level of {logger} to {level} as it is not a supported log level. Valid log \
                 levels are {}",
                known.join(", ")
            )))
        }
        level => Ok(LevelChange { logger: logger.to_owned(), level: level.map(str::to_owned) }),
    }
}
