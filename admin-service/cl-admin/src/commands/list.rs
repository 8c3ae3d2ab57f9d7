//! `cl-admin list`

use base::config::Config;
use base::error::Error;
use base::home::{Home, profiles};
use base::lock;
use builder::workers;
use jiff::Timestamp;
use ledger::action_ticket::ActionTicket;
use ledger::judgement::Kept;
use ledger::ticket::Ticket;
use ledger::{Ledger, Recommendation};
use pipeline::budget::FREES;
use pipeline::intake::share::share;
use pipeline::intake::waiting::{Waiting, waiting};
use review::age::age;
use serde_json::json;
use shared_types::action::ActionResult;
use shared_types::id::ProfileId;
use shared_types::proposal::Kind;
use shared_types::status::{Status, Wait};
use shared_types::text;

use crate::commands::out::{self, outln};

/// A word that chooses no row.
#[derive(Debug, thiserror::Error)]
#[error("no proposal or status matches `{word}`; the statuses are {}", Status::ALL.map(Status::as_str).join(" "))]
struct Unknown {
    word: String,
}

/// The least characters of an id that are shown; more where that many are not enough to tell two apart.
const SHORTEST_ID: usize = 13;
/// The width of the column of names.
const NAME: usize = 16;
/// The most of a reason that is shown; `show` has all of it.
const REASON: usize = 140;

/// List the proposals: status, what each waits for, how long, how often it was asked for, what is recommended.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only those with this status, or only the one with this id, first characters of an id, or name
    #[arg(value_name = "STATUS|ID|NAME")]
    which: Option<String>,
    /// Those that were rejected, withdrawn or removed more than a day ago, too
    #[arg(long)]
    all: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// How long what has ended without being installed stays in the list, in seconds.
const RECENT: i64 = 24 * 3_600;

/// One line of the list; a file that nobody has looked at yet has an empty id.
struct Row {
    id: String,
    name: String,
    kind: Kind,
    status: Status,
    waits_for: Option<&'static str>,
    since: String,
    recurrence: u32,
    profile: String,
    reason: Option<String>,
    recommendation: Option<Recommendation>,
}

/// Lists the proposals.
///
/// # Errors
/// A journal that cannot be read, or a word that is neither a status nor a proposal.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    // On stderr, in every format: a list that is read by a program stays what it is.
    super::audit::warn(&ledger);
    let mut all = rows(&ledger);
    let waiting = waiting(home, &ledger)?;
    // Where no file waits nothing is tried.
    let lacks = if waiting.is_empty() { None } else { workers::walls().ok().and_then(|walls| walls.lacks) };
    let lacks = lacks.map(|lacks| lacks.to_string());
    let waiting: Vec<Queued> = waiting
        .into_iter()
        .map(|of_one| {
            let why = why_files_wait(home, &ledger, &of_one.profile, lacks.as_deref());
            (of_one, why)
        })
        .collect();
    all.extend(files(&waiting));
    let shown: Vec<&Row> = match &args.which {
        None if args.all => all.iter().collect(),
        None => all.iter().filter(|row| !row.is_old(Timestamp::now())).collect(),
        Some(word) => chosen(&all, word)?,
    };
    let hidden = if args.which.is_none() { all.len() - shown.len() } else { 0 };
    let (files, proposals): (Vec<&Row>, Vec<&Row>) = shown.iter().copied().partition(|r| r.id.is_empty());
    if args.json {
        for row in &shown {
            out::json(&row.json());
        }
    } else if proposals.is_empty() && !files.is_empty() {
        tell_files(&waiting);
    } else if shown.is_empty() && hidden == 0 {
        eprintln!(
            "no proposals{}",
            if args.which.is_some() {
                " with that status"
            } else {
                "; the chat writes one when it is asked to learn something"
            }
        );
    } else {
        for line in table(&proposals, id_width(&all), Timestamp::now()) {
            outln!("{line}");
        }
        if !files.is_empty() {
            tell_files(&waiting);
        }
    }
    if hidden > 0 && !args.json {
        eprintln!("{hidden} that ended more than a day ago are not shown; --all shows them");
    }
    Ok(shared_types::exit::DONE)
}

/// The rows that a word is about.
fn chosen<'a>(rows: &'a [Row], word: &str) -> Result<Vec<&'a Row>, Error> {
    if let Some(status) = Status::ALL.into_iter().find(|s| s.as_str() == word) {
        return Ok(rows.iter().filter(|r| r.status == status).collect());
    }
    let fits = |r: &&Row| r.name == word || (word.len() >= 8 && r.id.starts_with(word));
    let found: Vec<&Row> = rows.iter().filter(fits).collect();
    if found.is_empty() {
        return Err(Error::usage(Unknown { word: text::cut(word, 60) }));
    }
    Ok(found)
}

/// The files of one profile that wait, for what, and why.
type Queued = (Waiting, (Wait, String));

/// For what files of a profile wait that nobody has looked at, and why.
fn why_files_wait(home: &Home, ledger: &Ledger, profile: &ProfileId, lacks: Option<&str>) -> (Wait, String) {
    if let Some(lacks) = lacks {
        let why =
            format!("no child can be confined on this machine: {lacks}; `cl-admin doctor` says what to do");
        return (Wait::Compiler, why);
    }
    (Wait::Room, why_the_queue_waits(home, ledger, profile))
}

fn why_the_queue_waits(home: &Home, ledger: &Ledger, profile: &ProfileId) -> String {
    // A configuration with faults is reported by the service; the list still shows what there is.
    let budgets = Config::read(home).map(|config| config.budgets).ok();
    let sharing = profiles(home).map_or(1, |profiles| profiles.len());
    let looked = ledger.looked_today(profile);
    let spent = |looked: u64, budget: Option<u64>, of: &str| {
        let most = share(budget?, sharing);
        (looked >= most).then(|| format!("today's budget of {most} {of} is spent; it is there again {FREES}"))
    };
    let wishes = spent(looked.wishes, budgets.as_ref().map(|b| b.proposals), "proposals");
    let actions = || spent(looked.actions, budgets.as_ref().map(|b| b.actions), "actions");
    if let Some(why) = wishes.or_else(actions) {
        why
    } else if lock::holder(home).is_none() {
        "no service runs; start it: cl-admin run".to_owned()
    } else {
        "they are looked at a few at a time".to_owned()
    }
}

/// The files as rows: they are new, and wait.
fn files(waiting: &[Queued]) -> Vec<Row> {
    let row = |profile: &ProfileId, name: String, (wait, why): &(Wait, String)| Row {
        id: String::new(),
        name,
        kind: Kind::Skill,
        status: Status::New,
        waits_for: Some(wait.as_str()),
        since: String::new(),
        recurrence: 0,
        profile: profile.to_string(),
        reason: Some(why.clone()),
        recommendation: None,
    };
    let of = |(w, why): &Queued| -> Vec<Row> {
        let more = w.more.then(|| row(&w.profile, "(more than these)".to_owned(), why));
        w.files.iter().map(|file| row(&w.profile, file.clone(), why)).chain(more).collect()
    };
    waiting.iter().flat_map(of).collect()
}

/// One line a profile about its files that wait.
fn tell_files(waiting: &[Queued]) {
    for (Waiting { profile, files, more }, (_, why)) in waiting {
        let count = if *more { format!("more than {}", files.len()) } else { files.len().to_string() };
        let files = if count == "1" {
            "file of a proposal waits for its turn"
        } else {
            "files of proposals wait for their turn"
        };
        outln!("{count} {files} in the folder of `{profile}`: {why}");
    }
}

fn rows(ledger: &Ledger) -> Vec<Row> {
    let since = |t: &Ticket| t.history().last().map(|h| h.timestamp.clone()).unwrap_or_default();
    let mut rows: Vec<Row> = ledger
        .tickets()
        .map(|t| Row {
            id: t.id().to_string(),
            name: t.proposal().name.to_string(),
            kind: t.proposal().kind,
            status: t.status(),
            waits_for: t.waits_for().map(|w| w.as_str()),
            since: since(t),
            recurrence: t.recurrence(),
            profile: t.taken().profile.to_string(),
            reason: if t.status() == Status::Rejected { t.last_reason() } else { t.waits_because() }
                .map(text::line),
            recommendation: t.review().map(|r| r.recommendation),
        })
        .collect();
    rows.extend(ledger.cases().all().map(|c| Row {
        id: c.id().to_string(),
        name: c.taken().proposal.name.to_string(),
        kind: Kind::Action,
        status: c.status(),
        waits_for: c.waits_for().map(|w| w.as_str()),
        since: c.since().to_owned(),
        recurrence: 0,
        profile: c.taken().profile.to_string(),
        reason: what_came_of(c),
        recommendation: None,
    }));
    rows.extend(ledger.refused().iter().map(|r| Row {
        id: r.id.to_string(),
        name: r.file.clone(),
        kind: Kind::Skill,
        status: Status::Rejected,
        waits_for: None,
        since: r.at.clone(),
        recurrence: 0,
        profile: r.profile.to_string(),
        reason: Some(text::line(&r.faults.join("; "))),
        recommendation: None,
    }));
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows
}

/// Of an action: why it is where it stands, or how it ended.
fn what_came_of(case: &ActionTicket) -> Option<String> {
    match (case.status(), case.result()) {
        (_, Some(Kept::Here(ActionResult { ended: Some(ended), .. }))) => Some(text::line(ended)),
        (_, Some(Kept::Here(ActionResult { exit, .. }))) => {
            Some(format!("done: exit code {}", exit.unwrap_or_default()))
        }
        (_, Some(Kept::Beside(_))) => Some("done, with a long output: `cl-admin show` has it".to_owned()),
        (Status::Accepted, None) if case.is_due() => Some("it runs, or is about to".to_owned()),
        (_, None) => case.history().last().and_then(|step| step.reason.as_deref()).map(text::line),
    }
}

impl Row {
    fn json(&self) -> serde_json::Value {
        json!({
            "id": Some(&self.id).filter(|id| !id.is_empty()),
            "name": self.name,
            "kind": self.kind,
            "status": self.status,
            "waits_for": self.waits_for,
            "since": self.since,
            "recurrence": self.recurrence,
            "profile": self.profile,
            "reason": self.reason,
            "recommendation": self.recommendation,
        })
    }

    /// Whether it ended long ago, without anything being installed by it.
    fn is_old(&self, now: Timestamp) -> bool {
        let since = || self.since.parse::<Timestamp>().ok();
        matches!(self.status, Status::Rejected | Status::Removed)
            && since().is_some_and(|since| now.duration_since(since).as_secs() > RECENT)
    }

    /// What is recommended, as one word.
    fn advice(&self) -> &'static str {
        match self.recommendation {
            Some(Recommendation::Approve) => "approve",
            Some(Recommendation::ApproveWithNote) => "note",
            Some(Recommendation::Reject) => "REJECT",
            None => "-",
        }
    }
}

/// How many characters of each id tell all of them apart.
fn id_width(rows: &[Row]) -> usize {
    let alike = |a: &Row, b: &Row| a.id.bytes().zip(b.id.bytes()).take_while(|(a, b)| a == b).count();
    // Sorted by id, so only neighbours can share a long beginning.
    let longest = rows.windows(2).map(|pair| alike(&pair[0], &pair[1]) + 1).max().unwrap_or(0);
    longest.max(SHORTEST_ID)
}

/// The table, within 80 columns unless ids must be shown at length.
fn table(rows: &[&Row], id_width: usize, now: Timestamp) -> Vec<String> {
    let line = |id: &str, name: &str, status: &str, waits: &str, age: &str, asked: &str, advice: &str| {
        format!("{id:id_width$}  {name:NAME$}  {status:14}  {waits:8}  {age:>6} {asked:>5}  {advice}")
    };
    let mut lines = vec![line("ID", "NAME", "STATUS", "WAITS", "AGE", "ASKED", "ADVICE")];
    for row in rows {
        let id = row.id.get(..id_width).unwrap_or(&row.id);
        let asked = format!("{}x", u64::from(row.recurrence) + 1);
        let (waits, age) = (row.waits_for.unwrap_or("-"), age(&row.since, now));
        let name = text::line(&row.name);
        // A name that does not fit gets a line of its own rather than being cut.
        if name.chars().count() > NAME {
            lines.push(name);
            lines.push(line(id, "", row.status.as_str(), waits, &age, &asked, row.advice()));
        } else {
            lines.push(line(id, &name, row.status.as_str(), waits, &age, &asked, row.advice()));
        }
        if let Some(reason) = &row.reason {
            lines.extend(
                wrapped(&text::cut(reason, REASON), 76).into_iter().map(|part| format!("    {part}")),
            );
        }
    }
    lines
}

/// A line in pieces of at most `width` characters, at spaces where there are any.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        while !rest.is_empty() {
            let last = lines.last().map_or(0, |l| l.chars().count());
            let gap = usize::from(last > 0);
            if last + gap + rest.len() <= width || last == 0 {
                let fits = rest.len().min(width);
                let piece: String = rest.drain(..fits).collect();
                if let Some(line) = lines.last_mut() {
                    line.push_str(if gap == 1 { " " } else { "" });
                    line.push_str(&piece);
                }
            } else {
                lines.push(String::new());
            }
            if !rest.is_empty() && lines.last().is_some_and(|l| !l.is_empty()) {
                lines.push(String::new());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests;
