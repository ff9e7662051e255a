//! Kafka's broker keys: listeners, connections, requests. Values, defaults and bounds as in Apache Kafka 4.4.0.

use crate::config::checks;
use crate::config::key::{Key, int, list, long, string};

/// Listeners, connections, requests.
pub(in crate::config) const NETWORK: &[Key] = &[
    list("advertised.listeners").toml("server.advertised_listeners").honoured(
        "Where clients are told to connect, as NAME://host:port; by default the listeners themselves.",
    ),
    long("connections.max.idle.ms")
        .or("600000")
        .honoured("A connection that is silent for so long is closed; below 0: never."),
    list("early.start.listeners"),
    int("fetch.max.bytes")
        .or("57671680")
        .min(1024)
        .honoured("The most record bytes one fetch response carries."),
    int("fetch.purgatory.purge.interval.requests").or("1000"),
    string("listener.security.protocol.map")
        .or("SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT")
        .per_broker()
        .honoured("Security protocol of each listener name, as NAME:PROTOCOL."),
    list("listeners")
        .or("PLAINTEXT://:9092")
        .per_broker()
        .toml("server.listeners")
        .honoured("Where to listen, as NAME://host:port; an empty host is every interface."),
    int("max.connection.creation.rate")
        .or("2147483647")
        .min(0)
        .cluster_wide()
        .honoured("The most new connections a second of the whole broker; further ones wait for their turn."),
    int("max.connections")
        .or("2147483647")
        .min(0)
        .cluster_wide()
        .honoured("The most connections of the whole broker; a further one waits until one of them ends."),
    int("max.connections.per.ip")
        .or("2147483647")
        .min(0)
        .cluster_wide()
        .honoured("The most connections from one address."),
    string("max.connections.per.ip.overrides")
        .or("")
        .checked(checks::PER_IP)
        .cluster_wide()
        .honoured("Exceptions to max.connections.per.ip, as address:count,address:count."),
    int("max.incremental.fetch.session.cache.slots")
        .or("1000")
        .min(0)
        .honoured("The most incremental fetch sessions."),
    int("max.request.partition.size.limit")
        .or("2000")
        .min(1)
        .honoured("The most partitions a describe request is answered for."),
    int("num.io.threads").or("8").min(1).cluster_wide(),
    int("num.network.threads").or("3").min(1).cluster_wide(),
    long("queued.max.request.bytes").or("-1").honoured(
        "Memory of all requests being read or served, shared out to the shards; below 1: as [shards] request_bytes says.",
    ),
    int("queued.max.requests").or("500").min(1),
    int("request.timeout.ms").or("30000"),
    long("socket.connection.setup.timeout.max.ms").or("30000"),
    long("socket.connection.setup.timeout.ms").or("10000"),
    int("socket.listen.backlog.size").or("50").min(1),
    int("socket.receive.buffer.bytes").or("102400"),
    int("socket.request.max.bytes")
        .or("104857600")
        .min(1)
        .honoured("The largest request that is read; a longer one closes its connection."),
    int("socket.send.buffer.bytes").or("102400"),
];
