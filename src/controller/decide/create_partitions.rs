//! CreatePartitions (Kafka's ControllerApis and ReplicationControlManager).

use std::collections::BTreeMap;

use crate::controller::records::{MAX_RECORDS_PER_REQUEST, RecordList};
use crate::controller::request::{ApiError, MorePartitions, NamedResult};
use crate::protocol::ErrorCode;

use super::context::{Context, Decision, cannot_encode};
use super::create_topics::{check_partition_limit, new_partition};
use super::placement::{self, Directories};

/// What the request has taken so far.
#[derive(Default)]
struct Taken {
    records: RecordList,
    directories: Directories,
    partitions: usize,
}

pub(super) fn decide(
    context: &mut Context<'_>,
    topics: &[MorePartitions],
    validate_only: bool,
) -> Decision<Vec<NamedResult>> {
    if let Err(error) = check_total(context, topics) {
        let refuse =
            |topic: &MorePartitions| NamedResult { name: topic.name.clone(), result: Err(error.clone()) };
        return Decision::unchanged(topics.iter().map(refuse).collect());
    }
    let mut times = BTreeMap::<&str, usize>::new();
    for topic in topics {
        *times.entry(&topic.name).or_default() += 1;
    }
    let mut taken = Taken::default();
    let mut response = Vec::with_capacity(topics.len());
    for topic in topics {
        let result = match times.insert(&topic.name, 0) {
            Some(0) => continue, // a name that stands there twice is answered once
            Some(1) => add(context, &mut taken, topic),
            _ => Err(ApiError::new(ErrorCode::INVALID_REQUEST, "Duplicate topic name.")),
        };
        response.push(NamedResult { name: topic.name.clone(), result });
    }
    let records = if validate_only { RecordList::default() } else { taken.records };
    Decision { records, response }
}

fn check_total(context: &Context<'_>, topics: &[MorePartitions]) -> Result<(), ApiError> {
    let total: i64 = topics
        .iter()
        .filter_map(|topic| {
            let present = context.image.topics.by_name(&topic.name)?.partitions.len() as i64;
            Some((i64::from(topic.count) - present).max(0))
        })
        .sum();
    if total > MAX_RECORDS_PER_REQUEST as i64 {
        return Err(ApiError::new(
            ErrorCode::POLICY_VIOLATION,
            "Excessively large number of additional partitions per request.",
        ));
    }
    Ok(())
}

fn add(context: &mut Context<'_>, taken: &mut Taken, topic: &MorePartitions) -> Result<(), ApiError> {
    let Some(present) = context.image.topics.by_name(&topic.name).cloned() else {
        return Err(ApiError { code: ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, message: None });
    };
    let first = present.partitions.len();
    let wanted = usize::try_from(topic.count).unwrap_or(0);
    if topic.count < 0 || wanted < first {
        return Err(ApiError::new(
            ErrorCode::INVALID_PARTITIONS,
            format!(
                "The topic {} currently has {first} partition(s); {} would not be an increase.",
                topic.name, topic.count
            ),
        ));
    }
    if wanted == first {
        return Err(ApiError::new(
            ErrorCode::INVALID_PARTITIONS,
            format!("Topic already has {first} partition(s)."),
        ));
    }
    let added = wanted - first;
    let factor = present.partitions.first().map_or(0, |partition| partition.replicas.len());
    let assignments = match &topic.assignments {
        Some(chosen) => {
            check_manual(context, first, added, factor, chosen)?;
            chosen.clone()
        }
        None => {
            let factor = i16::try_from(factor).unwrap_or(i16::MAX);
            placement::place(context.image, first, added, factor, context.random)?
        }
    };
    check_partition_limit(context, taken.partitions + added)?;
    for (partition, replicas) in (topic.count - i32::try_from(added).unwrap_or(0)..).zip(&assignments) {
        let record = new_partition(context, &mut taken.directories, present.id, partition, replicas);
        taken.records.push(&record).map_err(|error| cannot_encode(&error))?;
    }
    taken.partitions += added;
    Ok(())
}

fn check_manual(
    context: &Context<'_>,
    first: usize,
    added: usize,
    factor: usize,
    chosen: &[Vec<i32>],
) -> Result<(), ApiError> {
    let refuse = |text: String| Err(ApiError::new(ErrorCode::INVALID_REPLICA_ASSIGNMENT, text));
    if chosen.len() != added {
        return refuse(format!(
            "Attempted to add {added} additional partition(s), but only {} assignment(s) were specified.",
            chosen.len()
        ));
    }
    for (partition, replicas) in (first..).zip(chosen) {
        placement::check_manual(context.image, replicas, Some(factor))?;
        if placement::first_isr(context.image, replicas).is_empty() {
            return refuse(format!(
                "All brokers specified in the manual partition assignment for partition {partition} are fenced or \
                 in controlled shutdown."
            ));
        }
    }
    Ok(())
}
