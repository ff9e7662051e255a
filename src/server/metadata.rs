//! From the controller to the shards. Runs on shard 0.
//!
//! Each committed image goes to all shards in two steps (see `partition::table`), in order, one at a time; a request to
//! the controller is answered when its effects are everywhere, so that a client's next request finds them.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::made::MadeMark;
use super::messages::{ShardReply, ShardRequest};
use super::shard::Shard;
use crate::config::Config;
use crate::controller::{Controller, ControllerReply, ControllerRequest, MetadataDelta, MetadataImage};
use crate::runtime::Task;
use crate::runtime::sync::Notify;

type Update = (Arc<MetadataImage>, Arc<MetadataDelta>);

struct Queue {
    waiting: RefCell<VecDeque<Update>>,
    changed: Notify,
    applied_offset: Cell<i64>,
    applied: Notify,
    made: MadeMark,
}

/// The controller, and the publication of what it commits.
pub struct MetadataSource {
    controller: Controller,
    queue: Rc<Queue>,
    task: RefCell<Option<Task<()>>>,
}

impl MetadataSource {
    /// Subscribes to the controller. Nothing is published before [`MetadataSource::start`].
    #[must_use]
    pub(super) fn new(controller: Controller, made: MadeMark) -> Rc<Self> {
        let queue = Rc::new(Queue {
            waiting: RefCell::default(),
            changed: Notify::default(),
            applied_offset: Cell::new(-1),
            applied: Notify::default(),
            made,
        });
        let subscriber = queue.clone();
        controller.subscribe(Box::new(move |image, delta| {
            subscriber.waiting.borrow_mut().push_back((image, delta));
            subscriber.changed.notify();
        }));
        Rc::new(Self { controller, queue, task: RefCell::new(None) })
    }

    /// The controller.
    #[must_use]
    pub fn controller(&self) -> &Controller {
        &self.controller
    }

    /// Publishes all that is there, then goes on for ever in a task of its own.
    pub async fn start(self: &Rc<Self>, shard: &Rc<Shard>) {
        publish_waiting(shard, &self.queue).await;
        let (shard, queue) = (shard.clone(), self.queue.clone());
        let runtime = shard.runtime.clone();
        *self.task.borrow_mut() = Some(runtime.spawn(async move {
            loop {
                let changed = queue.changed.wait();
                publish_waiting(&shard, &queue).await;
                changed.await;
            }
        }));
    }

    /// Has the controller do something; ends when every shard has the effects.
    pub async fn handle(&self, request: ControllerRequest) -> ControllerReply {
        let reply = self.controller.handle(request).await;
        while self.queue.applied_offset.get() < reply.offset {
            self.queue.applied.wait().await;
        }
        reply
    }
}

async fn publish_waiting(shard: &Rc<Shard>, queue: &Queue) {
    loop {
        let Some((image, delta)) = queue.waiting.borrow_mut().pop_front() else { return };
        publish(shard, &image, &delta, &queue.made).await;
        queue.applied_offset.set(image.offset);
        queue.applied.notify();
    }
}

async fn publish(shard: &Rc<Shard>, image: &Arc<MetadataImage>, delta: &Arc<MetadataDelta>, made: &MadeMark) {
    let moves_logs = delta.is_first
        || !delta.created_topics.is_empty()
        || delta.changed_partitions.iter().any(|c| c.before.is_none());
    if moves_logs {
        let prepared = to_others(shard, || ShardRequest::Prepare(image.clone(), delta.clone())).await;
        let config = shard.follow_configs(image, delta);
        let mut all = shard.partitions.prepare(image, delta, &config).await;
        for answer in prepared {
            all &= matches!(answer.await, Some(ShardReply::Prepared(true)));
        }
        if let Err(error) = made.raise(&shard.runtime, image.offset, !all).await {
            // The partitions are there; should one be lost later, the next start cannot tell.
            tracing::error!(%error, "the mark of the partitions made cannot be written");
        }
    }
    let published = to_others(shard, || ShardRequest::Publish(image.clone(), delta.clone())).await;
    shard.publish(image, delta).await;
    if delta.changes_broker_configs()
        && let Some(source) = &*shard.metadata_source.borrow()
    {
        // What is set on a topic is checked beside the brokers' defaults.
        source.controller.update_rules(Rc::new(Config::clone(&shard.live_config())));
    }
    wait_for(published).await;
}

type Answers = Vec<crate::runtime::sync::Receiver<ShardReply>>;

/// Sends a request to every shard but this.
pub(super) async fn to_others(shard: &Shard, mut request: impl FnMut() -> ShardRequest) -> Answers {
    let mut answers = Vec::new();
    for other in (0..shard.port.shards()).filter(|&other| other != shard.id) {
        answers.push(shard.port.send(other, request()).await);
    }
    answers
}

async fn wait_for(answers: Answers) {
    for answer in answers {
        let _ = answer.await;
    }
}
