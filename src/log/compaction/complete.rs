//! What a replacement of segments says about itself on the disk, and how a start completes one.
//!
//! The rename of `<base>.log.cleaned` to `<base>.log.swap` decides. Before it stand, durably, the cleaned file, its
//! indexes as `.swap`, and the file [`REPLACING_FILE`] with the range of offsets that is replaced; behind it the old
//! files go, the indexes get their names, and at last the log file. So what a start finds is: no `.log.swap`, then
//! nothing was decided or all is done, and what is left of it goes; or one, then the steps behind are done again.
//! A directory that Kafka left has no such range file: there it is as long as the batches in the `.log.swap`.

use std::io;
use std::path::Path;

use crate::log::segment_name::{FileKind, FileState, SegmentFile};
use crate::protocol::record_batch::{BatchHeader, HEADER_LEN};
use crate::runtime::{DirectoryEntry, File, OpenMode, Runtime};

/// Name of the file with the range of offsets that is being replaced.
pub const REPLACING_FILE: &str = "millrace.replacing";

/// Name of the file with the offset below which the log was compacted. A file of the partition's own, as for the log
/// start: the log directory's checkpoint goes by names and is written at a clean stop.
pub const CLEANED_FILE: &str = "millrace.cleaned-to";

/// The content of the range file.
pub(super) fn encode_range(from: i64, to: i64) -> Vec<u8> {
    format!("version: 0\nfrom: {from}\nto: {to}\n").into_bytes()
}

fn parse_range(content: &[u8]) -> Option<(i64, i64)> {
    let mut lines = std::str::from_utf8(content).ok()?.lines();
    (lines.next()? == "version: 0").then_some(())?;
    let from = lines.next()?.strip_prefix("from: ")?.parse().ok()?;
    let to = lines.next()?.strip_prefix("to: ")?.parse().ok()?;
    Some((from, to))
}

/// The content of the file with the cleaned offset.
pub(crate) fn encode_cleaned_to(offset: i64) -> Vec<u8> {
    format!("version: 0\ncleaned_to: {offset}\n").into_bytes()
}

/// Completes what was decided in a partition's directory with these entries; whether anything was.
pub(crate) async fn complete(
    runtime: &Runtime,
    directory: &Path,
    entries: &[DirectoryEntry],
) -> io::Result<bool> {
    let files: Vec<SegmentFile> =
        entries.iter().filter_map(|entry| SegmentFile::parse(&entry.name)).collect();
    let swaps = files.iter().filter(|file| file.kind == FileKind::Log && file.state == FileState::Swap);
    let mut any = false;
    for swap in swaps {
        any = true;
        let base = swap.base_offset;
        let range = runtime.read_file(&directory.join(REPLACING_FILE)).await?;
        let end = match range.and_then(|content| parse_range(&content)).filter(|(from, _)| *from == base) {
            Some((_, to)) => to,
            None => end_of_batches(runtime, &directory.join(swap.name())).await?.unwrap_or(base),
        };
        tracing::info!(directory = %directory.display(), base, end, "a compacted segment takes its place");
        let replaced = files
            .iter()
            .filter(|file| file.state == FileState::Live && (base + 1..end).contains(&file.base_offset));
        for file in replaced {
            runtime.remove_file(&directory.join(file.name())).await?;
        }
        place_indexes(runtime, directory, base).await?;
        let live = SegmentFile::live(FileKind::Log, base);
        runtime.rename(&directory.join(swap.name()), &directory.join(live.name())).await?;
        runtime.sync_directory(directory).await?;
    }
    Ok(any)
}

/// Gives the indexes of the segment at `base` their names, durably: in front of the log file, whose rename says that
/// all is done.
pub(super) async fn place_indexes(runtime: &Runtime, directory: &Path, base: i64) -> io::Result<()> {
    for kind in [FileKind::OffsetIndex, FileKind::TimeIndex, FileKind::TransactionIndex] {
        let live = SegmentFile::live(kind, base);
        let swap = live.with_state(FileState::Swap);
        match runtime.rename(&directory.join(swap.name()), &directory.join(live.name())).await {
            // Done before the crash, or never there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => other?,
        }
    }
    runtime.sync_directory(directory).await
}

async fn end_of_batches(runtime: &Runtime, path: &Path) -> io::Result<Option<i64>> {
    let Some(info) = runtime.path_info(path).await? else { return Ok(None) };
    let file = File::open(runtime, path, OpenMode::Read).await?;
    let (mut position, mut end) = (0, None);
    while position < info.len {
        let (filled, bytes) = file.read_at(position, HEADER_LEN).await?;
        let Ok(header) = BatchHeader::parse(bytes.get(..filled).unwrap_or_default()) else { break };
        end = Some(header.next_offset());
        position += header.size_bytes() as u64;
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_comes_back_and_nothing_else_is_one() {
        assert_eq!(parse_range(&encode_range(7, 1 << 40)), Some((7, 1 << 40)));
        for bad in
            [&b""[..], b"version: 1\nfrom: 1\nto: 2\n", b"version: 0\nfrom: 1\n", b"version: 0\nto: 1\n"]
        {
            assert_eq!(parse_range(bad), None);
        }
    }
}
