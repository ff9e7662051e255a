//! The broker as a process: started on a port of the kernel's choice, stopped, killed.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub struct Broker {
    process: Child,
    pub address: SocketAddr,
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
        let read = BufReader::new(process.stdout.take().unwrap()).read_line(&mut line);
        let address = line
            .strip_prefix("ready")
            .and_then(|rest| rest.split("://").nth(1))
            .and_then(|rest| rest.split([',', ' ', '\n']).next())
            .and_then(|address| address.parse().ok());
        match address {
            Some(address) => Ok(Self { process, address }),
            None => {
                let _ = process.kill();
                let status = process.wait();
                let said = std::fs::read_to_string(log).unwrap_or_default();
                Err(format!("no ready line ({read:?}, {line:?}, {status:?}); the broker said:\n{said}"))
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
        let status = self.process.wait().unwrap();
        assert!(status.success(), "a controlled stop ended with {status}");
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
