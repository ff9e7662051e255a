//! Which topics a regular expression of the command line means.

use regex::Regex;

/// Names of topics that Kafka keeps for itself.
const INTERNAL: &[&str] = &["__consumer_offsets", "__transaction_state", "__share_group_state"];

/// A list of topics: regular expressions with commas between, each for the whole name.
#[derive(Clone, Debug)]
pub struct TopicFilter {
    pattern: Regex,
}

impl TopicFilter {
    /// The filter that a tool's option states.
    ///
    /// # Errors
    /// One line that says what is wrong with the expression.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim().replace(',', "|").replace(' ', "");
        let quotes = ['"', '\''];
        let text = text.trim_start_matches(quotes).trim_end_matches(quotes);
        Regex::new(&format!("^(?:{text})$")).map(|pattern| Self { pattern }).map_err(|error| {
            let text_of_error = error.to_string();
            let reason = text_of_error.lines().last().unwrap_or_default().trim().to_owned();
            format!("{text} is an invalid regex: {reason}")
        })
    }

    /// Whether a topic is meant.
    pub fn allows(&self, topic: &str, exclude_internal: bool) -> bool {
        self.pattern.is_match(topic) && !(exclude_internal && is_internal(topic))
    }
}

/// Whether a topic is one of Kafka's own.
pub fn is_internal(topic: &str) -> bool {
    INTERNAL.contains(&topic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_name_must_match_one_of_the_list() {
        let filter = TopicFilter::new(" 'a.*, b' ").unwrap();
        assert!(filter.allows("abc", false) && filter.allows("b", false));
        assert!(!filter.allows("bb", false) && !filter.allows("xa", false));
        let all = TopicFilter::new(".*").unwrap();
        assert!(all.allows("__consumer_offsets", false) && !all.allows("__consumer_offsets", true));
        assert!(TopicFilter::new("a(").is_err());
    }
}
