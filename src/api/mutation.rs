//! What the requests to the controller have in common.

use super::context::RequestContext;
use crate::controller::{ApiError, ControllerRequest, ControllerResponse};
use crate::protocol::ErrorCode;

/// Has the controller do something; its effects are on every shard when this ends.
pub(super) async fn ask(
    context: &RequestContext,
    request: ControllerRequest,
) -> Result<ControllerResponse, ApiError> {
    let gone = || ApiError { code: ErrorCode::NOT_CONTROLLER, message: None };
    match context.shard.ask_controller(request).await.ok_or_else(gone)?.response {
        ControllerResponse::Failed(error) => Err(error),
        response => Ok(response),
    }
}

/// An answer of another kind than was asked for: a fault of ours.
pub(super) fn unexpected() -> ApiError {
    ApiError { code: ErrorCode::UNKNOWN_SERVER_ERROR, message: None }
}

/// The code and the words of a result.
pub(super) fn code_and_message(result: Result<(), &ApiError>) -> (i16, Option<&str>) {
    match result {
        Ok(()) => (0, None),
        Err(error) => (error.code.into(), error.message.as_deref()),
    }
}
