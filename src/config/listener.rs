//! Listeners and what clients are told of them, by Kafka's rules (KIP-103, KIP-291).

use super::error::{BadValue, ConfigError, Place, Warning};
use super::layers::Layers;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const LISTENERS: &str = "listeners";
const ADVERTISED: &str = "advertised.listeners";
const PROTOCOL_MAP: &str = "listener.security.protocol.map";
const CONTROLLERS: &str = "controller.listener.names";
const FORM: &str = "NAME://host:port, such as PLAINTEXT://127.0.0.1:9092 or PLAINTEXT://[::]:9092";
const PROTOCOLS: [&str; 4] = ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"];

/// A place to listen for clients, without encryption or authentication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// Its name, in capitals.
    pub name: String,
    /// A host name or an address without brackets; empty: every interface, IPv4 and IPv6.
    pub host: String,
    /// 0: any that is free.
    pub port: u16,
}

/// What clients are told of a listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advertised {
    /// The listener's name.
    pub name: String,
    /// A host name or an address without brackets.
    pub host: String,
    /// 0: the port that the listener of this name was given.
    pub port: u16,
}

/// All that the keys about listeners say.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) listeners: Vec<Listener>,
    pub(super) advertised: Vec<Advertised>,
    /// One for the controller's listeners, which are not opened.
    pub(super) warning: Option<Warning>,
}

pub(super) fn resolve(layers: &Layers) -> Result<Resolved, ConfigError> {
    let all = endpoints(layers, LISTENERS)?;
    check_distinct(&all, &layers.place(LISTENERS))?;
    let controllers: Vec<String> =
        layers.list(CONTROLLERS).iter().map(|name| name.to_ascii_uppercase()).collect();
    let (of_controller, listeners): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|listener| controllers.contains(&listener.name));
    check_protocols(layers, &listeners)?;
    if listeners.is_empty() {
        return Err(conflict(
            layers,
            LISTENERS,
            "listeners: none is for clients; add one such as PLAINTEXT://127.0.0.1:9092",
        ));
    }
    let advertised = advertised(layers, &listeners, &controllers)?;
    let warning = (!of_controller.is_empty()).then(|| {
        let names: Vec<String> = of_controller.iter().map(show).collect();
        Warning(format!("listeners: {} is for the controller and is not opened yet", names.join(", ")))
    });
    Ok(Resolved { listeners, advertised, warning })
}

fn conflict(layers: &Layers, name: &'static str, text: impl Into<String>) -> ConfigError {
    ConfigError::Conflict { place: layers.place(name), text: text.into() }
}

fn bad(layers: &Layers, name: &'static str, value: &str, problem: &str, allowed: &str) -> ConfigError {
    let (place, key) = match layers.first(&[name]) {
        Some((_, setting)) => (setting.place.clone(), setting.shown.clone()),
        None => (Place::Default, name.to_owned()),
    };
    let (value, problem, allowed) = (value.to_owned(), problem.to_owned(), allowed.to_owned());
    BadValue { place, key, value, problem, allowed }.into()
}

fn endpoints(layers: &Layers, name: &'static str) -> Result<Vec<Listener>, ConfigError> {
    let parse = |text: &String| endpoint(text).map_err(|problem| bad(layers, name, text, problem, FORM));
    layers.list(name).iter().filter(|text| !text.is_empty()).map(parse).collect()
}

fn endpoint(text: &str) -> Result<Listener, &'static str> {
    let (name, rest) = text.split_once("://").ok_or("not a listener")?;
    let (host, port) = rest.rsplit_once(':').ok_or("has no port")?;
    let host = match host.strip_prefix('[') {
        Some(host) => host.strip_suffix(']').ok_or("has a bracket that is not closed")?,
        None => host,
    };
    let fits_name = |at: char| at.is_ascii_alphanumeric() || "-_.".contains(at);
    if name.is_empty() || !name.chars().all(fits_name) {
        return Err("has no proper name");
    }
    if !host.chars().all(|at| at.is_ascii_alphanumeric() || "-_.:%".contains(at)) {
        return Err("has a host with letters that no host has");
    }
    let port = port.parse::<u16>().map_err(|_| "has a port that is not from 0 to 65535")?;
    Ok(Listener { name: name.to_ascii_uppercase(), host: host.to_owned(), port })
}

fn show(listener: &Listener) -> String {
    let Listener { name, host, port } = listener;
    if host.contains(':') { format!("{name}://[{host}]:{port}") } else { format!("{name}://{host}:{port}") }
}

fn check_distinct(all: &[Listener], place: &Place) -> Result<(), ConfigError> {
    for (at, one) in all.iter().enumerate() {
        for other in &all[..at] {
            let (left, right) = (show(other), show(one));
            let text = if one.name == other.name {
                format!("listeners: {left} and {right} have the same name; give each its own")
            } else if one.port == other.port && one.port != 0 && overlap(&one.host, &other.host) {
                format!("listeners: {left} and {right} have the same port; give each its own")
            } else {
                continue;
            };
            return Err(ConfigError::Conflict { place: place.clone(), text });
        }
    }
    Ok(())
}

/// Whether two hosts may be the same address. An IPv4 and an IPv6 address never are.
fn overlap(left: &str, right: &str) -> bool {
    match (left.parse::<IpAddr>(), right.parse::<IpAddr>()) {
        (Ok(left), Ok(right)) => {
            left.is_ipv4() == right.is_ipv4()
                && (left == right || left.is_unspecified() || right.is_unspecified())
        }
        (Ok(address), Err(_)) => right.is_empty() || address.is_unspecified(),
        (Err(_), Ok(address)) => left.is_empty() || address.is_unspecified(),
        (Err(_), Err(_)) => left == right || left.is_empty() || right.is_empty(),
    }
}

fn check_protocols(layers: &Layers, listeners: &[Listener]) -> Result<(), ConfigError> {
    let map = protocol_map(layers)?;
    for listener in listeners {
        let name = &listener.name;
        let text = match map.get(name).map(String::as_str) {
            Some("PLAINTEXT") => continue,
            Some(protocol) => format!(
                "listeners: {name} asks for {protocol}, and only PLAINTEXT is served yet; leave {} out, or map {name} \
                 to PLAINTEXT in {PROTOCOL_MAP}",
                show(listener)
            ),
            None => {
                format!("listeners: {name} has no security protocol; add {name}:PLAINTEXT to {PROTOCOL_MAP}")
            }
        };
        return Err(conflict(layers, LISTENERS, text));
    }
    Ok(())
}

fn protocol_map(layers: &Layers) -> Result<BTreeMap<String, String>, ConfigError> {
    let allowed =
        format!("NAME:PROTOCOL, separated by commas, with PROTOCOL one of {}", PROTOCOLS.join(", "));
    let mut map = BTreeMap::new();
    let text = layers.text(PROTOCOL_MAP).unwrap_or_default();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let refused = |problem| bad(layers, PROTOCOL_MAP, pair, problem, &allowed);
        let (name, protocol) = pair.split_once(':').ok_or_else(|| refused("not a pair"))?;
        let protocol = protocol.trim().to_ascii_uppercase();
        if !PROTOCOLS.contains(&protocol.as_str()) {
            return Err(refused("names no protocol"));
        }
        if map.insert(name.trim().to_ascii_uppercase(), protocol).is_some() {
            return Err(refused("maps a name for the second time"));
        }
    }
    Ok(map)
}

fn advertised(
    layers: &Layers,
    listeners: &[Listener],
    controllers: &[String],
) -> Result<Vec<Advertised>, ConfigError> {
    let given = endpoints(layers, ADVERTISED)?;
    if given.is_empty() {
        return listeners.iter().map(|listener| advertise_as_is(layers, listener)).collect();
    }
    let mut advertised: Vec<Advertised> = Vec::new();
    for one in given.into_iter().filter(|one| !controllers.contains(&one.name)) {
        let shown = show(&one);
        let refused = |problem, allowed: &str| bad(layers, ADVERTISED, &shown, problem, allowed);
        if !listeners.iter().any(|listener| listener.name == one.name) {
            let names: Vec<&str> = listeners.iter().map(|listener| listener.name.as_str()).collect();
            return Err(refused("is no listener", &format!("the names in listeners: {}", names.join(", "))));
        }
        if advertised.iter().any(|earlier| earlier.name == one.name) {
            return Err(refused("is advertised for the second time", "each listener once"));
        }
        if is_unspecified(&one.host) {
            return Err(refused(
                "clients cannot connect to it",
                "an address or host name that clients reach",
            ));
        }
        let host = if one.host.is_empty() { host_name() } else { one.host };
        advertised.push(Advertised { name: one.name, host, port: one.port });
    }
    if advertised.is_empty() {
        let text =
            "advertised.listeners: none is for clients; advertise one of listeners, or leave the key out";
        return Err(conflict(layers, ADVERTISED, text));
    }
    Ok(advertised)
}

fn advertise_as_is(layers: &Layers, listener: &Listener) -> Result<Advertised, ConfigError> {
    let Listener { name, host, port } = listener.clone();
    if host.parse() == Ok(Ipv4Addr::UNSPECIFIED) {
        let text = format!(
            "listeners: clients cannot be told to connect to {}; name the address that they reach in \
             advertised.listeners, such as {name}://{}:{port}",
            show(listener),
            host_name()
        );
        return Err(conflict(layers, LISTENERS, text));
    }
    let host = if host.is_empty() || is_unspecified(&host) { host_name() } else { host };
    Ok(Advertised { name, host, port })
}

fn is_unspecified(host: &str) -> bool {
    host.parse() == Ok(Ipv4Addr::UNSPECIFIED) || host.parse() == Ok(Ipv6Addr::UNSPECIFIED)
}

/// What this machine calls itself.
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
