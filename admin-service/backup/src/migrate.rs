//! Homes of older versions: a table of steps, each from one version to the next. A step can be done again after a crash, and
//! old homes are read without it.

use base::error::Error;
use base::home::Home;
use base::version;
use documents::home_file::{HomeFile, VERSION};

pub struct Step {
    /// From which state.
    pub from: From,
    /// What it changes, for people.
    pub what: &'static str,
    run: fn(&Home) -> Result<(), Error>,
}

/// The state of a home before a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// It has no version file: it was made before there was one, and has version 1 otherwise.
    Unmarked,
    Version(u32),
}

/// Every step, in order. The last one leads to the present version.
const STEPS: &[Step] = &[Step {
    from: From::Unmarked,
    what: "writes config/home.yaml with `version: 1`; nothing else changes",
    run: |home| version::write(home, &HomeFile { version: 1, restoring: None }),
}];

/// The steps that a home still needs.
///
/// # Errors
/// A newer home, or a version file that cannot be read.
pub fn needed(home: &Home) -> Result<&'static [Step], Error> {
    let present = match version::read(home)? {
        None => From::Unmarked,
        Some(file) => From::Version(file.check().map(|()| file.version)?),
    };
    if present == From::Version(VERSION) {
        return Ok(&[]);
    }
    let first = STEPS.iter().position(|step| step.from == present);
    Ok(&STEPS[first.expect("the table begins at every older version")..])
}

/// Does one step.
///
/// # Errors
/// A failing disk; the step can be done again.
pub fn run(home: &Home, step: &Step) -> Result<(), Error> {
    (step.run)(home)
}

#[cfg(test)]
mod tests;
