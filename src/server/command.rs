//! `millrace server`: arguments, configuration, probe, shards.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use tracing_subscriber::EnvFilter;

use super::error::ServerError;
use super::listeners;
use super::log_levels::LogLevels;
use super::plan;
use super::run::{run_shard, supported_features};
use super::start::{Common, Stage};
use crate::config::Config;
use crate::net::ConnectionLimits;
use crate::partition::ShardTable;
use crate::runtime::message::{Mesh, Port};
use crate::runtime::shards::{Options, ReservedAddress, ShardContext, start_shards};
use crate::runtime::signals::Signals;
use crate::runtime::{probe, topology};

/// Runs the broker.
#[derive(Debug, Parser)]
#[command(name = "millrace server", version, about)]
pub struct Arguments {
    /// The configuration: TOML, or Kafka's format when the name ends in `.properties`.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The same, as kafka-server-start.sh takes it.
    #[arg(value_name = "FILE", conflicts_with = "config")]
    pub file: Option<PathBuf>,
    /// Sets one key, over the file.
    #[arg(long = "set", short = 's', alias = "override", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Prints the plan and the result of the probe, and starts nothing.
    #[arg(long)]
    pub check: bool,
}

/// Runs the command; `arguments` begin with its name.
#[must_use]
pub fn run_command(arguments: Vec<OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Clap's own way: help to standard output with 0, faults to standard error with 2.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let log_levels = log_to_standard_error();
    match run(&arguments, log_levels) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("millrace: {error}");
            ExitCode::FAILURE
        }
    }
}

fn log_to_standard_error() -> LogLevels {
    let told =
        std::env::var("MILLRACE_LOG").ok().and_then(|text| Some((EnvFilter::try_new(&text).ok()?, text)));
    let (filter, text) = told.unwrap_or_else(|| (EnvFilter::new("info"), "info".to_owned()));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_filter_reloading();
    let handle = subscriber.reload_handle();
    // A second subscriber in one process (tests) is no fault.
    let _ = subscriber.try_init();
    LogLevels::new(&text, Box::new(move |filter| handle.reload(filter).map_err(|error| error.to_string())))
}

fn run(arguments: &Arguments, log_levels: LogLevels) -> Result<(), ServerError> {
    let signals = Signals::install().map_err(ServerError::Signals)?;
    let (config, warnings) =
        Config::load(arguments.config.as_deref().or(arguments.file.as_deref()), &arguments.sets)?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    let cpus = config.shards.cpus.as_ref().map(|cpus| {
        let numbers = cpus.iter().map(ToString::to_string);
        numbers.collect::<Vec<_>>().join(",")
    });
    let settings = topology::Settings { cpus, memory_bytes: None, bind_memory: config.shards.numa_bind };
    let plan = topology::Plan::detect(&settings)?;
    if arguments.check {
        print!("{}", plan::describe(&config, &plan));
    }
    for directory in &config.log_dirs {
        if let Err(error) = std::fs::create_dir_all(directory) {
            // The probe says whether the broker can do without it.
            tracing::error!(directory = %directory.display(), %error, "log directory cannot be made");
        }
    }
    let config = config.on_host(plan.shards(), probe::descriptors_of_a_shard(plan.shards()))?;
    let report = probe(&config, &plan)?;
    if arguments.check {
        print!("{}", plan::describe_budgets(&config, &plan));
        print!("{}", plan::describe_probe(&report));
        return Ok(());
    }
    for warning in &report.warnings {
        tracing::warn!("{warning}");
    }
    start(config, report.failed, &plan, signals, log_levels)
}

fn probe(config: &Config, plan: &topology::Plan) -> Result<probe::ProbeReport, ServerError> {
    let allowed = probe::refused_file_systems().filter(|_| config.log.allow_unsafe_filesystem);
    let allowed: Vec<String> = allowed.map(ToString::to_string).collect();
    let shards = u64::from(plan.shards());
    let connections = shards.saturating_mul(config.shards.connections as u64);
    let files = shards.saturating_mul((config.log.open_segments + config.log.open_writers) as u64);
    let settings = probe::Settings {
        plan,
        log_directories: &config.log_dirs,
        allow_file_systems: &allowed,
        connections,
        files,
    };
    probe::run(&settings).map_err(|error| ServerError::Probe(error.to_string()))
}

fn start(
    config: Config,
    failed_directories: Vec<(PathBuf, String)>,
    plan: &topology::Plan,
    signals: Signals,
    log_levels: LogLevels,
) -> Result<(), ServerError> {
    let bound = listeners::bind(&config)?;
    let admin = listeners::bind_admin(&config)?;
    let listen_on = bound.iter().map(|listener| (listener.name.clone(), listener.address)).collect();
    let mesh = Mesh::new(plan.shards(), config.shards.message_queue);
    let common = Common {
        owners: Arc::new(ShardTable::new(plan.shards())),
        limits: ConnectionLimits::new(),
        supported_features: supported_features(),
        listen_on: Arc::new(listen_on),
        admin: admin.as_ref().map(ReservedAddress::address),
        log_levels: Arc::new(log_levels),
        failed_directories: Arc::new(failed_directories),
        config: Arc::new(config),
    };
    let shards = start_shards(plan, Options::default(), move |context: ShardContext| {
        let (mesh, common, signals) = (mesh.clone(), common.clone(), signals.clone());
        async move {
            let port = Port::open(&context.runtime, mesh, context.id);
            run_shard(Stage::new(context.runtime, context.id, port, common), signals).await
        }
    })?;
    let results = shards.join()?;
    drop((bound, admin));
    results.into_iter().collect()
}
