//! The thread that asks for metadata and producer ids, with calls that may wait, so that the sender never does.

use std::sync::Arc;
use std::time::Instant;

use super::state::Shared;
use crate::protocol::ErrorCode;
use crate::protocol::messages::{InitProducerIdRequest, InitProducerIdResponse};
use crate::tools::client::blocking::{Client, Topics};
use crate::tools::client::{ClientError, Cluster};
use crate::tools::log;

/// Answers wishes until the producer closes.
pub(super) fn run(shared: &Shared, mut client: Client) {
    let mut next_refresh = Instant::now();
    loop {
        let mut state = shared.lock();
        loop {
            if state.closing && state.outstanding == 0 {
                return;
            }
            if state.wants_metadata || state.wants_identity || Instant::now() >= next_refresh {
                break;
            }
            state = shared.wait(state, Some(next_refresh)).0;
        }
        let (metadata, identity) =
            (state.wants_metadata || Instant::now() >= next_refresh, state.wants_identity);
        state.wants_metadata = false;
        drop(state);
        let mut result = Ok(());
        if metadata {
            result = refresh(shared, &mut client);
            next_refresh = Instant::now() + shared.settings.metadata_max_age;
        }
        if identity && result.is_ok() {
            result = new_identity(shared, &mut client);
        }
        if let Err(error) = result {
            failed(shared, metadata, error);
        }
        // Wishes come in bursts; this also paces tries that fail.
        std::thread::sleep(shared.settings.retry_backoff.min(std::time::Duration::from_millis(100)));
    }
}

fn failed(shared: &Shared, metadata: bool, error: ClientError) {
    let mut state = shared.lock();
    if error.is_retriable() {
        state.wants_metadata |= metadata;
        // A broker says so while it gets its first producer ids: nothing to worry anybody with.
        if error.code() != Some(ErrorCode::COORDINATOR_LOAD_IN_PROGRESS) {
            log::warn_rarely(&format!("[Producer clientId={}] {error}", shared.settings.network.client_id));
        }
    } else {
        state.fatal = Some(error);
    }
    shared.wake(&mut state);
    shared.changed.notify_all();
}

fn refresh(shared: &Shared, client: &mut Client) -> Result<(), ClientError> {
    client.refresh(Topics::Named(&[&shared.topic]), true)?;
    let cluster = client.cluster();
    if let Some(code) = cluster.topic_errors.get(&shared.topic) {
        let what = format!("{{{}={}}}", shared.topic, code.name());
        return Err(ClientError::Broker { code: *code, message: Some(what) });
    }
    let cluster = Arc::new(Cluster::clone(cluster));
    let count = cluster.topics.get(&shared.topic).map_or(0, |topic| topic.partitions.len());
    if count == 0 {
        let what = format!("{{{}=LEADER_NOT_AVAILABLE}}", shared.topic);
        return Err(ClientError::Broker { code: ErrorCode::LEADER_NOT_AVAILABLE, message: Some(what) });
    }
    let mut state = shared.lock();
    state.learn(cluster, &shared.topic);
    shared.wake(&mut state);
    shared.changed.notify_all();
    Ok(())
}

fn new_identity(shared: &Shared, client: &mut Client) -> Result<(), ClientError> {
    let request = InitProducerIdRequest {
        transactional_id: None,
        transaction_timeout_ms: i32::MAX,
        ..Default::default()
    };
    let answer = client.call(&request)?;
    let response = answer.decode::<InitProducerIdResponse>()?;
    ClientError::check(response.error_code, None)?;
    let mut state = shared.lock();
    state.identity = Some((response.producer_id, response.producer_epoch));
    state.wants_identity = false;
    shared.wake(&mut state);
    shared.changed.notify_all();
    Ok(())
}
