//! What recovery finds in a journal: the groups that are needed and whole, in order (laws 5 and 6).
//!
//! First all headers of the file are looked at, then the bodies of the groups that count are read. The newest groups
//! may be torn, as many as could be under way; a hole before them is corruption, and the log directory goes offline.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;

use super::format::{CIRCLE_START, FileHeader, GROUP_HEADER_BYTES, GroupHeader};
use crate::runtime::{AlignedBuf, BLOCK, File, OpenMode, Runtime};

const READ_BYTES: u64 = 1 << 20;
/// Of a larger group only the header is read while headers are looked for.
const LARGE_GROUP_BYTES: u64 = 128 << 10;
/// Where every block is looked at: more than the groups under way together.
const CLOSE_LOOK_BYTES: u64 = 4 << 20;
/// Reads of one journal under way at the same time: one alone leaves the device idle half of the time.
const READERS: u64 = 4;

/// A whole group.
pub struct FoundGroup {
    /// Its header.
    pub header: GroupHeader,
    /// Its entries.
    pub body: Bytes,
}

/// Why a journal cannot be believed.
#[derive(Debug, thiserror::Error)]
pub enum JournalFault {
    /// Reading failed.
    #[error("reading the journal: {0}")]
    Io(#[from] std::io::Error),
    /// Groups that must be there are not.
    #[error("the journal is corrupt: {0}")]
    Corrupt(String),
}

/// What a journal holds.
#[derive(Default)]
pub struct Contents {
    /// The groups that count, in order.
    pub groups: Vec<FoundGroup>,
    /// The writer did not flush: nothing in it was promised to outlive a power cut.
    pub unflushed: bool,
}

/// Reads the journal at `path`. With `confuse_laps` (a planted fault) sequences are not believed.
pub async fn read(runtime: &Runtime, path: &Path, confuse_laps: bool) -> Result<Contents, JournalFault> {
    let file = File::open(runtime, path, OpenMode::Direct).await?;
    let len = file.len().await?;
    let (filled, first) =
        if len == 0 { (0, None) } else { file.read_at(0, BLOCK).await.map(|(n, b)| (n, Some(b)))? };
    let head = first.as_ref().and_then(|block| FileHeader::decode(block.get(..filled)?).ok());
    let headers = find_headers(runtime, &file, len, head.map(|head| head.journal_id)).await?;
    if head.is_none() {
        // Killed while it was made: then it holds nothing. With groups in it, the header was lost later.
        return if headers.is_empty() {
            Ok(Contents::default())
        } else {
            Err(JournalFault::Corrupt("its header is lost".to_owned()))
        };
    }
    if confuse_laps {
        return confused(&file, headers).await;
    }
    let by_sequence: BTreeMap<u64, GroupHeader> =
        headers.into_iter().map(|header| (header.sequence, header)).collect();
    let Some((newest, last)) = by_sequence.last_key_value().map(|(sequence, header)| (*sequence, *header))
    else {
        return Ok(Contents::default());
    };
    let mut bodies: BTreeMap<u64, Bytes> = BTreeMap::new();
    // The newest groups may be torn, as many as were under way at once.
    let in_flight = u64::from(last.in_flight.max(1));
    let mut accepted = newest;
    for sequence in newest.saturating_sub(in_flight - 1).max(1)..=newest {
        match read_body(&file, by_sequence.get(&sequence)).await? {
            Some(body) => bodies.insert(sequence, body),
            None => {
                accepted = sequence - 1;
                break;
            }
        };
    }
    let mut contents = Contents { groups: Vec::new(), unflushed: last.unflushed };
    if accepted == 0 {
        return Ok(contents);
    }
    let Some(end) = by_sequence.get(&accepted) else {
        return if last.unflushed || accepted < last.oldest_sequence {
            Ok(contents)
        } else {
            Err(JournalFault::Corrupt(format!("group {accepted} is lost, {newest} is there")))
        };
    };
    let mut sequence = end.oldest_sequence;
    while sequence <= accepted {
        let mut reads = Vec::new();
        let until = accepted.min(sequence + READERS - 1);
        for sequence in sequence..=until {
            let (file, known) = (file.clone(), bodies.remove(&sequence));
            let header = by_sequence.get(&sequence).copied();
            reads.push(runtime.spawn(async move {
                match known {
                    Some(body) => Ok((header, Some(body))),
                    None => read_body(&file, header.as_ref()).await.map(|body| (header, body)),
                }
            }));
        }
        for read in reads {
            match read.await? {
                (Some(header), Some(body)) => contents.groups.push(FoundGroup { header, body }),
                _ if last.unflushed => return Ok(contents),
                _ => {
                    let lost =
                        contents.groups.last().map_or(end.oldest_sequence, |group| group.header.sequence + 1);
                    let text = format!("group {lost} of {}..={newest} is lost", end.oldest_sequence);
                    return Err(JournalFault::Corrupt(text));
                }
            }
        }
        sequence = until + 1;
    }
    Ok(contents)
}

/// The group headers of the file that stand where they say, in the order of the file: all that can count.
///
/// What a whole header says it covers is passed over: a newer group over it would have written over the header, or
/// follows a hole. Where such a group may be, at the start of the circle and behind the newest group, every block is
/// looked at, so that a hole is told from a torn end (law 6).
async fn find_headers(
    runtime: &Runtime,
    file: &File,
    len: u64,
    id: Option<u128>,
) -> Result<Vec<GroupHeader>, JournalFault> {
    let share = (len.saturating_sub(CIRCLE_START) / READERS).next_multiple_of(BLOCK as u64).max(BLOCK as u64);
    let mut readers = Vec::new();
    for reader in 0..READERS {
        let (file, from) = (file.clone(), CIRCLE_START + reader * share);
        let to = if reader + 1 == READERS { len } else { len.min(from + share) };
        readers.push(runtime.spawn(async move {
            let mut headers = Vec::new();
            headers_between(&file, from, to, id, &mut headers).await?;
            Ok::<_, JournalFault>(headers)
        }));
    }
    let mut headers = Vec::new();
    for reader in readers {
        headers.append(&mut reader.await?);
    }
    let mut closely_from = CIRCLE_START;
    loop {
        let until = len.min(closely_from + CLOSE_LOOK_BYTES);
        let mut at = closely_from;
        while at < until {
            let read = file.read_at(at, blocks(READ_BYTES.min(until - at))).await?;
            each_header(&read, at, id, |header| {
                headers.push(header);
                BLOCK as u64
            });
            at += READ_BYTES;
        }
        let newest = headers.iter().max_by_key(|header| header.sequence);
        let behind = newest.map_or(0, |header| header.offset + header.padded_bytes());
        if behind <= closely_from {
            break;
        }
        closely_from = behind;
    }
    headers.sort_by_key(|header| header.offset);
    headers.dedup();
    Ok(headers)
}

/// Goes from header to header through `from..to`, reading what lies between only where groups are small.
async fn headers_between(
    file: &File,
    from: u64,
    to: u64,
    id: Option<u128>,
    headers: &mut Vec<GroupHeader>,
) -> Result<(), JournalFault> {
    let (mut at, mut want) = (from, READ_BYTES);
    while at < to {
        let step = want.min(to - at);
        want = READ_BYTES;
        at = each_header(&file.read_at(at, blocks(step)).await?, at, id, |header| {
            headers.push(header);
            if header.padded_bytes() >= LARGE_GROUP_BYTES {
                want = BLOCK as u64;
            }
            header.padded_bytes()
        })
        .max(at + BLOCK as u64);
    }
    Ok(())
}

fn blocks(bytes: u64) -> usize {
    bytes.next_multiple_of(BLOCK as u64) as usize
}

/// Calls `visit` with each valid header in `window`, which was read at `at`; it says how far the next one is at least.
/// Gives where to go on: behind the window, or further.
fn each_header(
    (filled, window): &(usize, AlignedBuf),
    at: u64,
    id: Option<u128>,
    mut visit: impl FnMut(GroupHeader) -> u64,
) -> u64 {
    let mut inside = 0;
    while inside + GROUP_HEADER_BYTES <= *filled {
        let block = window.get(inside..*filled).unwrap_or_default();
        let place = at + inside as u64;
        let header = GroupHeader::decode(block).ok();
        let header =
            header.filter(|header| header.offset == place && id.is_none_or(|id| id == header.journal_id));
        inside += header.map_or(BLOCK as u64, &mut visit) as usize;
    }
    at + inside as u64
}

/// The group's body if it is whole.
async fn read_body(file: &File, header: Option<&GroupHeader>) -> Result<Option<Bytes>, JournalFault> {
    let Some(header) = header else { return Ok(None) };
    let (filled, buffer) = file.read_at(header.offset, header.padded_bytes() as usize).await?;
    let end = GROUP_HEADER_BYTES + header.body_bytes as usize;
    if filled < end || GroupHeader::decode(&buffer).as_ref() != Ok(header) {
        return Ok(None);
    }
    let body = buffer.freeze(end).slice(GROUP_HEADER_BYTES..);
    Ok((crc32c::crc32c(&body) == header.body_crc).then_some(body))
}

/// The planted fault: whatever is whole counts, in the order of the file.
async fn confused(file: &File, headers: Vec<GroupHeader>) -> Result<Contents, JournalFault> {
    let mut contents = Contents::default();
    for header in headers {
        if let Some(body) = read_body(file, Some(&header)).await? {
            contents.groups.push(FoundGroup { header, body });
        }
    }
    Ok(contents)
}
