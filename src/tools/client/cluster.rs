//! The cluster as its metadata describes it, in values that live on their own.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{Address, ClientError};
use crate::protocol::ErrorCode;
use crate::protocol::messages::MetadataResponse;
use crate::protocol::messages::metadata::MetadataResponseTopic;
use crate::protocol::wire::Uuid;

/// A broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broker {
    /// Its id.
    pub id: i32,
    /// Where it listens.
    pub address: Address,
    /// Its rack.
    pub rack: Option<String>,
}

/// A partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its number.
    pub index: i32,
    /// Its leader.
    pub leader: Option<i32>,
    /// The leader's epoch, -1 if not known.
    pub leader_epoch: i32,
    /// Its replicas.
    pub replicas: Vec<i32>,
    /// Those in sync.
    pub isr: Vec<i32>,
}

/// A topic, with its partitions in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name.
    pub name: Arc<str>,
    /// Its id; zero if the broker is too old to tell.
    pub id: Uuid,
    /// Whether it is one of Kafka's own.
    pub is_internal: bool,
    /// Its partitions.
    pub partitions: Vec<Partition>,
}

impl Topic {
    /// The partition with this number.
    pub fn partition(&self, index: i32) -> Option<&Partition> {
        let at = self.partitions.binary_search_by_key(&index, |partition| partition.index).ok()?;
        self.partitions.get(at)
    }
}

/// What was learnt about the cluster so far.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// Its id.
    pub id: Option<String>,
    /// The brokers by id.
    pub brokers: BTreeMap<i32, Broker>,
    /// The controller, or the broker that stands for it.
    pub controller: Option<i32>,
    /// Topics by name.
    pub topics: BTreeMap<Arc<str>, Topic>,
    /// Topics that were asked for, with the error in their place.
    pub topic_errors: BTreeMap<Arc<str>, ErrorCode>,
    /// Names by topic id.
    pub names: HashMap<Uuid, Arc<str>>,
}

impl Cluster {
    /// Takes over an answer: replaces the brokers, and the topics that it names.
    ///
    /// # Errors
    /// [`ClientError::Broker`] if the answer as a whole is an error.
    pub fn merge(&mut self, response: &MetadataResponse<'_>) -> Result<(), ClientError> {
        ClientError::check(response.error_code, None)?;
        if response.brokers.is_empty() {
            return Err(ClientError::Config("the broker's metadata names no brokers".to_owned()));
        }
        self.id = response.cluster_id.map(str::to_owned);
        self.controller = Some(response.controller_id).filter(|id| *id >= 0);
        self.brokers = response
            .brokers
            .iter()
            .filter_map(|broker| {
                let port = u16::try_from(broker.port).ok()?;
                let address = Address { host: broker.host.to_owned(), port };
                let rack = broker.rack.map(str::to_owned);
                Some((broker.node_id, Broker { id: broker.node_id, address, rack }))
            })
            .collect();
        for topic in &response.topics {
            self.merge_topic(topic);
        }
        Ok(())
    }

    fn merge_topic(&mut self, topic: &MetadataResponseTopic<'_>) {
        let Some(name) = topic.name else { return };
        let name: Arc<str> = name.into();
        if topic.error_code != 0 {
            self.topic_errors.insert(Arc::clone(&name), ErrorCode(topic.error_code));
            self.topics.remove(&name);
            return;
        }
        self.topic_errors.remove(&name);
        let mut partitions: Vec<_> = topic
            .partitions
            .iter()
            .map(|partition| Partition {
                index: partition.partition_index,
                leader: Some(partition.leader_id).filter(|leader| *leader >= 0),
                leader_epoch: partition.leader_epoch,
                replicas: partition.replica_nodes.clone(),
                isr: partition.isr_nodes.clone(),
            })
            .collect();
        partitions.sort_by_key(|partition| partition.index);
        self.names.insert(topic.topic_id, Arc::clone(&name));
        let is_internal = topic.is_internal;
        self.topics.insert(Arc::clone(&name), Topic { name, id: topic.topic_id, is_internal, partitions });
    }

    /// The leader of a partition, as far as known.
    pub fn leader(&self, topic: &str, partition: i32) -> Option<i32> {
        self.topics.get(topic)?.partition(partition)?.leader
    }
}
