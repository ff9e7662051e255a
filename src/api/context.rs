//! What a handler knows of its request beside the body.

use std::rc::Rc;

use bytes::{Bytes, BytesMut};

use super::table::Api;
use crate::net::{CloseReason, ConnectionInfo, Outcome, Reply, Step};
use crate::protocol::{DecodeError, EncodeError, Hole, Message, Reader, Response, encode_response};
use crate::server::Shard;

/// A request's surroundings. Cheap to move; stays on the connection's shard.
pub struct RequestContext {
    /// The shard that serves the connection.
    pub shard: Rc<Shard>,
    /// The connection.
    pub connection: Rc<ConnectionInfo>,
    /// The entry of the table.
    pub api: &'static Api,
    /// The version of request and response.
    pub version: i16,
    /// Goes back with the response.
    pub correlation_id: i32,
    /// What the client calls itself.
    pub client_id: Option<Rc<str>>,
    /// When the request was taken up, in nanoseconds of the shard's clock.
    pub received_ns: u64,
    /// How long the client is asked to wait before its next request, in milliseconds: quotas set it.
    pub throttle_time_ms: i32,
}

impl RequestContext {
    /// Reads the body. A body that cannot be read ends the connection, as in Kafka; what follows it in the frame is not
    /// looked at, as there: librdkafka 2.12 puts three bytes behind a request for the metadata of all topics.
    pub fn decode<'a, M: Message<'a>>(&self, body: &'a Bytes) -> Result<M, CloseReason> {
        M::decode(&mut Reader::new(body), self.version).map_err(|error| self.malformed(&error))
    }

    /// The end of a connection that sent what cannot be read.
    pub fn malformed(&self, error: &DecodeError) -> CloseReason {
        CloseReason::Malformed(format!("{} v{}: {error}", self.api.key, self.version))
    }

    /// The reply that carries `response`.
    pub fn respond<'r, R: Response<'r>>(&self, response: &R) -> Outcome {
        let (bytes, _) = self.encode(response)?;
        Ok(Reply::Bytes(bytes.freeze()))
    }

    /// [`RequestContext::respond`], as a step.
    pub fn done<'r, R: Response<'r>>(&self, response: &R) -> Step {
        Step::Done(self.respond(response))
    }

    /// The encoded response and its holes.
    pub fn encode<'r, R: Response<'r>>(&self, response: &R) -> Result<(BytesMut, Vec<Hole>), CloseReason> {
        encode_response(self.correlation_id, self.version, response).map_err(|error: EncodeError| {
            CloseReason::Internal(format!("{} v{} cannot be answered: {error}", self.api.key, self.version))
        })
    }

    /// The client's name, or "".
    pub fn client_id(&self) -> &str {
        self.client_id.as_deref().unwrap_or_default()
    }
}
