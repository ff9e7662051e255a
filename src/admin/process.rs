//! What the system says of the process. Read from /proc on a helper thread, never on a shard.

use std::fs;

/// The process at one moment; 0 where the system does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessSample {
    /// Memory that is really there.
    pub resident_bytes: u64,
    /// Open descriptors.
    pub descriptors: u64,
    /// The soft limit of descriptors.
    pub descriptors_limit: u64,
    /// Processor time, in milliseconds.
    pub processor_ms: u64,
}

impl ProcessSample {
    /// Reads it.
    #[must_use]
    pub fn read() -> Self {
        let page = rustix::param::page_size() as u64;
        let resident = fs::read_to_string("/proc/self/statm").ok();
        let resident = resident.and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Self {
            resident_bytes: resident.unwrap_or(0) * page,
            // The listing itself has one open.
            descriptors: fs::read_dir("/proc/self/fd")
                .map_or(0, |entries| entries.count().saturating_sub(1) as u64),
            descriptors_limit: limit.unwrap_or(u64::MAX),
            processor_ms: used.tv_sec.unsigned_abs() * 1000 + used.tv_nsec.unsigned_abs() / 1_000_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_memory_descriptors_and_a_limit() {
        let before = ProcessSample::read();
        let held: Vec<_> = (0..50).map(|_| fs::File::open("/proc/self/statm").unwrap()).collect();
        let during = ProcessSample::read();
        assert!(before.resident_bytes > 1 << 20);
        assert!(during.descriptors >= 53 && during.descriptors <= during.descriptors_limit, "{during:?}");
        drop(held);
    }
}
