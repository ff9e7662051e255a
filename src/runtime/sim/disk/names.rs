//! The names of a simulated disk: which file is called what now, and which names a power cut leaves.
//!
//! A change of a name (made, renamed, removed) is volatile until its directory is flushed; a rename from one
//! directory to another until both are. A power cut keeps any subset of the volatile changes in which each change
//! has those it builds on: earlier ones of the same name, and for a removed directory those in it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path};

use super::super::random::Random;

/// Number of a file or directory.
pub(super) type Inode = u64;

/// The directory that holds everything.
pub(super) const ROOT: Inode = 0;

type Tree = BTreeMap<Inode, BTreeMap<String, Inode>>;

struct Change {
    sequence: u64,
    /// Directory and name → what it means from then on.
    effects: Vec<(Inode, String, Option<Inode>)>,
    /// The directory that was removed.
    removed: Option<Inode>,
    /// Directories that must still be flushed.
    unflushed: BTreeSet<Inode>,
}

/// Names, live and durable.
pub(super) struct Names {
    live: Tree,
    durable: Tree,
    changes: Vec<Change>,
}

fn error(errno: i32) -> io::Error {
    io::Error::from_raw_os_error(errno)
}

fn apply(tree: &mut Tree, effects: &[(Inode, String, Option<Inode>)]) {
    for (directory, name, inode) in effects {
        let entries = tree.entry(*directory).or_default();
        match inode {
            Some(inode) => entries.insert(name.clone(), *inode),
            None => entries.remove(name),
        };
    }
}

fn components(path: &Path) -> Vec<String> {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect()
}

fn walk(tree: &Tree, path: &Path) -> Option<Inode> {
    let mut inode = ROOT;
    for name in components(path) {
        inode = *tree.get(&inode)?.get(&name)?;
    }
    Some(inode)
}

impl Names {
    pub(super) fn new() -> Self {
        let root = BTreeMap::from([(ROOT, BTreeMap::new())]);
        Self { live: root.clone(), durable: root, changes: Vec::new() }
    }

    /// What `path` means now.
    pub(super) fn find(&self, path: &Path) -> Option<Inode> {
        walk(&self.live, path)
    }

    /// What `path` is certain to mean after a power cut.
    pub(super) fn find_durable(&self, path: &Path) -> Option<Inode> {
        let mut inode = ROOT;
        for name in components(path) {
            let touched = |change: &Change| {
                change.effects.iter().any(|(directory, changed, _)| *directory == inode && *changed == name)
            };
            if self.changes.iter().any(touched) {
                return None;
            }
            inode = *self.durable.get(&inode)?.get(&name)?;
        }
        Some(inode)
    }

    /// The entries of a directory; None when it is none.
    pub(super) fn entries(&self, directory: Inode) -> Option<&BTreeMap<String, Inode>> {
        self.live.get(&directory)
    }

    pub(super) fn is_directory(&self, inode: Inode) -> bool {
        self.live.contains_key(&inode)
    }

    fn parent_and_name(&self, path: &Path) -> io::Result<(Inode, String)> {
        let mut parts = components(path);
        let Some(name) = parts.pop() else { return Err(error(libc::EINVAL)) };
        let mut inode = ROOT;
        for part in parts {
            let entries = self.live.get(&inode).ok_or_else(|| error(libc::ENOTDIR))?;
            inode = *entries.get(&part).ok_or_else(|| error(libc::ENOENT))?;
        }
        if !self.live.contains_key(&inode) {
            return Err(error(libc::ENOTDIR));
        }
        Ok((inode, name))
    }

    fn change(
        &mut self,
        sequence: u64,
        effects: Vec<(Inode, String, Option<Inode>)>,
        removed: Option<Inode>,
    ) {
        apply(&mut self.live, &effects);
        let unflushed = effects.iter().map(|(directory, ..)| *directory).collect();
        self.changes.push(Change { sequence, effects, removed, unflushed });
    }

    /// Names `inode`; the name must be free.
    pub(super) fn add(
        &mut self,
        sequence: u64,
        path: &Path,
        inode: Inode,
        directory: bool,
    ) -> io::Result<()> {
        let (parent, name) = self.parent_and_name(path)?;
        if self.live.get(&parent).is_some_and(|entries| entries.contains_key(&name)) {
            return Err(error(libc::EEXIST));
        }
        if directory {
            self.live.insert(inode, BTreeMap::new());
            // An empty directory without a name: a power cut that loses the name loses it too.
            self.durable.insert(inode, BTreeMap::new());
        }
        self.change(sequence, vec![(parent, name, Some(inode))], None);
        Ok(())
    }

    /// Removes a file's name.
    pub(super) fn remove_file(&mut self, sequence: u64, path: &Path) -> io::Result<()> {
        let (parent, name) = self.parent_and_name(path)?;
        let inode = self.find(path).ok_or_else(|| error(libc::ENOENT))?;
        if self.is_directory(inode) {
            return Err(error(libc::EISDIR));
        }
        self.change(sequence, vec![(parent, name, None)], None);
        Ok(())
    }

    /// Removes an empty directory.
    pub(super) fn remove_directory(&mut self, sequence: u64, path: &Path) -> io::Result<()> {
        let (parent, name) = self.parent_and_name(path)?;
        let inode = self.find(path).ok_or_else(|| error(libc::ENOENT))?;
        match self.live.get(&inode) {
            None => return Err(error(libc::ENOTDIR)),
            Some(entries) if !entries.is_empty() => return Err(error(libc::ENOTEMPTY)),
            Some(_) => {}
        }
        self.live.remove(&inode);
        self.change(sequence, vec![(parent, name, None)], Some(inode));
        Ok(())
    }

    /// Renames, replacing a file or an empty directory.
    pub(super) fn rename(&mut self, sequence: u64, from: &Path, to: &Path) -> io::Result<()> {
        let (old_parent, old_name) = self.parent_and_name(from)?;
        let (new_parent, new_name) = self.parent_and_name(to)?;
        let inode = self.find(from).ok_or_else(|| error(libc::ENOENT))?;
        let mut removed = None;
        if let Some(replaced) = self.find(to) {
            if replaced == inode {
                return Ok(());
            }
            match (self.is_directory(inode), self.live.get(&replaced)) {
                (true, None) => return Err(error(libc::ENOTDIR)),
                (false, Some(_)) => return Err(error(libc::EISDIR)),
                (true, Some(entries)) if !entries.is_empty() => return Err(error(libc::ENOTEMPTY)),
                (true, Some(_)) => {
                    self.live.remove(&replaced);
                    removed = Some(replaced);
                }
                (false, None) => {}
            }
        }
        let effects = vec![(old_parent, old_name, None), (new_parent, new_name, Some(inode))];
        self.change(sequence, effects, removed);
        Ok(())
    }

    /// Indexes of the changes that change `index` builds on.
    fn needs(&self, index: usize) -> Vec<usize> {
        let Some(change) = self.changes.get(index) else { return Vec::new() };
        let builds_on = |earlier: &Change| {
            earlier.effects.iter().any(|(directory, name, _)| {
                change.removed == Some(*directory)
                    || change.effects.iter().any(|(other, its, _)| other == directory && its == name)
            })
        };
        let before = self.changes.iter().take(index).enumerate();
        before.filter(|(_, earlier)| builds_on(earlier)).map(|(index, _)| index).collect()
    }

    /// Makes the marked changes durable, with those they build on.
    fn settle(&mut self, mut marked: BTreeSet<usize>) {
        for index in (0..self.changes.len()).rev() {
            if marked.contains(&index) {
                marked.extend(self.needs(index));
            }
        }
        let mut index = 0;
        let durable = &mut self.durable;
        self.changes.retain(|change| {
            let keep = !marked.contains(&index);
            if !keep {
                apply(durable, &change.effects);
            }
            index += 1;
            keep
        });
    }

    /// A flush of `directory` completes that covers the changes completed up to `upto`.
    pub(super) fn flush_directory(&mut self, directory: Inode, upto: u64) {
        let mut marked = BTreeSet::new();
        for (index, change) in self.changes.iter_mut().enumerate() {
            if change.sequence <= upto && change.unflushed.remove(&directory) && change.unflushed.is_empty() {
                marked.insert(index);
            }
        }
        self.settle(marked);
    }

    /// A flush of every directory for which `covered` holds completes.
    pub(super) fn flush_all(&mut self, upto: u64, covered: impl Fn(Inode) -> bool) {
        let mut marked = BTreeSet::new();
        for (index, change) in self.changes.iter_mut().enumerate() {
            if change.sequence <= upto {
                change.unflushed.retain(|directory| !covered(*directory));
                if change.unflushed.is_empty() {
                    marked.insert(index);
                }
            }
        }
        self.settle(marked);
    }

    /// A power cut.
    pub(super) fn crash(&mut self, random: &mut Random) {
        let kept_of_ten = random.pick(&[0, 2, 5, 8, 10]).copied().unwrap_or(5);
        let mut kept = BTreeSet::new();
        for index in 0..self.changes.len() {
            if random.below(10) < kept_of_ten && self.needs(index).iter().all(|needed| kept.contains(needed))
            {
                kept.insert(index);
            }
        }
        self.settle(kept);
        self.changes.clear();
        let mut reachable = Tree::new();
        let mut open = vec![ROOT];
        while let Some(directory) = open.pop() {
            if let Some(entries) = self.durable.get(&directory) {
                open.extend(entries.values().filter(|inode| self.durable.contains_key(inode)));
                reachable.insert(directory, entries.clone());
            }
        }
        self.durable.clone_from(&reachable);
        self.live = reachable;
    }

    /// Makes everything durable (for tests that tamper with a disk at rest).
    pub(super) fn settle_all(&mut self) {
        self.settle((0..self.changes.len()).collect());
    }

    /// Whether nothing is volatile.
    pub(super) fn is_settled(&self, path: &Path) -> bool {
        self.find(path).is_some() && self.find(path) == self.find_durable(path)
    }

    /// Everything that has a name, may get one back, or is a directory.
    pub(super) fn mentioned(&self) -> BTreeSet<Inode> {
        let named =
            self.live.values().chain(self.durable.values()).flat_map(|entries| entries.values().copied());
        let changing =
            self.changes.iter().flat_map(|change| change.effects.iter().filter_map(|effect| effect.2));
        named.chain(changing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> &Path {
        Path::new(name)
    }

    fn outcomes(make: impl Fn(&mut Names), look: &[&str]) -> BTreeSet<Vec<Option<Inode>>> {
        (0..400)
            .map(|seed| {
                let mut names = Names::new();
                make(&mut names);
                names.crash(&mut Random::new(seed));
                look.iter().map(|name| names.find(path(name))).collect()
            })
            .collect()
    }

    #[test]
    fn a_name_is_certain_only_after_its_directory_is_flushed() {
        let make = |names: &mut Names| names.add(1, path("/a"), 10, false).unwrap();
        assert_eq!(outcomes(make, &["/a"]).len(), 2);
        let flushed = |names: &mut Names| {
            make(names);
            assert_eq!(names.find_durable(path("/a")), None);
            names.flush_directory(ROOT, 1);
            assert_eq!(names.find_durable(path("/a")), Some(10));
        };
        assert_eq!(outcomes(flushed, &["/a"]), BTreeSet::from([vec![Some(10)]]));
    }

    #[test]
    fn a_flush_does_not_cover_later_changes() {
        let make = |names: &mut Names| {
            names.add(1, path("/a"), 10, false).unwrap();
            names.add(2, path("/b"), 11, false).unwrap();
            names.flush_directory(ROOT, 1);
        };
        let seen = outcomes(make, &["/a", "/b"]);
        assert_eq!(seen, BTreeSet::from([vec![Some(10), None], vec![Some(10), Some(11)]]));
    }

    #[test]
    fn changes_of_one_name_keep_their_order_and_others_do_not() {
        let make = |names: &mut Names| {
            names.add(1, path("/a"), 10, false).unwrap();
            names.rename(2, path("/a"), path("/b")).unwrap();
            names.add(3, path("/c"), 11, false).unwrap();
        };
        let seen = outcomes(make, &["/a", "/b", "/c"]);
        let ab = [(None, None), (Some(10), None), (None, Some(10))];
        let all: BTreeSet<_> =
            ab.iter().flat_map(|(a, b)| [vec![*a, *b, None], vec![*a, *b, Some(11)]]).collect();
        assert_eq!(seen, all);
    }

    #[test]
    fn a_rename_over_a_file_keeps_the_old_or_the_new() {
        let make = |names: &mut Names| {
            names.add(1, path("/a"), 10, false).unwrap();
            names.add(1, path("/a.tmp"), 11, false).unwrap();
            names.flush_directory(ROOT, 1);
            names.rename(2, path("/a.tmp"), path("/a")).unwrap();
        };
        let seen = outcomes(make, &["/a", "/a.tmp"]);
        assert_eq!(seen, BTreeSet::from([vec![Some(10), Some(11)], vec![Some(11), None]]));
    }

    #[test]
    fn entries_of_a_directory_whose_own_name_is_lost_are_lost() {
        let make = |names: &mut Names| {
            names.add(1, path("/d"), 10, true).unwrap();
            names.add(2, path("/d/f"), 11, false).unwrap();
            names.flush_directory(10, 2);
        };
        let seen = outcomes(make, &["/d", "/d/f"]);
        assert_eq!(seen, BTreeSet::from([vec![None, None], vec![Some(10), Some(11)]]));
    }

    #[test]
    fn a_rename_between_directories_needs_both_flushed() {
        let make = |names: &mut Names| {
            names.add(1, path("/d"), 10, true).unwrap();
            names.add(1, path("/e"), 11, true).unwrap();
            names.add(1, path("/d/f"), 12, false).unwrap();
            names.flush_all(1, |_| true);
            names.rename(2, path("/d/f"), path("/e/f")).unwrap();
            names.flush_directory(10, 2);
        };
        assert_eq!(outcomes(make, &["/d/f", "/e/f"]).len(), 2);
        let both = |names: &mut Names| {
            make(names);
            names.flush_directory(11, 2);
        };
        assert_eq!(outcomes(both, &["/d/f", "/e/f"]), BTreeSet::from([vec![None, Some(12)]]));
    }

    #[test]
    fn a_removed_directory_takes_its_entries_along() {
        let make = |names: &mut Names| {
            names.add(1, path("/d"), 10, true).unwrap();
            names.add(1, path("/d/f"), 11, false).unwrap();
            names.flush_all(1, |_| true);
            assert!(names.remove_directory(2, path("/d")).is_err());
            names.remove_file(2, path("/d/f")).unwrap();
            names.remove_directory(3, path("/d")).unwrap();
        };
        let seen = outcomes(make, &["/d", "/d/f"]);
        let expected = [vec![Some(10), Some(11)], vec![Some(10), None], vec![None, None]];
        assert_eq!(seen, BTreeSet::from(expected));
    }

    #[test]
    fn wrong_uses_are_refused_as_linux_does() {
        let mut names = Names::new();
        names.add(1, path("/d"), 10, true).unwrap();
        names.add(1, path("/f"), 11, false).unwrap();
        let errno = |result: io::Result<()>| result.unwrap_err().raw_os_error().unwrap();
        assert_eq!(errno(names.add(2, path("/f"), 12, false)), libc::EEXIST);
        assert_eq!(errno(names.add(2, path("/x/f"), 12, false)), libc::ENOENT);
        assert_eq!(errno(names.add(2, path("/f/f"), 12, false)), libc::ENOTDIR);
        assert_eq!(errno(names.remove_file(2, path("/d"))), libc::EISDIR);
        assert_eq!(errno(names.remove_directory(2, path("/f"))), libc::ENOTDIR);
        assert_eq!(errno(names.rename(2, path("/x"), path("/y"))), libc::ENOENT);
        assert_eq!(errno(names.rename(2, path("/d"), path("/f"))), libc::ENOTDIR);
    }
}
