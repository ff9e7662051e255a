//! Fetch (1): sessions (KIP-227), long polls, records as parts that are never copied.
//!
//! - `handle`: from request to response; `session`: what a client is known to want; `gather`: reading from the owners and
//!   waiting until there is enough; `respond`: the response with holes, and what fills them.

mod gather;
mod handle;
mod respond;
mod session;

pub(super) use handle::handle;
pub use session::FetchSessions;
