//! The format of java.util.Properties: each case as Java 17 reads it.

use crate::config::properties::{BadEscape, decode, parse};

fn pairs(text: &str) -> Vec<(String, String)> {
    parse(text).unwrap().into_iter().map(|entry| (entry.key, entry.value)).collect()
}

#[track_caller]
fn reads(text: &str, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> =
        expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    assert_eq!(pairs(text), expected, "{text:?}");
}

#[test]
fn key_and_value_are_parted_by_equals_colon_or_space() {
    for text in ["a=b", "a:b", "a b", "a = b", "a : b", "a\tb", "  a =b", "a\x0cb", "a   :   b"] {
        reads(text, &[("a", "b")]);
    }
    reads("a==b", &[("a", "=b")]);
    reads("a = : b", &[("a", ": b")]);
    reads("listeners=PLAINTEXT://:9092", &[("listeners", "PLAINTEXT://:9092")]);
    reads("alone", &[("alone", "")]);
    reads("=b", &[("", "b")]);
}

#[test]
fn blank_lines_and_comments_are_left_out() {
    reads("# a=1\n\n   \t\n  ! b=2\nc=3 # stays\n", &[("c", "3 # stays")]);
    reads("# not continued \\\na=1", &[("a", "1")]);
}

#[test]
fn a_line_that_ends_in_a_backslash_goes_on() {
    reads("a=b,\\\n    c,\\\r\n    d\ne=f", &[("a", "b,c,d"), ("e", "f")]);
    reads("a=b\\\\\nc=d", &[("a", "b\\"), ("c", "d")]);
    reads("a=b\\", &[("a", "b")]);
    reads("a=b\\\n#c", &[("a", "b#c")]);
}

#[test]
fn escapes_mean_what_java_says() {
    reads(r"a\=b\:c\ d=e", &[("a=b:c d", "e")]);
    reads(r"a=\t\n\r\f\\\q", &[("a", "\t\n\r\x0c\\q")]);
    reads(r"a=\u00e4\u20AC", &[("a", "ä€")]);
    reads(r"a=\ud83d\ude00", &[("a", "😀")]);
    reads(r"a=\ud83dx", &[("a", "\u{fffd}x")]);
}

#[test]
fn a_short_unicode_escape_is_refused_with_its_line() {
    for text in ["x=1\na=\\u12", "x=1\na=\\u12g4", "x=1\na\\u=1"] {
        assert_eq!(parse(text), Err(BadEscape { line: 2 }), "{text:?}");
    }
}

#[test]
fn lines_are_counted_as_in_an_editor() {
    let lines: Vec<usize> =
        parse("a=1\r\n\r\nb=\\\r\n2\rc=3").unwrap().iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [1, 3, 5]);
}

#[test]
fn what_is_not_utf8_is_latin1() {
    assert_eq!(decode(b"a=\xe4".to_vec()), "a=ä");
    assert_eq!(decode("a=ä".as_bytes().to_vec()), "a=ä");
}
