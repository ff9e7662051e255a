//! DescribeClientQuotas (48) and AlterClientQuotas (49): quotas of users, client ids and addresses (KIP-546). They are
//! kept and told; no request is held back for them yet.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use super::context::RequestContext;
use super::mutation::{ask, code_and_message, unexpected};
use crate::controller::quotas::{CLIENT_ID, IP, USER};
use crate::controller::{
    ApiError, ControllerRequest, ControllerResponse, QuotaAlteration, QuotaEntity, QuotasAltered,
};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::alter_client_quotas::{ResponseEntityData, ResponseEntryData};
use crate::protocol::messages::describe_client_quotas::{ComponentData, EntityData, EntryData, ValueData};
use crate::protocol::messages::{
    AlterClientQuotasRequest, AlterClientQuotasResponse, DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
};

/// A component names one entity.
const MATCH_EXACT: i8 = 0;
/// A component stands for the default of its type.
const MATCH_DEFAULT: i8 = 1;
/// A component stands for all of its type, the default included.
const MATCH_ANY: i8 = 2;

/// DescribeClientQuotas.
pub(super) fn describe(context: RequestContext, body: Bytes) -> Step {
    let request: DescribeClientQuotasRequest<'_> = match context.decode(&body) {
        Ok(request) => request,
        Err(reason) => return Step::Done(Err(reason)),
    };
    let filter = match Filter::of(&request) {
        Ok(filter) => filter,
        Err(error) => {
            return context.done(&DescribeClientQuotasResponse {
                throttle_time_ms: context.throttle_time_ms,
                error_code: error.code.into(),
                error_message: error.message.as_deref(),
                entries: None,
            });
        }
    };
    let image = context.shard.image();
    let entries = image
        .client_quotas
        .iter()
        .filter(|(entity, _)| filter.matches(entity))
        .map(|(entity, quotas)| EntryData {
            entity: entity
                .0
                .iter()
                .map(|(entity_type, name)| EntityData { entity_type, entity_name: name.as_deref() })
                .collect(),
            values: quotas.iter().map(|(key, value)| ValueData { key, value: *value }).collect(),
        })
        .collect();
    context.done(&DescribeClientQuotasResponse {
        throttle_time_ms: context.throttle_time_ms,
        entries: Some(entries),
        ..Default::default()
    })
}

/// Which entities are asked for (Kafka's ClientQuotasImage).
#[derive(Default)]
struct Filter<'r> {
    /// Types with the name that they must have; None: the default.
    exact: BTreeMap<&'r str, Option<&'r str>>,
    /// Types that must be there.
    any: BTreeSet<&'r str>,
    /// Whether no other type may be.
    strict: bool,
}

impl<'r> Filter<'r> {
    fn of(request: &DescribeClientQuotasRequest<'r>) -> Result<Self, ApiError> {
        let mut filter = Self { strict: request.strict, ..Self::default() };
        for component in &request.components {
            filter.add(component)?;
        }
        if filter.has(IP) && (filter.has(USER) || filter.has(CLIENT_ID)) {
            return Err(invalid(
                "Invalid entity filter component combination. IP filter component should not be used with user \
                 or clientId filter component.",
            ));
        }
        Ok(filter)
    }

    fn has(&self, entity_type: &str) -> bool {
        self.exact.contains_key(entity_type) || self.any.contains(entity_type)
    }

    fn add(&mut self, component: &ComponentData<'r>) -> Result<(), ApiError> {
        let ComponentData { entity_type, match_type, r#match: name } = *component;
        if entity_type.is_empty() {
            return Err(invalid("Invalid empty entity type."));
        }
        if self.has(entity_type) {
            return Err(invalid(format!(
                "Entity type {entity_type} cannot appear more than once in the filter."
            )));
        }
        if ![IP, USER, CLIENT_ID].contains(&entity_type) {
            let text = format!("Unsupported entity type {entity_type}");
            return Err(ApiError::new(ErrorCode::UNSUPPORTED_VERSION, text));
        }
        match (match_type, name) {
            (MATCH_EXACT, Some(_)) | (MATCH_DEFAULT, None) => drop(self.exact.insert(entity_type, name)),
            (MATCH_ANY, None) => drop(self.any.insert(entity_type)),
            (MATCH_EXACT, None) => {
                return Err(invalid("Request specified MATCH_TYPE_EXACT, but set match string to null."));
            }
            (MATCH_DEFAULT, Some(_)) => {
                return Err(invalid(
                    "Request specified MATCH_TYPE_DEFAULT, but also specified a match string.",
                ));
            }
            (MATCH_ANY, Some(_)) => {
                return Err(invalid(
                    "Request specified MATCH_TYPE_SPECIFIED, but also specified a match string.",
                ));
            }
            (other, _) => return Err(invalid(format!("Unknown match type {other}"))),
        }
        Ok(())
    }

    fn matches(&self, QuotaEntity(names): &QuotaEntity) -> bool {
        let is_exact = |(entity_type, name): (&&str, &Option<&str>)| match names.get(*entity_type) {
            Some(present) => present.as_deref() == *name,
            None => false,
        };
        (!self.strict || names.len() == self.exact.len() + self.any.len())
            && self.exact.iter().all(is_exact)
            && self.any.iter().all(|entity_type| names.contains_key(*entity_type))
    }
}

fn invalid(text: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::INVALID_REQUEST, text)
}

/// AlterClientQuotas.
pub(super) fn alter(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(alter_all(context, body)))
}

async fn alter_all(context: RequestContext, body: Bytes) -> Outcome {
    let request: AlterClientQuotasRequest<'_> = context.decode(&body)?;
    let alterations: Vec<QuotaAlteration> = request
        .entries
        .iter()
        .map(|entry| QuotaAlteration {
            entity: QuotaEntity(
                entry
                    .entity
                    .iter()
                    .map(|part| (part.entity_type.to_owned(), part.entity_name.map(str::to_owned)))
                    .collect(),
            ),
            ops: entry.ops.iter().map(|op| (op.key.to_owned(), (!op.remove).then_some(op.value))).collect(),
        })
        .collect();
    let entities: Vec<QuotaEntity> = alterations.iter().map(|altered| altered.entity.clone()).collect();
    let failed = |error: ApiError| {
        let each = entities.iter();
        each.map(|entity| QuotasAltered { entity: entity.clone(), result: Err(error.clone()) }).collect()
    };
    let asked = ControllerRequest::AlterClientQuotas { alterations, validate_only: request.validate_only };
    let results: Vec<QuotasAltered> = match ask(&context, asked).await {
        Ok(ControllerResponse::AlterClientQuotas(results)) => results,
        Ok(_) => failed(unexpected()),
        Err(error) => failed(error),
    };
    let entries = results
        .iter()
        .map(|altered| {
            let (error_code, error_message) = code_and_message(altered.result.as_ref().copied());
            let names = altered.entity.0.iter();
            ResponseEntryData {
                error_code,
                error_message,
                entity: names
                    .map(|(entity_type, name)| ResponseEntityData {
                        entity_type,
                        entity_name: name.as_deref(),
                    })
                    .collect(),
            }
        })
        .collect();
    context.respond(&AlterClientQuotasResponse { throttle_time_ms: context.throttle_time_ms, entries })
}
