//! What runs: the argument vectors of a line as they are kept, signed, shown and handed to the child.

use policy::shell::{self, Join, Line, ParseFault, RedirectKind};
use serde::{Deserialize, Serialize};
use shared_types::id::Digest;

/// The programs of a line, in order; only what is in here is ever started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub pipelines: Vec<Pipeline>,
}

/// Programs that feed each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// When it runs.
    pub when: When,
    pub programs: Vec<Program>,
}

/// When a pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// In any case.
    Always,
    /// If what ran before did well.
    Success,
    /// If what ran before failed.
    Failure,
}

/// One program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its name and arguments.
    pub words: Vec<Word>,
    /// Where its streams lead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub streams: Vec<Stream>,
}

/// A name or an argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Word {
    pub text: String,
    /// Whether it is a pattern of file names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub glob: bool,
}

/// A stream that leads elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Stream {
    /// Standard input from a file.
    From(String),
    /// Standard output (1) or standard error (2) into a file, made anew.
    Into(u8, String),
    /// The same, added to its end.
    Onto(u8, String),
    /// Standard error where standard output goes.
    Joined,
}

/// A stream that no command here has.
#[derive(Debug, thiserror::Error)]
#[error("the stream {0} cannot be led elsewhere; only 0 (in), 1 (out) and 2 (errors)")]
pub struct UnknownStream(u8);

/// Why no plan can be made of a command line.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It is not taken.
    #[error(transparent)]
    Parse(#[from] ParseFault),
    /// It leads a stream elsewhere that it does not have.
    #[error(transparent)]
    Stream(#[from] UnknownStream),
}

impl Plan {
    /// The plan of a line as it was written.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn read(line: &str) -> Result<Plan, PlanError> {
        Ok(Plan::of(&shell::parse(line)?)?)
    }

    /// The plan of a parsed line.
    ///
    /// # Errors
    /// A stream with another number than 0, 1 and 2.
    pub fn of(line: &Line) -> Result<Plan, UnknownStream> {
        let pipeline = |p: &shell::Pipeline| {
            let when = match p.joined {
                Join::First | Join::Then => When::Always,
                Join::And => When::Success,
                Join::Or => When::Failure,
            };
            let programs = p.commands.iter().map(program).collect::<Result<_, _>>()?;
            Ok(Pipeline { when, programs })
        };
        Ok(Plan { pipelines: line.pipelines.iter().map(pipeline).collect::<Result<_, _>>()? })
    }

    /// Every program, in order.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        self.pipelines.iter().flat_map(|p| &p.programs)
    }

    /// SHA-256 of its canonical form: two plans with the same one run the same.
    pub fn digest(&self) -> Digest {
        // Texts, lists and numbers only: there is nothing in it that could not be written.
        Digest::of(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    /// One line a program, each with what joins it to the one before; every argument is quoted so that it cannot be
    /// mistaken for two, or for something else.
    pub fn shown(&self) -> Vec<String> {
        let mut lines = vec![];
        for (at, pipeline) in self.pipelines.iter().enumerate() {
            for (place, program) in pipeline.programs.iter().enumerate() {
                let sign = match (place, at, pipeline.when) {
                    (1.., ..) => "|  ",
                    (_, 0, _) => "   ",
                    (_, _, When::Always) => ";  ",
                    (_, _, When::Success) => "&& ",
                    (_, _, When::Failure) => "|| ",
                };
                lines.push(format!("{sign}{}", program.shown()));
            }
        }
        lines
    }
}

impl Program {
    /// Its words and streams, quoted.
    pub fn shown(&self) -> String {
        let mut parts: Vec<String> = self.words.iter().map(Word::shown).collect();
        parts.extend(self.streams.iter().map(|stream| match stream {
            Stream::From(path) => format!("< {}", quoted(path)),
            Stream::Into(fd, path) => format!("{fd}> {}", quoted(path)),
            Stream::Onto(fd, path) => format!("{fd}>> {}", quoted(path)),
            Stream::Joined => "2>&1".to_owned(),
        }));
        parts.join(" ")
    }
}

impl Word {
    fn shown(&self) -> String {
        if self.glob { format!("{} (pattern)", quoted(&self.text)) } else { quoted(&self.text) }
    }
}

/// A text between quotation marks, unless it is made of harmless characters only. Anything that could pass for something
/// else is written as its number, every character beyond ASCII too.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let mut shown = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => shown.extend(['\\', c]),
            ' '..='~' => shown.push(c),
            c if c.is_alphabetic() && !shared_types::text::is_unsafe(c) => {
                // Shown, and said to be what it is: a letter of another script can look like a plain one.
                shown.push(c);
                shown.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => shown.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    shown.push('"');
    shown
}

fn program(command: &shell::Command) -> Result<Program, UnknownStream> {
    let globs = command.globs.iter().copied().chain(std::iter::repeat(false));
    let words =
        command.argv.iter().zip(globs).map(|(text, glob)| Word { text: text.clone(), glob }).collect();
    let stream = |r: &shell::Redirect| match (r.kind, r.fd) {
        (RedirectKind::In, 0) => Ok(Stream::From(r.path.clone())),
        (RedirectKind::Out, fd @ 1..=2) => Ok(Stream::Into(fd, r.path.clone())),
        (RedirectKind::Append, fd @ 1..=2) => Ok(Stream::Onto(fd, r.path.clone())),
        (RedirectKind::ErrToOut, _) => Ok(Stream::Joined),
        (_, fd) => Err(UnknownStream(fd)),
    };
    Ok(Program { words, streams: command.redirects.iter().map(stream).collect::<Result<_, _>>()? })
}

#[cfg(test)]
mod tests;
