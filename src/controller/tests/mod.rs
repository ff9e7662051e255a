//! Scenarios of the controller, on the simulator.

mod against_kafka;
mod decisions;
mod elections;
mod engine;
mod random_requests;
mod restarts;
mod support;
