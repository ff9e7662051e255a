//! What a decision may look at, and what it gives.

use crate::controller::image::MetadataImage;
use crate::controller::records::{MAX_RECORDS_PER_REQUEST, RecordList};
use crate::controller::request::{ApiError, ControllerRequest, ControllerResponse};
use crate::protocol::{EncodeError, ErrorCode, Uuid};

use super::alter_configs::{self, ConfigRules};
use super::{
    assign_directory, client_quotas, create_partitions, create_topics, delete_topics, elect_leaders,
    features, producer_ids, reassignments,
};

/// Defaults and bounds of what may be made.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Partitions of a topic that does not say.
    pub num_partitions: i32,
    /// Replicas of a partition of a topic that does not say.
    pub default_replication_factor: i16,
    /// Topics of the cluster.
    pub topic_limit: usize,
    /// Partitions of the cluster.
    pub partition_limit: usize,
}

/// What a decision may look at.
pub struct Context<'a> {
    /// The metadata with everything decided before.
    pub image: &'a MetadataImage,
    /// Defaults and bounds.
    pub limits: Limits,
    /// Rules of configs.
    pub rules: &'a dyn ConfigRules,
    /// Random numbers.
    pub random: &'a mut dyn FnMut() -> u64,
}

impl Context<'_> {
    /// A new id that is in no use.
    pub(super) fn new_topic_id(&mut self) -> Uuid {
        loop {
            let [high, low] = [(self.random)(), (self.random)()].map(u128::from);
            let bits = (high << 64 | low).to_be_bytes();
            if let Some(id) = Uuid::from_random(bits).filter(|id| self.image.topics.by_id(*id).is_none()) {
                return id;
            }
        }
    }
}

/// Records to commit, and the answer once they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<R> {
    /// Records; all or none are committed.
    pub records: RecordList,
    /// The answer.
    pub response: R,
}

impl<R> Decision<R> {
    /// An answer that changes nothing.
    pub fn unchanged(response: R) -> Self {
        Self { records: RecordList::default(), response }
    }

    fn map<T>(self, wrap: impl FnOnce(R) -> T) -> Decision<T> {
        Decision { records: self.records, response: wrap(self.response) }
    }
}

/// An encoding that cannot be: what clients may send is shorter than what records may hold.
pub(super) fn cannot_encode(error: &EncodeError) -> ApiError {
    ApiError::new(ErrorCode::UNKNOWN_SERVER_ERROR, format!("a metadata record cannot be written: {error}"))
}

/// Decides a request.
pub fn decide(context: &mut Context<'_>, request: &ControllerRequest) -> Decision<ControllerResponse> {
    let decision = match request {
        ControllerRequest::CreateTopics { topics, validate_only } => {
            create_topics::decide(context, topics, *validate_only).map(ControllerResponse::CreateTopics)
        }
        ControllerRequest::DeleteTopics { topics } => {
            delete_topics::decide(context, topics).map(ControllerResponse::DeleteTopics)
        }
        ControllerRequest::CreatePartitions { topics, validate_only } => {
            create_partitions::decide(context, topics, *validate_only)
                .map(ControllerResponse::CreatePartitions)
        }
        ControllerRequest::IncrementalAlterConfigs { resources, validate_only } => {
            alter_configs::incremental(context, resources, *validate_only)
                .map(ControllerResponse::AlterConfigs)
        }
        ControllerRequest::AlterConfigs { resources, validate_only } => {
            alter_configs::replace(context, resources, *validate_only).map(ControllerResponse::AlterConfigs)
        }
        ControllerRequest::AllocateProducerIds { broker_id, broker_epoch } => {
            producer_ids::decide(context, *broker_id, *broker_epoch)
                .map(ControllerResponse::AllocateProducerIds)
        }
        ControllerRequest::ElectLeaders { election, topics } => {
            elect_leaders::decide(context, *election, topics.as_deref()).map(ControllerResponse::Partitions)
        }
        ControllerRequest::AlterReassignments { topics, allow_factor_change } => {
            reassignments::decide(context, topics, *allow_factor_change).map(ControllerResponse::Partitions)
        }
        ControllerRequest::UpdateFeatures { updates, validate_only } => {
            features::decide(context, updates, *validate_only).map(ControllerResponse::UpdateFeatures)
        }
        ControllerRequest::AlterClientQuotas { alterations, validate_only } => {
            client_quotas::decide(context, alterations, *validate_only)
                .map(ControllerResponse::AlterClientQuotas)
        }
        ControllerRequest::AssignDirectory { broker_id, topic_id, partition, directory } => {
            assign_directory::decide(context, *broker_id, *topic_id, *partition, *directory)
                .map(ControllerResponse::AssignDirectory)
        }
    };
    if decision.records.len() > MAX_RECORDS_PER_REQUEST {
        let error = ApiError::new(
            ErrorCode::POLICY_VIOLATION,
            "Unable to perform excessively large batch operation.",
        );
        return Decision::unchanged(ControllerResponse::Failed(error));
    }
    decision
}
