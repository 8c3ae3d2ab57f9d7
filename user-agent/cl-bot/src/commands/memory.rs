//! `cl-bot memory`: what is remembered.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use bot_base::error::{Error, say};
use bot_base::output::{self, Output};
use clap::{Args, Subcommand};
use memory::{Fact, Kind, Recall, Record, Store, Summary, Turn};
use ports::KernelContext;
use ports::handles::{self, HandleError, MemoryWrite};
use serde_json::{Value, json};
use shared_types::memory::Keep;
use shared_types::{exit, text};
use skills::memory::correct::{NotCorrected, correct};

use super::Format;
use crate::start::Options;
use crate::start::mind::{self, Purpose, become_mind};

/// What can be done with the memory.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List facts and preferences, oldest first, and conversations, newest first
    List(List),
    /// List the facts and messages that words are about, the most relevant first
    Search {
        /// The words
        #[arg(required = true)]
        words: Vec<String>,
        /// How many of each at most
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
        /// What is listed, and how
        #[command(flatten)]
        list: List,
    },
    /// Show one fact with where it comes from, or one conversation
    Show {
        /// The identifier
        id: String,
        /// How it is printed
        #[command(flatten)]
        format: Format,
    },
    /// Forget one fact, or one conversation
    Forget {
        /// The identifier
        id: String,
    },
    /// Put other words in the place of one fact
    Correct {
        /// The identifier
        id: String,
        /// The words, at most 500 bytes
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Forget every fact, conversation and reminder
    Clear {
        /// Do it: without this nothing happens
        #[arg(long)]
        yes: bool,
    },
    /// Count or remove now what is older than the profile's period
    ///
    /// `cl-admin memory keep 90d` sets the period. The bot also removes automatically, at the start of a chat and once a day.
    #[command(group = clap::ArgGroup::new("deed").required(true))]
    Prune {
        /// Count what would be removed
        #[arg(long, group = "deed")]
        dry_run: bool,
        /// Remove it for good
        #[arg(long, group = "deed")]
        yes: bool,
        /// Count for another period than the profile's
        #[arg(long, value_name = "PERIOD", requires = "dry_run")]
        keep: Option<Keep>,
    },
    /// Print every fact and every message, one JSON value a line
    Export,
    /// Take what `export` printed; what is there already stays as it is
    Import {
        /// The file, or `-` for standard input
        #[arg(value_name = "FILE", default_value = "-")]
        file: PathBuf,
    },
}

/// What is listed, and how.
#[derive(Debug, Clone, Copy, Args)]
pub struct List {
    /// Facts and preferences alone
    #[arg(long, conflicts_with = "conversations")]
    facts: bool,
    /// Conversations alone
    #[arg(long)]
    conversations: bool,
    #[command(flatten)]
    format: Format,
}

/// Why the verb did nothing, or not all.
#[derive(Debug, thiserror::Error)]
enum Undone {
    /// The skill is switched off.
    #[error("the skill `memory` is not active")]
    Inactive,
    /// The skill may not.
    #[error(transparent)]
    NotGranted(#[from] HandleError),
    /// The memory cannot do it.
    #[error(transparent)]
    Memory(#[from] memory::Error),
    /// The fact stays as it is.
    #[error(transparent)]
    Correction(#[from] NotCorrected),
    /// The memory took a part.
    #[error("{0}; what was taken before stays, and the same import can be run again")]
    Import(memory::Error),
}

/// Does it.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Clear { yes: false } => {
            say(&format!(
                "this would forget every fact, conversation and reminder of the profile `{}`; the records of skills stay",
                options.profile
            ));
            say("hint: `cl-bot memory export > FILE` keeps a copy; `cl-bot memory clear --yes` does it");
            return Ok(exit::USAGE);
        }
        Verb::Import { file } if file != Path::new("-") => as_input(file)?,
        _ => {}
    }
    if let Verb::Prune { dry_run, keep, .. } = verb {
        return prune(options, *dry_run, *keep);
    }
    let (kernel, warnings) = become_mind(options, Purpose::default())?;
    warnings.iter().for_each(|warning| say(warning));
    let ctx = kernel.context_of("memory");
    let done = ctx.as_ref().ok_or(Undone::Inactive).and_then(|ctx| act(verb, ctx));
    Ok(done.unwrap_or_else(|why| {
        say(&why.to_string());
        exit::FAILED
    }))
}

/// Counts or removes what is older than the profile's period, or than the one that is asked about.
fn prune(options: &Options, dry_run: bool, keep: Option<Keep>) -> Result<u8, Error> {
    let (retention, warnings) = mind::retention(options, keep)?;
    warnings.iter().for_each(|warning| say(warning));
    let Some(retention) = retention else {
        say("what is remembered is kept forever");
        say(&format!("hint: `cl-admin memory keep 90d --profile {}` sets a period", options.profile));
        return Ok(exit::FAILED);
    };
    let before = retention.oldest();
    let done = if dry_run { retention.count(before) } else { retention.remove(before) };
    let aged = match done {
        Ok(aged) => aged,
        Err(why) => {
            say(&why.to_string());
            return Ok(exit::FAILED);
        }
    };
    let deed = if dry_run { "would be removed" } else { "removed" };
    say(&format!(
        "{} facts and {} messages of before {before:.0} ({}) {deed}",
        aged.facts,
        aged.messages,
        retention.period()
    ));
    if aged.undated > 0 {
        say(&format!("{} records without a time stay; `memory forget ID` removes one", aged.undated));
    }
    Ok(exit::DONE)
}

fn act(verb: &Verb, ctx: &KernelContext) -> Result<u8, Undone> {
    let memory = ctx.handles().recall()?;
    let writer = || ctx.handles().store();
    Ok(match verb {
        Verb::List(list) => listed(list, None, usize::MAX, memory)?,
        Verb::Search { words, limit, list } => listed(list, Some(&words.join(" ")), *limit, memory)?,
        Verb::Show { id, format } => show(id, *format, memory)?,
        Verb::Forget { id } => forget(id, memory, writer()?, &ctx.shared().timestamp())?,
        Verb::Correct { id, words } => match correct(id, &words.join(" "), ctx) {
            Ok(fact) => {
                say(&format!("corrected: {}", text::line(&fact.text)));
                exit::DONE
            }
            Err(NotCorrected::Unknown) => unknown(id, memory)?,
            Err(NotCorrected::InNeed(help)) => {
                super::print(&help);
                exit::FAILED
            }
            Err(why) => return Err(why.into()),
        },
        Verb::Clear { .. } => {
            let writer = writer()?;
            handles::forget_lines(ctx.shared())?;
            let forget = |write: &MemoryWrite| write.forget_reminders(ctx.shared());
            let reminded = ctx.handles().memory_write().map_or(Ok(false), forget)?;
            writer.clear()?;
            say(match reminded {
                true => "everything is forgotten, and every reminder is cancelled",
                false => "everything is forgotten",
            });
            exit::DONE
        }
        Verb::Prune { .. } => unreachable!("it needs no kernel"),
        Verb::Export => export(memory)?,
        Verb::Import { .. } => import(writer()?).map_err(Undone::Import)?,
    })
}

fn listed(list: &List, query: Option<&str>, limit: usize, memory: &dyn Recall) -> Result<u8, memory::Error> {
    let facts = match query {
        _ if list.conversations => vec![],
        None => memory.facts(limit)?,
        Some(query) => memory.search_facts(query, limit)?,
    };
    let conversations = match query {
        _ if list.facts => vec![],
        None => memory.conversations(limit)?.iter().map(conversation_row).collect(),
        Some(query) => {
            let turns = memory.search_turns(query, limit)?;
            // A line that a listed fact repeats tells nothing new.
            let is_new = |turn: &&Turn| !facts.iter().any(|fact| turn.content.contains(&fact.text));
            turns.iter().filter(is_new).map(turn_row).collect()
        }
    };
    let of_kind = |kind| facts.iter().filter(|fact| fact.kind == kind).map(fact_row).collect();
    let groups: [(&str, Vec<(Value, String)>); 3] = [
        ("facts", of_kind(Kind::Fact)),
        ("preferences", of_kind(Kind::Preference)),
        ("conversations", conversations),
    ];
    if groups.iter().all(|(_, rows)| rows.is_empty()) && !list.format.json {
        say("nothing");
    }
    for (name, rows) in groups.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        if !list.format.json {
            super::print(&format!("{name}:"));
        }
        for (json, line) in rows {
            super::print(&if list.format.json { shared_types::json::line(&json) } else { line });
        }
    }
    Ok(exit::DONE)
}

fn fact_row(fact: &Fact) -> (Value, String) {
    let line = format!("{}  {}  {}", text::line(&fact.id), text::line(&fact.at), text::line(&fact.text));
    (json!(fact), line)
}

fn conversation_row(one: &Summary) -> (Value, String) {
    (json!(one), format!("{}  {}  {}", text::line(&one.id), text::line(&one.at), brief(&one.first)))
}

fn turn_row(turn: &Turn) -> (Value, String) {
    let (id, role) = (text::line(&turn.conversation_id), text::line(&turn.role));
    (json!(turn), format!("{id}  {}  {role}: {}", text::line(&turn.timestamp), brief(&turn.content)))
}

/// A line of a list ends at a terminal's width or a little later.
fn brief(content: &str) -> String {
    text::cut(&text::line(content), 120)
}

fn show(id: &str, format: Format, memory: &dyn Recall) -> Result<u8, memory::Error> {
    let records = memory.show(id)?;
    for record in &records {
        if format.json {
            super::print_json(&record);
            continue;
        }
        match record {
            Record::Fact(fact) => fact_in_full(fact),
            Record::Turn(turn) => super::print(&format!(
                "{} {}: {}",
                text::line(&turn.timestamp),
                text::line(&turn.role),
                text::block(&turn.content)
            )),
        }
    }
    if records.is_empty() { unknown(id, memory) } else { Ok(exit::DONE) }
}

fn fact_in_full(fact: &Fact) {
    let mut rows = vec![
        ("fact", fact.text.clone()),
        ("id", fact.id.clone()),
        ("kind", format!("{:?}", fact.kind).to_lowercase()),
        ("said by", fact.said_by.clone()),
        ("at", fact.at.clone()),
        ("kept by", fact.source.clone()),
    ];
    let optional = [
        ("found by", &fact.extracted_by),
        ("conversation", &fact.conversation_id),
        ("turn", &fact.turn_id),
        ("about", &fact.about),
        ("in place of", &fact.replaces),
    ];
    rows.extend(optional.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))));
    rows.extend(fact.confidence.map(|c| ("sure", format!("{:.0} %", c * 100.0))));
    if fact.outside {
        rows.push(("from", "outside content, not the person".to_owned()));
    }
    for (name, value) in rows.into_iter().filter(|(_, value)| !value.is_empty()) {
        super::print(&format!("{name:<13} {}", text::line(&value)));
    }
}

fn forget(id: &str, memory: &dyn Recall, writer: &dyn Store, at: &str) -> Result<u8, memory::Error> {
    match writer.forget(id, at)? {
        true => {
            say("forgotten");
            Ok(exit::DONE)
        }
        false => unknown(id, memory),
    }
}

/// Says that the identifier does not exist, and which one comes nearest.
fn unknown(id: &str, memory: &dyn Recall) -> Result<u8, memory::Error> {
    /// How many of the newest are compared.
    const NEWEST: usize = 500;
    let facts = memory.facts(NEWEST)?;
    let conversations = memory.conversations(NEWEST)?;
    let known = facts.into_iter().map(|f| (f.id, f.text));
    let known = known.chain(conversations.into_iter().map(|c| (c.id, c.first)));
    let shared = |other: &str| {
        let ends = id.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a == b).count();
        id.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count().max(ends)
    };
    // Identifiers of one day begin alike, so half of it must agree.
    let nearest =
        known.max_by_key(|(other, _)| shared(other)).filter(|(other, _)| shared(other) * 2 > id.len());
    say(&format!("nothing is remembered under `{}`", text::cut(&text::line(id), 80)));
    match nearest {
        Some((id, what)) => say(&format!("hint: the nearest is {}: {}", text::line(&id), brief(&what))),
        None => {
            say("hint: `cl-bot memory list` and `cl-bot memory list --conversations` show the identifiers")
        }
    }
    Ok(exit::FAILED)
}

fn export(memory: &dyn Recall) -> Result<u8, memory::Error> {
    let mut out = Escaping { line: vec![], to: BufWriter::new(Output) };
    match memory.export(&mut out) {
        Ok(count) => {
            say(&format!("{count} records"));
            Ok(exit::DONE)
        }
        // A reader that has gone away, as `head` does, has what it wanted.
        Err(memory::Error::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
            let (_, rest) = out.to.into_parts();
            drop(rest);
            Ok(exit::DONE)
        }
        Err(error) => {
            let _ = out.flush();
            // The end of the program tells that it was standard output and not the memory.
            if output::failure().is_some() { Ok(exit::FAILED) } else { Err(error) }
        }
    }
}

/// Writes lines of JSON on, with the escapes of every JSON that this program prints.
struct Escaping<W> {
    line: Vec<u8>,
    to: W,
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            let whole: Vec<u8> = self.line.drain(..=end).collect();
            self.to.write_all(shared_types::json::escaped(&String::from_utf8_lossy(&whole)).as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn import(memory: &dyn Store) -> Result<u8, memory::Error> {
    let imported = memory.import(&mut BufReader::new(io::stdin().lock()))?;
    for (line, why) in &imported.first_bad {
        say(&format!("line {line} is passed over: {}", text::cut(&text::line(why), 200)));
    }
    let unnamed = imported.bad - imported.first_bad.len() as u64;
    if unnamed > 0 {
        say(&format!("{unnamed} more lines are passed over"));
    }
    say(&format!("{} taken, {} known already, {} passed over", imported.taken, imported.known, imported.bad));
    Ok(if imported.bad == 0 { exit::DONE } else { exit::FAILED })
}

/// Makes a file the standard input, which is all that confinement leaves open.
fn as_input(path: &Path) -> Result<(), Error> {
    #[expect(clippy::disallowed_methods, reason = "named on the command line, opened before confinement")]
    let file = File::open(path).map_err(Error::io(path))?;
    if file.metadata().map_err(Error::io(path))?.is_dir() {
        let why = io::Error::other("a folder; a file that `memory export` wrote is wanted");
        return Err(Error::Io { path: path.to_owned(), source: why });
    }
    nix::unistd::dup2_stdin(file).map_err(|errno| Error::Io { path: path.to_owned(), source: errno.into() })
}
