//! What the tools of an administrator share: a client from the options, and how they say that something failed.
//!
//! - [`open`]: a client from `--bootstrap-server` and `--command-config`
//! - [`Failure`]: why a tool ends; [`offsets`]: ListOffsets with what became of each partition

mod failure;
pub mod offsets;
mod open;

pub use failure::{Failure, execution};
pub use open::{check_bootstrap, command_config, open};
