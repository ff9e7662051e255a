//! How many connections there may be: of the broker, from one address, and how fast they may come.
//!
//! What the shards count together is atomic and touched only when a connection comes or goes: the whole number, a
//! table of counts by a hash of the address, and the time from which the next connection may come. What the limits are
//! is each shard's own copy ([`ConnectionRules`]), replaced when dynamic configs change.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use crate::config::Network;

/// Slots of the table that counts connections per address; addresses that share a slot share its count only for
/// refusals, so the table is large beside any sane number of clients.
const ADDRESS_SLOTS: usize = 1 << 16;

const SECOND_NS: u64 = 1_000_000_000;

/// The limits, as the configuration has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionRules {
    max: usize,
    max_per_address: usize,
    overrides: BTreeMap<String, usize>,
    /// Connections a second; None: as many as come.
    creation_rate: Option<u32>,
}

impl ConnectionRules {
    /// The limits that `network` sets.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        Self {
            max: network.max_connections,
            max_per_address: network.max_connections_per_ip,
            overrides: network.max_connections_per_ip_overrides.clone(),
            creation_rate: network.connection_creation_rate,
        }
    }

    fn of_address(&self, address: IpAddr) -> usize {
        if self.overrides.is_empty() {
            return self.max_per_address;
        }
        self.overrides.get(&address.to_canonical().to_string()).copied().unwrap_or(self.max_per_address)
    }
}

/// A shard's copy of the limits.
pub struct LiveRules(RefCell<Rc<ConnectionRules>>);

impl LiveRules {
    /// The limits that `network` sets.
    #[must_use]
    pub fn new(network: &Network) -> Rc<Self> {
        Rc::new(Self(RefCell::new(Rc::new(ConnectionRules::new(network)))))
    }

    /// Replaces them; connections that are there stay.
    pub fn set(&self, network: &Network) {
        let rules = ConnectionRules::new(network);
        if **self.0.borrow() != rules {
            *self.0.borrow_mut() = Rc::new(rules);
        }
    }

    /// The limits now.
    #[must_use]
    pub fn get(&self) -> Rc<ConnectionRules> {
        self.0.borrow().clone()
    }
}

/// Which limit a connection is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// `max.connections`: it waits, as in Kafka.
    Broker,
    /// `max.connections.per.ip`: it is closed, as in Kafka.
    Address,
}

/// The counts of the whole process.
pub struct ConnectionLimits {
    open: AtomicUsize,
    by_address: Vec<AtomicU32>,
    /// From when on the next connection may come, in nanoseconds of the shards' common clock.
    next_creation_ns: AtomicU64,
}

impl ConnectionLimits {
    /// No connections yet.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            open: AtomicUsize::new(0),
            by_address: (0..ADDRESS_SLOTS).map(|_| AtomicU32::new(0)).collect(),
            next_creation_ns: AtomicU64::new(0),
        })
    }

    /// Connections open in the whole process.
    #[must_use]
    pub fn open(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }

    /// Counts a connection from `address`.
    ///
    /// # Errors
    /// The limit that it is over; nothing is counted then.
    pub fn admit(self: &Arc<Self>, rules: &ConnectionRules, address: IpAddr) -> Result<Admission, Over> {
        let admission = Admission { limits: self.clone(), address };
        let open = self.open.fetch_add(1, Ordering::Relaxed) + 1;
        let from_address = self.slot(address).map_or(0, |slot| slot.fetch_add(1, Ordering::Relaxed) + 1);
        if from_address as usize > rules.of_address(address) {
            Err(Over::Address)
        } else if open > rules.max {
            Err(Over::Broker)
        } else {
            Ok(admission)
        }
    }

    /// How long a connection that comes at `now_ns` waits for its turn. A second's worth may come at once.
    #[must_use]
    pub fn creation_delay(&self, rules: &ConnectionRules, now_ns: u64) -> Duration {
        let Some(rate) = rules.creation_rate else { return Duration::ZERO };
        let step_ns = SECOND_NS / u64::from(rate.max(1));
        let earliest_ns = now_ns.saturating_sub(SECOND_NS - step_ns);
        let turn = |next: u64| next.max(earliest_ns);
        let taken = self
            .next_creation_ns
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| Some(turn(next) + step_ns));
        let at_ns = taken.map_or(now_ns, turn);
        Duration::from_nanos(at_ns.saturating_sub(now_ns))
    }

    fn slot(&self, address: IpAddr) -> Option<&AtomicU32> {
        let number = match address.to_canonical() {
            IpAddr::V4(v4) => u64::from(v4.to_bits()),
            IpAddr::V6(v6) => (v6.to_bits() ^ (v6.to_bits() >> 64)) as u64,
        };
        // Fibonacci hashing: neighbouring addresses, the usual case, never meet.
        let index = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize;
        self.by_address.get(index % ADDRESS_SLOTS)
    }
}

/// A counted connection; uncounted when dropped.
pub struct Admission {
    limits: Arc<ConnectionLimits>,
    address: IpAddr,
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.limits.open.fetch_sub(1, Ordering::Relaxed);
        if let Some(slot) = self.limits.slot(self.address) {
            slot.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(max: usize, per_address: usize, rate: Option<u32>) -> ConnectionRules {
        let overrides = [("10.0.0.9".to_owned(), 3)].into();
        ConnectionRules { max, max_per_address: per_address, overrides, creation_rate: rate }
    }

    #[test]
    fn each_limit_has_its_own_answer_and_places_come_back() {
        let limits = ConnectionLimits::new();
        let rules = rules(4, 1, None);
        let from = |last: u8| limits.admit(&rules, IpAddr::from([10, 0, 0, last]));
        let first = from(1).unwrap();
        assert_eq!(from(1).err(), Some(Over::Address));
        let others: Vec<_> = (0..3).map(|_| from(9).unwrap()).collect();
        assert_eq!(from(2).err(), Some(Over::Broker));
        assert_eq!(limits.open(), 4);
        drop(first);
        assert!(from(1).is_ok());
        drop(others);
        assert_eq!(limits.open(), 0);
    }

    #[test]
    fn a_seconds_worth_comes_at_once_then_one_after_the_other() {
        let limits = ConnectionLimits::new();
        let rules = rules(4, 1, Some(10));
        let now = 100 * SECOND_NS;
        let delays: Vec<_> = (0..13).map(|_| limits.creation_delay(&rules, now).as_millis()).collect();
        assert_eq!(delays, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 200, 300]);
        assert_eq!(limits.creation_delay(&rules, now + 10 * SECOND_NS), Duration::ZERO);
    }
}
