//! Requests from other shards. What can be answered in the call itself is; the rest runs in a task of its own,
//! but for appends: the log tells when they can be answered (`produce_lanes`).

use std::future::Future;
use std::rc::Rc;

use super::admin::sample;
use super::messages::{LogSize, ShardReply, ShardRequest};
use super::shard::Shard;
use super::start::{ShardParts, Stage};
use crate::runtime::message::ReplyTo;

/// Serves the other shards for ever.
pub(super) async fn serve(stage: Rc<Stage>) {
    let port = stage.port.clone();
    port.serve(|request, reply| take(&stage, request, reply)).await;
}

fn take(stage: &Rc<Stage>, request: ShardRequest, reply: ReplyTo) {
    match request {
        ShardRequest::Open(opening) => {
            let stage = stage.clone();
            let runtime = stage.runtime.clone();
            let open = async move {
                let opened = stage.open(*opening).await.map(drop);
                stage.port.reply(reply, ShardReply::Opened(opened));
            };
            runtime.spawn(open).detach();
        }
        ShardRequest::End => {
            stage.port.reply(reply, ShardReply::Done);
            stage.let_go();
        }
        request => {
            let parts = stage.parts.borrow().clone();
            match parts {
                Some(parts) => take_open(&parts, request, reply),
                // Only a start that has failed comes here: there is nothing to stop.
                None => stage.port.reply(reply, ShardReply::Done),
            }
        }
    }
}

fn take_open(parts: &Rc<ShardParts>, request: ShardRequest, reply: ReplyTo) {
    let shard = &parts.shard;
    match request {
        ShardRequest::Produce(batch) => shard.produce_lane.take(shard, batch, reply),
        ShardRequest::Fetch(batch) => {
            let reader = shard.clone();
            later(shard, reply, async move { ShardReply::Fetched(reader.fetch_here(&batch).await) });
        }
        ShardRequest::Watch { from, token, partitions } => {
            shard.watch_for(from, token, &partitions);
            shard.port.reply(reply, ShardReply::Done);
        }
        ShardRequest::Unwatch { from, token } => {
            shard.unwatch(from, token);
            shard.port.reply(reply, ShardReply::Done);
        }
        ShardRequest::Wake(tokens) => {
            shard.wake(&tokens);
            shard.port.reply(reply, ShardReply::Done);
        }
        ShardRequest::Query(queries) => {
            let owner = shard.clone();
            later(shard, reply, async move { ShardReply::Answers(owner.answer_here(queries).await) });
        }
        ShardRequest::Group { from, token, call } => {
            shard.port.reply(reply, ShardReply::Done);
            shard.serve_group(from, token, *call);
        }
        ShardRequest::GroupDone { token, answer } => {
            shard.group_done(token, *answer);
            shard.port.reply(reply, ShardReply::Done);
        }
        ShardRequest::ListGroups => shard.port.reply(reply, ShardReply::Groups(shard.coordinator.list())),
        ShardRequest::LogSizes => shard.port.reply(reply, ShardReply::LogSizes(log_sizes(shard))),
        ShardRequest::Sample => shard.port.reply(reply, ShardReply::Sample(Box::new(sample(shard)))),
        ShardRequest::Controller(request) => {
            let source = shard.metadata_source.borrow().clone();
            later(shard, reply, async move {
                match source {
                    Some(source) => ShardReply::Controlled(source.handle(request).await),
                    None => ShardReply::Done,
                }
            });
        }
        ShardRequest::Prepare(image, delta) => {
            let owner = shard.clone();
            later(shard, reply, async move {
                let config = owner.follow_configs(&image, &delta);
                ShardReply::Prepared(owner.partitions.prepare(&image, &delta, &config).await)
            });
        }
        ShardRequest::Publish(image, delta) => {
            let owner = shard.clone();
            later(shard, reply, async move {
                owner.publish(&image, &delta).await;
                ShardReply::Done
            });
        }
        ShardRequest::DirectoryFailed(directory, reason) => {
            shard.partitions.logs().take_offline(directory, &reason);
            shard.port.reply(reply, ShardReply::Done);
        }
        ShardRequest::Listen => {
            let parts = parts.clone();
            later(shard, reply, async move {
                ShardReply::Listening(parts.listen().await.map_err(|e| e.to_string()))
            });
        }
        ShardRequest::StopServing => {
            let parts = parts.clone();
            later(shard, reply, async move {
                parts.stop_serving().await;
                ShardReply::Done
            });
        }
        ShardRequest::StopLogs => {
            let owner = shard.clone();
            later(shard, reply, async move {
                ShardReply::Stopped(Box::new(owner.partitions.logs().shutdown().await))
            });
        }
        ShardRequest::Open(_) | ShardRequest::End => shard.port.reply(reply, ShardReply::Done),
    }
}

fn later(shard: &Rc<Shard>, reply: ReplyTo, answer: impl Future<Output = ShardReply> + 'static) {
    let port = shard.port.clone();
    shard.runtime.spawn(async move { port.reply(reply, answer.await) }).detach();
}

/// The sizes of this shard's logs.
pub(super) fn log_sizes(shard: &Shard) -> Vec<LogSize> {
    shard
        .partitions
        .all()
        .iter()
        .map(|partition| LogSize {
            directory: partition.log().directory(),
            topic: partition.topic().clone(),
            partition: partition.index(),
            bytes: partition.log().size_bytes(),
            copy_behind: None,
        })
        .chain(shard.log_dir_moves.copies())
        .collect()
}
