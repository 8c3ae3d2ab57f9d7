//! Standard output, for what was asked for. A reader that has gone away is not a failure; a place that takes nothing is one.

use std::io::{self, Write};
use std::sync::OnceLock;

use crate::error::Error;

/// The first failure.
static FAILED: OnceLock<io::Error> = OnceLock::new();

/// Standard output; [`failure`] knows what it did not take.
#[derive(Debug, Clone, Copy, Default)]
pub struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        noted(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        noted(io::stdout().flush())
    }
}

/// Why something that was asked for is not on standard output.
#[must_use]
pub fn failure() -> Option<Error> {
    let source = FAILED.get()?;
    let source = source.raw_os_error().map_or_else(|| source.kind().into(), io::Error::from_raw_os_error);
    Some(Error::Io { path: "standard output".into(), source })
}

fn noted<T>(done: io::Result<T>) -> io::Result<T> {
    done.inspect_err(|error| {
        if !matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::Interrupted) {
            let copy = error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
            // The first one tells enough.
            let _ = FAILED.set(copy);
        }
    })
}
