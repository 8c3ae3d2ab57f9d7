//! Results on stdout; a reader that goes away ends the program quietly.

use std::fmt::Arguments;
use std::io::{StdoutLock, Write};

use serde::Serialize;

/// Writes a line to stdout; the macro `outln!` is its shape.
pub fn line(text: Arguments<'_>) {
    write(|stdout| stdout.write_fmt(text).and_then(|()| stdout.write_all(b"\n")));
}

/// Writes a line to stdout, for who can take back what it says.
///
/// # Errors
/// Nobody reads it, or it has no room.
pub fn written(text: Arguments<'_>) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_fmt(text)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// Writes bytes to stdout as they are.
pub fn bytes(bytes: &[u8]) {
    write(|stdout| stdout.write_all(bytes));
}

fn write(what: impl FnOnce(&mut StdoutLock<'_>) -> std::io::Result<()>) {
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = what(&mut stdout).and_then(|()| stdout.flush()) {
        if error.kind() != std::io::ErrorKind::BrokenPipe {
            eprintln!("error: stdout: {error}");
        }
        // What was asked for is done or is safe to do again; only nobody reads the words.
        std::process::exit(i32::from(shared_types::exit::FAILED));
    }
}

/// Writes a value as one line of JSON that steers no terminal.
pub fn json(value: &impl Serialize) {
    line(format_args!("{}", shared_types::json::line(value)));
}

/// Names in a message, or that there are none.
pub fn listed(names: &[String], between: &str) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(between) }
}

/// As `println!`, without its panic.
macro_rules! outln {
    ($($words:tt)*) => { $crate::commands::out::line(format_args!($($words)*)) };
}
pub(crate) use outln;
