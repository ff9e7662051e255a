//! The rules of the source tree: layers, file length, and what must not stand in shard code.
//!
//! Each rule reads the files as text, with comments, strings and `#[cfg(test)]` modules cut away, and names every
//! place that breaks it.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a file at most, generated code apart.
const LINES_LIMIT: usize = 800;

/// The layers of src/ in the order in which data meets them, and what each may use besides itself.
const LAYERS: &[(&str, &[&str])] = &[
    ("runtime", &[]),
    ("protocol", &[]),
    ("config", &["protocol", "runtime"]),
    ("security", &["protocol", "config"]),
    ("log", &["runtime", "protocol", "partition::producer_state", "partition::producer_snapshot", "config"]),
    ("partition", &["runtime", "protocol", "log", "config", "controller", "net::Part"]),
    ("controller", &["runtime", "protocol", "log", "config"]),
    (
        "coordinator",
        &["runtime", "protocol", "log", "partition", "config", "controller", "server::GroupCall"],
    ),
    ("net", &["runtime", "protocol", "security", "config", "log", "api"]),
    (
        "api",
        &[
            "runtime",
            "protocol",
            "security",
            "partition",
            "coordinator",
            "controller",
            "config",
            "net",
            "log",
            "server",
        ],
    ),
    ("admin", &["runtime", "protocol", "config", "partition", "log", "net", "controller"]),
    ("tools", &["protocol", "config", "log", "partition", "runtime"]),
];

/// Layers whose code runs on shards: it may not block, and may not panic on what a client or a file says.
const SHARD_LAYERS: &[&str] =
    &["runtime", "net", "protocol", "security", "api", "partition", "log", "coordinator", "controller"];

/// Files of shard layers that run before the shards start or on helper threads, and may use `std::fs`.
const OFF_SHARD: &[&str] = &[
    "runtime/probe",
    "runtime/topology",
    "runtime/signals",
    "runtime/shards",
    "runtime/ring/helper",
    "runtime/ring/ports",
];

struct Source {
    /// Path below src/, with slashes.
    path: String,
    /// Lines, with what is no code blanked.
    code: Vec<String>,
    /// Lines as they stand.
    lines: usize,
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Blanks comments, string contents and test modules; keeps line numbers.
fn code_of(text: &str) -> Vec<String> {
    let mut out = String::with_capacity(text.len());
    let bytes: Vec<char> = text.chars().collect();
    let mut at = 0;
    let peek = |at: usize| bytes.get(at).copied().unwrap_or('\0');
    while at < bytes.len() {
        let here = peek(at);
        if here == '/' && peek(at + 1) == '/' {
            while at < bytes.len() && peek(at) != '\n' {
                at += 1;
            }
        } else if here == '/' && peek(at + 1) == '*' {
            let mut depth = 0;
            while at < bytes.len() {
                if peek(at) == '/' && peek(at + 1) == '*' {
                    depth += 1;
                    at += 2;
                } else if peek(at) == '*' && peek(at + 1) == '/' {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        break;
                    }
                } else {
                    if peek(at) == '\n' {
                        out.push('\n');
                    }
                    at += 1;
                }
            }
        } else if here == 'r' && (peek(at + 1) == '"' || (peek(at + 1) == '#' && peek(at + 2) == '"')) {
            let hashes = usize::from(peek(at + 1) == '#');
            at += 2 + hashes;
            while at < bytes.len() && !(peek(at) == '"' && (hashes == 0 || peek(at + 1) == '#')) {
                if peek(at) == '\n' {
                    out.push('\n');
                }
                at += 1;
            }
            at += 1 + hashes;
            out.push_str("\"\"");
        } else if here == '"' {
            at += 1;
            while at < bytes.len() && peek(at) != '"' {
                if peek(at) == '\\' {
                    at += 1;
                }
                if peek(at) == '\n' {
                    out.push('\n');
                }
                at += 1;
            }
            at += 1;
            out.push_str("\"\"");
        } else if here == '\'' && (peek(at + 2) == '\'' || (peek(at + 1) == '\\' && peek(at + 3) == '\'')) {
            at += if peek(at + 1) == '\\' { 4 } else { 3 };
            out.push_str("' '");
        } else {
            out.push(here);
            at += 1;
        }
    }
    blank_tests(out.lines().map(str::to_owned).collect())
}

/// Blanks each item that follows `#[cfg(test)]`, by counting braces.
fn blank_tests(mut lines: Vec<String>) -> Vec<String> {
    let mut at = 0;
    while at < lines.len() {
        if lines[at].trim_start().starts_with("#[cfg(test)]") {
            let mut depth = 0i64;
            let mut opened = false;
            while at < lines.len() {
                let line = std::mem::take(&mut lines[at]);
                depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
                opened |= line.contains('{');
                if (opened && depth <= 0) || (!opened && line.trim_end().ends_with(';')) {
                    break;
                }
                at += 1;
            }
        }
        at += 1;
    }
    lines
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    files.sort();
    assert!(files.len() > 30, "src/ was not found where the test looks: {}", root.display());
    files
        .into_iter()
        .map(|file| {
            let text = fs::read_to_string(&file).unwrap();
            let path = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            Source { path, lines: text.lines().count(), code: code_of(&text) }
        })
        // A file of tests beside the code it tests.
        .filter(|source| !source.path.ends_with("tests.rs") && !source.path.contains("/tests/"))
        .collect()
}

fn generated(path: &str) -> bool {
    path.starts_with("protocol/messages/")
}

fn layer(path: &str) -> &str {
    path.split('/').next().unwrap_or(path).trim_end_matches(".rs")
}

fn report(rule: &str, places: &[String]) {
    assert!(places.is_empty(), "{rule}:\n  {}", places.join("\n  "));
}

#[test]
fn no_file_is_longer_than_the_limit() {
    let mut places = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "perf", "tests", "benches"] {
        let mut files = Vec::new();
        rust_files(&root.join(folder), &mut files);
        for file in files {
            let path = file.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            if lines > LINES_LIMIT && !path.starts_with("src/protocol/messages/") {
                places.push(format!("{path}: {lines} lines"));
            }
        }
    }
    report(&format!("files over {LINES_LIMIT} lines"), &places);
}

#[test]
fn each_layer_uses_only_what_stands_below_it() {
    let known: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let mut places = Vec::new();
    for source in sources() {
        let own = layer(&source.path);
        let Some(allowed) = known.get(own) else { continue };
        for (number, line) in source.code.iter().enumerate() {
            for (at, _) in line.match_indices("crate::") {
                let rest = &line[at + "crate::".len()..];
                let used: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let fine = used == own
                    || (!known.contains_key(used.as_str()) && used != "server")
                    || allowed.iter().any(|name| rest.starts_with(name));
                if !fine {
                    places.push(format!("src/{}:{}: {own} uses {used}", source.path, number + 1));
                }
            }
        }
    }
    report("uses against the order of layers", &places);
}

#[test]
fn glommio_and_io_uring_are_named_in_runtime_alone() {
    let mut places = Vec::new();
    for source in sources() {
        if layer(&source.path) == "runtime" {
            continue;
        }
        for (number, line) in source.code.iter().enumerate() {
            if line.contains("glommio::") || line.contains("io_uring::") {
                places.push(format!("src/{}:{}: {}", source.path, number + 1, line.trim()));
            }
        }
    }
    report("glommio or io_uring outside runtime/", &places);
}

#[test]
fn unsafe_stands_in_runtime_and_chunks_alone() {
    let mut places = Vec::new();
    for source in sources() {
        if layer(&source.path) == "runtime" || source.path.starts_with("log/chunk") {
            continue;
        }
        for (number, line) in source.code.iter().enumerate() {
            if line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe") {
                places.push(format!("src/{}:{}", source.path, number + 1));
            }
        }
    }
    report("unsafe outside runtime/ and log/chunk*", &places);
}

#[test]
fn shard_code_neither_blocks_nor_panics_by_habit() {
    const BANNED: &[&str] = &[
        ".unwrap()",
        ".expect(",
        "std::fs",
        "std::sync::Mutex",
        "std::sync::RwLock",
        "std::thread::sleep",
        "println!",
        "todo!",
        "unimplemented!",
    ];
    let mut places = Vec::new();
    for source in sources() {
        if !SHARD_LAYERS.contains(&layer(&source.path)) {
            continue;
        }
        let off_shard = OFF_SHARD.iter().any(|path| source.path.starts_with(path));
        for (number, line) in source.code.iter().enumerate() {
            for banned in BANNED {
                // `eprintln!` is the last word before the process ends; tracing may not get it out any more.
                let found = line.match_indices(banned).any(|(at, _)| !line[..at].ends_with('e'));
                if found && !(off_shard && banned.starts_with("std::")) {
                    places.push(format!("src/{}:{}: {banned}", source.path, number + 1));
                }
            }
        }
    }
    report("unwrap, std::fs, locks and the like in shard code", &places);
}

/// Indexing that the compiler evaluates: out of range it would not build.
const EVALUATED_AT_BUILD: &[&str] = &["slots[TABLE[slot].key.0 as usize] = slot as u8;"];

/// Indexing panics when it is out of range; `get` says what then happens.
#[test]
fn shard_code_does_not_index() {
    let mut places = Vec::new();
    for source in sources() {
        if !SHARD_LAYERS.contains(&layer(&source.path)) || generated(&source.path) {
            continue;
        }
        for (number, line) in source.code.iter().enumerate() {
            let characters: Vec<char> = line.chars().collect();
            for (at, here) in characters.iter().enumerate() {
                let before = at.checked_sub(1).and_then(|before| characters.get(before));
                let value = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'));
                if *here != '['
                    || !value
                    || line.trim_start().starts_with('#')
                    || EVALUATED_AT_BUILD.contains(&line.trim())
                {
                    continue;
                }
                let inside: String = characters[at + 1..].iter().take_while(|c| **c != ']').collect();
                let word: String =
                    characters[..at].iter().rev().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
                let keyword = matches!(
                    word.chars().rev().collect::<String>().as_str(),
                    "mut" | "dyn" | "in" | "return" | "const"
                );
                // `[..]` takes everything and cannot fail.
                if inside.trim() != ".." && !keyword {
                    places.push(format!("src/{}:{}: {}", source.path, number + 1, line.trim()));
                }
            }
        }
    }
    report("indexing that can panic in shard code", &places);
}

#[test]
fn the_rules_see_what_they_are_there_to_see() {
    let code = code_of(
        "let a = b[1]; // c[2]\nlet s = \"x.unwrap()\";\n#[cfg(test)]\nmod tests {\n  fn f() { x.unwrap() }\n}\nz.unwrap();\n",
    );
    assert!(code[0].contains("b[1]") && !code[0].contains("c[2]"));
    assert!(!code[1].contains("unwrap"));
    assert!(!code[4].contains("unwrap"));
    assert!(code[6].contains("z.unwrap()"));
    assert!(sources().iter().all(|source| source.lines > 0));
}
