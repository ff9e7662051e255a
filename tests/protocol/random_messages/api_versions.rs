//! Random instances of what is in `messages::api_versions`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::api_versions::*;

use crate::random::{Random, Rng};

impl Random for ApiVersionsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            client_software_name: if version >= 3 { Random::random(rng, version) } else { "" },
            client_software_version: if version >= 3 { Random::random(rng, version) } else { "" },
            cluster_id: if version >= 5 { rng.nullable(version) } else { None },
            node_id: if version >= 5 { Random::random(rng, version) } else { -1 },
        }
    }
}
impl Random for ApiVersionsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            api_keys: Random::random(rng, version),
            throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
            supported_features: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
            finalized_features_epoch: if version >= 3 { Random::random(rng, version) } else { -1 },
            finalized_features: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
            zk_migration_ready: if version >= 3 { Random::random(rng, version) } else { false },
        }
    }
}
impl Random for ApiVersion {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            api_key: Random::random(rng, version),
            min_version: Random::random(rng, version),
            max_version: Random::random(rng, version),
        }
    }
}
impl Random for SupportedFeatureKey<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            min_version: Random::random(rng, version),
            max_version: Random::random(rng, version),
        }
    }
}
impl Random for FinalizedFeatureKey<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            max_version_level: Random::random(rng, version),
            min_version_level: Random::random(rng, version),
        }
    }
}
