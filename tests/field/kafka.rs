//! Apache Kafka 4.4.0 beside ours: what a case expects of both is tried on both.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A scenario with topics of its own on the broker at this address.
type Scenario = fn(&str);

const SCENARIOS: &[(&str, Scenario)] = &[
    ("f01", crate::f01_idle_producer::idle_producers_go_on),
    ("f05", crate::f05_one_large_record::one_large_record_fails_alone),
    ("f05 size", crate::f05_one_large_record::the_size_that_counts_is_the_stored_one),
    ("f06", crate::f06_flipped_bits::flipped_bits_are_refused),
    ("f07", crate::f07_keyless::a_record_without_a_key_is_refused),
    ("f08", crate::f08_far_future::times_too_far_away_are_refused),
    ("f08 append time", crate::f08_far_future::log_append_time_leaves_no_time_of_a_client),
    ("f09", crate::f09_offsets_by_time::every_codec_is_looked_into),
    ("f09 disorder", crate::f09_offsets_by_time::times_out_of_order_are_found),
    ("f10", crate::f10_ends_of_the_log::ends_are_told_and_no_match_is_no_error),
    ("f11", crate::f11_large_records::a_first_batch_is_given_whole),
    ("f11 session", crate::f11_large_records::a_session_lets_every_partition_progress),
    ("f11 librdkafka", crate::f11_large_records::librdkafka_finishes_with_small_limits),
    ("f16", crate::f16_dead_members::members_that_die_while_they_join_leave_an_empty_group),
    ("f20", crate::f20_tombstones::a_tombstone_is_there_for_its_time),
    ("f27", crate::f27_newer_clients::a_version_from_the_future_is_answered_in_the_oldest_format),
    ("f27 more bytes", crate::f27_newer_clients::bytes_behind_a_request_are_left_alone),
    ("f27 unknown", crate::f27_newer_clients::what_is_not_served_closes_the_connection),
    ("f28", crate::f28_which_topics::topics_are_made_only_when_asked_for),
];

/// Settings that the scenarios count on.
pub const SETTINGS: &str = "producer.id.expiration.ms=1000\nproducer.id.expiration.check.interval.ms=100\n\
                            log.retention.check.interval.ms=300\nlog.initial.task.delay.ms=100\n\
                            log.cleaner.backoff.ms=100";

pub struct Kafka {
    directory: PathBuf,
    scripts: PathBuf,
    pub address: String,
    _own: Option<TempDir>,
}

impl Kafka {
    /// A broker of Apache Kafka with these lines in its configuration; the reason when there is none here.
    pub fn start(config: &str) -> Result<Self, String> {
        let own = TempDir::new().expect("a temporary directory");
        let mut kafka = Self::start_in(&own.path().join("kafka"), config)?;
        kafka._own = Some(own);
        Ok(kafka)
    }

    pub fn start_in(directory: &Path, config: &str) -> Result<Self, String> {
        let home = std::env::var_os("PEERS_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/peers")));
        if !home.is_some_and(|home| home.join("kafka/lib").is_dir()) {
            return Err("Apache Kafka's jars are not here (tests/peers/kafka/get)".to_owned());
        }
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/kafka");
        let started = Command::new(scripts.join("start"))
            .args(["1".as_ref(), directory.as_os_str()])
            .env("KAFKA_PORT", two_free_ports().to_string())
            .env("KAFKA_CONFIG", config)
            .env("KAFKA_HEAP", "384m")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&started.stdout);
        let address = said.lines().last().unwrap_or_default().to_owned();
        if !started.status.success() {
            let why = String::from_utf8_lossy(&started.stderr);
            return Err(format!("Apache Kafka did not start: {}", why.lines().last().unwrap_or_default()));
        }
        Ok(Self { directory: directory.to_owned(), scripts, address, _own: None })
    }

    /// Whether its process still runs.
    pub fn runs(&self) -> bool {
        let id = std::fs::read_to_string(self.directory.join("node1/pid")).unwrap_or_default();
        Path::new("/proc").join(id.trim()).join("cmdline").exists()
    }
}

impl Drop for Kafka {
    fn drop(&mut self) {
        let _ = Command::new(self.scripts.join("stop")).arg("-9").arg(&self.directory).status();
    }
}

/// A port that is free, and the next one too.
fn two_free_ports() -> u16 {
    loop {
        let first = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = first.local_addr().expect("its address").port();
        if port < u16::MAX && std::net::TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return port;
        }
    }
}

#[test]
fn kafka_does_the_same() {
    let kafka = match Kafka::start(SETTINGS) {
        Ok(kafka) => kafka,
        Err(why) => {
            eprintln!("skipped: {why}");
            return;
        }
    };
    let mut failed = Vec::new();
    for (name, scenario) in SCENARIOS {
        eprintln!("{name} on Apache Kafka");
        if std::panic::catch_unwind(|| scenario(&kafka.address)).is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "Apache Kafka does otherwise: {failed:?}");
}
