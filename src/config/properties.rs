//! The format of `java.util.Properties`, as its `load` describes it: comments, continued lines, escapes, and `=`,
//! `:` or space between key and value. Read as UTF-8; what is not is read as Latin-1, as Java does.

use std::iter::Peekable;
use std::str::Chars;

/// One entry; of entries with the same key the last counts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: String,
    /// Where its first line is, from 1.
    pub(super) line: usize,
}

/// A `\u` without four hexadecimal digits, the only thing that can be wrong; and its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadEscape {
    pub(super) line: usize,
}

pub(super) fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect())
}

pub(super) fn parse(text: &str) -> Result<Vec<Entry>, BadEscape> {
    let mut entries = Vec::new();
    for (line, logical) in logical_lines(text) {
        let bad = |_| BadEscape { line };
        let (key, value) = split(&logical);
        entries.push(Entry { key: unescape(key).map_err(bad)?, value: unescape(value).map_err(bad)?, line });
    }
    Ok(entries)
}

/// Lines that are neither blank nor comments, each with those that continue it.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = Vec::new();
    let mut natural = text.split('\n').enumerate();
    while let Some((at, line)) = natural.next() {
        let line = trim(line);
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        let mut logical = line.to_owned();
        while is_continued(&logical) {
            logical.pop();
            let Some((_, next)) = natural.next() else { break };
            logical.push_str(trim(next));
        }
        lines.push((at + 1, logical));
    }
    lines
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\x0c')
}

fn trim(line: &str) -> &str {
    line.trim_start_matches(is_space)
}

/// Whether a line ends in a backslash that no other one escapes.
fn is_continued(line: &str) -> bool {
    line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Key and value, both still escaped.
fn split(line: &str) -> (&str, &str) {
    let mut escaped = false;
    let ends_key = |character: char| {
        let ends = !escaped && (is_space(character) || character == '=' || character == ':');
        escaped = !escaped && character == '\\';
        ends
    };
    let Some(end) = line.find(ends_key) else { return (line, "") };
    let (key, rest) = line.split_at(end);
    let rest = trim(rest);
    (key, trim(rest.strip_prefix(['=', ':']).unwrap_or(rest)))
}

fn unescape(text: &str) -> Result<String, ()> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\\' => match rest.next() {
                Some('t') => plain.push('\t'),
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                Some('f') => plain.push('\x0c'),
                Some('u') => plain.push(unicode(&mut rest)?),
                Some(other) => plain.push(other),
                None => {}
            },
            other => plain.push(other),
        }
    }
    Ok(plain)
}

/// The character whose four digits follow; a pair of surrogates is one character.
fn unicode(rest: &mut Peekable<Chars<'_>>) -> Result<char, ()> {
    let first = unit(rest)?;
    if !(0xd800..0xdc00).contains(&first) {
        return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    let mut ahead = rest.clone();
    if ahead.next() != Some('\\') || ahead.next() != Some('u') {
        return Ok(char::REPLACEMENT_CHARACTER);
    }
    let second = unit(&mut ahead)?;
    if !(0xdc00..0xe000).contains(&second) {
        return Ok(char::REPLACEMENT_CHARACTER);
    }
    *rest = ahead;
    let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn unit(rest: &mut Peekable<Chars<'_>>) -> Result<u32, ()> {
    let mut code = 0;
    for _ in 0..4 {
        code = code * 16 + rest.next().and_then(|digit| digit.to_digit(16)).ok_or(())?;
    }
    Ok(code)
}
