//! Sections of code after whose panic nothing on the shard can be trusted.
//!
//! A panic in a connection's task ends that connection alone. A panic between two changes of a partition's state would
//! leave half a change behind, so there it ends the process at once: recovery is exact, a half-dead broker is not.

/// Held while state that outlives the request is changed.
pub struct CoreSection(());

/// Enters such a section; it ends when the value is dropped.
#[must_use]
pub fn core_section() -> CoreSection {
    CoreSection(())
}

impl Drop for CoreSection {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("millrace: a panic while a partition was being changed; the process ends (see above)");
            std::process::abort();
        }
    }
}
