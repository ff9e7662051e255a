//! What happened, each as one line of JSON with its fields in Kafka's order.

use std::fmt::Write as _;
use std::io::Write as _;

use serde::Serialize;

use crate::tools::clock;
use crate::tools::java_double::java_double;

/// What both tools start a line with.
#[derive(Serialize)]
struct Line<'a, T: Serialize> {
    timestamp: i64,
    name: &'a str,
    #[serde(flatten)]
    rest: T,
}

/// No fields.
#[derive(Serialize)]
pub(super) struct Nothing {}

/// A partition.
#[derive(Serialize)]
pub(super) struct Partition<'a> {
    pub(super) topic: &'a str,
    pub(super) partition: i32,
}

/// `partitions_assigned`, `partitions_revoked`.
#[derive(Serialize)]
pub(super) struct Partitions<'a> {
    pub(super) partitions: Vec<Partition<'a>>,
}

/// `record_data`.
#[derive(Serialize)]
pub(super) struct RecordData<'a> {
    pub(super) key: Option<String>,
    pub(super) value: Option<String>,
    pub(super) topic: &'a str,
    pub(super) partition: i32,
    pub(super) offset: i64,
}

/// Records of one partition in one batch.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    pub(super) topic: &'a str,
    pub(super) partition: i32,
    pub(super) count: u64,
    #[serde(rename = "minOffset")]
    pub(super) min_offset: i64,
    #[serde(rename = "maxOffset")]
    pub(super) max_offset: i64,
}

/// `records_consumed`.
#[derive(Serialize)]
pub(super) struct RecordsConsumed<'a> {
    pub(super) count: u64,
    pub(super) partitions: Vec<Summary<'a>>,
}

/// An offset that was committed.
#[derive(Serialize)]
pub(super) struct Committed<'a> {
    pub(super) topic: &'a str,
    pub(super) partition: i32,
    pub(super) offset: i64,
}

/// `offsets_committed`.
#[derive(Serialize)]
pub(super) struct OffsetsCommitted<'a> {
    pub(super) offsets: Vec<Committed<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    pub(super) success: bool,
}

/// `producer_send_success`.
#[derive(Serialize)]
pub(super) struct SendSuccess<'a> {
    pub(super) key: Option<String>,
    pub(super) value: String,
    pub(super) partition: i32,
    pub(super) offset: i64,
    pub(super) topic: &'a str,
}

/// `producer_send_error`.
#[derive(Serialize)]
pub(super) struct SendError<'a> {
    pub(super) topic: &'a str,
    pub(super) key: Option<String>,
    pub(super) value: String,
    pub(super) exception: String,
    pub(super) message: String,
}

fn line(timestamp: i64, name: &str, rest: impl Serialize) -> String {
    serde_json::to_string(&Line { timestamp, name, rest })
        .unwrap_or_else(|error| format!("Bad data can't be written as json: {error}"))
}

/// `tool_data`, whose last field is a number as Java writes it.
fn tool_data(timestamp: i64, sent: u64, acked: u64, target: i32, average: f64) -> String {
    let mut line = format!("{{\"timestamp\":{timestamp},\"name\":\"tool_data\"");
    // Writing to a string cannot fail.
    let _ = write!(
        line,
        ",\"sent\":{sent},\"acked\":{acked},\"target_throughput\":{target},\"avg_throughput\":{}}}",
        java_double(average)
    );
    line
}

fn put(line: &str) {
    let mut output = std::io::stdout().lock();
    // Nobody reads any more: what is to be done is done still.
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}

/// Says that something happened.
pub(super) fn say(name: &str, rest: impl Serialize) {
    put(&line(clock::now_ms(), name, rest));
}

/// Says what a producer did in all.
pub(super) fn say_tool_data(sent: u64, acked: u64, target: i32, average: f64) {
    put(&tool_data(clock::now_ms(), sent, acked, target, average));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kafkas() {
        assert_eq!(line(7, "startup_complete", Nothing {}), r#"{"timestamp":7,"name":"startup_complete"}"#);
        let sent = SendSuccess { key: None, value: "1".to_owned(), partition: 0, offset: 3, topic: "vp" };
        assert_eq!(
            line(7, "producer_send_success", sent),
            r#"{"timestamp":7,"name":"producer_send_success","key":null,"value":"1","partition":0,"offset":3,"topic":"vp"}"#
        );
        let failed = SendError {
            topic: "t",
            key: None,
            value: "0".to_owned(),
            exception: "class x".to_owned(),
            message: "y".to_owned(),
        };
        assert_eq!(
            line(7, "producer_send_error", failed),
            r#"{"timestamp":7,"name":"producer_send_error","topic":"t","key":null,"value":"0","exception":"class x","message":"y"}"#
        );
        let offsets = vec![Committed { topic: "vp", partition: 1, offset: 1 }];
        assert_eq!(
            line(7, "offsets_committed", OffsetsCommitted { offsets, error: None, success: true }),
            r#"{"timestamp":7,"name":"offsets_committed","offsets":[{"topic":"vp","partition":1,"offset":1}],"success":true}"#
        );
        assert_eq!(
            tool_data(7, 3, 3, -1, 2.5),
            r#"{"timestamp":7,"name":"tool_data","sent":3,"acked":3,"target_throughput":-1,"avg_throughput":2.5}"#
        );
    }
}
