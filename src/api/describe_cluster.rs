//! DescribeCluster (60): brokers, controller, cluster id (KIP-700).

use bytes::Bytes;

use super::context::RequestContext;
use super::topics::{CLUSTER_OPERATIONS, NO_OPERATIONS, reachable};
use crate::net::Step;
use crate::protocol::ErrorCode;
use crate::protocol::messages::describe_cluster::DescribeClusterBroker;
use crate::protocol::messages::{DescribeClusterRequest, DescribeClusterResponse};

/// The endpoint type that asks for brokers; the other, controllers, is answered by controllers' listeners.
const BROKERS: i8 = 1;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    let request: DescribeClusterRequest = match context.decode(&body) {
        Ok(request) => request,
        Err(reason) => return Step::Done(Err(reason)),
    };
    if request.endpoint_type != BROKERS {
        let code = match request.endpoint_type {
            2 => ErrorCode::MISMATCHED_ENDPOINT_TYPE,
            _ => ErrorCode::UNSUPPORTED_ENDPOINT_TYPE,
        };
        let response = DescribeClusterResponse {
            error_code: code.into(),
            error_message: Some("This listener serves brokers only."),
            ..Default::default()
        };
        return context.done(&response);
    }
    let image = context.shard.image();
    let response = DescribeClusterResponse {
        throttle_time_ms: context.throttle_time_ms,
        endpoint_type: BROKERS,
        cluster_id: &image.cluster_id,
        controller_id: image.controller_id,
        brokers: reachable(&image, &context.connection.listener)
            .map(|(broker, endpoint)| DescribeClusterBroker {
                broker_id: broker.id,
                host: &endpoint.host,
                port: i32::from(endpoint.port),
                rack: broker.rack.as_deref(),
                is_fenced: broker.fenced,
            })
            .collect(),
        cluster_authorized_operations: if request.include_cluster_authorized_operations {
            CLUSTER_OPERATIONS
        } else {
            NO_OPERATIONS
        },
        ..Default::default()
    };
    context.done(&response)
}
