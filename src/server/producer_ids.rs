//! Ids for producers, from blocks that the controller gives out. One block for each shard at a time.

use std::cell::{Cell, RefCell};

use super::shard::Shard;
use crate::controller::{ControllerRequest, ControllerResponse};
use crate::protocol::ErrorCode;
use crate::runtime::sync::Notify;

/// The ids that a shard still has.
#[derive(Default)]
pub struct ProducerIds {
    block: Cell<(i64, i64)>,
    asking: Cell<bool>,
    changed: Notify,
    failed: RefCell<Option<ErrorCode>>,
}

impl ProducerIds {
    fn take(&self) -> Option<i64> {
        let (next, end) = self.block.get();
        (next < end).then(|| {
            self.block.set((next + 1, end));
            next
        })
    }

    /// An id that no other producer has or had.
    ///
    /// # Errors
    /// What the controller says when it gives out no block.
    pub async fn next(&self, shard: &Shard) -> Result<i64, ErrorCode> {
        loop {
            if let Some(id) = self.take() {
                return Ok(id);
            }
            if self.asking.get() {
                self.changed.wait().await;
                if let Some(code) = *self.failed.borrow() {
                    return Err(code);
                }
                continue;
            }
            self.asking.set(true);
            let asked = Asking(self);
            let broker_id = shard.config.node_id;
            let broker_epoch = shard.image().broker(broker_id).map_or(-1, |broker| broker.epoch);
            let reply = shard
                .ask_controller(ControllerRequest::AllocateProducerIds { broker_id, broker_epoch })
                .await;
            let got = match reply.map(|reply| reply.response) {
                Some(ControllerResponse::AllocateProducerIds(Ok(block))) => {
                    self.block.set((block.first, block.first + i64::from(block.len)));
                    Ok(())
                }
                Some(
                    ControllerResponse::AllocateProducerIds(Err(error)) | ControllerResponse::Failed(error),
                ) => Err(error.code),
                _ => Err(ErrorCode::COORDINATOR_LOAD_IN_PROGRESS),
            };
            *self.failed.borrow_mut() = got.err();
            drop(asked);
            got?;
        }
    }
}

/// Lets the next one ask, also when the asking request was given up.
struct Asking<'p>(&'p ProducerIds);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asking.set(false);
        self.0.changed.notify();
    }
}
