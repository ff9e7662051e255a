//! The checks that no bound or list of values expresses.

use super::key::Check;
use super::value;

/// `max.connections.per.ip.overrides`.
pub(super) const PER_IP: Check = Check {
    accepts: |text| value::counts_by_host(text).is_some(),
    allowed: "address:count, separated by commas, each count 0 or more",
};

/// `leader.replication.throttled.replicas` and its twin: `*`, nothing, or partition:broker pairs.
pub(super) const THROTTLED: Check = Check {
    accepts: |text| text.is_empty() || text == "*" || text.split(',').all(is_partition_and_broker),
    allowed: "*, or partition:broker pairs separated by commas",
};

/// `share.auto.offset.reset`.
pub(super) const SHARE_RESET: Check = Check {
    accepts: |text| {
        let name = text.to_ascii_lowercase();
        name == "latest"
            || name == "earliest"
            || name.strip_prefix("by_duration:").is_some_and(is_iso_duration)
    },
    allowed: "latest, earliest, or by_duration: with an ISO 8601 duration such as PT1H",
};

/// `[admin] listen`.
pub(super) const ADDRESS: Check = Check {
    accepts: |text| text.is_empty() || value::host_and_port(text).is_some(),
    allowed: "host:port, IPv6 in brackets; empty: not at all",
};

/// `[shards] cpus`.
pub(super) const CPUS: Check = Check {
    accepts: |text| text.is_empty() || value::cpu_list(text).is_some(),
    allowed: "processors such as 0-3,8, none twice; empty: all that the process may use",
};

/// A cluster id as Kafka makes them: 22 characters of base64 for URLs.
pub(super) const CLUSTER_ID: Check = Check {
    accepts: |text| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        text.len() == 22 && text.bytes().all(fits)
    },
    allowed: "22 characters of A-Z a-z 0-9 - _, as kafka-storage random-uuid prints them",
};

fn is_partition_and_broker(pair: &str) -> bool {
    let number = |text: &str| text.parse::<u32>().is_ok();
    pair.trim().split_once(':').is_some_and(|(partition, broker)| number(partition) && number(broker))
}

/// `pNdTnHnMn.nS` with at least one part, in lower case.
fn is_iso_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('p') else { return false };
    let (days, time) = rest.split_once('t').map_or((rest, None), |(days, time)| (days, Some(time)));
    let time_fits = time.is_none_or(|time| !time.is_empty() && are_parts(time, "hms"));
    !rest.is_empty() && are_parts(days, "d") && time_fits
}

/// Whether a text is a number before each unit, in the order of the units, any of them left out.
fn are_parts(text: &str, units: &str) -> bool {
    let mut rest = text;
    for unit in units.chars() {
        let is_digit = |at: char| at.is_ascii_digit() || (unit == 's' && at == '.');
        let after = rest.trim_start_matches(is_digit);
        if after.len() < rest.len() {
            rest = after.strip_prefix(unit).unwrap_or(rest);
        }
    }
    rest.is_empty()
}
