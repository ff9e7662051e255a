//! The broker under load: one that runs already (`host:port`), or one that a script of perf/peers/ starts and stops.
//!
//! What a script starts runs in a session of its own. It is ended when its [`Broker`] is dropped, and when the harness is
//! interrupted.

use std::collections::BTreeMap;
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

/// Which broker to use.
#[derive(Clone, Debug)]
pub enum Choice {
    /// One that runs, and its process id if it is known.
    Running { address: SocketAddr, pid: Option<u32>, device: Option<String> },
    /// One that a script starts.
    Script { name: String, script: PathBuf, cpus: Option<String> },
}

/// What a report says of a broker.
#[derive(Clone, Debug, Default, Serialize)]
pub struct About {
    /// As it was asked for: the script's name or the address.
    pub key: String,
    pub name: String,
    pub version: String,
    pub flush: String,
    pub settings: Vec<String>,
    /// CPUs given to it; empty: all of the machine, shared with the generator.
    pub cpus: String,
}

/// A broker that serves.
pub struct Broker {
    pub address: SocketAddr,
    pub pid: Option<u32>,
    pub device: Option<String>,
    /// Where it keeps its data, if the harness gave it the place.
    pub data: Option<PathBuf>,
    pub about: About,
    script: Option<PathBuf>,
    directory: PathBuf,
    settings: Vec<String>,
    /// From the call of its script until it said that it serves.
    pub start_seconds: f64,
}

/// Brokers that were started and not yet ended, for the moment of an interruption.
static STARTED: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

/// Ends all that was started, with SIGKILL.
pub fn kill_all() {
    let started = std::mem::take(&mut *STARTED.lock().unwrap_or_else(PoisonError::into_inner));
    for (script, directory) in started {
        let _ = Command::new(script).arg("kill").arg(&directory).status();
        let _ = fs::remove_dir_all(directory);
    }
}

/// On SIGINT and SIGTERM: ends what was started, then the process.
pub fn end_with_signals() -> Result<(), String> {
    millrace::tools::interrupt::on_interrupt(|code| {
        kill_all();
        std::process::exit(code);
    })
}

impl Choice {
    /// `host:port`, or the name of a script in `peers`.
    pub fn parse(
        text: &str,
        peers: &Path,
        pid: Option<u32>,
        device: Option<String>,
        cpus: Option<String>,
    ) -> Result<Self, String> {
        if text.contains(':') {
            let address =
                text.parse().map_err(|_| format!("{text}: not an address such as 127.0.0.1:9092"))?;
            return Ok(Self::Running { address, pid, device });
        }
        let script = peers.join(text);
        if !script.is_file() {
            let entries = fs::read_dir(peers).map_err(|error| format!("{}: {error}", peers.display()))?;
            let mut names: Vec<String> =
                entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            return Err(format!("no broker {text}: allowed: an address, or one of {}", names.join(", ")));
        }
        Ok(Self::Script { name: text.to_owned(), script, cpus })
    }

    /// Its name, for settings and reports.
    pub fn key(&self) -> String {
        match self {
            Self::Running { address, .. } => address.to_string(),
            Self::Script { name, .. } => name.clone(),
        }
    }

    /// Starts it (or takes the one that runs) with data in a new folder below `folder`.
    pub fn start(&self, folder: &Path, settings: &[String]) -> Result<Broker, String> {
        match self {
            Self::Running { address, pid, device } => Ok(Broker {
                address: *address,
                pid: *pid,
                device: device.clone(),
                data: None,
                about: About {
                    key: self.key(),
                    name: self.key(),
                    version: "not known".into(),
                    flush: "not known".into(),
                    ..About::default()
                },
                script: None,
                directory: PathBuf::new(),
                settings: Vec::new(),
                start_seconds: 0.0,
            }),
            Self::Script { name, script, cpus } => {
                let told = call(script, &["about"], settings, cpus.as_deref())?;
                let get = |key: &str| told.get(key).cloned().unwrap_or_else(|| "not known".into());
                let about = About {
                    key: name.clone(),
                    name: get("name"),
                    version: get("version"),
                    flush: get("flush"),
                    settings: settings.to_vec(),
                    cpus: cpus.clone().unwrap_or_default(),
                };
                let directory = folder.join(format!("{name}-{}", std::process::id()));
                let _ = fs::remove_dir_all(&directory);
                fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
                let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
                let mut broker = Broker {
                    address: nowhere,
                    pid: None,
                    device: None,
                    data: None,
                    about,
                    script: Some(script.clone()),
                    directory,
                    settings: settings.to_vec(),
                    start_seconds: 0.0,
                };
                let started = (script.clone(), broker.directory.clone());
                STARTED.lock().unwrap_or_else(PoisonError::into_inner).push(started);
                broker.again()?;
                Ok(broker)
            }
        }
    }
}

/// A port that is free, with the next one.
fn free_ports() -> Result<u16, String> {
    for _ in 0..50 {
        let first = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let port = first.local_addr().map_err(|error| error.to_string())?.port();
        if port < u16::MAX && TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return Ok(port);
        }
    }
    Err("no two free ports beside each other".into())
}

/// Runs a script; gives the KEY=VALUE lines that it prints.
fn call(
    script: &Path,
    arguments: &[&str],
    settings: &[String],
    cpus: Option<&str>,
) -> Result<BTreeMap<String, String>, String> {
    let mut command = Command::new(script);
    command.args(arguments).args(settings).env("PERF_PORT", free_ports()?.to_string());
    if let Some(cpus) = cpus {
        command.env("PERF_BROKER_CPUS", cpus);
    }
    let done = command.output().map_err(|error| format!("{}: {error}", script.display()))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
        return Err(format!("{} {}: {said}", script.display(), arguments.join(" ")));
    }
    let out = String::from_utf8_lossy(&done.stdout);
    let lines = out.lines().filter_map(|line| line.split_once('='));
    Ok(lines.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
}

impl Broker {
    /// Whether the harness started it, and may stop it.
    pub fn ours(&self) -> bool {
        self.script.is_some()
    }

    fn command(&self, command: &str, settings: &[String]) -> Result<BTreeMap<String, String>, String> {
        let Some(script) = &self.script else {
            return Err("the broker was not started here: give --broker a name of perf/peers/".into());
        };
        let directory = self.directory.to_string_lossy();
        let cpus = Some(self.about.cpus.as_str()).filter(|cpus| !cpus.is_empty());
        call(script, &[command, &directory], settings, cpus)
    }

    /// Starts it over what it left.
    pub fn again(&mut self) -> Result<(), String> {
        let began = Instant::now();
        let told = self.command("start", &self.settings)?;
        self.start_seconds = began.elapsed().as_secs_f64();
        let get =
            |key: &str| told.get(key).cloned().ok_or_else(|| format!("the script did not print {key}="));
        let address = get("address")?;
        self.address = address.parse().map_err(|_| format!("{address}: not an address"))?;
        self.pid = get("pid")?.parse().ok();
        let data = PathBuf::from(get("data")?);
        self.device = crate::machine::device_of(&data);
        self.data = Some(data);
        Ok(())
    }

    /// Stops it cleanly.
    pub fn stop(&self) -> Result<(), String> {
        self.command("stop", &[]).map(drop)
    }

    /// Ends it with SIGKILL.
    pub fn kill(&self) -> Result<(), String> {
        self.command("kill", &[]).map(drop)
    }

    /// Whether its process is there.
    pub fn alive(&self) -> bool {
        self.pid.is_none_or(|pid| Path::new(&format!("/proc/{pid}")).exists())
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        if self.script.is_some() {
            if self.alive() {
                let _ = self.kill();
            }
            let directory = self.directory.clone();
            STARTED.lock().unwrap_or_else(PoisonError::into_inner).retain(|started| started.1 != directory);
            // A killed process may let go of its files a moment later.
            for _ in 0..50 {
                if fs::remove_dir_all(&self.directory).is_ok() || !self.directory.exists() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}
