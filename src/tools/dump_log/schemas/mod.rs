//! The records that the decoders know, as tables of their fields. `generate.py` beside this folder writes them.

pub(super) mod control;
pub(super) mod groups;
pub(super) mod metadata;
pub(super) mod shares;
pub(super) mod transactions;
