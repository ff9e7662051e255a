//! DescribeLogDirs (35): what lies in which log directory (KIP-113).

use std::collections::BTreeMap;

use bytes::Bytes;

use super::context::RequestContext;
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::describe_log_dirs::{
    DescribeLogDirsPartition, DescribeLogDirsResult, DescribeLogDirsTopic,
};
use crate::protocol::messages::{DescribeLogDirsRequest, DescribeLogDirsResponse};
use crate::server::{LogSize, log_sizes_everywhere};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(describe(context, body)))
}

fn is_asked(request: &DescribeLogDirsRequest<'_>, size: &LogSize) -> bool {
    let Some(topics) = &request.topics else { return true };
    topics.iter().any(|topic| topic.topic == &*size.topic && topic.partitions.contains(&size.partition))
}

async fn describe(context: RequestContext, body: Bytes) -> Outcome {
    let request: DescribeLogDirsRequest<'_> = context.decode(&body)?;
    let mut sizes = log_sizes_everywhere(&context.shard).await;
    sizes.retain(|size| is_asked(&request, size));
    sizes.sort_by(|a, b| (&a.topic, a.partition).cmp(&(&b.topic, b.partition)));
    let directories = context.shard.partitions.logs().directories();
    let paths: Vec<String> = directories.iter().map(|state| state.path.display().to_string()).collect();
    let results = directories.iter().zip(&paths).map(|(state, path)| {
        let mut topics: BTreeMap<&str, Vec<DescribeLogDirsPartition>> = BTreeMap::new();
        for size in sizes.iter().filter(|size| size.directory == state.id) {
            topics.entry(&size.topic).or_default().push(DescribeLogDirsPartition {
                partition_index: size.partition,
                partition_size: i64::try_from(size.bytes).unwrap_or(i64::MAX),
                offset_lag: size.copy_behind.unwrap_or(0),
                is_future_key: size.copy_behind.is_some(),
            });
        }
        let code = if state.offline.is_some() { ErrorCode::KAFKA_STORAGE_ERROR } else { ErrorCode::NONE };
        DescribeLogDirsResult {
            error_code: code.into(),
            log_dir: path,
            topics: topics
                .into_iter()
                .map(|(name, partitions)| DescribeLogDirsTopic { name, partitions })
                .collect(),
            total_bytes: i64::try_from(state.total_bytes).unwrap_or(i64::MAX),
            usable_bytes: i64::try_from(state.free_bytes).unwrap_or(i64::MAX),
            ..Default::default()
        }
    });
    let results = results.collect();
    context.respond(&DescribeLogDirsResponse {
        throttle_time_ms: context.throttle_time_ms,
        results,
        ..Default::default()
    })
}
