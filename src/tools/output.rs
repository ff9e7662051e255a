//! Lines on standard output that end no tool when nobody reads them any more, as `println!` would.

use std::fmt::Arguments;
use std::io::Write;

/// Writes text as it is.
pub fn write(text: Arguments<'_>) {
    if cfg!(test) {
        // What the test harness catches.
        print!("{text}");
        return;
    }
    // Whoever closed the other end wants no more of it; what the tool does besides goes on, as with Kafka's.
    let _ = std::io::stdout().lock().write_fmt(text);
}

/// A line on standard output, put together as by `println!`.
macro_rules! say {
    ($($part:tt)*) => {
        $crate::tools::output::write(format_args!("{}\n", format_args!($($part)*)))
    };
}

pub(crate) use say;
