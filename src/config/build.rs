//! The layers read into a [`Config`], and the checks that concern several keys.

use super::error::{BadValue, ConfigError, Place, Warning};
use super::layers::{Layer, Layers, declared};
use super::listener;
use super::settings::{Cleaner, Config, Durability, Log, Network, Shards, Topics};
use super::topic_config::TopicConfig;
use super::value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Builds what the layers say; adds what is worth a warning.
pub(super) fn build(layers: Layers, warnings: &mut Vec<Warning>) -> Result<Config, ConfigError> {
    check_roles(&layers)?;
    check_retention(&layers)?;
    check_idle(&layers)?;
    let resolved = listener::resolve(&layers)?;
    warnings.extend(resolved.warning);
    let config = Config {
        node_id: node_id(&layers)?,
        cluster_id: layers.text("millrace.server.cluster_id"),
        rack: layers.text("broker.rack").filter(|rack| !rack.is_empty()),
        listeners: resolved.listeners,
        advertised_listeners: resolved.advertised,
        log_dirs: log_dirs(&layers)?,
        topics: Topics {
            num_partitions: layers.number("num.partitions"),
            auto_create: layers.boolean("auto.create.topics.enable"),
            delete_enabled: layers.boolean("delete.topic.enable"),
            default_replication_factor: replication_factor(&layers)?,
        },
        topic_defaults: TopicConfig::over(&layers, &BTreeMap::new())?,
        admin_listen: layers.text("millrace.admin.listen").and_then(|text| value::host_and_port(&text)),
        shards: shards(&layers),
        log: log(&layers),
        network: network(&layers),
        layers,
    };
    check_budgets(&config)?;
    Ok(config)
}

/// What budgets are when they are unset and nothing else asks for more or less.
const REQUEST_BYTES: u64 = 128 << 20;
const CONNECTIONS: usize = 8192;
const OPEN_SEGMENTS: usize = 1024;
const OPEN_WRITERS: usize = 4096;
const PARTITIONS: usize = 100_000;
const BYPASS_ALONE_BYTES: u64 = 256 << 10;

impl Config {
    /// This configuration on a host with so many shards, each of which may have so many descriptors: what is unset and
    /// depends on them follows.
    ///
    /// # Errors
    /// A budget that is set does not fit.
    pub fn on_host(&self, shards: u16, descriptors: usize) -> Result<Self, ConfigError> {
        let mut layers = self.layers.clone();
        (layers.host_shards, layers.host_descriptors) = (shards, descriptors);
        build(layers, &mut Vec::new())
    }
}

/// Descriptors of a shard: what is set, else what the host gives; 0: not known yet.
fn descriptors(layers: &Layers) -> usize {
    match layers.number("millrace.shards.descriptors") {
        0 => layers.host_descriptors,
        set => set,
    }
}

/// A budget in descriptors: its share of them in eighths, at most `most`; `most` while they are not known.
fn share(layers: &Layers, eighths: usize, most: usize) -> usize {
    match descriptors(layers) {
        0 => most,
        all => most.min((all / 8 * eighths).max(1)),
    }
}

/// A key's number, or another while it is unset.
fn or<T: TryFrom<i64>>(layers: &Layers, name: &'static str, unset: T) -> T {
    if layers.whole(name).is_some() { layers.number(name) } else { unset }
}

/// A shard's part of `queued.max.request.bytes`, when that is set; as much as the largest request in any case.
fn request_bytes(layers: &Layers, request_max_bytes: u64) -> u64 {
    let queued = u64::try_from(layers.long("queued.max.request.bytes")).ok().filter(|queued| *queued > 0);
    queued
        .map_or(REQUEST_BYTES, |queued| queued / u64::from(layers.host_shards.max(1)))
        .max(request_max_bytes)
}

fn shards(layers: &Layers) -> Shards {
    let cpus = layers.text("millrace.shards.cpus").unwrap_or_default();
    let most_connections = share(layers, 5, CONNECTIONS);
    let request_max_bytes: u64 = layers.number("socket.request.max.bytes");
    Shards {
        cpus: value::cpu_list(&cpus),
        numa_bind: layers.boolean("millrace.shards.numa_bind"),
        request_bytes: or(layers, "millrace.shards.request_bytes", request_bytes(layers, request_max_bytes)),
        tail_cache_bytes: layers.number("millrace.shards.tail_cache_bytes"),
        huge_pages: layers.boolean("millrace.shards.huge_pages"),
        connections: or(layers, "millrace.shards.connections", most_connections),
        descriptors: descriptors(layers),
        partitions: or(layers, "millrace.shards.partitions", share(layers, 8, PARTITIONS)),
        message_queue: layers.number("millrace.shards.message_queue"),
        blocking_threads: layers.number("millrace.shards.blocking_threads"),
    }
}

fn log(layers: &Layers) -> Log {
    let journal_bytes: u64 = layers.number("millrace.log.journal_bytes");
    let bypass_bytes: u64 = layers.number("millrace.log.bypass_bytes");
    Log {
        durability: match layers.text("millrace.log.durability").as_deref() {
            Some("memory") => Durability::Memory,
            Some("write") => Durability::Write,
            _ => Durability::Flush,
        },
        journal_bytes,
        journal_live_bytes: layers
            .whole("millrace.log.journal_live_bytes")
            .map(|_| layers.number("millrace.log.journal_live_bytes")),
        journal_groups_in_flight: layers.number("millrace.log.journal_groups_in_flight"),
        journal_group_limit_bytes: layers.number("millrace.log.journal_group_limit_bytes"),
        journal_group_spacing_us: layers.number("millrace.log.journal_group_spacing_us"),
        bypass_bytes,
        bypass_alone_bytes: or(
            layers,
            "millrace.log.bypass_alone_bytes",
            BYPASS_ALONE_BYTES.max(bypass_bytes),
        ),
        tail_idle_seal_ms: layers.number("millrace.log.tail_idle_seal_ms"),
        zero_ahead_bytes: layers.number("millrace.log.zero_ahead_bytes"),
        zero_ahead_bytes_per_second: layers.number("millrace.log.zero_ahead_bytes_per_second"),
        background_inflight_bytes: layers.number("millrace.log.background_inflight_bytes"),
        disk_reserve_bytes: layers.number("millrace.log.disk_reserve_bytes"),
        open_segments: or(layers, "millrace.log.open_segments", share(layers, 1, OPEN_SEGMENTS)),
        open_writers: or(layers, "millrace.log.open_writers", share(layers, 2, OPEN_WRITERS)),
        allow_unsafe_filesystem: layers.boolean("millrace.log.allow_unsafe_filesystem"),
        retention_check_interval_ms: layers.number("log.retention.check.interval.ms"),
        checkpoint_interval_ms: layers.number("log.flush.offset.checkpoint.interval.ms"),
        producer_id_expiration_ms: layers.long("producer.id.expiration.ms"),
        cleaner: cleaner(layers),
    }
}

fn cleaner(layers: &Layers) -> Cleaner {
    Cleaner {
        enabled: layers.boolean("log.cleaner.enable"),
        dedupe_buffer_bytes: u64::try_from(layers.long("log.cleaner.dedupe.buffer.size")).unwrap_or_default(),
        load_factor: layers.double("log.cleaner.io.buffer.load.factor"),
        io_buffer_bytes: layers.number("log.cleaner.io.buffer.size"),
        // Saturates: the default is the largest number there is.
        bytes_per_second: layers.double("log.cleaner.io.max.bytes.per.second") as u64,
        backoff_ms: layers.number("log.cleaner.backoff.ms"),
    }
}

fn network(layers: &Layers) -> Network {
    let overrides = layers.text("max.connections.per.ip.overrides").unwrap_or_default();
    let buffer = |name| u32::try_from(layers.long(name)).ok();
    Network {
        request_max_bytes: layers.number("socket.request.max.bytes"),
        max_connections: layers.number("max.connections"),
        max_connections_per_ip: layers.number("max.connections.per.ip"),
        connection_creation_rate: u32::try_from(layers.long("max.connection.creation.rate"))
            .ok()
            .filter(|rate| i64::from(*rate) < i64::from(i32::MAX)),
        max_connections_per_ip_overrides: value::counts_by_host(&overrides).into_iter().flatten().collect(),
        idle_ms: u64::try_from(layers.long("connections.max.idle.ms")).ok(),
        fetch_max_bytes: layers.number("fetch.max.bytes"),
        fetch_session_slots: layers.number("max.incremental.fetch.session.cache.slots"),
        partitions_per_request: layers.number("max.request.partition.size.limit"),
        listen_backlog: layers.number("socket.listen.backlog.size"),
        send_buffer_bytes: buffer("socket.send.buffer.bytes"),
        receive_buffer_bytes: buffer("socket.receive.buffer.bytes"),
        requests_in_flight: layers.number("millrace.network.requests_in_flight"),
        read_buffer_bytes: layers.number("millrace.network.read_buffer_bytes"),
        unsent_bytes: layers.number("millrace.network.unsent_bytes"),
        sendfile_slice_bytes: layers.number("millrace.network.sendfile_slice_bytes"),
        stalled_ms: layers.number("millrace.network.stalled_ms"),
    }
}

/// The node's number without a `node.id` or `broker.id`.
pub(super) const DEFAULT_NODE_ID: i32 = 1;

/// `node.id`, or `broker.id`; in one layer they must not differ. Kafka's default of `broker.id`, -1, is "unset".
fn node_id(layers: &Layers) -> Result<i32, ConfigError> {
    for layer in Layer::TOP_DOWN {
        let node = layers.get(layer, "node.id");
        let broker = layers.get(layer, "broker.id").filter(|setting| setting.value != value::Value::Int(-1));
        if let (Some(node), Some(broker)) = (node, broker)
            && node.value != broker.value
        {
            let text = format!(
                "{} is {} and {} is {}; they are one number, keep the first",
                node.shown, node.text, broker.shown, broker.text
            );
            return Err(ConfigError::Conflict { place: broker.place.clone(), text });
        }
        if let Some(setting) = node.or(broker) {
            let key = declared("node.id");
            let value = super::layers::parse(key, &setting.shown, &setting.text, &setting.place)?;
            let value::Value::Int(number) = value else { unreachable!("node.id is a whole number") };
            return Ok(i32::try_from(number).unwrap_or_else(|_| unreachable!("node.id is an int")));
        }
    }
    Ok(DEFAULT_NODE_ID)
}

fn log_dirs(layers: &Layers) -> Result<Vec<PathBuf>, ConfigError> {
    let (names, place, shown) = match layers.first(&["log.dirs", "log.dir"]) {
        Some((_, setting)) => match &setting.value {
            value::Value::List(names) => (names.clone(), setting.place.clone(), setting.shown.as_str()),
            other => unreachable!("log.dirs is a list and not {other:?}"),
        },
        None => (layers.list("log.dir"), Place::Default, "log.dir"),
    };
    let conflict = |text| Err(ConfigError::Conflict { place: place.clone(), text });
    let dirs: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    if dirs.is_empty() || names.iter().any(String::is_empty) {
        return conflict(format!("{shown}: has an empty name; name at least one directory"));
    }
    if let Some((_, twice)) = dirs.iter().enumerate().find(|(at, dir)| dirs[..*at].contains(dir)) {
        return conflict(format!("{shown}: names {} twice; name each directory once", twice.display()));
    }
    Ok(dirs)
}

fn replication_factor(layers: &Layers) -> Result<i16, ConfigError> {
    let name = "default.replication.factor";
    let number = layers.long(name);
    let factor = i16::try_from(number).ok().filter(|factor| *factor >= 1);
    factor.ok_or_else(|| {
        let bad = BadValue {
            place: layers.place(name),
            key: name.to_owned(),
            value: number.to_string(),
            problem: "out of range".to_owned(),
            allowed: format!("a whole number from 1 to {}", i16::MAX),
        };
        bad.into()
    })
}

fn check_roles(layers: &Layers) -> Result<(), ConfigError> {
    let roles = layers.list("process.roles");
    if roles.is_empty() || roles.iter().any(|role| role == "broker") {
        return Ok(());
    }
    let text = "process.roles: a node that is only a controller is not there yet; write broker,controller";
    Err(ConfigError::Conflict { place: layers.place("process.roles"), text: text.to_owned() })
}

/// As Kafka: no broker may delete everything at once by default.
fn check_retention(layers: &Layers) -> Result<(), ConfigError> {
    let names = ["log.retention.ms", "log.retention.minutes", "log.retention.hours"];
    match layers.first(&names) {
        Some((_, setting)) if setting.value == value::Value::Int(0) => Err(BadValue {
            place: setting.place.clone(),
            key: setting.shown.clone(),
            value: setting.text.clone(),
            problem: "would delete every record at once".to_owned(),
            allowed: "1 or more, or -1 for no limit".to_owned(),
        }
        .into()),
        _ => Ok(()),
    }
}

/// 0 would close every connection at once.
fn check_idle(layers: &Layers) -> Result<(), ConfigError> {
    match layers.first(&["connections.max.idle.ms"]) {
        Some((_, setting)) if setting.value == value::Value::Int(0) => Err(BadValue {
            place: setting.place.clone(),
            key: setting.shown.clone(),
            value: setting.text.clone(),
            problem: "would close every connection at once".to_owned(),
            allowed: "1 or more, or -1 for never".to_owned(),
        }
        .into()),
        _ => Ok(()),
    }
}

/// What must not exceed what.
fn check_budgets(config: &Config) -> Result<(), ConfigError> {
    let (log, shards) = (&config.log, &config.shards);
    let request_max_bytes = u64::try_from(config.network.request_max_bytes).unwrap_or(u64::MAX);
    let descriptors = if shards.descriptors == 0 { usize::MAX } else { shards.descriptors };
    let rules = [
        (
            "socket.request.max.bytes",
            request_max_bytes,
            "",
            "millrace.shards.request_bytes",
            shards.request_bytes,
        ),
        (
            "millrace.log.bypass_bytes",
            log.bypass_bytes,
            "",
            "millrace.log.bypass_alone_bytes",
            log.bypass_alone_bytes,
        ),
        (
            "millrace.log.journal_live_bytes",
            log.journal_live_bytes.unwrap_or_default(),
            "three quarters of ",
            "millrace.log.journal_bytes",
            log.journal_bytes / 4 * 3,
        ),
        (
            "millrace.shards.connections",
            shards.connections as u64,
            "",
            "millrace.shards.descriptors",
            descriptors as u64,
        ),
    ];
    for (lesser, less, part, greater, more) in rules {
        if less > more {
            let set = config.layers.first(&[lesser, greater]);
            let place = set.map_or(Place::Default, |(_, setting)| setting.place.clone());
            let text = format!(
                "{lesser} is {less} and must not exceed {part}{greater}, {more}; lower the first or raise the second"
            );
            return Err(ConfigError::Conflict { place, text });
        }
    }
    Ok(())
}
