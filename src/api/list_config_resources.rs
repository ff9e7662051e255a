//! ListConfigResources (74): what has configs (KIP-1142). Version 0 lists subscriptions to clients' metrics alone, which
//! is what the API was made for (KIP-1000).

use bytes::Bytes;

use super::context::RequestContext;
use super::loggers::BROKER_LOGGER;
use super::topics::reachable;
use crate::controller::{ConfigKind, MetadataImage};
use crate::net::Step;
use crate::protocol::ErrorCode;
use crate::protocol::messages::list_config_resources::ConfigResource;
use crate::protocol::messages::{ListConfigResourcesRequest, ListConfigResourcesResponse};

/// The types of resources that a version can list.
fn known_types(version: i16) -> &'static [i8] {
    const ALL: &[i8] = &[
        ConfigKind::Topic as i8,
        ConfigKind::Broker as i8,
        BROKER_LOGGER,
        ConfigKind::ClientMetrics as i8,
        ConfigKind::Group as i8,
    ];
    if version == 0 { &[ConfigKind::ClientMetrics as i8] } else { ALL }
}

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    let request: ListConfigResourcesRequest = match context.decode(&body) {
        Ok(request) => request,
        Err(reason) => return Step::Done(Err(reason)),
    };
    let known = known_types(context.version);
    // No type asked for is every type.
    let wanted = if request.resource_types.is_empty() { known } else { &request.resource_types };
    if wanted.iter().any(|wanted| !known.contains(wanted)) {
        return context.done(&ListConfigResourcesResponse {
            throttle_time_ms: context.throttle_time_ms,
            error_code: ErrorCode::UNSUPPORTED_VERSION.into(),
            ..Default::default()
        });
    }
    let image = context.shard.image();
    let found = resources(&image, &context.connection.listener, wanted);
    let config_resources = found
        .iter()
        .map(|(resource_type, name)| ConfigResource { resource_name: name, resource_type: *resource_type })
        .collect();
    context.done(&ListConfigResourcesResponse {
        throttle_time_ms: context.throttle_time_ms,
        config_resources,
        ..Default::default()
    })
}

/// Topics and brokers are listed whether anything is set on them or not; groups and subscriptions exist by their configs.
fn resources(image: &MetadataImage, listener: &str, wanted: &[i8]) -> Vec<(i8, String)> {
    let mut found = Vec::new();
    let is_wanted = |resource_type: i8| wanted.contains(&resource_type);
    for kind in [ConfigKind::Group, ConfigKind::ClientMetrics] {
        if is_wanted(kind.code()) {
            let names = image.configs.iter().filter(|(resource, _)| resource.kind == kind);
            found.extend(names.map(|(resource, _)| (kind.code(), resource.name.to_string())));
        }
    }
    for resource_type in [BROKER_LOGGER, ConfigKind::Broker.code()] {
        if is_wanted(resource_type) {
            found
                .extend(reachable(image, listener).map(|(broker, _)| (resource_type, broker.id.to_string())));
        }
    }
    if is_wanted(ConfigKind::Topic.code()) {
        found.extend(image.topics.iter().map(|topic| (ConfigKind::Topic.code(), topic.name.to_string())));
    }
    found
}
