//! The columns.

use crate::tools::clock;
use crate::tools::java_double::four_digits;

/// Names of the columns of the last line.
pub(super) const HEADER: &str = "start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, \
                                 rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec";
/// Names of the columns of lines in between.
pub(super) const DETAILED_HEADER: &str = "time, threadId, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, \
                                          rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec";

/// Bytes and records so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) bytes: u64,
    pub(super) records: u64,
}

/// From when to when, in milliseconds since 1970, and how long of it the group was joining.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start_ms: i64,
    pub(super) end_ms: i64,
    pub(super) join_ms: i64,
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / (1024.0 * 1024.0)
}

fn time(ms: i64) -> String {
    clock::format_ms(ms, ':')
}

/// The last line.
pub(super) fn summary(total: Count, span: Span) -> String {
    let elapsed_ms = span.end_ms - span.start_ms;
    let seconds = elapsed_ms as f64 / 1000.0;
    let fetch_ms = elapsed_ms - span.join_ms;
    let fetch_seconds = fetch_ms as f64 / 1000.0;
    let (megabytes, records) = (megabytes(total.bytes), total.records as f64);
    format!(
        "{}, {}, {}, {}, {}, {}, {}, {fetch_ms}, {}, {}",
        time(span.start_ms),
        time(span.end_ms),
        four_digits(megabytes),
        four_digits(megabytes / seconds),
        total.records,
        four_digits(records / seconds),
        span.join_ms,
        four_digits(megabytes / fetch_seconds),
        four_digits(records / fetch_seconds)
    )
}

/// A line in between: everything so far, and the rates since `before`.
pub(super) fn progress(total: Count, before: Count, span: Span) -> String {
    let elapsed_ms = (span.end_ms - span.start_ms) as f64;
    let fetch_ms = span.end_ms - span.start_ms - span.join_ms;
    let new_megabytes = megabytes(total.bytes.saturating_sub(before.bytes));
    let new_records = total.records.saturating_sub(before.records) as f64;
    let rate = |amount: f64| if fetch_ms <= 0 { 0.0 } else { 1000.0 * amount / fetch_ms as f64 };
    format!(
        "{}, 0, {}, {}, {}, {}, {}, {fetch_ms}, {}, {}",
        time(span.end_ms),
        four_digits(megabytes(total.bytes)),
        four_digits(1000.0 * new_megabytes / elapsed_ms),
        total.records,
        four_digits(new_records / elapsed_ms * 1000.0),
        span.join_ms,
        four_digits(rate(new_megabytes)),
        four_digits(rate(new_records))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_kafkas() {
        let total = Count { bytes: 3 * 1024 * 1024, records: 3000 };
        let span = Span { start_ms: 0, end_ms: 2000, join_ms: 500 };
        assert_eq!(
            summary(total, span),
            "1970-01-01 00:00:00:000, 1970-01-01 00:00:02:000, 3.0000, 1.5000, 3000, 1500.0000, 500, 1500, 2.0000, 2000.0000"
        );
        let before = Count { bytes: 1024 * 1024, records: 1000 };
        assert_eq!(
            progress(total, before, span),
            "1970-01-01 00:00:02:000, 0, 3.0000, 1.0000, 3000, 1000.0000, 500, 1500, 1.3333, 1333.3333"
        );
        assert_eq!(HEADER.split(", ").count(), 10);
    }
}
