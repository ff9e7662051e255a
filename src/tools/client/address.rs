//! The bootstrap list: `host:port` with commas between, IPv6 addresses in brackets.

use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};

use super::ClientError;

/// Where a broker listens; the host has no brackets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// Name or address.
    pub host: String,
    /// TCP port.
    pub port: u16,
}

impl Address {
    /// What the host's name stands for, in the resolver's order. Blocks on DNS.
    ///
    /// # Errors
    /// [`ClientError::Resolve`].
    pub fn resolve(&self) -> Result<Vec<SocketAddr>, ClientError> {
        let failed = |reason: String| ClientError::Resolve { address: self.to_string(), reason };
        let found: Vec<_> = (self.host.as_str(), self.port)
            .to_socket_addrs()
            .map_err(|error| failed(error.to_string()))?
            .collect();
        if found.is_empty() { Err(failed("the name has no address".to_owned())) } else { Ok(found) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// The addresses of a bootstrap list.
///
/// # Errors
/// [`ClientError::Config`] if an entry is no address, or if there is none.
pub fn parse_bootstrap(list: &str) -> Result<Vec<Address>, ClientError> {
    let addresses = list
        .split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
        .map(|entry| {
            parse(entry)
                .ok_or_else(|| ClientError::Config(format!("Invalid url in bootstrap.servers: {entry}")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    if addresses.is_empty() {
        return Err(ClientError::Config("No bootstrap urls given in bootstrap.servers".to_owned()));
    }
    Ok(addresses)
}

fn parse(entry: &str) -> Option<Address> {
    // A listener name in front is accepted, as by Kafka's clients.
    let entry = entry.split_once("://").map_or(entry, |(_, rest)| rest);
    let (host, port) = entry.rsplit_once(':')?;
    let host = host.strip_prefix('[').map_or(Some(host), |rest| rest.strip_suffix(']'))?;
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '%' | '.' | '_' | ':');
    if host.is_empty() || !host.chars().all(allowed) {
        return None;
    }
    Some(Address { host: host.to_owned(), port: port.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_parsed_with_names_and_both_kinds_of_addresses() {
        let list =
            parse_bootstrap("a.example:9092, 127.0.0.1:1,[::1]:29092,PLAINTEXT://[fe80::1%eth0]:2,").unwrap();
        let shown: Vec<_> = list.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["a.example:9092", "127.0.0.1:1", "[::1]:29092", "[fe80::1%eth0]:2"]);
        assert_eq!(list[2].host, "::1");
    }

    #[test]
    fn what_is_no_address_is_named() {
        for bad in
            ["localhost", "localhost:", "localhost:x", "localhost:70000", ":9092", "[::1:9092", "a b:1"]
        {
            let error = parse_bootstrap(bad).unwrap_err().to_string();
            assert_eq!(error, format!("Invalid url in bootstrap.servers: {bad}"));
        }
        assert!(parse_bootstrap(" , ").is_err());
    }
}
