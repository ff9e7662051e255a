//! `run` and `compare`: workload files against brokers in turn, and the comparison of what they gave.
//!
//! A round runs every case on one broker, then on the next, so that what the machine does meanwhile meets all of them.
//! Medians are of the rounds' own figures; curves are of histograms merged over the rounds. Runs that are void are shown
//! and left out of both.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::cli::{Common, WorkloadOptions};
use crate::disk::Volume;
use crate::html;
use crate::machine::{self, Machine};
use crate::measure::write_percentiles;
use crate::peer::{self, Broker, Choice};
use crate::progress::Progress;
use crate::result::CaseResult;
use crate::run::{Context, data_folder, warm_up};
use crate::scenario;
use crate::workload::{Workload, WorkloadFile};

/// Warm-up of a quick run, at most.
const QUICK_WARMUP_RECORDS: u64 = 100_000;

/// Exit codes: all well; something failed; nothing could be run.
const DONE: u8 = 0;
const FAILED: u8 = 1;
const REFUSED: u8 = 2;

/// All runs of one case.
pub struct Case {
    pub workload: Workload,
    /// For each broker, in order: its runs, round by round.
    pub runs: Vec<Vec<CaseResult>>,
    /// What went wrong, or was left out, in words.
    pub notes: Vec<String>,
}

/// A figure of several runs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
    pub runs: usize,
}

/// A row of the comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub figure: String,
    pub brokers: Vec<Option<Spread>>,
    /// Each further broker's median over the first one's.
    pub ratios: Vec<Option<f64>>,
}

pub fn spread(values: &[f64]) -> Option<Spread> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (min, max) = (*sorted.first()?, *sorted.last()?);
    let middle = sorted.len() / 2;
    let median = if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    };
    Some(Spread { median, min, max, runs: sorted.len() })
}

impl Case {
    /// The figures that any broker has, in the order of the first run that has them.
    pub fn rows(&self) -> Vec<Row> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.runs.iter().flatten().flat_map(CaseResult::figures) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let row = |figure: String| {
            let of = |runs: &Vec<CaseResult>| {
                let counted = runs.iter().filter(|run| run.void.is_none());
                let values: Vec<f64> = counted
                    .filter_map(|run| run.figures().into_iter().find(|(name, _)| *name == figure))
                    .map(|(_, value)| value)
                    .collect();
                spread(&values)
            };
            let brokers: Vec<Option<Spread>> = self.runs.iter().map(of).collect();
            let first = brokers.first().copied().flatten();
            let ratio = |other: &Option<Spread>| {
                let (first, other) = (first?, (*other)?);
                (first.median != 0.0).then(|| other.median / first.median)
            };
            let ratios = brokers.iter().skip(1).map(ratio).collect();
            Row { figure, brokers, ratios }
        };
        names.into_iter().map(row).collect()
    }
}

/// A number with about three digits that count.
pub fn shown(value: f64) -> String {
    let size = value.abs();
    match size {
        s if s >= 1000.0 => {
            let whole = format!("{value:.0}");
            let digits: Vec<char> = whole.chars().rev().collect();
            let groups: Vec<String> = digits.chunks(3).map(|group| group.iter().collect()).collect();
            groups.join(",").chars().rev().collect::<String>().replace("-,", "-")
        }
        s if s >= 20.0 => format!("{value:.1}"),
        s if s >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Median, and from where to where if there are several.
pub fn shown_spread(spread: Option<Spread>) -> String {
    match spread {
        None => "-".into(),
        Some(one) if one.runs == 1 => shown(one.median),
        Some(all) => format!("{} ({} to {})", shown(all.median), shown(all.min), shown(all.max)),
    }
}

/// The comparison of a case as a Markdown table.
fn table(case: &Case, brokers: &[String]) -> String {
    let first = brokers.first().map_or("-", String::as_str);
    let mut out = format!("{}\n| |", case.workload.title());
    brokers.iter().for_each(|broker| out.push_str(&format!(" {broker} |")));
    brokers.iter().skip(1).for_each(|broker| out.push_str(&format!(" {broker} / {first} |")));
    out.push_str("\n| --- |");
    out.push_str(&" --- |".repeat(brokers.len() * 2 - 1));
    for row in case.rows() {
        out.push_str(&format!("\n| {} |", row.figure));
        row.brokers.iter().for_each(|broker| out.push_str(&format!(" {} |", shown_spread(*broker))));
        for ratio in &row.ratios {
            out.push_str(&format!(" {} |", ratio.map_or_else(|| "-".into(), |ratio| format!("{ratio:.2}"))));
        }
    }
    out
}

/// A broker that is kept from case to case while its settings stay.
struct Session<'a> {
    choice: &'a Choice,
    data: &'a Path,
    broker: Option<Broker>,
    settings: Vec<String>,
    /// Its own file system, if the workload asks for one; goes after the broker.
    volume: Option<Volume>,
}

impl Session<'_> {
    fn broker(&mut self, context: &Context<'_>, workload: &Workload) -> Result<&mut Broker, String> {
        let settings = workload.settings.get(&self.choice.key()).cloned().unwrap_or_default();
        let alive = self.broker.as_ref().is_some_and(Broker::alive);
        if !alive || self.settings != settings || self.volume.is_some() || workload.disk.mb > 0 {
            self.end();
            context.progress.phase(&format!("starting {}", self.choice.key()));
            if workload.disk.mb > 0 {
                self.volume = Some(Volume::create(self.data, &workload.disk)?);
            }
            let place = self.volume.as_ref().map_or(self.data, |volume| &volume.mount);
            let broker = self.choice.start(place, &settings)?;
            self.settings = settings;
            let records = workload.run.warmup_records;
            let records = if context.quick { records.min(QUICK_WARMUP_RECORDS) } else { records };
            let broker = self.broker.insert(broker);
            warm_up(context, broker, records)?;
            if let Some(volume) = &mut self.volume {
                volume.slow_down(&workload.disk, broker.pid)?;
            }
        }
        self.broker.as_mut().ok_or_else(|| "no broker".into())
    }

    fn end(&mut self) {
        if let Some(broker) = self.broker.take() {
            if broker.ours() && broker.alive() {
                let _ = broker.stop();
            }
            drop(broker);
        }
        self.volume = None;
    }
}

/// Why a case does not run on a broker, if so.
fn left_out(workload: &Workload, choice: &Choice) -> Option<String> {
    let key = choice.key();
    if !workload.only.is_empty() && !workload.only.contains(&key) {
        return Some(format!("left out: {}: only for {}", workload.title(), workload.only.join(", ")));
    }
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    if workload.cpus > cpus {
        return Some(format!("left out: {}: for {} CPUs, there are {cpus}", workload.title(), workload.cpus));
    }
    let starts = !workload.settings.is_empty() || workload.run.restart || workload.disk.mb > 0;
    (starts && matches!(choice, Choice::Running { .. })).then(|| {
        format!(
            "refused: {}: it starts the broker itself: give --broker a name of perf/peers/",
            workload.title()
        )
    })
}

fn default_out(files: &[WorkloadFile]) -> PathBuf {
    let name = match files {
        [one] => one.name.as_str(),
        _ => "suite",
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    PathBuf::from(format!("target/perf/{name}-{now}"))
}

#[derive(Serialize)]
struct Output<'a> {
    workload: &'a str,
    about: &'a str,
    quick: bool,
    machine: &'a Machine,
    brokers: &'a [String],
    cases: Vec<OutputCase<'a>>,
}

#[derive(Serialize)]
struct OutputCase<'a> {
    title: String,
    notes: &'a [String],
    comparison: Vec<Row>,
    runs: Vec<&'a CaseResult>,
}

/// Runs files on brokers, `rounds` times; gives the exit code.
pub fn run(
    common: &Common,
    options: &WorkloadOptions,
    brokers: &[String],
    rounds: usize,
) -> Result<u8, String> {
    let files: Vec<WorkloadFile> =
        options.files.iter().map(|path| WorkloadFile::read(path, options.quick)).collect::<Result<_, _>>()?;
    let out = options.out.clone().unwrap_or_else(|| default_out(&files));
    let data = data_folder(options.data.as_deref(), &out);
    for folder in [&out, &data] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    peer::end_with_signals()?;
    let progress = Progress::new();
    let mut code = REFUSED;
    for file in &files {
        let folder = file.path.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
        let beside = || fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone()).with_file_name("peers");
        let peers = options.peers.clone().unwrap_or_else(beside);
        let choice = |text: &String| {
            Choice::parse(text, &peers, common.pid, common.device.clone(), options.broker_cpus.clone())
        };
        let choices: Vec<Choice> = brokers.iter().map(choice).collect::<Result<_, _>>()?;
        if let Some(cpus) = &options.generator_cpus {
            machine::restrict(&machine::parse_cpus(cpus)?)?;
        }
        let context = Context {
            progress: &progress,
            machine: Machine::look(Some(&data)),
            quick: options.quick,
            folder,
            keep: options.keep,
        };
        let wanted =
            |case: &&Workload| options.case.as_ref().is_none_or(|part| case.title().contains(part.as_str()));
        let mut cases = Vec::new();
        for workload in file.cases.iter().filter(wanted) {
            if let Some(refusal) = workload.refusal() {
                progress.say(&refusal);
                continue;
            }
            let runs = choices.iter().map(|_| Vec::new()).collect();
            cases.push(Case { workload: workload.clone(), runs, notes: Vec::new() });
        }
        for round in 0..rounds {
            for (number, choice) in choices.iter().enumerate() {
                let mut session =
                    Session { choice, data: &data, broker: None, settings: Vec::new(), volume: None };
                for case in &mut cases {
                    if let Some(why) = left_out(&case.workload, choice) {
                        if round == 0 {
                            progress.say(&why);
                            case.notes.push(why);
                        }
                        continue;
                    }
                    let done = session
                        .broker(&context, &case.workload)
                        .and_then(|broker| scenario::run(&context, broker, &case.workload));
                    match done {
                        Ok(result) => {
                            progress.say(&result.text());
                            let failure = result.failure();
                            code = match (failure.is_some(), code) {
                                (true, _) | (_, FAILED) => FAILED,
                                _ => DONE,
                            };
                            if let Some(failure) = failure {
                                let round = round + 1;
                                case.notes.push(format!("{}, round {round}: {failure}", choice.key()));
                            }
                            let stem =
                                format!("{}-{}-{}", case.workload.file_stem(), choice.key(), round + 1);
                            write_histograms(&out, &stem.replace(':', "-"), &result)?;
                            case.runs[number].push(result);
                        }
                        Err(error) => {
                            let line = format!("{} on {}: {error}", case.workload.title(), choice.key());
                            progress.say(&format!("FAILED: {line}"));
                            case.notes.push(line);
                            code = FAILED;
                            // It may be in any state: the next case gets a new one.
                            session.end();
                        }
                    }
                }
                session.end();
            }
        }
        if cases.is_empty() {
            continue;
        }
        let text = write(&out, file, &context, brokers, &cases)?;
        if brokers.len() > 1 || rounds > 1 {
            println!("{text}");
        }
    }
    progress.end();
    let _ = fs::remove_dir(&data);
    if code == REFUSED {
        let _ = fs::remove_dir(&out);
    } else {
        eprintln!("results: {}", out.display());
    }
    Ok(code)
}

fn write_histograms(out: &Path, stem: &str, result: &CaseResult) -> Result<(), String> {
    let of = [("", &result.latency_histogram), ("-end-to-end", &result.end_to_end_histogram)];
    for (name, histogram) in of {
        if let Some(histogram) = histogram {
            let path = out.join(format!("{stem}{name}.hgrm"));
            write_percentiles(&path, histogram).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// Writes JSON and the HTML report; gives the comparison as Markdown tables.
fn write(
    out: &Path,
    file: &WorkloadFile,
    context: &Context<'_>,
    brokers: &[String],
    cases: &[Case],
) -> Result<String, String> {
    let output = Output {
        workload: &file.name,
        about: &file.about,
        quick: context.quick,
        machine: &context.machine,
        brokers,
        cases: cases
            .iter()
            .map(|case| OutputCase {
                title: case.workload.title(),
                notes: &case.notes,
                comparison: case.rows(),
                runs: case.runs.iter().flatten().collect(),
            })
            .collect(),
    };
    let json = serde_json::to_string_pretty(&output).map_err(|error| error.to_string())?;
    let report = html::report(file, context, brokers, cases)?;
    for (name, text) in [("json", json + "\n"), ("html", report)] {
        let path = out.join(format!("{}.{name}", file.name));
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(cases.iter().map(|case| table(case, brokers)).collect::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_spread_are_of_the_runs() {
        let odd = spread(&[3.0, 1.0, 2.0]).unwrap();
        assert_eq!((odd.median, odd.min, odd.max, odd.runs), (2.0, 1.0, 3.0, 3));
        assert_eq!(spread(&[1.0, 4.0]).unwrap().median, 2.5);
        assert!(spread(&[]).is_none());
    }

    #[test]
    fn numbers_show_the_digits_that_count() {
        let numbers = [1234567.0, 999.96, 25.04, 2.346, 0.0123, 0.0, -1234.0];
        let texts = ["1,234,567", "1000.0", "25.0", "2.35", "0.012", "0.000", "-1,234"];
        for (number, text) in numbers.into_iter().zip(texts) {
            assert_eq!(shown(number), text);
        }
    }
}
