//! What a log puts into the group being formed: its bytes that are not durable yet, its statements, what the cleaner
//! carries forward. Decides between journal and bypass (rule 3).
//!
//! Called by the journal's writer, synchronously, on the log's shard. Order kept: statements in the order in which
//! they were asked for, the cleaner's repeated log start in front; segments from the oldest; nothing of a later segment
//! before the older one is stated.

use std::rc::Rc;

use super::journal::format::{Entry, Kind};
use super::journal::group::{Group, Stated};
use super::log::LogInner;
use super::segment::{Mark, Piece, Segment};
use super::settings::{Durability, Sabotage};
use crate::runtime::sync::Sender;

/// How gathering from a log ended.
pub(super) enum Gathered {
    /// Nothing is left, or what is left waits for a write that will say so.
    All,
    /// The group is full.
    Full,
    /// There is more, which this group may not take.
    Later,
}

/// What may go into a group. The cleaner's statements and carried blocks always may.
#[derive(Clone, Copy)]
pub(super) struct May {
    /// Up to so many bytes of the group, padding included: statements that users wait for.
    pub(super) statements_bytes: u64,
    /// Bytes that are not in the journal yet.
    pub(super) new_bytes: bool,
}

impl May {
    pub(super) const ALL: Self = Self { statements_bytes: u64::MAX, new_bytes: true };
}

/// A statement that somebody waits for.
pub(super) struct Due {
    /// The cleaner waits for it, so that room becomes free.
    pub(super) frees_room: bool,
    pub(super) kind: Kind,
    pub(super) base_offset: i64,
    pub(super) end: Mark,
    pub(super) done: Sender<()>,
}

impl LogInner {
    fn entry(&self, kind: Kind, base_offset: i64, position: u64, end_offset: i64, flushed: u64) -> Entry {
        Entry {
            kind,
            identity: self.identity,
            owner_epoch: self.owner_epoch.get(),
            base_offset,
            position,
            end_offset,
            flushed,
        }
    }

    /// Puts what there is, and `may` be, into `group`, which will have `sequence`.
    pub(super) fn gather(
        self: &Rc<Self>,
        group: &mut Group,
        sequence: u64,
        alone: bool,
        may: May,
    ) -> Gathered {
        if self.error.borrow().is_some() && self.dues.borrow().is_empty() {
            return Gathered::All;
        }
        let mut left = match self.gather_dues(group, sequence, may.statements_bytes) {
            Gathered::All => false,
            Gathered::Later => true,
            Gathered::Full => return Gathered::Full,
        };
        if self.cutting.get() {
            return if left { Gathered::Later } else { Gathered::All };
        }
        let mut number = 0;
        loop {
            let Some(segment) = self.unsealed.borrow().get(number).cloned() else { break };
            number += 1;
            if segment.sealed.get() || segment.dropped.get() {
                continue;
            }
            match self.gather_segment(&segment, group, sequence, alone, may.new_bytes) {
                Step::Next => {}
                Step::Wait => break,
                Step::Later => {
                    left = true;
                    break;
                }
                Step::Full => return Gathered::Full,
            }
        }
        if left { Gathered::Later } else { Gathered::All }
    }

    fn gather_dues(self: &Rc<Self>, group: &mut Group, sequence: u64, limit_bytes: u64) -> Gathered {
        loop {
            let Some(frees_room) = self.dues.borrow().front().map(|due| due.frees_room) else {
                return Gathered::All;
            };
            if !group.fits(0) {
                return Gathered::Full;
            }
            if !frees_room && !group.fits_within(0, limit_bytes) {
                return Gathered::Later;
            }
            let Some(due) = self.dues.borrow_mut().pop_front() else { return Gathered::All };
            // A log start never goes back by a statement that was asked for earlier, only by emptying the log.
            let offset = match due.kind {
                Kind::LogStart => due.end.offset.max(self.log_start_stated.get()),
                _ => due.end.offset,
            };
            if matches!(due.kind, Kind::LogStart | Kind::Restart) {
                self.log_start_stated.set(offset);
            }
            let entry = self.entry(due.kind, due.base_offset, due.end.position, offset, 0);
            group.state(&self.shard.pool, &entry);
            if matches!(due.kind, Kind::Truncate | Kind::Restart) {
                // Law 3: what is stated behind a cut is of the new history.
                self.cutting.set(true);
                self.cut_sequence.set(sequence);
                group.cuts.push(self.clone());
            }
            if due.kind == Kind::LogStart {
                group.log_starts.push(self.clone());
            }
            group.tickets.push(due.done);
        }
    }

    fn gather_segment(
        self: &Rc<Self>,
        segment: &Rc<Segment>,
        group: &mut Group,
        sequence: u64,
        alone: bool,
        new_bytes: bool,
    ) -> Step {
        let settings = &self.shard.settings;
        if segment.bypass_running.get() {
            // What the write carries is not durable yet: nothing behind it may be stated (law 5).
            return Step::Wait;
        }
        let gathered = segment.gathered.get();
        let end = segment.end.get();
        let written = segment.written.get();
        if !new_bytes {
            if let Some(done) = segment.bypass.get() {
                // Nothing of a later segment may be stated before what the bypass has written.
                return match self.put(segment, group, sequence, written.min(done.position), done) {
                    Step::Next if end.position > done.position => Step::Later,
                    other => other,
                };
            }
            if segment.carry.get() || segment.statement_due.get() {
                let start = written.min(gathered.position);
                return match self.put(segment, group, sequence, start, gathered) {
                    // What was appended since waits for room, and so does every later segment.
                    Step::Next if end.position > gathered.position => Step::Later,
                    other => other,
                };
            }
            return if end.position > gathered.position { Step::Later } else { Step::Next };
        }
        let bypassed = segment.bypass.get();
        let start =
            if segment.carry.get() || bypassed.is_some() { written } else { gathered.position.max(written) };
        let start = start.min(end.position);
        if end.position == gathered.position
            && !segment.carry.get()
            && !segment.statement_due.get()
            && bypassed.is_none()
        {
            return Step::Next;
        }
        let pending = end.position - gathered.position.max(written).min(end.position);
        let threshold = if alone { settings.bypass_alone_bytes } else { settings.bypass_bytes };
        let named = segment.named.get() && segment.open_writer().is_some();
        if pending >= threshold && named {
            // First what the last bypass has made durable, so that its waiters need not wait for the next one.
            if let Some(done) = bypassed {
                match self.put(segment, group, sequence, written.min(done.position), done) {
                    Step::Next => {}
                    other => return other,
                }
            } else if segment.carry.get() || segment.statement_due.get() {
                match self.put(segment, group, sequence, written.min(gathered.position), gathered) {
                    Step::Next => {}
                    other => return other,
                }
            }
            self.start_bypass(segment, end);
            return Step::Wait;
        }
        if end.position - start > self.journal_most() {
            // Too much for a group: it goes to the file as soon as that has its name.
            if let Some(done) = bypassed {
                match self.put(segment, group, sequence, written.min(done.position), done) {
                    Step::Next => {}
                    other => return other,
                }
            } else if segment.statement_due.get() || segment.statement_sequence.get() == 0 {
                match self.put(segment, group, sequence, written.min(gathered.position), gathered) {
                    Step::Next => {}
                    other => return other,
                }
            }
            self.start_bypass(segment, end);
            return Step::Wait;
        }
        self.put(segment, group, sequence, start, end)
    }

    /// The most bytes of a log in one group.
    fn journal_most(&self) -> u64 {
        let settings = &self.shard.settings;
        let capacity = self.directory.journal().map_or(u64::MAX, |journal| journal.space.borrow().capacity());
        settings.bypass_alone_bytes.max(settings.bypass_bytes).min(512 << 10).min(capacity / 16)
    }

    /// Puts the bytes `start..end` as one entry that states `end`.
    fn put(
        self: &Rc<Self>,
        segment: &Rc<Segment>,
        group: &mut Group,
        sequence: u64,
        start: u64,
        end: Mark,
    ) -> Step {
        let len = end.position - start;
        if !group.fits(len) {
            return Step::Full;
        }
        let flushed = segment.flushed.get();
        if len == 0 {
            let entry = self.entry(Kind::Extent, segment.base_offset, end.position, end.offset, flushed);
            group.state(&self.shard.pool, &entry);
        } else {
            let entry = self.entry(Kind::Append, segment.base_offset, start, end.offset, flushed);
            group.append(&self.shard.pool, &entry, &segment.chain.borrow(), start, end.position);
            segment.pieces.borrow_mut().push_back(Piece { end: end.position, sequence });
        }
        if segment.carry.replace(false) {
            self.shard.counters.with(|counters| counters.carried_bytes += len);
        }
        segment.statement_due.set(false);
        segment.bypass.set(None);
        if end.position >= segment.gathered.get().position {
            segment.gathered.set(end);
        }
        group.stated.push(Stated { log: self.clone(), segment: segment.clone(), start, end });
        Step::Next
    }

    /// A group that states `end`, with the bytes from `start`, is durable.
    pub(super) fn on_stated(self: &Rc<Self>, segment: &Rc<Segment>, start: u64, end: Mark, sequence: u64) {
        if segment.dropped.get() {
            self.changed.notify();
            return;
        }
        if end.position >= segment.stated.get().position {
            segment.stated.set(end);
        }
        segment.statement_sequence.set(segment.statement_sequence.get().max(sequence));
        if start <= segment.flushed.get() {
            // Everything the file does not hold stands in this group: older copies may go.
            let mut pieces = segment.pieces.borrow_mut();
            while pieces.front().is_some_and(|piece| piece.sequence < sequence) {
                pieces.pop_front();
            }
        }
        if self.shard.settings.durability != Durability::Memory {
            self.advance_durable(end.offset);
        }
        self.changed.notify();
    }

    fn advance_durable(&self, offset: i64) {
        if offset > self.durable_end.get() {
            assert!(offset <= self.log_end_offset(), "what is durable was appended");
            self.durable_end.set(offset);
            self.unacknowledged.tell_durable(offset);
            self.appended.notify();
        }
    }

    /// With the level `memory` an append counts at once.
    pub(super) fn on_appended(&self) {
        if self.shard.settings.durability == Durability::Memory {
            self.advance_durable(self.log_end_offset());
        }
    }

    /// Whether the journal's groups up to `sequence` hold something that this log still needs.
    pub(super) fn needs_journal(&self, sequence: u64) -> bool {
        if self.shard.sabotaged(Sabotage::JournalDroppedBeforeSegment) || self.is_gone() {
            return false;
        }
        if self.cutting.get() && self.cut_sequence.get() <= sequence {
            // Until the files are cut, the cut stands nowhere else.
            return true;
        }
        let log_start = self.log_start_sequence.get();
        // As stated: who asked for it may not have come to its turn yet.
        let mid_segment = self.durable_first_base.get() != self.log_start_stated.get();
        (log_start != 0 && log_start <= sequence && mid_segment)
            || self.unsealed.borrow().iter().any(|segment| segment.needs(sequence))
    }
}

enum Step {
    Next,
    Wait,
    Later,
    Full,
}
