//! ElectLeaders (Kafka's ReplicationControlManager).

use crate::controller::image::{NO_LEADER, PartitionImage, TopicImage};
use crate::controller::records::RecordList;
use crate::controller::request::{ApiError, Election, TopicOutcome};
use crate::protocol::ErrorCode;
use crate::protocol::messages::PartitionChangeRecord;

use super::context::{Context, Decision, cannot_encode};

pub(super) fn decide(
    context: &Context<'_>,
    election: Election,
    topics: Option<&[(String, Vec<i32>)]>,
) -> Decision<Vec<TopicOutcome>> {
    let mut records = RecordList::default();
    let response = match topics {
        None => {
            context.image.topics.iter().map(|topic| every(context, election, topic, &mut records)).collect()
        }
        Some(topics) => topics
            .iter()
            .map(|(name, partitions)| TopicOutcome {
                name: name.clone(),
                partitions: partitions
                    .iter()
                    .map(|&partition| (partition, named(context, election, name, partition, &mut records)))
                    .collect(),
            })
            .collect(),
    };
    Decision { records, response }
}

/// Where all are asked for, those that need no election are not told, but their topic is.
fn every(
    context: &Context<'_>,
    election: Election,
    topic: &TopicImage,
    records: &mut RecordList,
) -> TopicOutcome {
    let mut partitions = Vec::new();
    for (number, partition) in (0..).zip(&topic.partitions) {
        let result = elect(context, election, (topic, number, partition), records);
        if !result.as_ref().is_err_and(|error| error.code == ErrorCode::ELECTION_NOT_NEEDED) {
            partitions.push((number, result));
        }
    }
    TopicOutcome { name: topic.name.to_string(), partitions }
}

fn named(
    context: &Context<'_>,
    election: Election,
    name: &str,
    number: i32,
    records: &mut RecordList,
) -> Result<(), ApiError> {
    let unknown = |text: String| ApiError::new(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, text);
    let topic =
        context.image.topics.by_name(name).ok_or_else(|| unknown(format!("No such topic as {name}")))?;
    let partition =
        topic.partition(number).ok_or_else(|| unknown(format!("No such partition as {name}-{number}")))?;
    elect(context, election, (topic, number, partition), records)
}

fn elect(
    context: &Context<'_>,
    election: Election,
    (topic, partition_id, partition): (&TopicImage, i32, &PartitionImage),
    records: &mut RecordList,
) -> Result<(), ApiError> {
    let preferred = partition.replicas.first().copied().unwrap_or(NO_LEADER);
    let needed = match election {
        Election::Preferred => partition.leader != preferred,
        Election::Unclean => partition.leader == NO_LEADER,
    };
    if !needed {
        let text = "Leader election not needed for topic partition.";
        return Err(ApiError::new(ErrorCode::ELECTION_NOT_NEEDED, text));
    }
    let may_lead = |broker: i32| partition.isr.contains(&broker) && context.image.is_active(broker);
    let leader = match election {
        Election::Preferred => Some(preferred).filter(|broker| may_lead(*broker)),
        // A replica that is out of sync is never made the leader: with one node there is none.
        Election::Unclean => partition.replicas.iter().copied().find(|broker| may_lead(*broker)),
    };
    let leader = leader.ok_or_else(|| match election {
        Election::Preferred => ApiError::new(
            ErrorCode::PREFERRED_LEADER_NOT_AVAILABLE,
            "The preferred leader was not available.",
        ),
        Election::Unclean => ApiError::new(
            ErrorCode::ELIGIBLE_LEADERS_NOT_AVAILABLE,
            "Eligible topic partition leaders are not available.",
        ),
    })?;
    let change = PartitionChangeRecord {
        partition_id,
        topic_id: topic.id,
        leader,
        ..PartitionChangeRecord::default()
    };
    records.push(&change).map_err(|error| cannot_encode(&error))
}
