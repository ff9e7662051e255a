//! How many connections there may be: per broker, per address, per shard.
//!
//! Two kinds of counters are shared by the shards, both atomic and touched only when a connection comes or goes: the
//! whole number, and a table of counts by a hash of the address (kept only when a limit per address is set).

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::config::Network;

/// Slots of the table that counts connections per address; addresses that share a slot share its count only for
/// refusals, so the table is large beside any sane number of clients.
const ADDRESS_SLOTS: usize = 1 << 16;

/// The limits and counts of the whole process.
pub struct ConnectionLimits {
    max: usize,
    max_per_address: usize,
    overrides: BTreeMap<String, usize>,
    open: AtomicUsize,
    by_address: Vec<AtomicUsize>,
}

impl ConnectionLimits {
    /// The limits that `network` sets.
    #[must_use]
    pub fn new(network: &Network) -> Arc<Self> {
        let limited = network.max_connections_per_ip < i32::MAX as usize
            || !network.max_connections_per_ip_overrides.is_empty();
        let slots = if limited { ADDRESS_SLOTS } else { 0 };
        Arc::new(Self {
            max: network.max_connections,
            max_per_address: network.max_connections_per_ip,
            overrides: network.max_connections_per_ip_overrides.clone(),
            open: AtomicUsize::new(0),
            by_address: (0..slots).map(|_| AtomicUsize::new(0)).collect(),
        })
    }

    /// Connections open in the whole process.
    #[must_use]
    pub fn open(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }

    /// Counts a connection from `address`, or None when a limit is reached.
    #[must_use]
    pub fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Admission> {
        let admission = Admission { limits: self.clone(), address };
        let open = self.open.fetch_add(1, Ordering::Relaxed) + 1;
        let from_address = self.slot(address).map_or(0, |slot| slot.fetch_add(1, Ordering::Relaxed) + 1);
        let address_limit = if self.by_address.is_empty() {
            usize::MAX
        } else {
            self.overrides.get(&address.to_canonical().to_string()).copied().unwrap_or(self.max_per_address)
        };
        (open <= self.max && from_address <= address_limit).then_some(admission)
    }

    fn slot(&self, address: IpAddr) -> Option<&AtomicUsize> {
        if self.by_address.is_empty() {
            return None;
        }
        let number = match address.to_canonical() {
            IpAddr::V4(v4) => u64::from(v4.to_bits()),
            IpAddr::V6(v6) => (v6.to_bits() ^ (v6.to_bits() >> 64)) as u64,
        };
        // Fibonacci hashing: neighbouring addresses, the usual case, never meet.
        let index = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize;
        self.by_address.get(index % self.by_address.len())
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
