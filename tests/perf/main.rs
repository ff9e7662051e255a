//! The harness against a broker as a process: what it writes, what it refuses, and that it sees what is lost.

#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn tree() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn peers() -> PathBuf {
    tree().join("perf/peers")
}

/// Runs `millrace-perf`; its brokers are the binary that the tests built.
fn perf(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_millrace-perf"))
        .args(arguments)
        .env("MILLRACE", env!("CARGO_BIN_EXE_millrace"))
        .env("MILLRACE_LOG", "warn")
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

struct Place {
    folder: TempDir,
    file: String,
}

/// A workload file in a folder of its own.
fn place(name: &str, text: &str) -> Place {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join(format!("{name}.toml"));
    fs::write(&file, format!("name = \"{name}\"\nabout = \"for a test\"\n{text}")).unwrap();
    let file = file.to_string_lossy().into_owned();
    Place { folder, file }
}

impl Place {
    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// `run` or `compare`; gives the JSON.
    fn measured(&self, name: &str, command: &str, more: &[&str]) -> (Output, Value) {
        let (out, peers) = (self.out(), peers());
        let mut arguments =
            vec![command, &self.file, "--out", out.to_str().unwrap(), "--peers", peers.to_str().unwrap()];
        arguments.extend(more);
        let done = perf(&arguments);
        assert!(done.status.success(), "{}", said(&done));
        let json = fs::read_to_string(out.join(format!("{name}.json"))).unwrap();
        (done, serde_json::from_str(&json).unwrap())
    }
}

/// Everything that was acknowledged was read, by each group.
fn verified(run: &Value) -> u64 {
    let verdict = &run["verified"];
    assert_eq!(verdict["ok"], true, "{run}");
    let acknowledged = verdict["acknowledged_records"].as_u64().unwrap();
    assert!(acknowledged > 0, "{run}");
    assert_eq!(verdict["read_records"].as_u64().unwrap(), acknowledged * verdict["groups"].as_u64().unwrap());
    acknowledged
}

const SHORT: &str = "[run]\nseconds = 1\nsettle_seconds = 0.2\nwarmup_records = 2000\n";

#[test]
fn a_workload_leaves_a_report_and_json_that_agree() {
    let text = format!(
        "[topic]\npartitions = 4\n[records]\nbytes = 200\nbatch = 8\n[producers]\ncount = 2\nrate = 2000\n\
         linger_ms = 1\n[consumers]\ncount = 2\ngroups = 2\n{SHORT}"
    );
    let place = place("short", &text);
    let (_, json) = place.measured("short", "run", &[]);
    let run = &json["cases"][0]["runs"][0];
    let acknowledged = verified(run);
    assert_eq!(run["verified"]["groups"], 2);
    // The rate is the generator's: what was due in a second was produced, neither less nor more.
    assert_eq!(run["produce"]["latency"]["count"], 2000);
    assert!(
        acknowledged >= 2400,
        "{acknowledged} records in 1.2 s at 2000/s, and the consumers' count of them"
    );
    assert_eq!(run["end_to_end"]["count"], 4000);
    assert_eq!((&run["errors"], &run["broker"]["name"]), (&Value::from(0), &Value::from("Millrace")));
    assert!(run["broker"]["flush"].as_str().unwrap().contains("durability = flush"));
    assert!(
        run["usage"]["broker_cpu_seconds"].as_f64().is_some()
            && run["timeline"][0]["seconds"].as_f64().is_some()
    );
    assert!(run["machine"]["cpus"].as_u64().unwrap() >= 1);

    let html = fs::read_to_string(place.out().join("short.html")).unwrap();
    assert!(html.contains(&format!("{acknowledged} acknowledged, {} read, CRCs equal", acknowledged * 2)));
    for row in json["cases"][0]["comparison"].as_array().unwrap() {
        assert!(html.contains(&format!("<th>{}</th>", row["figure"].as_str().unwrap())), "{row}");
    }
    assert!(html.matches("<svg").count() >= 2 && html.contains("end to end latency"));
    // Nothing is fetched from anywhere: the one address is the name of SVG's vocabulary.
    let addresses = html.matches("//").count();
    assert_eq!(addresses, html.matches("http://www.w3.org/2000/svg").count());
    assert!(!html.contains("<script") && !html.contains("@import") && !html.contains("url("));

    let lines = fs::read_to_string(place.out().join("short-millrace-1.hgrm")).unwrap();
    assert!(lines.contains("Percentile") && lines.contains("Total count    =         2000"), "{lines}");
    assert!(place.out().join("short-millrace-1-end-to-end.hgrm").exists());
    // The broker's data went with it.
    assert!(!place.out().join("data").exists());
}

#[test]
fn every_shape_of_load_is_read_back_as_it_was_produced() {
    let text = format!(
        "[topic]\npartitions = 3\n[records]\nbytes = 100\nbatch = 10\n[producers]\ncount = 2\nrate = 3000\n{}\
         [[case]]\ncase = \"max\"\nproducers.rate = \"max\"\n\
         [[case]]\ncase = \"acks 0\"\nproducers.acks = 0\n\
         [[case]]\ncase = \"idempotent\"\nproducers = {{ idempotent = true, linger_ms = 2 }}\nconsumers.count = 1\n\
         [[case]]\ncase = \"keys\"\nproducers.linger_ms = 0\nrecords = {{ keys = \"round-robin\", key_count = 50 }}\n\
         [[case]]\ncase = \"file\"\nrecords = {{ file = \"lines\", codec = \"zstd\", batch = 3 }}\n\
         [[case]]\ncase = \"gzip\"\nrecords = {{ codec = \"gzip\", content = \"json\" }}\nconsumers.count = 1\n\
         [[case]]\ncase = \"backlog\"\nbacklog.records = 5000\nconsumers.count = 2\n\
         [[case]]\ncase = \"connections\"\nconnections = {{ idle = 20, churn_per_second = 50 }}\n",
        SHORT.replace("seconds = 1\n", "seconds = 0.5\n")
    );
    let place = place("shapes", &text);
    fs::write(place.folder.path().join("lines"), "one\ntwo\nthree\nfour\n").unwrap();
    let (done, json) = place.measured("shapes", "run", &[]);
    let cases = json["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 8);
    for case in cases {
        verified(&case["runs"][0]);
        assert_eq!(case["runs"][0]["errors"], 0, "{}", said(&done));
    }
    let figures = |case: usize| &cases[case]["runs"][0]["figures"];
    assert!(figures(6)["time to catch up, s"].as_f64().is_some(), "{}", figures(6));
    assert!(figures(7)["connect until answered: p99, ms"].as_f64().unwrap() > 0.0, "{}", figures(7));
}

#[test]
fn recovery_reads_what_was_acknowledged_before_the_kill() {
    let text = "kind = \"recovery\"\n[topic]\npartitions = 3\n[records]\nbytes = 100\nbatch = 10\n\
                [backlog]\nrecords = 20000\n[producers]\ncount = 2\n[run]\nseconds = 0.5\nwarmup_records = 0\n";
    let place = place("killed", text);
    let (_, json) = place.measured("killed", "run", &[]);
    let run = &json["cases"][0]["runs"][0];
    assert_eq!(run["verified"]["ok"], true, "{run}");
    assert!(run["verified"]["acknowledged_records"].as_u64().unwrap() > 20_000);
    assert!(run["figures"]["start after SIGKILL under load, s"].as_f64().unwrap() > 0.0);
}

#[test]
fn brokers_are_compared_round_by_round() {
    let place = place("both", &format!("[records]\nbytes = 100\n[producers]\nrate = 500\n{SHORT}"));
    // The second broker is one that runs already.
    let folder = TempDir::new().unwrap();
    let script = |command: &str| {
        let mut call = Command::new(peers().join("millrace"));
        call.arg(command).arg(folder.path()).env("MILLRACE", env!("CARGO_BIN_EXE_millrace"));
        String::from_utf8(call.output().unwrap().stdout).unwrap()
    };
    let told = script("start");
    let get = |key: &str| told.lines().find_map(|line| line.strip_prefix(key)).unwrap().to_owned();
    let (address, pid) = (get("address="), get("pid="));
    let brokers = format!("millrace,{address}");
    let (done, json) = place.measured("both", "compare", &["--brokers", &brokers, "--rounds", "2"]);
    script("stop");
    assert!(
        !Path::new(&format!("/proc/{pid}/cmdline")).exists()
            || fs::read(format!("/proc/{pid}/cmdline")).unwrap().is_empty()
    );

    let runs = json["cases"][0]["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    runs.iter().for_each(|run| assert!(verified(run) > 0));
    let rows = json["cases"][0]["comparison"].as_array().unwrap();
    let row = rows.iter().find(|row| row["figure"] == "produce: records/s").unwrap();
    let void = runs.iter().any(|run| !run["void"].is_null());
    if !void {
        for broker in row["brokers"].as_array().unwrap() {
            let [median, min, max] = ["median", "min", "max"].map(|key| broker[key].as_f64().unwrap());
            assert!(broker["runs"] == 2 && min <= median && median <= max && min > 0.0, "{broker}");
        }
        let [first, second] = [0, 1].map(|at| row["brokers"][at]["median"].as_f64().unwrap());
        assert!((row["ratios"][0].as_f64().unwrap() - second / first).abs() < 1e-9, "{row}");
    }
    let table = String::from_utf8(done.stdout).unwrap();
    assert!(table.contains(&format!("| | millrace | {address} | {address} / millrace |")), "{table}");
    let html = fs::read_to_string(place.out().join("both.html")).unwrap();
    assert!(html.contains(&format!("<th>{address} / millrace</th>")));
}

#[test]
fn what_cannot_run_is_refused_by_name_with_its_reason() {
    let out = TempDir::new().unwrap();
    for (name, reason) in [("replicated", "it needs a cluster"), ("rebalance", "it needs consumer groups")] {
        let file = tree().join(format!("perf/workloads/{name}.toml"));
        let done = perf(&["run", file.to_str().unwrap(), "--quick", "--out", out.path().to_str().unwrap()]);
        assert_eq!(done.status.code(), Some(2));
        let said = said(&done);
        assert!(
            said.starts_with(&format!("refused: {name}: {reason}")) && said.lines().count() == 1,
            "{said}"
        );
    }
    for (name, case, reason) in
        [("acks", "transactions", "it needs transactions"), ("tls-codecs", "TLS", "it needs TLS")]
    {
        let file = tree().join(format!("perf/workloads/{name}.toml"));
        let done =
            perf(&["run", file.to_str().unwrap(), "--case", case, "--out", out.path().to_str().unwrap()]);
        assert_eq!(done.status.code(), Some(2));
        let said = said(&done);
        assert!(said.starts_with(&format!("refused: {name} ({case}")) && said.contains(reason), "{said}");
    }
}

#[test]
fn a_mistake_names_the_file_the_key_and_what_is_allowed() {
    let wrong = |text: &str| {
        let place = place("wrong", text);
        let done = perf(&["run", &place.file, "--out", place.out().to_str().unwrap()]);
        assert_eq!(done.status.code(), Some(1));
        let said = said(&done);
        assert!(said.starts_with(&format!("millrace-perf: {}: ", place.file)), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    };
    let unknown = wrong("[consumers]\ncuont = 4\n");
    assert!(unknown.contains("`cuont`") && unknown.contains("`count`"), "{unknown}");
    assert!(wrong("[records]\ncodec = \"brotli\"\n").contains("allowed: none, gzip, snappy, lz4, zstd"));
    assert!(wrong("[producers]\nrate = \"much\"\n").contains("neither `max` nor records a second"));
    assert!(
        wrong("[records]\nfile = \"gone\"\n[producers]\nlinger_ms = 1\n").contains("producers.linger_ms")
    );

    let place = place("right", SHORT);
    let (out, peers) = (place.out(), peers());
    let done = perf(&[
        "run",
        &place.file,
        "--broker",
        "redis",
        "--out",
        out.to_str().unwrap(),
        "--peers",
        peers.to_str().unwrap(),
    ]);
    assert!(said(&done).contains("no broker redis: allowed: an address, or one of kafka, millrace"));
}
