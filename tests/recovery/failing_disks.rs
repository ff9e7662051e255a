//! A disk that fails while the broker serves: what is on it is offline on every shard, what is elsewhere goes on, and
//! nothing acknowledged is lost.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Random;
use crate::broker::Broker;
use crate::client::Client;
use crate::load::single_record;
use crate::volume::Volume;

const KAFKA_STORAGE_ERROR: i16 = 56;
const PARTITIONS: i32 = 12;
const PATIENCE: Duration = Duration::from_secs(20);

fn volume(folder: &Path) -> Option<Volume> {
    match Volume::create(folder, "ext4", 3 << 30) {
        Ok(volume) => Some(volume),
        Err(why) => {
            eprintln!("skipped: no ext4 on a loop device here: {why}");
            None
        }
    }
}

/// A log directory on the system's disk and one on a disk of its own; the broker's settings name both.
struct TwoDisks {
    volume: Volume,
    sound: PathBuf,
    failing: PathBuf,
    settings: [String; 2],
}

impl TwoDisks {
    fn in_folder(folder: &Path) -> Option<Self> {
        let volume = volume(folder)?;
        let (sound, failing) = (folder.join("sound"), volume.mount.join("failing"));
        std::fs::create_dir(&sound).unwrap();
        std::fs::create_dir(&failing).unwrap();
        let directories = format!("log.dirs={},{}", sound.display(), failing.display());
        Some(Self { volume, sound, failing, settings: [directories, "millrace.shards.cpus=0,1".to_owned()] })
    }

    fn start(&self) -> Broker {
        Broker::start(&self.sound, &self.settings.each_ref().map(String::as_str)).unwrap()
    }
}

#[test]
fn a_failed_disk_takes_its_partitions_offline_on_every_shard_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut disks) = TwoDisks::in_folder(folder.path()) else { return };
    let mut random = Random::seeded("failing disk");
    let broker = disks.start();
    let mut client = Client::connect(broker.address).unwrap();
    assert_eq!(client.create_topic("t", PARTITIONS, &[]).unwrap(), 0);
    let record = single_record(random.next());
    for partition in 0..PARTITIONS {
        assert_eq!(client.produce("t", partition, &record).unwrap(), (0, 0));
    }
    let (on_sound, on_failing): (Vec<i32>, Vec<i32>) =
        (0..PARTITIONS).partition(|partition| disks.sound.join(format!("t-{partition}")).exists());
    assert!(on_sound.len() >= 2 && on_failing.len() >= 4, "{on_sound:?} {on_failing:?}");

    disks.volume.cut().unwrap();
    // One shard meets the failure; the partitions of the other hear of it.
    assert_eq!(client.produce("t", on_failing[0], &record).unwrap().0, KAFKA_STORAGE_ERROR);
    let deadline = Instant::now() + PATIENCE;
    for partition in &on_failing {
        while let Ok(records) = client.read_all("t", *partition, 0) {
            assert_eq!(records.len(), 1);
            assert!(Instant::now() < deadline, "partition {partition} still serves");
            std::thread::yield_now();
        }
        assert_eq!(client.produce("t", *partition, &record).unwrap().0, KAFKA_STORAGE_ERROR);
    }
    for partition in &on_sound {
        assert_eq!(client.produce("t", *partition, &record).unwrap(), (0, 1));
        assert_eq!(client.read_all("t", *partition, 0).unwrap().len(), 2);
    }
    broker.stop();

    disks.volume.unmount();
    disks.volume.mount().unwrap();
    let broker = disks.start();
    let mut client = Client::connect(broker.address).unwrap();
    for partition in 0..PARTITIONS {
        let wanted = if on_sound.contains(&partition) { 2 } else { 1 };
        assert_eq!(client.read_all("t", partition, 0).unwrap().len(), wanted);
        assert_eq!(client.produce("t", partition, &record).unwrap().0, 0);
    }
    broker.stop();
}

#[test]
fn a_segment_that_cannot_be_read_while_it_is_sent_takes_its_disk_offline() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut disks) = TwoDisks::in_folder(folder.path()) else { return };
    let mut random = Random::seeded("failing read");
    let broker = disks.start();
    let mut client = Client::connect(broker.address).unwrap();
    assert_eq!(client.create_topic("t", 4, &[]).unwrap(), 0);
    let on_failing: Vec<i32> =
        (0..4).filter(|partition| disks.failing.join(format!("t-{partition}")).exists()).collect();
    let record = single_record(random.next());
    for partition in &on_failing {
        assert_eq!(client.produce("t", *partition, &record).unwrap(), (0, 0));
    }
    broker.stop();
    // Nothing of it is in memory after a start, nor, mounted again, in the page cache.
    disks.volume.unmount();
    disks.volume.mount().unwrap();
    let broker = disks.start();
    disks.volume.cut().unwrap();
    // The size was promised before the bytes were read: the connection ends.
    let mut reader = Client::connect(broker.address).unwrap();
    assert!(reader.read_all("t", on_failing[0], 0).is_err());
    let mut client = Client::connect(broker.address).unwrap();
    let deadline = Instant::now() + PATIENCE;
    loop {
        let said = client.read_all("t", on_failing[0], 0).map(|records| records.len());
        let Err(error) = said else { panic!("{said:?}") };
        if error.to_string().contains("error 56") {
            break;
        }
        assert!(Instant::now() < deadline, "still {error}");
        client = Client::connect(broker.address).unwrap();
    }
    broker.stop();
}

#[test]
fn a_broker_starts_without_a_disk_that_has_failed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disks) = TwoDisks::in_folder(folder.path()) else { return };
    let mut random = Random::seeded("start without a disk");
    let record = single_record(random.next());
    let broker = disks.start();
    let mut client = Client::connect(broker.address).unwrap();
    assert_eq!(client.create_topic("t", 4, &[]).unwrap(), 0);
    for partition in 0..4 {
        assert_eq!(client.produce("t", partition, &record).unwrap(), (0, 0));
    }
    let is_sound = |partition: i32| disks.sound.join(format!("t-{partition}")).exists();
    broker.stop();
    // As the kernel leaves a file system after an error.
    disks.volume.remount("ro");
    let broker = disks.start();
    let mut client = Client::connect(broker.address).unwrap();
    for partition in 0..4 {
        let wanted = if is_sound(partition) { (0, 1) } else { (KAFKA_STORAGE_ERROR, -1) };
        assert_eq!(client.produce("t", partition, &record).unwrap(), wanted);
    }
    broker.stop();
    disks.volume.remount("rw");
    let broker = disks.start();
    let mut client = Client::connect(broker.address).unwrap();
    for partition in 0..4 {
        let wanted = if is_sound(partition) { 2 } else { 1 };
        assert_eq!(client.read_all("t", partition, 0).unwrap().len(), wanted);
    }
    broker.stop();
}

#[test]
fn a_broker_ends_when_its_last_disk_fails() {
    let folder = tempfile::tempdir().unwrap();
    let Some(volume) = volume(folder.path()) else { return };
    let mut random = Random::seeded("last disk");
    let data = volume.mount.join("data");
    let log = folder.path().join("broker.log");
    std::fs::create_dir(&data).unwrap();
    let broker = Broker::start_logging(&data, &[], &log).unwrap();
    let mut client = Client::connect(broker.address).unwrap();
    assert_eq!(client.create_topic("t", 2, &[]).unwrap(), 0);
    volume.cut().unwrap();
    // An error, or the end of the connection when the broker was faster.
    let answer = client.produce("t", 0, &single_record(random.next()));
    assert!(answer.is_err() || answer.is_ok_and(|(code, _)| code == KAFKA_STORAGE_ERROR));
    let status = broker.wait(PATIENCE).expect("it ends by itself");
    assert!(!status.success(), "{status}");
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(said.lines().last().is_some_and(|line| line.starts_with("millrace:")), "{said}");
}
