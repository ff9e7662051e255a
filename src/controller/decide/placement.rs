//! Where replicas go: on which brokers, and in which of a broker's log directories.
//!
//! Brokers as Kafka's StripedReplicaPlacer (KIP-36): one after the other, racks in turn, the first leader drawn at
//! random, brokers that may not lead only as followers. Directories: the one with the fewest replicas.

use std::collections::BTreeMap;

use crate::controller::image::MetadataImage;
use crate::controller::request::ApiError;
use crate::protocol::{ErrorCode, Uuid};

/// Gives directories to replicas; remembers what it gave while a request is decided.
#[derive(Default)]
pub(super) struct Directories {
    given: BTreeMap<Uuid, usize>,
}

impl Directories {
    /// A directory for each of `replicas`.
    pub(super) fn assign(&mut self, image: &MetadataImage, replicas: &[i32]) -> Vec<Uuid> {
        replicas.iter().map(|broker| self.assign_one(image, *broker)).collect()
    }

    fn assign_one(&mut self, image: &MetadataImage, broker: i32) -> Uuid {
        let directories = image.broker(broker).map(|broker| broker.log_dirs.as_slice()).unwrap_or_default();
        let load = |directory: &Uuid| {
            image.topics.replicas_in(*directory) + self.given.get(directory).copied().unwrap_or(0)
        };
        match directories.iter().copied().min_by_key(load) {
            Some(directory) => {
                *self.given.entry(directory).or_default() += 1;
                directory
            }
            None => Uuid::DIRECTORY_UNASSIGNED,
        }
    }
}

/// Brokers for each of `count` partitions that follow `first_partition` others.
pub(super) fn place(
    image: &MetadataImage,
    first_partition: usize,
    count: usize,
    replication_factor: i16,
    random: &mut dyn FnMut() -> u64,
) -> Result<Vec<Vec<i32>>, ApiError> {
    let unable = |text: String| {
        ApiError::new(
            ErrorCode::INVALID_REPLICATION_FACTOR,
            format!("Unable to replicate the partition {replication_factor} time(s): {text}"),
        )
    };
    let factor = usize::try_from(replication_factor).unwrap_or(0);
    if factor == 0 {
        return Err(unable(format!(
            "Invalid replication factor {replication_factor}: the replication factor must be positive."
        )));
    }
    let usable = |id: i32| image.broker(id).is_some_and(|broker| !broker.fenced);
    let (leaders, others): (Vec<i32>, Vec<i32>) =
        in_turn_of_racks(image).into_iter().partition(|id| usable(*id));
    if leaders.is_empty() {
        return Err(unable(
            "All brokers are currently fenced, or have all their log directories cordoned.".to_owned(),
        ));
    }
    let registered = image.brokers.len();
    if factor > registered {
        return Err(unable(format!(
            "The target replication factor of {factor} cannot be reached because only {registered} broker(s) are \
             registered or some brokers have all their log directories cordoned."
        )));
    }
    let start = usize::try_from(random() % leaders.len() as u64).unwrap_or(0);
    let placed = (first_partition..first_partition + count)
        .map(|partition| {
            let turn = start + partition;
            // After each round the followers step one further, so that a broker's load spreads when it fails.
            let step = turn / leaders.len();
            let lead = leaders.iter().cycle().skip(turn % leaders.len()).take(1);
            let rest = leaders.iter().cycle().skip((turn + 1 + step % leaders.len().max(1)) % leaders.len());
            let mut replicas: Vec<i32> = lead.copied().collect();
            for broker in rest.take(leaders.len()).chain(&others) {
                if replicas.len() < factor && !replicas.contains(broker) {
                    replicas.push(*broker);
                }
            }
            replicas
        })
        .collect();
    Ok(placed)
}

/// All brokers, one of each rack in turn.
fn in_turn_of_racks(image: &MetadataImage) -> Vec<i32> {
    let mut racks: BTreeMap<Option<&str>, Vec<i32>> = BTreeMap::new();
    for broker in image.brokers.values() {
        racks.entry(broker.rack.as_deref()).or_default().push(broker.id);
    }
    let rounds = racks.values().map(Vec::len).max().unwrap_or(0);
    (0..rounds).flat_map(|round| racks.values().filter_map(move |rack| rack.get(round).copied())).collect()
}

/// Checks brokers that a client chose for one partition (Kafka's validateManualPartitionAssignment).
pub(super) fn check_manual(
    image: &MetadataImage,
    replicas: &[i32],
    expected_len: Option<usize>,
) -> Result<(), ApiError> {
    let refuse = |text: String| Err(ApiError::new(ErrorCode::INVALID_REPLICA_ASSIGNMENT, text));
    if replicas.is_empty() {
        return refuse("The manual partition assignment includes an empty replica list.".to_owned());
    }
    let mut sorted = replicas.to_vec();
    sorted.sort_unstable();
    let mut previous = None;
    for broker in sorted {
        if image.broker(broker).is_none() {
            return refuse(format!(
                "The manual partition assignment includes broker {broker}, but no such broker is registered."
            ));
        }
        if previous == Some(broker) {
            return refuse(format!(
                "The manual partition assignment includes the broker {broker} more than once."
            ));
        }
        previous = Some(broker);
    }
    if let Some(expected) = expected_len.filter(|expected| *expected != replicas.len()) {
        return refuse(format!(
            "The manual partition assignment includes a partition with {} replica(s), but this is not consistent \
             with previous partitions, which have {expected} replica(s).",
            replicas.len()
        ));
    }
    Ok(())
}

/// The in-sync set of a new partition: those of its replicas that may lead.
pub(super) fn first_isr(image: &MetadataImage, replicas: &[i32]) -> Vec<i32> {
    replicas.iter().copied().filter(|broker| image.is_active(*broker)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::controller::image::BrokerImage;

    fn image(brokers: &[(i32, &str, bool)]) -> MetadataImage {
        let mut image = MetadataImage::default();
        for (id, rack, fenced) in brokers {
            let broker = BrokerImage {
                id: *id,
                epoch: 1,
                incarnation: Uuid::ZERO,
                rack: (!rack.is_empty()).then(|| Arc::from(*rack)),
                fenced: *fenced,
                in_controlled_shutdown: false,
                endpoints: Vec::new(),
                log_dirs: vec![Uuid::from_u128(1000 + *id as u128), Uuid::from_u128(2000 + *id as u128)],
                supported_features: BTreeMap::new(),
            };
            Arc::make_mut(&mut image.brokers).insert(*id, Arc::new(broker));
        }
        image
    }

    #[test]
    fn leaders_and_racks_take_turns() {
        let image =
            image(&[(1, "a", false), (2, "a", false), (3, "b", false), (4, "b", false), (5, "b", true)]);
        let placed = place(&image, 0, 400, 3, &mut || 7).unwrap();
        for leader in 1..=4 {
            assert_eq!(placed.iter().filter(|replicas| replicas.first() == Some(&leader)).count(), 100);
        }
        for replicas in &placed {
            let mut sorted = replicas.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), 3);
            assert_ne!(replicas.first(), Some(&5));
        }
        assert_eq!(place(&image, 0, 1, 5, &mut || 0).unwrap().first().unwrap().len(), 5);
    }

    #[test]
    fn what_cannot_be_placed_says_why() {
        let one = image(&[(1, "", false)]);
        let error = place(&one, 0, 1, 3, &mut || 0).unwrap_err();
        assert_eq!(error.code, ErrorCode::INVALID_REPLICATION_FACTOR);
        assert!(error.message.unwrap().contains("only 1 broker(s) are registered"));
        assert!(place(&image(&[(1, "", true)]), 0, 1, 1, &mut || 0).is_err());
        assert!(place(&MetadataImage::default(), 0, 1, 1, &mut || 0).is_err());
    }

    #[test]
    fn directories_fill_evenly() {
        let image = image(&[(1, "", false)]);
        let mut directories = Directories::default();
        let given: Vec<_> = (0..4).flat_map(|_| directories.assign(&image, &[1, 9])).collect();
        let first = given.iter().filter(|id| **id == Uuid::from_u128(1001)).count();
        let second = given.iter().filter(|id| **id == Uuid::from_u128(2001)).count();
        assert_eq!((first, second), (2, 2));
        assert_eq!(given.iter().filter(|id| **id == Uuid::DIRECTORY_UNASSIGNED).count(), 4);
    }
}
