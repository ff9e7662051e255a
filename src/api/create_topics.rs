//! CreateTopics (19).

use std::collections::BTreeMap;

use bytes::Bytes;

use super::context::RequestContext;
use super::describe_configs::source_code;
use super::mutation::{ask, unexpected};
use super::topics::is_internal;
use crate::config::Described;
use crate::controller::{ApiError, ControllerRequest, ControllerResponse, NewTopic, TopicCreated};
use crate::net::{Outcome, Step};
use crate::protocol::messages::create_topics::{CreatableTopic, CreatableTopicConfigs, CreatableTopicResult};
use crate::protocol::messages::{CreateTopicsRequest, CreateTopicsResponse};
use crate::protocol::{ErrorCode, Uuid};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(create(context, body)))
}

fn new_topic(topic: &CreatableTopic<'_>) -> NewTopic {
    NewTopic {
        name: topic.name.to_owned(),
        num_partitions: topic.num_partitions,
        replication_factor: topic.replication_factor,
        assignments: topic
            .assignments
            .iter()
            .map(|assignment| (assignment.partition_index, assignment.broker_ids.clone()))
            .collect(),
        configs: topic
            .configs
            .iter()
            .map(|config| (config.name.to_owned(), config.value.map(str::to_owned)))
            .collect(),
    }
}

async fn create(context: RequestContext, body: Bytes) -> Outcome {
    let request: CreateTopicsRequest<'_> = context.decode(&body)?;
    let topics: Vec<NewTopic> = request.topics.iter().map(new_topic).collect();
    // Internal topics are made by the broker itself, in the shape that it needs.
    let (refused, wanted): (Vec<NewTopic>, Vec<NewTopic>) =
        topics.into_iter().partition(|topic| is_internal(&topic.name));
    let configs: BTreeMap<String, BTreeMap<String, String>> = wanted
        .iter()
        .map(|topic| {
            let set = topic.configs.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
            (topic.name.clone(), set.collect())
        })
        .collect();
    let names: Vec<String> = wanted.iter().map(|topic| topic.name.clone()).collect();
    let failed = |error: ApiError| {
        names.iter().map(|name| TopicCreated { name: name.clone(), result: Err(error.clone()) }).collect()
    };
    let validate_only = request.validate_only;
    let mut results =
        match ask(&context, ControllerRequest::CreateTopics { topics: wanted, validate_only }).await {
            Ok(ControllerResponse::CreateTopics(results)) => results,
            Ok(_) => failed(unexpected()),
            Err(error) => failed(error),
        };
    results.extend(refused.into_iter().map(|topic| TopicCreated {
        name: topic.name,
        result: Err(ApiError {
            code: ErrorCode::INVALID_REQUEST,
            message: Some("An internal topic is made by the broker when it is needed.".into()),
        }),
    }));
    let described: Vec<Vec<Described>> = results
        .iter()
        .map(|created| match (&created.result, configs.get(&created.name)) {
            (Ok(_), Some(set)) => context.shard.live_config().describe_topic(set),
            _ => Vec::new(),
        })
        .collect();
    let topics = results.iter().zip(&described).map(|(created, described)| match &created.result {
        Ok(creation) => CreatableTopicResult {
            name: &created.name,
            topic_id: if validate_only { Uuid::ZERO } else { creation.id },
            num_partitions: creation.num_partitions,
            replication_factor: creation.replication_factor,
            configs: Some(described.iter().map(config_of).collect()),
            ..Default::default()
        },
        Err(error) => CreatableTopicResult {
            name: &created.name,
            error_code: error.code.into(),
            error_message: error.message.as_deref(),
            num_partitions: -1,
            replication_factor: -1,
            configs: None,
            ..Default::default()
        },
    });
    let topics = topics.collect();
    context.respond(&CreateTopicsResponse { throttle_time_ms: context.throttle_time_ms, topics })
}

fn config_of(described: &Described) -> CreatableTopicConfigs<'_> {
    CreatableTopicConfigs {
        name: described.key.name,
        value: described.value.as_deref(),
        read_only: false,
        config_source: source_code(described.source),
        is_sensitive: false,
    }
}
