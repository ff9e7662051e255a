//! Random instances of what is in `messages::describe_user_scram_credentials`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_user_scram_credentials::*;

use crate::random::{Random, Rng};

impl Random for DescribeUserScramCredentialsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { users: rng.nullable(version) }
    }
}
impl Random for UserName<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version) }
    }
}
impl Random for DescribeUserScramCredentialsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            results: Random::random(rng, version),
        }
    }
}
impl Random for DescribeUserScramCredentialsResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            user: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            credential_infos: Random::random(rng, version),
        }
    }
}
impl Random for CredentialInfo {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { mechanism: Random::random(rng, version), iterations: Random::random(rng, version) }
    }
}
