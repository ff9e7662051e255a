//! The known name that an unknown one was probably meant to be.

use super::catalog;

/// What to write instead of an unknown name of Kafka's spelling.
pub(super) fn kafka_remedy(name: &str) -> String {
    if let Some(key) = catalog::topic_key(name) {
        return match key.synonyms.first() {
            Some((synonym, _)) => format!("{name} is a topic's; the broker's is {synonym}"),
            None => format!("{name} is a topic's, set it on the topic"),
        };
    }
    remedy(name, catalog::broker_keys().map(|key| key.name))
}

/// What to write instead of an unknown name in `[kafka]` of TOML.
pub(super) fn kafka_section_remedy(name: &str) -> String {
    if catalog::broker_key(name).is_some() { toml_remedy(name) } else { kafka_remedy(name) }
}

/// What to write instead of an unknown `section.key` of TOML.
pub(super) fn toml_remedy(name: &str) -> String {
    if let Some(key) = catalog::broker_key(name) {
        return match key.toml.and_then(|toml| toml.split_once('.')) {
            Some((section, key)) => format!("write {key} in [{section}]"),
            None => format!("it is Kafka's: write \"{name}\" in [kafka]"),
        };
    }
    remedy(name, catalog::broker_keys().filter_map(|key| key.toml))
}

/// What to write instead of an unknown topic key.
pub(super) fn topic_remedy(name: &str) -> String {
    let synonym = |key: &&super::Key| key.synonyms.iter().any(|(synonym, _)| *synonym == name);
    match catalog::topic_keys().find(synonym) {
        Some(key) => format!("{name} is the broker's; the topic's is {}", key.name),
        None => remedy(name, catalog::topic_keys().map(|key| key.name)),
    }
}

fn remedy(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    match nearest(name, known) {
        Some(near) => format!("did you mean {near}?"),
        None => "config/default.toml shows ours, and Kafka's documentation its own".to_owned(),
    }
}

/// The nearest name, if it is near: at most a third of its letters differ.
pub(super) fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    const LONGEST: usize = 200;
    if name.len() > LONGEST {
        return None;
    }
    let (distance, near) = known.map(|near| (distance(name, near), near)).min()?;
    (distance <= near.len() / 3).then_some(near)
}

/// How many letters must be put in, left out or replaced (Levenshtein).
pub(super) fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, a) in left.chars().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (at, b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row[right.len()]
}
