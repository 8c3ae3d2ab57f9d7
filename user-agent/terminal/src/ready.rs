//! Which proposals wait for an approver, or for a service that does not run, and which reminders are due: said once between two
//! prompts or after an answer over HTTP. What waits for an approver is said when leaving, too.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use language::fill;
use ports::{KernelContext, guard};
use shared_types::id::ProposalId;
use shared_types::message::{Answer, Command, ProposalRow};
use shared_types::proposal::Kind;
use shared_types::status::Status;

use super::tongue::says;

/// How often the proposals are looked at while one of them is on its way.
const EVERY: Duration = Duration::from_secs(3);
/// A service that runs has looked at a proposal within this time.
const PATIENCE: SignedDuration = SignedDuration::from_secs(10);
/// How often the reminders are looked at, where none is due before: another conversation may have set one.
const REMINDERS: Duration = Duration::from_secs(30);
/// The most sentences at once.
const MOST: usize = 3;

/// What was said already, and when to look again.
pub struct Ready {
    told: BTreeSet<(ProposalId, bool)>,
    next: Option<Instant>,
    /// When the person began to be here, in seconds since 1970.
    since: i64,
    /// When to look at the reminders again, by the clock of the day and by one that never jumps.
    due: (i64, Instant),
    /// Why the reminders cannot be used, as it was said last.
    unread: Option<String>,
}

impl Default for Ready {
    fn default() -> Ready {
        let (now, since) = (Instant::now(), Timestamp::now().as_second());
        Ready { told: BTreeSet::new(), next: Some(now), since, due: (since, now), unread: None }
    }
}

impl Ready {
    /// A line was read: it may have asked for something.
    pub fn look_again(&mut self) {
        self.next = Some(Instant::now());
        self.due.1 = Instant::now();
    }

    /// The reminders that are due. The file is read when one is, and now and then.
    pub fn reminders(&mut self, ctx: &KernelContext) -> Vec<String> {
        if Timestamp::now().as_second() < self.due.0 && Instant::now() < self.due.1 {
            return vec![];
        }
        let (mut told, unread, next) = match ctx.ask(Command::Due { since: self.since }) {
            Some(Answer::Due { told, unread, next }) => (told, unread, next),
            _ => (vec![], None, None),
        };
        if unread != self.unread {
            told.extend(unread.clone());
            self.unread = unread;
        }
        self.due = (next.unwrap_or(i64::MAX), Instant::now() + REMINDERS);
        told.iter().map(|sentence| guard::output(sentence)).collect()
    }

    /// What has become ready, or waits for a service, since the last look. As long as nothing is on its way nothing is read.
    pub fn look(&mut self, ctx: &KernelContext) -> Vec<String> {
        let mut said = self.reminders(ctx);
        said.extend(self.proposals(ctx));
        said
    }

    fn proposals(&mut self, ctx: &KernelContext) -> Vec<String> {
        // In quiet hours nothing is said of them; the first look afterwards says it.
        if self.next.is_none_or(|at| Instant::now() < at) || is_quiet(ctx) {
            return vec![];
        }
        let rows = rows(ctx);
        let on_its_way = |row: &ProposalRow| !row.status.is_settled() && row.status != Status::HumanReview;
        self.next = rows.iter().any(on_its_way).then(|| Instant::now() + EVERY);
        let mut said: Vec<String> = vec![];
        for row in &rows {
            if let Some(sentence) = sentence(row, ctx)
                && self.told.insert((row.id.clone(), row.status == Status::New))
            {
                said.push(sentence);
            }
        }
        said.truncate(MOST);
        said
    }
}

/// How many skills of the profile are ready for review.
pub fn count(ctx: &KernelContext) -> usize {
    rows(ctx).iter().filter(|row| row.status == Status::HumanReview).count()
}

/// What is left waiting, for somebody who leaves.
pub(super) fn left(ctx: &KernelContext) -> Vec<String> {
    if is_quiet(ctx) {
        return vec![];
    }
    let mut said: Vec<String> = rows(ctx).iter().filter_map(|row| sentence(row, ctx)).collect();
    said.truncate(MOST);
    said
}

fn is_quiet(ctx: &KernelContext) -> bool {
    ctx.shared().talk.quiet_until().is_some()
}

fn rows(ctx: &KernelContext) -> Vec<ProposalRow> {
    let Some(Answer::Proposals(rows)) = ctx.ask(Command::Proposals) else { return vec![] };
    rows.into_iter().filter(|row| row.kind == Kind::Skill).collect()
}

fn sentence(row: &ProposalRow, ctx: &KernelContext) -> Option<String> {
    let says = says(ctx);
    match row.status {
        Status::HumanReview => {
            let how = ctx.shared().session.how_reviewed(&row.id);
            Some(fill(says.ready, &[("name", row.name.as_str()), ("how", &how)]))
        }
        Status::New if row.waits_for.is_none() => {
            let asked: Timestamp = row.generated_at.parse().ok()?;
            let waited = Timestamp::now().duration_since(asked);
            (waited >= PATIENCE).then(|| fill(says.not_looked_at, &[("name", row.name.as_str())]))
        }
        _ => None,
    }
}
