//! `--describe`: topics, their configs and partitions, in the layout of Kafka's tool.

use std::collections::HashMap;
use std::fmt::Write;
use std::str::FromStr;

use super::command::{ensure_found, matching};
use super::partitions::{PartitionState, TopicState, fetch};
use crate::protocol::messages::describe_configs::DescribeConfigsResource;
use crate::protocol::messages::{DescribeConfigsRequest, DescribeConfigsResponse};
use crate::protocol::wire::Uuid;
use crate::tools::admin::Failure;
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Client, ClientError};
use crate::tools::options::Options;
use crate::tools::output;

/// DescribeConfigs' number for a topic.
const TOPIC_RESOURCE: i8 = 2;
/// DescribeConfigs' number for "nobody set it".
const DEFAULT_SOURCE: i8 = 5;

/// A config of a topic: name, value, and whether anybody set it.
struct Setting {
    name: String,
    value: String,
    is_default: bool,
}

/// What is to be shown.
struct Wanted {
    headers: bool,
    partitions: bool,
    only_overridden: bool,
    under_replicated: bool,
    unavailable: bool,
    under_min_isr: bool,
    at_min_isr: bool,
}

impl Wanted {
    fn of(options: &Options) -> Self {
        let under_replicated = options.has("under-replicated-partitions");
        let unavailable = options.has("unavailable-partitions");
        let under_min_isr = options.has("under-min-isr-partitions");
        let at_min_isr = options.has("at-min-isr-partitions");
        let only_overridden = options.has("topics-with-overrides");
        Self {
            headers: !(under_replicated || unavailable || under_min_isr || at_min_isr),
            partitions: !only_overridden,
            only_overridden,
            under_replicated,
            unavailable,
            under_min_isr,
            at_min_isr,
        }
    }

    fn shows(&self, partition: &PartitionState, min_isr: usize, live: &[i32]) -> bool {
        let leaderless = partition.leader.is_none();
        self.headers
            || self.under_replicated && partition.replicas.len() > partition.isr.len()
            || self.unavailable && partition.leader.is_none_or(|leader| !live.contains(&leader))
            || self.under_min_isr && (leaderless || partition.isr.len() < min_isr)
            || self.at_min_isr && partition.isr.len() == min_isr
    }
}

pub(super) fn describe(client: &mut Client, options: &Options) -> Result<(), Failure> {
    let names = match by_id(client, options)? {
        Some(names) => names,
        None => {
            let names = matching(client, options)?;
            ensure_found(&names, options)?;
            names
        }
    };
    if names.is_empty() {
        return Ok(());
    }
    let page = options.number::<i32>("partition-size-limit-per-response")?;
    let states = fetch(client, &names, page)?;
    let settings = client.retry(|client| settings_of(client, &names))?;
    let live: Vec<i32> = client.cluster().brokers.keys().copied().collect();
    let wanted = Wanted::of(options);
    let mut out = String::new();
    for (name, state) in &states {
        let settings = settings.get(name).map(Vec::as_slice).unwrap_or_default();
        show(&mut out, name, state, settings, &wanted, &live);
    }
    output::write(format_args!("{out}"));
    Ok(())
}

/// The name of the topic with the id that the options give; `None` if they give none.
fn by_id(client: &mut Client, options: &Options) -> Result<Option<Vec<String>>, Failure> {
    let Some(text) = options.text("topic-id")? else { return Ok(None) };
    let id =
        Uuid::from_str(text).map_err(|error| Failure::Plain(format!("{text} is no topic id: {error}")))?;
    if id.is_zero() {
        return Ok(None);
    }
    client.refresh(Topics::All, false)?;
    let found: Vec<String> =
        client.cluster().names.get(&id).map(|name| name.to_string()).into_iter().collect();
    if found.is_empty() && !options.has("if-exists") {
        return Err(Failure::Plain(format!("TopicId '{text}' does not exist as expected")));
    }
    Ok(Some(found))
}

fn settings_of(client: &mut Client, names: &[String]) -> Result<HashMap<String, Vec<Setting>>, ClientError> {
    let resource = |name| DescribeConfigsResource {
        resource_type: TOPIC_RESOURCE,
        resource_name: name,
        configuration_keys: None,
    };
    let request = DescribeConfigsRequest {
        resources: names.iter().map(|name| resource(name.as_str())).collect(),
        ..Default::default()
    };
    let answer = client.call(&request)?;
    let response = answer.decode::<DescribeConfigsResponse<'_>>()?;
    let mut all = HashMap::new();
    for result in &response.results {
        ClientError::check(result.error_code, result.error_message)?;
        let settings = result.configs.iter().map(|config| Setting {
            name: config.name.to_owned(),
            value: config.value.unwrap_or("null").to_owned(),
            is_default: config.config_source == DEFAULT_SOURCE,
        });
        all.insert(result.resource_name.to_owned(), settings.collect());
    }
    Ok(all)
}

fn show(
    out: &mut String,
    name: &str,
    state: &TopicState,
    settings: &[Setting],
    wanted: &Wanted,
    live: &[i32],
) {
    let changed: Vec<String> = settings
        .iter()
        .filter(|setting| !setting.is_default)
        .map(|setting| format!("{}={}", setting.name, setting.value))
        .collect();
    if wanted.headers && !(wanted.only_overridden && changed.is_empty()) {
        let id = if state.id.is_zero() { String::new() } else { format!("\tTopicId: {}", state.id) };
        let factor = state.partitions.first().map_or(0, |partition| partition.replicas.len());
        let _ = writeln!(
            out,
            "Topic: {name}{id}\tPartitionCount: {}\tReplicationFactor: {factor}\tConfigs: {}",
            state.partitions.len(),
            changed.join(",")
        );
    }
    if !wanted.partitions {
        return;
    }
    let min_isr = settings.iter().find(|setting| setting.name == "min.insync.replicas");
    let min_isr = min_isr.and_then(|setting| setting.value.parse().ok()).unwrap_or(1);
    for partition in state.partitions.iter().filter(|partition| wanted.shows(partition, min_isr, live)) {
        show_partition(out, name, partition);
    }
}

fn show_partition(out: &mut String, name: &str, partition: &PartitionState) {
    let list = |ids: &[i32]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let known = |ids: &Option<Vec<i32>>| ids.as_deref().map_or_else(|| "N/A".to_owned(), list);
    let _ = writeln!(
        out,
        "\tTopic: {name}\tPartition: {}\tLeader: {}\tReplicas: {}\tIsr: {}\tElr: {}\tLastKnownElr: {}",
        partition.index,
        partition.leader.map_or_else(|| "none".to_owned(), |leader| leader.to_string()),
        list(&partition.replicas),
        list(&partition.isr),
        known(&partition.elr),
        known(&partition.last_known_elr)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_kafkas() {
        let state = TopicState {
            id: Uuid::from_u128(1 << 100),
            partitions: vec![
                PartitionState {
                    leader: Some(1),
                    replicas: vec![1, 2],
                    isr: vec![1],
                    elr: Some(vec![2]),
                    last_known_elr: Some(vec![]),
                    ..Default::default()
                },
                PartitionState { index: 1, ..Default::default() },
            ],
        };
        let setting = |name: &str, value: &str, is_default| Setting {
            name: name.into(),
            value: value.into(),
            is_default,
        };
        let settings = [setting("retention.ms", "5", false), setting("min.insync.replicas", "2", true)];
        let wanted = Wanted {
            headers: true,
            partitions: true,
            only_overridden: false,
            under_replicated: false,
            unavailable: false,
            under_min_isr: false,
            at_min_isr: false,
        };
        let mut out = String::new();
        show(&mut out, "t", &state, &settings, &wanted, &[1]);
        assert_eq!(
            out,
            "Topic: t\tTopicId: AAAAEAAAAAAAAAAAAAAAAA\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: retention.ms=5\n\
             \tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\tElr: 2\tLastKnownElr: \n\
             \tTopic: t\tPartition: 1\tLeader: none\tReplicas: \tIsr: \tElr: N/A\tLastKnownElr: N/A\n"
        );
        let only = Wanted { headers: false, unavailable: true, ..wanted };
        out.clear();
        show(&mut out, "t", &state, &settings, &only, &[1]);
        assert!(out.starts_with("\tTopic: t\tPartition: 1\t") && out.lines().count() == 1);
    }
}
