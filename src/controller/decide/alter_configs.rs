//! IncrementalAlterConfigs (KIP-339) and the older AlterConfigs: configs of topics, brokers, groups and clients' metrics
//! (Kafka's ConfigAdminManager, ControllerApis, ControllerConfigurationValidator and ConfigurationControlManager).

use std::collections::{BTreeMap, BTreeSet};

use crate::controller::image::{ConfigKind, ConfigResource, Overrides};
use crate::controller::records::RecordList;
use crate::controller::request::{AlterConfigs, ApiError, ConfigOp, ConfigsAltered, ReplaceConfigs};
use crate::protocol::ErrorCode;
use crate::protocol::messages::ConfigRecord;

use super::context::{Context, Decision, cannot_encode};
use super::topic_name::check_topic_name;

/// Greatest length of a value.
const MAX_VALUE_LEN: usize = 32_767;

const SET: i8 = 0;
const DELETE: i8 = 1;
const APPEND: i8 = 2;
const SUBTRACT: i8 = 3;

/// What is known of configs: their types, defaults, and which values they take. The controller itself knows none.
pub trait ConfigRules {
    /// Checks everything that would be set on a resource.
    ///
    /// # Errors
    /// What the client gets, mostly INVALID_CONFIG.
    fn validate(
        &self,
        resource: &ConfigResource,
        overrides: &BTreeMap<String, String>,
    ) -> Result<(), ApiError>;

    /// Whether the config is a list, which can be appended to.
    fn is_list(&self, kind: ConfigKind, key: &str) -> bool;

    /// What the config is where it is not set.
    fn default_value(&self, kind: ConfigKind, key: &str) -> Option<String>;
}

/// Refuses values that are too long.
pub(super) fn check_lengths<'a>(mut values: impl Iterator<Item = &'a String>) -> Result<(), ApiError> {
    if values.any(|value| value.encode_utf16().count() > MAX_VALUE_LEN) {
        return Err(ApiError::new(
            ErrorCode::INVALID_CONFIG,
            "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes.",
        ));
    }
    Ok(())
}

pub(super) fn incremental(
    context: &Context<'_>,
    resources: &[AlterConfigs],
    validate_only: bool,
) -> Decision<Vec<ConfigsAltered>> {
    each(
        resources,
        validate_only,
        |resource| (resource.resource_type, &resource.resource_name),
        |records, resource| {
            check_ops(&resource.ops)?;
            let target = target(resource.resource_type, &resource.resource_name)?;
            let present = context.image.configs.get(&target);
            let changes = changes(context, &target, &present, &resource.ops)?;
            commit(context, records, &target, &present, changes)
        },
    )
}

pub(super) fn replace(
    context: &Context<'_>,
    resources: &[ReplaceConfigs],
    validate_only: bool,
) -> Decision<Vec<ConfigsAltered>> {
    each(
        resources,
        validate_only,
        |resource| (resource.resource_type, &resource.resource_name),
        |records, resource| {
            check_keys(resource.configs.iter().map(|(name, _)| name))?;
            refuse_nulls(
                resource.configs.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.as_str()),
            )?;
            let target = target(resource.resource_type, &resource.resource_name)?;
            let present = context.image.configs.get(&target);
            let mut changes: BTreeMap<String, Option<String>> =
                present.keys().map(|name| (name.clone(), None)).collect();
            for (name, value) in &resource.configs {
                if value.as_ref() != present.get(name) || target.kind == ConfigKind::Broker {
                    changes.insert(name.clone(), value.clone());
                } else {
                    changes.remove(name);
                }
            }
            commit(context, records, &target, &present, changes)
        },
    )
}

/// Answers each resource by `alter`, the ones that stand there twice with an error.
fn each<R>(
    resources: &[R],
    validate_only: bool,
    key: impl Fn(&R) -> (i8, &String),
    mut alter: impl FnMut(&mut RecordList, &R) -> Result<(), ApiError>,
) -> Decision<Vec<ConfigsAltered>> {
    let mut times = BTreeMap::<(i8, &str), usize>::new();
    for resource in resources {
        let (resource_type, name) = key(resource);
        *times.entry((resource_type, name)).or_default() += 1;
    }
    let mut records = RecordList::default();
    let mut response = Vec::with_capacity(resources.len());
    for resource in resources {
        let (resource_type, name) = key(resource);
        let result = if times.get(&(resource_type, name.as_str())).is_some_and(|times| *times > 1) {
            Err(invalid_request("Each resource must appear at most once."))
        } else {
            alter(&mut records, resource)
        };
        response.push(ConfigsAltered { resource_type, resource_name: name.clone(), result });
    }
    let records = if validate_only { RecordList::default() } else { records };
    Decision { records, response }
}

fn invalid_request(text: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::INVALID_REQUEST, text)
}

fn check_keys<'a>(names: impl Iterator<Item = &'a String>) -> Result<(), ApiError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(invalid_request("Error due to duplicate config keys"));
        }
    }
    Ok(())
}

fn refuse_nulls<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), ApiError> {
    let nulls: Vec<&str> = names.collect();
    if nulls.is_empty() {
        return Ok(());
    }
    Err(invalid_request(format!("Null value not supported for : {}", nulls.join(", "))))
}

fn check_ops(ops: &[ConfigOp]) -> Result<(), ApiError> {
    check_keys(ops.iter().map(|op| &op.name))?;
    refuse_nulls(ops.iter().filter(|op| op.op != DELETE && op.value.is_none()).map(|op| op.name.as_str()))?;
    match ops.iter().find(|op| !(SET..=SUBTRACT).contains(&op.op)) {
        Some(op) => Err(invalid_request(format!("Unknown operations type {}", op.op))),
        None => Ok(()),
    }
}

/// The resource that is meant. Whether it exists is seen after its configs are, as in Kafka.
fn target(resource_type: i8, name: &str) -> Result<ConfigResource, ApiError> {
    let kind = ConfigKind::from_code(resource_type)
        .ok_or_else(|| invalid_request(format!("Unknown resource type {resource_type}")))?;
    match kind {
        ConfigKind::Topic if name.is_empty() => {
            return Err(invalid_request("Default topic resources are not allowed."));
        }
        ConfigKind::Topic => {
            check_topic_name(name).map_err(|text| ApiError::new(ErrorCode::INVALID_TOPIC_EXCEPTION, text))?;
        }
        ConfigKind::Broker if name.is_empty() => {}
        ConfigKind::Broker => match name.parse::<i32>() {
            Ok(_) => {}
            Err(_) => {
                return Err(invalid_request(format!("Node id must be an integer, but it is: {name}")));
            }
        },
        ConfigKind::Group if name.is_empty() => {
            return Err(invalid_request("Default group resources are not allowed."));
        }
        ConfigKind::Group | ConfigKind::ClientMetrics => {}
    }
    Ok(ConfigResource::new(kind, name))
}

fn check_exists(context: &Context<'_>, target: &ConfigResource) -> Result<(), ApiError> {
    match target.kind {
        ConfigKind::Topic if context.image.topics.by_name(&target.name).is_none() => Err(ApiError::new(
            ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            format!("The topic '{}' does not exist.", target.name),
        )),
        ConfigKind::Broker if !target.name.is_empty() => {
            let known = target.name.parse().is_ok_and(|id| context.image.broker(id).is_some());
            if known {
                return Ok(());
            }
            Err(ApiError::new(
                ErrorCode::BROKER_ID_NOT_REGISTERED,
                format!("No node with id {} found.", target.name),
            ))
        }
        _ => Ok(()),
    }
}

/// The values that the operations lead to; None unsets. What would not change is left out, except a broker's: writing
/// it again makes the broker read it again (KAFKA-14136).
fn changes(
    context: &Context<'_>,
    target: &ConfigResource,
    present: &Overrides,
    ops: &[ConfigOp],
) -> Result<BTreeMap<String, Option<String>>, ApiError> {
    let mut changes = BTreeMap::new();
    for op in ops {
        let value = op.value.clone().unwrap_or_default();
        let new = match op.op {
            SET => Some(value),
            DELETE => None,
            list_op => {
                if !context.rules.is_list(target.kind, &op.name) {
                    let what = if list_op == APPEND { "APPEND" } else { "SUBTRACT" };
                    return Err(ApiError::new(
                        ErrorCode::INVALID_CONFIG,
                        format!("Can't {what} to key {} because its type is not LIST.", op.name),
                    ));
                }
                let old = present
                    .get(&op.name)
                    .cloned()
                    .or_else(|| context.rules.default_value(target.kind, &op.name))
                    .unwrap_or_default();
                Some(list_after(&old, list_op, &value))
            }
        };
        if new.as_ref() != present.get(&op.name) || target.kind == ConfigKind::Broker {
            changes.insert(op.name.clone(), new);
        }
    }
    Ok(changes)
}

fn list_after(old: &str, op: i8, value: &str) -> String {
    let mut parts: Vec<&str> = old.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    for part in value.split(',') {
        let at = parts.iter().position(|present| *present == part);
        match (op, at) {
            (APPEND, None) => parts.push(part),
            (SUBTRACT, Some(at)) => drop(parts.remove(at)),
            _ => {}
        }
    }
    parts.join(",")
}

fn commit(
    context: &Context<'_>,
    records: &mut RecordList,
    target: &ConfigResource,
    present: &Overrides,
    changes: BTreeMap<String, Option<String>>,
) -> Result<(), ApiError> {
    check_lengths(changes.values().flatten())?;
    let mut overrides = BTreeMap::clone(present);
    for (name, value) in &changes {
        match value {
            Some(value) => drop(overrides.insert(name.clone(), value.clone())),
            None => drop(overrides.remove(name)),
        }
    }
    context.rules.validate(target, &overrides)?;
    check_exists(context, target)?;
    let mut written = RecordList::default();
    for (name, value) in &changes {
        written
            .push(&ConfigRecord {
                resource_type: target.kind.code(),
                resource_name: &target.name,
                name,
                value: value.as_deref(),
            })
            .map_err(|error| cannot_encode(&error))?;
    }
    records.append(written);
    Ok(())
}
