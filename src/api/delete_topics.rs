//! DeleteTopics (20): by name, and by id from version 6 on (KIP-516).

use bytes::Bytes;

use super::context::RequestContext;
use super::mutation::{ask, code_and_message, unexpected};
use super::topics::is_internal;
use crate::controller::{ApiError, ControllerRequest, ControllerResponse, TopicDeleted, TopicSelector};
use crate::net::{Outcome, Step};
use crate::protocol::messages::delete_topics::DeletableTopicResult;
use crate::protocol::messages::{DeleteTopicsRequest, DeleteTopicsResponse};
use crate::protocol::{ErrorCode, Uuid};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(delete(context, body)))
}

fn failed(selector: &TopicSelector, error: &ApiError) -> TopicDeleted {
    let (name, id) = match selector {
        TopicSelector::Name(name) => (Some(name.clone()), Uuid::ZERO),
        TopicSelector::Id(id) => (None, *id),
    };
    TopicDeleted { name, id, result: Err(error.clone()) }
}

async fn delete(context: RequestContext, body: Bytes) -> Outcome {
    let request: DeleteTopicsRequest<'_> = context.decode(&body)?;
    let by_name = request.topic_names.iter().map(|name| TopicSelector::Name((*name).to_owned()));
    let by_either = request.topics.iter().map(|topic| match topic.name {
        Some(name) => TopicSelector::Name(name.to_owned()),
        None => TopicSelector::Id(topic.topic_id),
    });
    let selectors: Vec<TopicSelector> = by_name.chain(by_either).collect();
    let results = if context.shard.config.topics.delete_enabled {
        delete_allowed(&context, selectors).await
    } else {
        // Before version 3 the code that says so is not known to clients.
        let code =
            if context.version < 3 { ErrorCode::INVALID_REQUEST } else { ErrorCode::TOPIC_DELETION_DISABLED };
        let error = ApiError { code, message: Some("Topic deletion is disabled.".into()) };
        selectors.iter().map(|selector| failed(selector, &error)).collect()
    };
    let responses = results
        .iter()
        .map(|deleted| {
            let (error_code, error_message) = code_and_message(deleted.result.as_ref().copied());
            DeletableTopicResult {
                name: deleted.name.as_deref(),
                topic_id: deleted.id,
                error_code,
                error_message,
            }
        })
        .collect();
    context.respond(&DeleteTopicsResponse { throttle_time_ms: context.throttle_time_ms, responses })
}

async fn delete_allowed(context: &RequestContext, selectors: Vec<TopicSelector>) -> Vec<TopicDeleted> {
    let image = context.shard.image();
    let internal = |selector: &TopicSelector| match selector {
        TopicSelector::Name(name) => is_internal(name),
        TopicSelector::Id(id) => image.topics.by_id(*id).is_some_and(|topic| is_internal(&topic.name)),
    };
    let (refused, wanted): (Vec<_>, Vec<_>) = selectors.into_iter().partition(internal);
    let asked = wanted.clone();
    let mut results = match ask(context, ControllerRequest::DeleteTopics { topics: wanted }).await {
        Ok(ControllerResponse::DeleteTopics(results)) => results,
        Ok(_) => asked.iter().map(|selector| failed(selector, &unexpected())).collect(),
        Err(error) => asked.iter().map(|selector| failed(selector, &error)).collect(),
    };
    let error = ApiError {
        code: ErrorCode::INVALID_REQUEST,
        message: Some("An internal topic cannot be deleted.".into()),
    };
    results.extend(refused.iter().map(|selector| failed(selector, &error)));
    results
}
