//! Kafka's range assignor: of each topic, every member that wants it gets a run of partitions next to each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::TopicPartition;

/// A member, as the leader of the group sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) id: String,
    pub(super) instance_id: Option<String>,
    pub(super) topics: Vec<String>,
}

/// Static members come first, in the order of their instance ids; then the others in the order of their ids.
fn order(member: &Member) -> (bool, &str) {
    match &member.instance_id {
        Some(instance) => (false, instance),
        None => (true, &member.id),
    }
}

/// The partitions of each member, by member id. `partitions` gives the number of partitions of a topic; a topic that
/// does not exist is left out.
pub(super) fn assign(
    members: &[Member],
    partitions: impl Fn(&str) -> Option<i32>,
) -> BTreeMap<String, Vec<TopicPartition>> {
    let mut sorted: Vec<&Member> = members.iter().collect();
    sorted.sort_by(|one, other| order(one).cmp(&order(other)));
    let mut consumers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for member in &sorted {
        for topic in &member.topics {
            consumers.entry(topic).or_default().push(&member.id);
        }
    }
    let mut result: BTreeMap<String, Vec<TopicPartition>> =
        members.iter().map(|member| (member.id.clone(), Vec::new())).collect();
    for (topic, members) in consumers {
        let Some(count) = partitions(topic) else { continue };
        let name: Arc<str> = topic.into();
        let each = count / members.len() as i32;
        let extra = count % members.len() as i32;
        let mut next = 0;
        for (member, at) in members.into_iter().zip(0..) {
            let share = each + i32::from(at < extra);
            if let Some(list) = result.get_mut(member) {
                list.extend((next..next + share).map(|partition| (Arc::clone(&name), partition)));
            }
            next += share;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(id: &str, instance: Option<&str>, topics: &[&str]) -> Member {
        let topics = topics.iter().map(|topic| (*topic).to_owned()).collect();
        Member { id: id.to_owned(), instance_id: instance.map(str::to_owned), topics }
    }

    fn shown(members: &[Member]) -> Vec<String> {
        let counts = |topic: &str| match topic {
            "a" => Some(3),
            "b" => Some(2),
            _ => None,
        };
        let text = |list: &[TopicPartition]| {
            list.iter().map(|(topic, at)| format!("{topic}{at}")).collect::<Vec<_>>()
        };
        assign(members, counts).iter().map(|(id, list)| format!("{id}:{}", text(list).join(","))).collect()
    }

    #[test]
    fn runs_are_even_and_the_first_members_get_the_rest() {
        let both = ["a", "b", "missing"];
        assert_eq!(
            shown(&[member("m1", None, &both), member("m2", None, &both)]),
            ["m1:a0,a1,b0", "m2:a2,b1"]
        );
        assert_eq!(
            shown(&[member("m1", None, &["b"]), member("m2", None, &both)]),
            ["m1:b0", "m2:a0,a1,a2,b1"]
        );
        let many: Vec<_> = (1..=4).map(|n| member(&format!("m{n}"), None, &["b"])).collect();
        assert_eq!(shown(&many), ["m1:b0", "m2:b1", "m3:", "m4:"]);
    }

    #[test]
    fn static_members_come_first() {
        let members =
            [member("a", None, &["b"]), member("z", Some("i"), &["b"]), member("y", Some("j"), &["b"])];
        assert_eq!(shown(&members), ["a:", "y:b1", "z:b0"]);
    }
}
