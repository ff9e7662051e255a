//! Files, open files and devices of a simulated disk, and what each operation does to them when it takes effect.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use bytes::{Bytes, BytesMut};

use super::super::super::buffer::{AlignedBuf, BLOCK};
use super::super::super::platform::{
    DirectoryEntry, FileHandle, FileInner, OpenMode, Operation, Outcome, PathInfo,
};
use super::super::faults::Rule;
use super::super::random::Random;
use super::content::{Content, SECTOR};
use super::flight::Flight;
use super::names::{Inode, Names};

/// One device, mounted at a directory.
pub(super) struct Mount {
    pub(super) path: PathBuf,
    pub(super) capacity: u64,
    /// Every operation fails with EIO.
    pub(super) failed: bool,
}

pub(super) struct Node {
    pub(super) content: Content,
    pub(super) modified_ms: i64,
    /// Index of its device.
    pub(super) mount: usize,
}

pub(super) struct OpenFile {
    pub(super) inode: Inode,
    pub(super) mode: OpenMode,
    /// The path it was opened by.
    pub(super) path: PathBuf,
    alive: Weak<FileInner>,
}

/// The disk of one machine.
pub struct DiskState {
    pub(super) nodes: BTreeMap<Inode, Node>,
    pub(super) names: Names,
    pub(super) mounts: Vec<Mount>,
    pub(super) open: BTreeMap<u64, OpenFile>,
    pub(super) flights: BTreeMap<u64, Flight>,
    pub(super) rules: Vec<Rule>,
    pub(super) random: Random,
    /// Counts everything that completed, and orders it.
    pub(super) sequence: u64,
    next_inode: Inode,
    next_open: u64,
    /// Operations submitted since the start.
    pub(super) submitted: u64,
    /// Operations that completed since the start.
    pub(super) completed: u64,
}

pub(super) fn error(errno: i32) -> io::Error {
    io::Error::from_raw_os_error(errno)
}

impl DiskState {
    pub(in super::super) fn new(random: Random) -> Self {
        let root = Mount { path: PathBuf::from("/"), capacity: 1 << 40, failed: false };
        Self {
            nodes: BTreeMap::new(),
            names: Names::new(),
            mounts: vec![root],
            open: BTreeMap::new(),
            flights: BTreeMap::new(),
            rules: Vec::new(),
            random,
            sequence: 0,
            next_inode: 1,
            next_open: 1,
            submitted: 0,
            completed: 0,
        }
    }

    pub(super) fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    pub(super) fn new_inode(&mut self) -> Inode {
        self.next_inode += 1;
        self.next_inode
    }

    /// The device that holds `path`.
    pub(super) fn mount_of(&self, path: &Path) -> usize {
        let holding = self.mounts.iter().enumerate().filter(|(_, mount)| path.starts_with(&mount.path));
        holding.max_by_key(|(_, mount)| mount.path.as_os_str().len()).map_or(0, |(index, _)| index)
    }

    pub(super) fn used(&self, mount: usize) -> u64 {
        let held = self.nodes.values().filter(|node| node.mount == mount);
        held.map(|node| node.content.occupied()).sum()
    }

    pub(super) fn free(&self, mount: usize) -> u64 {
        let capacity = self.mounts.get(mount).map_or(0, |mount| mount.capacity);
        capacity.saturating_sub(self.used(mount))
    }

    pub(super) fn open_file(&self, file: &FileHandle) -> io::Result<&OpenFile> {
        self.open.get(&file.0.number).ok_or_else(|| error(libc::EBADF))
    }

    pub(super) fn node(&mut self, inode: Inode) -> io::Result<&mut Node> {
        self.nodes.get_mut(&inode).ok_or_else(|| error(libc::EISDIR))
    }

    /// Forgets descriptors that nobody holds, and files without names.
    pub(super) fn sweep(&mut self) {
        self.open.retain(|_, file| file.alive.strong_count() > 0);
        let mut wanted = self.names.mentioned();
        wanted.extend(self.open.values().map(|file| file.inode));
        self.nodes.retain(|inode, _| wanted.contains(inode));
    }

    fn open_path(&mut self, path: &Path, mode: OpenMode, now_ms: i64) -> io::Result<Outcome> {
        let inode = match (self.names.find(path), mode) {
            (Some(_), OpenMode::DirectNew) => return Err(error(libc::EEXIST)),
            (Some(inode), _) if self.names.is_directory(inode) => return Err(error(libc::EISDIR)),
            (Some(inode), _) => inode,
            (None, OpenMode::Read | OpenMode::Direct) => return Err(error(libc::ENOENT)),
            (None, OpenMode::Buffered | OpenMode::DirectNew) => {
                let inode = self.new_inode();
                let sequence = self.next_sequence();
                self.names.add(sequence, path, inode, false)?;
                let mount = self.mount_of(path);
                self.nodes.insert(inode, Node { content: Content::default(), modified_ms: now_ms, mount });
                inode
            }
        };
        self.next_open += 1;
        let number = self.next_open;
        let inner = Arc::new(FileInner { number, descriptor: None });
        let alive = Arc::downgrade(&inner);
        self.open.insert(number, OpenFile { inode, mode, path: path.to_owned(), alive });
        Ok(Outcome::File(FileHandle(inner)))
    }

    /// An open file's bytes now, up to its end; None when it is not open any more.
    pub(in super::super) fn bytes_of(&self, file: &FileHandle, position: u64, len: usize) -> Option<Bytes> {
        let inode = self.open_file(file).ok()?.inode;
        let live = self.nodes.get(&inode)?.content.live();
        let start = (position as usize).min(live.len());
        let end = start.saturating_add(len).min(live.len());
        live.get(start..end).map(Bytes::copy_from_slice)
    }

    fn read(
        &mut self,
        file: &FileHandle,
        position: u64,
        mut buffer: AlignedBuf,
        limit: Option<usize>,
    ) -> io::Result<Outcome> {
        let opened = self.open_file(file)?;
        let (inode, mode) = (opened.inode, opened.mode);
        if is_direct(mode) && (!position.is_multiple_of(BLOCK as u64) || !buffer.len().is_multiple_of(BLOCK))
        {
            return Err(error(libc::EINVAL));
        }
        let node = self.nodes.get(&inode).ok_or_else(|| error(libc::EISDIR))?;
        let live = node.content.live();
        let start = (position as usize).min(live.len());
        let mut count = buffer.len().min(live.len() - start);
        if let Some(limit) = limit {
            count = count.min(limit);
        }
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), live.get(start..start + count)) {
            to.copy_from_slice(from);
        }
        // Writes under way may show already, sector by sector.
        for flight in self.flights.values() {
            let Operation::Write { file, position: at, parts, .. } = &flight.operation else { continue };
            if self.open.get(&file.0.number).map(|open| open.inode) != Some(inode) {
                continue;
            }
            let written: usize = parts.iter().map(Bytes::len).sum();
            let end = position + count as u64;
            if *at >= end || at + written as u64 <= position {
                continue;
            }
            let bytes = joined(parts);
            for (index, sector) in bytes.chunks(SECTOR as usize).enumerate() {
                let from = at + index as u64 * SECTOR;
                if from >= position && from + sector.len() as u64 <= end && self.random.chance(0.5) {
                    let start = (from - position) as usize;
                    if let Some(to) = buffer.get_mut(start..start + sector.len()) {
                        to.copy_from_slice(sector);
                    }
                }
            }
        }
        Ok(Outcome::Read(count, buffer))
    }

    /// What a write of `wanted` bytes at `position` may take before the device is full.
    fn room(&mut self, inode: Inode, position: u64, wanted: u64) -> io::Result<u64> {
        let node = self.node(inode)?;
        let (mount, held) = (node.mount, node.content.occupied());
        let end = position + wanted;
        if end <= held {
            return Ok(wanted);
        }
        let most = held + self.free(mount) / BLOCK as u64 * BLOCK as u64;
        match most.saturating_sub(position).min(wanted) {
            0 => Err(error(libc::ENOSPC)),
            taken => Ok(taken),
        }
    }

    fn write(&mut self, write: &Write<'_>, limit: Option<usize>, now_ms: i64) -> io::Result<Outcome> {
        let opened = self.open_file(write.file)?;
        let (inode, mode) = (opened.inode, opened.mode);
        if mode == OpenMode::Read {
            return Err(error(libc::EBADF));
        }
        let block = BLOCK as u64;
        let aligned =
            |part: &Bytes| part.len().is_multiple_of(BLOCK) && part.as_ptr().addr().is_multiple_of(BLOCK);
        if is_direct(mode) && !(write.position.is_multiple_of(block) && write.parts.iter().all(aligned)) {
            return Err(error(libc::EINVAL));
        }
        let mut bytes = joined(write.parts);
        let most = limit.unwrap_or(bytes.len()).min(bytes.len());
        let taken = self.room(inode, write.position, most as u64)? as usize;
        bytes.truncate(taken);
        let sequence = self.next_sequence();
        let node = self.node(inode)?;
        node.content.write(sequence, write.position, &bytes, write.durable);
        node.modified_ms = now_ms;
        Ok(Outcome::Count(taken))
    }

    /// Part of a write that failed reaches the file all the same.
    pub(super) fn write_some(&mut self, file: &FileHandle, position: u64, parts: &[Bytes]) {
        let Ok(inode) = self.open_file(file).map(|open| open.inode) else { return };
        let bytes = joined(parts);
        for start in (0..bytes.len()).step_by(SECTOR as usize) {
            let from = position + start as u64;
            let known = self.nodes.get(&inode).is_some_and(|node| from < node.content.occupied());
            if known && self.random.chance(0.5) {
                let sequence = self.next_sequence();
                let sector = bytes.slice(start..bytes.len().min(start + SECTOR as usize));
                if let Ok(node) = self.node(inode) {
                    node.content.write(sequence, from, &sector, false);
                }
            }
        }
    }

    /// Lets an operation take effect. `asked` is the sequence at which it was submitted: flushes cover up to there.
    /// `limit` cuts reads and writes short.
    pub(super) fn effect(
        &mut self,
        operation: Operation,
        asked: u64,
        limit: Option<usize>,
        now_ms: i64,
    ) -> io::Result<Outcome> {
        match operation {
            Operation::Open { path, mode } => self.open_path(&path, mode, now_ms),
            Operation::Read { file, position, buffer } => self.read(&file, position, buffer, limit),
            Operation::Write { file, position, parts, durable } => {
                self.write(&Write { file: &file, position, parts: &parts, durable }, limit, now_ms)
            }
            Operation::Sync { file, .. } => {
                let inode = self.open_file(&file)?.inode;
                self.node(inode)?.content.flush(asked);
                Ok(Outcome::Count(0))
            }
            Operation::SetLength { file, len } => {
                let opened = self.open_file(&file)?;
                let (inode, mode) = (opened.inode, opened.mode);
                if mode == OpenMode::Read {
                    return Err(error(libc::EINVAL));
                }
                let sequence = self.next_sequence();
                let node = self.node(inode)?;
                node.content.set_len(sequence, len);
                node.modified_ms = now_ms;
                Ok(Outcome::Count(0))
            }
            Operation::Allocate { file, position, len } => {
                let inode = self.open_file(&file)?.inode;
                let end = position + len;
                if self.room(inode, position, len)? < len {
                    return Err(error(libc::ENOSPC));
                }
                self.node(inode)?.content.allocate(end);
                Ok(Outcome::Count(0))
            }
            Operation::FileInfo { file } => {
                let inode = self.open_file(&file)?.inode;
                self.info(inode)
            }
            Operation::PathInfo { path } => {
                let inode = self.names.find(&path).ok_or_else(|| error(libc::ENOENT))?;
                self.info(inode)
            }
            Operation::List { path } => self.list(&path),
            Operation::FreeBytes { path } => {
                let mount = self.mount_of(&path);
                let total_bytes = self.mounts.get(mount).map_or(0, |mount| mount.capacity);
                Ok(Outcome::Free { free_bytes: self.free(mount), total_bytes })
            }
            named => self.change_names(named, asked).map(|()| Outcome::Count(0)),
        }
    }

    fn change_names(&mut self, operation: Operation, asked: u64) -> io::Result<()> {
        let sequence = self.next_sequence();
        match operation {
            Operation::MakeDirectory { path } => {
                let inode = self.new_inode();
                self.names.add(sequence, &path, inode, true)
            }
            Operation::Rename { from, to } => {
                if self.mount_of(&from) != self.mount_of(&to) {
                    return Err(error(libc::EXDEV));
                }
                self.names.rename(sequence, &from, &to)
            }
            Operation::RemoveFile { path } => {
                self.names.remove_file(sequence, &path)?;
                self.sweep();
                Ok(())
            }
            Operation::RemoveDirectory { path } => self.names.remove_directory(sequence, &path),
            Operation::SyncDirectory { path } => {
                let inode = self.names.find(&path).ok_or_else(|| error(libc::ENOENT))?;
                if !self.names.is_directory(inode) {
                    return Err(error(libc::ENOTDIR));
                }
                self.names.flush_directory(inode, asked);
                Ok(())
            }
            Operation::SyncFilesystem { path } => {
                self.names.find(&path).ok_or_else(|| error(libc::ENOENT))?;
                let mount = self.mount_of(&path);
                for node in self.nodes.values_mut().filter(|node| node.mount == mount) {
                    node.content.flush(asked);
                }
                let covered = self.directories_of(mount);
                self.names.flush_all(asked, |directory| covered.contains(&directory));
                Ok(())
            }
            other => Err(io::Error::other(format!("{other:?} changes no names"))),
        }
    }

    /// The directories on a device.
    fn directories_of(&self, mount: usize) -> std::collections::BTreeSet<Inode> {
        let mut found = std::collections::BTreeSet::new();
        let mut open = vec![PathBuf::from("/")];
        while let Some(path) = open.pop() {
            let Some(inode) = self.names.find(&path) else { continue };
            let Some(entries) = self.names.entries(inode) else { continue };
            if self.mount_of(&path) == mount {
                found.insert(inode);
            }
            open.extend(entries.keys().map(|name| path.join(name)));
        }
        found
    }

    fn info(&self, inode: Inode) -> io::Result<Outcome> {
        if self.names.is_directory(inode) {
            return Ok(Outcome::Info(PathInfo { len: 4096, is_directory: true, modified_ms: 0 }));
        }
        let node = self.nodes.get(&inode).ok_or_else(|| error(libc::ENOENT))?;
        let (len, modified_ms) = (node.content.len(), node.modified_ms);
        Ok(Outcome::Info(PathInfo { len, is_directory: false, modified_ms }))
    }

    fn list(&mut self, path: &Path) -> io::Result<Outcome> {
        let inode = self.names.find(path).ok_or_else(|| error(libc::ENOENT))?;
        let entries = self.names.entries(inode).ok_or_else(|| error(libc::ENOTDIR))?;
        let entry = |(name, inode): (&String, &Inode)| DirectoryEntry {
            name: name.clone(),
            is_directory: self.names.is_directory(*inode),
        };
        let mut listed: Vec<_> = entries.iter().map(entry).collect();
        self.random.shuffle(&mut listed);
        Ok(Outcome::Entries(listed))
    }
}

struct Write<'a> {
    file: &'a FileHandle,
    position: u64,
    parts: &'a [Bytes],
    durable: bool,
}

pub(super) fn is_direct(mode: OpenMode) -> bool {
    matches!(mode, OpenMode::Direct | OpenMode::DirectNew)
}

/// A copy of `parts` in one piece.
pub(super) fn joined(parts: &[Bytes]) -> Bytes {
    let mut bytes = BytesMut::with_capacity(parts.iter().map(Bytes::len).sum());
    for part in parts {
        bytes.extend_from_slice(part);
    }
    bytes.freeze()
}
