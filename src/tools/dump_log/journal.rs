//! Prints a journal of Millrace: its groups in their order, and what each entry says.
//!
//! Every block is looked at, so that groups of older laps are shown as far as they are not overwritten; what recovery
//! would take is marked. One group's body is in memory at a time.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::options::Options;
use super::report::Report;
use crate::log::journal::format::{
    CIRCLE_START, Entry, FileHeader, FormatError, GROUP_HEADER_BYTES, GroupHeader, Kind,
};
use crate::runtime::BLOCK;

/// Blocks are read that many at a time.
const WINDOW_BYTES: usize = 256 * BLOCK;

/// Prints a `millrace-journal-N` file.
pub(super) fn dump_journal(path: &Path, options: &Options, report: &mut Report<'_>) -> io::Result<()> {
    let opened = File::open(path).and_then(|mut file| {
        let mut first = Vec::with_capacity(BLOCK);
        Read::by_ref(&mut file).take(BLOCK as u64).read_to_end(&mut first)?;
        Ok((file, first))
    });
    let (mut file, first) = match opened {
        Ok(opened) => opened,
        Err(error) => return report.fail(path, error),
    };
    let journal = match FileHeader::decode(&first) {
        Ok(journal) => journal,
        Err(error) => return report.fail(path, format_args!("the journal's header: {error}")),
    };
    writeln!(report.out, "journalId: {:032x} shard: {}", journal.journal_id, journal.shard)?;
    let mut groups = match find_groups(&mut file, journal.journal_id) {
        Ok(groups) => groups,
        Err(error) => return report.fail(path, error),
    };
    groups.sort_unstable_by_key(|group| group.sequence);
    let oldest_needed = groups.last().map_or(0, |newest| newest.oldest_sequence);
    for group in &groups {
        let body = match read_body(&mut file, group) {
            Ok(body) => body,
            Err(error) => return report.fail(path, error),
        };
        print_group(group, &body, oldest_needed, report)?;
        if options.skip_record_metadata {
            continue;
        }
        if let Err(error) = print_entries(group, &body, report)? {
            report.fail(path, format_args!("group {}: {error}", group.sequence))?;
        }
    }
    Ok(())
}

/// All group headers of this journal that stand where they say.
fn find_groups(file: &mut File, journal_id: u128) -> io::Result<Vec<GroupHeader>> {
    let mut groups = Vec::new();
    let mut position = CIRCLE_START;
    file.seek(SeekFrom::Start(position))?;
    loop {
        let mut window = Vec::with_capacity(WINDOW_BYTES);
        Read::by_ref(file).take(WINDOW_BYTES as u64).read_to_end(&mut window)?;
        if window.is_empty() {
            return Ok(groups);
        }
        for block in window.chunks(BLOCK) {
            if let Ok(group) = GroupHeader::decode(block)
                && (group.journal_id, group.offset) == (journal_id, position)
            {
                groups.push(group);
            }
            position += block.len() as u64;
        }
    }
}

fn read_body(file: &mut File, group: &GroupHeader) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(group.offset + GROUP_HEADER_BYTES as u64))?;
    let mut body = Vec::new();
    Read::by_ref(file).take(group.body_bytes.into()).read_to_end(&mut body)?;
    Ok(body)
}

fn print_group(
    group: &GroupHeader,
    body: &[u8],
    oldest_needed: u64,
    report: &mut Report<'_>,
) -> io::Result<()> {
    writeln!(
        report.out,
        "sequence: {} lap: {} position: {} size: {} entries: {} bodyBytes: {} oldestSequence: {} inFlight: {} \
         unflushed: {} isNeeded: {} isvalid: {}",
        group.sequence,
        group.lap,
        group.offset,
        group.padded_bytes(),
        group.entries,
        group.body_bytes,
        group.oldest_sequence,
        group.in_flight,
        group.unflushed,
        group.sequence >= oldest_needed,
        is_whole(group, body),
    )
}

fn is_whole(group: &GroupHeader, body: &[u8]) -> bool {
    body.len() as u64 == u64::from(group.body_bytes) && crc32c::crc32c(body) == group.body_crc
}

/// Prints the entries of a whole group; the inner error is the group's.
fn print_entries(
    group: &GroupHeader,
    body: &[u8],
    report: &mut Report<'_>,
) -> io::Result<Result<(), FormatError>> {
    if !is_whole(group, body) {
        return Ok(Ok(()));
    }
    let mut rest = body;
    for _ in 0..group.entries {
        let (entry, data, behind) = match Entry::decode(rest) {
            Ok(decoded) => decoded,
            Err(error) => return Ok(Err(error)),
        };
        rest = behind;
        let identity = entry.identity;
        writeln!(
            report.out,
            "| {} topicId: {} partition: {} incarnation: {:016x} ownerEpoch: {} baseOffset: {} position: {} \
             endOffset: {} flushed: {} dataBytes: {}",
            kind_name(entry.kind),
            identity.topic_id,
            identity.partition,
            identity.incarnation,
            entry.owner_epoch,
            entry.base_offset,
            entry.position,
            entry.end_offset,
            entry.flushed,
            data.len(),
        )?;
    }
    Ok(Ok(()))
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Append => "append",
        Kind::Extent => "extent",
        Kind::Truncate => "truncate",
        Kind::Restart => "restart",
        Kind::LogStart => "logStart",
        Kind::Move => "move",
        Kind::Seal => "seal",
        Kind::Delete => "delete",
        Kind::Compact => "compact",
    }
}
