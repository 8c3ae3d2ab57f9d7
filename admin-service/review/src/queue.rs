//! What waits for a person: the queue, and each package as it is shown.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::error::Error;
use base::home::Home;
use ledger::action_ticket::{ActionTicket, Seen};
use ledger::ticket::Ticket;
use ledger::{Ledger, Recommendation, Reviewed};
use serde::{Deserialize, Serialize};
use shared_types::id::{ApproverId, Digest, ProposalId};
use shared_types::recipients::Recipients;
use shared_types::status::{Status, Wait};

use crate::decision;
use crate::package::read_report;
use crate::pages::line::{Page, wrapped};
use crate::pages::pages;
use crate::words::Words;

/// The pages that a decision rests on, the facts last, so that they stand beside the question on a small screen.
pub const DECISIVE: [&str; 8] =
    ["notes", "words", "facts", "trial", "summary", "gate", "judgement", "action"];

/// Makes the pages of an action, with how many others are the same.
pub type ActionPages = fn(&Home, &ActionTicket, usize) -> Result<Vec<Page>, Error>;

/// The journal as it was read last: each look replays only what came since.
#[derive(Debug, Clone)]
pub struct Journal {
    home: Home,
    action_pages: ActionPages,
    ledger: Arc<Mutex<Ledger>>,
}

/// One proposal in the queue.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Item {
    /// The proposal.
    pub id: ProposalId,
    /// The skill's name.
    pub name: String,
    /// Whose profile asks.
    pub profile: String,
    /// Where it stands.
    pub status: Status,
    pub waits_for: Option<Wait>,
    /// Since when it stands there, in RFC 3339.
    pub since: String,
    /// What the program recommends, once there is a package.
    pub recommendation: Option<Recommendation>,
    /// How often the same wish came again.
    pub recurrence: u32,
}

/// A package as it was shown; a decision is for exactly this one.
#[derive(Debug, Clone)]
pub struct Package {
    /// The proposal.
    pub item: Item,
    pub pages: Vec<Page>,
    /// The tools that can be tried, with the names of their parameters.
    pub tools: Vec<(String, Vec<String>)>,
    /// The digests of what was shown; nothing while it is not ready for a decision.
    pub seen: Option<Reviewed>,
    /// To whom a yes gives it.
    pub recipients: Recipients,
    /// Of an action that waits for a decision: what was shown of it.
    pub asked: Option<Seen>,
}

impl Package {
    /// Whether it is complete, so that a yes can be for exactly what was shown.
    pub fn is_decidable(&self) -> bool {
        self.seen.is_some() || self.asked.is_some()
    }

    /// The digest of what was shown, where it waits for a decision.
    pub fn digest(&self) -> Option<Digest> {
        let seen = self.seen.as_ref().and_then(|seen| serde_json::to_string(seen).ok());
        let asked =
            || self.asked.as_ref().map(|seen| format!("{} {}", seen.action_sha256, seen.judgement_sha256));
        seen.or_else(asked).map(|text| Digest::of(text.as_bytes()))
    }

    /// Its head and the pages of these names, in their order, as plain text; see [`Page::text`].
    pub fn text(&self, words: Words, titles: &[&str], columns: Option<usize>) -> String {
        let pages = titles.iter().filter_map(|title| self.pages.iter().find(|p| p.title == *title));
        std::iter::once(wrapped(&self.head(words), columns))
            .chain(pages.map(|page| page.text(columns)))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Which proposal, whose, and what it waits for.
    pub fn head(&self, words: Words) -> String {
        let Item { id, name, profile, status, waits_for, .. } = &self.item;
        format!("{name}  {id}\n  {}\n", words.head(profile, *status, *waits_for))
    }
}

impl Journal {
    /// The journal of a home, not read yet.
    pub fn of(home: &Home, action_pages: ActionPages) -> Journal {
        Journal { home: home.clone(), action_pages, ledger: Arc::default() }
    }

    /// Every proposal that is not settled: those that wait for a person first, the oldest on top.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn queue(&self) -> Result<Vec<Item>, Error> {
        let ledger = self.ledger()?;
        let mut items: Vec<Item> =
            ledger.tickets().filter(|t| !t.status().is_settled()).map(skill_item).collect();
        let waiting = ledger.cases().open().filter(|case| case.waits_for().is_some());
        // The same action asked for again stands behind the first, and is counted there.
        let first = |case: &&ActionTicket| ledger.cases().alike(case).all(|other| case.id() < other.id());
        items.extend(waiting.filter(first).map(|case| action_item(&ledger, case)));
        items.sort_by_key(|item| item.waits_for != Some(Wait::Person));
        Ok(items)
    }

    /// The proposal with that id, first characters of an id, or name.
    ///
    /// # Errors
    /// None or several that fit.
    pub fn find(&self, word: &str) -> Result<ProposalId, Error> {
        let ledger = self.ledger()?;
        match ledger.find(word) {
            Err(Error::NotFound(_)) => Ok(ledger.cases().find(word)?.id().clone()),
            found => Ok(found?.id().clone()),
        }
    }

    /// One package with everything that there is to see.
    ///
    /// # Errors
    /// An unknown proposal, or files of the package that should be there and are not.
    pub fn package(&self, id: &ProposalId) -> Result<Package, Error> {
        let ledger = self.ledger()?;
        if let Some(case) = ledger.cases().case(id) {
            let item = action_item(&ledger, case);
            let pages = (self.action_pages)(&self.home, case, item.recurrence as usize)?;
            let asked = case.waits_for().map(|_| Seen::of(case));
            return Ok(Package {
                item,
                pages,
                tools: vec![],
                seen: None,
                recipients: Recipients::default(),
                asked,
            });
        }
        let ticket = ledger.ticket(id).ok_or_else(|| Error::NotFound(id.to_string()))?;
        let seen = ticket.review().cloned().filter(|_| ticket.status() == Status::HumanReview);
        let pages = pages(&self.home, &ledger, ticket)?;
        let tools = match ticket.review() {
            None => vec![],
            Some(_) => {
                let described = read_report(&self.home, id)?.described;
                let parameters = |t: &shared_types::described::DescribedTool| {
                    t.parameters.properties().map(|(name, _)| name.to_owned()).collect()
                };
                described.tools.iter().map(|t| (t.name.to_string(), parameters(t))).collect()
            }
        };
        let recipients = decision::recipients(&ledger, ticket);
        Ok(Package { item: skill_item(ticket), pages, tools, seen, recipients, asked: None })
    }

    /// A proposal of a skill.
    ///
    /// # Errors
    /// None of that id.
    pub fn ticket(&self, id: &ProposalId) -> Result<Ticket, Error> {
        self.ledger()?.ticket(id).cloned().ok_or_else(|| Error::NotFound(id.to_string()))
    }

    /// An action that waits for a person.
    ///
    /// # Errors
    /// None, or one that does not wait.
    pub fn waiting(&self, id: &ProposalId) -> Result<ActionTicket, Error> {
        self.ledger()?.cases().waiting(id).cloned()
    }

    /// Whether an approver needs a one-time code.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn needs_code(&self, approver: &ApproverId) -> Result<bool, Error> {
        Ok(self.ledger()?.people().codes(approver).is_some())
    }

    /// Lends the ledger as it was read last to work that continues from it; others may look meanwhile.
    pub fn lend<T>(&self, work: impl FnOnce(&mut Ledger) -> T) -> T {
        let mut ledger = mem::take(&mut *self.last());
        let done = work(&mut ledger);
        *self.last() = ledger;
        done
    }

    /// The journal as it is now.
    fn ledger(&self) -> Result<MutexGuard<'_, Ledger>, Error> {
        let mut ledger = self.last();
        ledger.read_on(&self.home)?;
        Ok(ledger)
    }

    fn last(&self) -> MutexGuard<'_, Ledger> {
        // A thread that panicked left what was read, or an empty ledger.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn skill_item(ticket: &Ticket) -> Item {
    let recommendation = ticket.review().map(|r| r.recommendation);
    Item {
        id: ticket.id().clone(),
        name: ticket.proposal().name.to_string(),
        profile: ticket.taken().profile.to_string(),
        status: ticket.status(),
        waits_for: ticket.waits_for(),
        since: ticket.history().last().map(|h| h.timestamp.clone()).unwrap_or_default(),
        recommendation,
        recurrence: ticket.recurrence(),
    }
}

/// An action in the queue; how often the same was asked for besides stands for how often it came again.
fn action_item(ledger: &Ledger, case: &ActionTicket) -> Item {
    let proposal = &case.taken().proposal;
    let alike = if case.waits_for().is_some() { ledger.cases().alike(case).count() } else { 0 };
    Item {
        id: case.id().clone(),
        name: proposal.name.to_string(),
        profile: case.taken().profile.to_string(),
        status: case.status(),
        waits_for: case.waits_for(),
        since: case.since().to_owned(),
        recommendation: None,
        recurrence: u32::try_from(alike).unwrap_or(u32::MAX),
    }
}
