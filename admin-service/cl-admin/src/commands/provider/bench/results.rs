//! The rows of the table, and the file that keeps them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::error::Error;
use base::folders::READABLE_FILE;
use builder::workers::TrialRun;
use ledger::Recommendation;
use ledger::ticket::Ticket;
use models::Usage;
use models::config::ProviderConfig;
use serde::{Deserialize, Serialize};
use shared_types::id::SkillName;
use shared_types::text;

use super::wishes::Wish;

/// Why results cannot be gone on with.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{} does not hold results of a bench: {why}; name another file", .path.display())]
    NoResults { path: PathBuf, why: serde_json::Error },
    #[error("{} holds results of {found}, not of {wanted}; name another file", .path.display())]
    OtherModel { path: PathBuf, found: String, wanted: String },
}

/// What stands above the columns.
pub(super) const HEAD: &str =
    " #  wish           review    right  recommends           attempts  tokens in/out   seconds";

/// What came of one wish.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    wish: SkillName,
    /// Whether a package came as far as a person's review.
    reached_review: bool,
    /// How many of the inputs that the model was not shown were answered rightly.
    right: usize,
    /// Of how many.
    of: usize,
    /// What the review would have shown.
    recommendation: Option<Recommendation>,
    /// How often a model wrote.
    attempts: usize,
    /// Tokens read and written: the server's figure, or an estimate from the bytes.
    tokens: u64,
    /// The server's own two figures, where it told both for each attempt.
    tokens_read: Option<u64>,
    tokens_written: Option<u64>,
    /// From the wish to the last answer, in seconds.
    seconds: u64,
    /// Why no package came to the review.
    why: Option<String>,
    /// When, in RFC 3339.
    at: String,
}

impl Row {
    /// The row of a wish that has ended; `told` is what the server said that each attempt cost.
    pub(super) fn of(
        wish: &Wish,
        ticket: &Ticket,
        runs: &[TrialRun],
        told: Vec<Option<Usage>>,
        time: Duration,
    ) -> Row {
        let right = runs.iter().filter(|run| run.passed && is_right(&run.answer, &run.expect)).count();
        let told: Option<Vec<Usage>> = told.into_iter().collect();
        let review = ticket.review();
        Row {
            wish: wish.name.clone(),
            reached_review: review.is_some(),
            right,
            of: wish.unseen.len(),
            recommendation: review.map(|review| review.recommendation),
            attempts: ticket.attempts().len(),
            tokens: ticket.spent().tokens,
            tokens_read: told.as_ref().map(|all| all.iter().map(|usage| usage.input).sum()),
            tokens_written: told.as_ref().map(|all| all.iter().map(|usage| usage.output).sum()),
            seconds: time.as_secs(),
            why: review
                .is_none()
                .then(|| text::cut(ticket.last_reason().unwrap_or_default(), LONGEST_REASON)),
            at: base::clock::now(),
        }
    }

    /// The line of the table.
    pub(super) fn line(&self, number: usize) -> String {
        let review = if self.reached_review { "reached" } else { "no" };
        let recommends = self.recommendation.map_or("-", Recommendation::as_str);
        let tokens = tokens(self.tokens, self.tokens_read, self.tokens_written);
        let line = format!(
            "{number:2}  {:<14} {review:<9} {} of {} {recommends:<20} {:>8}  {tokens:>13}  {:>8}",
            self.wish, self.right, self.of, self.attempts, self.seconds
        );
        match &self.why {
            Some(why) => format!("{line}\n    {}", text::line(why)),
            None => line,
        }
    }

    fn is_right(&self) -> bool {
        self.right == self.of
    }
}

/// The sum of the rows.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Total {
    wishes: usize,
    reached_review: usize,
    /// Wishes of which each unseen input was answered rightly.
    right: usize,
    /// Wishes that the review recommends and that answered an unseen input wrongly.
    approved_and_wrong: usize,
    attempts: usize,
    tokens: u64,
    tokens_read: Option<u64>,
    tokens_written: Option<u64>,
    seconds: u64,
}

impl Total {
    /// The last line of the table.
    pub(super) fn line(&self) -> String {
        format!(
            "{} of {} came to the review, {} answered every unseen input rightly, {} with APPROVE did not; {} attempts, \
             tokens in/out {}, {} s",
            self.reached_review,
            self.wishes,
            self.right,
            self.approved_and_wrong,
            self.attempts,
            tokens(self.tokens, self.tokens_read, self.tokens_written),
            self.seconds
        )
    }
}

/// Both figures of the server, or the sum, marked as the estimate that it is.
fn tokens(all: u64, read: Option<u64>, written: Option<u64>) -> String {
    match (read, written) {
        (Some(read), Some(written)) => format!("{read}/{written}"),
        _ => format!("~{all}"),
    }
}

/// Whether an answer holds what was expected as a word of its own: not as a part of a longer word or number.
pub(super) fn is_right(answer: &str, expect: &str) -> bool {
    let joins = |sign: Option<char>, next: Option<char>| match sign {
        Some('.' | ',' | ':') => next.is_some_and(|c| c.is_ascii_digit()),
        Some(sign) => sign.is_alphanumeric() || matches!(sign, '-' | '_' | '+' | '=' | '/'),
        None => false,
    };
    answer.match_indices(expect).any(|(at, found)| {
        let mut before = answer[..at].chars().rev();
        let mut after = answer[at + found.len()..].chars();
        !joins(before.next(), before.next()) && !joins(after.next(), after.next())
    })
}

/// The rows so far, and the file that keeps them.
pub(super) struct Results {
    file: Option<PathBuf>,
    kept: Kept,
}

/// What stands in the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    provider: String,
    model: Option<String>,
    rows: Vec<Row>,
}

impl Results {
    /// Takes what a file holds; one that is not there is made with the first row.
    ///
    /// # Errors
    /// A file of something else, or of another provider or model.
    pub(super) fn open(file: Option<&Path>, provider: &ProviderConfig) -> Result<Results, Error> {
        let empty = Kept { provider: provider.name.clone(), model: provider.model.clone(), rows: Vec::new() };
        let Some(file) = file else { return Ok(Results { file: None, kept: empty }) };
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Results { file: Some(file.to_owned()), kept: empty });
            }
            Err(e) => return Err(Error::io(file)(e)),
        };
        let kept: Kept = serde_json::from_str(&text)
            .map_err(|e| Error::usage(Fault::NoResults { path: file.to_owned(), why: e }))?;
        if (&kept.provider, &kept.model) != (&empty.provider, &empty.model) {
            let of = |kept: &Kept| {
                text::cut(&format!("{} with {}", kept.provider, kept.model.as_deref().unwrap_or("-")), 120)
            };
            let (found, wanted) = (of(&kept), of(&empty));
            return Err(Error::usage(Fault::OtherModel { path: file.to_owned(), found, wanted }));
        }
        Ok(Results { file: Some(file.to_owned()), kept })
    }

    /// The row of a wish, if there is one.
    pub(super) fn row(&self, wish: &Wish) -> Option<&Row> {
        self.kept.rows.iter().find(|row| row.wish == wish.name)
    }

    /// Adds a row, and writes the file whole.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn keep(&mut self, row: Row) -> Result<(), Error> {
        self.kept.rows.push(row);
        let Some(file) = &self.file else { return Ok(()) };
        let text = shared_types::json::pretty(&self.kept);
        durable::replace(file, format!("{text}\n").as_bytes(), READABLE_FILE).map_err(Error::io(file))
    }

    /// The tokens of the rows that were made today (UTC).
    pub(super) fn tokens_today(&self) -> u64 {
        let today = base::clock::now();
        let is_today = |row: &&Row| row.at.get(..DAY) == today.get(..DAY);
        self.kept.rows.iter().filter(is_today).map(|row| row.tokens).sum()
    }

    /// The sum of these wishes' rows.
    pub(super) fn total(&self, wishes: &[Wish]) -> Total {
        let rows: Vec<&Row> = wishes.iter().filter_map(|wish| self.row(wish)).collect();
        let wrong = |row: &&&Row| row.recommendation == Some(Recommendation::Approve) && !row.is_right();
        Total {
            wishes: rows.len(),
            reached_review: rows.iter().filter(|row| row.reached_review).count(),
            right: rows.iter().filter(|row| row.is_right()).count(),
            approved_and_wrong: rows.iter().filter(wrong).count(),
            attempts: rows.iter().map(|row| row.attempts).sum(),
            tokens: rows.iter().map(|row| row.tokens).sum(),
            tokens_read: rows.iter().map(|row| row.tokens_read).sum(),
            tokens_written: rows.iter().map(|row| row.tokens_written).sum(),
            seconds: rows.iter().map(|row| row.seconds).sum(),
        }
    }
}

/// The length of a day's date in RFC 3339.
const DAY: usize = 10;
/// The most of a reason that is kept, in characters.
const LONGEST_REASON: usize = 300;

#[cfg(test)]
mod tests;
