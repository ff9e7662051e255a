//! A test's view of a simulated disk: looking and tampering, at once and without the shards noticing.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::super::faults::Rule;
use super::super::random::Random;
use super::content::Content;
use super::names::Inode;
use super::state::{DiskState, Mount, Node};

/// The disk of one machine. Clones are the same disk.
#[derive(Clone)]
pub struct Disk(pub(in super::super) Rc<RefCell<DiskState>>);

impl DiskState {
    fn files(&self, under: &Path) -> Vec<(PathBuf, Inode)> {
        let mut found = Vec::new();
        let mut open = vec![under.to_owned()];
        while let Some(path) = open.pop() {
            let Some(inode) = self.names.find(&path) else { continue };
            match self.names.entries(inode) {
                Some(entries) => open.extend(entries.keys().map(|name| path.join(name))),
                None => found.push((path, inode)),
            }
        }
        found.sort();
        found
    }

    pub(super) fn flip_random_bit(&mut self, random: &mut Random) -> Option<(PathBuf, u64)> {
        let mut files = self.files(Path::new("/"));
        files.retain(|(_, inode)| self.nodes.get(inode).is_some_and(|node| node.content.len() > 0));
        let (path, inode) = random.pick(&files)?.clone();
        let content = &mut self.nodes.get_mut(&inode)?.content;
        let position = random.below(content.len());
        let bit = random.below(8);
        content.tamper(position, |bytes| flip(bytes, bit));
        Some((path, position))
    }

    fn content(&mut self, path: &Path) -> &mut Content {
        let node = self.names.find(path).and_then(|inode| self.nodes.get_mut(&inode));
        match node {
            Some(node) => &mut node.content,
            None => panic!("no file {} on the simulated disk", path.display()),
        }
    }
}

fn flip(bytes: &mut [u8], bit: u64) {
    if let Some(byte) = bytes.first_mut() {
        *byte ^= 1 << bit;
    }
}

impl Disk {
    /// Makes `path` (and what leads there) a device of its own with `capacity_bytes`, durably.
    pub fn mount(&self, path: &Path, capacity_bytes: u64) {
        let mut state = self.0.borrow_mut();
        let mut missing = Vec::new();
        for ancestor in path.ancestors() {
            if state.names.find(ancestor).is_none() {
                missing.push(ancestor.to_owned());
            }
        }
        for directory in missing.into_iter().rev() {
            let inode = state.new_inode();
            let sequence = state.next_sequence();
            if let Err(error) = state.names.add(sequence, &directory, inode, true) {
                panic!("mounting {}: {error}", path.display());
            }
        }
        state.names.settle_all();
        state.mounts.push(Mount { path: path.to_owned(), capacity: capacity_bytes, failed: false });
    }

    /// Adds a scripted fault.
    pub fn script(&self, rule: Rule) {
        self.0.borrow_mut().rules.push(rule);
    }

    /// Scripted faults that have not struck yet.
    #[must_use]
    pub fn scripted(&self) -> usize {
        self.0.borrow().rules.len()
    }

    /// Everything on the device that holds `path` fails with EIO from now on.
    pub fn fail_device(&self, path: &Path) {
        self.set_failed(path, true);
    }

    /// The device that holds `path` works again.
    pub fn repair_device(&self, path: &Path) {
        self.set_failed(path, false);
    }

    fn set_failed(&self, path: &Path, failed: bool) {
        let mut state = self.0.borrow_mut();
        let index = state.mount_of(path);
        if let Some(mount) = state.mounts.get_mut(index) {
            mount.failed = failed;
        }
    }

    /// Changes the size of the device that holds `path`.
    pub fn set_capacity(&self, path: &Path, capacity_bytes: u64) {
        let mut state = self.0.borrow_mut();
        let index = state.mount_of(path);
        if let Some(mount) = state.mounts.get_mut(index) {
            mount.capacity = capacity_bytes;
        }
    }

    /// Bytes in use on the device that holds `path`.
    #[must_use]
    pub fn used_bytes(&self, path: &Path) -> u64 {
        let mut state = self.0.borrow_mut();
        state.sweep();
        state.used(state.mount_of(path))
    }

    /// Whether something has this name now.
    #[must_use]
    pub fn exists(&self, path: &Path) -> bool {
        self.0.borrow().names.find(path).is_some()
    }

    /// A file's bytes as a reader sees them now.
    #[must_use]
    pub fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.0.borrow();
        let inode = state.names.find(path)?;
        Some(state.nodes.get(&inode)?.content.live().to_vec())
    }

    /// A file's bytes as they are certain to be after a power cut (where unflushed bytes stand, the old ones).
    #[must_use]
    pub fn read_durable(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.0.borrow();
        let inode = state.names.find_durable(path)?;
        Some(state.nodes.get(&inode)?.content.durable().to_vec())
    }

    /// Whether a power cut now would leave the file as it is, its name included.
    #[must_use]
    pub fn is_durable(&self, path: &Path) -> bool {
        let state = self.0.borrow();
        let node = state.names.find(path).and_then(|inode| state.nodes.get(&inode));
        state.names.is_settled(path) && node.is_none_or(|node| node.content.is_durable())
    }

    /// All files under `path`, sorted.
    #[must_use]
    pub fn files_under(&self, path: &Path) -> Vec<PathBuf> {
        self.0.borrow().files(path).into_iter().map(|(path, _)| path).collect()
    }

    /// Names in a directory, sorted; empty when it is none.
    #[must_use]
    pub fn names_in(&self, path: &Path) -> Vec<String> {
        let state = self.0.borrow();
        let entries = state.names.find(path).and_then(|inode| state.names.entries(inode));
        entries.map(|entries| entries.keys().cloned().collect()).unwrap_or_default()
    }

    /// Flips one bit at rest. Panics when there is no such file.
    pub fn flip_bit(&self, path: &Path, position: u64, bit: u8) {
        let mut state = self.0.borrow_mut();
        state.content(path).tamper(position, |bytes| flip(bytes, u64::from(bit & 7)));
    }

    /// Overwrites bytes at rest, within the file. Panics when there is no such file.
    pub fn overwrite(&self, path: &Path, position: u64, with: &[u8]) {
        let mut state = self.0.borrow_mut();
        state.content(path).tamper(position, |bytes| {
            let len = bytes.len().min(with.len());
            if let (Some(to), Some(from)) = (bytes.get_mut(..len), with.get(..len)) {
                to.copy_from_slice(from);
            }
        });
    }

    /// Cuts or extends a file at rest. Panics when there is no such file.
    pub fn truncate(&self, path: &Path, len: u64) {
        let mut state = self.0.borrow_mut();
        let content = state.content(path);
        let mut bytes = content.live().to_vec();
        bytes.resize(len as usize, 0);
        content.replace(bytes);
    }

    /// Removes a file at rest. Everything else becomes durable too. Panics when there is no such file.
    pub fn remove(&self, path: &Path) {
        let mut state = self.0.borrow_mut();
        let sequence = state.next_sequence();
        if let Err(error) = state.names.remove_file(sequence, path) {
            panic!("removing {}: {error}", path.display());
        }
        state.names.settle_all();
        state.sweep();
    }

    /// Makes or replaces a file at rest, in a directory that exists. Names become durable.
    pub fn write_file(&self, path: &Path, bytes: &[u8]) {
        let mut state = self.0.borrow_mut();
        if state.names.find(path).is_none() {
            let inode = state.new_inode();
            let sequence = state.next_sequence();
            if let Err(error) = state.names.add(sequence, path, inode, false) {
                panic!("making {}: {error}", path.display());
            }
            let mount = state.mount_of(path);
            state.nodes.insert(inode, Node { content: Content::default(), modified_ms: 0, mount });
            state.names.settle_all();
        }
        state.content(path).replace(bytes.to_vec());
    }

    /// Operations submitted since the start.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.0.borrow().submitted
    }

    /// Operations that completed since the start.
    #[must_use]
    pub fn completed(&self) -> u64 {
        self.0.borrow().completed
    }

    /// Open descriptors.
    #[must_use]
    pub fn open_files(&self) -> usize {
        let mut state = self.0.borrow_mut();
        state.sweep();
        state.open.len()
    }
}
