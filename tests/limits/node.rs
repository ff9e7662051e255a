//! The broker as a process with an admin listener, its limits set, its metrics read.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a start, a stop or a change may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A number from the environment, or the short form's.
pub fn number(name: &str, short: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(short)
}

/// A broker that runs; killed when dropped.
pub struct Node {
    child: Child,
    /// Its folder: `data` below it is the log directory, `log` what it says.
    pub folder: TempDir,
    settings: Vec<String>,
    descriptors: Option<usize>,
    pub address: String,
    pub admin: String,
    /// From the start of the process to its ready line.
    pub ready_after: Duration,
}

impl Node {
    pub fn start(settings: &[&str]) -> Self {
        Self::start_in(TempDir::new().unwrap(), settings.iter().map(ToString::to_string).collect(), None)
    }

    /// One under a limit of descriptors (soft and hard).
    pub fn start_with_descriptors(limit: usize, settings: &[&str]) -> Self {
        let settings = settings.iter().map(ToString::to_string).collect();
        Self::start_in(TempDir::new().unwrap(), settings, Some(limit))
    }

    fn start_in(folder: TempDir, settings: Vec<String>, descriptors: Option<usize>) -> Self {
        let log = std::fs::File::options().append(true).create(true).open(folder.path().join("log")).unwrap();
        let began = Instant::now();
        let limit = descriptors.map_or(String::new(), |limit| format!("ulimit -n {limit} && "));
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{limit}exec \"$@\"")).arg("sh").arg(env!("CARGO_BIN_EXE_millrace"));
        command.arg("server");
        let data = format!("log.dirs={}", folder.path().join("data").display());
        for set in [data.as_str(), "listeners=PLAINTEXT://127.0.0.1:0", "millrace.admin.listen=127.0.0.1:0"] {
            command.args(["--set", set]);
        }
        settings.iter().for_each(|set| _ = command.args(["--set", set]));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut line = |prefix: &str| {
            let found = lines
                .by_ref()
                .map_while(Result::ok)
                .find_map(|line| Some(line.strip_prefix(prefix)?.to_owned()));
            found.unwrap_or_else(|| {
                panic!("no line {prefix}: {}", std::fs::read_to_string(folder.path().join("log")).unwrap())
            })
        };
        let admin = line("admin http://");
        let address = line("ready PLAINTEXT://");
        let ready_after = began.elapsed();
        Self { child, settings, descriptors, address, admin, ready_after, folder }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it with SIGKILL and starts it again over what it left.
    pub fn kill_and_start(self) -> Self {
        self.end_and_start("KILL")
    }

    /// Stops it as an operator does and starts it again.
    pub fn stop_and_start(self) -> Self {
        self.end_and_start("TERM")
    }

    fn end_and_start(mut self, signal: &str) -> Self {
        let sent =
            Command::new("kill").args([format!("-{signal}"), self.pid().to_string()]).status().unwrap();
        assert!(sent.success());
        until("the broker ends", || self.child.try_wait().unwrap().is_some());
        let folder = std::mem::replace(&mut self.folder, TempDir::new().unwrap());
        Self::start_in(folder, std::mem::take(&mut self.settings), self.descriptors)
    }

    /// What it has said.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Open descriptors.
    pub fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.pid())).unwrap().count()
    }

    /// Changes the limit of descriptors while it runs.
    pub fn limit_descriptors(&self, limit: u64) {
        let pid = rustix::process::Pid::from_raw(self.pid() as i32);
        let before = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        let limit = rustix::process::Rlimit { current: Some(limit), maximum: before.maximum };
        rustix::process::prlimit(pid, rustix::process::Resource::Nofile, limit).unwrap();
    }

    pub fn resident_bytes(&self) -> u64 {
        self.metric("millrace_process_resident_bytes", "")
    }

    /// Status and text of a page of the admin listener.
    pub fn page(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.admin).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, text) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        assert!(head.contains(&format!("Content-Length: {}", text.len())), "{head}");
        (status, text.to_owned())
    }

    /// A metric's values of all shards together, of the lines that have `labels` in them.
    pub fn metric(&self, name: &str, labels: &str) -> u64 {
        let (status, text) = self.page("/metrics");
        assert_eq!(status, 200, "{text}");
        let mut found = 0;
        let mut sum = 0.0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (series, value) = line.rsplit_once(' ').unwrap();
            if series.split('{').next() == Some(name) && series.contains(labels) {
                found += 1;
                sum += value.parse::<f64>().unwrap();
            }
        }
        assert!(found > 0, "no metric {name} {labels}");
        sum as u64
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!(
                "the broker said:\n{}",
                std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
            );
        }
    }
}

/// Waits until something is so.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "not within {} s: {what}", PATIENCE.as_secs());
        std::thread::park_timeout(Duration::from_millis(10));
    }
}
