//! Committed records into the image: the one place where the image changes. The same on every node, at restart and
//! while serving; no clock, no randomness, no settings.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use crate::protocol::messages::{
    BrokerRegistrationChangeRecord, FeatureLevelRecord, PartitionChangeRecord, PartitionRecord,
    RegisterBrokerRecord,
};
use crate::protocol::{DecodeError, MetadataRecord, Uuid};

use super::delta::DeltaBuilder;
use super::image::{
    BrokerImage, ConfigKind, ConfigResource, Endpoint, MetadataImage, NO_LEADER, PartitionImage, TopicImage,
};
use super::records::cluster_id_of;

/// The leader in a PartitionChangeRecord that keeps the leader and its epoch.
const LEADER_UNCHANGED: i32 = -2;
/// The recovery state in a PartitionChangeRecord that keeps it.
const RECOVERY_UNCHANGED: i8 = -1;

/// A committed record that does not fit to what came before it, or is not understood. The log cannot be served then.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The record's bytes.
    #[error("a metadata record cannot be read: {0}")]
    Decode(#[from] DecodeError),
    /// It names something that is not there, or makes something that is.
    #[error("a metadata record does not fit: {0}")]
    Inconsistent(String),
}

/// Applies one record, given as the value of its log record.
///
/// # Errors
/// [`ReplayError`]; the image may have changed in part and must be dropped.
pub fn replay(
    image: &mut MetadataImage,
    delta: &mut DeltaBuilder,
    offset: i64,
    value: &[u8],
) -> Result<(), ReplayError> {
    if let Some(id) = cluster_id_of(value) {
        image.cluster_id = id.into();
        delta.cluster_id_changed();
        return Ok(());
    }
    let (record, _) = MetadataRecord::decode(value)?;
    match record {
        MetadataRecord::Topic(record) => {
            if image.topics.by_name(record.name).is_some() || image.topics.by_id(record.topic_id).is_some() {
                return Err(inconsistent(format!(
                    "topic {} ({}) is there already",
                    record.name, record.topic_id
                )));
            }
            let topic = TopicImage { name: record.name.into(), id: record.topic_id, partitions: Vec::new() };
            image.topics.insert_topic(topic);
            delta.topic_created(record.topic_id);
        }
        MetadataRecord::Partition(record) => partition(image, delta, offset, record)?,
        MetadataRecord::PartitionChange(record) => partition_change(image, delta, record)?,
        MetadataRecord::RemoveTopic(record) => {
            let topic = image
                .topics
                .remove_topic(record.topic_id)
                .ok_or_else(|| inconsistent(format!("topic {} to remove is not there", record.topic_id)))?;
            let resource = ConfigResource::new(ConfigKind::Topic, &topic.name);
            if image.configs.forget(&resource) {
                delta.config_changed(resource);
            }
            delta.topic_deleted(topic);
        }
        MetadataRecord::Config(record) => {
            let kind = ConfigKind::from_code(record.resource_type).ok_or_else(|| {
                inconsistent(format!("configs of a resource of type {}", record.resource_type))
            })?;
            let resource = ConfigResource::new(kind, record.resource_name);
            image.configs.set(&resource, record.name, record.value);
            delta.config_changed(resource);
        }
        MetadataRecord::RegisterBroker(record) => register_broker(image, delta, &record),
        MetadataRecord::UnregisterBroker(record) => {
            Arc::make_mut(&mut image.brokers).remove(&record.broker_id);
            delta.broker_changed(record.broker_id);
        }
        MetadataRecord::BrokerRegistrationChange(record) => broker_change(image, delta, record)?,
        MetadataRecord::FeatureLevel(record) => feature_level(image, delta, offset, &record),
        MetadataRecord::ProducerIds(record) => {
            if record.next_producer_id < image.next_producer_id {
                return Err(inconsistent(format!("producer ids go back to {}", record.next_producer_id)));
            }
            image.next_producer_id = record.next_producer_id;
        }
        MetadataRecord::ClientQuota(record) => {
            image.client_quotas.apply(&record);
            delta.client_quotas_changed();
        }
        MetadataRecord::NoOp(_) => {}
        #[allow(unreachable_patterns)] // record types are added to the protocol as their features are built
        other => {
            return Err(inconsistent(format!("records of type {} are not supported", other.record_type())));
        }
    }
    Ok(())
}

fn inconsistent(text: String) -> ReplayError {
    ReplayError::Inconsistent(text)
}

/// The same value behind the same pointer where lists are equal, as they mostly are: a partition costs less memory.
fn share<T: PartialEq + Clone>(list: Vec<T>, like: &Arc<[T]>) -> Arc<[T]> {
    if list.as_slice() == like.as_ref() { like.clone() } else { list.into() }
}

fn partition(
    image: &mut MetadataImage,
    delta: &mut DeltaBuilder,
    offset: i64,
    record: PartitionRecord,
) -> Result<(), ReplayError> {
    // Partitions of a topic mostly have the same lists as the one before them.
    let near = image.topics.by_id(record.topic_id).and_then(|topic| topic.partitions.last()).cloned();
    let empty: Arc<[i32]> = near.as_ref().map_or_else(Arc::default, |near| near.adding_replicas.clone());
    let replicas = match &near {
        Some(near) => share(record.replicas, &near.replicas),
        None => record.replicas.into(),
    };
    let directories = match &near {
        Some(near) => share(record.directories, &near.directories),
        None => record.directories.into(),
    };
    let partition = PartitionImage {
        isr: share(record.isr, &replicas),
        replicas,
        leader: record.leader,
        leader_epoch: record.leader_epoch,
        partition_epoch: record.partition_epoch,
        directories,
        adding_replicas: share(record.adding_replicas, &empty),
        removing_replicas: share(record.removing_replicas, &empty),
        eligible_leader_replicas: share(record.eligible_leader_replicas.unwrap_or_default(), &empty),
        last_known_elr: share(record.last_known_elr.unwrap_or_default(), &empty),
        recovering: record.leader_recovery_state != 0,
        created_offset: offset,
    };
    set_partition(image, delta, record.topic_id, record.partition_id, partition)
}

fn set_partition(
    image: &mut MetadataImage,
    delta: &mut DeltaBuilder,
    topic: Uuid,
    number: i32,
    partition: PartitionImage,
) -> Result<(), ReplayError> {
    let before = image.topics.set_partition(topic, number, partition).map_err(|_| {
        inconsistent(format!("partition {number} of topic {topic} has no topic or no predecessor"))
    })?;
    delta.partition_changed(topic, number, before);
    Ok(())
}

/// As Kafka's PartitionRegistration.merge: a stated leader, even the same, raises the leader epoch.
fn partition_change(
    image: &mut MetadataImage,
    delta: &mut DeltaBuilder,
    record: PartitionChangeRecord,
) -> Result<(), ReplayError> {
    let present = image
        .topics
        .by_id(record.topic_id)
        .and_then(|topic| topic.partition(record.partition_id))
        .ok_or_else(|| {
            inconsistent(format!(
                "partition {} of topic {} to change is not there",
                record.partition_id, record.topic_id
            ))
        })?;
    let mut changed = PartitionImage::clone(present);
    if let Some(replicas) = record.replicas {
        changed.replicas = share(replicas, &changed.replicas);
    }
    if let Some(isr) = record.isr {
        changed.isr = share(isr, &changed.replicas);
    }
    if let Some(directories) = record.directories {
        changed.directories = share(directories, &changed.directories);
    }
    if let Some(adding) = record.adding_replicas {
        changed.adding_replicas = share(adding, &changed.adding_replicas);
    }
    if let Some(removing) = record.removing_replicas {
        changed.removing_replicas = share(removing, &changed.removing_replicas);
    }
    if let Some(eligible) = record.eligible_leader_replicas {
        changed.eligible_leader_replicas = share(eligible, &changed.eligible_leader_replicas);
    }
    if let Some(last_known) = record.last_known_elr {
        changed.last_known_elr = share(last_known, &changed.last_known_elr);
    }
    if record.leader_recovery_state != RECOVERY_UNCHANGED {
        changed.recovering = record.leader_recovery_state != 0;
    }
    if record.leader != LEADER_UNCHANGED {
        changed.leader = record.leader;
        changed.leader_epoch += 1;
    }
    changed.partition_epoch += 1;
    debug_assert!(changed.leader >= NO_LEADER);
    set_partition(image, delta, record.topic_id, record.partition_id, changed)
}

fn register_broker(image: &mut MetadataImage, delta: &mut DeltaBuilder, record: &RegisterBrokerRecord<'_>) {
    let endpoints = record
        .end_points
        .iter()
        .map(|endpoint| Endpoint {
            name: endpoint.name.to_owned(),
            host: endpoint.host.to_owned(),
            port: endpoint.port,
            security_protocol: endpoint.security_protocol,
        })
        .collect();
    let supported_features: BTreeMap<_, _> = record
        .features
        .iter()
        .map(|feature| {
            (feature.name.to_owned(), (feature.min_supported_version, feature.max_supported_version))
        })
        .collect();
    let broker = BrokerImage {
        id: record.broker_id,
        epoch: record.broker_epoch,
        incarnation: record.incarnation_id,
        rack: record.rack.map(Arc::from),
        fenced: record.fenced,
        in_controlled_shutdown: record.in_controlled_shutdown,
        endpoints,
        log_dirs: record.log_dirs.clone(),
        supported_features,
    };
    Arc::make_mut(&mut image.brokers).insert(record.broker_id, Arc::new(broker));
    delta.broker_changed(record.broker_id);
}

fn broker_change(
    image: &mut MetadataImage,
    delta: &mut DeltaBuilder,
    record: BrokerRegistrationChangeRecord,
) -> Result<(), ReplayError> {
    let brokers = Arc::make_mut(&mut image.brokers);
    let broker = brokers
        .get_mut(&record.broker_id)
        .filter(|broker| broker.epoch == record.broker_epoch)
        .ok_or_else(|| {
            inconsistent(format!(
                "broker {} of epoch {} is not registered",
                record.broker_id, record.broker_epoch
            ))
        })?;
    let broker = Arc::make_mut(broker);
    // Kafka's numbers: 1 sets, -1 clears, 0 keeps.
    match record.fenced {
        0 => {}
        change => broker.fenced = change > 0,
    }
    if record.in_controlled_shutdown != 0 {
        broker.in_controlled_shutdown = record.in_controlled_shutdown > 0;
    }
    if !record.log_dirs.is_empty() {
        broker.log_dirs = record.log_dirs;
    }
    delta.broker_changed(record.broker_id);
    Ok(())
}

fn feature_level(
    image: &mut MetadataImage,
    delta: &mut DeltaBuilder,
    offset: i64,
    record: &FeatureLevelRecord<'_>,
) {
    let features = Arc::make_mut(&mut image.features);
    if record.feature_level == 0 {
        features.remove(record.name);
    } else {
        features.insert(record.name.to_owned(), record.feature_level);
    }
    image.features_epoch = offset;
    delta.features_changed();
}
