//! IncrementalAlterConfigs (44, KIP-339) and AlterConfigs (33): configs of topics and brokers.

use bytes::Bytes;

use super::context::RequestContext;
use super::mutation::{ask, code_and_message, unexpected};
use crate::controller::{
    AlterConfigs, ApiError, ConfigOp, ConfigsAltered, ControllerRequest, ControllerResponse, ReplaceConfigs,
};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::{
    AlterConfigsRequest, AlterConfigsResponse, IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse, alter_configs, incremental_alter_configs,
};

/// The kinds of resources whose configs take effect here: topics. Others are refused, so that nobody is made to believe
/// that a value was taken.
const TOPIC: i8 = 2;

/// IncrementalAlterConfigs.
pub(super) fn alter(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(alter_incrementally(context, body)))
}

/// AlterConfigs.
pub(super) fn replace(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(replace_all(context, body)))
}

fn refused(resource_type: i8, resource_name: &str) -> ConfigsAltered {
    let message = "Only configs of topics can be changed while the broker runs.".to_owned();
    let error = ApiError { code: ErrorCode::INVALID_REQUEST, message: Some(message) };
    ConfigsAltered { resource_type, resource_name: resource_name.to_owned(), result: Err(error) }
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
    let (topics, others): (Vec<_>, Vec<_>) =
        request.resources.iter().partition(|resource| resource.resource_type == TOPIC);
    let resources: Vec<AlterConfigs> = topics
        .into_iter()
        .map(|resource| AlterConfigs {
            resource_type: resource.resource_type,
            resource_name: resource.resource_name.to_owned(),
            ops: resource
                .configs
                .iter()
                .map(|config| ConfigOp {
                    name: config.name.to_owned(),
                    op: config.config_operation,
                    value: config.value.map(str::to_owned),
                })
                .collect(),
        })
        .collect();
    let asked = resources.iter().map(|r| (r.resource_type, r.resource_name.clone())).collect();
    let validate_only = request.validate_only;
    let change = ControllerRequest::IncrementalAlterConfigs { resources, validate_only };
    let mut results = results_of(&context, change, asked).await;
    results.extend(others.iter().map(|r| refused(r.resource_type, r.resource_name)));
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
    let (topics, others): (Vec<_>, Vec<_>) =
        request.resources.iter().partition(|resource| resource.resource_type == TOPIC);
    let resources: Vec<ReplaceConfigs> = topics
        .into_iter()
        .map(|resource| ReplaceConfigs {
            resource_type: resource.resource_type,
            resource_name: resource.resource_name.to_owned(),
            configs: resource
                .configs
                .iter()
                .map(|config| (config.name.to_owned(), config.value.map(str::to_owned)))
                .collect(),
        })
        .collect();
    let asked = resources.iter().map(|r| (r.resource_type, r.resource_name.clone())).collect();
    let validate_only = request.validate_only;
    let mut results =
        results_of(&context, ControllerRequest::AlterConfigs { resources, validate_only }, asked).await;
    results.extend(others.iter().map(|r| refused(r.resource_type, r.resource_name)));
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
