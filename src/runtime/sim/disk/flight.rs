//! Operations under way: their faults, their times, their completion, and what a power cut makes of them.

use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::super::super::platform::{Completion, OpenMode, Operation, Outcome};
use super::super::faults::{Effect, Faults, OperationKind};
use super::super::random::{Random, mix};
use super::state::{DiskState, error, joined};

/// An operation under way.
pub(super) struct Flight {
    pub(super) operation: Operation,
    completion: Completion,
    /// What had completed when it was submitted.
    asked: u64,
    effect: Option<Effect>,
    /// CRC of the bytes of a write, at submission.
    crc: u32,
}

/// What to do about a submitted operation.
pub(in super::super) struct Submitted {
    /// Its number.
    pub(in super::super) number: u64,
    /// Nanoseconds until it completes.
    pub(in super::super) after_ns: u64,
    /// Something of it for the trace.
    pub(in super::super) trace: u64,
}

/// A finished operation: give it to `completion` when the disk is not borrowed any more.
pub(in super::super) struct Finished {
    pub(in super::super) completion: Completion,
    pub(in super::super) outcome: io::Result<Outcome>,
    /// Something of it for the trace.
    pub(in super::super) trace: u64,
}

fn crc(parts: &[Bytes]) -> u32 {
    parts.iter().fold(0, |crc, part| crc32c::crc32c_append(crc, part))
}

/// An operation in few words, for traces.
fn described(operation: &Operation, path: &Path) -> String {
    let kind = OperationKind::of(operation);
    let path = path.display();
    match operation {
        Operation::Write { position, parts, .. } => {
            let len: usize = parts.iter().map(Bytes::len).sum();
            format!("{kind:?} {path} {position}+{len}")
        }
        Operation::Read { position, buffer, .. } => format!("{kind:?} {path} {position}+{}", buffer.len()),
        Operation::SetLength { len, .. } => format!("{kind:?} {path} {len}"),
        Operation::Allocate { position, len, .. } => format!("{kind:?} {path} {position}+{len}"),
        Operation::Rename { from, .. } => format!("{kind:?} {} to {path}", from.display()),
        _ => format!("{kind:?} {path}"),
    }
}

impl DiskState {
    fn path_of(&self, operation: &Operation) -> PathBuf {
        let opened = |file| self.open_file(file).map(|open| open.path.clone()).unwrap_or_default();
        match operation {
            Operation::Open { path, .. }
            | Operation::PathInfo { path }
            | Operation::MakeDirectory { path }
            | Operation::List { path }
            | Operation::RemoveFile { path }
            | Operation::RemoveDirectory { path }
            | Operation::SyncDirectory { path }
            | Operation::SyncFilesystem { path }
            | Operation::FreeBytes { path } => path.clone(),
            Operation::Rename { to, .. } => to.clone(),
            Operation::Read { file, .. }
            | Operation::Write { file, .. }
            | Operation::Sync { file, .. }
            | Operation::SetLength { file, .. }
            | Operation::Allocate { file, .. }
            | Operation::FileInfo { file } => opened(file),
        }
    }

    fn scripted(&mut self, kind: OperationKind, path: &Path) -> Option<Effect> {
        let path = path.to_string_lossy();
        let mut struck = None;
        for (index, rule) in self.rules.iter_mut().enumerate() {
            if rule.operation == kind && path.contains(&rule.path_contains) && rule.nth > 0 {
                rule.nth -= 1;
                if rule.nth == 0 && struck.is_none() {
                    struck = Some(index);
                }
            }
        }
        struck.map(|index| self.rules.remove(index).effect)
    }

    fn by_chance(&mut self, kind: OperationKind, faults: &Faults) -> Option<Effect> {
        let random = &mut self.random;
        match kind {
            OperationKind::Read => {
                if random.chance(faults.read_error) {
                    return Some(Effect::Error(libc::EIO));
                }
                random.chance(faults.short_read).then_some(Effect::Short)
            }
            OperationKind::Write | OperationKind::DurableWrite => {
                if random.chance(faults.write_error) {
                    return Some(Effect::Error(libc::EIO));
                }
                random.chance(faults.short_write).then_some(Effect::Short)
            }
            OperationKind::Sync | OperationKind::SyncDirectory | OperationKind::SyncFilesystem => {
                random.chance(faults.sync_error).then_some(Effect::Error(libc::EIO))
            }
            _ => None,
        }
    }

    /// Panics when `operation` and one under way have no defined order: a bug of who submits them.
    fn check_overlap(&self, operation: &Operation) {
        let (file, from, to) = match operation {
            Operation::Write { file, position, parts, .. } => {
                (file, *position, position + parts.iter().map(|part| part.len() as u64).sum::<u64>())
            }
            Operation::SetLength { file, len } => (file, *len, u64::MAX),
            _ => return,
        };
        let Ok(opened) = self.open_file(file) else { return };
        for flight in self.flights.values() {
            let (other, other_from, other_to) = match &flight.operation {
                Operation::Write { file, position, parts, .. } => {
                    (file, *position, position + parts.iter().map(|part| part.len() as u64).sum::<u64>())
                }
                Operation::SetLength { file, len } => (file, *len, u64::MAX),
                _ => continue,
            };
            let same = self.open_file(other).is_ok_and(|open| open.inode == opened.inode);
            assert!(
                !same || from >= other_to || other_from >= to,
                "operations under way on {} have no defined order: bytes {other_from}..{other_to}, and now {from}..{to} ({:?})",
                opened.path.display(),
                OperationKind::of(operation),
            );
        }
    }

    fn duration(&mut self, kind: OperationKind, faults: &Faults) -> u64 {
        let most_ns = faults.operation_us.max(2) * 1000;
        if self.random.chance(faults.slow_operation) {
            return self.random.range(5_000_000..100_000_000);
        }
        let shape = match kind {
            OperationKind::Info | OperationKind::Open => most_ns / 4,
            OperationKind::SyncFilesystem => most_ns * 4,
            _ => most_ns,
        };
        // Mostly short, sometimes long: orders get mixed more than with an even spread.
        let most = if self.random.chance(0.8) { shape / 3 } else { shape };
        self.random.range(1_000..most.max(1_001))
    }

    pub(in super::super) fn submit(
        &mut self,
        operation: Operation,
        completion: Completion,
        faults: &Faults,
    ) -> Submitted {
        self.check_overlap(&operation);
        let kind = OperationKind::of(&operation);
        let path = self.path_of(&operation);
        let mut effect = self.scripted(kind, &path);
        let mount = self.mount_of(&path);
        if self.mounts.get(mount).is_some_and(|mount| mount.failed) {
            effect = Some(Effect::Error(libc::EIO));
        }
        let effect = effect.or_else(|| self.by_chance(kind, faults));
        let after_ns = match effect {
            Some(Effect::Slow(duration)) => duration.as_nanos() as u64,
            _ => self.duration(kind, faults),
        };
        self.submitted += 1;
        let number = self.submitted;
        let (crc, extent) = match &operation {
            Operation::Write { position, parts, .. } => (crc(parts), *position),
            Operation::Read { position, .. } | Operation::SetLength { len: position, .. } => (0, *position),
            _ => (0, 0),
        };
        let name = crc32c::crc32c(path.as_os_str().as_encoded_bytes());
        let mut trace = mix(number, kind as u64);
        for word in [u64::from(name), u64::from(crc), extent, after_ns] {
            trace = mix(trace, word);
        }
        let asked = self.sequence;
        tracing::trace!(number, after_ns, ?effect, "{}", described(&operation, &path));
        self.flights.insert(number, Flight { operation, completion, asked, effect, crc });
        Submitted { number, after_ns, trace }
    }

    /// Whether operation `number` is to interrupt the world before it completes (once).
    pub(in super::super) fn interrupts(&mut self, number: u64) -> bool {
        match self.flights.get_mut(&number) {
            Some(flight) if flight.effect == Some(Effect::Interrupt) => {
                flight.effect = None;
                true
            }
            _ => false,
        }
    }

    fn limit(&mut self, operation: &Operation) -> Option<usize> {
        let (wanted, unit) = match operation {
            Operation::Read { buffer, .. } => (buffer.len(), 512),
            Operation::Write { file, parts, .. } => {
                let direct = self.open_file(file).is_ok_and(|open| open.mode != OpenMode::Buffered);
                (parts.iter().map(Bytes::len).sum(), if direct { 512 } else { 1 })
            }
            _ => return None,
        };
        let units = wanted.div_ceil(unit);
        (units > 1).then(|| unit * self.random.range(1..units as u64) as usize)
    }

    /// Operation `number` completes: None when a crash took it.
    pub(in super::super) fn complete(&mut self, number: u64, now_ms: i64) -> Option<Finished> {
        let Flight { operation, completion, asked, effect, crc: at_submission } =
            self.flights.remove(&number)?;
        if let Operation::Write { parts, .. } = &operation {
            let path = self.path_of(&operation);
            assert!(
                crc(parts) == at_submission,
                "bytes changed while their write to {} was under way",
                path.display()
            );
        }
        self.completed += 1;
        let outcome = match effect {
            Some(Effect::Error(errno)) => {
                self.fail(&operation);
                Err(error(errno))
            }
            Some(Effect::Lie) => Ok(self.lie(operation)),
            Some(Effect::Short) => {
                let limit = self.limit(&operation);
                self.effect(operation, asked, limit, now_ms)
            }
            _ => self.effect(operation, asked, None, now_ms),
        };
        let trace = match &outcome {
            Ok(Outcome::Read(count, buffer)) => {
                u64::from(crc32c::crc32c(buffer.get(..*count).unwrap_or_default()))
            }
            Ok(Outcome::Count(count)) => *count as u64,
            Ok(Outcome::Info(info)) => info.len,
            Ok(_) => 1,
            Err(error) => error.raw_os_error().unwrap_or(-1) as u64,
        };
        tracing::trace!(number, result = trace as i64, "done");
        Some(Finished { completion, outcome, trace: mix(number, trace) })
    }

    /// What a failed operation leaves.
    fn fail(&mut self, operation: &Operation) {
        match operation {
            Operation::Write { file, position, parts, .. } => {
                self.write_some(file, *position, parts);
                self.forget(|state| state.open_file(file).map(|open| open.inode).ok());
            }
            Operation::Sync { file, .. } => {
                self.forget(|state| state.open_file(file).map(|open| open.inode).ok())
            }
            Operation::SyncFilesystem { path } => {
                let mount = self.mount_of(path);
                let Self { nodes, random, .. } = self;
                for node in nodes.values_mut().filter(|node| node.mount == mount) {
                    node.content.forget_some(random);
                }
            }
            _ => {}
        }
    }

    fn forget(&mut self, which: impl Fn(&Self) -> Option<u64>) {
        let Some(inode) = which(self) else { return };
        let Self { nodes, random, .. } = self;
        if let Some(node) = nodes.get_mut(&inode) {
            node.content.forget_some(random);
        }
    }

    /// A flush that says it succeeded and did nothing, a write that never happened.
    fn lie(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::Write { parts, .. } => Outcome::Count(parts.iter().map(Bytes::len).sum()),
            Operation::Read { buffer, .. } => {
                let len = buffer.len();
                Outcome::Read(len, buffer)
            }
            _ => Outcome::Count(0),
        }
    }

    /// Lets each operation under way have happened or not, with no flush.
    fn land(&mut self, now_ms: i64) -> Vec<Completion> {
        let mut flights: Vec<_> = std::mem::take(&mut self.flights).into_values().collect();
        self.random.shuffle(&mut flights);
        let mut completions = Vec::new();
        for flight in flights {
            completions.push(flight.completion);
            let happens = self.random.chance(0.5);
            match flight.operation {
                Operation::Write { file, position, parts, .. } if happens => {
                    let bytes = joined(&parts);
                    if let Ok(inode) = self.open_file(&file).map(|open| open.inode) {
                        let sequence = self.next_sequence();
                        if let Ok(node) = self.node(inode) {
                            node.content.write(sequence, position, &bytes, false);
                        }
                    }
                }
                Operation::SetLength { .. }
                | Operation::Rename { .. }
                | Operation::RemoveFile { .. }
                | Operation::RemoveDirectory { .. }
                | Operation::MakeDirectory { .. }
                | Operation::Open { mode: OpenMode::Buffered | OpenMode::DirectNew, .. }
                    if happens =>
                {
                    // It may fail as any operation may; nobody waits for it.
                    let _ = self.effect(flight.operation, flight.asked, None, now_ms);
                }
                _ => {}
            }
        }
        completions
    }

    /// The processes die; the kernel lives. Give back the completions to drop when nothing is borrowed.
    #[must_use]
    pub(in super::super) fn kill(&mut self, now_ms: i64) -> Vec<Completion> {
        let completions = self.land(now_ms);
        self.open.clear();
        self.rules.clear();
        self.sweep();
        completions
    }

    /// A power cut. Gives back the completions to drop, and where a bit flipped at rest.
    #[must_use]
    pub(in super::super) fn crash(
        &mut self,
        faults: &Faults,
        now_ms: i64,
    ) -> (Vec<Completion>, Option<(PathBuf, u64)>) {
        let completions = self.land(now_ms);
        let mut random: Random = self.random.fork();
        self.open.clear();
        self.rules.clear();
        self.names.crash(&mut random);
        for node in self.nodes.values_mut() {
            node.content.crash(&mut random);
        }
        self.sweep();
        let mut flipped = None;
        if random.chance(faults.bit_flip_per_crash) {
            flipped = self.flip_random_bit(&mut random);
        }
        (completions, flipped)
    }
}
