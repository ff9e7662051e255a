//! JoinGroup (11), SyncGroup (14), Heartbeat (12), LeaveGroup (13).

use bytes::Bytes;

use super::route::{ask, code_of};
use crate::api::RequestContext;
use crate::coordinator::{
    GroupAnswer, GroupRequest, JoinAnswer, JoinCommand, LeavingMember, SyncAnswer, SyncCommand,
};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::join_group::JoinGroupResponseMember;
use crate::protocol::messages::leave_group::MemberResponse;
use crate::protocol::messages::{
    HeartbeatRequest, HeartbeatResponse, JoinGroupRequest, JoinGroupResponse, LeaveGroupRequest,
    LeaveGroupResponse, SyncGroupRequest, SyncGroupResponse,
};

/// Members without an id are sent back with one first, from this version on (KIP-394).
const ID_REQUIRED_FROM: i16 = 4;
/// The protocol type is told from this version on, and null can be said.
const PROTOCOL_TYPE_FROM: i16 = 7;
/// A leader can be told not to assign, from this version on (KIP-814).
const SKIP_ASSIGNMENT_FROM: i16 = 9;
/// Several members leave in one request, from this version on.
const LEAVE_SEVERAL_FROM: i16 = 3;

pub(in crate::api) fn join(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(join_group(context, body)))
}

pub(in crate::api) fn sync(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(sync_group(context, body)))
}

pub(in crate::api) fn heartbeat(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(beat(context, body)))
}

pub(in crate::api) fn leave(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(leave_group(context, body)))
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

async fn join_group(context: RequestContext, body: Bytes) -> Outcome {
    let request: JoinGroupRequest<'_> = context.decode(&body)?;
    let command = JoinCommand {
        member_id: request.member_id.to_owned(),
        instance_id: owned(request.group_instance_id),
        client_id: context.client_id().to_owned(),
        client_host: format!("/{}", context.connection.peer.ip().to_canonical()),
        session_timeout_ms: request.session_timeout_ms,
        // Version 0 has one timeout for both.
        rebalance_timeout_ms: match request.rebalance_timeout_ms {
            ..0 => request.session_timeout_ms,
            timeout_ms => timeout_ms,
        },
        protocol_type: request.protocol_type.to_owned(),
        protocols: request
            .protocols
            .iter()
            .map(|protocol| (protocol.name.to_owned(), Bytes::copy_from_slice(protocol.metadata)))
            .collect(),
        needs_known_id: context.version >= ID_REQUIRED_FROM,
        can_skip_assignment: context.version >= SKIP_ASSIGNMENT_FROM,
    };
    let member_id = request.member_id.to_owned();
    let answer = if request.group_id.is_empty() {
        JoinAnswer::failed(ErrorCode::INVALID_GROUP_ID, &member_id)
    } else {
        match ask(&context, request.group_id, GroupRequest::Join(command)).await {
            GroupAnswer::Join(answer) => answer,
            other => JoinAnswer::failed(code_of(&other), &member_id),
        }
    };
    let members = answer.members.iter().map(|member| JoinGroupResponseMember {
        member_id: &member.member_id,
        group_instance_id: member.instance_id.as_deref(),
        metadata: &member.metadata,
    });
    let response = JoinGroupResponse {
        throttle_time_ms: context.throttle_time_ms,
        error_code: answer.code.into(),
        generation_id: answer.generation,
        protocol_type: answer.protocol_type.as_deref(),
        // Null cannot be said before version 7.
        protocol_name: match answer.protocol.as_deref() {
            None if context.version < PROTOCOL_TYPE_FROM => Some(""),
            protocol => protocol,
        },
        leader: &answer.leader,
        skip_assignment: answer.skip_assignment && context.version >= SKIP_ASSIGNMENT_FROM,
        member_id: &answer.member_id,
        members: members.collect(),
    };
    context.respond(&response)
}

async fn sync_group(context: RequestContext, body: Bytes) -> Outcome {
    let request: SyncGroupRequest<'_> = context.decode(&body)?;
    let command = SyncCommand {
        member_id: request.member_id.to_owned(),
        instance_id: owned(request.group_instance_id),
        generation: request.generation_id,
        protocol_type: owned(request.protocol_type),
        protocol: owned(request.protocol_name),
        assignments: request
            .assignments
            .iter()
            .map(|part| (part.member_id.to_owned(), Bytes::copy_from_slice(part.assignment)))
            .collect(),
    };
    let answer = if request.group_id.is_empty() {
        SyncAnswer::failed(ErrorCode::INVALID_GROUP_ID)
    } else {
        match ask(&context, request.group_id, GroupRequest::Sync(command)).await {
            GroupAnswer::Sync(answer) => answer,
            other => SyncAnswer::failed(code_of(&other)),
        }
    };
    let response = SyncGroupResponse {
        throttle_time_ms: context.throttle_time_ms,
        error_code: answer.code.into(),
        protocol_type: answer.protocol_type.as_deref(),
        protocol_name: answer.protocol.as_deref(),
        assignment: &answer.assignment,
    };
    context.respond(&response)
}

async fn beat(context: RequestContext, body: Bytes) -> Outcome {
    let request: HeartbeatRequest<'_> = context.decode(&body)?;
    let code = if request.group_id.is_empty() {
        ErrorCode::INVALID_GROUP_ID
    } else {
        let heartbeat = GroupRequest::Heartbeat {
            member_id: request.member_id.to_owned(),
            instance_id: owned(request.group_instance_id),
            generation: request.generation_id,
        };
        code_of(&ask(&context, request.group_id, heartbeat).await)
    };
    context
        .respond(&HeartbeatResponse { throttle_time_ms: context.throttle_time_ms, error_code: code.into() })
}

async fn leave_group(context: RequestContext, body: Bytes) -> Outcome {
    let request: LeaveGroupRequest<'_> = context.decode(&body)?;
    let several = context.version >= LEAVE_SEVERAL_FROM;
    let leaving: Vec<LeavingMember> = if several {
        let members = request.members.iter();
        let leaving = members.map(|member| LeavingMember {
            member_id: member.member_id.to_owned(),
            instance_id: owned(member.group_instance_id),
        });
        leaving.collect()
    } else {
        vec![LeavingMember { member_id: request.member_id.to_owned(), instance_id: None }]
    };
    let left = if request.group_id.is_empty() {
        Err(ErrorCode::INVALID_GROUP_ID)
    } else {
        match ask(&context, request.group_id, GroupRequest::Leave(leaving.clone())).await {
            GroupAnswer::Left(codes) => Ok(codes),
            other => Err(code_of(&other)),
        }
    };
    let codes = left.as_deref().unwrap_or_default();
    let whole = left.as_ref().err().copied().unwrap_or(ErrorCode::NONE);
    let mut response = LeaveGroupResponse {
        throttle_time_ms: context.throttle_time_ms,
        error_code: whole.into(),
        ..Default::default()
    };
    if several {
        let members = leaving.iter().zip(codes).map(|(member, code)| MemberResponse {
            member_id: &member.member_id,
            group_instance_id: member.instance_id.as_deref(),
            error_code: (*code).into(),
        });
        response.members = members.collect();
    } else if let (true, Some(code)) = (whole.is_none(), codes.first()) {
        response.error_code = (*code).into();
    }
    context.respond(&response)
}
