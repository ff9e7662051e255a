//! `--replica-assignment`: `1:2,2:3` puts partition 0 on the brokers 1 and 2, partition 1 on 2 and 3.

use crate::tools::admin::Failure;

/// The replicas of each partition.
pub(super) fn parse(text: &str) -> Result<Vec<Vec<i32>>, Failure> {
    let mut assignment: Vec<Vec<i32>> = Vec::new();
    for (partition, list) in text.split(',').enumerate() {
        let replicas = list
            .split(':')
            .map(|id| {
                id.trim().parse().map_err(|_| Failure::plain(format!("For input string: \"{}\"", id.trim())))
            })
            .collect::<Result<Vec<i32>, _>>()?;
        let mut seen = replicas.clone();
        seen.sort_unstable();
        let doubled: Vec<String> = seen
            .windows(2)
            .filter(|pair| pair.first() == pair.last())
            .map(|pair| format!("{}", pair[0]))
            .collect();
        if !doubled.is_empty() {
            let list = doubled.join(",");
            return Err(Failure::plain(format!(
                "Partition replica lists may not contain duplicate entries: {list}"
            )));
        }
        if assignment.first().is_some_and(|first| first.len() != replicas.len()) {
            let text = format!("Partition {partition} has different replication factor: {replicas:?}");
            return Err(Failure::plain(text));
        }
        assignment.push(replicas);
    }
    Ok(assignment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_checked() {
        assert_eq!(parse("1:2, 2:3").unwrap(), [[1, 2], [2, 3]]);
        for bad in ["", "1,", "a", "1:1", "1:2,3"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
