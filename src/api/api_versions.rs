//! ApiVersions (18): what this broker serves, and the features of the cluster (KIP-511, KIP-584).

use bytes::Bytes;

use super::context::RequestContext;
use super::table::TABLE;
use crate::net::Step;
use crate::net::{CloseReason, Reply};
use crate::protocol::messages::api_versions::{ApiVersion, FinalizedFeatureKey, SupportedFeatureKey};
use crate::protocol::messages::{ApiVersionsRequest, ApiVersionsResponse};
use crate::protocol::{ErrorCode, encode_response};

fn api_keys() -> Vec<ApiVersion> {
    TABLE
        .iter()
        .map(|api| ApiVersion {
            api_key: api.key.0,
            min_version: api.listed_min_version,
            max_version: api.max_version,
        })
        .collect()
}

/// Answers a version that is not served: in the oldest format, which every client reads (F27).
pub(super) fn unsupported(context: &RequestContext) -> Step {
    let response = ApiVersionsResponse {
        error_code: ErrorCode::UNSUPPORTED_VERSION.into(),
        api_keys: api_keys(),
        ..Default::default()
    };
    let encoded = encode_response(context.correlation_id, 0, &response)
        .map(|(bytes, _)| Reply::Bytes(bytes.freeze()))
        .map_err(|error| CloseReason::Internal(error.to_string()));
    Step::Done(encoded)
}

fn is_valid_software_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    match (bytes.next(), bytes.next_back()) {
        (Some(first), None) => first.is_ascii_alphanumeric(),
        (Some(first), Some(last)) => {
            first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() && bytes.all(inner)
        }
        (None, _) => false,
    }
}

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    let request: ApiVersionsRequest<'_> = match context.decode(&body) {
        Ok(request) => request,
        Err(reason) => return Step::Done(Err(reason)),
    };
    let named_badly = context.version >= 3
        && !(is_valid_software_name(request.client_software_name)
            && is_valid_software_name(request.client_software_version));
    if named_badly {
        let code = ErrorCode::INVALID_REQUEST.into();
        return context.done(&ApiVersionsResponse { error_code: code, ..Default::default() });
    }
    let image = context.shard.image();
    let supported = context.shard.supported_features();
    let response = ApiVersionsResponse {
        api_keys: api_keys(),
        throttle_time_ms: context.throttle_time_ms,
        supported_features: supported
            .iter()
            .map(|(name, &(min_version, max_version))| SupportedFeatureKey { name, min_version, max_version })
            // A version 3 reader fails on a lowest level of 0 (KAFKA-17011).
            .filter(|feature| context.version >= 4 || feature.min_version > 0)
            .collect(),
        finalized_features_epoch: image.features_epoch,
        finalized_features: image
            .features
            .iter()
            .map(|(name, &level)| FinalizedFeatureKey {
                name,
                max_version_level: level,
                min_version_level: level,
            })
            .collect(),
        ..Default::default()
    };
    context.done(&response)
}

#[cfg(test)]
mod tests {
    use super::is_valid_software_name;

    #[test]
    fn software_names_are_what_kafka_takes() {
        for good in ["a", "apache-kafka-java", "1.2.3", "x.y"] {
            assert!(is_valid_software_name(good), "{good}");
        }
        for bad in ["", "-a", "a-", ".", "a b", "ü"] {
            assert!(!is_valid_software_name(bad), "{bad}");
        }
    }
}
