//! `cl-admin list`

use serde_json::json;
use shared_types::home::Home;
use shared_types::id::ProfileId;
use shared_types::status::{Status, Wait};
use shared_types::text;

use crate::commands::out::outln;
use crate::config::Config;
use crate::error::Error;
use crate::intake::waiting::{Waiting, waiting};
use crate::journal::Book;
use crate::pipeline::budget::FREES;
use crate::service::lock;

/// List the proposals with their status and what they wait for.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only those with this status
    #[arg(value_name = "STATUS", value_parser = ["new", "discovered", "implementation", "agent-review", "human-review", "accepted", "rejected", "removed"])]
    status: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// One line of the list; a file that nobody has looked at yet has no id.
struct Row {
    id: Option<String>,
    name: String,
    status: Status,
    waits_for: Option<&'static str>,
    profile: String,
    reason: Option<String>,
    recommendation: Option<String>,
}

/// Lists the proposals.
///
/// # Errors
/// A journal that cannot be read.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let book = Book::read(home)?;
    let wanted = |status: Status| args.status.as_deref().is_none_or(|s| s == status.as_str());
    let rows: Vec<Row> = rows(&book).into_iter().filter(|r| wanted(r.status)).collect();
    let waiting = if wanted(Status::New) { waiting(home, &book)? } else { vec![] };
    let why = why_files_wait(home, &book)?;
    if args.json {
        for row in rows.iter().chain(&files(&waiting, &why)) {
            outln!("{}", row.json());
        }
    } else if rows.is_empty() {
        if !waiting.is_empty() {
            tell_files(&waiting, &why);
            return Ok(shared_types::exit::DONE);
        }
        eprintln!(
            "no proposals{}",
            if args.status.is_some() {
                " with that status"
            } else {
                "; the chat writes one when it is asked to learn something"
            }
        );
    } else {
        print_table(&rows);
        tell_files(&waiting, &why);
    }
    Ok(shared_types::exit::DONE)
}

/// Why files lie there that nobody has looked at.
fn why_files_wait(home: &Home, book: &Book) -> Result<String, Error> {
    let (spent, most) = (book.spent_today().proposals, Config::read(home)?.budgets.proposals);
    Ok(if spent >= most {
        format!("today's budget of {most} proposals is spent; it is there again {FREES}")
    } else if lock::holder(home).is_none() {
        "no service runs; start it: cl-admin run".to_owned()
    } else {
        "they are looked at a few at a time".to_owned()
    })
}

/// The files as rows: they are new, and wait for room.
fn files(waiting: &[Waiting], why: &str) -> Vec<Row> {
    let row = |profile: &ProfileId, name: String| Row {
        id: None,
        name,
        status: Status::New,
        waits_for: Some(Wait::Room.as_str()),
        profile: profile.to_string(),
        reason: Some(why.to_owned()),
        recommendation: None,
    };
    let more = |w: &Waiting| w.more.then(|| row(&w.profile, "(more than these)".to_owned()));
    let of = |w: &Waiting| -> Vec<Row> {
        w.files.iter().map(|file| row(&w.profile, file.clone())).chain(more(w)).collect()
    };
    waiting.iter().flat_map(of).collect()
}

/// One line a profile about its files that wait.
fn tell_files(waiting: &[Waiting], why: &str) {
    for Waiting { profile, files, more } in waiting {
        let count = if *more { format!("more than {}", files.len()) } else { files.len().to_string() };
        let files = if count == "1" {
            "file of a proposal waits for its turn"
        } else {
            "files of proposals wait for their turn"
        };
        outln!("{count} {files} in the folder of `{profile}`: {why}");
    }
}

fn rows(book: &Book) -> Vec<Row> {
    let mut rows: Vec<Row> = book
        .tickets()
        .map(|t| Row {
            id: Some(t.id().to_string()),
            name: t.proposal().name.to_string(),
            status: t.status(),
            waits_for: t.waits_for().map(|w| w.as_str()),
            profile: t.taken().profile.to_string(),
            reason: if t.status() == Status::Rejected { t.last_reason() } else { t.waits_because() }
                .map(text::line),
            recommendation: t.review().map(|r| r.recommendation.clone()),
        })
        .collect();
    rows.extend(book.refused().iter().map(|r| Row {
        id: Some(r.id.to_string()),
        name: r.file.clone(),
        status: Status::Rejected,
        waits_for: None,
        profile: r.profile.to_string(),
        reason: Some(text::line(&r.faults.join("; "))),
        recommendation: None,
    }));
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows
}

impl Row {
    fn json(&self) -> serde_json::Value {
        json!({
            "id": self.id,
            "name": self.name,
            "status": self.status,
            "waits_for": self.waits_for,
            "profile": self.profile,
            "reason": self.reason,
            "recommendation": self.recommendation,
        })
    }
}

fn print_table(rows: &[Row]) {
    let width = rows.iter().map(|r| r.name.chars().count()).max().unwrap_or(4).clamp(4, 40);
    outln!("{:36}  {:width$}  {:14}  WAITS FOR", "ID", "NAME", "STATUS");
    for row in rows {
        let name = text::cut(&row.name, width);
        let waits = row.waits_for.unwrap_or("-");
        let id = row.id.as_deref().unwrap_or_default();
        outln!("{id:36}  {name:width$}  {:14}  {waits}", row.status.as_str());
        if let Some(reason) = &row.reason {
            outln!("    {}", text::cut(reason, 160));
        }
    }
}
