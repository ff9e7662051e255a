//! Offsets that nobody needs any more go, and with the last of them a group without members (KIP-211).
//!
//! Every `offsets.retention.check.interval.ms` each shard looks through its groups. Counted is from when the group became
//! empty; from the commit for who only keeps offsets here, and for topics that a group with members no longer reads. A
//! time that the commit itself named (versions 2 to 4) goes before that.

use std::rc::Rc;
use std::time::Duration;

use super::forget::{Gone, Place};
use super::group::{Committed, Group, State};
use super::offset_delete::is_read;
use super::service::Coordinator;

/// Groups looked through before others get a turn.
const GROUPS_AT_ONCE: usize = 100;

impl Group {
    /// What is over at `now_ms`; None: nothing.
    pub(super) fn expired(&self, now_ms: i64, retention_ms: i64) -> Option<Gone> {
        // None of them while the group is empty.
        let subscribed = self.subscribed_topics();
        let is_over = |(place, committed): &(&Place, &Committed)| {
            if self.committing.contains_key(*place) || is_read(subscribed.as_ref(), &place.0) {
                return false;
            }
            let Some(since_ms) = self.kept_since_ms(committed) else { return false };
            let over_ms = committed.expire_timestamp_ms.unwrap_or(since_ms.saturating_add(retention_ms));
            over_ms <= now_ms
        };
        let offsets: Vec<(Place, Committed)> = self
            .offsets
            .iter()
            .filter(is_over)
            .map(|(place, committed)| (place.clone(), committed.clone()))
            .collect();
        let whole_group = self.state == State::Empty
            && self.pending.is_empty()
            && self.committing.is_empty()
            && offsets.len() == self.offsets.len();
        (whole_group || !offsets.is_empty()).then_some(Gone { offsets, whole_group })
    }

    /// From when on the time of an offset counts; None: it does not, because it is not known who reads what.
    fn kept_since_ms(&self, committed: &Committed) -> Option<i64> {
        match (&self.protocol_type, self.state) {
            (None, _) => Some(committed.commit_timestamp_ms),
            (Some(_), State::Empty) => {
                // Old records of groups have no time of their state.
                Some(self.state_since_ms).filter(|at_ms| *at_ms >= 0).or(Some(committed.commit_timestamp_ms))
            }
            (Some(_), State::Stable) if self.is_of_consumers() => Some(committed.commit_timestamp_ms),
            (Some(_), _) => None,
        }
    }
}

impl Coordinator {
    /// Lets go of what is over, again and again.
    pub async fn expire_offsets(self: Rc<Self>) {
        loop {
            let every_ms = u64::try_from(self.rules.offsets_check_interval_ms).unwrap_or(u64::MAX);
            self.runtime.sleep(Duration::from_millis(every_ms)).await;
            for partition in self.loaded() {
                self.expire_in(partition).await;
            }
        }
    }

    async fn expire_in(&self, partition: i32) {
        let Ok(names) = self.with_groups(partition, |groups| groups.keys().cloned().collect::<Vec<_>>())
        else {
            return;
        };
        for (number, name) in names.iter().enumerate() {
            if number % GROUPS_AT_ONCE == GROUPS_AT_ONCE - 1 {
                self.runtime.yield_now().await;
            }
            let now_ms = self.runtime.wall_clock_ms();
            let retention_ms = self.rules.offsets_retention_ms;
            let found = self.with_groups(partition, |groups| {
                groups.get(name).and_then(|g| g.expired(now_ms, retention_ms))
            });
            let Ok(Some(gone)) = found else { continue };
            let again = |group: &Group| group.expired(now_ms, retention_ms).as_ref() == Some(&gone);
            match self.forget(partition, name, &gone, again).await {
                Ok(true) => tracing::info!(group = name, offsets = gone.offsets.len(), "offsets are over"),
                Ok(false) => tracing::debug!(group = name, "offsets are committed just now"),
                Err(code) => {
                    tracing::warn!(group = name, %code, "offsets that are over are kept until the next look");
                }
            }
        }
    }
}
