//! The files of a proposal and of an installed version. Nothing else knows their names.

use std::fs;
use std::path::PathBuf;

use shared_types::id::{Digest, ProposalId, SkillName};

use crate::error::Error;
use crate::folders::{PRIVATE, make_folder};
use crate::home::Home;

/// The source in its canonical form.
pub const SOURCE: &str = "skill.rs";
/// What the compiler made of it.
pub const MODULE: &str = "skill.wasm";

/// A file that is not the one that a person decided on.
#[derive(Debug, thiserror::Error)]
#[error("{} is not what was decided on", .0.display())]
struct OtherContent(PathBuf);

/// One file of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The proposal as it was taken in.
    Spec,
    /// [`SOURCE`].
    Source,
    /// [`MODULE`].
    Module,
    /// All that a decision rests on.
    Report,
    /// The signed decision, beside an installed version.
    Decision,
    /// The instructions that a model got before the wish.
    Instructions,
    /// The implementer's own examples.
    Trials,
    /// The source of an attempt.
    Attempt(u32),
    /// The source of an attempt after the compiler's suggestions, where some were followed.
    Mended(u32),
    /// What was asked and answered in an attempt, and what came of it.
    Transcript(u32),
}

/// The folder of one proposal, or of one installed version.
#[derive(Debug, Clone)]
pub struct Package(PathBuf);

impl Package {
    /// The package of a proposal.
    pub fn of(home: &Home, id: &ProposalId) -> Package {
        Package(home.package(id))
    }

    /// What is kept of a version that was installed.
    pub fn installed(home: &Home, name: &SkillName, version: u32) -> Package {
        Package(home.record(name, version))
    }

    /// Makes its folder.
    ///
    /// # Errors
    /// A failing disk.
    pub fn make(&self) -> Result<(), Error> {
        make_folder(&self.0, PRIVATE)
    }

    /// The path of a file of it; for messages, and for what does not fit into a value.
    pub fn path(&self, part: Part) -> PathBuf {
        self.0.join(match part {
            Part::Spec => "proposal.yaml",
            Part::Source => SOURCE,
            Part::Module => MODULE,
            Part::Report => "report.yaml",
            Part::Decision => "decision.json",
            Part::Instructions => "instructions.txt",
            Part::Trials => "trials.json",
            Part::Attempt(number) => return self.0.join(format!("attempt-{number}.rs")),
            Part::Mended(number) => return self.0.join(format!("mended-{number}.rs")),
            Part::Transcript(number) => return self.0.join(format!("transcript-{number}.txt")),
        })
    }

    /// The content of a file.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn bytes(&self, part: Part) -> Result<Vec<u8>, Error> {
        let path = self.path(part);
        fs::read(&path).map_err(Error::io(&path))
    }

    /// The content of a file, as text.
    ///
    /// # Errors
    /// A file that cannot be read, or that is not UTF-8.
    pub fn text(&self, part: Part) -> Result<String, Error> {
        let path = self.path(part);
        fs::read_to_string(&path).map_err(Error::io(&path))
    }

    /// The content of a file that was decided on.
    ///
    /// # Errors
    /// A file that cannot be read, or that has another digest.
    pub fn decided(&self, part: Part, expected: &Digest) -> Result<Vec<u8>, Error> {
        self.bytes(part).and_then(|bytes| self.compared(part, expected, bytes))
    }

    /// As [`Package::decided`], as text.
    ///
    /// # Errors
    /// As [`Package::decided`], or a file that is not UTF-8.
    pub fn decided_text(&self, part: Part, expected: &Digest) -> Result<String, Error> {
        self.text(part).and_then(|text| self.compared(part, expected, text))
    }

    fn compared<T: AsRef<[u8]>>(&self, part: Part, expected: &Digest, content: T) -> Result<T, Error> {
        if Digest::of(content.as_ref()) == *expected {
            return Ok(content);
        }
        Err(Error::integrity(OtherContent(self.path(part))))
    }

    /// Puts a file in its place, whole or not at all.
    ///
    /// # Errors
    /// A full or failing disk.
    pub fn keep(&self, part: Part, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path(part);
        durable::replace(&path, bytes, 0o600).map_err(Error::io(&path))
    }
}
