//! Quotas of clients: set, told, refused, and kept over a restart.

use millrace::protocol::messages::describe_client_quotas::ComponentData;
use millrace::protocol::messages::{
    AlterClientQuotasRequest, AlterClientQuotasResponse, DescribeClientQuotasRequest,
    DescribeClientQuotasResponse, alter_client_quotas,
};

use crate::broker::Broker;
use crate::raw::Raw;

type Entity<'a> = &'a [(&'a str, Option<&'a str>)];
type Ops<'a> = &'a [(&'a str, Option<f64>)];

const INVALID_REQUEST: i16 = 42;
const EXACT: i8 = 0;
const DEFAULT: i8 = 1;
const ANY: i8 = 2;

fn entry<'a>(entity: Entity<'a>, ops: Ops<'a>) -> alter_client_quotas::EntryData<'a> {
    let parts = entity.iter();
    let ops = ops.iter();
    alter_client_quotas::EntryData {
        entity: parts
            .map(|(entity_type, entity_name)| alter_client_quotas::EntityData {
                entity_type,
                entity_name: *entity_name,
            })
            .collect(),
        ops: ops
            .map(|(key, value)| alter_client_quotas::OpData {
                key,
                value: value.unwrap_or_default(),
                remove: value.is_none(),
            })
            .collect(),
    }
}

fn alter(client: &mut Raw, entries: &[(Entity<'_>, Ops<'_>)], validate_only: bool) -> Vec<(i16, String)> {
    let entries = entries.iter().map(|(entity, ops)| entry(entity, ops)).collect();
    let request = AlterClientQuotasRequest { entries, validate_only };
    let response: AlterClientQuotasResponse<'_> = client.ask(1, &request);
    if std::env::var_os("MILLRACE_TEST_ADDRESS").is_some() {
        // Apache Kafka answers before its brokers have heard of it.
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    let results = response.entries.iter();
    results.map(|entry| (entry.error_code, entry.error_message.unwrap_or_default().to_owned())).collect()
}

/// What is told, sorted: `user=a,client-id=<default>:key=value,...`
fn describe(client: &mut Raw, components: &[(&str, i8, Option<&str>)], strict: bool) -> Vec<String> {
    let components = components.iter().map(|(entity_type, match_type, name)| ComponentData {
        entity_type,
        match_type: *match_type,
        r#match: *name,
    });
    let request = DescribeClientQuotasRequest { components: components.collect(), strict };
    let response: DescribeClientQuotasResponse<'_> = client.ask(1, &request);
    let Some(entries) = response.entries else {
        return vec![format!("{} {}", response.error_code, response.error_message.unwrap_or_default())];
    };
    let mut told: Vec<String> = entries
        .iter()
        .map(|entry| {
            let mut names: Vec<String> = entry
                .entity
                .iter()
                .map(|part| format!("{}={}", part.entity_type, part.entity_name.unwrap_or("<default>")))
                .collect();
            names.sort();
            let mut values: Vec<String> =
                entry.values.iter().map(|value| format!("{}={}", value.key, value.value)).collect();
            values.sort();
            format!("{}: {}", names.join(","), values.join(","))
        })
        .collect();
    told.sort();
    told
}

/// Takes away what an earlier scenario has left on a broker that runs already.
fn forget_all(client: &mut Raw) {
    let request = DescribeClientQuotasRequest::default();
    let response: DescribeClientQuotasResponse<'_> = client.ask(1, &request);
    for told in response.entries.unwrap_or_default() {
        let entity: Vec<_> = told.entity.iter().map(|part| (part.entity_type, part.entity_name)).collect();
        let ops: Vec<_> = told.values.iter().map(|value| (value.key, None)).collect();
        assert_eq!(alter(client, &[(&entity, &ops)], false), [(0, String::new())]);
    }
}

fn fill(client: &mut Raw) {
    forget_all(client);
    let done = (0, String::new());
    let entries: [(Entity<'_>, Ops<'_>); 5] = [
        (&[("user", Some("a"))], &[("producer_byte_rate", Some(1000.0)), ("request_percentage", Some(12.5))]),
        (&[("user", None)], &[("consumer_byte_rate", Some(2000.0))]),
        (&[("user", Some("a")), ("client-id", Some("c"))], &[("controller_mutation_rate", Some(0.5))]),
        (&[("client-id", None)], &[("producer_byte_rate", Some(3000.0))]),
        (&[("ip", Some("10.0.0.1"))], &[("connection_creation_rate", Some(7.0))]),
    ];
    assert_eq!(alter(client, &entries, false), vec![done; 5]);
}

const A: &str = "user=a: producer_byte_rate=1000,request_percentage=12.5";
const ANY_USER: &str = "user=<default>: consumer_byte_rate=2000";
const A_AND_C: &str = "client-id=c,user=a: controller_mutation_rate=0.5";
const ANY_CLIENT: &str = "client-id=<default>: producer_byte_rate=3000";
const ADDRESS: &str = "ip=10.0.0.1: connection_creation_rate=7";

#[test]
fn quotas_are_told_by_what_is_asked_for() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    fill(&mut client);
    let mut told =
        |components: &[(&str, i8, Option<&str>)], strict| describe(&mut client, components, strict);
    assert_eq!(told(&[], false), [ANY_CLIENT, A_AND_C, ADDRESS, ANY_USER, A]);
    assert_eq!(told(&[], true), [""; 0], "an entity without a part there is none");
    assert_eq!(told(&[("user", EXACT, Some("a"))], false), [A_AND_C, A]);
    assert_eq!(told(&[("user", EXACT, Some("a"))], true), [A]);
    assert_eq!(told(&[("user", DEFAULT, None)], true), [ANY_USER]);
    assert_eq!(told(&[("user", ANY, None)], true), [ANY_USER, A]);
    assert_eq!(told(&[("user", ANY, None)], false), [A_AND_C, ANY_USER, A]);
    assert_eq!(told(&[("user", ANY, None), ("client-id", ANY, None)], true), [A_AND_C]);
    assert_eq!(told(&[("client-id", DEFAULT, None)], false), [ANY_CLIENT]);
    assert_eq!(told(&[("ip", ANY, None)], true), [ADDRESS]);
    assert_eq!(told(&[("ip", EXACT, Some("10.0.0.2"))], true), [""; 0]);
    let wrong = [
        (told(&[("", EXACT, Some("a"))], true), "42 Invalid empty entity type."),
        (
            told(&[("user", ANY, None), ("user", ANY, None)], true),
            "42 Entity type user cannot appear more than once in the filter.",
        ),
        (told(&[("group", ANY, None)], true), "35 Unsupported entity type group"),
        (
            told(&[("user", EXACT, None)], true),
            "42 Request specified MATCH_TYPE_EXACT, but set match string to null.",
        ),
        (
            told(&[("user", DEFAULT, Some("a"))], true),
            "42 Request specified MATCH_TYPE_DEFAULT, but also specified a match string.",
        ),
        (
            told(&[("user", ANY, Some("a"))], true),
            "42 Request specified MATCH_TYPE_SPECIFIED, but also specified a match string.",
        ),
        (told(&[("user", 7, None)], true), "42 Unknown match type 7"),
        (
            told(&[("user", ANY, None), ("ip", ANY, None)], true),
            "42 Invalid entity filter component combination. IP filter component should not be used with user or \
             clientId filter component.",
        ),
    ];
    for (told, expected) in wrong {
        assert_eq!(told, [expected]);
    }
}

#[test]
fn quotas_change_go_and_outlive_a_restart() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    fill(&mut client);
    let done = vec![(0, String::new())];
    let user: Entity<'_> = &[("user", Some("a"))];
    let ops: Ops<'_> = &[("producer_byte_rate", Some(5.0)), ("request_percentage", None)];
    assert_eq!(alter(&mut client, &[(user, ops)], true), done, "only checked");
    assert_eq!(describe(&mut client, &[("user", EXACT, Some("a"))], true), [A]);
    assert_eq!(alter(&mut client, &[(user, ops)], false), done);
    let changed = "user=a: producer_byte_rate=5";
    assert_eq!(describe(&mut client, &[("user", EXACT, Some("a"))], true), [changed]);
    // What is not there can be taken away.
    assert_eq!(alter(&mut client, &[(user, &[("consumer_byte_rate", None)])], false), done);
    let any_user: Entity<'_> = &[("user", None)];
    assert_eq!(alter(&mut client, &[(any_user, &[("consumer_byte_rate", None)])], false), done);
    let left = [ANY_CLIENT, A_AND_C, ADDRESS, changed];
    assert_eq!(describe(&mut client, &[], false), left);
    if std::env::var_os("MILLRACE_TEST_ADDRESS").is_some() {
        return;
    }
    let broker = Broker::again(broker.stop());
    let mut client = Raw::connect(broker.address());
    assert_eq!(describe(&mut client, &[], false), left);
    let broker = Broker::again(broker.kill());
    let mut client = Raw::connect(broker.address());
    assert_eq!(describe(&mut client, &[], false), left);
}

#[test]
fn quotas_that_make_no_sense_are_refused_alone() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    forget_all(&mut client);
    let rate: Ops<'_> = &[("producer_byte_rate", Some(1.0))];
    let user: Entity<'_> = &[("user", Some("a"))];
    let ip: Entity<'_> = &[("ip", Some("10.0.0.1"))];
    let wrong: [(Entity<'_>, Ops<'_>, &str); 12] = [
        (&[], rate, "Invalid empty client quota entity"),
        (&[("group", Some("g"))], rate, "Unhandled client quota entity type: group"),
        (&[("user", Some(""))], rate, "Empty user not supported"),
        (
            &[("ip", Some("10.0.0.1")), ("user", Some("a"))],
            rate,
            "Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId",
        ),
        (&[("ip", Some("not an address"))], rate, "not an address is not a valid IP or resolvable host."),
        (ip, rate, "Invalid configuration key producer_byte_rate"),
        (user, &[("SCRAM-SHA-256", Some(1.0))], "Invalid configuration key SCRAM-SHA-256"),
        (user, &[("producer_byte_rate", Some(0.0))], "Quota producer_byte_rate must be greater than 0"),
        (user, &[("producer_byte_rate", Some(1.5))], "producer_byte_rate cannot be a fractional value."),
        (
            user,
            &[("producer_byte_rate", Some(1e19))],
            "Proposed value for producer_byte_rate is too large for a LONG.",
        ),
        (
            ip,
            &[("connection_creation_rate", Some(3e9))],
            "Proposed value for connection_creation_rate is too large for an INT.",
        ),
        (
            user,
            &[("producer_byte_rate", Some(1.0)), ("producer_byte_rate", Some(2.0))],
            "Ignoring duplicate entity ClientQuotaEntity(entries={user=a})",
        ),
    ];
    for (entity, ops, text) in wrong {
        assert_eq!(alter(&mut client, &[(entity, ops)], false), [(INVALID_REQUEST, text.to_owned())]);
    }
    assert_eq!(describe(&mut client, &[], false), [""; 0]);
    // One of several: the other is set. The answers come in any order.
    let mut results =
        alter(&mut client, &[(user, &[("nope", Some(1.0))]), (&[("user", Some("b"))], rate)], false);
    results.sort();
    assert_eq!(results, [(0, String::new()), (INVALID_REQUEST, "Invalid configuration key nope".to_owned())]);
    assert_eq!(describe(&mut client, &[], false), ["user=b: producer_byte_rate=1"]);
}
