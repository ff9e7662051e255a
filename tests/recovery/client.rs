//! A small blocking client.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use millrace::protocol::messages::alter_replica_log_dirs::{AlterReplicaLogDir, AlterReplicaLogDirTopic};
use millrace::protocol::messages::{
    AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse, CreateTopicsRequest, CreateTopicsResponse,
    DescribeLogDirsRequest, DescribeLogDirsResponse, FetchRequest, FetchResponse, InitProducerIdRequest,
    InitProducerIdResponse, ProduceRequest, ProduceResponse, create_topics, fetch, produce,
};
use millrace::protocol::record_batch::batches;
use millrace::protocol::{Records, decode_response, encode_request};

pub struct Client {
    stream: TcpStream,
}

/// A record as it was read.
#[derive(Debug)]
pub struct Read1 {
    pub offset: i64,
    pub value: Vec<u8>,
}

impl Client {
    pub fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        // A broker that was cut off may never answer; the test goes on.
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Self { stream })
    }

    fn call(&mut self, frame: &[u8]) -> io::Result<Vec<u8>> {
        self.stream.write_all(frame)?;
        let mut len = [0; 4];
        self.stream.read_exact(&mut len)?;
        let mut answer = vec![0; u32::from_be_bytes(len) as usize];
        self.stream.read_exact(&mut answer)?;
        Ok(answer)
    }

    /// Makes a topic; its error code.
    pub fn create_topic(&mut self, name: &str, partitions: i32, configs: &[(&str, &str)]) -> io::Result<i16> {
        let configs = configs
            .iter()
            .map(|(name, value)| create_topics::CreatableTopicConfig { name, value: Some(value) })
            .collect();
        let topic = create_topics::CreatableTopic {
            name,
            num_partitions: partitions,
            replication_factor: 1,
            configs,
            ..Default::default()
        };
        let request = CreateTopicsRequest { topics: vec![topic], ..Default::default() };
        let answer = self.call(&encode_request(1, Some("recovery"), 5, &request).unwrap())?;
        let (_, response) = decode_response::<CreateTopicsResponse>(&answer, 5).map_err(io::Error::other)?;
        Ok(response.topics.first().map_or(-1, |topic| topic.error_code))
    }

    /// A producer id and epoch.
    pub fn init_producer_id(&mut self) -> io::Result<(i64, i16)> {
        let request = InitProducerIdRequest {
            transactional_id: None,
            transaction_timeout_ms: 60_000,
            ..Default::default()
        };
        let answer = self.call(&encode_request(2, Some("recovery"), 2, &request).unwrap())?;
        let (_, response) =
            decode_response::<InitProducerIdResponse>(&answer, 2).map_err(io::Error::other)?;
        if response.error_code != 0 {
            return Err(io::Error::other(format!("InitProducerId: error {}", response.error_code)));
        }
        Ok((response.producer_id, response.producer_epoch))
    }

    /// Produces one batch with acks=all: its error code and base offset.
    pub fn produce(&mut self, topic: &str, partition: i32, batch: &[u8]) -> io::Result<(i16, i64)> {
        let request = ProduceRequest {
            acks: -1,
            timeout_ms: 30_000,
            topic_data: vec![produce::TopicProduceData {
                name: topic,
                partition_data: vec![produce::PartitionProduceData {
                    index: partition,
                    records: Records::Slice(batch),
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let answer = self.call(&encode_request(3, Some("recovery"), 9, &request).unwrap())?;
        let (_, response) = decode_response::<ProduceResponse>(&answer, 9).map_err(io::Error::other)?;
        let partition = response.responses.first().and_then(|topic| topic.partition_responses.first());
        partition
            .map(|p| (p.error_code, p.base_offset))
            .ok_or_else(|| io::Error::other("an empty produce response"))
    }

    /// Asks for a partition to be brought into the log directory at `path`: its error code.
    pub fn move_to_directory(&mut self, path: &str, topic: &str, partition: i32) -> io::Result<i16> {
        let topics = vec![AlterReplicaLogDirTopic { name: topic, partitions: vec![partition] }];
        let request = AlterReplicaLogDirsRequest { dirs: vec![AlterReplicaLogDir { path, topics }] };
        let answer = self.call(&encode_request(5, Some("recovery"), 2, &request).unwrap())?;
        let (_, response) =
            decode_response::<AlterReplicaLogDirsResponse>(&answer, 2).map_err(io::Error::other)?;
        let partition = response.results.first().and_then(|topic| topic.partitions.first());
        Ok(partition.map_or(-1, |partition| partition.error_code))
    }

    /// Where a partition is: log directories, and whether what is there is a copy that is not whole.
    pub fn directories_of(&mut self, topic: &str, partition: i32) -> io::Result<Vec<(String, bool)>> {
        let request = DescribeLogDirsRequest { topics: None };
        let answer = self.call(&encode_request(6, Some("recovery"), 4, &request).unwrap())?;
        let (_, response) =
            decode_response::<DescribeLogDirsResponse>(&answer, 4).map_err(io::Error::other)?;
        let mut found = Vec::new();
        for directory in &response.results {
            let topics = directory.topics.iter().filter(|its| its.name == topic);
            for its in topics.flat_map(|its| &its.partitions).filter(|its| its.partition_index == partition) {
                found.push((directory.log_dir.to_owned(), its.is_future_key));
            }
        }
        Ok(found)
    }

    /// Reads a partition from `offset` to its end.
    pub fn read_all(&mut self, topic: &str, partition: i32, mut offset: i64) -> io::Result<Vec<Read1>> {
        let mut records = Vec::new();
        let mut scratch = Vec::new();
        loop {
            let request = FetchRequest {
                max_wait_ms: 0,
                min_bytes: 0,
                max_bytes: 16 << 20,
                topics: vec![fetch::FetchTopic {
                    topic,
                    partitions: vec![fetch::FetchPartition {
                        partition,
                        fetch_offset: offset,
                        partition_max_bytes: 16 << 20,
                        ..Default::default()
                    }],
                    ..Default::default()
                }],
                ..Default::default()
            };
            let answer = self.call(&encode_request(4, Some("recovery"), 12, &request).unwrap())?;
            let (_, response) = decode_response::<FetchResponse>(&answer, 12).map_err(io::Error::other)?;
            let Some(part) = response.responses.first().and_then(|topic| topic.partitions.first()) else {
                return Err(io::Error::other("an empty fetch response"));
            };
            if part.error_code != 0 {
                return Err(io::Error::other(format!("fetch at {offset}: error {}", part.error_code)));
            }
            let from = offset;
            for batch in batches(part.records.as_slice().unwrap_or_default()) {
                let batch = batch.map_err(io::Error::other)?;
                batch.verify_crc().map_err(io::Error::other)?;
                for record in batch.records(64 << 20, &mut scratch).map_err(io::Error::other)? {
                    let record = record.map_err(io::Error::other)?;
                    let at = batch.header.base_offset + i64::from(record.offset_delta);
                    if at >= offset {
                        records.push(Read1 { offset: at, value: record.value.unwrap_or_default().to_vec() });
                    }
                }
                offset = batch.header.next_offset().max(offset);
            }
            if offset == from {
                return Ok(records);
            }
        }
    }
}
