//! What a child asks of its jail.

use confine::Held;

/// No jail, no work: files must be governed, by whatever wall, and the table of calls must hold.
pub fn laid_on(held: Result<Held, confine::ConfineError>) -> Result<(), String> {
    let held = held.map_err(|e| with_sources(&e))?;
    match held.lacks() {
        lacks if lacks.is_empty() => Ok(()),
        lacks => Err(lacks.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    }
}

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        words += &format!(": {error}");
        source = error.source();
    }
    words
}
