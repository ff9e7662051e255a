//! IncrementalAlterConfigs (44, KIP-339) and AlterConfigs (33): configs of topics, groups and subscriptions to clients'
//! metrics, which the controller keeps, and the levels of this broker's loggers.

use bytes::Bytes;

use super::context::RequestContext;
use super::loggers::{self, BROKER_LOGGER};
use super::mutation::{ask, code_and_message, unexpected};
use crate::config::{ConfigError, Effect, broker_key, changes_live, why_without_effect};
use crate::controller::{
    AlterConfigs, ApiError, ConfigOp, ConfigsAltered, ControllerRequest, ControllerResponse, ReplaceConfigs,
};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::incremental_alter_configs::AlterConfigsResource;
use crate::protocol::messages::{
    AlterConfigsRequest, AlterConfigsResponse, IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse, alter_configs, incremental_alter_configs,
};

/// Of a broker's configs that do something, those that cannot change while it runs are refused, so that nobody is made to
/// believe that a value was taken. Those that do nothing here are taken where Kafka takes them, and their reason is told
/// (DescribeConfigs has it, too). What is no type of resource at all, the controller refuses.
const BROKER: i8 = 4;

/// IncrementalAlterConfigs.
pub(super) fn alter(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(alter_incrementally(context, body)))
}

/// AlterConfigs.
pub(super) fn replace(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(replace_all(context, body)))
}

/// The refusal of a resource of which a key is `set` that a broker cannot change while it runs.
fn refusal<'k>(
    resource_type: i8,
    resource_name: &str,
    mut set: impl Iterator<Item = &'k str>,
) -> Option<ConfigsAltered> {
    let key = set.find(|name| {
        let key = broker_key(name).filter(|_| resource_type == BROKER);
        if let Some(reason) = key.and_then(why_without_effect) {
            tracing::info!(key = name, reason, "a broker config is set");
        }
        key.is_some_and(|key| key.effect == Effect::Honoured && !changes_live(name))
    })?;
    let error = ConfigError::ReadOnly { key: key.to_owned(), scope: "" };
    let result = Err(ApiError::new(ErrorCode::INVALID_REQUEST, error.to_string()));
    Some(ConfigsAltered { resource_type, resource_name: resource_name.to_owned(), result })
}

async fn results_of(
    context: &RequestContext,
    request: ControllerRequest,
    asked: Vec<(i8, String)>,
) -> Vec<ConfigsAltered> {
    let failed = |error: ApiError| {
        let each = asked.iter().map(|(resource_type, name)| ConfigsAltered {
            resource_type: *resource_type,
            resource_name: name.clone(),
            result: Err(error.clone()),
        });
        each.collect()
    };
    match ask(context, request).await {
        Ok(ControllerResponse::AlterConfigs(results)) => results,
        Ok(_) => failed(unexpected()),
        Err(error) => failed(error),
    }
}

async fn alter_incrementally(context: RequestContext, body: Bytes) -> Outcome {
    let request: IncrementalAlterConfigsRequest<'_> = context.decode(&body)?;
    let (loggers, others): (Vec<_>, Vec<_>) =
        request.resources.iter().partition(|resource| resource.resource_type == BROKER_LOGGER);
    let (mut resources, mut refused) = (Vec::new(), Vec::new());
    for resource in others {
        let set = resource.configs.iter().filter(|config| config.value.is_some()).map(|config| config.name);
        if let Some(refusal) = refusal(resource.resource_type, resource.resource_name, set) {
            refused.push(refusal);
            continue;
        }
        let ops = resource.configs.iter().map(|config| ConfigOp {
            name: config.name.to_owned(),
            op: config.config_operation,
            value: config.value.map(str::to_owned),
        });
        resources.push(AlterConfigs {
            resource_type: resource.resource_type,
            resource_name: resource.resource_name.to_owned(),
            ops: ops.collect(),
        });
    }
    let asked = resources.iter().map(|r| (r.resource_type, r.resource_name.clone())).collect();
    let validate_only = request.validate_only;
    let change = ControllerRequest::IncrementalAlterConfigs { resources, validate_only };
    let mut results = results_of(&context, change, asked).await;
    results.append(&mut refused);
    for resource in &loggers {
        let same = |other: &&&AlterConfigsResource<'_>| other.resource_name == resource.resource_name;
        let result = if loggers.iter().filter(same).count() > 1 {
            let text = "Each resource must appear at most once.";
            Err(ApiError::new(ErrorCode::INVALID_REQUEST, text))
        } else {
            loggers::alter(&context, resource, validate_only)
        };
        let resource_name = resource.resource_name.to_owned();
        results.push(ConfigsAltered { resource_type: BROKER_LOGGER, resource_name, result });
    }
    let responses = results
        .iter()
        .map(|altered| {
            let (error_code, error_message) = code_and_message(altered.result.as_ref().copied());
            incremental_alter_configs::AlterConfigsResourceResponse {
                error_code,
                error_message,
                resource_type: altered.resource_type,
                resource_name: &altered.resource_name,
            }
        })
        .collect();
    context
        .respond(&IncrementalAlterConfigsResponse { throttle_time_ms: context.throttle_time_ms, responses })
}

async fn replace_all(context: RequestContext, body: Bytes) -> Outcome {
    let request: AlterConfigsRequest<'_> = context.decode(&body)?;
    let (mut resources, mut refused) = (Vec::new(), Vec::new());
    for resource in &request.resources {
        let set = resource.configs.iter().filter(|config| config.value.is_some()).map(|config| config.name);
        if let Some(refusal) = refusal(resource.resource_type, resource.resource_name, set) {
            refused.push(refusal);
            continue;
        }
        let configs = resource.configs.iter();
        let configs = configs.map(|config| (config.name.to_owned(), config.value.map(str::to_owned)));
        resources.push(ReplaceConfigs {
            resource_type: resource.resource_type,
            resource_name: resource.resource_name.to_owned(),
            configs: configs.collect(),
        });
    }
    let asked = resources.iter().map(|r| (r.resource_type, r.resource_name.clone())).collect();
    let validate_only = request.validate_only;
    let mut results =
        results_of(&context, ControllerRequest::AlterConfigs { resources, validate_only }, asked).await;
    results.append(&mut refused);
    let responses = results
        .iter()
        .map(|altered| {
            let (error_code, error_message) = code_and_message(altered.result.as_ref().copied());
            alter_configs::AlterConfigsResourceResponse {
                error_code,
                error_message,
                resource_type: altered.resource_type,
                resource_name: &altered.resource_name,
            }
        })
        .collect();
    context.respond(&AlterConfigsResponse { throttle_time_ms: context.throttle_time_ms, responses })
}
