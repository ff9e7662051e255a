//! A disk that is nearly full, on a file system of its own (a loop device: needs root): produce is refused with an error
//! that clients try again on, everything else goes on, and it recovers by itself when space is freed.

use std::path::Path;
use std::process::Command;

use millrace::protocol::messages::{DeleteTopicsRequest, DeleteTopicsResponse};

use crate::node::{Node, until};
use crate::raw::{Limits, Raw, batch};

const KAFKA_STORAGE_ERROR: i16 = 56;

struct Volume(tempfile::TempDir);

impl Volume {
    fn make(mebibytes: u64) -> Option<Self> {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("mount")).unwrap();
        let image = folder.path().join("image");
        std::fs::File::create(&image).unwrap().set_len(mebibytes << 20).unwrap();
        let volume = Self(folder);
        let made = run("mkfs.ext4", &["-q", &image.to_string_lossy()])
            && run("mount", &["-o", "loop", &image.to_string_lossy(), &volume.mount()]);
        made.then_some(volume)
    }

    fn mount(&self) -> String {
        self.0.path().join("mount").display().to_string()
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        // The broker has just been killed: it may take a moment until it lets go.
        for _ in 0..100 {
            if run("umount", &[&self.mount()]) {
                return;
            }
            std::thread::park_timeout(std::time::Duration::from_millis(50));
        }
    }
}

fn run(program: &str, arguments: &[&str]) -> bool {
    let path = "/usr/sbin:/sbin:/usr/bin:/bin";
    let output = Command::new(program).args(arguments).env("PATH", path).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn before_the_disk_is_full_produce_is_refused_and_all_else_goes_on() {
    let Some(volume) = Volume::make(300) else {
        eprintln!("skipped: no file system of our own (root and a loop device are needed)");
        return;
    };
    let data = Path::new(&volume.mount()).join("data");
    let node = Node::start(&[&format!("log.dirs={}", data.display()), "log.journal_bytes=32 MiB"]);
    let mut client = Raw::connect(&node.address);
    client.create_topic("big", 2, &[("file.delete.delay.ms", "0")]);
    client.create_topic("small", 1, &[]);
    assert_eq!(client.produce(&[("small", 0, &batch(&[b"first"]))]), [(0, 0)]);
    let records = batch(&[&vec![b'x'; 900_000]]);
    let mut stored = 0;
    let refused = loop {
        match client.produce(&[("big", stored % 2, &records)])[0] {
            (0, _) => stored += 1,
            (code, _) => break code,
        }
        assert!(stored < 400, "the disk is never full");
    };
    assert_eq!(refused, KAFKA_STORAGE_ERROR);
    until("it is told", || node.metric("millrace_directory_full", "") > 0);
    let (status, text) = node.page("/health");
    assert!(status == 200 && text.contains("is nearly full: it takes no records"), "{text}");
    assert_eq!(node.metric("millrace_directory_offline", ""), 0);
    assert_eq!(client.produce(&[("small", 0, &batch(&[b"refused"]))]), [(KAFKA_STORAGE_ERROR, -1)]);
    // Reading goes on, and deleting.
    assert_eq!(client.fetch("big", 0, 0, Limits::default()).2.len(), records.len());
    assert_eq!(client.fetch("small", 0, 0, Limits::default()).1, 1);
    let request = DeleteTopicsRequest { topic_names: vec!["big"], timeout_ms: 10_000, ..Default::default() };
    let answer: DeleteTopicsResponse<'_> = client.ask(5, &request);
    assert_eq!(answer.responses[0].error_code, 0, "{:?}", answer.responses[0].error_message);
    until("there is room again", || client.produce(&[("small", 0, &batch(&[b"second"]))])[0].0 == 0);
    until("it is told", || node.metric("millrace_directory_full", "") == 0);
    assert_eq!(node.page("/health"), (200, "ok\n".to_owned()));
    drop(node);
}
