//! AllocateProducerIds (KIP-730): a broker takes ids in blocks.

use crate::controller::records::RecordList;
use crate::controller::request::{ApiError, ProducerIdBlock};
use crate::protocol::ErrorCode;
use crate::protocol::messages::ProducerIdsRecord;

use super::context::{Context, Decision, cannot_encode};

/// Ids of a block.
const BLOCK_LEN: i32 = 1000;

pub(super) fn decide(
    context: &Context<'_>,
    broker_id: i32,
    broker_epoch: i64,
) -> Decision<Result<ProducerIdBlock, ApiError>> {
    let mut records = RecordList::default();
    let response = allocate(context, &mut records, broker_id, broker_epoch);
    Decision { records, response }
}

fn allocate(
    context: &Context<'_>,
    records: &mut RecordList,
    broker_id: i32,
    broker_epoch: i64,
) -> Result<ProducerIdBlock, ApiError> {
    match context.image.broker(broker_id) {
        Some(broker) if broker.epoch == broker_epoch => {}
        Some(broker) => {
            let text = format!("Expected broker epoch {}, but got broker epoch {broker_epoch}", broker.epoch);
            return Err(ApiError::new(ErrorCode::STALE_BROKER_EPOCH, text));
        }
        None => {
            let text = format!("No broker registration found for broker id {broker_id}");
            return Err(ApiError::new(ErrorCode::STALE_BROKER_EPOCH, text));
        }
    }
    let first = context.image.next_producer_id;
    let next_producer_id = first.checked_add(i64::from(BLOCK_LEN)).ok_or_else(|| {
        ApiError::new(
            ErrorCode::UNKNOWN_SERVER_ERROR,
            "Exhausted all producerIds as the next block's end producerId has exceeded the int64 type limit",
        )
    })?;
    records
        .push(&ProducerIdsRecord { broker_id, broker_epoch, next_producer_id })
        .map_err(|error| cannot_encode(&error))?;
    Ok(ProducerIdBlock { first, len: BLOCK_LEN })
}
