//! CreatePartitions (37): more partitions for a topic (KIP-195).

use bytes::Bytes;

use super::context::RequestContext;
use super::mutation::{ask, code_and_message, unexpected};
use crate::controller::{ApiError, ControllerRequest, ControllerResponse, MorePartitions, NamedResult};
use crate::net::{Outcome, Step};
use crate::protocol::messages::create_partitions::CreatePartitionsTopicResult;
use crate::protocol::messages::{CreatePartitionsRequest, CreatePartitionsResponse};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(create(context, body)))
}

async fn create(context: RequestContext, body: Bytes) -> Outcome {
    let request: CreatePartitionsRequest<'_> = context.decode(&body)?;
    let topics: Vec<MorePartitions> = request
        .topics
        .iter()
        .map(|topic| MorePartitions {
            name: topic.name.to_owned(),
            count: topic.count,
            assignments: topic
                .assignments
                .as_ref()
                .map(|assignments| assignments.iter().map(|added| added.broker_ids.clone()).collect()),
        })
        .collect();
    let names: Vec<String> = topics.iter().map(|topic| topic.name.clone()).collect();
    let failed = |error: ApiError| {
        names.iter().map(|name| NamedResult { name: name.clone(), result: Err(error.clone()) }).collect()
    };
    let asked = ControllerRequest::CreatePartitions { topics, validate_only: request.validate_only };
    let results: Vec<NamedResult> = match ask(&context, asked).await {
        Ok(ControllerResponse::CreatePartitions(results)) => results,
        Ok(_) => failed(unexpected()),
        Err(error) => failed(error),
    };
    let results = results
        .iter()
        .map(|made| {
            let (error_code, error_message) = code_and_message(made.result.as_ref().copied());
            CreatePartitionsTopicResult { name: &made.name, error_code, error_message }
        })
        .collect();
    context.respond(&CreatePartitionsResponse { throttle_time_ms: context.throttle_time_ms, results })
}
