//! `cl-bot guard`: what the guard says of a text, and why.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use bot_base::error::{Error, say};
use bot_base::paths::Folder;
use clap::{Args, Subcommand};
use confine::{FileRules, Limits, Role};
use guard::{Judge, Judgement, Source};
use serde::Serialize;
use serde_json::Value;
use shared_types::audience::Audience;
use shared_types::exit;
use shared_types::text;

use crate::start::{Options, home, read_config};

/// What can be done with the guard.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Judge each line of a file or of standard input, and say what was noticed
    ///
    /// A line that is a JSON object with `text` is judged by that text, and keeps its `id`. The words of
    /// `guard.blocked_words` count where a home with a configuration that can be read is found; without a home the shipped rules
    /// alone judge. What the guard says is advice: no right depends on it.
    Check(Check),
}

/// What is judged, and for whom.
#[derive(Debug, Args)]
pub struct Check {
    /// For whom: child, teen, adult or work
    #[arg(long, default_value = "adult")]
    audience: Audience,

    /// Where the text comes from: typed, tool, file, web or memory
    #[arg(long, default_value = "typed")]
    source: Source,

    /// Print one JSON object a line: id, verdict, score, rules
    #[arg(long)]
    json: bool,

    /// The file; `-` or nothing for standard input
    file: Option<PathBuf>,
}

/// The longest line that is judged whole, in bytes; of a longer one the beginning is judged.
const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// No file is opened once the check has begun; memory for a line, its copies and the tables.
const LIMITS: Limits = Limits {
    address_space: Some(1 << 30),
    cpu_seconds: None,
    file_size: None,
    open_files: Some(16),
    processes: None,
};

/// Judges.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    let Verb::Check(check) = verb;
    let words = blocked_words(options)?;
    let (path, input) = open(check.file.as_deref())?;
    confine::close_inherited(&input.as_ref().map(AsRawFd::as_raw_fd).into_iter().collect::<Vec<_>>());
    confine::wipe_environment(&[]);
    let _held = confine::confine(Role::Worker, &FileRules::default(), &LIMITS)?;
    let judge = Judge::new(check.audience, check.source).with_words(&words);
    let reader: Box<dyn Read> = match input {
        Some(file) => Box::new(file),
        None => Box::new(io::stdin()),
    };
    let told = judge_all(BufReader::new(reader), &judge, check.json, io::stdout().lock());
    match told {
        Ok(()) => Ok(exit::DONE),
        // A reader that has gone away is not a failure.
        Err(Trouble::Write(e)) if e.kind() == io::ErrorKind::BrokenPipe => Ok(exit::DONE),
        Err(Trouble::Write(source)) => Err(Error::System { what: "the result cannot be written", source }),
        Err(Trouble::Read(source)) => Err(Error::Io { path, source }),
    }
}

/// The words of the configuration; none without a home, unless the command line names one.
fn blocked_words(options: &Options) -> Result<Vec<String>, Error> {
    let home = match home::choose(options) {
        Err(Error::NoHome | Error::NotAHome(_)) if options.home.is_none() => return Ok(vec![]),
        chosen => chosen?,
    };
    Ok(read_config(&home, &Folder::root(&home.config())?)?.blocked_words)
}

/// Opens what is named; standard input has no file.
fn open(file: Option<&Path>) -> Result<(PathBuf, Option<File>), Error> {
    match file {
        Some(path) if path != Path::new("-") => {
            #[expect(
                clippy::disallowed_methods,
                reason = "a file that the command line names, opened before confinement"
            )]
            let file = File::open(path).map_err(Error::io(path))?;
            Ok((path.to_owned(), Some(file)))
        }
        _ => {
            if io::stdin().is_terminal() {
                say("reading lines from the terminal; Ctrl-D ends");
            }
            Ok((PathBuf::from("standard input"), None))
        }
    }
}

enum Trouble {
    Read(io::Error),
    Write(io::Error),
}

/// Judges line by line; only one line is held at a time.
fn judge_all(mut input: impl BufRead, judge: &Judge, json: bool, mut out: impl Write) -> Result<(), Trouble> {
    let mut line = Vec::new();
    let mut number = 0_u64;
    while next_line(&mut input, &mut line).map_err(Trouble::Read)? {
        number += 1;
        let text = String::from_utf8_lossy(&line);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            say(&format!("line {number} is not UTF-8; it is judged with its broken bytes replaced"));
        }
        let (id, text) = named(&text).unwrap_or_else(|| (Value::from(number), text.clone().into_owned()));
        let id = if id.is_null() { Value::from(number) } else { id };
        let row = match language::need(&text).filter(|_| judge.is_of_typed()) {
            Some(need) if json => row_json(&id, "help", 0.0, vec![need.kind.as_str()]),
            Some(need) => {
                row_for_people(&id, &text, "help", 0.0)
                    + &reason("speaks of a person in need", need.kind.as_str())
            }
            None => {
                let judgement = judge.judge(&text);
                if json { as_json(&id, &judgement) } else { for_people(&id, &text, &judgement) }
            }
        };
        writeln!(out, "{row}").map_err(Trouble::Write)?;
    }
    out.flush().map_err(Trouble::Write)
}

/// Reads the next line without its end; of a longer one than is judged the rest is thrown away.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        return Ok(true);
    }
    if read > LONGEST_LINE {
        input.skip_until(b'\n')?;
    }
    Ok(true)
}

/// The id and text of a line that is a JSON object with `text`.
fn named(line: &str) -> Option<(Value, String)> {
    if !line.trim_start().starts_with('{') {
        return None;
    }
    let mut object: Value = serde_json::from_slice(line.as_bytes()).ok()?;
    let text = object.get("text")?.as_str()?.to_owned();
    Some((object["id"].take(), text))
}

fn as_json(id: &Value, judgement: &Judgement) -> String {
    let rules = judgement.noticed.iter().map(|noticed| noticed.id).collect();
    row_json(id, judgement.verdict.as_str(), judgement.score, rules)
}

fn row_json(id: &Value, verdict: &str, score: f32, rules: Vec<&str>) -> String {
    #[derive(Serialize)]
    struct Row<'a> {
        id: &'a Value,
        verdict: &'a str,
        score: f64,
        rules: Vec<&'a str>,
    }
    // Two digits stay two digits.
    let score = (f64::from(score) * 100.0).round() / 100.0;
    shared_types::json::line(&Row { id, verdict, score, rules })
}

fn for_people(id: &Value, judged: &str, judgement: &Judgement) -> String {
    let reasons = judgement.noticed.iter().map(|noticed| reason(noticed.says, noticed.id));
    row_for_people(id, judged, judgement.verdict.as_str(), judgement.score) + &reasons.collect::<String>()
}

fn row_for_people(id: &Value, judged: &str, verdict: &str, score: f32) -> String {
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let (id, sure) = (text::cut(&id, 20), (score * 100.0).round());
    format!("{id:<6} {verdict:<8} {sure:>3} %  {}", text::cut(judged, 50))
}

/// A rule beneath its row.
fn reason(says: &str, rule: &str) -> String {
    format!("\n{:22}- {says} ({rule})", "")
}

#[cfg(test)]
mod tests;
