//! The broker as a process: started on a port of the kernel's choice, stopped, killed.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A start or a stop that takes longer hangs: it is ended, and what its threads did is told.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Broker {
    process: Child,
    log: PathBuf,
    pub address: SocketAddr,
}

/// What the threads of a process do, by /proc: name, state and where in the kernel they wait.
fn threads_of(process: u32) -> String {
    let read = |path: String| std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let one = |task: std::fs::DirEntry| {
        let path = task.path().display().to_string();
        let of = |file: &str| read(format!("{path}/{file}"));
        let state = of("status").lines().find(|line| line.starts_with("State")).unwrap_or("").to_owned();
        format!("{} {state} {} {}", of("comm"), of("wchan"), of("syscall"))
    };
    tasks.map(one).collect::<Vec<_>>().join("\n")
}

/// Kills the process when `wait` is not ended in time; gives what its threads did then.
fn watch(process: u32, wait: Receiver<()>) -> JoinHandle<Option<String>> {
    std::thread::spawn(move || {
        let timed_out = wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        timed_out.then(|| {
            let threads = threads_of(process);
            if let Some(id) = rustix::process::Pid::from_raw(process as i32) {
                let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
            }
            threads
        })
    })
}

impl Broker {
    /// Starts the broker on `data` and waits for its line `ready …`; gives what it said otherwise.
    pub fn start(data: &Path, settings: &[&str]) -> Result<Self, String> {
        Self::start_logging(data, settings, &data.with_extension("log"))
    }

    /// The same, with its log in the file `log`.
    pub fn start_logging(data: &Path, settings: &[&str], log: &Path) -> Result<Self, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_millrace"));
        command.arg("server").arg("--set").arg("listeners=PLAINTEXT://127.0.0.1:0");
        command.arg("--set").arg(format!("log.dirs={}", data.display()));
        for setting in settings {
            command.arg("--set").arg(setting);
        }
        let file = std::fs::File::create(log).map_err(|error| error.to_string())?;
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(file)
            .spawn()
            .map_err(|error| format!("the broker's program: {error}"))?;
        let mut line = String::new();
        let (ready, wait) = channel();
        let watching = watch(process.id(), wait);
        let read = BufReader::new(process.stdout.take().unwrap()).read_line(&mut line);
        drop(ready);
        let hung = watching.join().unwrap();
        let address = line
            .strip_prefix("ready")
            .and_then(|rest| rest.split("://").nth(1))
            .and_then(|rest| rest.split([',', ' ', '\n']).next())
            .and_then(|address| address.parse().ok());
        match address {
            Some(address) => Ok(Self { process, log: log.to_owned(), address }),
            None => {
                let _ = process.kill();
                let status = process.wait();
                let said = std::fs::read_to_string(log).unwrap_or_default();
                let hung = hung.map_or_else(String::new, |threads| format!("it hung:\n{threads}\n"));
                Err(format!("no ready line ({read:?}, {line:?}, {status:?}); {hung}the broker said:\n{said}"))
            }
        }
    }

    /// SIGKILL.
    pub fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Waits until it ends by itself.
    pub fn wait(mut self, patience: Duration) -> Option<ExitStatus> {
        self.ended_within(patience)
    }

    fn ended_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if let Some(status) = self.process.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::park_timeout(Duration::from_millis(10));
        }
        None
    }

    /// SIGTERM, and waits; panics when it does not end well.
    pub fn stop(mut self) {
        let id = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        let said = |log: &Path| std::fs::read_to_string(log).unwrap_or_default();
        let Some(status) = self.ended_within(PATIENCE) else {
            let threads = threads_of(self.process.id());
            panic!("a controlled stop hung:\n{threads}\nthe broker said:\n{}", said(&self.log));
        };
        assert!(
            status.success(),
            "a controlled stop ended with {status}; the broker said:\n{}",
            said(&self.log)
        );
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
