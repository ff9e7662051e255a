//! ListGroups (16), DescribeGroups (15), DeleteGroups (42).

use bytes::Bytes;

use super::route::{ask, code_of};
use crate::api::RequestContext;
use crate::api::topics::{GROUP_OPERATIONS, NO_OPERATIONS};
use crate::coordinator::{GroupAnswer, GroupDescription, GroupRequest};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::delete_groups::DeletableGroupResult;
use crate::protocol::messages::describe_groups::{DescribedGroup, DescribedGroupMember};
use crate::protocol::messages::list_groups::ListedGroup;
use crate::protocol::messages::{
    DeleteGroupsRequest, DeleteGroupsResponse, DescribeGroupsRequest, DescribeGroupsResponse,
    ListGroupsRequest, ListGroupsResponse,
};
use crate::server::groups_everywhere;

/// The only type of groups there is here (KIP-848).
const GROUP_TYPE: &str = "Classic";
/// GROUP_ID_NOT_FOUND is told from this version on (KIP-1043); before, a group that is not there is "Dead".
const NOT_FOUND_FROM: i16 = 6;

pub(in crate::api) fn list(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(list_groups(context, body)))
}

pub(in crate::api) fn describe(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(describe_groups(context, body)))
}

pub(in crate::api) fn delete(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(delete_groups(context, body)))
}

async fn list_groups(context: RequestContext, body: Bytes) -> Outcome {
    let request: ListGroupsRequest<'_> = context.decode(&body)?;
    let wanted = |filter: &[&str], value: &str| {
        filter.is_empty() || filter.iter().any(|asked| asked.eq_ignore_ascii_case(value))
    };
    let mut groups = groups_everywhere(&context.shard).await;
    groups.sort_by(|a, b| a.group.cmp(&b.group));
    groups.retain(|group| {
        wanted(&request.states_filter, group.state) && wanted(&request.types_filter, GROUP_TYPE)
    });
    let groups = groups
        .iter()
        .map(|group| ListedGroup {
            group_id: &group.group,
            protocol_type: &group.protocol_type,
            group_state: group.state,
            group_type: GROUP_TYPE,
        })
        .collect();
    context.respond(&ListGroupsResponse {
        throttle_time_ms: context.throttle_time_ms,
        groups,
        ..Default::default()
    })
}

async fn describe_groups(context: RequestContext, body: Bytes) -> Outcome {
    let request: DescribeGroupsRequest<'_> = context.decode(&body)?;
    let mut described: Vec<(&str, GroupDescription)> = Vec::with_capacity(request.groups.len());
    for group in &request.groups {
        let description = match ask(&context, group, GroupRequest::Describe).await {
            GroupAnswer::Described(description) => description,
            other => GroupDescription {
                code: code_of(&other),
                state: "",
                protocol_type: String::new(),
                protocol: String::new(),
                members: Vec::new(),
            },
        };
        described.push((group, description));
    }
    let operations = if request.include_authorized_operations { GROUP_OPERATIONS } else { NO_OPERATIONS };
    let groups = described
        .iter()
        .map(|(group_id, description)| {
            let not_found = description.code == ErrorCode::GROUP_ID_NOT_FOUND;
            let code = if not_found && context.version < NOT_FOUND_FROM {
                ErrorCode::NONE
            } else {
                description.code
            };
            let members = description.members.iter().map(|member| DescribedGroupMember {
                member_id: &member.member_id,
                group_instance_id: member.instance_id.as_deref(),
                client_id: &member.client_id,
                client_host: &member.client_host,
                member_metadata: &member.metadata,
                member_assignment: &member.assignment,
            });
            DescribedGroup {
                error_code: code.into(),
                error_message: (!code.is_none() && not_found).then_some("This group does not exist."),
                group_id,
                group_state: description.state,
                protocol_type: &description.protocol_type,
                protocol_data: &description.protocol,
                members: members.collect(),
                authorized_operations: operations,
            }
        })
        .collect();
    context.respond(&DescribeGroupsResponse { throttle_time_ms: context.throttle_time_ms, groups })
}

async fn delete_groups(context: RequestContext, body: Bytes) -> Outcome {
    let request: DeleteGroupsRequest<'_> = context.decode(&body)?;
    let mut results = Vec::with_capacity(request.groups_names.len());
    for group_id in &request.groups_names {
        let code = code_of(&ask(&context, group_id, GroupRequest::Delete).await);
        results.push(DeletableGroupResult { group_id, error_code: code.into(), ..Default::default() });
    }
    context.respond(&DeleteGroupsResponse { throttle_time_ms: context.throttle_time_ms, results })
}
