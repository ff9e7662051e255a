//! DescribeConfigs (32): the configs of topics and of this broker, with who set each (KIP-226).

use bytes::Bytes;

use super::context::RequestContext;
use crate::config::{Described, Kind, Source, Update};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::describe_configs::{
    DescribeConfigsResource, DescribeConfigsResourceResult, DescribeConfigsResult, DescribeConfigsSynonym,
};
use crate::protocol::messages::{DescribeConfigsRequest, DescribeConfigsResponse};

const TOPIC: i8 = 2;
const BROKER: i8 = 4;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Done(describe(&context, &body))
}

/// The number of a source on the wire.
pub(super) fn source_code(source: Source) -> i8 {
    source.wire_id()
}

fn kind_code(kind: Kind) -> i8 {
    match kind {
        Kind::Boolean => 1,
        Kind::String => 2,
        Kind::Int => 3,
        Kind::Short => 4,
        Kind::Long | Kind::Bytes | Kind::Millis => 5,
        Kind::Double => 6,
        Kind::List => 7,
        Kind::Class => 8,
        Kind::Password => 9,
    }
}

struct Resource<'r> {
    asked: &'r DescribeConfigsResource<'r>,
    configs: Result<Vec<Described>, (ErrorCode, String)>,
}

fn describe(context: &RequestContext, body: &Bytes) -> Outcome {
    let request: DescribeConfigsRequest<'_> = context.decode(body)?;
    let resources: Vec<Resource<'_>> = request
        .resources
        .iter()
        .map(|asked| Resource { asked, configs: configs_of(context, asked) })
        .collect();
    let results = resources.iter().map(|resource| result_of(&request, resource)).collect();
    context.respond(&DescribeConfigsResponse { throttle_time_ms: context.throttle_time_ms, results })
}

fn configs_of(
    context: &RequestContext,
    asked: &DescribeConfigsResource<'_>,
) -> Result<Vec<Described>, (ErrorCode, String)> {
    let image = context.shard.image();
    let config = &context.shard.config;
    let mut configs = match asked.resource_type {
        TOPIC if image.topics.by_name(asked.resource_name).is_some() => {
            config.describe_topic(&image.configs.topic(asked.resource_name))
        }
        TOPIC => return Err((ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, "This topic does not exist.".into())),
        // The cluster-wide defaults: none are kept.
        BROKER if asked.resource_name.is_empty() => Vec::new(),
        BROKER if asked.resource_name == config.node_id.to_string() => config.describe_broker(),
        BROKER => {
            let text =
                format!("Broker {} is not this one, which is {}.", asked.resource_name, config.node_id);
            return Err((ErrorCode::INVALID_REQUEST, text));
        }
        kind => {
            return Err((
                ErrorCode::INVALID_REQUEST,
                format!("Configs of resource type {kind} are not served."),
            ));
        }
    };
    configs.retain(|described| !described.key.internal);
    if let Some(keys) = asked.configuration_keys.as_ref().filter(|keys| !keys.is_empty()) {
        configs.retain(|described| keys.contains(&described.key.name));
    }
    Ok(configs)
}

fn result_of<'r>(
    request: &DescribeConfigsRequest<'_>,
    resource: &'r Resource<'r>,
) -> DescribeConfigsResult<'r> {
    let mut result = DescribeConfigsResult {
        resource_type: resource.asked.resource_type,
        resource_name: resource.asked.resource_name,
        ..Default::default()
    };
    match &resource.configs {
        Ok(configs) => {
            let is_topic = resource.asked.resource_type == TOPIC;
            result.configs =
                configs.iter().map(|described| config_of(request, described, is_topic)).collect();
        }
        Err((code, message)) => {
            result.error_code = (*code).into();
            result.error_message = Some(message);
        }
    }
    result
}

fn config_of<'d>(
    request: &DescribeConfigsRequest<'_>,
    described: &'d Described,
    is_topic: bool,
) -> DescribeConfigsResourceResult<'d> {
    let synonyms = described.synonyms.iter().filter(|_| request.include_synonyms);
    DescribeConfigsResourceResult {
        name: described.key.name,
        value: described.value.as_deref(),
        read_only: !is_topic && described.key.update == Update::ReadOnly,
        config_source: source_code(described.source),
        is_sensitive: described.key.is_sensitive(),
        synonyms: synonyms
            .map(|synonym| DescribeConfigsSynonym {
                name: synonym.name,
                value: synonym.value.as_deref(),
                source: source_code(synonym.source),
            })
            .collect(),
        config_type: kind_code(described.key.kind),
        documentation: (request.include_documentation && !described.key.help.is_empty())
            .then_some(described.key.help),
    }
}
