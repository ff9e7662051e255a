//! AlterPartitionReassignments (Kafka's ReplicationControlManager): what is refused, and what changes nothing. Replicas
//! do not move between brokers yet.

use crate::controller::image::PartitionImage;
use crate::controller::request::{ApiError, Reassignment, TopicOutcome};
use crate::protocol::ErrorCode;

use super::context::{Context, Decision};
use super::placement::check_manual;

pub(super) fn decide(
    context: &Context<'_>,
    topics: &[(String, Vec<Reassignment>)],
    allow_factor_change: bool,
) -> Decision<Vec<TopicOutcome>> {
    let outcomes = topics.iter().map(|(name, wanted)| TopicOutcome {
        name: name.clone(),
        partitions: wanted
            .iter()
            .map(|wanted| (wanted.partition, alter(context, name, wanted, allow_factor_change)))
            .collect(),
    });
    Decision::unchanged(outcomes.collect())
}

fn alter(
    context: &Context<'_>,
    name: &str,
    wanted: &Reassignment,
    allow_factor_change: bool,
) -> Result<(), ApiError> {
    let unknown = |text: String| ApiError::new(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, text);
    let topics = &context.image.topics;
    let topic =
        topics.by_name(name).ok_or_else(|| unknown(format!("Unable to find a topic named {name}.")))?;
    let partition = topic
        .partition(wanted.partition)
        .ok_or_else(|| unknown(format!("Unable to find partition {name}:{}.", wanted.partition)))?;
    match &wanted.replicas {
        None => cancel(partition),
        Some(replicas) => change(context, partition, replicas, allow_factor_change),
    }
}

fn is_ongoing(partition: &PartitionImage) -> bool {
    !partition.adding_replicas.is_empty() || !partition.removing_replicas.is_empty()
}

fn cannot_move() -> ApiError {
    ApiError::new(
        ErrorCode::INVALID_REPLICA_ASSIGNMENT,
        "Moving replicas between brokers is not supported by this broker.",
    )
}

fn cancel(partition: &PartitionImage) -> Result<(), ApiError> {
    if is_ongoing(partition) {
        return Err(cannot_move());
    }
    // Kafka gives this code no text.
    Err(ApiError { code: ErrorCode::NO_REASSIGNMENT_IN_PROGRESS, message: None })
}

fn change(
    context: &Context<'_>,
    partition: &PartitionImage,
    replicas: &[i32],
    allow_factor_change: bool,
) -> Result<(), ApiError> {
    check_manual(context.image, replicas, None)?;
    let factor = partition.replicas.len();
    if !allow_factor_change && factor != replicas.len() {
        return Err(ApiError::new(
            ErrorCode::INVALID_REPLICATION_FACTOR,
            format!("The replication factor is changed from {factor} to {}", replicas.len()),
        ));
    }
    if is_ongoing(partition) || *replicas != *partition.replicas { Err(cannot_move()) } else { Ok(()) }
}
