//! Every API that is served: versions, permission, quota, handler. ApiVersions advertises exactly this.

use bytes::Bytes;

use super::context::RequestContext;
use super::{
    alter_replica_log_dirs, api_versions, client_quotas, configs, create_partitions, create_topics,
    delete_records, delete_topics, describe_cluster, describe_configs, describe_log_dirs, describe_producers,
    describe_quorum, describe_topic_partitions, elect_leaders, fetch, find_coordinator, groups,
    init_producer_id, list_config_resources, list_offsets, metadata, offset_for_leader_epoch, produce,
    reassignments, update_features,
};
use crate::net::Step;
use crate::protocol::{ApiKey, PRODUCE_ADVERTISED_MIN_VERSION};
use crate::security::{Permission, QuotaClass};

/// Takes a request up. Called in the order of requests; must not block.
pub type Handler = fn(RequestContext, Bytes) -> Step;

/// One API.
pub struct Api {
    /// Its key.
    pub key: ApiKey,
    /// The oldest version served.
    pub min_version: i16,
    /// The newest version served.
    pub max_version: i16,
    /// The oldest version that ApiVersions lists.
    pub listed_min_version: i16,
    /// What a principal needs.
    pub permission: Permission,
    /// The quota it counts under.
    pub quota: QuotaClass,
    /// Who takes it up.
    pub handler: Handler,
}

impl Api {
    /// Whether this version is served.
    #[must_use]
    pub fn serves(&self, version: i16) -> bool {
        (self.min_version..=self.max_version).contains(&version)
    }

    const fn new(
        key: ApiKey,
        versions: (i16, i16),
        permission: Permission,
        quota: QuotaClass,
        handler: Handler,
    ) -> Self {
        let (min_version, max_version) = versions;
        Self { key, min_version, max_version, listed_min_version: min_version, permission, quota, handler }
    }

    const fn listed_from(mut self, version: i16) -> Self {
        self.listed_min_version = version;
        self
    }
}

/// Number of APIs served.
pub const API_COUNT: usize = 38;

/// The APIs, in the order of their keys.
pub static TABLE: [Api; API_COUNT] = {
    use Permission as P;
    use QuotaClass as Q;
    [
        Api::new(ApiKey::PRODUCE, (3, 13), P::TopicWrite, Q::Produce, produce::handle)
            .listed_from(PRODUCE_ADVERTISED_MIN_VERSION),
        Api::new(ApiKey::FETCH, (4, 18), P::TopicRead, Q::Fetch, fetch::handle),
        Api::new(ApiKey::LIST_OFFSETS, (0, 11), P::TopicDescribe, Q::Request, list_offsets::handle),
        Api::new(ApiKey::METADATA, (0, 13), P::TopicDescribe, Q::Request, metadata::handle),
        Api::new(ApiKey::OFFSET_COMMIT, (2, 10), P::GroupRead, Q::Request, groups::commit),
        Api::new(ApiKey::OFFSET_FETCH, (1, 10), P::GroupDescribe, Q::Request, groups::fetch),
        Api::new(ApiKey::FIND_COORDINATOR, (0, 6), P::GroupDescribe, Q::Request, find_coordinator::handle),
        Api::new(ApiKey::JOIN_GROUP, (0, 9), P::GroupRead, Q::Request, groups::join),
        Api::new(ApiKey::HEARTBEAT, (0, 4), P::GroupRead, Q::Request, groups::heartbeat),
        Api::new(ApiKey::LEAVE_GROUP, (0, 5), P::GroupRead, Q::Request, groups::leave),
        Api::new(ApiKey::SYNC_GROUP, (0, 5), P::GroupRead, Q::Request, groups::sync),
        Api::new(ApiKey::DESCRIBE_GROUPS, (0, 6), P::GroupDescribe, Q::Request, groups::describe),
        Api::new(ApiKey::LIST_GROUPS, (0, 5), P::GroupDescribe, Q::Request, groups::list),
        Api::new(ApiKey::API_VERSIONS, (0, 5), P::Open, Q::Exempt, api_versions::handle),
        Api::new(ApiKey::CREATE_TOPICS, (2, 7), P::TopicCreate, Q::Mutation, create_topics::handle),
        Api::new(ApiKey::DELETE_TOPICS, (1, 6), P::TopicDelete, Q::Mutation, delete_topics::handle),
        Api::new(ApiKey::DELETE_RECORDS, (0, 2), P::TopicDelete, Q::Request, delete_records::handle),
        Api::new(ApiKey::INIT_PRODUCER_ID, (0, 5), P::Open, Q::Request, init_producer_id::handle),
        Api::new(
            ApiKey::OFFSET_FOR_LEADER_EPOCH,
            (2, 4),
            P::TopicDescribe,
            Q::Request,
            offset_for_leader_epoch::handle,
        ),
        Api::new(ApiKey::DESCRIBE_CONFIGS, (1, 4), P::DescribeConfigs, Q::Request, describe_configs::handle),
        Api::new(ApiKey::ALTER_CONFIGS, (0, 2), P::AlterConfigs, Q::Mutation, configs::replace),
        Api::new(
            ApiKey::ALTER_REPLICA_LOG_DIRS,
            (1, 2),
            P::ClusterAlter,
            Q::Request,
            alter_replica_log_dirs::handle,
        ),
        Api::new(
            ApiKey::DESCRIBE_LOG_DIRS,
            (1, 5),
            P::ClusterDescribe,
            Q::Request,
            describe_log_dirs::handle,
        ),
        Api::new(ApiKey::CREATE_PARTITIONS, (0, 3), P::TopicAlter, Q::Mutation, create_partitions::handle),
        Api::new(ApiKey::DELETE_GROUPS, (0, 3), P::GroupDelete, Q::Request, groups::delete),
        Api::new(ApiKey::ELECT_LEADERS, (0, 2), P::ClusterAlter, Q::Request, elect_leaders::handle),
        Api::new(ApiKey::INCREMENTAL_ALTER_CONFIGS, (0, 1), P::AlterConfigs, Q::Mutation, configs::alter),
        Api::new(
            ApiKey::ALTER_PARTITION_REASSIGNMENTS,
            (0, 1),
            P::ClusterAlter,
            Q::Request,
            reassignments::alter,
        ),
        Api::new(
            ApiKey::LIST_PARTITION_REASSIGNMENTS,
            (0, 0),
            P::ClusterDescribe,
            Q::Request,
            reassignments::list,
        ),
        Api::new(ApiKey::OFFSET_DELETE, (0, 0), P::GroupDelete, Q::Request, groups::delete_offsets),
        Api::new(
            ApiKey::DESCRIBE_CLIENT_QUOTAS,
            (0, 1),
            P::ClusterDescribeConfigs,
            Q::Request,
            client_quotas::describe,
        ),
        Api::new(
            ApiKey::ALTER_CLIENT_QUOTAS,
            (0, 1),
            P::ClusterAlterConfigs,
            Q::Request,
            client_quotas::alter,
        ),
        Api::new(ApiKey::DESCRIBE_QUORUM, (0, 2), P::ClusterDescribe, Q::Request, describe_quorum::handle),
        Api::new(ApiKey::UPDATE_FEATURES, (0, 2), P::ClusterAlter, Q::Request, update_features::handle),
        Api::new(ApiKey::DESCRIBE_CLUSTER, (0, 2), P::Open, Q::Request, describe_cluster::handle),
        Api::new(ApiKey::DESCRIBE_PRODUCERS, (0, 0), P::TopicRead, Q::Request, describe_producers::handle),
        Api::new(
            ApiKey::LIST_CONFIG_RESOURCES,
            (0, 1),
            P::ClusterDescribeConfigs,
            Q::Request,
            list_config_resources::handle,
        ),
        Api::new(
            ApiKey::DESCRIBE_TOPIC_PARTITIONS,
            (0, 0),
            P::TopicDescribe,
            Q::Request,
            describe_topic_partitions::handle,
        ),
    ]
};

/// The place of an API in the table; None when it is not served.
#[must_use]
pub fn slot_of(key: ApiKey) -> Option<usize> {
    let slot = *SLOTS.get(usize::try_from(key.0).ok()?)?;
    (slot != NO_SLOT).then_some(usize::from(slot))
}

const NO_SLOT: u8 = u8::MAX;

/// The place in the table for each API key.
const SLOTS: [u8; 128] = {
    let mut slots = [NO_SLOT; 128];
    let mut slot = 0;
    while slot < API_COUNT {
        slots[TABLE[slot].key.0 as usize] = slot as u8;
        slot += 1;
    }
    slots
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_stays_within_the_schemas() {
        assert!(TABLE.windows(2).all(|pair| pair[0].key < pair[1].key));
        for api in &TABLE {
            let info = api.key.info().unwrap();
            assert!(api.max_version <= info.max_version, "{}", api.key);
            assert!(api.min_version >= info.min_version || api.key == ApiKey::LIST_OFFSETS, "{}", api.key);
            assert_eq!(slot_of(api.key).map(|slot| TABLE[slot].key), Some(api.key));
        }
        assert_eq!(slot_of(ApiKey(7)), None);
        assert_eq!(slot_of(ApiKey(-1)), None);
        assert_eq!(slot_of(ApiKey(9999)), None);
    }

    /// docs/COMPATIBILITY.md says what is served: no more, no less.
    #[test]
    fn the_compatibility_page_lists_what_is_served() {
        let page = include_str!("../../docs/COMPATIBILITY.md");
        let mut listed = Vec::new();
        for line in page.lines() {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, key, name, _, here, _] = cells.as_slice() else { continue };
            let (Ok(key), Some(versions)) = (key.parse::<i16>(), here.strip_prefix("yes, ")) else {
                continue;
            };
            let (min, max) = versions.split_once('-').unwrap_or((versions, versions));
            listed.push((key, (*name).to_owned(), min.parse::<i16>().unwrap(), max.parse::<i16>().unwrap()));
        }
        let served: Vec<_> = TABLE
            .iter()
            .map(|api| (api.key.0, api.key.name().to_owned(), api.min_version, api.max_version))
            .collect();
        assert_eq!(listed, served);
    }
}
