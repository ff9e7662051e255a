//! Letting go of offsets and groups: by request, with their topic, or because they are over.
//!
//! What is deleted is gone from the log first and from memory then, and only as it was when that was decided: a commit
//! under way is waited for, so that in the log it never stands in front of the record that deletes it and in memory behind.

use std::sync::Arc;

use super::command::GroupAnswer;
use super::group::{Committed, Group, State};
use super::offset_delete::is_read;
use super::records::{self, Stored};
use super::service::{Coordinator, Groups};
use crate::protocol::ErrorCode;

/// How often a deletion is decided again because somebody commits at the same time.
const ATTEMPTS: usize = 100;

/// A topic and a partition.
pub(super) type Place = (Arc<str>, i32);

/// What goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gone {
    /// Offsets, as they were when this was decided.
    pub(super) offsets: Vec<(Place, Committed)>,
    /// Nothing is left of the group.
    pub(super) whole_group: bool,
}

impl Group {
    /// Whether nothing of this is being committed.
    fn is_settled(&self, gone: &Gone) -> bool {
        let is_free = |(place, _): &(Place, Committed)| !self.committing.contains_key(place);
        gone.offsets.iter().all(is_free) && (!gone.whole_group || self.committing.is_empty())
    }
}

impl Coordinator {
    /// Deletes it from the log, and then from memory, if `again` says so at the moment of the append. False: something has
    /// changed meanwhile, and nothing was deleted.
    pub(super) async fn forget(
        &self,
        partition: i32,
        name: &str,
        gone: &Gone,
        again: impl FnOnce(&Group) -> bool,
    ) -> Result<bool, ErrorCode> {
        let offsets = gone.offsets.iter().map(|((topic, index), _)| records::no_offset(name, topic, *index));
        let group = gone.whole_group.then(|| records::no_group(name));
        let records: Result<Vec<Stored>, _> = offsets.chain(group).collect();
        let records = records.map_err(|_| ErrorCode::UNKNOWN_SERVER_ERROR)?;
        let holds =
            |groups: &Groups| groups.get(name).is_some_and(|group| group.is_settled(gone) && again(group));
        if !self.store_if(partition, records, holds).await? {
            return Ok(false);
        }
        self.with_groups(partition, |groups| {
            let Some(group) = groups.get_mut(name) else { return };
            for (place, committed) in &gone.offsets {
                // Committed again while this was flushed, it stands behind it in the log, and stays.
                if group.offsets.get(place) == Some(committed) {
                    group.offsets.remove(place);
                }
            }
            if !gone.whole_group || group.state != State::Empty {
                // Somebody may have joined meanwhile: the group goes on then, without its offsets.
                return;
            }
            if group.offsets.is_empty() && group.committing.is_empty() {
                groups.remove(name);
            } else {
                // Who has committed meanwhile keeps offsets in a group that is otherwise new.
                let mut new = Group::new(name.to_owned(), self.runtime.wall_clock_ms());
                new.offsets = std::mem::take(&mut group.offsets);
                new.committing = std::mem::take(&mut group.committing);
                new.pending = std::mem::take(&mut group.pending);
                *group = new;
            }
        })?;
        Ok(true)
    }

    /// Decides and deletes, and does so again if somebody commits meanwhile.
    async fn forget_settled<T>(
        &self,
        partition: i32,
        name: &str,
        decide: impl Fn(&Group) -> Result<(T, Gone), ErrorCode>,
    ) -> Result<T, ErrorCode> {
        for _ in 0..ATTEMPTS {
            let ended = self.commits_ended.wait();
            let (is_committing, decided) = self.with_groups(partition, |groups| {
                let group = groups.get(name).ok_or(ErrorCode::GROUP_ID_NOT_FOUND)?;
                Ok::<_, ErrorCode>((!group.committing.is_empty(), decide(group)?))
            })??;
            let (answer, gone) = decided;
            let nothing = gone.offsets.is_empty() && !gone.whole_group;
            let again = |group: &Group| decide(group).is_ok_and(|(_, again)| again == gone);
            if nothing || self.forget(partition, name, &gone, again).await? {
                return Ok(answer);
            }
            if is_committing {
                ended.await;
            }
        }
        Err(ErrorCode::COORDINATOR_LOAD_IN_PROGRESS)
    }

    /// DeleteGroups.
    pub(super) async fn delete(&self, partition: i32, name: &str) -> Result<GroupAnswer, ErrorCode> {
        let decide = |group: &Group| match group.state {
            State::Empty => {
                Ok(((), Gone { offsets: group.offsets.clone().into_iter().collect(), whole_group: true }))
            }
            _ => Err(ErrorCode::NON_EMPTY_GROUP),
        };
        self.forget_settled(partition, name, decide).await?;
        Ok(GroupAnswer::Code(ErrorCode::NONE))
    }

    /// OffsetDelete: offsets of topics that no member reads are kept no longer.
    pub(super) async fn delete_offsets(
        &self,
        partition: i32,
        name: &str,
        places: Vec<Place>,
    ) -> Result<GroupAnswer, ErrorCode> {
        let decide = |group: &Group| {
            group.check_delete_offsets()?;
            let subscribed = group.subscribed_topics();
            let code_of = |(topic, _): &Place| {
                let is_read = is_read(subscribed.as_ref(), topic);
                if is_read { ErrorCode::GROUP_SUBSCRIBED_TO_TOPIC } else { ErrorCode::NONE }
            };
            let codes: Vec<ErrorCode> = places.iter().map(code_of).collect();
            let taken = places.iter().zip(&codes).filter(|(_, code)| code.is_none());
            let kept = taken.filter_map(|(place, _)| group.offsets.get_key_value(place));
            let offsets = kept.map(|(place, committed)| (place.clone(), committed.clone())).collect();
            Ok((codes, Gone { offsets, whole_group: false }))
        };
        Ok(GroupAnswer::Committed(self.forget_settled(partition, name, decide).await?))
    }

    /// Offsets of a topic that is gone are kept no longer.
    pub(super) async fn forget_topic(&self, topic: &str) {
        for partition in self.loaded() {
            let named = self.with_groups(partition, |groups| {
                let with_it =
                    groups.values().filter(|group| group.offsets.keys().any(|(name, _)| &**name == topic));
                with_it.map(|group| group.name.clone()).collect::<Vec<_>>()
            });
            for name in named.unwrap_or_default() {
                let decide = |group: &Group| {
                    let of_topic = group.offsets.iter().filter(|((name, _), _)| &**name == topic);
                    let offsets = of_topic.map(|(place, committed)| (place.clone(), committed.clone()));
                    Ok(((), Gone { offsets: offsets.collect(), whole_group: false }))
                };
                if let Err(code) = self.forget_settled(partition, &name, decide).await
                    && code != ErrorCode::GROUP_ID_NOT_FOUND
                {
                    tracing::warn!(group = name, topic, %code, "offsets of a deleted topic are still kept");
                }
            }
        }
    }
}
