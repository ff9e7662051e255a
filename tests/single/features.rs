//! UpdateFeatures: what may be finalized, and what Kafka refuses.

use millrace::protocol::messages::update_features::FeatureUpdateKey;
use millrace::protocol::messages::{
    ApiVersionsRequest, ApiVersionsResponse, UpdateFeaturesRequest, UpdateFeaturesResponse,
};

use crate::broker::Broker;
use crate::raw::Raw;

const UPGRADE: i8 = 1;
const SAFE_DOWNGRADE: i8 = 2;
const UNSAFE_DOWNGRADE: i8 = 3;
const INVALID_UPDATE_VERSION: i16 = 95;
const METADATA: &str = "metadata.version";

/// The newest version gives a code and a text for all together.
fn update(client: &mut Raw, updates: &[(&str, i16, i8)], validate_only: bool) -> (i16, String) {
    let updates = updates.iter().map(|(feature, level, upgrade_type)| FeatureUpdateKey {
        feature,
        max_version_level: *level,
        upgrade_type: *upgrade_type,
        ..Default::default()
    });
    let request =
        UpdateFeaturesRequest { timeout_ms: 10_000, feature_updates: updates.collect(), validate_only };
    let response: UpdateFeaturesResponse<'_> = client.ask(2, &request);
    assert_eq!(response.results, []);
    let text = response.error_message.unwrap_or_default();
    let head = "The update failed for all features since the following feature had an error: ";
    (response.error_code, text.strip_prefix(head).unwrap_or(text).to_owned())
}

fn finalized(client: &mut Raw) -> (i16, i64) {
    let request = ApiVersionsRequest {
        client_software_name: "raw",
        client_software_version: "1",
        ..Default::default()
    };
    let response: ApiVersionsResponse<'_> = client.ask(4, &request);
    let metadata = response.finalized_features.iter().find(|feature| feature.name == METADATA);
    (metadata.expect("metadata.version").max_version_level, response.finalized_features_epoch)
}

#[test]
fn features_move_only_within_what_is_supported() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    let node = client.node_id();
    let (level, epoch) = finalized(&mut client);
    assert_eq!(level, 33);
    let refused = |feature: &str, level: i16, text: &str| {
        (INVALID_UPDATE_VERSION, format!("Invalid update version {level} for feature {feature}. {text}"))
    };
    assert_eq!(
        update(&mut client, &[(METADATA, 99, UPGRADE)], false),
        refused(METADATA, 99, &format!("Local controller {node} only supports versions 7-33"))
    );
    assert_eq!(
        update(&mut client, &[("no.such", 1, UPGRADE)], false),
        refused("no.such", 1, &format!("Local controller {node} does not support this feature."))
    );
    assert_eq!(
        update(&mut client, &[("no.such", 0, UPGRADE)], false),
        refused("no.such", 0, "Feature no.such not found.")
    );
    assert_eq!(
        update(&mut client, &[(METADATA, 32, UPGRADE)], false),
        refused(
            METADATA,
            32,
            "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe \
             downgrade."
        )
    );
    assert_eq!(
        update(&mut client, &[(METADATA, 7, SAFE_DOWNGRADE)], false),
        (
            INVALID_UPDATE_VERSION,
            "Unsupported metadata.version downgrade from 33 to 7. Refusing to perform the requested downgrade because it might delete \
             metadata information."
                .to_owned()
        )
    );
    assert_eq!(
        update(&mut client, &[(METADATA, 7, UNSAFE_DOWNGRADE)], false),
        (
            INVALID_UPDATE_VERSION,
            "Unsupported metadata.version downgrade from 33 to 7. Unsafe metadata downgrade is not supported in \
             this version."
                .to_owned()
        )
    );
    assert_eq!(update(&mut client, &[("kraft.version", 0, UPGRADE)], false).0, INVALID_UPDATE_VERSION);
    assert_eq!(
        update(&mut client, &[("kraft.version", 0, SAFE_DOWNGRADE)], false),
        refused("kraft.version", 0, "Can't downgrade the version of this feature.")
    );
    assert_eq!(
        update(&mut client, &[(METADATA, 33, 9)], false),
        refused(METADATA, 33, "The controller does not support the given upgrade type.")
    );
    assert_eq!(
        update(&mut client, &[(METADATA, -1, UPGRADE)], false),
        refused(METADATA, -1, "A feature version cannot be less than 0.")
    );
    // The level that is there is taken, and so is one of them only checked.
    assert_eq!(update(&mut client, &[(METADATA, 33, UPGRADE)], true), (0, String::new()));
    assert_eq!(update(&mut client, &[(METADATA, 33, UPGRADE)], false), (0, String::new()));
    assert_eq!(finalized(&mut client).0, 33);
    assert!(finalized(&mut client).1 >= epoch);
    // All or none.
    let (code, _) = update(&mut client, &[(METADATA, 33, UPGRADE), ("no.such", 1, UPGRADE)], false);
    assert_eq!(code, INVALID_UPDATE_VERSION);
}

#[test]
fn older_versions_give_each_feature_its_result() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    for version in 0..=1 {
        let updates = vec![FeatureUpdateKey {
            feature: METADATA,
            max_version_level: 33,
            upgrade_type: UPGRADE,
            ..Default::default()
        }];
        let request =
            UpdateFeaturesRequest { timeout_ms: 10_000, feature_updates: updates, ..Default::default() };
        let response: UpdateFeaturesResponse<'_> = client.ask(version, &request);
        assert_eq!(response.error_code, 0);
        let results: Vec<_> = response.results.iter().map(|r| (r.feature, r.error_code)).collect();
        assert_eq!(results, [(METADATA, 0)]);
    }
}
