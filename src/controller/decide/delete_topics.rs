//! DeleteTopics (Kafka's ControllerApis and ReplicationControlManager).

use std::collections::{BTreeMap, BTreeSet};

use crate::controller::records::RecordList;
use crate::controller::request::{ApiError, TopicDeleted, TopicSelector};
use crate::protocol::messages::RemoveTopicRecord;
use crate::protocol::{ErrorCode, Uuid};

use super::context::{Context, Decision, cannot_encode};

pub(super) fn decide(context: &Context<'_>, topics: &[TopicSelector]) -> Decision<Vec<TopicDeleted>> {
    let mut names = BTreeMap::<&str, usize>::new();
    let mut ids = BTreeMap::<Uuid, usize>::new();
    for topic in topics {
        match topic {
            TopicSelector::Name(name) => *names.entry(name).or_default() += 1,
            TopicSelector::Id(id) => *ids.entry(*id).or_default() += 1,
        }
    }
    // A topic named and given by id as well is not deleted, and answered under its name.
    let named: BTreeSet<Uuid> = names
        .keys()
        .filter_map(|name| context.image.topics.by_name(name))
        .map(|topic| topic.id)
        .filter(|id| ids.contains_key(id))
        .collect();
    let mut records = RecordList::default();
    let mut response = Vec::with_capacity(topics.len());
    for topic in topics {
        let result = match topic {
            TopicSelector::Name(name) => match names.insert(name, 0) {
                Some(0) => continue, // a name or id that stands there twice is answered once
                Some(1) => by_name(context, &mut records, name, &named),
                _ => refused(Some(name), Uuid::ZERO, "Duplicate topic name."),
            },
            TopicSelector::Id(id) if named.contains(id) => continue,
            TopicSelector::Id(id) => match ids.insert(*id, 0) {
                Some(0) => continue,
                Some(1) => by_id(context, &mut records, *id),
                _ => refused(None, *id, "Duplicate topic id."),
            },
        };
        response.push(result);
    }
    Decision { records, response }
}

fn refused(name: Option<&str>, id: Uuid, text: &str) -> TopicDeleted {
    let error = ApiError::new(ErrorCode::INVALID_REQUEST, text);
    TopicDeleted { name: name.map(str::to_owned), id, result: Err(error) }
}

fn by_name(
    context: &Context<'_>,
    records: &mut RecordList,
    name: &str,
    named: &BTreeSet<Uuid>,
) -> TopicDeleted {
    match context.image.topics.by_name(name) {
        Some(topic) if named.contains(&topic.id) => {
            let text = "The provided topic name maps to an ID that was already supplied.";
            refused(Some(name), topic.id, text)
        }
        Some(topic) => delete(records, name, topic.id),
        None => {
            let text = "This server does not host this topic-partition.";
            let error = ApiError::new(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, text);
            TopicDeleted { name: Some(name.to_owned()), id: Uuid::ZERO, result: Err(error) }
        }
    }
}

fn by_id(context: &Context<'_>, records: &mut RecordList, id: Uuid) -> TopicDeleted {
    match context.image.topics.by_id(id) {
        Some(topic) => delete(records, &topic.name, id),
        None => {
            let text = "This server does not host this topic ID.";
            let error = ApiError::new(ErrorCode::UNKNOWN_TOPIC_ID, text);
            TopicDeleted { name: None, id, result: Err(error) }
        }
    }
}

fn delete(records: &mut RecordList, name: &str, id: Uuid) -> TopicDeleted {
    let result = records.push(&RemoveTopicRecord { topic_id: id }).map_err(|error| cannot_encode(&error));
    TopicDeleted { name: Some(name.to_owned()), id, result }
}
