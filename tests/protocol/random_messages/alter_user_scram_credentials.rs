//! Random instances of what is in `messages::alter_user_scram_credentials`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::alter_user_scram_credentials::*;

use crate::random::{Random, Rng};

impl Random for AlterUserScramCredentialsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { deletions: Random::random(rng, version), upsertions: Random::random(rng, version) }
    }
}
impl Random for ScramCredentialDeletion<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), mechanism: Random::random(rng, version) }
    }
}
impl Random for ScramCredentialUpsertion<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            mechanism: Random::random(rng, version),
            iterations: Random::random(rng, version),
            salt: Random::random(rng, version),
            salted_password: Random::random(rng, version),
        }
    }
}
impl Random for AlterUserScramCredentialsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), results: Random::random(rng, version) }
    }
}
impl Random for AlterUserScramCredentialsResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            user: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
        }
    }
}
