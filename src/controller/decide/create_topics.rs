//! CreateTopics (Kafka's ControllerApis and ReplicationControlManager).

use std::collections::{BTreeMap, BTreeSet};

use crate::controller::image::{ConfigKind, ConfigResource};
use crate::controller::records::{MAX_RECORDS_PER_REQUEST, RecordList};
use crate::controller::request::{ApiError, NewTopic, TopicCreated, TopicCreation};
use crate::protocol::messages::{ConfigRecord, PartitionRecord, TopicRecord};
use crate::protocol::{ErrorCode, Uuid};

use super::context::{Context, Decision, cannot_encode};
use super::placement::{self, Directories};
use super::topic_name::check_topic_name;

/// The topic of the metadata log itself.
pub(super) const METADATA_TOPIC_NAME: &str = "__cluster_metadata";

/// What the request has taken so far.
#[derive(Default)]
struct Taken {
    records: RecordList,
    directories: Directories,
    topics: usize,
    partitions: usize,
}

pub(super) fn decide(
    context: &mut Context<'_>,
    topics: &[NewTopic],
    validate_only: bool,
) -> Decision<Vec<TopicCreated>> {
    if let Err(error) = check_total(context, topics) {
        let refuse = |topic: &NewTopic| TopicCreated { name: topic.name.clone(), result: Err(error.clone()) };
        return Decision::unchanged(topics.iter().map(refuse).collect());
    }
    let mut times = BTreeMap::<&str, usize>::new();
    for topic in topics {
        *times.entry(&topic.name).or_default() += 1;
    }
    let mut taken = Taken::default();
    let mut answered = BTreeSet::new();
    let mut response = Vec::with_capacity(topics.len());
    for topic in topics {
        if !answered.insert(topic.name.as_str()) {
            continue; // a name that stands there twice is answered once
        }
        let result = if times.get(topic.name.as_str()).is_some_and(|times| *times > 1) {
            Err(ApiError::new(ErrorCode::INVALID_REQUEST, "Duplicate topic name."))
        } else {
            create(context, &mut taken, topic)
        };
        response.push(TopicCreated { name: topic.name.clone(), result });
    }
    let records = if validate_only { RecordList::default() } else { taken.records };
    Decision { records, response }
}

/// Refuses a request of more partitions than one batch of records may hold.
fn check_total(context: &Context<'_>, topics: &[NewTopic]) -> Result<(), ApiError> {
    let total: i64 = topics
        .iter()
        .map(|topic| match topic.num_partitions {
            _ if !topic.assignments.is_empty() => topic.assignments.len() as i64,
            -1 => i64::from(context.limits.num_partitions),
            count => i64::from(count.max(0)),
        })
        .sum();
    if total > MAX_RECORDS_PER_REQUEST as i64 {
        return Err(ApiError::new(
            ErrorCode::POLICY_VIOLATION,
            "Excessively large number of partitions per request.",
        ));
    }
    Ok(())
}

fn create(context: &mut Context<'_>, taken: &mut Taken, topic: &NewTopic) -> Result<TopicCreation, ApiError> {
    check_name(context, &topic.name)?;
    let configs = checked_configs(context, topic)?;
    let assignments = assignments(context, topic)?;
    let replication_factor = assignments.first().map_or(0, Vec::len);
    check_limits(context, taken, &topic.name, assignments.len())?;

    let id = context.new_topic_id();
    let mut records = RecordList::default();
    write(context, taken, &mut records, topic, id, &configs, &assignments)
        .map_err(|error| cannot_encode(&error))?;
    taken.records.append(records);
    taken.topics += 1;
    taken.partitions += assignments.len();
    Ok(TopicCreation {
        id,
        num_partitions: i32::try_from(assignments.len()).unwrap_or(i32::MAX),
        replication_factor: i16::try_from(replication_factor).unwrap_or(i16::MAX),
    })
}

fn check_name(context: &Context<'_>, name: &str) -> Result<(), ApiError> {
    if name == METADATA_TOPIC_NAME {
        return Err(ApiError::new(
            ErrorCode::INVALID_REQUEST,
            format!("Creation of internal topic {METADATA_TOPIC_NAME} is prohibited."),
        ));
    }
    if context.image.topics.by_name(name).is_some() {
        return Err(ApiError::new(
            ErrorCode::TOPIC_ALREADY_EXISTS,
            format!("Topic '{name}' already exists."),
        ));
    }
    check_topic_name(name).map_err(|text| ApiError::new(ErrorCode::INVALID_TOPIC_EXCEPTION, text))?;
    if let Some(other) = context.image.topics.lookalike_of(name) {
        return Err(ApiError::new(
            ErrorCode::INVALID_TOPIC_EXCEPTION,
            format!("Topic '{name}' collides with existing topic: {other}"),
        ));
    }
    Ok(())
}

fn checked_configs(context: &Context<'_>, topic: &NewTopic) -> Result<BTreeMap<String, String>, ApiError> {
    let nulls: Vec<&str> =
        topic.configs.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.as_str()).collect();
    if !nulls.is_empty() {
        return Err(ApiError::new(
            ErrorCode::INVALID_CONFIG,
            format!("Null value not supported for topic configs: {}", nulls.join(",")),
        ));
    }
    let configs: BTreeMap<_, _> =
        topic.configs.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?))).collect();
    if !configs.is_empty() {
        super::alter_configs::check_lengths(configs.values())?;
        context.rules.validate(&ConfigResource::new(ConfigKind::Topic, &topic.name), &configs)?;
    }
    Ok(configs)
}

/// The brokers of each partition.
fn assignments(context: &mut Context<'_>, topic: &NewTopic) -> Result<Vec<Vec<i32>>, ApiError> {
    if !topic.assignments.is_empty() {
        return manual_assignments(context, topic);
    }
    if topic.replication_factor < -1 || topic.replication_factor == 0 {
        return Err(ApiError::new(
            ErrorCode::INVALID_REPLICATION_FACTOR,
            "Replication factor must be larger than 0, or -1 to use the default value.",
        ));
    }
    if topic.num_partitions < -1 || topic.num_partitions == 0 {
        return Err(ApiError::new(
            ErrorCode::INVALID_PARTITIONS,
            "Number of partitions was set to an invalid non-positive value.",
        ));
    }
    let count = match topic.num_partitions {
        -1 => context.limits.num_partitions,
        count => count,
    };
    let factor = match topic.replication_factor {
        -1 => context.limits.default_replication_factor,
        factor => factor,
    };
    let placed =
        placement::place(context.image, 0, usize::try_from(count).unwrap_or(0), factor, context.random)?;
    if placed.iter().any(|replicas| placement::first_isr(context.image, replicas).is_empty()) {
        return Err(ApiError::new(
            ErrorCode::INVALID_REPLICATION_FACTOR,
            format!(
                "Unable to replicate the partition {factor} time(s): All brokers are currently fenced or in \
                 controlled shutdown."
            ),
        ));
    }
    Ok(placed)
}

fn manual_assignments(context: &Context<'_>, topic: &NewTopic) -> Result<Vec<Vec<i32>>, ApiError> {
    if topic.replication_factor != -1 {
        return Err(ApiError::new(
            ErrorCode::INVALID_REQUEST,
            "A manual partition assignment was specified, but replication factor was not set to -1.",
        ));
    }
    if topic.num_partitions != -1 {
        return Err(ApiError::new(
            ErrorCode::INVALID_REQUEST,
            "A manual partition assignment was specified, but numPartitions was not set to -1.",
        ));
    }
    let refuse = |text: String| Err(ApiError::new(ErrorCode::INVALID_REPLICA_ASSIGNMENT, text));
    let mut chosen = BTreeMap::new();
    let mut factor = None;
    for (partition, replicas) in &topic.assignments {
        if chosen.contains_key(partition) {
            return refuse(format!("Found multiple manual partition assignments for partition {partition}"));
        }
        placement::check_manual(context.image, replicas, factor)?;
        factor = Some(replicas.len());
        if placement::first_isr(context.image, replicas).is_empty() {
            return refuse(format!(
                "All brokers specified in the manual partition assignment for partition {partition} are fenced or \
                 in controlled shutdown."
            ));
        }
        chosen.insert(*partition, replicas.clone());
    }
    if (0..).zip(chosen.keys()).any(|(expected, partition)| expected != *partition) {
        return refuse("partitions should be a consecutive 0-based integer sequence".to_owned());
    }
    Ok(chosen.into_values().collect())
}

fn check_limits(context: &Context<'_>, taken: &Taken, name: &str, partitions: usize) -> Result<(), ApiError> {
    let topics = context.image.topics.len() + taken.topics + 1;
    if topics > context.limits.topic_limit {
        return Err(ApiError::new(
            ErrorCode::POLICY_VIOLATION,
            format!(
                "Topic '{name}' cannot be created: the cluster may have at most {} topics.",
                context.limits.topic_limit
            ),
        ));
    }
    check_partition_limit(context, taken.partitions + partitions)
}

/// Refuses `added` partitions more than the cluster may have.
pub(super) fn check_partition_limit(context: &Context<'_>, added: usize) -> Result<(), ApiError> {
    let present = context.image.topics.partition_count();
    if present + added > context.limits.partition_limit {
        return Err(ApiError::new(
            ErrorCode::POLICY_VIOLATION,
            format!(
                "The cluster may have at most {} partitions; it has {present}, and {added} more were asked for.",
                context.limits.partition_limit
            ),
        ));
    }
    Ok(())
}

fn write(
    context: &Context<'_>,
    taken: &mut Taken,
    records: &mut RecordList,
    topic: &NewTopic,
    id: Uuid,
    configs: &BTreeMap<String, String>,
    assignments: &[Vec<i32>],
) -> Result<(), crate::protocol::EncodeError> {
    records.push(&TopicRecord { name: &topic.name, topic_id: id })?;
    for (name, value) in configs {
        records.push(&ConfigRecord {
            resource_type: ConfigKind::Topic.code(),
            resource_name: &topic.name,
            name,
            value: Some(value),
        })?;
    }
    for (partition, replicas) in (0..).zip(assignments) {
        records.push(&new_partition(context, &mut taken.directories, id, partition, replicas))?;
    }
    Ok(())
}

/// The record of a new partition: its first in-sync replica leads.
pub(super) fn new_partition(
    context: &Context<'_>,
    directories: &mut Directories,
    topic_id: Uuid,
    partition_id: i32,
    replicas: &[i32],
) -> PartitionRecord {
    let isr = placement::first_isr(context.image, replicas);
    PartitionRecord {
        partition_id,
        topic_id,
        replicas: replicas.to_vec(),
        leader: isr.first().copied().unwrap_or(crate::controller::image::NO_LEADER),
        isr,
        leader_recovery_state: 0,
        leader_epoch: 0,
        partition_epoch: 0,
        directories: directories.assign(context.image, replicas),
        ..PartitionRecord::default()
    }
}
