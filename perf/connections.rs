//! Connections that do nothing, and connections that come and go.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use millrace::protocol::encode_request;
use millrace::protocol::messages::ApiVersionsRequest;

use crate::measure::resident_bytes;
use crate::peer::Broker;
use crate::progress::Progress;
use crate::result::CaseResult;
use crate::run::{Span, spawn};
use crate::track::Track;
use crate::workload::Connections;

/// Descriptors that are not connections.
const OTHER_DESCRIPTORS: u64 = 512;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Raises the limit of open files as far as this process may.
fn allow_descriptors(wanted: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limits = getrlimit(Resource::Nofile);
    if limits.current.is_none_or(|current| current >= wanted) {
        return Ok(());
    }
    let maximum = limits.maximum.map(|maximum| maximum.max(wanted));
    setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum })
        .map_err(|error| format!("connections.idle: {wanted} open files are not allowed here: {error}"))
}

/// Asks for ApiVersions and waits for the answer: the connection is served.
fn greet(stream: &mut TcpStream) -> Result<(), String> {
    let request = ApiVersionsRequest {
        client_software_name: "millrace-perf",
        client_software_version: env!("CARGO_PKG_VERSION"),
        ..Default::default()
    };
    let frame = encode_request(1, Some("millrace-perf"), 3, &request).map_err(text)?;
    stream.write_all(&frame).map_err(text)?;
    let mut length = [0; 4];
    stream.read_exact(&mut length).map_err(text)?;
    let mut body = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut body).map_err(text)
}

/// Open connections without requests.
pub struct Idle {
    _streams: Vec<TcpStream>,
}

impl Idle {
    pub fn open(
        broker: &Broker,
        with: &Connections,
        progress: &Progress,
        figures: &mut BTreeMap<String, f64>,
    ) -> Result<Self, String> {
        let mut streams = Vec::with_capacity(with.idle);
        if with.idle == 0 {
            return Ok(Self { _streams: streams });
        }
        allow_descriptors(with.idle as u64 + OTHER_DESCRIPTORS)?;
        progress.phase("connections");
        let before = broker.pid.and_then(resident_bytes);
        let started = Instant::now();
        for number in 0..with.idle {
            let mut stream = TcpStream::connect(broker.address)
                .map_err(|error| format!("connection {number} of {}: {error}", with.idle))?;
            greet(&mut stream).map_err(|error| format!("connection {number} of {}: {error}", with.idle))?;
            streams.push(stream);
            progress.at(number as f64 / with.idle as f64, || format!("{number} of {}", with.idle));
        }
        let each = started.elapsed().as_secs_f64() / with.idle as f64;
        figures.insert("opening a connection, us".into(), each * 1e6);
        if let Some((from, to)) = before.zip(broker.pid.and_then(resident_bytes)) {
            let kib = to.saturating_sub(from) as f64 / 1024.0 / with.idle as f64;
            figures.insert("resident, KiB per idle connection".into(), kib);
        }
        Ok(Self { _streams: streams })
    }
}

/// Connections opened, greeted and closed at a fixed rate.
pub struct Churn {
    latency: Track,
    errors: u64,
    first_error: Option<String>,
}

type Handle = std::thread::JoinHandle<Result<Churn, String>>;

impl Churn {
    pub fn start(broker: &Broker, per_second: f64, span: Span) -> Result<Option<Handle>, String> {
        if per_second <= 0.0 {
            return Ok(None);
        }
        let address = broker.address;
        let interval_ns = (1e9 / per_second) as u64;
        let work = move || {
            let latency = Track::new(span.from_ns, span.end_ns);
            let mut churn = Self { latency, errors: 0, first_error: None };
            let mut due_ns = 0;
            while due_ns < span.end_ns {
                let now = span.clock.elapsed().as_nanos() as u64;
                std::thread::sleep(Duration::from_nanos(due_ns.saturating_sub(now)));
                let greeted =
                    TcpStream::connect(address).map_err(text).and_then(|mut stream| greet(&mut stream));
                match greeted {
                    Ok(()) => {
                        let now = span.clock.elapsed().as_nanos() as u64;
                        churn.latency.record(now.saturating_sub(due_ns), due_ns, 1);
                    }
                    Err(error) => {
                        churn.errors += 1;
                        churn.first_error.get_or_insert(error);
                    }
                }
                due_ns += interval_ns;
            }
            Ok(churn)
        };
        spawn("churn".into(), work).map(Some)
    }

    pub fn end(handle: Option<Handle>, result: &mut CaseResult) -> Result<(), String> {
        let Some(handle) = handle else { return Ok(()) };
        let churn = handle.join().unwrap_or_else(|_| Err("the thread of connections panicked".into()))?;
        let summary = churn.latency.summary();
        result.figures.insert(
            "connections opened and closed, /s".into(),
            summary.count as f64 / result.workload.run.seconds,
        );
        result.figures.insert("connect until answered: p50, ms".into(), summary.p50_us as f64 / 1000.0);
        result.figures.insert("connect until answered: p99, ms".into(), summary.p99_us as f64 / 1000.0);
        result.errors += churn.errors;
        if let Some(error) = churn.first_error {
            result.first_error.get_or_insert(error);
        }
        Ok(())
    }
}
