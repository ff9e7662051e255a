//! Who asks, and what an API needs of them. Runs on every shard; keeps no state of its own.
//!
//! Every connection is anonymous until authentication is served, and every request is allowed: the places where a
//! permission is needed are named in the table of APIs, so that an authoriser finds them there.

mod permission;
mod principal;

pub use permission::{Permission, QuotaClass};
pub use principal::Principal;
