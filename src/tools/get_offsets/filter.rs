//! Which partitions are meant: `--topic` with `--partitions`, or the rules of `--topic-partitions`.

use crate::tools::topic_filter::TopicFilter;

/// Partitions of the topics that a filter lets through.
#[derive(Debug)]
struct Rule {
    topics: TopicFilter,
    partitions: Partitions,
}

#[derive(Debug, PartialEq, Eq)]
enum Partitions {
    /// These; all if there is none.
    Listed(Vec<i32>),
    /// From the first to before the second.
    Range(i32, i32),
}

/// See the module.
#[derive(Debug)]
pub(super) struct PartitionFilter {
    rules: Vec<Rule>,
}

impl PartitionFilter {
    /// The filter of `--topic` and `--partitions`.
    pub(super) fn of_options(topic: Option<&str>, partitions: Option<&str>) -> Result<Self, String> {
        let topics = TopicFilter::new(topic.unwrap_or(".*"))?;
        let listed = partitions.filter(|list| !list.is_empty()).map_or(Ok(Vec::new()), |list| {
            split(list).map(str::parse).collect::<Result<Vec<i32>, _>>().map_err(|_| {
                format!(
                    "--partitions expects a comma separated list of numeric partition ids, but received: {list}"
                )
            })
        })?;
        Ok(Self { rules: vec![Rule { topics, partitions: Partitions::Listed(listed) }] })
    }

    /// The filter of `--topic-partitions`.
    pub(super) fn of_rules(list: &str) -> Result<Self, String> {
        split(list).map(rule).collect::<Result<_, _>>().map(|rules| Self { rules })
    }

    pub(super) fn allows_topic(&self, topic: &str) -> bool {
        self.rules.iter().any(|rule| rule.topics.allows(topic, false))
    }

    pub(super) fn allows(&self, topic: &str, partition: i32) -> bool {
        self.rules.iter().any(|rule| {
            rule.topics.allows(topic, false)
                && match &rule.partitions {
                    Partitions::Listed(list) => list.is_empty() || list.contains(&partition),
                    Partitions::Range(from, to) => (*from..*to).contains(&partition),
                }
        })
    }
}

/// The entries of a list as Java splits it: without empty ones at the end.
fn split(list: &str) -> impl Iterator<Item = &str> {
    list.trim_end_matches(',').split(',')
}

/// `topic`, `topic:3`, `topic:1-4`, `topic:1-`, `topic:-4`; without a topic, all are meant.
fn rule(text: &str) -> Result<Rule, String> {
    let wrong = || format!("org.apache.kafka.tools.TerseException: Invalid rule specification: {text}");
    let number = |digits: &str, without: i32| {
        if digits.is_empty() {
            return Ok(without);
        }
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        digits.parse().map_err(|_| format!("For input string: \"{digits}\""))
    };
    let (topic, partitions) = text.split_once(':').unwrap_or((text, ""));
    let partitions = match partitions.split_once('-') {
        Some((from, to)) => Partitions::Range(number(from, 0)?, number(to, i32::MAX)?),
        None if partitions.is_empty() => Partitions::Range(0, i32::MAX),
        None => Partitions::Listed(vec![number(partitions, 0)?]),
    };
    Ok(Rule { topics: TopicFilter::new(if topic.is_empty() { ".*" } else { topic })?, partitions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_mean_what_they_mean_in_kafka() {
        let filter = PartitionFilter::of_rules("a.*:1,b:2-4,c,d:3-,e:-2,:9").unwrap();
        let allowed = |topic: &str| -> Vec<i32> { (0..8).filter(|at| filter.allows(topic, *at)).collect() };
        assert_eq!(allowed("ab"), [1]);
        assert_eq!(allowed("b"), [2, 3]);
        assert_eq!(allowed("c"), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(allowed("d"), [3, 4, 5, 6, 7]);
        assert_eq!(allowed("e"), [0, 1]);
        assert!(allowed("z").is_empty() && filter.allows("z", 9) && filter.allows_topic("z"));
        for bad in ["a:x", "a:1-2-3", "a:b:c"] {
            assert!(
                PartitionFilter::of_rules(bad).unwrap_err().contains("Invalid rule specification"),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_topic_and_partitions_are_both_heeded() {
        let filter = PartitionFilter::of_options(Some("a"), Some("1,3")).unwrap();
        assert!(filter.allows("a", 3) && !filter.allows("a", 2) && !filter.allows("b", 1));
        assert!(PartitionFilter::of_options(None, None).unwrap().allows("any", 5));
        let text = PartitionFilter::of_options(None, Some("1,x")).unwrap_err();
        assert!(text.ends_with("but received: 1,x"), "{text}");
    }
}
