//! Kafka's releases up to 4.5-IV0 (what Kafka 4.4.0 knows), and the levels of features that belong to them.

/// The feature that stands for the release.
pub(super) const METADATA: &str = "metadata.version";

/// The level of the first release that is known.
const FIRST_LEVEL: i16 = 7;
/// The releases in the order of their levels.
const RELEASES: &[&str] = &[
    "3.3-IV3", "3.4-IV0", "3.5-IV0", "3.5-IV1", "3.5-IV2", "3.6-IV0", "3.6-IV1", "3.6-IV2", "3.7-IV0",
    "3.7-IV1", "3.7-IV2", "3.7-IV3", "3.7-IV4", "3.8-IV0", "3.9-IV0", "4.0-IV0", "4.0-IV1", "4.0-IV2",
    "4.0-IV3", "4.1-IV0", "4.1-IV1", "4.2-IV0", "4.2-IV1", "4.3-IV0", "4.4-IV0", "4.4-IV1", "4.4-IV2",
    "4.5-IV0",
];
/// The newest release that is stable.
pub(super) const LATEST_STABLE: &str = "4.4-IV2";

/// A feature with its levels.
pub(super) struct Feature {
    pub(super) name: &'static str,
    pub(super) max_level: i16,
    /// From which level of the metadata on a level is the default, the greatest last.
    defaults: &'static [(i16, i16)],
    /// Level, and the level of the metadata that it needs.
    needs: &'static [(i16, i16)],
}

/// The features besides the metadata, in Kafka's order.
pub(super) const FEATURES: &[Feature] = &[
    Feature { name: "kraft.version", max_level: 1, defaults: &[(21, 1)], needs: &[] },
    Feature { name: "transaction.version", max_level: 2, defaults: &[(24, 2)], needs: &[] },
    Feature { name: "group.version", max_level: 1, defaults: &[(22, 1)], needs: &[] },
    Feature {
        name: "eligible.leader.replicas.version",
        max_level: 1,
        defaults: &[(26, 1)],
        needs: &[(1, 23)],
    },
    Feature { name: "share.version", max_level: 2, defaults: &[(28, 1), (31, 2)], needs: &[] },
    Feature { name: "streams.version", max_level: 1, defaults: &[(29, 1)], needs: &[] },
];

impl Feature {
    /// The level that belongs to a level of the metadata.
    pub(super) fn default_level(&self, metadata: i16) -> i16 {
        let fitting = self.defaults.iter().rev().find(|(from, _)| metadata >= *from);
        fitting.map_or(0, |(_, level)| *level)
    }

    /// The level of the metadata that a level needs.
    pub(super) fn need(&self, level: i16) -> Option<i16> {
        self.needs.iter().find(|(of, _)| *of == level).map(|(_, metadata)| *metadata)
    }
}

/// The level of a release: `4.0-IV1`, or `4.0` and `4.0.1` for the last one of that release.
///
/// # Errors
/// Kafka's line if it is not known.
pub(super) fn level_of(release: &str) -> Result<i16, String> {
    let short: Vec<&str> = release.splitn(3, '.').take(2).collect();
    let short = short.join(".");
    let fits = |known: &&&str| **known == short || known.split('-').next() == Some(short.as_str());
    let found = RELEASES.iter().rposition(|known| fits(&known));
    found.and_then(|at| i16::try_from(at).ok()).map(|at| at + FIRST_LEVEL).ok_or_else(|| {
        format!(
            "Unknown metadata.version '{release}'. Supported metadata.version are: {}",
            RELEASES.join(", ")
        )
    })
}

/// The release of a level.
pub(super) fn release_of(level: i16) -> Option<&'static str> {
    usize::try_from(level - FIRST_LEVEL).ok().and_then(|at| RELEASES.get(at)).copied()
}

/// A level as it is shown: that of the metadata as a release.
pub(super) fn shown(feature: &str, level: i16) -> String {
    if feature == METADATA {
        return release_of(level).map_or_else(|| format!("UNKNOWN {level}"), str::to_owned);
    }
    level.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_have_the_levels_that_kafka_gives_them() {
        let known =
            [("3.3-IV3", 7), ("3.5", 11), ("3.9-IV0", 21), ("4.2", 29), ("4.4.0", 33), ("4.5-IV0", 34)];
        for (release, level) in known {
            assert_eq!(level_of(release), Ok(level), "{release}");
        }
        assert_eq!(level_of(LATEST_STABLE), Ok(33));
        assert!(level_of("9.9").unwrap_err().starts_with("Unknown metadata.version '9.9'. Supported"));
        assert_eq!((shown(METADATA, 25), shown(METADATA, 0)), ("4.0-IV3".to_owned(), "UNKNOWN 0".to_owned()));
    }

    #[test]
    fn features_follow_the_metadata() {
        let levels = |metadata| -> Vec<i16> {
            FEATURES.iter().map(|feature| feature.default_level(metadata)).collect()
        };
        assert_eq!(levels(20), [0, 0, 0, 0, 0, 0]);
        assert_eq!(levels(25), [1, 2, 1, 0, 0, 0]);
        assert_eq!(levels(29), [1, 2, 1, 1, 1, 1]);
        assert_eq!(levels(33), [1, 2, 1, 1, 2, 1]);
    }
}
