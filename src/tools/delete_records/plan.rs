//! The file that says up to where to delete: `{"partitions": [{"topic": "t", "partition": 0, "offset": 5}], "version": 1}`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::tools::consumer::TopicPartition;

/// Offsets of the partitions, or what is wrong with the file.
pub(super) fn parse(text: &str) -> Result<BTreeMap<TopicPartition, i64>, String> {
    let json: Value =
        serde_json::from_str(text).map_err(|_| "The input string is not a valid JSON".to_owned())?;
    let json = object(&json)?;
    match json.get("version").map(|version| number::<i32>(version, "int")).transpose()? {
        None | Some(1) => {}
        Some(other) => return Err(format!("Not supported version field value {other}")),
    }
    let list = json.get("partitions").ok_or_else(|| "Missing partitions field".to_owned())?;
    let list = list.as_array().ok_or_else(|| format!("Expected JSON array, received {list}"))?;
    let mut offsets = BTreeMap::new();
    let mut doubled = Vec::new();
    for entry in list {
        let entry = object(entry)?;
        let field = |name: &str| entry.get(name).ok_or_else(|| format!("No such field exists: `{name}`"));
        let topic = field("topic")?;
        let topic = topic.as_str().ok_or_else(|| format!("Expected `String` value, received {topic}"))?;
        let partition = number::<i32>(field("partition")?, "int")?;
        let offset = number::<i64>(field("offset")?, "long")?;
        let at: TopicPartition = (Arc::from(topic), partition);
        let name = format!("{topic}-{partition}");
        if offsets.insert(at, offset).is_some() && !doubled.contains(&name) {
            doubled.push(name);
        }
    }
    if !doubled.is_empty() {
        let list = doubled.join(",");
        return Err(format!("Offset json file contains duplicate topic partitions: {list}"));
    }
    Ok(offsets)
}

fn object(json: &Value) -> Result<&Map<String, Value>, String> {
    json.as_object().ok_or_else(|| format!("Expected JSON object, received {json}"))
}

fn number<T: TryFrom<i64>>(json: &Value, kind: &str) -> Result<T, String> {
    json.as_i64()
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| format!("Expected `{kind}` value, received {json}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_and_checked() {
        let good = r#"{"partitions": [{"topic": "a", "partition": 1, "offset": -1}, {"topic": "a", "partition": 0, "offset": 7}], "version": 1}"#;
        let offsets = parse(good).unwrap();
        let pairs: Vec<_> = offsets.iter().map(|((topic, at), offset)| (&**topic, *at, *offset)).collect();
        assert_eq!(pairs, [("a", 0, 7), ("a", 1, -1)]);
        let bad = [
            ("{", "not a valid JSON"),
            ("[]", "Expected JSON object"),
            (r#"{"version": 2, "partitions": []}"#, "Not supported version field value 2"),
            (r#"{"version": 1}"#, "Missing partitions field"),
            (r#"{"partitions": [{"topic": "a", "partition": "x", "offset": 1}]}"#, "Expected `int` value"),
            (r#"{"partitions": [{"topic": "a", "offset": 1}]}"#, "No such field exists: `partition`"),
            (
                r#"{"partitions": [{"topic": "a", "partition": 1, "offset": 1}, {"topic": "a", "partition": 1, "offset": 2}]}"#,
                "Offset json file contains duplicate topic partitions: a-1",
            ),
        ];
        for (text, said) in bad {
            assert!(parse(text).unwrap_err().contains(said), "{text}");
        }
    }
}
