//! What is sent: batches of records whose content differs from batch to batch but costs nothing to make anew.

use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::BatchBuilder;

/// Different batches made ahead and used in turn.
const VARIANTS: usize = 16;

/// Batches of `records` records with values of `record_bytes` bytes, letters and digits that do not repeat.
pub fn batches(records: usize, record_bytes: usize, now_ms: i64) -> Result<Vec<Vec<u8>>, String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    (0..VARIANTS)
        .map(|_| {
            let mut builder = BatchBuilder::new(Codec::None);
            for _ in 0..records {
                let value: Vec<u8> = (0..record_bytes)
                    .map(|_| {
                        // xorshift64: quick, and the same in each run.
                        state ^= state << 13;
                        state ^= state >> 7;
                        state ^= state << 17;
                        b'a' + (state % 26) as u8
                    })
                    .collect();
                builder.append(now_ms, None, Some(&value), &[]);
            }
            builder.build().map_err(|error| format!("a batch could not be made: {error}"))
        })
        .collect()
}
