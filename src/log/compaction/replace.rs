//! Puts a cleaned segment in the place of a group of segments, on the disk and in memory; the protocol is told in
//! [`super::complete`].
//!
//! In memory it happens in one turn, right behind the rename that decides. Readers under way hold the open files of the
//! old segments; whoever looked something up in between sees that the log's generation changed and looks again.

use std::rc::Rc;

use super::cleaned_file::Cleaned;
use super::complete::{REPLACING_FILE, encode_range, place_indexes};
use crate::log::chain::{Chain, block_ceil};
use crate::log::error::LogError;
use crate::log::journal::format::Kind;
use crate::log::log::LogInner;
use crate::log::retention::Raising;
use crate::log::segment::{Mark, Segment};
use crate::log::segment_name::{FileKind, FileState, SegmentFile};
use crate::log::settings::Durability;
use crate::runtime::{File, OpenMode};

const INDEXES: [FileKind; 3] = [FileKind::OffsetIndex, FileKind::TimeIndex, FileKind::TransactionIndex];

impl LogInner {
    /// Puts `cleaned`, which is written and flushed, in the place of `group`. False, with nothing done, when the log or
    /// the group is being changed by someone else.
    pub(super) async fn replace(
        self: &Rc<Self>,
        group: &[Rc<Segment>],
        cleaned: Cleaned,
    ) -> Result<bool, LogError> {
        if self.busy.get() || self.is_gone() {
            return Ok(false);
        }
        // Cuts, moves and stops wait for the end of this, as for a deletion.
        let _raising = Raising::new(self);
        let runtime = self.shard.runtime.clone();
        let what = "replacing compacted segments";
        let (base, end) = (cleaned.base_offset, cleaned.end_offset);
        // As long as the journal holds older entries about these segments it holds this one: they are not replayed.
        self.state(Kind::Compact, base, Mark { position: 0, offset: end }).await?;
        if self.shard.settings.durability != Durability::Flush {
            // Groups are not flushed one by one then, and this must not be lost while what it voids is kept.
            let flushed = runtime.sync_filesystem(&self.directory.path).await;
            self.guard_io(what, flushed)?;
        }
        for kind in INDEXES {
            let from = self.state_path(kind, base, FileState::Cleaned);
            let to = self.state_path(kind, base, FileState::Swap);
            self.guard_io(what, runtime.rename(&from, &to).await)?;
        }
        let range = self.path.borrow().join(REPLACING_FILE);
        let written = runtime.replace_file(&range, encode_range(base, end).into()).await;
        self.guard_io(what, written)?;
        let cleaned_path = self.state_path(FileKind::Log, base, FileState::Cleaned);
        let opened = File::open(&runtime, &cleaned_path, OpenMode::Read).await;
        let reader = self.guard_io(what, opened)?;

        let io = self.io.acquire().await;
        let files = self.files.acquire().await;
        if self.is_gone() || !self.stand_together(group) {
            return Ok(false);
        }
        let directory = self.path.borrow().clone();
        let swap_path = self.state_path(FileKind::Log, base, FileState::Swap);
        self.guard_io(what, runtime.rename(&cleaned_path, &swap_path).await)?;
        self.guard_io(what, runtime.sync_directory(&directory).await)?;
        // Decided.
        let segment = self.swap_in_memory(group, cleaned, reader);
        drop(io);

        let mut deleted = Vec::new();
        for old in group {
            for kind in FileKind::ALL {
                let live = SegmentFile::live(kind, old.base_offset);
                if kind == FileKind::ProducerSnapshot {
                    if old.base_offset == base {
                        continue;
                    }
                    self.snapshots.borrow_mut().remove(&old.base_offset);
                }
                let to = live.with_state(FileState::Deleted).name();
                match runtime.rename(&directory.join(live.name()), &directory.join(&to)).await {
                    Ok(()) => deleted.push(to),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    Err(error) => return self.guard_io(what, Err(error)),
                }
            }
        }
        self.guard_io(what, place_indexes(&runtime, &directory, base).await)?;
        let live = self.file_path(FileKind::Log, base);
        self.guard_io(what, runtime.rename(&swap_path, &live).await)?;
        self.guard_io(what, runtime.sync_directory(&directory).await)?;
        segment.checkpointed.set(segment.end.get().position);
        segment.swapping.set(false);
        self.shard.opened(&segment);
        if segment.transactions.borrow().as_ref().is_some_and(|index| index.is_empty()) {
            // As everywhere: no file for no transaction. And the range says nothing any more.
            let _ = runtime.remove_file(&self.file_path(FileKind::TransactionIndex, base)).await;
        }
        let _ = runtime.remove_file(&directory.join(REPLACING_FILE)).await;
        drop(files);
        self.shard.counters.with(|counters| counters.compacted_segments += group.len() as u64);
        self.unlink_later(deleted, ());
        Ok(true)
    }

    /// Whether the group still is a stretch of the log's closed segments.
    fn stand_together(&self, group: &[Rc<Segment>]) -> bool {
        let segments = self.segments.borrow();
        let Some(first) = group.first() else { return false };
        let Some(at) = segments.iter().position(|segment| Rc::ptr_eq(segment, first)) else { return false };
        let here =
            segments.iter().skip(at).zip(group).all(|(segment, old)| {
                Rc::ptr_eq(segment, old) && segment.sealed.get() && !segment.dropped.get()
            });
        here && at + group.len() < segments.len()
    }

    /// The turn in which the log's segments change.
    fn swap_in_memory(&self, group: &[Rc<Segment>], cleaned: Cleaned, reader: File) -> Rc<Segment> {
        let end = Mark { position: cleaned.len, offset: cleaned.end_offset };
        let modified_ms = group.last().map_or(0, |last| last.modified_ms.get());
        let segment = Segment::sealed(cleaned.base_offset, end, modified_ms);
        segment.largest_timestamp.set(Some(cleaned.builder.largest_timestamp()));
        *segment.builder.borrow_mut() = Some(cleaned.builder);
        *segment.transactions.borrow_mut() = Some(cleaned.transactions);
        *segment.reader.borrow_mut() = Some(reader);
        // Until the files have their names, what is open stays open.
        segment.swapping.set(true);
        segment.checkpointed.set(0);
        segment.used_at.set(self.shard.tick());
        {
            let mut segments = self.segments.borrow_mut();
            let first = group.first();
            let at = segments.iter().position(|one| first.is_some_and(|first| Rc::ptr_eq(one, first)));
            let Some(at) = at else { panic!("a group that stood together under the lock is still there") };
            segments.drain(at..at + group.len());
            segments.insert(at, segment.clone());
            assert!(
                segments.iter().zip(segments.iter().skip(1)).all(|(a, b)| a.base_offset < b.base_offset),
                "segments stand in their order"
            );
        }
        for old in group {
            old.dropped.set(true);
            *old.writer.borrow_mut() = None;
            *old.reader.borrow_mut() = None;
            *old.builder.borrow_mut() = None;
            *old.chain.borrow_mut() = Chain::new(block_ceil(old.end.get().position));
        }
        self.generation.set(self.generation.get() + 1);
        self.compactions.set(self.compactions.get() + 1);
        *self.hints.borrow_mut() = Default::default();
        self.shard.room.notify();
        self.changed.notify();
        segment
    }
}
