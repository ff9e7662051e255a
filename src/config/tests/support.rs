//! Files for the scenarios.

use crate::config::Config;
use std::collections::BTreeMap;

/// Loads a file of this name and content; errors and warnings as text, without the directory's name.
pub(super) fn load(name: &str, content: &str, sets: &[&str]) -> Result<(Config, Vec<String>), String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, content).unwrap();
    let prefix = format!("{}/", dir.path().display());
    let plain = |text: String| text.replace(&prefix, "");
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let (config, warnings) = Config::load(Some(&path), &sets).map_err(|error| plain(error.to_string()))?;
    Ok((config, warnings.iter().map(|warning| plain(warning.to_string())).collect()))
}

pub(super) fn toml(content: &str) -> Config {
    load("millrace.toml", content, &[]).unwrap().0
}

/// Without the warnings for what a short file leaves out.
pub(super) fn properties(content: &str) -> (Config, Vec<String>) {
    let (config, mut warnings) = load("server.properties", content, &[]).unwrap();
    warnings.retain(|warning| !warning.contains("is not set"));
    (config, warnings)
}

pub(super) fn toml_error(content: &str) -> String {
    load("millrace.toml", content, &[]).unwrap_err()
}

pub(super) fn properties_error(content: &str) -> String {
    load("server.properties", content, &[]).unwrap_err()
}

pub(super) fn set(sets: &[&str]) -> Result<Config, String> {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    Config::load(None, &sets).map(|(config, _)| config).map_err(|error| error.to_string())
}

pub(super) fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}
