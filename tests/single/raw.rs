//! A client that sends exactly what a test wants, and the few requests that most tests need.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use millrace::protocol::codec::Codec;
use millrace::protocol::messages::create_topics::{CreatableTopic, CreatableTopicConfig};
use millrace::protocol::messages::fetch::{FetchPartition, FetchTopic};
use millrace::protocol::messages::offset_commit::{OffsetCommitRequestPartition, OffsetCommitRequestTopic};
use millrace::protocol::messages::offset_fetch::OffsetFetchRequestTopic;
use millrace::protocol::messages::produce::{PartitionProduceData, TopicProduceData};
use millrace::protocol::messages::{
    ApiVersionsRequest, CreateTopicsRequest, CreateTopicsResponse, DeleteTopicsRequest, FetchRequest,
    FetchResponse, MetadataRequest, MetadataResponse, OffsetCommitRequest, OffsetFetchRequest,
    OffsetFetchResponse, ProduceRequest, ProduceResponse,
};
use millrace::protocol::record_batch::BatchBuilder;
use millrace::protocol::{Records, Request, Response, decode_response, encode_request};

/// A connection.
pub struct Raw {
    stream: TcpStream,
    next_id: i32,
}

impl Raw {
    pub fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time-out");
        Self { stream, next_id: 0 }
    }

    /// Sends a request; gives its correlation id.
    pub fn send<'a, R: Request<'a>>(&mut self, version: i16, request: &R) -> i32 {
        let id = self.next_id;
        self.next_id += 1;
        let frame = encode_request(id, Some("raw"), version, request).expect("a request");
        self.stream.write_all(&frame).expect("sent");
        id
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("sent");
    }

    /// The next frame without its size prefix; None when the broker has closed.
    pub fn receive(&mut self) -> Option<Vec<u8>> {
        let mut size = [0; 4];
        match self.stream.read_exact(&mut size) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                panic!("no answer within the time-out")
            }
            Err(_) => return None,
        }
        let mut frame = vec![0; u32::from_be_bytes(size) as usize];
        self.stream.read_exact(&mut frame).expect("a whole frame");
        Some(frame)
    }

    /// Sends a request and gives the frame that answers it.
    pub fn call<'a, R: Request<'a>>(&mut self, version: i16, request: &R) -> Vec<u8> {
        let id = self.send(version, request);
        let frame = self.receive().expect("an answer");
        assert_eq!(frame[..4], id.to_be_bytes(), "answers come in the order of requests");
        frame
    }

    /// [`Raw::call`] with the answer read. Its frame is never freed, so that the answer can be held.
    pub fn ask<'a, R: Request<'a>, T: Response<'static>>(&mut self, version: i16, request: &R) -> T {
        let frame: &'static [u8] = self.call(version, request).leak();
        decode_response(frame, version).expect("an answer of this version").1
    }

    /// Sees to it that the connection still has an answer.
    pub fn works(&mut self) {
        let request = ApiVersionsRequest {
            client_software_name: "raw",
            client_software_version: "1",
            ..Default::default()
        };
        self.call(3, &request);
    }

    /// The broker's node id.
    pub fn node_id(&mut self) -> i32 {
        let response: MetadataResponse<'_> = self.ask(9, &MetadataRequest::default());
        response.brokers[0].node_id
    }

    /// Makes a topic with one replica.
    pub fn create_topic(&mut self, name: &str, num_partitions: i32, configs: &[(&str, &str)]) {
        let configs = configs.iter().map(|(name, value)| CreatableTopicConfig { name, value: Some(value) });
        let topic = CreatableTopic {
            name,
            num_partitions,
            replication_factor: 1,
            configs: configs.collect(),
            ..Default::default()
        };
        let request = CreateTopicsRequest { topics: vec![topic], timeout_ms: 10_000, ..Default::default() };
        let frame = self.call(7, &request);
        let (_, response): (i32, CreateTopicsResponse<'_>) =
            decode_response(&frame, 7).expect("CreateTopics");
        assert_eq!(response.topics[0].error_code, 0, "{:?}", response.topics[0].error_message);
        if std::env::var_os("MILLRACE_TEST_ADDRESS").is_some() {
            // Apache Kafka answers before its partitions have leaders.
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    /// Deletes what topics there are, but those of the broker itself, and waits until they are gone.
    pub fn delete_all_topics(&mut self) {
        loop {
            let frame = self.call(9, &MetadataRequest { topics: None, ..Default::default() });
            let (_, response): (i32, MetadataResponse<'_>) = decode_response(&frame, 9).expect("Metadata");
            let theirs = response.topics.iter().filter(|topic| !topic.is_internal);
            let topic_names: Vec<&str> = theirs.filter_map(|topic| topic.name).collect();
            if topic_names.is_empty() {
                return;
            }
            self.call(5, &DeleteTopicsRequest { topic_names, timeout_ms: 10_000, ..Default::default() });
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Produces batches, each to (topic, partition); gives (error code, base offset) of each.
    pub fn produce(&mut self, batches: &[(&str, i32, &[u8])]) -> Vec<(i16, i64)> {
        let frame = self.call(9, &produce_request(-1, batches));
        let (_, response): (i32, ProduceResponse<'_>) = decode_response(&frame, 9).expect("Produce");
        // A broker may answer in another order than it was asked.
        let answered = |name: &str, index: i32| {
            let mut topics = response.responses.iter().filter(|topic| topic.name == name);
            let found = topics.find_map(|t| t.partition_responses.iter().find(|p| p.index == index));
            found.map_or((i16::MIN, -1), |partition| (partition.error_code, partition.base_offset))
        };
        batches.iter().map(|(name, index, _)| answered(name, *index)).collect()
    }

    /// Fetches from one partition: error code, high watermark, records.
    pub fn fetch(&mut self, topic: &str, partition: i32, offset: i64, limits: Limits) -> (i16, i64, Vec<u8>) {
        let frame = self.call(12, &fetch_request(&[(topic, partition, offset)], limits));
        let (_, response): (i32, FetchResponse<'_>) = decode_response(&frame, 12).expect("Fetch");
        let Some(topic) = response.responses.first() else { return (response.error_code, -1, Vec::new()) };
        let partition = &topic.partitions[0];
        let records = partition.records.as_slice().unwrap_or_default().to_vec();
        (partition.error_code, partition.high_watermark, records)
    }

    /// The offsets that a group has committed of these partitions, -1 where none is kept; or the error code.
    pub fn committed(&mut self, group: &str, topic: &str, partitions: &[i32]) -> Result<Vec<i64>, i16> {
        let topic = OffsetFetchRequestTopic { name: topic, partition_indexes: partitions.to_vec() };
        let request = OffsetFetchRequest { group_id: group, topics: Some(vec![topic]), ..Default::default() };
        let response: OffsetFetchResponse<'_> = self.ask(7, &request);
        if response.error_code != 0 {
            return Err(response.error_code);
        }
        let partitions = response.topics.iter().flat_map(|topic| &topic.partitions);
        Ok(partitions.map(|partition| partition.committed_offset).collect())
    }
}

/// Limits of a fetch.
#[derive(Clone, Copy)]
pub struct Limits {
    pub max_wait_ms: i32,
    pub min_bytes: i32,
    pub max_bytes: i32,
    pub partition_max_bytes: i32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_wait_ms: 0, min_bytes: 1, max_bytes: 50 << 20, partition_max_bytes: 1 << 20 }
    }
}

/// A Produce request with one topic entry for each batch.
pub fn produce_request<'a>(acks: i16, batches: &[(&'a str, i32, &'a [u8])]) -> ProduceRequest<'a> {
    let topic_data = batches.iter().map(|(name, index, records)| TopicProduceData {
        name,
        partition_data: vec![PartitionProduceData { index: *index, records: Records::Slice(records) }],
        ..Default::default()
    });
    ProduceRequest { acks, timeout_ms: 10_000, topic_data: topic_data.collect(), ..Default::default() }
}

/// A Fetch request without a session.
pub fn fetch_request<'a>(partitions: &[(&'a str, i32, i64)], limits: Limits) -> FetchRequest<'a> {
    let topics = partitions.iter().map(|(topic, partition, fetch_offset)| FetchTopic {
        topic,
        partitions: vec![FetchPartition {
            partition: *partition,
            fetch_offset: *fetch_offset,
            partition_max_bytes: limits.partition_max_bytes,
            ..Default::default()
        }],
        ..Default::default()
    });
    FetchRequest {
        replica_id: -1,
        max_wait_ms: limits.max_wait_ms,
        min_bytes: limits.min_bytes,
        max_bytes: limits.max_bytes,
        session_epoch: -1,
        topics: topics.collect(),
        ..Default::default()
    }
}

/// OffsetCommit of who is no member of the group.
pub fn offset_commit<'a>(
    group: &'a str,
    topic: &'a str,
    partition: i32,
    offset: i64,
) -> OffsetCommitRequest<'a> {
    let partition = OffsetCommitRequestPartition {
        partition_index: partition,
        committed_offset: offset,
        ..Default::default()
    };
    let topic = OffsetCommitRequestTopic { name: topic, partitions: vec![partition], ..Default::default() };
    OffsetCommitRequest { group_id: group, topics: vec![topic], ..Default::default() }
}

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    let since =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time after 1970");
    since.as_millis() as i64
}

/// One batch of records with these values, all of now.
pub fn batch(values: &[&[u8]]) -> Vec<u8> {
    let timed: Vec<(i64, &[u8])> = values.iter().map(|value| (now_ms(), *value)).collect();
    batch_with(Codec::None, &timed)
}

/// One batch of records with these times and values.
pub fn batch_with(codec: Codec, records: &[(i64, &[u8])]) -> Vec<u8> {
    let mut builder = BatchBuilder::new(codec);
    for (timestamp, value) in records {
        builder.append(*timestamp, None, Some(value), &[]);
    }
    builder.build().expect("a batch")
}
