//! One call at a time: connects where needed, sends, waits for the answer, tries again while that may help.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::network::{Event, Network, NetworkSettings, Node};
use super::{Address, Answer, ClientError, Cluster};
use crate::protocol::messages::metadata::MetadataRequestTopic;
use crate::protocol::messages::{
    FindCoordinatorRequest, FindCoordinatorResponse, MetadataRequest, MetadataResponse,
};
use crate::protocol::wire::Request;
use crate::tools::log;

/// Which topics a metadata request asks for.
#[derive(Clone, Copy, Debug)]
pub enum Topics<'a> {
    /// Every topic.
    All,
    /// None: brokers only.
    None,
    /// Those with these names.
    Named(&'a [&'a str]),
}

/// See the module.
pub struct Client {
    network: Network,
    bootstrap: Vec<Address>,
    cluster: Cluster,
    api_timeout: Duration,
    retry_backoff: Duration,
    /// How this client names itself in warnings.
    label: String,
    stop: Option<Arc<AtomicBool>>,
}

/// Longest wait without looking whether to stop.
const LOOK: Duration = Duration::from_millis(100);
/// Longest pause between two tries.
const RETRY_BACKOFF_MAX: Duration = Duration::from_secs(1);

impl Client {
    /// No connection is made yet. `api_timeout` bounds a call with its retries, connecting included.
    pub fn new(
        bootstrap: Vec<Address>,
        settings: NetworkSettings,
        api_timeout: Duration,
        retry_backoff: Duration,
    ) -> Self {
        let label = format!("[Client clientId={}]", settings.client_id);
        let network = Network::new(settings);
        Self {
            network,
            bootstrap,
            cluster: Cluster::default(),
            api_timeout,
            retry_backoff,
            label,
            stop: None,
        }
    }

    /// Calls end with [`ClientError::Interrupted`] soon after this flag is raised.
    pub fn stop_at(&mut self, flag: Option<Arc<AtomicBool>>) {
        self.stop = flag;
    }

    fn check_stop(&self) -> Result<(), ClientError> {
        match &self.stop {
            Some(flag) if flag.load(Ordering::SeqCst) => Err(ClientError::Interrupted),
            _ => Ok(()),
        }
    }

    /// What was learnt so far.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The bound of a call with its retries.
    pub fn api_timeout(&self) -> Duration {
        self.api_timeout
    }

    /// The address of a node, as far as known.
    pub fn address(&self, node: Node) -> Option<Address> {
        match node {
            Node::Bootstrap(index) => self.bootstrap.get(index).cloned(),
            Node::Broker(id) | Node::Coordinator(id) => {
                self.cluster.brokers.get(&id).map(|broker| broker.address.clone())
            }
        }
    }

    /// Waits until requests can be sent to a node.
    ///
    /// # Errors
    /// Why the connection failed, or [`ClientError::Timeout`] at the deadline.
    pub fn connect(&mut self, node: Node, deadline: Instant) -> Result<(), ClientError> {
        let address = self.address(node).ok_or_else(|| ClientError::Disconnected {
            peer: format!("{node:?}"),
            reason: "this node is not in the metadata".to_owned(),
        })?;
        loop {
            if self.network.prepare(node, &address) {
                return Ok(());
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(ClientError::Timeout {
                    what: format!("Timed out waiting for a connection to {address}"),
                });
            }
            let wait = self.network.backoff(node).unwrap_or(deadline - now).min(deadline - now);
            for event in self.poll(wait)? {
                if let Event::Lost { node: lost, error, .. } = event
                    && lost == node
                {
                    return Err(error);
                }
            }
        }
    }

    fn poll(&mut self, wait: Duration) -> Result<Vec<Event>, ClientError> {
        self.check_stop()?;
        self.network.poll(wait.min(LOOK), None).map_err(|error| ClientError::Disconnected {
            peer: "brokers".to_owned(),
            reason: error.to_string(),
        })
    }

    /// The version in which `R` goes to a node, at most `cap`. Connects if needed.
    ///
    /// # Errors
    /// [`ClientError::Unsupported`], or see [`Client::connect`].
    pub fn version<'a, R: Request<'a>>(&mut self, node: Node, cap: i16) -> Result<i16, ClientError> {
        let deadline = Instant::now() + self.api_timeout;
        self.connect(node, deadline)?;
        self.network.ready(node).map_or_else(
            || Err(ClientError::Disconnected { peer: format!("{node:?}"), reason: "closed".to_owned() }),
            |connection| connection.version::<R>(cap),
        )
    }

    /// Sends one request to a node, in the greatest common version that is at most `cap`, and waits for its answer.
    /// `timeout` replaces the usual one for an answer.
    ///
    /// # Errors
    /// Any but [`ClientError::Broker`].
    pub fn call_node<'a, R: Request<'a>>(
        &mut self,
        node: Node,
        request: &R,
        cap: i16,
        timeout: Option<Duration>,
    ) -> Result<Answer, ClientError> {
        let version = self.version::<R>(node, cap)?;
        let sent = self.network.send(node, version, request, timeout)?;
        loop {
            for event in self.poll(Duration::from_secs(60))? {
                match event {
                    Event::Answer { token, answer, .. } if token == sent => return Ok(answer),
                    Event::Lost { tokens, error, .. } if tokens.contains(&sent) => return Err(error),
                    _ => {}
                }
            }
        }
    }

    /// Sends one request to whichever broker can be reached; see [`Client::call_node`].
    ///
    /// # Errors
    /// The last broker's error, or [`ClientError::Timeout`] after the client's bound.
    pub fn call<'a, R: Request<'a>>(&mut self, request: &R) -> Result<Answer, ClientError> {
        let deadline = Instant::now() + self.api_timeout;
        loop {
            let mut last = None;
            for node in self.candidates() {
                match self.call_node(node, request, i16::MAX, None) {
                    Err(error) if error.is_retriable() => {
                        log::warn_rarely(&format!("{} {error}", self.label));
                        last = Some(error);
                    }
                    result => return result,
                }
            }
            self.check_stop()?;
            if Instant::now() + self.retry_backoff >= deadline {
                return Err(last.unwrap_or_else(|| ClientError::Timeout {
                    what: "Timed out waiting for a broker".to_owned(),
                }));
            }
            std::thread::sleep(self.retry_backoff);
        }
    }

    /// Connected nodes first, then the other brokers, then the bootstrap list.
    fn candidates(&mut self) -> Vec<Node> {
        let brokers = self.cluster.brokers.keys().map(|id| Node::Broker(*id));
        let mut nodes: Vec<Node> = brokers.chain((0..self.bootstrap.len()).map(Node::Bootstrap)).collect();
        nodes.sort_by_key(|node| self.network.ready(*node).is_none());
        nodes
    }

    /// Sends one request to the controller, or the broker that stands for it; asks for metadata first if needed.
    ///
    /// # Errors
    /// See [`Client::call_node`].
    pub fn call_controller<'a, R: Request<'a>>(&mut self, request: &R) -> Result<Answer, ClientError> {
        if self.cluster.controller.is_none() {
            self.refresh(Topics::None, false)?;
        }
        match self.cluster.controller {
            Some(id) => self.call_node(Node::Broker(id), request, i16::MAX, None),
            None => self.call(request),
        }
    }

    /// Asks for metadata and keeps it. Whether a topic can be had is not judged here: see [`Cluster::topic_errors`].
    ///
    /// # Errors
    /// See [`Client::call`].
    pub fn refresh(&mut self, topics: Topics<'_>, create: bool) -> Result<(), ClientError> {
        let request = MetadataRequest {
            topics: match topics {
                Topics::All => None,
                Topics::None => Some(Vec::new()),
                Topics::Named(names) => Some(
                    names
                        .iter()
                        .map(|name| MetadataRequestTopic { name: Some(name), ..Default::default() })
                        .collect(),
                ),
            },
            allow_auto_topic_creation: create,
            ..Default::default()
        };
        let answer = self.call(&request)?;
        if matches!(topics, Topics::All) {
            self.cluster.topics.clear();
            self.cluster.topic_errors.clear();
        }
        self.cluster.merge(&answer.decode::<MetadataResponse<'_>>()?)
    }

    /// The broker that coordinates a group; its address is known then.
    ///
    /// # Errors
    /// See [`Client::call`]; [`ClientError::Broker`] if the group's coordinator cannot be told.
    pub fn find_group_coordinator(&mut self, group_id: &str) -> Result<i32, ClientError> {
        if self.cluster.brokers.is_empty() {
            self.refresh(Topics::None, false)?;
        }
        let mut last = None;
        for node in self.candidates() {
            match self.ask_coordinator(node, group_id) {
                Err(error) if error.is_retriable() => last = Some(error),
                result => return result,
            }
        }
        Err(last
            .unwrap_or_else(|| ClientError::Timeout { what: "Timed out waiting for a broker".to_owned() }))
    }

    fn ask_coordinator(&mut self, node: Node, group_id: &str) -> Result<i32, ClientError> {
        let version = self.version::<FindCoordinatorRequest<'_>>(node, i16::MAX)?;
        let (key, coordinator_keys) =
            if version >= 4 { ("", vec![group_id]) } else { (group_id, Vec::new()) };
        let request = FindCoordinatorRequest { key, key_type: 0, coordinator_keys };
        let answer = self.call_node(node, &request, version, None)?;
        let response = answer.decode::<FindCoordinatorResponse<'_>>()?;
        let (code, message, id, host, port) = match response.coordinators.first() {
            Some(found) => (found.error_code, found.error_message, found.node_id, found.host, found.port),
            None => {
                (response.error_code, response.error_message, response.node_id, response.host, response.port)
            }
        };
        ClientError::check(code, message)?;
        let port = u16::try_from(port)
            .map_err(|_| ClientError::Config(format!("port {port} of the coordinator")))?;
        let address = Address { host: host.to_owned(), port };
        self.cluster.brokers.insert(id, super::Broker { id, address, rack: None });
        Ok(id)
    }

    /// Repeats `attempt` while its error may pass, until the client's bound.
    ///
    /// # Errors
    /// The last one.
    pub fn retry<T>(
        &mut self,
        mut attempt: impl FnMut(&mut Self) -> Result<T, ClientError>,
    ) -> Result<T, ClientError> {
        let deadline = Instant::now() + self.api_timeout;
        let mut pause = self.retry_backoff;
        loop {
            match attempt(self) {
                Err(error) if error.is_retriable() && Instant::now() + pause < deadline => {
                    self.check_stop()?;
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(RETRY_BACKOFF_MAX);
                    // Leader, controller or coordinator may be another one now.
                    self.refresh(Topics::None, false)?;
                }
                result => return result,
            }
        }
    }

    /// The connections, for a caller that keeps several requests in flight.
    pub fn network(&mut self) -> &mut Network {
        &mut self.network
    }

    /// Takes over metadata that came on another way.
    ///
    /// # Errors
    /// See [`Cluster::merge`].
    pub fn merge(&mut self, response: &MetadataResponse<'_>) -> Result<(), ClientError> {
        self.cluster.merge(response)
    }
}
