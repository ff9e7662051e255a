//! The options of `dump-log`: those of Kafka's `kafka-dump-log.sh`, and `--journal`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Prints the contents of a log directory's files, to find out what is wrong with one.
///
/// Works on the directories of Millrace and of Apache Kafka. Nothing is changed on disk; the segment that a running
/// broker writes to may end in bytes that are not yet a batch.
#[derive(Clone, Debug, Parser)]
#[command(name = "dump-log")]
pub struct Options {
    /// The files to dump, separated by commas. A directory stands for all its segment files.
    #[arg(long, value_name = "FILE,...", value_delimiter = ',', required_unless_present = "journal")]
    pub files: Vec<PathBuf>,

    /// Print the records' contents. Any decoder option implies it.
    #[arg(long)]
    pub print_data_log: bool,

    /// Compare the index files with their log, without printing their entries.
    #[arg(long)]
    pub verify_index_only: bool,

    /// Only check index files as a broker does at start to decide whether one has to be made again.
    #[arg(long)]
    pub index_sanity_check: bool,

    /// The largest batch that an index entry may point to, bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 5 * 1024 * 1024)]
    pub max_message_size: u32,

    /// Stop behind that many bytes of each log.
    #[arg(long, value_name = "BYTES", default_value_t = i32::MAX as u32)]
    pub max_bytes: u32,

    /// Print each record's metadata, not only the batches'. Printing contents implies it.
    #[arg(long)]
    pub deep_iteration: bool,

    /// How to print values; Kafka's class names are understood as well.
    #[arg(long, value_name = "DECODER", num_args = 0..=1, default_missing_value = "string", value_parser = parse_decoder)]
    pub value_decoder_class: Option<PlainDecoder>,

    /// How to print keys; Kafka's class names are understood as well.
    #[arg(long, value_name = "DECODER", num_args = 0..=1, default_missing_value = "string", value_parser = parse_decoder)]
    pub key_decoder_class: Option<PlainDecoder>,

    /// Decode the records of `__consumer_offsets`.
    #[arg(long)]
    pub offsets_decoder: bool,

    /// Decode the records of `__transaction_state`.
    #[arg(long)]
    pub transaction_log_decoder: bool,

    /// Decode the records of `__cluster_metadata`.
    #[arg(long)]
    pub cluster_metadata_decoder: bool,

    /// Decode the records of `__share_group_state`.
    #[arg(long)]
    pub share_group_state_decoder: bool,

    /// Leave out the records' metadata, and the control records.
    #[arg(long)]
    pub skip_record_metadata: bool,

    /// Print what these journals of Millrace hold (`millrace-journal-N`), separated by commas.
    #[arg(long, value_name = "FILE,...", value_delimiter = ',')]
    pub journal: Vec<PathBuf>,
}

/// How to print a key or value that no record decoder is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlainDecoder {
    /// UTF-8; what is none is replaced.
    #[default]
    String,
    /// A 32-bit number, big-endian.
    Integer,
    /// A 64-bit number, big-endian.
    Long,
    /// The bytes in hexadecimal.
    Hex,
}

fn parse_decoder(text: &str) -> Result<PlainDecoder, String> {
    match text.strip_prefix("org.apache.kafka.tools.api.") {
        Some("StringDecoder") => Ok(PlainDecoder::String),
        Some("IntegerDecoder") => Ok(PlainDecoder::Integer),
        Some("LongDecoder") => Ok(PlainDecoder::Long),
        Some("DefaultDecoder") => Ok(PlainDecoder::Hex),
        Some(_) => Err("other classes cannot be loaded, this is no Java".to_owned()),
        None => PlainDecoder::from_str(text, false),
    }
}

impl Options {
    /// Whether the records' contents are printed.
    pub(super) fn prints_contents(&self) -> bool {
        self.print_data_log
            || self.offsets_decoder
            || self.transaction_log_decoder
            || self.cluster_metadata_decoder
            || self.share_group_state_decoder
            || self.value_decoder_class.is_some()
            || self.key_decoder_class.is_some()
    }

    /// Whether the records are looked at.
    pub(super) fn iterates_records(&self) -> bool {
        self.deep_iteration || self.prints_contents()
    }

    /// Whether logs are read to their end.
    pub(super) fn reads_whole_logs(&self) -> bool {
        self.max_bytes == i32::MAX as u32
    }
}
