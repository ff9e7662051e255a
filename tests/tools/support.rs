//! Runs the binary as a tool, with a limit of time.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process};

/// How long a tool may take.
const LIMIT: Duration = Duration::from_secs(120);

/// The broker to test with; says that the test skips if there is none.
pub fn bootstrap() -> Option<String> {
    let address = std::env::var("MILLRACE_TEST_BOOTSTRAP").ok().filter(|address| !address.is_empty());
    if address.is_none() {
        println!("skipped: MILLRACE_TEST_BOOTSTRAP names no broker");
    }
    address
}

/// A name that no other test and no earlier run uses.
pub fn unique(what: &str) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    format!("tools-{what}-{}-{}", std::process::id(), since.as_micros())
}

/// A file with this text; its path.
pub fn scratch(text: &str) -> String {
    let path = std::env::temp_dir().join(unique("scratch"));
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

pub fn create(broker: &str, topic: &str, partitions: u32) {
    let (partitions, partitions_count) = (partitions.to_string(), partitions as usize);
    let done =
        Tool::new("topics", broker).args(&["--create", "--topic", topic, "--partitions", &partitions]).run();
    assert_eq!(done.code, 0, "{done:?}");
    // Asks every leader until all answer: a broker may not have heard yet of what was just created.
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let done = Tool::new("get-offsets", broker).args(&["--topic", topic]).run();
        if done.out.lines().count() == partitions_count {
            return;
        }
        assert!(Instant::now() < end, "{done:?}");
    }
}

pub fn produce(broker: &str, topic: &str, lines: &[String]) {
    let done = Tool::new("console-producer", broker)
        .args(&["--topic", topic, "--batch-size", "1000"])
        .input(&(lines.join("\n") + "\n"))
        .run();
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}

/// What a tool that ended leaves.
#[derive(Debug)]
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub struct Tool {
    command: Command,
    input: Vec<u8>,
}

impl Tool {
    pub fn new(name: &str, broker: &str) -> Self {
        Self::without_bootstrap(name).args(&["--bootstrap-server", broker])
    }

    pub fn without_bootstrap(name: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_millrace"));
        command.arg(name).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { command, input: Vec::new() }
    }

    pub fn args(mut self, args: &[&str]) -> Self {
        self.command.args(args);
        self
    }

    pub fn input(mut self, text: &str) -> Self {
        self.input = text.as_bytes().to_vec();
        self
    }

    pub fn run(self) -> Done {
        self.start().finish()
    }

    pub fn start(mut self) -> Running {
        let mut child = self.command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = self.input;
        // A tool that ended early does not read everything.
        std::thread::spawn(move || drop(stdin.write_all(&input)));
        let out = Gathered::new(child.stdout.take().unwrap());
        let err = Gathered::new(child.stderr.take().unwrap());
        Running { child, out, err, started: Instant::now() }
    }
}

struct Gathered {
    bytes: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl Gathered {
    fn new(mut from: impl Read + Send + 'static) -> Self {
        let bytes: Arc<Mutex<Vec<u8>>> = Arc::default();
        let into = Arc::clone(&bytes);
        let thread = std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                into.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        Self { bytes, thread }
    }

    fn lines(&self) -> usize {
        self.bytes.lock().unwrap().iter().filter(|byte| **byte == b'\n').count()
    }

    fn finish(self) -> String {
        self.thread.join().unwrap();
        String::from_utf8(self.bytes.lock().unwrap().clone()).unwrap()
    }
}

pub struct Running {
    child: Child,
    out: Gathered,
    err: Gathered,
    started: Instant,
}

impl Running {
    /// Waits until the tool has shown so many lines.
    pub fn wait_for(&mut self, lines: usize, limit: Duration) {
        let end = Instant::now() + limit;
        while self.out.lines() < lines {
            assert!(Instant::now() < end, "{} of {lines} lines", self.out.lines());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
    }

    pub fn finish(mut self) -> Done {
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if self.started.elapsed() > LIMIT {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
                panic!("no end after {LIMIT:?}:\n{}\n{}", self.out.finish(), self.err.finish());
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        Done { code: status.code().unwrap_or(-1), out: self.out.finish(), err: self.err.finish() }
    }
}
