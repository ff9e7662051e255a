//! The admin listener's answers: every shard's sample, gathered by message, and what is wrong.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use super::messages::{ShardReply, ShardRequest};
use super::metadata::to_others;
use super::shard::Shard;
use crate::admin::http::{Answer, Page, serve};
use crate::admin::{ProcessSample, ShardSample, render};
use crate::api::TABLE;
use crate::runtime::Task;

/// How long a shard may take to tell its sample.
const PATIENCE: Duration = Duration::from_secs(2);

/// Opens the listener on this shard.
pub(super) fn listen(shard: &Rc<Shard>, address: SocketAddr) -> std::io::Result<(SocketAddr, Task<()>)> {
    let shard = shard.clone();
    let runtime = shard.runtime.clone();
    let answer = move |page| {
        let shard = shard.clone();
        Box::pin(async move { answer(&shard, page).await }) as _
    };
    serve(&runtime, address, Rc::new(answer))
}

async fn answer(shard: &Shard, page: Page) -> Answer {
    let samples = shard.runtime.timeout(PATIENCE, samples(shard)).await;
    match (page, samples) {
        (_, None) => {
            let text = format!("a shard has not answered within {} s\n", PATIENCE.as_secs());
            Answer { well: false, text }
        }
        (Page::Metrics, Some(shards)) => {
            let process = shard.runtime.offload(ProcessSample::read).await.unwrap_or_default();
            Answer { well: true, text: render(&process, &shards) }
        }
        (Page::Health, Some(shards)) => health(shard, &shards),
    }
}

/// One line for each thing that is wrong, and `ok` when nothing is. A full disk is told, and is no reason to take the
/// broker away: it serves what it has.
fn health(shard: &Shard, shards: &[ShardSample]) -> Answer {
    let mut wrong = Vec::new();
    let mut full = Vec::new();
    if shard.stopping.get() {
        wrong.push("the broker stops".to_owned());
    }
    for directory in shards.iter().flat_map(|sample| &sample.directories) {
        let path = directory.path.display();
        if let Some(reason) = &directory.offline {
            wrong.push(format!("log directory {path} is offline: {reason}"));
        }
        if directory.full {
            full.push(format!("log directory {path} is nearly full: it takes no records"));
        }
    }
    let well = wrong.is_empty();
    wrong.append(&mut full);
    wrong.sort_unstable();
    wrong.dedup();
    let mut text = if well { "ok\n".to_owned() } else { String::new() };
    wrong.iter().for_each(|line| text.extend([line, "\n"]));
    Answer { well, text }
}

async fn samples(shard: &Shard) -> Vec<ShardSample> {
    let asked = to_others(shard, || ShardRequest::Sample).await;
    let mut all = vec![sample(shard)];
    for answer in asked {
        if let Some(ShardReply::Sample(theirs)) = answer.await {
            all.push(*theirs);
        }
    }
    all.sort_by_key(|sample| sample.shard);
    all
}

/// What this shard tells.
pub(super) fn sample(shard: &Shard) -> ShardSample {
    let logs = shard.partitions.logs();
    let partitions = shard.partitions.all();
    let offline = partitions.iter().filter(|partition| partition.log().error().is_some()).count();
    let counts = shard.request_counts.borrow();
    let requests = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let (shards, log) = (&shard.config.shards, &shard.config.log);
    ShardSample {
        shard: shard.id,
        net: (&*shard.net).into(),
        log: logs.counters(),
        runtime: shard.runtime.counters(),
        requests: requests.filter_map(|(slot, count)| Some((TABLE.get(slot)?.key, *count))).collect(),
        connections_limit: shards.connections as u64,
        request_memory: (shard.request_memory.used_bytes(), shard.request_memory.limit_bytes()),
        tail_cache: (logs.memory_bytes(), shards.tail_cache_bytes),
        tail_cache_resident_bytes: logs.resident_bytes(),
        open_files: logs.open_files(),
        open_files_limits: (log.open_segments as u64, log.open_writers as u64),
        descriptor_waits: shard.runtime.descriptors().waits(),
        partitions: (partitions.len() as u64, offline as u64),
        partitions_limit: shards.partitions as u64,
        directories: logs.directories().into_iter().map(Into::into).collect(),
    }
}
