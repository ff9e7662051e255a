//! AlterClientQuotas (Kafka's ClientQuotaControlManager).

use std::collections::BTreeMap;
use std::net::IpAddr;

use crate::config::{Key, Kind, client_quota_keys, ip_quota_keys};
use crate::controller::quotas::{CLIENT_ID, IP, QuotaEntity, USER};
use crate::controller::records::RecordList;
use crate::controller::request::{ApiError, QuotaAlteration, QuotasAltered};
use crate::protocol::ErrorCode;
use crate::protocol::messages::ClientQuotaRecord;
use crate::protocol::messages::client_quota_record::EntityData;

use super::context::{Context, Decision, cannot_encode};

pub(super) fn decide(
    context: &Context<'_>,
    alterations: &[QuotaAlteration],
    validate_only: bool,
) -> Decision<Vec<QuotasAltered>> {
    let mut records = RecordList::default();
    // An entity is answered once, however often it stands there.
    let mut response: Vec<QuotasAltered> = Vec::new();
    for alteration in alterations {
        let entity = &alteration.entity;
        let present = response.iter_mut().find(|altered| altered.entity == *entity);
        let result = match (&present, duplicate_key(alteration)) {
            (None, None) => alter(context, alteration, &mut records),
            _ => Err(refusal(format!("Ignoring duplicate entity {}", entity.text()))),
        };
        match present {
            Some(present) => present.result = result,
            None => response.push(QuotasAltered { entity: entity.clone(), result }),
        }
    }
    let records = if validate_only { RecordList::default() } else { records };
    Decision { records, response }
}

fn refusal(text: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::INVALID_REQUEST, text)
}

/// A key that stands twice in one entity's changes. Kafka tells it as if the entity did.
fn duplicate_key(alteration: &QuotaAlteration) -> Option<&str> {
    let keys = alteration.ops.iter().map(|(key, _)| key.as_str());
    let mut seen = Vec::new();
    for key in keys {
        if seen.contains(&key) {
            return Some(key);
        }
        seen.push(key);
    }
    None
}

fn alter(
    context: &Context<'_>,
    alteration: &QuotaAlteration,
    records: &mut RecordList,
) -> Result<(), ApiError> {
    let entity = &alteration.entity;
    check_entity(entity)?;
    let known = keys_of(entity)?;
    let present = context.image.client_quotas.get(entity);
    let mut changes: BTreeMap<&str, Option<f64>> = BTreeMap::new();
    for (key, value) in &alteration.ops {
        match value {
            Some(value) => {
                check_value(known, key, *value)?;
                if present.get(key) != Some(value) {
                    changes.insert(key, Some(*value));
                }
            }
            None if present.contains_key(key) => drop(changes.insert(key, None)),
            None => {}
        }
    }
    let mut written = RecordList::default();
    for (key, value) in changes {
        let named = entity.0.iter();
        let record = ClientQuotaRecord {
            entity: named
                .map(|(entity_type, name)| EntityData { entity_type, entity_name: name.as_deref() })
                .collect(),
            key,
            value: value.unwrap_or_default(),
            remove: value.is_none(),
        };
        written.push(&record).map_err(|error| cannot_encode(&error))?;
    }
    records.append(written);
    Ok(())
}

fn check_entity(entity: &QuotaEntity) -> Result<(), ApiError> {
    if entity.0.is_empty() {
        return Err(refusal("Invalid empty client quota entity"));
    }
    for (entity_type, name) in &entity.0 {
        if !matches!(entity_type.as_str(), USER | CLIENT_ID | IP) {
            return Err(refusal(format!("Unhandled client quota entity type: {entity_type}")));
        }
        if name.as_deref() == Some("") {
            return Err(refusal(format!("Empty {entity_type} not supported")));
        }
    }
    Ok(())
}

/// The keys that quotas of such an entity may have.
fn keys_of(entity: &QuotaEntity) -> Result<&'static [Key], ApiError> {
    let Some(ip) = entity.0.get(IP) else { return Ok(client_quota_keys()) };
    if entity.0.len() > 1 {
        return Err(refusal(
            "Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId",
        ));
    }
    match ip {
        // Kafka takes host names as well and resolves them, which a shard must not wait for.
        Some(ip) if ip.parse::<IpAddr>().is_err() => {
            Err(refusal(format!("{ip} is not a valid IP or resolvable host.")))
        }
        _ => Ok(ip_quota_keys()),
    }
}

fn check_value(known: &[Key], key: &str, value: f64) -> Result<(), ApiError> {
    let kind = match known.iter().find(|known| known.name == key).map(|known| known.kind) {
        Some(kind @ (Kind::Double | Kind::Int | Kind::Long)) => kind,
        // Credentials stand in the same table and are no quotas.
        _ => return Err(refusal(format!("Invalid configuration key {key}"))),
    };
    if value.is_nan() || value <= 0.0 {
        return Err(refusal(format!("Quota {key} must be greater than 0")));
    }
    let too_large = |name| refusal(format!("Proposed value for {key} is too large for {name}."));
    match kind {
        Kind::Int if value > f64::from(i32::MAX) => Err(too_large("an INT")),
        Kind::Long if value > i64::MAX as f64 => Err(too_large("a LONG")),
        Kind::Int | Kind::Long if value.fract() > 1e-6 => {
            Err(refusal(format!("{key} cannot be a fractional value.")))
        }
        _ => Ok(()),
    }
}
