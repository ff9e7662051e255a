//! `upgrade`, `downgrade` and `disable`.

use std::collections::BTreeMap;

use super::versions::{FEATURES, METADATA, level_of};
use crate::protocol::messages::update_features::FeatureUpdateKey;
use crate::protocol::messages::{UpdateFeaturesRequest, UpdateFeaturesResponse};
use crate::tools::admin::Failure;
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Client, ClientError, Node};
use crate::tools::options::Options;
use crate::tools::output::say;

/// How long the controller may take.
const TIMEOUT_MS: i32 = 60_000;

/// How a level may change: the protocol's numbers.
const UPGRADE: i8 = 1;
const SAFE_DOWNGRADE: i8 = 2;
const UNSAFE_DOWNGRADE: i8 = 3;

/// `feature=level`.
pub(super) fn name_and_level(text: &str) -> Result<(&str, i16), String> {
    let failed = |reason: &str| format!("Can't parse feature=level string {text}: {reason}");
    let (name, level) = text.split_once('=').ok_or_else(|| failed("equals sign not found."))?;
    let level = level.trim();
    let level = level.parse().map_err(|_| failed(&format!("unable to parse {level} as a short.")))?;
    Ok((name.trim(), level))
}

/// The levels that the options ask for.
fn wanted(action: &str, options: &Options) -> Result<BTreeMap<String, i16>, Failure> {
    let mut levels = BTreeMap::new();
    let features = options.all("feature");
    let (metadata, release) = match action {
        "disable" => (None, None),
        _ => (options.text("metadata")?, options.text("release-version")?),
    };
    if let Some(release) = release {
        if metadata.is_some() || !features.is_empty() {
            return Err(Failure::plain("Can not specify `release-version` with other feature flags."));
        }
        let metadata = level_of(release).map_err(Failure::Plain)?;
        levels.insert(METADATA.to_owned(), metadata);
        for feature in FEATURES {
            let level = feature.default_level(metadata);
            if action != "upgrade" || level > 0 {
                levels.insert(feature.name.to_owned(), level);
            }
        }
    }
    if let Some(release) = metadata {
        say!(" `metadata` flag is deprecated and may be removed in a future release.");
        levels.insert(METADATA.to_owned(), level_of(release).map_err(Failure::Plain)?);
    }
    for feature in features {
        let (name, level) = match action {
            "disable" => (feature, 0),
            _ => name_and_level(feature).map_err(Failure::Plain)?,
        };
        if levels.insert(name.to_owned(), level).is_some() {
            return Err(Failure::Plain(format!("Feature {name} was specified more than once.")));
        }
    }
    if levels.is_empty() {
        return Err(Failure::Plain(format!("You must specify at least one feature to {action}")));
    }
    Ok(levels)
}

/// Changes the levels, and says what became of each.
pub(super) fn run(client: &mut Client, action: &str, options: &Options) -> Result<(), Failure> {
    let levels = wanted(action, options)?;
    let kind = match (action, options.has("unsafe")) {
        ("upgrade", _) => UPGRADE,
        (_, false) => SAFE_DOWNGRADE,
        (_, true) => UNSAFE_DOWNGRADE,
    };
    let dry = options.has("dry-run");
    let mut errors = match client.retry(|client| send(client, &levels, kind, dry)) {
        Ok(errors) => errors,
        Err(error) => levels.keys().map(|name| (name.clone(), error.clone())).collect(),
    };
    let mut failed = 0;
    for (name, level) in &levels {
        match errors.remove(name) {
            Some(error) => {
                failed += 1;
                let helper = if dry { "Can not" } else { "Could not" };
                let to = if action == "disable" { String::new() } else { format!(" to {level}") };
                say!("{helper} {action} {name}{to}. {error}");
            }
            None => {
                let verb = if dry { "can be" } else { "was" };
                let to = if action == "disable" { String::new() } else { format!(" to {level}") };
                say!("{name} {verb} {action}d{to}.");
            }
        }
    }
    if failed > 0 {
        return Err(Failure::Plain(format!("{failed} out of {} operation(s) failed.", levels.len())));
    }
    Ok(())
}

/// The errors of single features; an error of everything is the result's.
fn send(
    client: &mut Client,
    levels: &BTreeMap<String, i16>,
    kind: i8,
    dry: bool,
) -> Result<BTreeMap<String, ClientError>, ClientError> {
    if client.cluster().controller.is_none() {
        client.refresh(Topics::None, false)?;
    }
    let node = client.cluster().controller.map_or(Node::Bootstrap(0), Node::Broker);
    let version = client.version::<UpdateFeaturesRequest<'_>>(node, i16::MAX)?;
    let defaults = FeatureUpdateKey::default();
    let updates = levels.iter().map(|(feature, level)| FeatureUpdateKey {
        feature,
        max_version_level: *level,
        // The first version knows only whether a downgrade is allowed.
        allow_downgrade: version == 0 && kind != UPGRADE,
        upgrade_type: if version == 0 { defaults.upgrade_type } else { kind },
    });
    let request = UpdateFeaturesRequest {
        timeout_ms: TIMEOUT_MS,
        feature_updates: updates.collect(),
        validate_only: dry,
    };
    let answer = client.call_node(node, &request, version, None)?;
    let response = answer.decode::<UpdateFeaturesResponse<'_>>()?;
    ClientError::check(response.error_code, response.error_message)?;
    let mut errors = BTreeMap::new();
    for result in &response.results {
        if let Err(error) = ClientError::check(result.error_code, result.error_message) {
            errors.insert(result.feature.to_owned(), error);
        }
    }
    Ok(errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_behind_an_equals_sign() {
        assert_eq!(name_and_level(" a.b = 7"), Ok(("a.b", 7)));
        let text = "Can't parse feature=level string a: equals sign not found.";
        assert_eq!(name_and_level("a"), Err(text.to_owned()));
        assert!(name_and_level("a=70000").unwrap_err().ends_with("unable to parse 70000 as a short."));
    }
}
