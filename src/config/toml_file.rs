//! A TOML file as flat entries: `section.key`, and what is below `[kafka]` under Kafka's own name. Keys may be quoted
//! (`"log.segment.bytes" = 1`) or not (`log.segment.bytes = 1`): both come out the same.

use super::error::{ConfigError, Place};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// One entry; a list is its elements with commas.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// With its section.
    pub(super) key: String,
    pub(super) text: String,
    pub(super) place: Place,
    /// Where the key stands in the text.
    offset: usize,
}

/// Reads a text, in its order; `place_of` makes the place of a line.
pub(super) fn parse(text: &str, place_of: &dyn Fn(usize) -> Place) -> Result<Vec<Entry>, ConfigError> {
    let place_at = |offset: usize| place_of(line_at(text, offset));
    let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        place: place_at(error.span().map_or(0, |span| span.start)),
        reason: format!("not TOML: {}", error.message().trim().replace('\n', ", ")),
    })?;
    let mut entries = Vec::new();
    flatten("", table.get_ref(), &place_at, &mut entries)?;
    entries.sort_by_key(|entry| entry.offset);
    Ok(entries)
}

/// The place of a line of a file.
pub(super) fn in_file(path: &Path) -> impl Fn(usize) -> Place {
    move |line| Place::File { path: path.to_owned(), line }
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

fn flatten(
    prefix: &str,
    table: &DeTable<'_>,
    place_at: &dyn Fn(usize) -> Place,
    entries: &mut Vec<Entry>,
) -> Result<(), ConfigError> {
    for (name, value) in table {
        let name_text = name.get_ref();
        let key = if prefix.is_empty() { name_text.to_string() } else { format!("{prefix}.{name_text}") };
        let offset = name.span().start;
        let place = place_at(offset);
        match value.get_ref() {
            DeValue::Table(below) => flatten(&key, below, place_at, entries)?,
            DeValue::Array(elements) => {
                let texts: Option<Vec<String>> = elements.iter().map(|one| scalar(one.get_ref())).collect();
                let Some(texts) = texts else { return Err(not_a_value(place, &key)) };
                entries.push(Entry { key, text: texts.join(","), place, offset });
            }
            value => {
                let Some(text) = scalar(value) else { return Err(not_a_value(place, &key)) };
                entries.push(Entry { key, text, place, offset });
            }
        }
    }
    Ok(())
}

fn scalar(value: &DeValue<'_>) -> Option<String> {
    Some(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok()?.to_string(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => return None,
    })
}

fn not_a_value(place: Place, key: &str) -> ConfigError {
    let reason =
        format!("{key}: no key takes dates, or tables and lists in a list; write a text or a number");
    ConfigError::Syntax { place, reason }
}
