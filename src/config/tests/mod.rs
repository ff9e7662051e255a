//! Scenarios: what an operator writes, and what the broker runs on or answers.

mod dynamic;
mod files;
mod keys;
mod listeners;
mod mistakes;
mod properties_format;
mod support;
mod topics;
