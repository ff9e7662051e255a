//! AlterPartitionReassignments (45) and ListPartitionReassignments (46): other replicas for a partition (KIP-455).

use bytes::Bytes;

use super::context::RequestContext;
use super::mutation::{ask, code_and_message, unexpected};
use crate::controller::{
    ApiError, ControllerRequest, ControllerResponse, PartitionImage, Reassignment, TopicImage, TopicOutcome,
};
use crate::net::{Outcome, Step};
use crate::protocol::messages::alter_partition_reassignments::{
    ReassignablePartitionResponse, ReassignableTopicResponse,
};
use crate::protocol::messages::list_partition_reassignments::{
    OngoingPartitionReassignment, OngoingTopicReassignment,
};
use crate::protocol::messages::{
    AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse,
    ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse,
};

/// AlterPartitionReassignments.
pub(super) fn alter(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(alter_all(context, body)))
}

async fn alter_all(context: RequestContext, body: Bytes) -> Outcome {
    let request: AlterPartitionReassignmentsRequest<'_> = context.decode(&body)?;
    let topics = request.topics.iter().map(|topic| {
        let partitions = topic.partitions.iter();
        let wanted = partitions.map(|wanted| Reassignment {
            partition: wanted.partition_index,
            replicas: wanted.replicas.clone(),
        });
        (topic.name.to_owned(), wanted.collect())
    });
    let asked = ControllerRequest::AlterReassignments {
        topics: topics.collect(),
        allow_factor_change: request.allow_replication_factor_change,
    };
    let (outcomes, failure): (Vec<TopicOutcome>, Option<ApiError>) = match ask(&context, asked).await {
        Ok(ControllerResponse::Partitions(outcomes)) => (outcomes, None),
        Ok(_) => (Vec::new(), Some(unexpected())),
        Err(error) => (Vec::new(), Some(error)),
    };
    let (error_code, error_message) = code_and_message(failure.as_ref().map_or(Ok(()), Err));
    let responses = outcomes
        .iter()
        .map(|topic| ReassignableTopicResponse {
            name: &topic.name,
            partitions: topic
                .partitions
                .iter()
                .map(|(partition_index, result)| {
                    let (error_code, error_message) = code_and_message(result.as_ref().copied());
                    let partition_index = *partition_index;
                    ReassignablePartitionResponse { partition_index, error_code, error_message }
                })
                .collect(),
        })
        .collect();
    context.respond(&AlterPartitionReassignmentsResponse {
        throttle_time_ms: context.throttle_time_ms,
        allow_replication_factor_change: request.allow_replication_factor_change,
        error_code,
        error_message,
        responses,
    })
}

/// ListPartitionReassignments.
pub(super) fn list(context: RequestContext, body: Bytes) -> Step {
    let request: ListPartitionReassignmentsRequest<'_> = match context.decode(&body) {
        Ok(request) => request,
        Err(reason) => return Step::Done(Err(reason)),
    };
    let image = context.shard.image();
    let topics = match &request.topics {
        None => image
            .topics
            .iter()
            .filter_map(|topic| ongoing(topic, 0..i32::try_from(topic.partitions.len()).unwrap_or(i32::MAX)))
            .collect(),
        // What does not exist is passed over, as in Kafka.
        Some(asked) => asked
            .iter()
            .filter_map(|asked| {
                ongoing(image.topics.by_name(asked.name)?, asked.partition_indexes.iter().copied())
            })
            .collect(),
    };
    context.done(&ListPartitionReassignmentsResponse {
        throttle_time_ms: context.throttle_time_ms,
        error_code: 0,
        error_message: None,
        topics,
    })
}

/// The reassignments of a topic that are under way; None when there is none.
fn ongoing(
    topic: &TopicImage,
    partitions: impl Iterator<Item = i32>,
) -> Option<OngoingTopicReassignment<'_>> {
    let is_ongoing = |partition: &PartitionImage| {
        !partition.adding_replicas.is_empty() || !partition.removing_replicas.is_empty()
    };
    let partitions: Vec<OngoingPartitionReassignment> = partitions
        .filter_map(|index| Some((index, topic.partition(index).filter(|found| is_ongoing(found))?)))
        .map(|(partition_index, partition)| OngoingPartitionReassignment {
            partition_index,
            replicas: partition.replicas.to_vec(),
            adding_replicas: partition.adding_replicas.to_vec(),
            removing_replicas: partition.removing_replicas.to_vec(),
        })
        .collect();
    (!partitions.is_empty()).then(|| OngoingTopicReassignment { name: &topic.name, partitions })
}
