//! InitProducerId (22): ids for idempotent producers (KIP-98). Transactions are not served: who asks for one is told.

use bytes::Bytes;

use super::context::RequestContext;
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::{InitProducerIdRequest, InitProducerIdResponse};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(init(context, body)))
}

async fn init(context: RequestContext, body: Bytes) -> Outcome {
    let request: InitProducerIdRequest<'_> = context.decode(&body)?;
    let result = match request.transactional_id {
        // Not retriable: the client fails at once with a clear error instead of trying for ever.
        Some(_) => Err(ErrorCode::UNSUPPORTED_VERSION),
        // An idempotent producer that asks again gets a new id: its old sequences end there (KIP-360).
        None => context.shard.producer_ids.next(&context.shard).await.map(|id| (id, 0)),
    };
    let (producer_id, producer_epoch) = result.unwrap_or((-1, -1));
    let response = InitProducerIdResponse {
        throttle_time_ms: context.throttle_time_ms,
        error_code: result.err().unwrap_or(ErrorCode::NONE).into(),
        producer_id,
        producer_epoch,
        ..Default::default()
    };
    context.respond(&response)
}
