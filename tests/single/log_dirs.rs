//! In which log directory a replica lies, and where it is asked to lie.

use millrace::protocol::messages::alter_replica_log_dirs::{AlterReplicaLogDir, AlterReplicaLogDirTopic};
use millrace::protocol::messages::{
    AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse, DescribeLogDirsRequest, DescribeLogDirsResponse,
};

use crate::broker::Broker;
use crate::raw::{Limits, Raw, batch};

const UNKNOWN_TOPIC_OR_PARTITION: i16 = 3;
const LOG_DIR_NOT_FOUND: i16 = 57;

/// Each log directory, and whether the first partition of the topic lies there.
fn directories(client: &mut Raw, topic: &str) -> Vec<(String, bool)> {
    let response: DescribeLogDirsResponse<'_> = client.ask(4, &DescribeLogDirsRequest { topics: None });
    let holds = |topics: &[millrace::protocol::messages::describe_log_dirs::DescribeLogDirsTopic<'_>]| {
        topics.iter().any(|t| t.name == topic && t.partitions.iter().any(|p| p.partition_index == 0))
    };
    response.results.iter().map(|result| (result.log_dir.to_owned(), holds(&result.topics))).collect()
}

/// The code for each partition, in the order of the request.
fn place(client: &mut Raw, version: i16, path: &str, topic: &str, partitions: &[i32]) -> Vec<i16> {
    let topics = vec![AlterReplicaLogDirTopic { name: topic, partitions: partitions.to_vec() }];
    let request = AlterReplicaLogDirsRequest { dirs: vec![AlterReplicaLogDir { path, topics }] };
    let response: AlterReplicaLogDirsResponse<'_> = client.ask(version, &request);
    let [answered] = &response.results[..] else { panic!("{:?}", response.results) };
    assert_eq!(answered.topic_name, topic);
    let code = |partition: &i32| {
        answered.partitions.iter().find(|p| p.partition_index == *partition).map(|p| p.error_code)
    };
    partitions.iter().map(|partition| code(partition).expect("an answer")).collect()
}

#[test]
fn a_replica_stays_where_it_is_asked_to_be() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 2, &[]);
    let (path, _) =
        directories(&mut client, "t").into_iter().find(|(_, holds)| *holds).expect("its directory");
    for version in 1..=2 {
        assert_eq!(place(&mut client, version, &path, "t", &[0, 1]), [0, 0]);
        assert_eq!(place(&mut client, version, &path, "t", &[0, 7]), [0, UNKNOWN_TOPIC_OR_PARTITION]);
        assert_eq!(place(&mut client, version, &path, "nope", &[0]), [UNKNOWN_TOPIC_OR_PARTITION]);
        // The directory is looked at first.
        for topic in ["t", "nope"] {
            assert_eq!(place(&mut client, version, "/not/there", topic, &[0]), [LOG_DIR_NOT_FOUND]);
        }
    }
}

#[test]
fn a_replica_goes_where_it_is_asked_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name).display().to_string());
    let broker = Broker::start(&[&format!("log.dirs={one},{two}")]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let records = batch(&[b"one", b"two"]);
    assert_eq!(client.produce(&[("t", 0, &records)]), [(0, 0)]);
    for path in [&one, &two, &one] {
        assert_eq!(place(&mut client, 2, path, "t", &[0]), [0]);
        let there = |client: &mut Raw| {
            directories(client, "t")
                .into_iter()
                .filter(|(_, holds)| *holds)
                .map(|(path, _)| path)
                .collect::<Vec<_>>()
        };
        while there(&mut client) != [path.clone()] {
            std::thread::yield_now();
        }
        let end = client.fetch("t", 0, 0, Limits::default()).1;
        assert_eq!(client.produce(&[("t", 0, &records)]), [(0, end)]);
    }
    let (code, end, bytes) = client.fetch("t", 0, 0, Limits::default());
    assert_eq!((code, end, bytes.len()), (0, 8, 4 * records.len()));
}
