//! ElectLeaders (43): the preferred replica leads again, or one that is out of sync does (KIP-183, KIP-460).

use bytes::Bytes;

use super::context::RequestContext;
use super::mutation::{ask, code_and_message, unexpected};
use crate::controller::{ApiError, ControllerRequest, ControllerResponse, Election, TopicOutcome};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::elect_leaders::{PartitionResult, ReplicaElectionResult, TopicPartitions};
use crate::protocol::messages::{ElectLeadersRequest, ElectLeadersResponse};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(elect(context, body)))
}

async fn elect(context: RequestContext, body: Bytes) -> Outcome {
    let request: ElectLeadersRequest<'_> = context.decode(&body)?;
    let failed = |error: ApiError| {
        let asked = request.topic_partitions.as_deref().unwrap_or_default();
        (asked.iter().map(|topic| refused(topic, &error)).collect::<Vec<_>>(), error.code)
    };
    let (outcomes, code) = match election(request.election_type) {
        Err(error) => failed(error),
        Ok(election) => {
            let topics = request.topic_partitions.as_ref().map(|topics| {
                let each = topics.iter();
                each.map(|topic| (topic.topic.to_owned(), topic.partitions.clone())).collect()
            });
            match ask(&context, ControllerRequest::ElectLeaders { election, topics }).await {
                Ok(ControllerResponse::Partitions(outcomes)) => (outcomes, ErrorCode::NONE),
                Ok(_) => failed(unexpected()),
                Err(error) => failed(error),
            }
        }
    };
    let replica_election_results = outcomes
        .iter()
        .map(|topic| ReplicaElectionResult {
            topic: &topic.name,
            partition_result: topic
                .partitions
                .iter()
                .map(|(partition_id, result)| {
                    let (error_code, error_message) = code_and_message(result.as_ref().copied());
                    PartitionResult { partition_id: *partition_id, error_code, error_message }
                })
                .collect(),
        })
        .collect();
    context.respond(&ElectLeadersResponse {
        throttle_time_ms: context.throttle_time_ms,
        error_code: code.into(),
        replica_election_results,
    })
}

/// Kafka's numbers; before version 1 there is only the one.
fn election(election_type: i8) -> Result<Election, ApiError> {
    match election_type {
        0 => Ok(Election::Preferred),
        1 => Ok(Election::Unclean),
        other => Err(ApiError::new(ErrorCode::INVALID_REQUEST, format!("Unknown election type {other}"))),
    }
}

fn refused(topic: &TopicPartitions<'_>, error: &ApiError) -> TopicOutcome {
    let partitions = topic.partitions.iter().map(|&partition| (partition, Err(error.clone())));
    TopicOutcome { name: topic.topic.to_owned(), partitions: partitions.collect() }
}
