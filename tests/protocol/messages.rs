//! Every message, both ways, against the crate kafka-protocol, and random bytes into every decode.

use bytes::{Bytes, BytesMut};
use kafka_protocol::messages as theirs;
use kafka_protocol::protocol::{Decodable, Encodable, Message as TheirMessage};
use millrace::protocol::messages::*;
use millrace::protocol::wire::{Message, Reader, Writer};

use crate::random::{Random, Rng};
use crate::random_messages::for_each_message;

/// Random instances for each version.
const ROUNDS: usize = 60;

fn encode<M: Message<'static> + std::fmt::Debug>(message: &M, version: i16) -> BytesMut {
    let mut writer = Writer::new();
    message
        .encode(&mut writer, version)
        .unwrap_or_else(|e| panic!("{} {version}: {e}: {message:?}", M::NAME));
    assert_eq!(writer.len(), message.encoded_len(version), "{} {version}", M::NAME);
    assert_eq!(writer.len(), message.buffer_len(version), "{} {version}", M::NAME);
    assert_eq!(writer.holes(), []);
    writer.finish().0
}

/// Ours -> their decode -> their encode -> the same bytes, and our decode gives the message back.
fn both_ways<M, T>(rng: &mut Rng) -> usize
where
    M: Message<'static> + Random + PartialEq + std::fmt::Debug,
    T: TheirMessage + Encodable + Decodable + std::fmt::Debug,
{
    let versions = M::MIN_VERSION.max(T::VERSIONS.min)..=M::MAX_VERSION.min(T::VERSIONS.max);
    assert!(!versions.is_empty(), "{} has no version in common", M::NAME);
    for version in versions.clone() {
        for _ in 0..ROUNDS {
            let message = M::random(rng, version);
            let bytes = encode(&message, version);
            let mut input = Bytes::copy_from_slice(&bytes);
            let theirs = T::decode(&mut input, version)
                .unwrap_or_else(|e| panic!("{} {version}: {e}: {message:?}", M::NAME));
            assert!(input.is_empty(), "{} {version}: {} bytes left of {message:?}", M::NAME, input.len());
            let mut back = BytesMut::new();
            theirs.encode(&mut back, version).unwrap();
            assert_eq!(back, bytes, "{} {version}: {message:?} {theirs:?}", M::NAME);
            // Leaked, as the messages here live as long as the constants that they are made of.
            let leaked: &'static [u8] = Vec::leak(back.to_vec());
            let mut reader = Reader::new(leaked);
            assert_eq!(M::decode(&mut reader, version).unwrap(), message, "{} {version}", M::NAME);
            reader.finish().unwrap();
        }
    }
    versions.count()
}

macro_rules! both_ways {
    ($rng:expr, $($name:ident $(<$life:lifetime>)?)*) => {
        0 $(+ both_ways::<$name$(<$life>)?, theirs::$name>($rng))*
    };
}

/// LeaderChangeMessage and VotersRecord are left out: the crate refuses their version 0 as soon as they have voters.
#[test]
fn every_message_is_read_and_written_as_kafka_protocol_does() {
    let mut rng = Rng::for_test("both ways");
    let versions = both_ways!(&mut rng,
        ProduceRequest<'static> ProduceResponse<'static> FetchRequest<'static> FetchResponse<'static>
        ListOffsetsRequest<'static> ListOffsetsResponse<'static> MetadataRequest<'static> MetadataResponse<'static>
        OffsetCommitRequest<'static> OffsetCommitResponse<'static> OffsetFetchRequest<'static>
        OffsetFetchResponse<'static> FindCoordinatorRequest<'static> FindCoordinatorResponse<'static>
        JoinGroupRequest<'static> JoinGroupResponse<'static> HeartbeatRequest<'static> HeartbeatResponse
        LeaveGroupRequest<'static> LeaveGroupResponse<'static> SyncGroupRequest<'static> SyncGroupResponse<'static>
        DescribeGroupsRequest<'static> DescribeGroupsResponse<'static> ListGroupsRequest<'static>
        ListGroupsResponse<'static> ApiVersionsRequest<'static> ApiVersionsResponse<'static>
        CreateTopicsRequest<'static> CreateTopicsResponse<'static> DeleteTopicsRequest<'static>
        DeleteTopicsResponse<'static> DeleteRecordsRequest<'static> DeleteRecordsResponse<'static>
        InitProducerIdRequest<'static> InitProducerIdResponse OffsetForLeaderEpochRequest<'static>
        OffsetForLeaderEpochResponse<'static> DescribeConfigsRequest<'static> DescribeConfigsResponse<'static>
        AlterConfigsRequest<'static> AlterConfigsResponse<'static> DescribeLogDirsRequest<'static>
        DescribeLogDirsResponse<'static> CreatePartitionsRequest<'static> CreatePartitionsResponse<'static>
        DeleteGroupsRequest<'static> DeleteGroupsResponse<'static> IncrementalAlterConfigsRequest<'static>
        IncrementalAlterConfigsResponse<'static> DescribeClusterRequest DescribeClusterResponse<'static>
        DescribeProducersRequest<'static> DescribeProducersResponse<'static>
        DescribeTopicPartitionsRequest<'static> DescribeTopicPartitionsResponse<'static>
        AlterReplicaLogDirsRequest<'static> AlterReplicaLogDirsResponse<'static>
        RequestHeader<'static> ResponseHeader EndTxnMarker SnapshotHeaderRecord
        SnapshotFooterRecord KRaftVersionRecord
    );
    println!("{versions} versions of messages");
}

/// Decodes bytes; what is accepted must be writable again, with the size that was computed.
fn decode_anything<M: Message<'static> + std::fmt::Debug>(bytes: &'static [u8], version: i16) {
    if let Ok(message) = M::decode(&mut Reader::new(bytes), version) {
        encode(&message, version);
    }
}

fn survives<M>(rng: &mut Rng)
where
    M: Message<'static> + Random + std::fmt::Debug,
{
    for version in M::MIN_VERSION..=M::MAX_VERSION {
        for _ in 0..20 {
            let length = rng.below(120);
            decode_anything::<M>(rng.bytes(length).leak(), version);
            // Valid ones with a few bytes changed or cut off get deeper.
            let mut bytes = encode(&M::random(rng, version), version).to_vec();
            if rng.chance(3) {
                bytes.truncate(rng.below(bytes.len() + 1));
            }
            for _ in 0..rng.below(4) {
                if !bytes.is_empty() {
                    let at = rng.below(bytes.len());
                    bytes[at] = rng.pick(&[0, 1, 0x7f, 0x80, 0xfe, 0xff, 0x41]);
                }
            }
            decode_anything::<M>(bytes.leak(), version);
        }
        for cut in 0..40 {
            let bytes = encode(&M::random(rng, version), version);
            if let Some(bytes) = bytes.get(..bytes.len().saturating_sub(1 + cut)) {
                let bytes: &'static [u8] = bytes.to_vec().leak();
                let result = M::decode(&mut Reader::new(bytes), version);
                assert!(
                    result.is_err() || bytes.is_empty(),
                    "{} {version} of cut bytes: {result:?}",
                    M::NAME
                );
            }
        }
    }
    let wrong = [M::MIN_VERSION - 1, M::MAX_VERSION + 1, i16::MAX];
    assert!(
        wrong.iter().all(|&version| M::decode(&mut Reader::new(&[0; 99]), version).is_err()),
        "{}",
        M::NAME
    );
}

#[test]
fn bytes_from_anywhere_are_an_error_or_a_message_but_never_a_panic() {
    let mut rng = Rng::for_test("bytes from anywhere");
    macro_rules! survive {
        ($($message:ty, $class:literal;)*) => { $(survives::<$message>(&mut rng);)* };
    }
    for_each_message!(survive);
    for _ in 0..20_000 {
        let length = rng.below(60);
        let mut bytes = rng.bytes(length);
        if let [frame, kind, ..] = &mut bytes[..] {
            (*frame, *kind) = (1, *kind % 30);
        }
        let _ = MetadataRecord::decode(&bytes);
    }
}

proptest::proptest! {
    #[test]
    fn frames_of_any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
        if let Ok((_, body)) = millrace::protocol::decode_request_header(&bytes) {
            let _ = FetchRequest::decode(&mut body.clone(), 17);
            let _ = ProduceRequest::decode(&mut body.clone(), 9);
        }
        let _ = millrace::protocol::decode_response::<MetadataResponse<'_>>(&bytes, 12);
    }
}

#[test]
fn a_huge_array_in_a_few_bytes_is_refused_before_memory_is_taken() {
    let mut bytes = vec![0x7f, 0xff, 0xff, 0xff];
    bytes.extend([0; 100]);
    assert!(MetadataRequest::decode(&mut Reader::new(&bytes), 1).is_err());
    let compact = [0xff, 0xff, 0xff, 0xff, 0x07, 0, 0, 0];
    assert!(DeleteGroupsRequest::decode(&mut Reader::new(&compact), 2).is_err());
}

#[test]
fn what_a_version_cannot_carry_is_refused_or_dropped() {
    use millrace::protocol::wire::EncodeError;
    let request = FetchRequest { rack_id: "r1", ..Default::default() };
    // Ignorable: dropped.
    let back = encode(&request, 4);
    assert_eq!(FetchRequest::decode(&mut Reader::new(&back), 4).unwrap().rack_id, "");
    // Not ignorable: refused.
    let mut forgotten = FetchRequest::default();
    forgotten.forgotten_topics_data.push(Default::default());
    let error = forgotten.encode(&mut Writer::new(), 4);
    let expected = EncodeError::UnsupportedField { field: "FetchRequest.ForgottenTopicsData", version: 4 };
    assert_eq!(error, Err(expected));
    // Null before a version knows it.
    let all = MetadataRequest { topics: None, ..Default::default() };
    assert!(matches!(all.encode(&mut Writer::new(), 0), Err(EncodeError::UnexpectedNull { version: 0, .. })));
    assert!(all.encode(&mut Writer::new(), 99).is_err());
    let long = "x".repeat(40_000);
    let long = OffsetCommitKey { group: &long, ..Default::default() };
    assert_eq!(long.encode(&mut Writer::new(), 0), Err(EncodeError::TooLong(40_000)));
}

#[test]
fn list_offsets_version_0_is_what_old_librdkafka_sends_and_reads() {
    use millrace::protocol::messages::list_offsets::*;
    let request = [
        &[0xff, 0xff, 0xff, 0xff][..], // replica
        &[0, 0, 0, 1, 0, 1, b't'],     // one topic
        &[0, 0, 0, 1, 0, 0, 0, 5],     // partition 5
        &[0xff; 8],                    // latest
        &[0, 0, 0, 1],                 // one offset
    ]
    .concat();
    let mut reader = Reader::new(&request);
    let decoded = ListOffsetsRequest::decode(&mut reader, 0).unwrap();
    reader.finish().unwrap();
    let partition = &decoded.topics[0].partitions[0];
    assert_eq!((partition.partition_index, partition.timestamp, partition.max_num_offsets), (5, -1, 1));
    let partition = ListOffsetsPartitionResponse {
        partition_index: 5,
        old_style_offsets: vec![42],
        ..Default::default()
    };
    let topic = ListOffsetsTopicResponse { name: "t", partitions: vec![partition] };
    let mut writer = Writer::new();
    ListOffsetsResponse { topics: vec![topic], ..Default::default() }.encode(&mut writer, 0).unwrap();
    let expected =
        [&[0, 0, 0, 1, 0, 1, b't', 0, 0, 0, 1, 0, 0, 0, 5, 0, 0][..], &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 42]]
            .concat();
    assert_eq!(writer.as_slice(), expected);
}
