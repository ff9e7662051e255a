//! The engine in the simulator: a bench with a small machine, scenarios, and random histories against a model.

mod bench;
mod compaction;
mod histories;
mod scenarios;
mod speed;
