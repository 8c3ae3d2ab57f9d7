//! `cl-admin list`

use serde_json::json;
use shared_types::home::Home;
use shared_types::status::Status;
use shared_types::text;

use crate::commands::out::outln;
use crate::error::Error;
use crate::journal::Book;

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

struct Row {
    id: String,
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
    if args.json {
        for row in &rows {
            outln!("{}", row.json());
        }
    } else if rows.is_empty() {
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
    }
    Ok(shared_types::exit::DONE)
}

fn rows(book: &Book) -> Vec<Row> {
    let mut rows: Vec<Row> = book
        .tickets()
        .map(|t| Row {
            id: t.id().to_string(),
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
        id: r.id.to_string(),
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
        outln!("{:36}  {name:width$}  {:14}  {waits}", row.id, row.status.as_str());
        if let Some(reason) = &row.reason {
            outln!("    {}", text::cut(reason, 160));
        }
    }
}
