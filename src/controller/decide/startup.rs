//! What a node commits when it starts: at the very first start the cluster's id and its metadata version, at every
//! start its registration, and a new leader epoch of every partition that it leads (law 12).

use std::collections::BTreeMap;

use crate::controller::image::{Endpoint, MetadataImage, NO_LEADER};
use crate::controller::records::{
    MAX_RECORDS_PER_REQUEST, METADATA_VERSION, METADATA_VERSION_FEATURE, RecordList,
};
use crate::protocol::messages::register_broker_record::{BrokerEndpoint, BrokerFeature};
use crate::protocol::messages::{FeatureLevelRecord, PartitionChangeRecord, RegisterBrokerRecord};
use crate::protocol::{EncodeError, Uuid};

/// Lowest metadata version that Kafka 4.4.0 still runs at.
const METADATA_VERSION_MIN: i16 = 7;

/// A broker as it registers.
#[derive(Clone, Debug)]
pub struct Registration<'a> {
    /// Node id.
    pub node_id: i32,
    /// New at each start.
    pub incarnation: Uuid,
    /// Client listeners.
    pub endpoints: &'a [Endpoint],
    /// Rack.
    pub rack: Option<&'a str>,
    /// Online log directories.
    pub log_dirs: &'a [Uuid],
    /// Supported features beside the metadata version.
    pub supported_features: &'a BTreeMap<String, (i16, i16)>,
}

/// The first records of a new cluster. The id comes first: before it is committed, there is no cluster.
///
/// # Errors
/// [`EncodeError`] if it cannot be written.
pub fn first_records(cluster_id: &str) -> Result<RecordList, EncodeError> {
    let mut records = RecordList::default();
    records.push_cluster_id(cluster_id);
    records.push(&FeatureLevelRecord { name: METADATA_VERSION_FEATURE, feature_level: METADATA_VERSION })?;
    Ok(records)
}

/// The records of a start, in batches. `next_offset` is the offset of the first of them, which becomes the broker's
/// epoch.
///
/// # Errors
/// [`EncodeError`] if a name is too long.
pub fn start_records(
    image: &MetadataImage,
    registration: &Registration<'_>,
    next_offset: i64,
) -> Result<Vec<RecordList>, EncodeError> {
    let mut batches = Vec::new();
    let mut records = RecordList::default();
    records.push(&RegisterBrokerRecord {
        broker_id: registration.node_id,
        incarnation_id: registration.incarnation,
        broker_epoch: next_offset,
        end_points: registration.endpoints.iter().map(endpoint).collect(),
        features: features(registration.supported_features),
        rack: registration.rack,
        fenced: false,
        log_dirs: sorted(registration.log_dirs),
        ..RegisterBrokerRecord::default()
    })?;
    let node = registration.node_id;
    for topic in image.topics.iter() {
        for (partition_id, partition) in (0..).zip(&topic.partitions) {
            let leads =
                partition.leader == node || (partition.leader == NO_LEADER && partition.isr.contains(&node));
            if !leads {
                continue;
            }
            if records.len() == MAX_RECORDS_PER_REQUEST {
                batches.push(std::mem::take(&mut records));
            }
            // A stated leader raises the leader epoch even if it is the same.
            records.push(&PartitionChangeRecord {
                partition_id,
                topic_id: topic.id,
                leader: node,
                ..PartitionChangeRecord::default()
            })?;
        }
    }
    batches.push(records);
    Ok(batches)
}

fn endpoint(endpoint: &Endpoint) -> BrokerEndpoint<'_> {
    BrokerEndpoint {
        name: &endpoint.name,
        host: &endpoint.host,
        port: endpoint.port,
        security_protocol: endpoint.security_protocol,
    }
}

fn features(supported: &BTreeMap<String, (i16, i16)>) -> Vec<BrokerFeature<'_>> {
    let own = BrokerFeature {
        name: METADATA_VERSION_FEATURE,
        min_supported_version: METADATA_VERSION_MIN,
        max_supported_version: METADATA_VERSION,
    };
    let others = supported.iter().filter(|(name, _)| name.as_str() != METADATA_VERSION_FEATURE).map(
        |(name, (min, max))| BrokerFeature { name, min_supported_version: *min, max_supported_version: *max },
    );
    std::iter::once(own).chain(others).collect()
}

fn sorted(directories: &[Uuid]) -> Vec<Uuid> {
    let mut directories = directories.to_vec();
    directories.sort_unstable();
    directories
}
