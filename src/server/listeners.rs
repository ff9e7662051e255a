//! Where the broker listens, and what clients are told of it.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::error::ServerError;
use crate::config::{Config, Listener};
use crate::controller::Endpoint;
use crate::runtime::shards::{ReservedAddress, reserve_address};

/// The number of PLAINTEXT among Kafka's security protocols.
const PLAINTEXT: i16 = 0;

/// The kernel lets go of a killed broker's sockets a little after its process is gone: so long its successor waits for
/// their addresses, looking this often.
const PREDECESSOR: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);

/// An address that is held until all shards listen on it.
pub(super) struct BoundListener {
    /// The listener's name.
    pub name: Arc<str>,
    /// The address, with its real port.
    pub address: SocketAddr,
    _reserved: ReservedAddress,
}

/// Takes the addresses of all listeners. Runs before the shards start: names may have to be looked up.
pub(super) fn bind(config: &Config) -> Result<Vec<BoundListener>, ServerError> {
    config.listeners.iter().map(bind_one).collect()
}

fn bind_one(listener: &Listener) -> Result<BoundListener, ServerError> {
    let failed = |cause: std::io::Error| ServerError::Listen {
        name: listener.name.clone(),
        address: format!("{}:{}", listener.host, listener.port),
        cause: cause.to_string(),
    };
    let reserve = || {
        if !listener.host.is_empty() {
            let address = (listener.host.as_str(), listener.port).to_socket_addrs()?.next();
            return reserve_address(address.ok_or_else(|| std::io::Error::other("the name has no address"))?);
        }
        // Both families by one socket, or IPv4 alone where there is no IPv6.
        reserve_address((Ipv6Addr::UNSPECIFIED, listener.port).into()).or_else(|error| {
            if error.kind() == std::io::ErrorKind::AddrInUse {
                return Err(error);
            }
            reserve_address((Ipv4Addr::UNSPECIFIED, listener.port).into())
        })
    };
    let deadline = Instant::now() + PREDECESSOR;
    let reserved = loop {
        match reserve() {
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse && Instant::now() < deadline => {
                std::thread::sleep(LOOK);
            }
            reserved => break reserved.map_err(failed)?,
        }
    };
    Ok(BoundListener {
        name: listener.name.as_str().into(),
        address: reserved.address(),
        _reserved: reserved,
    })
}

/// Takes the address of the admin listener, if there is to be one.
pub(super) fn bind_admin(config: &Config) -> Result<Option<ReservedAddress>, ServerError> {
    let Some((host, port)) = &config.admin_listen else { return Ok(None) };
    let failed = |cause: std::io::Error| ServerError::Listen {
        name: "admin".into(),
        address: format!("{host}:{port}"),
        cause: cause.to_string(),
    };
    let mut addresses = (host.as_str(), *port).to_socket_addrs().map_err(failed)?;
    let address = addresses.next().ok_or_else(|| failed(std::io::Error::other("the name has no address")))?;
    reserve_address(address).map(Some).map_err(failed)
}

/// What clients are told, with the ports that were really taken.
pub(super) fn endpoints(config: &Config, bound: &[(Arc<str>, SocketAddr)]) -> Vec<Endpoint> {
    let port_of =
        |name: &str| bound.iter().find(|(known, _)| &**known == name).map_or(0, |(_, at)| at.port());
    config
        .advertised_listeners
        .iter()
        .map(|advertised| Endpoint {
            name: advertised.name.clone(),
            host: advertised.host.clone(),
            port: if advertised.port == 0 { port_of(&advertised.name) } else { advertised.port },
            security_protocol: PLAINTEXT,
        })
        .collect()
}

/// The line that says where clients are served, as `NAME://host:port,…`.
pub(super) fn ready_line(endpoints: &[Endpoint]) -> String {
    let shown = endpoints.iter().map(|endpoint| {
        let host =
            if endpoint.host.contains(':') { format!("[{}]", endpoint.host) } else { endpoint.host.clone() };
        format!("{}://{host}:{}", endpoint.name, endpoint.port)
    });
    format!("ready {}", shown.collect::<Vec<_>>().join(","))
}
