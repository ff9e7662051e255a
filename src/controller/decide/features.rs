//! UpdateFeatures (Kafka's FeatureControlManager).

use crate::controller::records::{METADATA_VERSION_FEATURE, RecordList};
use crate::controller::request::{ApiError, FeatureUpdate, UpgradeType};
use crate::protocol::ErrorCode;
use crate::protocol::messages::FeatureLevelRecord;

use super::context::{Context, Decision, cannot_encode};

/// Name of the version of the consensus, which a control record of the metadata log states.
const KRAFT_VERSION_FEATURE: &str = "kraft.version";
/// Its levels that are supported.
const KRAFT_VERSIONS: (i16, i16) = (0, 1);

/// Features that Kafka 4.4.0 knows beside the metadata version. None is served here, so each stands at level 0.
const OTHER_FEATURES: [&str; 5] = [
    "transaction.version",
    "group.version",
    "eligible.leader.replicas.version",
    "share.version",
    "streams.version",
];

/// All updates or none.
pub(super) fn decide(
    context: &Context<'_>,
    updates: &[FeatureUpdate],
    validate_only: bool,
) -> Decision<Result<(), ApiError>> {
    let mut records = RecordList::default();
    for update in updates {
        if let Err(error) = check(context, update, &mut records) {
            return Decision::unchanged(Err(error));
        }
    }
    let records = if validate_only { RecordList::default() } else { records };
    Decision { records, response: Ok(()) }
}

fn check(context: &Context<'_>, update: &FeatureUpdate, records: &mut RecordList) -> Result<(), ApiError> {
    let FeatureUpdate { feature, level, upgrade_type } = update;
    let refuse = |text: &str| {
        let text = format!("Invalid update version {level} for feature {feature}. {text}");
        Err(ApiError::new(ErrorCode::INVALID_UPDATE_VERSION, text))
    };
    let Some(upgrade_type) = upgrade_type else {
        return refuse("The controller does not support the given upgrade type.");
    };
    if *level < 0 {
        return refuse("A feature version cannot be less than 0.");
    }
    if let Some(reason) = unsupported(context, feature, *level) {
        return refuse(&reason);
    }
    let present = context.image.features.get(feature.as_str()).copied().unwrap_or(0);
    if *level < present && *upgrade_type == UpgradeType::Upgrade {
        return refuse(
            "Can't downgrade the version of this feature without setting the upgrade type to either safe or \
             unsafe downgrade.",
        );
    }
    if *level > present && *upgrade_type != UpgradeType::Upgrade {
        return refuse("Can't downgrade to a newer version.");
    }
    match feature.as_str() {
        METADATA_VERSION_FEATURE if *level == present => {
            // Kafka writes the level that is there once more.
            let record = FeatureLevelRecord { name: METADATA_VERSION_FEATURE, feature_level: *level };
            records.push(&record).map_err(|error| cannot_encode(&error))
        }
        // Records are written in the form of the newest version alone, so an older one cannot be gone back to.
        METADATA_VERSION_FEATURE => {
            let text = match upgrade_type {
                UpgradeType::UnsafeDowngrade => "Unsafe metadata downgrade is not supported in this version.",
                _ => {
                    "Refusing to perform the requested downgrade because it might delete metadata information."
                }
            };
            let text = format!("Unsupported metadata.version downgrade from {present} to {level}. {text}");
            Err(ApiError::new(ErrorCode::INVALID_UPDATE_VERSION, text))
        }
        KRAFT_VERSION_FEATURE if *level == present => Ok(()),
        KRAFT_VERSION_FEATURE => refuse("Can't downgrade the version of this feature."),
        // Only level 0 comes here, which is where it stands.
        known if OTHER_FEATURES.contains(&known) => Ok(()),
        unknown => refuse(&format!("Feature {unknown} not found.")),
    }
}

/// Why a node of the cluster could not run at this level: the controller, then the brokers.
fn unsupported(context: &Context<'_>, feature: &str, level: i16) -> Option<String> {
    let image = context.image;
    let reason = |what: String, (least, most): (i16, i16)| match (least..=most).contains(&level) {
        true => None,
        false if most == 0 => Some(format!("{what} does not support this feature.")),
        false if least == most => Some(format!("{what} only supports versions {least}")),
        false => Some(format!("{what} only supports versions {least}-{most}")),
    };
    let range = |node: i32| match feature {
        KRAFT_VERSION_FEATURE => KRAFT_VERSIONS,
        _ => image.broker(node).and_then(|b| b.supported_features.get(feature)).copied().unwrap_or((0, 0)),
    };
    let controller = image.controller_id;
    reason(format!("Local controller {controller}"), range(controller))
        .or_else(|| image.brokers.keys().find_map(|&id| reason(format!("Broker {id}"), range(id))))
}
