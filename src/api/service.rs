//! From a frame to its handler: header, table, counters.

use std::io;
use std::rc::Rc;

use bytes::Bytes;

use super::context::RequestContext;
use super::table::{Api, slot_of};
use super::{api_versions, table};
use crate::net::{CloseReason, ConnectionInfo, Service, Step};
use crate::protocol::messages::RequestHeader;
use crate::protocol::{ApiKey, Uuid, decode_request_header};
use crate::server::Shard;

/// The service of client connections of one shard.
pub struct ApiService {
    shard: Rc<Shard>,
}

impl ApiService {
    /// The service over this shard.
    #[must_use]
    pub fn new(shard: Rc<Shard>) -> Rc<Self> {
        Rc::new(Self { shard })
    }

    fn context(
        &self,
        connection: &Rc<ConnectionInfo>,
        api: &'static Api,
        header: &RequestHeader<'_>,
    ) -> RequestContext {
        RequestContext {
            shard: self.shard.clone(),
            connection: connection.clone(),
            api,
            version: header.request_api_version,
            correlation_id: header.correlation_id,
            client_id: client_id(connection, header.client_id),
            received_ns: self.shard.runtime.now_ns(),
            throttle_time_ms: 0,
        }
    }
}

/// The client's name as a string that all requests of the connection share.
fn client_id(connection: &ConnectionInfo, name: Option<&str>) -> Option<Rc<str>> {
    let name = name?;
    let mut known = connection.client_id.borrow_mut();
    if known.as_deref() != Some(name) {
        *known = Some(name.into());
    }
    known.clone()
}

impl Service for ApiService {
    fn read_failed(&self, directory: Uuid, error: &io::Error) {
        self.shard.partitions.logs().take_offline(directory, &format!("sending a segment: {error}"));
    }

    fn dispatch(&self, connection: &Rc<ConnectionInfo>, frame: Bytes) -> Step {
        let (header, body_len) = match decode_request_header(&frame) {
            Ok((header, body)) => (header, body.remaining()),
            Err(error) => {
                return Step::Done(Err(CloseReason::Malformed(format!("no request header: {error}"))));
            }
        };
        let key = ApiKey(header.request_api_key);
        let Some(slot) = slot_of(key) else {
            return Step::Done(Err(CloseReason::Malformed(format!("API {} is not served", key.0))));
        };
        let Some(api) = table::TABLE.get(slot) else {
            return Step::Done(Err(CloseReason::Internal("the table of APIs has a hole".into())));
        };
        if let Some(count) = self.shard.request_counts.borrow_mut().get_mut(slot) {
            *count += 1;
        }
        let version = header.request_api_version;
        let context = self.context(connection, api, &header);
        if !api.serves(version) {
            if key == ApiKey::API_VERSIONS {
                return api_versions::unsupported(&context);
            }
            let text = format!("{key} v{version} is not served");
            return Step::Done(Err(CloseReason::Malformed(text)));
        }
        let body = frame.slice(frame.len() - body_len..);
        drop(frame);
        (api.handler)(context, body)
    }
}
