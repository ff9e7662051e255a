//! What `--add-config`, `--add-config-file` and `--delete-config` say.

use std::collections::BTreeMap;

use crate::tools::options::{Options, Stop};
use crate::tools::properties::Properties;

/// Configs to set and to remove.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    pub(super) add: BTreeMap<String, String>,
    pub(super) delete: Vec<String>,
}

impl Changes {
    pub(super) fn of(options: &Options) -> Result<Self, Stop> {
        let mut add = BTreeMap::new();
        if let Some(path) = options.text("add-config-file")? {
            let mut file = Properties::default();
            file.load(path).map_err(Stop::Line)?;
            let value = |key: &str| file.get(key).unwrap_or_default().to_owned();
            add.extend(file.keys().map(|key| (key.to_owned(), value(key))));
        }
        if let Some(list) = options.text("add-config")? {
            add.extend(parse(list).map_err(Stop::Line)?);
        }
        let fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'_' | b'-');
        if let Some(wrong) = add.keys().find(|key| !key.bytes().all(fine)) {
            return Err(Stop::Line(format!("Invalid character found for config key: {wrong}")));
        }
        let delete = options.all("delete-config").into_iter().map(|key| key.trim().to_owned()).collect();
        Ok(Self { add, delete })
    }
}

/// Whether what stands here is inside brackets: a closing one comes before the next opening one.
fn in_brackets(rest: &str) -> bool {
    rest.find(['[', ']']).is_some_and(|at| rest.as_bytes().get(at) == Some(&b']'))
}

/// The pieces between those separators that stand outside of brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, found) in text.match_indices(separator) {
        let behind = at + found.len();
        if !in_brackets(text.get(behind..).unwrap_or_default()) {
            pieces.push(text.get(start..at).unwrap_or_default());
            start = behind;
        }
    }
    pieces.push(text.get(start..).unwrap_or_default());
    pieces
}

fn parse(list: &str) -> Result<Vec<(String, String)>, String> {
    let mut entries = split(list, ',');
    // As Java splits: without empty ones at the end.
    while entries.len() > 1 && entries.last().is_some_and(|entry| entry.is_empty()) {
        entries.pop();
    }
    entries
        .into_iter()
        .map(|entry| match split(entry, '=')[..] {
            [key, value] => Ok((key.trim().to_owned(), value.replace(['[', ']'], "").trim().to_owned())),
            _ => Err("Invalid entity config: all configs to be added must be in the format \"key=val\" or  \
                      \"key=[val1,val2]\" to group values which contain commas."
                .to_owned()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_commas_stand_in_brackets() {
        let pairs = parse("a=1, b = [x,y] ,c=[k=v,w=],d=,").unwrap();
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(pairs, [("a", "1"), ("b", "x,y"), ("c", "k=v,w="), ("d", "")]);
        for bad in ["a", "a=b=c", "a=1,,b=2", ""] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
