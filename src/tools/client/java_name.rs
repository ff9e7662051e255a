//! The names that Kafka's tools give to error codes: scripts and people search logs for them.

use crate::protocol::ErrorCode;

/// Names that do not follow from the code's.
const IRREGULAR: &[(ErrorCode, &str)] = &[
    (ErrorCode::CORRUPT_MESSAGE, "CorruptRecordException"),
    (ErrorCode::REQUEST_TIMED_OUT, "TimeoutException"),
    (ErrorCode::MESSAGE_TOO_LARGE, "RecordTooLargeException"),
    (ErrorCode::STALE_CONTROLLER_EPOCH, "ControllerMovedException"),
    (ErrorCode::RECORD_LIST_TOO_LARGE, "RecordBatchTooLargeException"),
    (ErrorCode::TOPIC_ALREADY_EXISTS, "TopicExistsException"),
    (ErrorCode::INVALID_PARTITIONS, "InvalidPartitionsException"),
    (ErrorCode::INVALID_CONFIG, "InvalidConfigurationException"),
    (ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER, "OutOfOrderSequenceException"),
    (ErrorCode::DUPLICATE_SEQUENCE_NUMBER, "DuplicateSequenceException"),
    (ErrorCode::INVALID_PRODUCER_ID_MAPPING, "InvalidPidMappingException"),
    (ErrorCode::TOPIC_AUTHORIZATION_FAILED, "TopicAuthorizationException"),
    (ErrorCode::GROUP_AUTHORIZATION_FAILED, "GroupAuthorizationException"),
    (ErrorCode::CLUSTER_AUTHORIZATION_FAILED, "ClusterAuthorizationException"),
    (ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED, "TransactionalIdAuthorizationException"),
    (ErrorCode::NON_EMPTY_GROUP, "GroupNotEmptyException"),
    (ErrorCode::MISMATCHED_ENDPOINT_TYPE, "MismatchedEndpointTypeException"),
];

/// What Kafka says of a code when the broker says no more, for those codes that tools meet most.
const MESSAGES: &[(ErrorCode, &str)] = &[
    (
        ErrorCode::OFFSET_OUT_OF_RANGE,
        "The requested offset is not within the range of offsets maintained by the server.",
    ),
    (ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition."),
    (
        ErrorCode::LEADER_NOT_AVAILABLE,
        "There is no leader for this topic-partition as we are in the middle of a leadership election.",
    ),
    (
        ErrorCode::NOT_LEADER_OR_FOLLOWER,
        "For requests intended only for the leader, this error indicates that the broker is not the current leader. For \
         requests intended for any replica, this error indicates that the broker is not a replica of the topic partition.",
    ),
    (ErrorCode::REQUEST_TIMED_OUT, "The request timed out."),
    (ErrorCode::COORDINATOR_NOT_AVAILABLE, "The coordinator is not available."),
    (ErrorCode::NOT_COORDINATOR, "This is not the correct coordinator."),
    (ErrorCode::TOPIC_AUTHORIZATION_FAILED, "Topic authorization failed."),
    (ErrorCode::GROUP_AUTHORIZATION_FAILED, "Group authorization failed."),
    (ErrorCode::CLUSTER_AUTHORIZATION_FAILED, "Cluster authorization failed."),
    (ErrorCode::UNSUPPORTED_VERSION, "The version of API is not supported."),
    (ErrorCode::POLICY_VIOLATION, "Request parameters do not satisfy the configured policy."),
    (ErrorCode::KAFKA_STORAGE_ERROR, "Disk error when trying to access log file on the disk."),
    (ErrorCode::NOT_CONTROLLER, "This is not the correct controller for this cluster."),
    (
        ErrorCode::UNKNOWN_SERVER_ERROR,
        "The server experienced an unexpected error when processing the request.",
    ),
    (
        ErrorCode::FENCED_INSTANCE_ID,
        "The broker rejected this static consumer since another consumer with the same group.instance.id has registered \
         with a different member.id.",
    ),
];

/// What Kafka says of a code; its name if it is a rare one.
pub fn default_message(code: ErrorCode) -> &'static str {
    MESSAGES.iter().find(|(known, _)| *known == code).map_or(code.name(), |(_, text)| text)
}

/// The full Java name of the exception that stands for a code.
pub fn exception_name(code: ErrorCode) -> String {
    let simple = IRREGULAR.iter().find(|(known, _)| *known == code).map_or_else(
        || {
            let mut name: String = code.name().split('_').map(capitalized).collect();
            if !name.ends_with("Exception") {
                name.push_str("Exception");
            }
            name
        },
        |(_, name)| (*name).to_owned(),
    );
    format!("org.apache.kafka.common.errors.{simple}")
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_ascii_uppercase().to_string() + &letters.as_str().to_ascii_lowercase()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_java_classes() {
        let simple = |code| exception_name(code).rsplit('.').next().unwrap().to_owned();
        assert_eq!(simple(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION), "UnknownTopicOrPartitionException");
        assert_eq!(simple(ErrorCode::INVALID_TOPIC_EXCEPTION), "InvalidTopicException");
        assert_eq!(simple(ErrorCode::TOPIC_ALREADY_EXISTS), "TopicExistsException");
        assert_eq!(simple(ErrorCode::INVALID_REPLICATION_FACTOR), "InvalidReplicationFactorException");
        assert_eq!(simple(ErrorCode::NOT_LEADER_OR_FOLLOWER), "NotLeaderOrFollowerException");
    }
}
