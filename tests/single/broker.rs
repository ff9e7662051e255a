//! The broker as a process, or another that runs already: with `MILLRACE_TEST_ADDRESS=host:port` the scenarios run
//! against the broker there (Apache Kafka, to see that what they expect is what it does), one at a time
//! (`--test-threads 1`); its topics are deleted first, and what needs settings or a restart of its own is not for it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a start or a stop may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A broker that runs; killed when dropped.
pub struct Broker {
    child: Option<Child>,
    directory: TempDir,
    settings: Vec<String>,
    /// What the ready line says: listener name and address.
    pub listeners: Vec<(String, String)>,
}

impl Broker {
    /// A broker with a new directory.
    pub fn start(settings: &[&str]) -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        if let Ok(address) = std::env::var("MILLRACE_TEST_ADDRESS") {
            crate::raw::Raw::connect(&address).delete_all_topics();
            let listeners = vec![("PLAINTEXT".to_owned(), address)];
            return Self { child: None, directory, settings: Vec::new(), listeners };
        }
        let settings = settings.iter().map(ToString::to_string).collect();
        Self::start_in(directory, settings)
    }

    /// A broker over what is in `directory`, or a new one, that a program starts: `taskset -c 0`. Its log, with what is
    /// told of a start, goes to the file `log` in the directory.
    pub fn start_wrapped(wrapper: &[&str], directory: TempDir, settings: &[&str]) -> Self {
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let wrapper: Vec<String> = wrapper.iter().map(ToString::to_string).collect();
        let log = std::fs::File::create(directory.path().join("log")).expect("a log file");
        let mut command = command(&wrapper, directory.path(), &settings);
        let mut child = command.env("MILLRACE_LOG", "info").stderr(log).spawn().expect("the broker starts");
        let listeners = ready(&mut child);
        Self { child: Some(child), directory, settings, listeners }
    }

    /// The same that ends by itself before it is ready: whether it says that all is well, and what it wrote.
    pub fn refuses_to_start(wrapper: &[&str], settings: &[&str]) -> (bool, String) {
        let directory = TempDir::new().expect("a temporary directory");
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let wrapper: Vec<String> = wrapper.iter().map(ToString::to_string).collect();
        let mut command = command(&wrapper, directory.path(), &settings);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the broker's program");
        let deadline = Instant::now() + PATIENCE;
        while child.try_wait().expect("its end").is_none() {
            if Instant::now() > deadline {
                let _ = child.kill();
                panic!("it neither starts nor ends");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().expect("its output");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }

    /// Where its data and its log are.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The broker's process.
    pub fn process_id(&self) -> u32 {
        self.child.as_ref().expect("a broker of our own").id()
    }

    /// A broker with a new directory whose log goes to the file `log` in it.
    pub fn start_with_log_file(settings: &[&str]) -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let log = std::fs::File::create(directory.path().join("log")).expect("a log file");
        let mut child = spawn(directory.path(), &settings, log.into());
        let listeners = ready(&mut child);
        Self { child: Some(child), directory, settings, listeners }
    }

    fn start_in(directory: TempDir, settings: Vec<String>) -> Self {
        let mut child = spawn(directory.path(), &settings, Stdio::inherit());
        let listeners = ready(&mut child);
        Self { child: Some(child), directory, settings, listeners }
    }

    /// The first listener's `host:port`.
    pub fn address(&self) -> &str {
        &self.listeners[0].1
    }

    /// Stops it as an operator does, and waits for a clean end.
    pub fn stop(mut self) -> (TempDir, Vec<String>) {
        self.signal("TERM");
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.process().try_wait().expect("the broker's end") {
                Some(status) => {
                    assert!(status.success(), "the broker ended with {status}");
                    break;
                }
                None if Instant::now() > deadline => panic!("the broker does not stop"),
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        self.take()
    }

    /// Ends it with SIGKILL.
    pub fn kill(mut self) -> (TempDir, Vec<String>) {
        self.process().kill().expect("SIGKILL");
        self.process().wait().expect("its end");
        self.take()
    }

    fn take(mut self) -> (TempDir, Vec<String>) {
        let directory = std::mem::replace(&mut self.directory, TempDir::new().expect("a directory"));
        (directory, std::mem::take(&mut self.settings))
    }

    /// Starts it again over what it left.
    pub fn again((directory, settings): (TempDir, Vec<String>)) -> Self {
        Self::start_in(directory, settings)
    }

    fn process(&mut self) -> &mut Child {
        self.child.as_mut().expect("a broker of our own")
    }

    fn signal(&mut self, name: &str) {
        let id = self.process().id().to_string();
        let sent = Command::new("kill").args([format!("-{name}"), id]).status().expect("kill");
        assert!(sent.success());
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn spawn(directory: &Path, settings: &[String], log: Stdio) -> Child {
    command(&[], directory, settings).stderr(log).spawn().expect("the broker starts")
}

fn command(wrapper: &[String], directory: &Path, settings: &[String]) -> Command {
    let program = env!("CARGO_BIN_EXE_millrace");
    let mut command = match wrapper.split_first() {
        Some((wrapper, arguments)) => {
            let mut command = Command::new(wrapper);
            command.args(arguments).arg(program);
            command
        }
        None => Command::new(program),
    };
    command.arg("server");
    if !settings.iter().any(|setting| setting.starts_with("log.dirs=")) {
        command.arg("--set").arg(format!("log.dirs={}", directory.join("data").display()));
    }
    if !settings.iter().any(|setting| setting.starts_with("listeners=")) {
        command.args(["--set", "listeners=PLAINTEXT://127.0.0.1:0"]);
    }
    for setting in settings {
        command.args(["--set", setting]);
    }
    command.env("MILLRACE_LOG", "warn").stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

fn ready(child: &mut Child) -> Vec<(String, String)> {
    let stdout = child.stdout.take().expect("its output");
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = receiver.recv_timeout(left).expect("the broker's ready line");
        if let Some(listeners) = line.strip_prefix("ready ") {
            let each = listeners.split(',').filter_map(|listener| listener.split_once("://"));
            return each.map(|(name, address)| (name.to_owned(), address.to_owned())).collect();
        }
    }
}
