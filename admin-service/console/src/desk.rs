//! What a person at the gate can do, through any view: the full screen, the line mode, or a single verb.

use std::ops::Deref;
use std::sync::Arc;

use api::{Doors, Request, TrialRun};
use base::error::Error;
use base::home::Home;
use base::keys;
use base::lock;
use base::package;
use review::ask::{self, Needs, Proof};
use review::elsewhere::Remote;
use review::package::read_hashed;
use review::queue::{Journal, Package};
use review::report::Report;
use review::words::Words;
use review::{decision, recipients, source, tryout};
use shared_types::action::Action;
use shared_types::id::{ApproverId, ProposalId};
use shared_types::recipients::Recipients;
use shared_types::status::Status;
use shared_types::text;

/// Why nothing is decided or handed in.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(
        "`{0}` signs on another device: leave the review, and use `cl-admin approve NAME --approver {0}`"
    )]
    OtherDevice(ApproverId),
    #[error("{0} does not wait for a decision")]
    NotWaiting(String),
    #[error("{0} is not a waiting action")]
    NoAction(String),
    #[error("{name} is in {status}; only what waits for a decision can be edited")]
    NotEditable { name: String, status: Status },
}

/// The place from which an approver looks at proposals and decides.
#[derive(Debug, Clone)]
pub struct Desk {
    home: Home,
    approver: ApproverId,
    doors: Doors,
    journal: Journal,
    words: Words,
}

/// What there is to see is in the journal.
impl Deref for Desk {
    type Target = Journal;

    fn deref(&self) -> &Journal {
        &self.journal
    }
}

impl Desk {
    /// The desk of one approver, who has things done through these doors.
    pub fn new(home: &Home, approver: &ApproverId, doors: Doors) -> Desk {
        Desk {
            home: home.clone(),
            approver: approver.clone(),
            doors,
            journal: Journal::of(home, doors.action_pages),
            words: Words::of_home(home),
        }
    }

    pub fn home(&self) -> &Home {
        &self.home
    }

    /// What is said to them.
    pub fn words(&self) -> Words {
        self.words
    }

    /// Who decides at it.
    pub fn approver(&self) -> &ApproverId {
        &self.approver
    }

    /// The package of the proposal with that id, first characters of an id, or name.
    ///
    /// # Errors
    /// As [`Journal::find`] and [`Journal::package`].
    pub fn found(&self, word: &str) -> Result<Package, Error> {
        self.package(&self.find(word)?)
    }

    /// What a yes needs besides the person.
    ///
    /// # Errors
    /// A key that is missing or that others may read.
    pub fn needs(&self) -> Result<Needs, Error> {
        let device = Remote::of(&self.home, &self.approver)?.is_some();
        let passphrase = !device && keys::has_passphrase(&keys::approver_key(&self.home, &self.approver))?;
        let code = self.needs_code(&self.approver)?;
        Ok(Needs { passphrase, code, device })
    }

    /// As [`Desk::needs`], where nobody can be asked for a signature of another device.
    ///
    /// # Errors
    /// As [`Desk::needs`], or an approver who signs on another device.
    pub fn needs_here(&self) -> Result<Needs, Error> {
        let needs = self.needs()?;
        if needs.device {
            return Err(Error::refused(Fault::OtherDevice(self.approver.clone())));
        }
        Ok(needs)
    }

    /// The package, for other profiles than a yes gives it to by default.
    ///
    /// # Errors
    /// A profile that the home does not have: nobody would get the skill.
    pub fn for_whom(&self, package: Package, recipients: Recipients) -> Result<Package, Error> {
        recipients::known(&self.home, &recipients)?;
        Ok(Package { recipients, ..package })
    }

    /// As [`recipients::choices`].
    ///
    /// # Errors
    /// As there.
    pub fn choices(&self, package: &Package) -> Result<Vec<Recipients>, Error> {
        recipients::choices(&self.home, &package.recipients)
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
            return Err(Error::refused(Fault::NotWaiting(package.item.name.clone())));
        };
        let signer = self.signer(proof)?;
        let ticket = self.ticket(&package.item.id)?;
        let decision =
            decision::sign(&self.home, &ticket, &self.approver, &signer, seen, &package.recipients)?;
        let code = self.code(proof)?;
        self.submit(Request::Approve { decision, code })
    }

    /// Says yes to exactly the action that was shown, for `always` days to any that is the same; answers in words.
    ///
    /// # Errors
    /// An action that does not wait or has changed, one that can be allowed only once, a proof that is missing or wrong.
    pub fn allow(&self, package: &Package, proof: &Proof, always: Option<u16>) -> Result<String, Error> {
        let Some(seen) = &package.asked else {
            return Err(Error::refused(Fault::NoAction(package.item.name.clone())));
        };
        let case = self.waiting(&package.item.id)?;
        let signer = self.signer(proof)?;
        let decision = (self.doors.sign_action)(&case, seen, always, &self.approver, &signer)?;
        let code = self.code(proof)?;
        let done = self.submit(Request::AllowAction { decision, code })?;
        // A permission is all there is to it; the assistant makes the call itself.
        Ok(match case.action() {
            Some(Action::Permit { .. }) => done,
            _ => self.once_it_runs(done),
        })
    }

    /// The one-time code. With a key on another device, the terminal asks for it after the signature.
    fn code(&self, proof: &Proof) -> Result<Option<String>, Error> {
        match proof.key.as_deref() {
            Some(keys::Signer::Elsewhere(_)) => {
                self.lend(|ledger| ask::code(ledger, &self.approver, proof.code.clone()))
            }
            _ => Ok(proof.code.clone()),
        }
    }

    fn signer(&self, proof: &Proof) -> Result<Arc<keys::Signer>, Error> {
        let path = keys::approver_key(&self.home, &self.approver);
        match (&proof.key, &proof.passphrase) {
            (Some(key), _) => Ok(key.clone()),
            (None, Some(passphrase)) => keys::unlock(&path, passphrase).map(Arc::new),
            (None, None) => keys::open(&path).map(Arc::new),
        }
    }

    /// Lets a proposal that is held at a gate continue by one step; what the program would reject is sent back
    /// instead. Answers in words.
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
        decision::check_reason(reason)?;
        self.submit(Request::Reject { id: id.clone(), by: self.approver.clone(), reason: reason.to_owned() })
    }

    /// Takes a rejection back; answers in words.
    ///
    /// # Errors
    /// A proposal that was not rejected, or whose package is not there any more.
    pub fn reopen(&self, id: &ProposalId) -> Result<String, Error> {
        self.submit(Request::Reopen { id: id.clone(), by: self.approver.clone() })
    }

    /// The report of a package that waits for a decision, if it is still the one that was shown.
    ///
    /// # Errors
    /// Another report, or none.
    pub fn report(&self, package: &Package) -> Result<Report, Error> {
        let Some(seen) = &package.seen else {
            return Err(Error::refused(Fault::NotWaiting(package.item.name.clone())));
        };
        let (digest, report) = read_hashed(&self.home, &package.item.id)?;
        if digest != seen.report_sha256 {
            return Err(decision::StatementError::PackageChanged.into());
        }
        Ok(report)
    }

    /// The canonical source of a package, to be edited.
    ///
    /// # Errors
    /// The source does not exist yet.
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
            return Err(Error::refused(Fault::NotEditable {
                name: package.item.name.clone(),
                status: package.item.status,
            }));
        };
        source::check(source)?;
        if self.source(&package.item.id)?.trim_end() == source.trim_end() {
            return Err(Error::usage(source::Fault::Unchanged));
        }
        let (id, by) = (package.item.id.clone(), self.approver.clone());
        let done = self.submit(Request::Edit { id, by, source: source.to_owned(), seen })?;
        Ok(self.once_it_runs(done))
    }

    /// Leaves a note with the package, for the person who looks at it next. Answers in words.
    ///
    /// # Errors
    /// An empty note, or an unknown proposal.
    pub fn note(&self, id: &ProposalId, text: &str) -> Result<String, Error> {
        let (id, by, text) = (id.clone(), self.approver.clone(), text.trim().to_owned());
        self.submit(Request::Note { id, by, text })
    }

    /// Calls a tool of the package by hand, in the sandbox of the trials; `args` is a JSON object.
    ///
    /// # Errors
    /// Arguments that are not a JSON object, an unknown tool, or a child that could not be started.
    pub fn try_tool(&self, package: &Package, tool: &str, args: &str) -> Result<TrialRun, Error> {
        let args = tryout::asked(package, tool, args)?;
        let ticket = self.ticket(&package.item.id)?;
        (self.doors.try_tool)(&self.home, &ticket, package.seen.as_ref(), tool, args)
    }

    fn submit(&self, request: Request) -> Result<String, Error> {
        self.lend(|ledger| (self.doors.submit)(&self.home, ledger, request))
    }

    /// Adds, where it is so, that nothing happens until the service runs.
    fn once_it_runs(&self, done: String) -> String {
        if lock::holder(&self.home).is_some() {
            done
        } else {
            format!("{done}; start `cl-admin run` for the rest")
        }
    }
}
