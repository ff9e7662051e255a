//! Properties of clients: from a file in Java's format, from `key=value` on the command line, or both.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

/// Keys and values, the last of each key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    entries: BTreeMap<String, String>,
}

impl Properties {
    /// Reads a file.
    ///
    /// # Errors
    /// One line that says why it cannot be read.
    pub fn load(&mut self, path: &str) -> Result<(), String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        for (key, value) in parse(&decode(bytes)) {
            self.entries.insert(key, value);
        }
        Ok(())
    }

    /// Adds `key=value` entries.
    ///
    /// # Errors
    /// One line that names the entry without a key.
    pub fn add(&mut self, entries: &[&str]) -> Result<(), String> {
        for entry in entries {
            let (key, value) = entry.split_once('=').unwrap_or((entry, ""));
            if key.is_empty() {
                return Err(format!("Invalid command line properties: {entry}"));
            }
            self.set(key, value);
        }
        Ok(())
    }

    /// Sets one.
    pub fn set(&mut self, key: &str, value: &str) {
        self.entries.insert(key.to_owned(), value.to_owned());
    }

    /// Sets one that is not there yet.
    pub fn set_default(&mut self, key: &str, value: &str) {
        if !self.entries.contains_key(key) {
            self.set(key, value);
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(String::as_str)
    }

    /// Whether a key stands for true; anything but `true` in any case is false, as with Kafka's formatters.
    pub fn is_true(&self, key: &str) -> Option<bool> {
        self.get(key).map(|value| value.trim().eq_ignore_ascii_case("true"))
    }

    /// The keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

/// UTF-8, or Latin-1 if it is not, as Java reads such files.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect())
}

fn parse(text: &str) -> Vec<(String, String)> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = text.split('\n');
    let mut entries = Vec::new();
    while let Some(line) = lines.next() {
        let line = line.trim_start_matches(is_space);
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        let mut logical = line.to_owned();
        while logical.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1 {
            logical.pop();
            let Some(next) = lines.next() else { break };
            logical.push_str(next.trim_start_matches(is_space));
        }
        entries.push(split(&logical));
    }
    entries
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\x0c')
}

/// Key and value, the first unescaped separator between them.
fn split(line: &str) -> (String, String) {
    let mut escaped = false;
    let end = line.find(|character: char| {
        let ends = !escaped && (is_space(character) || matches!(character, '=' | ':'));
        escaped = !escaped && character == '\\';
        ends
    });
    let (key, rest) = line.split_at(end.unwrap_or(line.len()));
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start_matches(is_space);
    (unescape(key), unescape(rest))
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        match rest.next() {
            Some('t') => plain.push('\t'),
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('f') => plain.push('\x0c'),
            Some('u') => plain.push(unicode(&mut rest)),
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
}

fn unicode(rest: &mut Peekable<Chars<'_>>) -> char {
    let mut code = 0;
    for _ in 0..4 {
        match rest.next_if(char::is_ascii_hexdigit).and_then(|digit| digit.to_digit(16)) {
            Some(digit) => code = code * 16 + digit,
            None => return char::REPLACEMENT_CHARACTER,
        }
    }
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_java_reads_them() {
        let text = "# comment\n! too\n\n a.b = c d \nx:y\nlong = one,\\\n   two\nkey\\ with\\=signs v\\u0041\\tl\nempty\n";
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            parse(text),
            [
                pair("a.b", "c d "),
                pair("x", "y"),
                pair("long", "one,two"),
                pair("key with=signs", "vA\tl"),
                pair("empty", "")
            ]
        );
    }

    #[test]
    fn entries_of_the_command_line_win() {
        let mut properties = Properties::default();
        properties.set("a", "1");
        properties.add(&["a=2", "b=x=y", "c"]).unwrap();
        properties.set_default("a", "3");
        assert_eq!(
            (properties.get("a"), properties.get("b"), properties.get("c")),
            (Some("2"), Some("x=y"), Some(""))
        );
        assert!(properties.add(&["=x"]).is_err());
    }
}
