//! The accounting of the circle: where the next group goes, what is still needed, what may be written over.
//!
//! Pure values. `total` counts every byte ever taken, padding and what is skipped at the wrap included, so that the
//! use of the circle is a difference. Space is reused only when a durable group has stated that it is not needed:
//! recovery believes the newest whole group.

use std::collections::VecDeque;

use super::format::CIRCLE_START;
use crate::runtime::BLOCK;

/// What carried blocks leave free: a statement frees a region at least, which is more than it takes.
const FREEING_ROOM_BYTES: u64 = 2 * BLOCK as u64;

/// A stretch of groups that is cleaned together.
pub struct Region<L> {
    /// Its first group.
    pub first_sequence: u64,
    /// Its last group.
    pub last_sequence: u64,
    /// The count of bytes in front of it.
    pub start_total: u64,
    /// Bytes in it.
    pub bytes: u64,
    /// Logs with an entry in it.
    pub logs: Vec<L>,
}

/// Where a group may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The lap.
    pub lap: u64,
    /// The position in the file.
    pub offset: u64,
    /// Bytes skipped at the end of the circle to get there.
    pub skipped: u64,
    /// The largest group that fits, padding included.
    pub limit: u64,
}

/// Who asks for room: each may leave less of it than the one before, so that the next can always go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// New bytes: they leave the whole reserve.
    Appends,
    /// Statements that users wait for (a cut, a log start): they leave the cleaner half of the reserve.
    Statements,
    /// Carried blocks: they leave the room of a statement, without which nothing is ever reused.
    Cleaner,
    /// An empty group that states what is not needed any more.
    Freeing,
}

/// See the module. `L` is a handle of a log.
pub struct Space<L> {
    end: u64,
    offset: u64,
    lap: u64,
    next_sequence: u64,
    total: u64,
    reusable_total: u64,
    regions: VecDeque<Region<L>>,
    region_bytes: u64,
    reserve: u64,
    /// Zeroed and durable beyond `end`: taken in at the next wrap.
    grown_end: Option<u64>,
}

impl<L> Space<L> {
    /// An empty circle in a file of `file_bytes`.
    #[must_use]
    pub fn new(file_bytes: u64) -> Self {
        let mut space = Self {
            end: file_bytes,
            offset: CIRCLE_START,
            lap: 0,
            next_sequence: 1,
            total: 0,
            reusable_total: 0,
            regions: VecDeque::new(),
            region_bytes: 0,
            reserve: 0,
            grown_end: None,
        };
        space.set_end(file_bytes);
        space
    }

    fn set_end(&mut self, end: u64) {
        self.end = end;
        self.region_bytes = (self.capacity() / 256).max(64 << 10).min(self.capacity() / 8);
        // Law of room (rule 5): appends are refused room before the cleaner is.
        self.reserve = (self.capacity() / 8).clamp(64 << 10, 32 << 20).min(self.capacity() / 2);
    }

    /// Bytes of the circle.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.end - CIRCLE_START
    }

    /// The end of the circle in the file.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Bytes that may not be written over.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.total - self.reusable_total
    }

    /// Every byte ever taken.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Bytes from the oldest region on.
    #[must_use]
    pub fn live(&self) -> u64 {
        self.total - self.oldest_total()
    }

    /// The group to be written next.
    #[must_use]
    pub fn next_sequence(&self) -> u64 {
        self.next_sequence
    }

    /// The first group that is needed.
    #[must_use]
    pub fn oldest_sequence(&self) -> u64 {
        self.regions.front().map_or(self.next_sequence, |region| region.first_sequence)
    }

    /// The count of bytes in front of the oldest region.
    #[must_use]
    pub fn oldest_total(&self) -> u64 {
        self.regions.front().map_or(self.total, |region| region.start_total)
    }

    /// Whether a group would free space by stating what is not needed any more.
    #[must_use]
    pub fn statement_frees(&self) -> bool {
        self.oldest_total() > self.reusable_total
    }

    /// Bytes kept for the cleaner.
    #[must_use]
    pub fn reserve(&self) -> u64 {
        self.reserve
    }

    /// Bytes that the cleaner works on at once.
    #[must_use]
    pub fn region_bytes(&self) -> u64 {
        self.region_bytes
    }

    /// Where a group of up to `want` bytes goes that may use the room of `room`. None when there is no room for one of
    /// `least` bytes.
    #[must_use]
    pub fn place(&self, want: u64, least: u64, room: Room) -> Option<Place> {
        let left = match room {
            Room::Appends => self.reserve,
            Room::Statements => self.reserve / 2,
            Room::Cleaner => FREEING_ROOM_BYTES,
            Room::Freeing => 0,
        };
        let free = (self.capacity() - self.used()).saturating_sub(left);
        let straight = self.end - self.offset;
        if straight >= want || self.grown_end.is_some_and(|end| end - self.offset >= want) {
            let limit = want.min(free);
            let place = Place { lap: self.lap, offset: self.offset, skipped: 0, limit };
            return (limit >= least).then_some(place);
        }
        let rest = Place { lap: self.lap, offset: self.offset, skipped: 0, limit: straight.min(free) };
        let limit = want.min(free.saturating_sub(straight)).min(self.capacity());
        let behind = Place { lap: self.lap + 1, offset: CIRCLE_START, skipped: straight, limit };
        // The rest of the circle is skipped rather than filled with small groups; but not at the cost of the reserve.
        let places = if room == Room::Appends { [behind, rest] } else { [rest, behind] };
        places.into_iter().find(|place| place.limit >= least)
    }

    /// Takes `bytes` at `place` for the next group; gives its sequence. The region it falls in is the last one.
    pub fn take(&mut self, place: Place, bytes: u64) -> u64 {
        assert!(bytes <= place.limit, "a group stays within its place");
        if place.skipped == 0 && place.offset + bytes > self.end {
            let Some(end) = self.grown_end.take() else { panic!("a group stays within the circle") };
            // Everything live is of this lap: the group continues where the old circle ended.
            self.set_end(end);
        }
        let open = self.regions.back().is_some_and(|region| region.bytes < self.region_bytes);
        let sequence = self.next_sequence;
        if !open {
            self.regions.push_back(Region {
                first_sequence: sequence,
                last_sequence: sequence,
                start_total: self.total,
                bytes: 0,
                logs: Vec::new(),
            });
        }
        let taken = place.skipped + bytes;
        if let Some(region) = self.regions.back_mut() {
            region.bytes += taken;
            region.last_sequence = sequence;
        }
        self.total += taken;
        self.lap = place.lap;
        self.offset = place.offset + bytes;
        self.next_sequence += 1;
        assert!(self.used() <= self.capacity(), "the circle never writes over what is needed");
        sequence
    }

    /// A durable group has stated that everything before `total` is not needed.
    pub fn stated(&mut self, total: u64) {
        self.reusable_total = self.reusable_total.max(total);
    }

    /// The oldest region.
    #[must_use]
    pub fn oldest(&self) -> Option<&Region<L>> {
        self.regions.front()
    }

    /// The region being filled.
    pub fn newest_mut(&mut self) -> Option<&mut Region<L>> {
        self.regions.back_mut()
    }

    /// Lets go of the oldest region, which ends before `sequence`.
    pub fn retire_before(&mut self, sequence: u64) -> usize {
        let mut retired = 0;
        while self.regions.front().is_some_and(|region| region.last_sequence < sequence) {
            self.regions.pop_front();
            retired += 1;
        }
        retired
    }

    /// Whether a larger circle is wanted: it is half used and past its middle. Zeroing it costs as much as writing it.
    #[must_use]
    pub fn wants_growth(&self, largest: u64) -> bool {
        self.grown_end.is_none()
            && self.end * 2 <= largest
            && self.offset - CIRCLE_START > self.capacity() / 2
            && self.used() > self.capacity() / 2
    }

    /// The file is zeroed and durable up to `end`.
    pub fn grown(&mut self, end: u64) {
        assert!(end > self.end, "a circle only grows");
        self.grown_end = Some(end);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn appends_stop_before_the_cleaner_does() {
        let mut space: Space<()> = Space::new(CIRCLE_START + (1 << 20));
        while let Some(place) = space.place(64 << 10, 4096, Room::Appends) {
            space.take(place, place.limit);
        }
        assert!(space.place(64 << 10, 4096, Room::Cleaner).is_some());
        assert!(space.used() <= space.capacity() - space.reserve());
        space.retire_before(space.next_sequence());
        assert!(
            space.place(64 << 10, 4096, Room::Appends).is_none(),
            "nothing is reused before a group said so"
        );
        assert!(space.statement_frees());
        let place = space.place(4096, 4096, Room::Cleaner).unwrap();
        space.take(place, 4096);
        let total = space.oldest_total();
        space.stated(total);
        assert!(space.place(64 << 10, 4096, Room::Appends).is_some());
    }

    #[test]
    fn statements_of_users_leave_half_of_the_reserve_to_the_cleaner() {
        let mut space: Space<()> = Space::new(CIRCLE_START + (252 << 10));
        while let Some(place) = space.place(60 << 10, 4096, Room::Statements) {
            // The rest of the circle is filled first: a skip would be at the cost of the reserve.
            assert!(place.skipped == 0, "{place:?}");
            space.take(place, 4096);
        }
        assert!(space.capacity() - space.used() >= space.reserve() / 2);
        let place = space.place(60 << 10, 4096, Room::Cleaner).expect("room for the cleaner");
        assert!(place.limit >= space.reserve() / 2 - FREEING_ROOM_BYTES);
    }

    #[test]
    fn the_cleaner_leaves_room_for_the_statement_that_frees_what_it_cleaned() {
        let mut space: Space<()> = Space::new(CIRCLE_START + (252 << 10));
        while let Some(place) = space.place(60 << 10, 4096, Room::Cleaner) {
            space.take(place, 4096);
        }
        space.retire_before(space.next_sequence() - 1);
        let place = space.place(4096, 4096, Room::Freeing).expect("room for a statement");
        space.take(place, 4096);
        space.stated(space.oldest_total());
        assert!(space.place(60 << 10, 4096, Room::Cleaner).is_some());
    }

    proptest! {
        #[test]
        fn live_groups_never_overlap(sizes in prop::collection::vec(1u64..40, 1..300), grow_at in 0usize..300) {
            let start_bytes = CIRCLE_START + (512 << 10);
            let mut space: Space<()> = Space::new(start_bytes);
            let mut live: VecDeque<(u64, u64, u64)> = VecDeque::new();
            for (n, blocks) in sizes.iter().enumerate() {
                if n == grow_at && space.end() == start_bytes {
                    space.grown(start_bytes * 2);
                }
                let bytes = blocks * 4096;
                let place = loop {
                    match space.place(bytes, bytes, Room::Appends) {
                        Some(place) => break place,
                        None => {
                            let before = space.oldest_sequence();
                            let (_, _, sequence) = live[live.len() / 2];
                            space.retire_before(sequence);
                            if space.oldest_sequence() == before {
                                space.retire_before(u64::MAX);
                            }
                            live.retain(|group| group.2 >= space.oldest_sequence());
                            space.stated(space.oldest_total());
                        }
                    }
                };
                let sequence = space.take(place, bytes);
                prop_assert!(place.offset + bytes <= space.end());
                for (offset, len, _) in &live {
                    prop_assert!(place.offset >= offset + len || offset >= &(place.offset + bytes), "overlap");
                }
                live.push_back((place.offset, bytes, sequence));
            }
        }
    }
}
