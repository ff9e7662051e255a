//! The options of `configs`, and which entities they mean.

use std::net::ToSocketAddrs;

use clap::Command;

use crate::tools::options::{Options, Stop, command, flag, repeated_flag, value};

pub(super) const TOPICS: &str = "topics";
pub(super) const CLIENTS: &str = "clients";
pub(super) const USERS: &str = "users";
pub(super) const BROKERS: &str = "brokers";
pub(super) const BROKER_LOGGERS: &str = "broker-loggers";
pub(super) const IPS: &str = "ips";
pub(super) const CLIENT_METRICS: &str = "client-metrics";
pub(super) const GROUPS: &str = "groups";

/// Every type of entity, in the order in which Kafka names them.
const TYPES: &[&str] = &[BROKER_LOGGERS, TOPICS, CLIENTS, USERS, BROKERS, IPS, CLIENT_METRICS, GROUPS];

/// Options that name an entity of a type.
const NAMING: &[(&str, &str)] = &[
    ("topic", TOPICS),
    ("client", CLIENTS),
    ("user", USERS),
    ("broker", BROKERS),
    ("broker-logger", BROKER_LOGGERS),
    ("ip", IPS),
    ("client-metrics", CLIENT_METRICS),
    ("group", GROUPS),
];

/// Options that mean the default of a type.
const DEFAULTS: &[(&str, &str)] = &[
    ("client-defaults", CLIENTS),
    ("user-defaults", USERS),
    ("broker-defaults", BROKERS),
    ("ip-defaults", IPS),
];

pub(super) fn declare() -> Command {
    command("configs", "Shows and changes configs of topics, clients, users, brokers, ips, client metrics or groups.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first."))
        .arg(value("bootstrap-controller", "host:port,...", "Not served."))
        .arg(value("command-config", "file", "Properties of the client."))
        .arg(flag("alter", "Change configs."))
        .arg(flag("describe", "Show configs."))
        .arg(flag("all", "Show all configs, also those that nobody set."))
        .arg(value(
            "entity-type",
            "type",
            "topics, clients, users, brokers, broker-loggers, ips, client-metrics or groups.",
        ))
        .arg(value("entity-name", "name", "The entity's name."))
        .arg(repeated_flag("entity-default", "The default for clients, users, brokers or ips."))
        .arg(value(
            "add-config",
            "k1=v1,k2=[v1,v2]",
            "Configs to set; brackets around a value that has commas. Users and clients take producer_byte_rate, \
             consumer_byte_rate, request_percentage and controller_mutation_rate, ips connection_creation_rate.",
        ))
        .arg(value("add-config-file", "file", "Configs to set, in a file."))
        .arg(value("delete-config", "k1,k2", "Configs to remove.").value_delimiter(','))
        .arg(value("topic", "name", "A topic."))
        .arg(value("client", "id", "A client."))
        .arg(flag("client-defaults", "The default for all clients."))
        .arg(value("user", "name", "A user."))
        .arg(flag("user-defaults", "The default for all users."))
        .arg(value("broker", "id", "A broker."))
        .arg(flag("broker-defaults", "The default for all brokers."))
        .arg(value("broker-logger", "id", "A broker whose loggers are meant."))
        .arg(flag("ip-defaults", "The default for all ips."))
        .arg(value("ip", "address", "An address."))
        .arg(value("group", "id", "A group."))
        .arg(value("client-metrics", "name", "A subscription to client metrics."))
}

/// What is to be shown or changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entities {
    /// One type, or users and clients.
    pub(super) types: Vec<String>,
    /// Their names in the same order, empty for the default; fewer than types if all are meant.
    pub(super) names: Vec<String>,
}

impl Entities {
    fn of(options: &Options) -> Result<Self, Stop> {
        let has = |entries: &'static [(&str, &str)]| {
            entries.iter().copied().filter(|(option, _)| options.has(option))
        };
        let mut types: Vec<String> = options.all("entity-type").into_iter().map(str::to_owned).collect();
        types.extend(has(NAMING).chain(has(DEFAULTS)).map(|(_, kind)| kind.to_owned()));
        // Names and defaults alternate as they stand.
        let mut placed: Vec<(usize, String)> = Vec::new();
        let names = options.all("entity-name");
        placed.extend(options.positions("entity-name").into_iter().zip(names.into_iter().map(str::to_owned)));
        placed.extend(options.positions("entity-default").into_iter().map(|at| (at, String::new())));
        placed.sort();
        let mut names: Vec<String> = placed.into_iter().map(|(_, name)| name).collect();
        for (option, _) in has(NAMING) {
            names.push(options.text(option)?.unwrap_or_default().to_owned());
        }
        names.extend(has(DEFAULTS).map(|_| String::new()));
        Ok(Self { types, names })
    }

    pub(super) fn has_type(&self, kind: &str) -> bool {
        self.types.iter().any(|one| one == kind)
    }

    /// The type, the first of two.
    pub(super) fn kind(&self) -> &str {
        self.types.first().map_or("", String::as_str)
    }
}

fn line<T>(text: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Line(text.into()))
}

/// The entities, after everything is checked.
pub(super) fn check(options: &Options) -> Result<Entities, Stop> {
    if options.has("alter") == options.has("describe") {
        return Err(options.usage_error("Command must include exactly one action: --describe, --alter"));
    }
    options.exclude("describe", &["alter", "add-config", "delete-config"])?;
    let entities = Entities::of(options)?;
    check_types(options, &entities)?;
    check_names(options, &entities)?;
    if options.has("describe") {
        check_describe(options, &entities)?
    } else {
        check_alter(options, &entities)?
    }
    if options.has("bootstrap-controller") {
        return line("--bootstrap-controller is not served by millrace's tools yet");
    }
    if options.has("alter") && entities.types.len() != entities.names.len() {
        return line("An entity name must be specified for every entity type");
    }
    Ok(entities)
}

fn check_types(options: &Options, entities: &Entities) -> Result<(), Stop> {
    let types = &entities.types;
    let mut doubled: Vec<&str> = Vec::new();
    for (at, kind) in types.iter().enumerate() {
        if types.iter().take(at).any(|earlier| earlier == kind) && !doubled.contains(&kind.as_str()) {
            doubled.push(kind);
        }
    }
    if !doubled.is_empty() {
        return line(format!("Duplicate entity type(s) specified: {}", doubled.join(",")));
    }
    if !options.has("bootstrap-server") && !options.has("bootstrap-controller") {
        return line("Either --bootstrap-server or --bootstrap-controller must be specified.");
    }
    if let Some(wrong) = types.iter().find(|kind| !TYPES.contains(&kind.as_str())) {
        return line(format!(
            "Invalid entity type {wrong}, the entity type must be one of {} with a --bootstrap-server or \
             --bootstrap-controller argument",
            TYPES.join(", ")
        ));
    }
    if types.is_empty() {
        return line("At least one entity type must be specified");
    }
    if types.len() > 1 && !(types.len() == 2 && entities.has_type(USERS) && entities.has_type(CLIENTS)) {
        return line("Only 'users' and 'clients' entity types may be specified together");
    }
    let general = ["entity-name", "entity-type", "entity-default"].iter().any(|option| options.has(option));
    if general && NAMING.iter().chain(DEFAULTS).any(|(option, _)| options.has(option)) {
        return line(
            "--entity-{type,name,default} should not be used in conjunction with specific entity flags",
        );
    }
    Ok(())
}

fn check_names(options: &Options, entities: &Entities) -> Result<(), Stop> {
    if options.has("bootstrap-server") && options.has("bootstrap-controller") {
        return line("Only one of --bootstrap-server or --bootstrap-controller can be specified");
    }
    let named: Vec<&String> = entities.names.iter().filter(|name| !name.is_empty()).collect();
    let not_an_id = |name: &&&String| name.parse::<i32>().is_err();
    if (entities.has_type(BROKERS) || entities.has_type(BROKER_LOGGERS))
        && let Some(wrong) = named.iter().find(not_an_id)
    {
        return line(format!(
            "The entity name for {} must be a valid integer broker id, but it is: {wrong}",
            entities.kind()
        ));
    }
    let unknown = |name: &&&String| (name.as_str(), 0).to_socket_addrs().is_err();
    if entities.has_type(IPS)
        && let Some(wrong) = named.iter().find(unknown)
    {
        return line(format!(
            "The entity name for {} must be a valid IP or resolvable host, but it is: {wrong}",
            entities.kind()
        ));
    }
    Ok(())
}

/// Whether there is a default for one of the types.
fn have_default(entities: &Entities) -> bool {
    DEFAULTS.iter().any(|(_, kind)| entities.has_type(kind))
}

fn check_describe(options: &Options, entities: &Entities) -> Result<(), Stop> {
    let types = entities.types.join(",");
    if options.has("entity-default") && !have_default(entities) {
        return line(format!("--entity-default must not be specified with --describe of {types}"));
    }
    if entities.has_type(BROKER_LOGGERS) && entities.names.iter().all(String::is_empty) {
        return line(format!("An entity name must be specified with --describe of {types}"));
    }
    Ok(())
}

fn check_alter(options: &Options, entities: &Entities) -> Result<(), Stop> {
    if have_default(entities) {
        if entities.names.is_empty() {
            return line(
                "An entity-name or default entity must be specified with --alter of users, clients, brokers or ips",
            );
        }
    } else if entities.names.iter().all(String::is_empty) {
        let types = entities.types.join(",");
        return line(format!("An entity name must be specified with --alter of {types}"));
    }
    if options.has("add-config") && options.has("add-config-file") {
        return line("Only one of --add-config or --add-config-file must be specified");
    }
    if !["add-config", "add-config-file", "delete-config"].iter().any(|option| options.has(option)) {
        return line(
            "At least one of --add-config, --add-config-file, or --delete-config must be specified with --alter",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(line: &str) -> Result<Entities, Stop> {
        let line = format!("--bootstrap-server a:1 {line}");
        check(&Options::parse(declare(), line.split_whitespace().map(Into::into).collect()).unwrap())
    }

    #[test]
    fn entities_are_named_in_every_way() {
        let ways = [
            ("--describe --entity-type topics --entity-name t", vec!["topics"], vec!["t"]),
            ("--describe --topic t", vec!["topics"], vec!["t"]),
            ("--describe --entity-type brokers --entity-default", vec!["brokers"], vec![""]),
            ("--describe --broker-defaults", vec!["brokers"], vec![""]),
            ("--describe --entity-type brokers", vec!["brokers"], vec![]),
            (
                "--describe --entity-type users --entity-default --entity-type clients --entity-name c",
                vec!["users", "clients"],
                vec!["", "c"],
            ),
            (
                "--describe --entity-type clients --entity-name c --entity-type users --entity-default",
                vec!["clients", "users"],
                vec!["c", ""],
            ),
            ("--alter --add-config a=b --client c --user u", vec!["clients", "users"], vec!["c", "u"]),
        ];
        for (line, types, names) in ways {
            let found = checked(line).unwrap();
            assert_eq!(
                (found.types, found.names),
                (
                    types.iter().map(|s| s.to_string()).collect(),
                    names.iter().map(|s| s.to_string()).collect()
                ),
                "{line}"
            );
        }
    }

    #[test]
    fn contradictions_are_refused_with_kafkas_words() {
        let bad = [
            ("--entity-type topics", "Command must include exactly one action: --describe, --alter"),
            ("--describe", "At least one entity type must be specified"),
            (
                "--describe --entity-type x",
                "Invalid entity type x, the entity type must be one of broker-loggers, ",
            ),
            (
                "--describe --entity-type topics --entity-type topics",
                "Duplicate entity type(s) specified: topics",
            ),
            ("--describe --entity-type topics --entity-type users", "Only 'users' and 'clients'"),
            ("--describe --entity-type topics --topic t", "Duplicate entity type(s) specified: topics"),
            ("--describe --entity-type users --client t", "--entity-{type,name,default} should not be used"),
            (
                "--describe --entity-type brokers --entity-name x",
                "The entity name for brokers must be a valid integer",
            ),
            (
                "--describe --entity-type topics --entity-default",
                "--entity-default must not be specified with --describe of topics",
            ),
            (
                "--describe --entity-type broker-loggers",
                "An entity name must be specified with --describe of broker-loggers",
            ),
            (
                "--alter --entity-type topics --add-config a=b",
                "An entity name must be specified with --alter of topics",
            ),
            (
                "--alter --entity-type brokers --add-config a=b",
                "An entity-name or default entity must be specified",
            ),
            ("--alter --topic t", "At least one of --add-config, --add-config-file, or --delete-config"),
            (
                "--alter --topic t --add-config a=b --add-config-file f",
                "Only one of --add-config or --add-config-file",
            ),
            (
                "--describe --topic t --add-config a=b",
                "Option \"[describe]\" can't be used with option \"[add-config]\"",
            ),
        ];
        for (line, text) in bad {
            let (Err(Stop::Line(said)) | Err(Stop::Usage(said))) = checked(line) else { panic!("{line}") };
            assert!(said.starts_with(text), "{line}: {said}");
        }
    }
}
