//! What may go wrong in a simulated world: by chance, or by script.

use std::time::Duration;

use super::super::platform::Operation;

/// Probabilities (0 to 1, for each operation unless said otherwise) and times of a world.
#[derive(Clone, Debug)]
pub struct Faults {
    /// A read fails with EIO.
    pub read_error: f64,
    /// A write fails with EIO; part of it may have reached the disk.
    pub write_error: f64,
    /// A flush (of a file, directory or file system) fails with EIO; unflushed bytes may be lost for ever.
    pub sync_error: f64,
    /// A read gives fewer bytes than asked.
    pub short_read: f64,
    /// A write takes fewer bytes than given.
    pub short_write: f64,
    /// An operation takes 5 to 100 ms.
    pub slow_operation: f64,
    /// Longest usual time of an operation, microseconds.
    pub operation_us: u64,
    /// One bit of one file changes at rest, for each crash.
    pub bit_flip_per_crash: f64,
    /// The wall clock steps by up to 10 s either way, for each event.
    pub clock_step: f64,
    /// Longest way of a bell, microseconds.
    pub bell_us: u64,
    /// Longest way of bytes in the network, microseconds.
    pub network_us: u64,
    /// A connection is reset, for each write to it.
    pub network_reset: f64,
    /// A connection is refused though somebody listens.
    pub network_refuse: f64,
}

impl Faults {
    /// Nothing fails; order and times are still the seed's.
    #[must_use]
    pub fn none() -> Self {
        Self {
            read_error: 0.0,
            write_error: 0.0,
            sync_error: 0.0,
            short_read: 0.0,
            short_write: 0.0,
            slow_operation: 0.0,
            operation_us: 300,
            bit_flip_per_crash: 0.0,
            clock_step: 0.0,
            bell_us: 60,
            network_us: 200,
            network_reset: 0.0,
            network_refuse: 0.0,
        }
    }

    /// What every correct program must take without losing service: short reads and writes, slowness, clock steps.
    #[must_use]
    pub fn mild() -> Self {
        Self {
            short_read: 0.02,
            short_write: 0.02,
            slow_operation: 0.005,
            clock_step: 0.0005,
            ..Self::none()
        }
    }

    /// The mild ones, and errors of disk and network.
    #[must_use]
    pub fn harsh() -> Self {
        Self {
            read_error: 0.0005,
            write_error: 0.0005,
            sync_error: 0.0005,
            network_reset: 0.001,
            network_refuse: 0.01,
            ..Self::mild()
        }
    }
}

/// Kinds of disk operations, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // as in `Operation`
pub enum OperationKind {
    Open,
    Read,
    Write,
    DurableWrite,
    Sync,
    SetLength,
    Allocate,
    Info,
    MakeDirectory,
    List,
    Rename,
    RemoveFile,
    RemoveDirectory,
    SyncDirectory,
    SyncFilesystem,
}

impl OperationKind {
    /// The kind of `operation`.
    #[must_use]
    pub fn of(operation: &Operation) -> Self {
        match operation {
            Operation::Open { .. } => Self::Open,
            Operation::Read { .. } => Self::Read,
            Operation::Write { durable: false, .. } => Self::Write,
            Operation::Write { durable: true, .. } => Self::DurableWrite,
            Operation::Sync { .. } => Self::Sync,
            Operation::SetLength { .. } => Self::SetLength,
            Operation::Allocate { .. } => Self::Allocate,
            Operation::FileInfo { .. } | Operation::PathInfo { .. } | Operation::FreeBytes { .. } => {
                Self::Info
            }
            Operation::MakeDirectory { .. } => Self::MakeDirectory,
            Operation::List { .. } => Self::List,
            Operation::Rename { .. } => Self::Rename,
            Operation::RemoveFile { .. } => Self::RemoveFile,
            Operation::RemoveDirectory { .. } => Self::RemoveDirectory,
            Operation::SyncDirectory { .. } => Self::SyncDirectory,
            Operation::SyncFilesystem { .. } => Self::SyncFilesystem,
        }
    }
}

/// What a scripted fault does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Fails with this errno.
    Error(i32),
    /// Reads or writes one sector less than asked, at least.
    Short,
    /// Takes this long.
    Slow(Duration),
    /// Says that it succeeded and does nothing: to plant faults.
    Lie,
    /// `World::run*` returns `Interrupted` when it is about to complete.
    Interrupt,
}

/// A scripted fault. Used once, then gone.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it strikes.
    pub operation: OperationKind,
    /// Only paths that contain this (for a rename: the new path; for an open file: the path it was opened by).
    pub path_contains: String,
    /// The how manieth from now; 1 is the next.
    pub nth: u64,
    /// What happens.
    pub effect: Effect,
}
