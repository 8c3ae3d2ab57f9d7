//! What is sent: nothing that a proposal's author wrote.

use base::config::PageAddress;
use serde_json::{Value, json};
use shared_types::capability::TokenSet;
use shared_types::id::{self, ProfileId, ProposalId};

/// More than this are counted and not listed.
const MOST_LISTED: usize = 20;

/// The kind of a notice about evidence that was tampered with.
pub(super) const ALARM: &str = "alarm";
/// The kind of a notice about a backup of the home that failed.
pub(super) const BACKUP: &str = "backup";
/// The kind of a notice about backups of the home that are not made at their times.
pub(super) const NO_BACKUP: &str = "no-backup";
/// The kind of a notice about a scheduled run that is over; its recommendation is [`DONE`], [`WAITS`] or [`FAILED`].
pub(super) const SCHEDULE: &str = "schedule";
/// The kind of a notice that a reminder is due.
pub(super) const REMINDER: &str = "reminder";
/// The kind of a notice that an account wrote to a messenger of the assistant that is not bound to a person.
pub(super) const STRANGER: &str = "unknown-sender";
/// The kind of a notice that the digest of a profile's week is ready.
pub(super) const WEEK: &str = "weekly-digest";
/// The outcomes of a scheduled run.
pub(super) const DONE: &str = "DONE";
pub(super) const WAITS: &str = "WAITS";
pub(super) const FAILED: &str = "FAILED";

/// The command that shows what came of scheduled runs.
const SCHEDULES: &str = "cl-admin schedule list";
/// What shows which account that was.
const UNKNOWN: &str = "the log of `cl-bot matrix` or `cl-bot telegram` names it";
/// The most titles that stand in one line.
const MOST_TITLES: usize = 3;

/// Something that asks for no decision.
pub(super) struct News {
    event: &'static str,
    title: String,
    /// The command that shows more.
    next: &'static str,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Digest {
    /// What waits and was not told yet.
    pub notices: Vec<Notice>,
    /// How many proposals and alarms wait in all, those told before included.
    pub waiting: usize,
    /// Whether this is a trial message that a person asked for.
    pub test: bool,
    /// Where the pages of the review are.
    pub page: Option<PageAddress>,
}

/// One proposal that waits for a person: facts of the program's own making.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The proposal.
    pub id: ProposalId,
    /// Its kind, such as `skill`.
    pub kind: String,
    /// The profile in whose folder it lay.
    pub profile: ProfileId,
    /// The tokens derived from the module; `None` when the report cannot be read.
    pub tokens: Option<TokenSet>,
    /// The program's recommendation.
    pub recommendation: String,
    /// What a reminder is about: for the notifier of the person whose reminder it is, and nobody else.
    pub words: Option<String>,
}

impl Notice {
    /// One about something that asks for no decision: `what` tells it from others of its kind.
    pub(super) fn about(kind: &str, profile: &ProfileId, what: &str, recommendation: &str) -> Notice {
        Notice {
            id: ProposalId::of(&id::Digest::of(format!("{kind} {profile} {what}").as_bytes())),
            kind: kind.to_owned(),
            profile: profile.clone(),
            tokens: Some(TokenSet::default()),
            recommendation: recommendation.to_owned(),
            words: None,
        }
    }

    /// What a message says of something that asks for no decision; nothing of any other notice.
    pub(super) fn news(&self) -> Option<News> {
        let (event, title, next) = match (self.kind.as_str(), self.recommendation.as_str()) {
            (BACKUP, _) => ("backup-failed", "the backup failed", "cl-admin status"),
            (NO_BACKUP, _) => ("backups-stopped", "the backups have stopped", "cl-admin status"),
            (SCHEDULE, FAILED) => ("schedule-failed", "a scheduled run failed", SCHEDULES),
            (SCHEDULE, WAITS) => ("schedule-waits", "a scheduled run waits for a person", SCHEDULES),
            (SCHEDULE, _) => ("schedule-ended", "a scheduled run ended", SCHEDULES),
            (REMINDER, _) => ("reminder-due", "a reminder is due", "cl-bot agent"),
            (STRANGER, _) => ("unknown-sender", "an unknown account wrote to the assistant", UNKNOWN),
            (WEEK, _) => ("digest-ready", "a weekly digest is ready", "cl-admin digest"),
            _ => return None,
        };
        let of_profile = matches!(self.kind.as_str(), SCHEDULE | REMINDER | STRANGER | WEEK);
        let title = if of_profile { format!("{title} ({})", self.profile) } else { title.to_owned() };
        Some(News { event, title, next })
    }

    /// Whether it is about something that the pages of the review show.
    fn is_item(&self) -> bool {
        self.kind != ALARM && self.news().is_none()
    }
}

impl Digest {
    /// A message that says no more than that messages arrive, and where the pages of the review are.
    pub fn test(page: Option<PageAddress>) -> Digest {
        Digest { notices: vec![], waiting: 0, test: true, page }
    }

    /// The address of the page for the new items: of the item if it is one, of the queue if there are several. None without
    /// `review_page`, without an item that the page shows, and together with an alarm: a person examines tampering before deciding.
    pub fn link(&self) -> Option<String> {
        let page = self.page.as_ref()?;
        if self.test {
            return Some(page.queue());
        }
        let mut items = self.notices.iter().filter(|notice| notice.is_item());
        match (self.alarms(), items.next(), items.next()) {
            (0, Some(one), None) => Some(page.item(&one.id)),
            (0, Some(_), Some(_)) => Some(page.queue()),
            _ => None,
        }
    }

    fn alarms(&self) -> usize {
        self.notices.iter().filter(|notice| notice.kind == ALARM).count()
    }

    /// The news, the backups first.
    fn news(&self) -> Vec<News> {
        let mut of: Vec<&Notice> = self.notices.iter().collect();
        of.sort_by_key(|notice| !matches!(notice.kind.as_str(), BACKUP | NO_BACKUP));
        of.into_iter().filter_map(Notice::news).collect()
    }

    /// The command that shows more.
    pub fn next(&self) -> &'static str {
        match (self.alarms(), self.news().first()) {
            (0, Some(news)) => news.next,
            (0, None) => "cl-admin review",
            _ => "cl-admin audit list",
        }
    }

    /// One line, such as `2 proposals wait for you`.
    pub fn title(&self) -> String {
        if self.test {
            return "this is a test".to_owned();
        }
        if self.alarms() > 0 {
            return format!("ALARM: what is on record was tampered with ({})", self.alarms());
        }
        let new = self.notices.iter().filter(|notice| notice.news().is_none()).count();
        let known = self.waiting.saturating_sub(new);
        let also = if known > 0 { format!(" ({known} more since before)") } else { String::new() };
        let mut titles: Vec<String> = self.news().into_iter().map(|news| news.title).collect();
        titles.dedup();
        titles.truncate(MOST_TITLES);
        let titles = titles.join("; ");
        match (new, titles.is_empty()) {
            (0, false) => titles,
            (_, false) => format!("{titles}; waiting for you: {new}{also}"),
            (1, true) => format!("1 proposal waits for you{also}"),
            (_, true) => format!("{new} proposals wait for you{also}"),
        }
    }

    /// What the reminders of the person are about who alone gets this message.
    fn reminders(&self) -> Vec<&str> {
        self.notices.iter().filter_map(|notice| notice.words.as_deref()).collect()
    }

    /// The whole as plain text.
    pub fn text(&self) -> String {
        if self.test {
            return "This is a test. Messages arrive.\n".to_owned();
        }
        let reminders = self.reminders();
        if !reminders.is_empty() {
            return reminders.into_iter().map(|words| format!("{words}\n")).collect();
        }
        let mut text = format!("{}.\n\n", self.title());
        for notice in self.notices.iter().take(MOST_LISTED) {
            let tokens = notice.tokens.as_ref().map_or_else(|| "unknown".to_owned(), ToString::to_string);
            text.push_str(&format!(
                "{}  {}  profile {}  tokens: {tokens}  {}\n",
                notice.id, notice.kind, notice.profile, notice.recommendation
            ));
        }
        if self.notices.len() > MOST_LISTED {
            text.push_str(&format!("and {} more\n", self.notices.len() - MOST_LISTED));
        }
        text.push_str(&format!("\n{}\n", self.next()));
        text
    }

    /// The whole as JSON.
    pub fn json(&self) -> Value {
        let proposals: Vec<Value> = self
            .notices
            .iter()
            .take(MOST_LISTED)
            .map(|n| {
                json!({"id": n.id, "kind": n.kind, "profile": n.profile, "tokens": n.tokens,
                       "recommendation": n.recommendation})
            })
            .collect();
        let mut json = json!({
            "event": match (self.test, self.alarms(), self.news().first()) {
                (true, ..) => "test",
                (false, 0, Some(news)) => news.event,
                (false, 0, None) => "proposals-waiting",
                (false, ..) => "alarm",
            },
            "new": self.notices.len(), "waiting": self.waiting, "proposals": proposals,
            "next": self.next(),
        });
        if let Some(link) = self.link() {
            json["link"] = link.into();
        }
        let reminders = self.reminders();
        if !reminders.is_empty() {
            json["reminders"] = reminders.into();
        }
        json
    }
}
