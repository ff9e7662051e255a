//! A progress bar, on a terminal alone.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub struct Progress {
    bar: ProgressBar,
    /// Without a terminal phases are named on a line each, if asked for.
    quiet: bool,
}

impl Progress {
    pub fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        if let Ok(style) = ProgressStyle::with_template("{prefix:24!} [{bar:30}] {percent:>3} % {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar, quiet: !terminal }
    }

    /// A phase begins.
    pub fn phase(&self, name: &str) {
        self.bar.set_prefix(name.to_owned());
        self.bar.set_message("");
        self.bar.set_position(0);
    }

    /// How far it is (0 to 1), and what to say.
    pub fn at(&self, share: f64, message: impl FnOnce() -> String) {
        if !self.quiet {
            self.bar.set_message(message());
            self.bar.set_position((share.clamp(0.0, 1.0) * 1000.0) as u64);
        }
    }

    /// A line above the bar.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
