//! DescribeConfigs (32): the configs of topics, of this broker and its loggers, of groups and of subscriptions to clients'
//! metrics, with who set each (KIP-226).

use bytes::Bytes;

use super::context::RequestContext;
use super::loggers::{self, BROKER_LOGGER, LOGGER_SOURCE};
use crate::config::{Described, Kind, Source, Update, why_without_effect};
use crate::controller::{ConfigKind, ConfigResource};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::describe_configs::{
    DescribeConfigsResource, DescribeConfigsResourceResult, DescribeConfigsResult, DescribeConfigsSynonym,
};
use crate::protocol::messages::{DescribeConfigsRequest, DescribeConfigsResponse};

const TOPIC: i8 = 2;
const BROKER: i8 = 4;
const CLIENT_METRICS: i8 = 16;
const GROUP: i8 = 32;

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
    configs: Result<Configs, (ErrorCode, String)>,
}

enum Configs {
    /// Keys that are declared.
    Declared(Vec<Described>),
    /// Loggers and their levels.
    Loggers(Vec<(&'static str, &'static str)>),
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
) -> Result<Configs, (ErrorCode, String)> {
    let image = context.shard.image();
    let config = &context.shard.live_config();
    let is_asked = |name: &str| {
        let keys = asked.configuration_keys.as_ref().filter(|keys| !keys.is_empty());
        keys.is_none_or(|keys| keys.contains(&name))
    };
    let overrides = |kind| image.configs.get(&ConfigResource::new(kind, asked.resource_name));
    let unnamed = |what: &str| Err((ErrorCode::INVALID_REQUEST, format!("{what} name must not be empty")));
    let mut configs = match asked.resource_type {
        TOPIC if image.topics.by_name(asked.resource_name).is_some() => {
            config.describe_topic(&image.configs.topic(asked.resource_name))
        }
        TOPIC => return Err((ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, "This topic does not exist.".into())),
        BROKER if asked.resource_name.is_empty() => {
            config.describe_cluster_default(&image.configs.cluster_default())
        }
        BROKER if asked.resource_name == config.node_id.to_string() => config.describe_broker(),
        BROKER => {
            let text =
                format!("Broker {} is not this one, which is {}.", asked.resource_name, config.node_id);
            return Err((ErrorCode::INVALID_REQUEST, text));
        }
        BROKER_LOGGER => {
            let levels = loggers::describe(context, asked.resource_name);
            let mut levels = levels.map_err(|error| (error.code, error.message.unwrap_or_default()))?;
            levels.retain(|(logger, _)| is_asked(logger));
            return Ok(Configs::Loggers(levels));
        }
        CLIENT_METRICS if asked.resource_name.is_empty() => {
            return unnamed("Client metrics subscription");
        }
        CLIENT_METRICS => config.describe_client_metrics(&overrides(ConfigKind::ClientMetrics)),
        GROUP if asked.resource_name.is_empty() => return unnamed("Group"),
        GROUP => config.describe_group(&overrides(ConfigKind::Group)),
        kind => {
            return Err((
                ErrorCode::INVALID_REQUEST,
                format!("Configs of resource type {kind} are not served."),
            ));
        }
    };
    configs.retain(|described| !described.key.internal && is_asked(described.key.name));
    Ok(Configs::Declared(configs))
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
        Ok(Configs::Declared(configs)) => {
            let is_broker = resource.asked.resource_type == BROKER;
            result.configs =
                configs.iter().map(|described| config_of(request, described, is_broker)).collect();
        }
        Ok(Configs::Loggers(levels)) => {
            result.configs = levels
                .iter()
                .map(|(logger, level)| DescribeConfigsResourceResult {
                    name: logger,
                    value: Some(level),
                    config_source: LOGGER_SOURCE,
                    ..Default::default()
                })
                .collect();
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
    is_broker: bool,
) -> DescribeConfigsResourceResult<'d> {
    let synonyms = described.synonyms.iter().filter(|_| request.include_synonyms);
    let help = Some(described.key.help).filter(|help| !help.is_empty());
    let documentation = help.or_else(|| why_without_effect(described.key));
    DescribeConfigsResourceResult {
        name: described.key.name,
        value: described.value.as_deref(),
        read_only: is_broker && described.key.update == Update::ReadOnly,
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
        documentation: documentation.filter(|_| request.include_documentation),
    }
}
