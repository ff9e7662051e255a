//! From lines to records: key, headers and value apart by separators, as Kafka's LineMessageReader does. Lines are bytes:
//! what is not UTF-8 is sent as it is.

use std::io::{self, BufRead};

use regex::Regex;

use crate::tools::properties::Properties;

/// A header: key and value.
pub(super) type Header = (String, Option<Vec<u8>>);

/// A record that owns its parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LineRecord {
    pub(super) key: Option<Vec<u8>>,
    pub(super) value: Option<Vec<u8>>,
    pub(super) headers: Vec<Header>,
}

/// How lines are taken apart; see Kafka's `--reader-property`.
pub(super) struct LineReader {
    parse_key: bool,
    key_separator: Vec<u8>,
    parse_headers: bool,
    headers_delimiter: Vec<u8>,
    headers_separator: Regex,
    headers_key_separator: String,
    ignore_error: bool,
    null_marker: Option<Vec<u8>>,
    line_number: u64,
    /// Rest of what was read, behind a carriage return that ends a line.
    pending: Vec<u8>,
}

impl LineReader {
    /// A reader with these properties.
    pub(super) fn new(properties: &Properties) -> Result<Self, String> {
        let text = |key, default: &str| properties.get(key).unwrap_or(default).to_owned();
        let is_true = |key| properties.is_true(key).unwrap_or(false);
        let separators = [
            ("null.marker", properties.get("null.marker").map(str::to_owned)),
            ("headers.delimiter", Some(text("headers.delimiter", "\t"))),
            ("headers.separator", Some(text("headers.separator", ","))),
            ("headers.key.separator", Some(text("headers.key.separator", ":"))),
            ("key.separator", Some(text("key.separator", "\t"))),
        ];
        for (at, (name, value)) in separators.iter().enumerate() {
            for (other, same) in separators.iter().skip(at + 1) {
                // The key's separator may be that of the headers.
                let allowed = *other == "key.separator" && *name != "null.marker";
                if value.is_some() && value == same && !allowed {
                    return Err(format!("{name} and {other} may not be equal"));
                }
            }
        }
        let pattern = text("headers.separator", ",");
        Ok(Self {
            parse_key: is_true("parse.key"),
            key_separator: text("key.separator", "\t").into_bytes(),
            parse_headers: is_true("parse.headers"),
            headers_delimiter: text("headers.delimiter", "\t").into_bytes(),
            headers_separator: Regex::new(&pattern)
                .map_err(|_| format!("headers.separator {pattern} is an invalid regex"))?,
            headers_key_separator: text("headers.key.separator", ":"),
            ignore_error: is_true("ignore.error"),
            null_marker: properties.get("null.marker").map(|marker| marker.as_bytes().to_vec()),
            line_number: 0,
            pending: Vec::new(),
        })
    }

    /// The record of the next line; `None` at the end of the input.
    pub(super) fn next(
        &mut self,
        input: &mut impl BufRead,
    ) -> io::Result<Option<Result<LineRecord, String>>> {
        let Some(line) = self.line(input)? else { return Ok(None) };
        self.line_number += 1;
        Ok(Some(self.parse(&line)))
    }

    /// A line without its end: a line feed, a carriage return, or both.
    fn line(&mut self, input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
        let mut line = std::mem::take(&mut self.pending);
        if line.is_empty() {
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            if line.last() == Some(&b'\n') {
                line.pop();
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
            }
        }
        if let Some(at) = line.iter().position(|byte| *byte == b'\r') {
            self.pending = line.split_off(at + 1);
            line.pop();
        }
        Ok(Some(line))
    }

    fn parse(&self, line: &[u8]) -> Result<LineRecord, String> {
        let (headers, rest) =
            self.cut(self.parse_headers, line, line, &self.headers_delimiter, "headers delimiter")?;
        let (key, value) = self.cut(self.parse_key, line, rest, &self.key_separator, "key separator")?;
        let headers = match headers {
            Some(text) if !self.is_null(text) => self.headers(&String::from_utf8_lossy(text))?,
            _ => Vec::new(),
        };
        let own = |part: &[u8]| (!self.is_null(part)).then(|| part.to_vec());
        Ok(LineRecord { key: key.and_then(own), value: own(value), headers })
    }

    fn is_null(&self, part: &[u8]) -> bool {
        self.null_marker.as_deref() == Some(part)
    }

    /// What stands in front of a separator, and what behind.
    fn cut<'a>(
        &self,
        wanted: bool,
        line: &[u8],
        rest: &'a [u8],
        separator: &[u8],
        name: &str,
    ) -> Result<(Option<&'a [u8]>, &'a [u8]), String> {
        if !wanted {
            return Ok((None, rest));
        }
        match find(rest, separator) {
            Some(at) => {
                let (part, behind) = rest.split_at(at);
                Ok((Some(part), behind.get(separator.len()..).unwrap_or_default()))
            }
            None if self.ignore_error => Ok((None, rest)),
            None => {
                let line = String::from_utf8_lossy(line);
                Err(format!("No {name} found on line number {}: '{line}'", self.line_number))
            }
        }
    }

    fn headers(&self, text: &str) -> Result<Vec<Header>, String> {
        let mut pairs: Vec<&str> = self.headers_separator.split(text).collect();
        // Like Java's split: empty strings at the end are dropped, but never all that there is.
        while pairs.len() > 1 && pairs.last().is_some_and(|last| last.is_empty()) {
            pairs.pop();
        }
        pairs.into_iter().map(|pair| self.header(pair)).collect()
    }

    fn header(&self, pair: &str) -> Result<Header, String> {
        let Some((key, value)) = pair.split_once(self.headers_key_separator.as_str()) else {
            if self.ignore_error {
                return Ok((pair.to_owned(), None));
            }
            let number = self.line_number;
            return Err(format!("No header key separator found in pair '{pair}' on line number {number}"));
        };
        if self.is_null(key.as_bytes()) {
            return Err(format!(
                "Header keys should not be equal to the null marker '{key}' as they can't be null"
            ));
        }
        Ok((key.to_owned(), (!self.is_null(value.as_bytes())).then(|| value.as_bytes().to_vec())))
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(properties: &[&str], input: &[u8]) -> Result<Vec<LineRecord>, String> {
        let mut all = Properties::default();
        all.add(properties).unwrap();
        let mut reader = LineReader::new(&all)?;
        let mut input = input;
        let mut records = Vec::new();
        while let Some(record) = reader.next(&mut input).unwrap() {
            records.push(record?);
        }
        Ok(records)
    }

    fn record(key: Option<&str>, value: Option<&str>, headers: &[(&str, Option<&str>)]) -> LineRecord {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        LineRecord {
            key: bytes(key),
            value: bytes(value),
            headers: headers.iter().map(|(key, value)| ((*key).to_owned(), bytes(*value))).collect(),
        }
    }

    #[test]
    fn lines_end_as_in_java_and_may_be_empty() {
        let values: Vec<_> = read(&[], b"a\r\n\nb\rc\nlast")
            .unwrap()
            .into_iter()
            .map(|record| record.value.unwrap())
            .collect();
        assert_eq!(values, [&b"a"[..], b"", b"b", b"c", b"last"]);
        assert_eq!(read(&[], b"\xff\n").unwrap()[0].value.as_deref(), Some(&b"\xff"[..]));
    }

    #[test]
    fn keys_and_headers_are_cut_off() {
        let all = ["parse.key=true", "parse.headers=TRUE"];
        let whole = record(Some("k"), Some("v\tw"), &[("h1", Some("a")), ("h2", Some(""))]);
        assert_eq!(read(&all, b"h1:a,h2:\tk\tv\tw\n").unwrap(), [whole]);
        assert_eq!(
            read(&["parse.key=true", "key.separator=::"], b"k::v").unwrap(),
            [record(Some("k"), Some("v"), &[])]
        );
        let nulls = ["parse.key=true", "parse.headers=true", "null.marker=NULL"];
        assert_eq!(read(&nulls, b"NULL\tNULL\tNULL\n").unwrap(), [record(None, None, &[])]);
        assert_eq!(read(&nulls, b"h:NULL\tk\tv").unwrap(), [record(Some("k"), Some("v"), &[("h", None)])]);
    }

    #[test]
    fn faults_are_errors_unless_they_are_ignored() {
        let text = read(&["parse.key=true"], b"k\tv\nnokey\n").unwrap_err();
        assert_eq!(text, "No key separator found on line number 2: 'nokey'");
        let text = read(&["parse.headers=true"], b"h\tv").unwrap_err();
        assert_eq!(text, "No header key separator found in pair 'h' on line number 1");
        let lenient = ["parse.key=true", "parse.headers=true", "ignore.error=true"];
        assert_eq!(read(&lenient, b"plain").unwrap(), [record(None, Some("plain"), &[])]);
        assert_eq!(
            read(&["headers.separator=:"], b"").unwrap_err(),
            "headers.separator and headers.key.separator may not be equal"
        );
    }
}
