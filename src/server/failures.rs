//! Log directories that fail while the broker serves. Each shard has its own view of a directory (its journal, its logs);
//! the one that meets the failure tells the others, so that no shard goes on writing where another lost something.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::messages::ShardRequest;
use super::metadata::to_others;
use super::shard::Shard;
use crate::log::LogManager;
use crate::protocol::Uuid;

/// Tells the other shards of every directory that goes offline here, for ever.
pub(super) async fn tell_of_failures(shard: Rc<Shard>) {
    let logs = shard.partitions.logs();
    // Those that were offline from the start are so on every shard.
    let mut told: BTreeSet<_> = offline(logs).map(|(id, _)| id).collect();
    loop {
        let change = logs.directory_offline().wait();
        for (id, reason) in offline(logs) {
            if told.insert(id) {
                // The answers say nothing.
                drop(to_others(&shard, || ShardRequest::DirectoryFailed(id, reason.clone())).await);
            }
        }
        change.await;
    }
}

/// Ends when no log directory is left, with the reasons; as in Kafka the broker ends then.
pub(super) async fn all_failed(logs: &LogManager) -> String {
    loop {
        let change = logs.directory_offline().wait();
        let failed: Vec<_> = offline(logs).map(|(_, reason)| reason).collect();
        if failed.len() == logs.directories().len() {
            return failed.join("; ");
        }
        change.await;
    }
}

fn offline(logs: &LogManager) -> impl Iterator<Item = (Uuid, Arc<str>)> {
    logs.directories().into_iter().filter_map(|state| Some((state.id, state.offline?)))
}
