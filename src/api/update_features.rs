//! UpdateFeatures (57): the finalized levels of features (KIP-584, KIP-778).

use bytes::Bytes;

use super::context::RequestContext;
use super::mutation::{ask, unexpected};
use crate::controller::{ApiError, ControllerRequest, ControllerResponse, FeatureUpdate, UpgradeType};
use crate::net::{Outcome, Step};
use crate::protocol::messages::update_features::{FeatureUpdateKey, UpdatableFeatureResult};
use crate::protocol::messages::{UpdateFeaturesRequest, UpdateFeaturesResponse};

/// Each feature has a result of its own up to this version.
const RESULTS_UNTIL: i16 = 1;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(update(context, body)))
}

async fn update(context: RequestContext, body: Bytes) -> Outcome {
    let request: UpdateFeaturesRequest<'_> = context.decode(&body)?;
    let updates = request.feature_updates.iter().map(|wanted| FeatureUpdate {
        feature: wanted.feature.to_owned(),
        level: wanted.max_version_level,
        upgrade_type: upgrade_type(context.version, wanted),
    });
    let asked = ControllerRequest::UpdateFeatures {
        updates: updates.collect(),
        validate_only: request.validate_only,
    };
    let result = match ask(&context, asked).await {
        Ok(ControllerResponse::UpdateFeatures(result)) => result.map_err(of_all),
        Ok(_) => Err(unexpected()),
        Err(error) => Err(error),
    };
    let mut response = UpdateFeaturesResponse {
        throttle_time_ms: context.throttle_time_ms,
        error_code: 0,
        error_message: None,
        results: Vec::new(),
    };
    match &result {
        Ok(()) if context.version <= RESULTS_UNTIL => {
            let updates = request.feature_updates.iter();
            response.results = updates
                .map(|wanted| UpdatableFeatureResult {
                    feature: wanted.feature,
                    error_code: 0,
                    error_message: None,
                })
                .collect();
        }
        Ok(()) => {}
        Err(error) => {
            response.error_code = error.code.into();
            response.error_message = error.message.as_deref();
        }
    }
    context.respond(&response)
}

fn of_all(error: ApiError) -> ApiError {
    let text = error.message.unwrap_or_default();
    let text = format!("The update failed for all features since the following feature had an error: {text}");
    ApiError::new(error.code, text)
}

fn upgrade_type(version: i16, wanted: &FeatureUpdateKey<'_>) -> Option<UpgradeType> {
    if version == 0 {
        return Some(if wanted.allow_downgrade { UpgradeType::SafeDowngrade } else { UpgradeType::Upgrade });
    }
    match wanted.upgrade_type {
        1 => Some(UpgradeType::Upgrade),
        2 => Some(UpgradeType::SafeDowngrade),
        3 => Some(UpgradeType::UnsafeDowngrade),
        _ => None,
    }
}
