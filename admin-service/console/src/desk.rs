//! What a person at the gate can do, whatever they look at it through: the full screen, the line mode, or a single verb.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use api::{Doors, Request, TrialRun};
use base::error::Error;
use base::home::Home;
use base::keys;
use base::lock;
use base::package;
use ledger::case::{Case, Seen};
use ledger::ticket::Ticket;
use ledger::{Book, Recommendation, Reviewed};
use review::ask::{Needs, Proof};
use review::pages::line::Page;
use review::pages::pages;
use review::{decision, source};
use shared_types::action::Action;
use shared_types::id::{ApproverId, ProposalId};
use shared_types::status::{Status, Wait};
use shared_types::text;

use super::tryout;

/// The pages that a decision rests on, the facts last, so that they stand beside the question on a small screen.
pub const DECISIVE: [&str; 8] =
    ["notes", "words", "facts", "trial", "summary", "gate", "judgement", "action"];

/// The place from which an approver looks at proposals and decides.
#[derive(Debug, Clone)]
pub struct Desk {
    home: Home,
    approver: ApproverId,
    doors: Doors,
    /// The journal as it was read last: each look replays only what came since.
    book: Arc<Mutex<Book>>,
}

/// One proposal in the queue.
#[derive(Debug, Clone)]
pub struct Item {
    /// The proposal.
    pub id: ProposalId,
    /// The skill's name.
    pub name: String,
    /// Whose profile asks.
    pub profile: String,
    /// Where it stands.
    pub status: Status,
    /// What it waits for.
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
    /// Its pages.
    pub pages: Vec<Page>,
    /// The tools that can be tried, with the names of their parameters.
    pub tools: Vec<(String, Vec<String>)>,
    /// The digests of what was shown; nothing while it is not ready for a decision.
    pub seen: Option<Reviewed>,
    /// Of an action that waits for a decision: what was shown of it.
    pub asked: Option<Seen>,
}

impl Package {
    /// Whether it is complete, so that a yes can be for exactly what was shown.
    pub fn is_decidable(&self) -> bool {
        self.seen.is_some() || self.asked.is_some()
    }

    /// Its head and the pages of these names, in their order, as plain text.
    pub fn text(&self, titles: &[&str]) -> String {
        let pages = titles.iter().filter_map(|title| self.pages.iter().find(|p| p.title == *title));
        std::iter::once(self.head()).chain(pages.map(Page::text)).collect::<Vec<_>>().join("\n")
    }

    /// Which proposal, whose, and what it waits for.
    pub fn head(&self) -> String {
        let Item { id, name, profile, status, waits_for, .. } = &self.item;
        let waits = waits_for.map(|w| format!(", waits for {}", w.as_str())).unwrap_or_default();
        format!("{name}  {id}\n  profile {profile}, {status}{waits}\n")
    }
}

impl Desk {
    /// The desk of one approver, who has things done through these doors.
    pub fn new(home: &Home, approver: &ApproverId, doors: Doors) -> Desk {
        Desk { home: home.clone(), approver: approver.clone(), doors, book: Arc::default() }
    }

    /// The home.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Who decides at it.
    pub fn approver(&self) -> &ApproverId {
        &self.approver
    }

    /// Every proposal that is not settled: those that wait for a person first, the oldest on top.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn queue(&self) -> Result<Vec<Item>, Error> {
        let book = self.book()?;
        let mut items: Vec<Item> =
            book.tickets().filter(|t| !t.status().is_settled()).map(|t| self.item(t)).collect();
        let waiting = book.cases().open().filter(|case| case.waits_for().is_some());
        // The same action asked for again stands behind the first, and is counted there.
        let first = |case: &&Case| book.cases().alike(case).all(|other| case.id() < other.id());
        items.extend(waiting.filter(first).map(|case| action_item(&book, case)));
        items.sort_by_key(|item| item.waits_for != Some(Wait::Person));
        Ok(items)
    }

    /// The proposal with that id, first characters of an id, or name.
    ///
    /// # Errors
    /// None or several that fit.
    pub fn find(&self, word: &str) -> Result<ProposalId, Error> {
        find_in(&*self.book()?, word)
    }

    /// The package of the proposal with that id, first characters of an id, or name.
    ///
    /// # Errors
    /// As [`Desk::find`] and [`Desk::package`].
    pub fn found(&self, word: &str) -> Result<Package, Error> {
        let book = self.book()?;
        self.package_in(&book, &find_in(&book, word)?)
    }

    /// One package with everything that there is to see.
    ///
    /// # Errors
    /// No such proposal, or files of the package that should be there and are not.
    pub fn package(&self, id: &ProposalId) -> Result<Package, Error> {
        self.package_in(&*self.book()?, id)
    }

    fn package_in(&self, book: &Book, id: &ProposalId) -> Result<Package, Error> {
        if let Some(case) = book.cases().case(id) {
            let item = action_item(book, case);
            let pages = (self.doors.action_pages)(&self.home, case, item.recurrence as usize)?;
            let asked = case.waits_for().map(|_| Seen::of(case));
            return Ok(Package { item, pages, tools: vec![], seen: None, asked });
        }
        let ticket = book.ticket(id).ok_or_else(|| Error::NotFound(id.to_string()))?;
        let seen = ticket.review().cloned().filter(|_| ticket.status() == Status::HumanReview);
        let tools = match ticket.review() {
            None => vec![],
            Some(_) => {
                let described = review::package::read_report(&self.home, id)?.described;
                let parameters = |t: &shared_types::described::DescribedTool| {
                    t.parameters.properties().map(|(name, _)| name.to_owned()).collect()
                };
                described.tools.iter().map(|t| (t.name.to_string(), parameters(t))).collect()
            }
        };
        Ok(Package { item: self.item(ticket), pages: pages(&self.home, ticket)?, tools, seen, asked: None })
    }

    /// What a yes needs besides the person.
    ///
    /// # Errors
    /// A key that is missing or that others may read.
    pub fn needs(&self) -> Result<Needs, Error> {
        let passphrase = keys::has_passphrase(&keys::approver_key(&self.home, &self.approver))?;
        let code = self.book()?.people().codes(&self.approver).is_some();
        Ok(Needs { passphrase, code })
    }

    /// Says yes to exactly what was shown; answers in words.
    ///
    /// # Errors
    /// A package that is not complete or has changed, a proof that is missing or wrong, a decision that is refused.
    pub fn approve(&self, package: &Package, proof: &Proof) -> Result<String, Error> {
        if package.asked.is_some() {
            return self.allow(package, proof, None);
        }
        let Some(seen) = &package.seen else {
            return Err(Error::Refused(format!("{} does not wait for a decision", package.item.name)));
        };
        let signer = self.signer(proof)?;
        let ticket = self.ticket(&package.item.id)?;
        let decision = decision::sign(&self.home, &ticket, &self.approver, &signer, seen)?;
        self.submit(Request::Approve { decision, code: proof.code.clone() })
    }

    /// Says yes to exactly the action that was shown, for `always` days to any that is the same; answers in words.
    ///
    /// # Errors
    /// An action that does not wait or has changed, one that can be allowed only once, a proof that is missing or wrong.
    pub fn allow(&self, package: &Package, proof: &Proof, always: Option<u16>) -> Result<String, Error> {
        let Some(seen) = &package.asked else {
            return Err(Error::Refused(format!("{} is no action that waits", package.item.name)));
        };
        let case = self.book()?.cases().waiting(&package.item.id)?.clone();
        let signer = self.signer(proof)?;
        let decision = (self.doors.sign_action)(&case, seen, always, &self.approver, &signer)?;
        let done = self.submit(Request::AllowAction { decision, code: proof.code.clone() })?;
        // A permission is all there is to it; the assistant makes the call itself.
        Ok(match case.action() {
            Some(Action::Permit { .. }) => done,
            _ => self.once_it_runs(done),
        })
    }

    fn signer(&self, proof: &Proof) -> Result<keys::Signer, Error> {
        let path = keys::approver_key(&self.home, &self.approver);
        match &proof.passphrase {
            Some(passphrase) => keys::unlock(&path, passphrase),
            None => keys::open(&path),
        }
    }

    /// Lets a proposal that is held at a gate go on by one step; what the program would reject is sent back instead.
    /// Answers in words.
    ///
    /// # Errors
    /// A proposal that is not held at a gate.
    pub fn open_gate(&self, id: &ProposalId) -> Result<String, Error> {
        let done = self.submit(Request::OpenGate { id: id.clone(), by: self.approver.clone() })?;
        Ok(self.once_it_runs(done))
    }

    /// Says no, with a reason; answers in words.
    ///
    /// # Errors
    /// No reason, or a proposal that is settled.
    pub fn reject(&self, id: &ProposalId, reason: &str) -> Result<String, Error> {
        self.submit(Request::Reject { id: id.clone(), by: self.approver.clone(), reason: reason.to_owned() })
    }

    /// The canonical source of a package, to be edited.
    ///
    /// # Errors
    /// There is none yet.
    pub fn source(&self, id: &ProposalId) -> Result<String, Error> {
        let text = package::Package::of(&self.home, id).text(package::Part::Source)?;
        // What a person edits must be what is there, tabs included; only what no scan lets through is made visible.
        let shown = |c: char| c == '\n' || c == '\t' || !text::is_unsafe(c);
        Ok(if text.chars().all(shown) { text } else { text::block(&text) })
    }

    /// Hands an edited source in; it takes agent-review again. Answers in words.
    ///
    /// # Errors
    /// A proposal that is not in human-review, or a source that is unchanged or too large.
    pub fn edit(&self, package: &Package, source: &str) -> Result<String, Error> {
        let Some(seen) = package.seen.clone() else {
            return Err(Error::Refused(format!(
                "{} is in {}; only what waits for a decision can be edited",
                package.item.name, package.item.status
            )));
        };
        source::check(source)?;
        if self.source(&package.item.id)?.trim_end() == source.trim_end() {
            return Err(Error::Usage("the source is unchanged; nothing was handed in".into()));
        }
        let (id, by) = (package.item.id.clone(), self.approver.clone());
        let done = self.submit(Request::Edit { id, by, source: source.to_owned(), seen })?;
        Ok(self.once_it_runs(done))
    }

    /// Leaves a note with the package, for whoever looks at it next. Answers in words.
    ///
    /// # Errors
    /// An empty note, or no such proposal.
    pub fn note(&self, id: &ProposalId, text: &str) -> Result<String, Error> {
        let (id, by, text) = (id.clone(), self.approver.clone(), text.trim().to_owned());
        self.submit(Request::Note { id, by, text })
    }

    /// Calls a tool of the package by hand, in the sandbox of the trials; `args` is a JSON object.
    ///
    /// # Errors
    /// Arguments that are no JSON object, no such tool, or a child that could not be started.
    pub fn try_tool(&self, package: &Package, tool: &str, args: &str) -> Result<TrialRun, Error> {
        let args = tryout::asked(package, tool, args)?;
        let ticket = self.ticket(&package.item.id)?;
        (self.doors.try_tool)(&self.home, &ticket, package.seen.as_ref(), tool, args)
    }

    /// The journal as it is now.
    fn book(&self) -> Result<MutexGuard<'_, Book>, Error> {
        let mut book = self.read();
        book.read_on(&self.home)?;
        Ok(book)
    }

    fn read(&self) -> MutexGuard<'_, Book> {
        // A thread that panicked left what was read, or an empty book.
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ticket(&self, id: &ProposalId) -> Result<Ticket, Error> {
        self.book()?.ticket(id).cloned().ok_or_else(|| Error::NotFound(id.to_string()))
    }

    /// Has a request done, on the journal as it was read last; others may look meanwhile.
    fn submit(&self, request: Request) -> Result<String, Error> {
        let mut book = mem::take(&mut *self.read());
        let done = (self.doors.submit)(&self.home, &mut book, request);
        *self.read() = book;
        done
    }

    /// Adds, where it is so, that nothing happens until the service runs.
    fn once_it_runs(&self, done: String) -> String {
        if lock::holder(&self.home).is_some() {
            done
        } else {
            format!("{done}; start `cl-admin run` for the rest")
        }
    }

    fn item(&self, ticket: &Ticket) -> Item {
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
}

fn find_in(book: &Book, word: &str) -> Result<ProposalId, Error> {
    match book.find(word) {
        Err(Error::NotFound(_)) => Ok(book.cases().find(word)?.id().clone()),
        found => Ok(found?.id().clone()),
    }
}

/// An action in the queue; how often the same was asked for besides stands for how often it came again.
fn action_item(book: &Book, case: &Case) -> Item {
    let proposal = &case.taken().proposal;
    let alike = if case.waits_for().is_some() { book.cases().alike(case).count() } else { 0 };
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
