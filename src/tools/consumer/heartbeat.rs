//! The thread that keeps a member in its group while the tool is busy, for instance with an output that nobody reads.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::settings::ConsumerSettings;
use crate::protocol::ErrorCode;
use crate::protocol::messages::leave_group::MemberIdentity;
use crate::protocol::messages::{HeartbeatRequest, HeartbeatResponse, LeaveGroupRequest};
use crate::tools::client::{Address, Client, ClientError, Node};
use crate::tools::client_settings;
use crate::tools::log;

/// Who the member is, for the coordinator.
#[derive(Clone, Debug)]
pub(super) struct Membership {
    pub(super) coordinator: Address,
    pub(super) generation: i32,
    pub(super) member_id: String,
}

#[derive(Default)]
struct Shared {
    /// Set while the member is stable.
    membership: Option<Membership>,
    /// What the coordinator said, until the tool's thread asks for it.
    problem: Option<ErrorCode>,
    last_poll: Option<Instant>,
    ending: bool,
}

/// The thread's handle. The thread ends when this is dropped.
pub(super) struct Heartbeat {
    shared: Arc<(Mutex<Shared>, Condvar)>,
}

fn lock(mutex: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Heartbeat {
    pub(super) fn start(settings: &ConsumerSettings) -> Result<Self, ClientError> {
        let shared: Arc<(Mutex<Shared>, Condvar)> = Arc::default();
        let theirs = Arc::clone(&shared);
        let settings = settings.clone();
        std::thread::Builder::new()
            .name("heartbeat".to_owned())
            .spawn(move || run(&theirs, &settings))
            .map_err(|error| ClientError::Config(format!("no thread: {error}")))?;
        Ok(Self { shared })
    }

    /// Begins to send for this membership, or stops with `None`.
    pub(super) fn set(&self, membership: Option<Membership>) {
        let mut shared = lock(&self.shared.0);
        shared.membership = membership;
        shared.problem = None;
        shared.last_poll = Some(Instant::now());
        self.shared.1.notify_all();
    }

    /// The tool is alive; gives what the coordinator said since the last time.
    pub(super) fn polled(&self) -> Option<ErrorCode> {
        let mut shared = lock(&self.shared.0);
        shared.last_poll = Some(Instant::now());
        shared.problem.take()
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        lock(&self.shared.0).ending = true;
        self.shared.1.notify_all();
    }
}

fn run(shared: &(Mutex<Shared>, Condvar), settings: &ConsumerSettings) {
    let mut link: Option<(Address, Client)> = None;
    loop {
        let guard = lock(&shared.0);
        let (guard, _) =
            shared.1.wait_timeout(guard, settings.heartbeat_interval).unwrap_or_else(PoisonError::into_inner);
        if guard.ending {
            return;
        }
        let Some(membership) = guard.membership.clone() else { continue };
        let idle = guard.last_poll.map_or(Duration::ZERO, |time| time.elapsed());
        drop(guard);
        if link.as_ref().is_none_or(|(address, _)| *address != membership.coordinator) {
            link = new_client(settings, &membership.coordinator)
                .map(|client| (membership.coordinator.clone(), client));
        }
        let Some((_, client)) = &mut link else { continue };
        let problem = if idle > settings.max_poll_interval {
            give_up(client, settings, &membership);
            Some(ErrorCode::UNKNOWN_MEMBER_ID)
        } else {
            match beat(client, settings, &membership) {
                Ok(code) => Some(code).filter(|code| !code.is_none()),
                // The session may still hold; the tool's thread finds out about the coordinator.
                Err(ClientError::Disconnected { .. } | ClientError::Timeout { .. }) => {
                    Some(ErrorCode::NOT_COORDINATOR)
                }
                Err(error) => {
                    log::warn_rarely(&format!("Heartbeat failed: {error}"));
                    None
                }
            }
        };
        let Some(problem) = problem else { continue };
        let mut guard = lock(&shared.0);
        let current = guard.membership.as_ref().map(|now| (now.generation, now.member_id.clone()));
        if current == Some((membership.generation, membership.member_id)) {
            guard.problem = Some(problem);
            // During a rebalance the old membership lives on until the member joins again.
            if problem != ErrorCode::REBALANCE_IN_PROGRESS && problem != ErrorCode::NOT_COORDINATOR {
                guard.membership = None;
            }
        }
    }
}

fn new_client(settings: &ConsumerSettings, coordinator: &Address) -> Option<Client> {
    let mut properties = settings.client.clone();
    properties.set("bootstrap.servers", &coordinator.to_string());
    client_settings::client(&properties, "console-consumer").ok()
}

fn beat(
    client: &mut Client,
    settings: &ConsumerSettings,
    membership: &Membership,
) -> Result<ErrorCode, ClientError> {
    let request = HeartbeatRequest {
        group_id: &settings.group_id,
        generation_id: membership.generation,
        member_id: &membership.member_id,
        group_instance_id: settings.instance_id.as_deref(),
    };
    let answer = client.call_node(Node::Bootstrap(0), &request, i16::MAX, Some(settings.session_timeout))?;
    Ok(ErrorCode(answer.decode::<HeartbeatResponse>()?.error_code))
}

fn give_up(client: &mut Client, settings: &ConsumerSettings, membership: &Membership) {
    log::warn(&format!(
        "consumer poll timeout has expired: the output was blocked for longer than max.poll.interval.ms ({} ms); \
         leaving the group {}",
        settings.max_poll_interval.as_millis(),
        settings.group_id
    ));
    // A static member stays known to the group.
    if settings.instance_id.is_none()
        && let Err(error) = leave(client, Node::Bootstrap(0), &settings.group_id, &membership.member_id)
    {
        log::warn(&format!("Leaving the group failed: {error}"));
    }
}

/// Takes a member out of its group.
pub(super) fn leave(
    client: &mut Client,
    node: Node,
    group_id: &str,
    member_id: &str,
) -> Result<(), ClientError> {
    let version = client.version::<LeaveGroupRequest<'_>>(node, i16::MAX)?;
    let mut request = LeaveGroupRequest { group_id, ..Default::default() };
    if version >= 3 {
        let reason = Some("the consumer is being closed");
        request.members = vec![MemberIdentity { member_id, group_instance_id: None, reason }];
    } else {
        request.member_id = member_id;
    }
    client.call_node(node, &request, version, None).map(drop)
}
