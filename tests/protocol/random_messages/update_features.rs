//! Random instances of what is in `messages::update_features`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::update_features::*;

use crate::random::{Random, Rng};

impl Random for UpdateFeaturesRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            timeout_ms: Random::random(rng, version),
            feature_updates: Random::random(rng, version),
            validate_only: if version >= 1 { Random::random(rng, version) } else { false },
        }
    }
}
impl Random for FeatureUpdateKey<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            feature: Random::random(rng, version),
            max_version_level: Random::random(rng, version),
            allow_downgrade: if version <= 0 { Random::random(rng, version) } else { false },
            upgrade_type: if version >= 1 { Random::random(rng, version) } else { 1 },
        }
    }
}
impl Random for UpdateFeaturesResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            results: if version <= 1 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for UpdatableFeatureResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            feature: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
        }
    }
}
