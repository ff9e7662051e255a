//! `meta.properties` of a log directory: which cluster, node and directory it is (KIP-631, KIP-858).
//!
//! Values only, no I/O. A file of Java's properties: `key=value` lines, comments, escapes. We write version 1; version
//! 0, of Kafka under ZooKeeper, is refused.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::protocol::Uuid;

/// The file's name in the log directory.
pub const FILE_NAME: &str = "meta.properties";

/// Why a `meta.properties` is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MetaPropertiesError {
    /// A key that must be there is not.
    #[error("{0} was not found")]
    Missing(&'static str),
    /// A value that cannot be understood.
    #[error("{key} has the invalid value {value:?}")]
    Invalid {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
    },
    /// Version 0: a directory of Kafka under ZooKeeper.
    #[error(
        "version 0 (Kafka with ZooKeeper) is not supported: migrate the cluster to KRaft with Kafka first"
    )]
    ZooKeeper,
    /// A version that is not known.
    #[error("version {0} is not known")]
    Version(String),
}

/// What the file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaProperties {
    /// The cluster's id.
    pub cluster_id: String,
    /// The node's id.
    pub node_id: i32,
    /// The directory's id.
    pub directory_id: Option<Uuid>,
}

impl MetaProperties {
    /// Parses the file; keys that are not known are ignored.
    pub fn parse(bytes: &[u8]) -> Result<Self, MetaPropertiesError> {
        let properties = parse_properties(&String::from_utf8_lossy(bytes));
        let get = |key: &'static str| properties.get(key).map(|value| value.trim());
        match get("version") {
            Some("1") => {}
            Some("0") | None => return Err(MetaPropertiesError::ZooKeeper),
            Some(other) => return Err(MetaPropertiesError::Version(other.to_owned())),
        }
        let cluster_id = get("cluster.id").ok_or(MetaPropertiesError::Missing("cluster.id"))?.to_owned();
        let node_id = get("node.id").ok_or(MetaPropertiesError::Missing("node.id"))?;
        let directory_id = get("directory.id").map(|value| parse_value("directory.id", value)).transpose()?;
        Ok(Self { cluster_id, node_id: parse_value("node.id", node_id)?, directory_id })
    }

    /// The file as Kafka writes it, the comment with the time included (in UTC). `now_ms` is the wall clock.
    pub fn encode(&self, now_ms: i64) -> Vec<u8> {
        let mut text = format!("#\n#{}\ncluster.id={}\n", java_date(now_ms), escape(&self.cluster_id));
        if let Some(directory_id) = self.directory_id {
            text.push_str(&format!("directory.id={directory_id}\n"));
        }
        text.push_str(&format!("node.id={}\nversion=1\n", self.node_id));
        text.into_bytes()
    }
}

fn parse_value<T: std::str::FromStr>(key: &'static str, value: &str) -> Result<T, MetaPropertiesError> {
    value.parse().map_err(|_| MetaPropertiesError::Invalid { key, value: value.to_owned() })
}

/// Java's Properties.load, without `\uXXXX` and continued lines, which Kafka never writes here.
fn parse_properties(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with(['#', '!']));
    lines.filter(|line| !line.is_empty()).map(split_property).collect()
}

/// Splits at the first `=`, `:` or white space that no backslash escapes.
fn split_property(line: &str) -> (String, String) {
    let mut escaped = false;
    let end = line.find(|c: char| {
        let separates = !escaped && (matches!(c, '=' | ':') || c.is_whitespace());
        escaped = c == '\\' && !escaped;
        separates
    });
    let (key, rest) = line.split_at(end.unwrap_or(line.len()));
    let rest = rest.trim_start();
    let value = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start();
    (unescape(key), unescape(value))
}

fn unescape(text: &str) -> String {
    let mut characters = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(c) = characters.next() {
        match c {
            '\\' => plain.extend(characters.next()),
            c => plain.push(c),
        }
    }
    plain
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '=' | ':' | '#' | '!') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Java's Date.toString in UTC, such as `Sun Nov 29 15:38:08 UTC 2026`.
fn java_date(now_ms: i64) -> String {
    const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"];
    let seconds = now_ms.div_euclid(1000);
    let (days, second_of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 1 March of year 0, in eras of 400 years (Howard Hinnant's civil_from_days): years begin in March so
    // that the leap day is the last.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year_of_era + i64::from(month >= 10);
    let name = |names: &[&'static str], number: i64| {
        usize::try_from(number).ok().and_then(|number| names.get(number)).copied().unwrap_or_default()
    };
    let (hour, minute, second) = (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    let (weekday, month) = (name(&WEEKDAYS, days.rem_euclid(7)), name(&MONTHS, month));
    format!("{weekday} {month} {day:02} {hour:02}:{minute:02}:{second:02} UTC {year}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> MetaProperties {
        MetaProperties {
            cluster_id: "7ZyLDtPQEdnCrSECDj5STg".to_owned(),
            node_id: 1,
            directory_id: Some("XqaJVixmBn85IzUgDviEVQ".parse().unwrap()),
        }
    }

    #[test]
    fn written_as_kafka_does_and_read_back() {
        let expected = "#\n#Sun Nov 29 15:38:08 UTC 2026\ncluster.id=7ZyLDtPQEdnCrSECDj5STg\n\
            directory.id=XqaJVixmBn85IzUgDviEVQ\nnode.id=1\nversion=1\n";
        let bytes = example().encode(1_795_966_688_000);
        assert_eq!(String::from_utf8(bytes.clone()).unwrap(), expected);
        assert_eq!(MetaProperties::parse(&bytes), Ok(example()));
    }

    #[test]
    fn dates_are_right_around_leap_days_and_before_1970() {
        assert_eq!(java_date(0), "Thu Jan 01 00:00:00 UTC 1970");
        assert_eq!(java_date(-1), "Wed Dec 31 23:59:59 UTC 1969");
        assert_eq!(java_date(951_782_400_000), "Tue Feb 29 00:00:00 UTC 2000");
        assert_eq!(java_date(951_868_800_000), "Wed Mar 01 00:00:00 UTC 2000");
        assert_eq!(java_date(4_107_542_400_000), "Mon Mar 01 00:00:00 UTC 2100");
    }

    #[test]
    fn java_properties_of_any_style_are_read() {
        let text = "! by hand\r\n  version : 1\r\ncluster.id   a\\=b\\:c\\\\d\n\nnode.id=7\nother=1\n";
        let expected = MetaProperties { cluster_id: "a=b:c\\d".to_owned(), node_id: 7, directory_id: None };
        assert_eq!(MetaProperties::parse(text.as_bytes()), Ok(expected.clone()));
        assert_eq!(MetaProperties::parse(&expected.encode(0)), Ok(expected));
    }

    #[test]
    fn damage_is_named() {
        let error = |text: &str| MetaProperties::parse(text.as_bytes()).unwrap_err();
        assert_eq!(error(""), MetaPropertiesError::ZooKeeper);
        assert_eq!(error("version=0\nbroker.id=1\n"), MetaPropertiesError::ZooKeeper);
        assert_eq!(error("version=2"), MetaPropertiesError::Version("2".to_owned()));
        assert_eq!(error("version=1\nnode.id=1"), MetaPropertiesError::Missing("cluster.id"));
        assert_eq!(error("version=1\ncluster.id=c"), MetaPropertiesError::Missing("node.id"));
        let number = error("version=1\ncluster.id=c\nnode.id=x");
        assert_eq!(number, MetaPropertiesError::Invalid { key: "node.id", value: "x".to_owned() });
        let id = error("version=1\ncluster.id=c\nnode.id=1\ndirectory.id=x");
        assert_eq!(id, MetaPropertiesError::Invalid { key: "directory.id", value: "x".to_owned() });
    }
}
