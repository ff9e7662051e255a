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
