//! Leader epochs: assignments, truncations and questions in any order.

use millrace::log::leader_epochs::{EpochEntry, LeaderEpochs};

use super::{Random, same_as_kafka};

fn list(entries: &[EpochEntry]) -> String {
    let texts: Vec<String> = entries.iter().map(|e| format!("{}@{}", e.epoch, e.start_offset)).collect();
    texts.join(" ")
}

fn step(epochs: &mut LeaderEpochs, random: &mut Random) -> (String, String) {
    let last = epochs.latest().unwrap_or(EpochEntry { epoch: 0, start_offset: 0 });
    let offset = (last.start_offset + 30 - random.small::<i64>(100)).max(-1);
    let epoch = (last.epoch + 3 - random.small::<i32>(9)).max(-1);
    match random.below(12) {
        0..=3 => {
            let rising =
                (last.epoch + 1 + random.small::<i32>(2), last.start_offset + random.small::<i64>(20));
            let (epoch, offset) = if random.once_in(3) { (epoch, offset) } else { rising };
            let answer = if epochs.assign(epoch, offset).is_ok() { "ok" } else { "refused" };
            (format!("assign {epoch} {offset}"), answer.to_owned())
        }
        4 => {
            epochs.truncate_from_end(offset);
            (format!("end {offset}"), "ok".to_owned())
        }
        5 => {
            let offset = (last.start_offset - 40 + random.small::<i64>(60)).max(0);
            epochs.truncate_from_start(offset);
            (format!("start {offset}"), "ok".to_owned())
        }
        6 | 7 => {
            let log_end_offset = last.start_offset + 50;
            let end = epochs.end_offset_for(epoch, log_end_offset);
            (format!("ends {epoch} {log_end_offset}"), format!("{}@{}", end.epoch, end.end_offset))
        }
        8 | 9 => {
            let found = epochs.epoch_for_offset(offset).map_or("-".to_owned(), |epoch| epoch.to_string());
            (format!("epoch {offset}"), found)
        }
        10 => {
            let found = epochs.previous(epoch).map_or("-".to_owned(), |entry| list(&[entry]));
            (format!("previous {epoch}"), found)
        }
        _ => {
            let end = (last.start_offset + 30 - random.small::<i64>(100)).max(-1);
            (format!("range {offset} {end}"), list(&epochs.in_range(offset, end)))
        }
    }
}

#[test]
#[ignore = "needs Java and Kafka's jars, in KAFKA_LIB"]
fn leader_epochs_behave_as_kafkas() {
    for seed in 1..=3 {
        let (mut epochs, mut random) = (LeaderEpochs::new(), Random(seed));
        let history: Vec<_> = (0..20_000)
            .map(|_| {
                let (operation, answer) = step(&mut epochs, &mut random);
                (operation, format!("{answer} | {}", list(epochs.entries())))
            })
            .collect();
        same_as_kafka("EpochReplay.java", "EpochReplay", &history);
    }
}
