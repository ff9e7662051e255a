//! The one line of JSON, its fields in the order in which Kafka's tool has them (that of Java's hash tables).

use std::collections::BTreeMap;

use serde::Serialize;

/// A replica in a log directory.
#[derive(Debug, Serialize)]
pub(super) struct Replica {
    pub(super) partition: String,
    pub(super) size: i64,
    #[serde(rename = "offsetLag")]
    pub(super) offset_lag: i64,
    #[serde(rename = "isFuture")]
    pub(super) is_future: bool,
}

/// A log directory.
#[derive(Debug, Serialize)]
pub(super) struct LogDir {
    pub(super) partitions: Vec<Replica>,
    pub(super) error: Option<String>,
    #[serde(rename = "logDir")]
    pub(super) log_dir: String,
}

#[derive(Serialize)]
struct Broker<'a> {
    broker: i32,
    #[serde(rename = "logDirs")]
    log_dirs: &'a [LogDir],
}

#[derive(Serialize)]
struct Everything<'a> {
    brokers: Vec<Broker<'a>>,
    version: i32,
}

/// The line for the log directories of some brokers.
pub(super) fn line(dirs: &BTreeMap<i32, Vec<LogDir>>) -> Result<String, serde_json::Error> {
    let brokers = dirs.iter().map(|(broker, log_dirs)| Broker { broker: *broker, log_dirs });
    serde_json::to_string(&Everything { brokers: brokers.collect(), version: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_as_kafka_has_them() {
        let replica = Replica { partition: "t-0".to_owned(), size: 7, offset_lag: 0, is_future: false };
        let dir = LogDir { partitions: vec![replica], error: None, log_dir: "/a".to_owned() };
        assert_eq!(
            line(&BTreeMap::from([(1, vec![dir])])).unwrap(),
            "{\"brokers\":[{\"broker\":1,\"logDirs\":[{\"partitions\":[{\"partition\":\"t-0\",\"size\":7,\"offsetLag\":0,\
             \"isFuture\":false}],\"error\":null,\"logDir\":\"/a\"}]}],\"version\":1}"
        );
    }
}
