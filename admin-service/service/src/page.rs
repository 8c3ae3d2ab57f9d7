//! What the page of the review asks, answered. [`Ask`] is the whole list; the person who asks is known by a token, and is a
//! present approver.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use api::Request;
use api::page::{Answer, Ask, Asked, Holds, LARGEST_ANSWER, LARGEST_ASKED, Queue, Refusal, Shown, Why, Yes};
use base::error::Error;
use base::home::Home;
use base::stop;
use ledger::statements::action::ActionDecision;
use ledger::statements::{Signed, StatementError};
use review::elsewhere::Remote;
use review::queue::{Journal, Package};
use review::words::Words;
use review::{decision, recipients, tryout};
use shared_types::decision::Decision;
use shared_types::exit;
use shared_types::id::{ApproverId, Digest, ProposalId};
use shared_types::recipients::Recipients;

use super::Runtime;
use super::requests::handle;
use super::socket::{bound, wait};
use base::log::Event;

/// The most connections at a time. The page keeps a few open.
const MOST: usize = 16;
/// How long a client may take for what is sent to it.
const SILENCE: Duration = Duration::from_secs(10);

/// Why nothing is signed at the page.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the key of `{0}` is stored on the machine of the service, and signs there alone")]
    KeyHere(ApproverId),
    #[error("the text that was signed is not a yes to this")]
    OtherText,
}

/// The socket at which the page asks: the one that a service manager handed over, or `admin/page.sock` of this user alone.
///
/// # Errors
/// A folder in which no socket can be made, or a socket of another kind that was handed over.
pub fn listen(home: &Home) -> Result<UnixListener, Error> {
    let path = path(home);
    let listener = match confine::handed_over() {
        // One of TCP would be open to everybody who reaches its port.
        Some(given) => {
            let given = UnixListener::from(given);
            let other = Error::step("the socket that was handed over is not a socket file");
            given.local_addr().map_err(other)?;
            given
        }
        None => {
            remove(home);
            bound(&path).map_err(Error::io(&path))?
        }
    };
    listener.set_nonblocking(true).map_err(Error::io(&path))?;
    Ok(listener)
}

/// The socket of this home.
pub fn path(home: &Home) -> PathBuf {
    home.admin().join("page.sock")
}

/// Removes the socket of this home.
pub fn remove(home: &Home) {
    let _ = fs::remove_file(path(home));
}

/// What all connections have in common.
struct Desk {
    runtime: Arc<Runtime>,
    journal: Journal,
    /// Whether a tool is being tried: one at a time.
    tries: AtomicBool,
    open: AtomicUsize,
}

/// Answers until the service ends. What is open then ends with the process.
pub fn answer(listener: &UnixListener, runtime: &Arc<Runtime>, cancel: &AtomicBool) {
    let desk = Arc::new(Desk {
        runtime: Arc::clone(runtime),
        journal: Journal::of(&runtime.home, actions::pages::pages),
        tries: AtomicBool::new(false),
        open: AtomicUsize::new(0),
    });
    while !cancel.load(Ordering::Relaxed) {
        let Ok((stream, _)) = listener.accept() else {
            wait(listener, &runtime.ended);
            continue;
        };
        if desk.open.fetch_add(1, Ordering::AcqRel) >= MOST {
            desk.open.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let (desk, kept) = (Arc::clone(&desk), Arc::clone(&desk));
        let talk = std::thread::Builder::new().name("page".into()).spawn(move || {
            // A page that goes away, or sends what is not a request, is cut off.
            let _ = talk(&desk, &stream);
            desk.open.fetch_sub(1, Ordering::AcqRel);
        });
        if let Err(error) = talk {
            kept.open.fetch_sub(1, Ordering::AcqRel);
            runtime.tell(&Event::RequestFailed {}, &format!("the page could not be answered: {error}"));
        }
    }
}

/// Answers one request after the other.
fn talk(desk: &Desk, stream: &UnixStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(SILENCE))?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = Vec::new();
        (&mut reader).take(LARGEST_ASKED).read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Ok(());
        }
        let answer = match serde_json::from_slice::<Asked>(&line) {
            Ok(asked) => desk.answer(asked),
            Err(error) => refused(Refusal::Invalid, format!("the request cannot be read: {error}")),
        };
        let mut text = serde_json::to_vec(&answer)?;
        if text.len() as u64 >= LARGEST_ANSWER {
            let large = format!("the answer has more than {LARGEST_ANSWER} bytes: use `cl-admin show`");
            text = serde_json::to_vec(&refused(Refusal::Failed, large))?;
        }
        text.push(b'\n');
        let mut stream = stream;
        stream.write_all(&text)?;
    }
}

fn refused(why: Refusal, message: String) -> Answer {
    Answer::Refused { why, message }
}

fn not_done(error: &Error) -> Answer {
    let why = match (error, error.exit()) {
        (Error::NotFound(_), _) => Refusal::NotFound,
        (_, exit::USAGE) => Refusal::Invalid,
        (_, exit::REFUSED) => Refusal::Refused,
        _ => Refusal::Failed,
    };
    refused(why, error.to_string())
}

impl Desk {
    fn answer(&self, asked: Asked) -> Answer {
        if let Ask::Language {} = asked.ask {
            return Answer::Language(Words::of_home(self.home()).code().to_owned());
        }
        let token = asked.token.unwrap_or_default();
        let approver = match self.runtime.ledger().people().looks(&token) {
            Ok(Some(approver)) => approver,
            Ok(None) => {
                return refused(Refusal::Unauthorized, "no token of a present approver".to_owned());
            }
            Err(error) => return not_done(&error),
        };
        self.carry_out(&approver, asked.ask).unwrap_or_else(|error| not_done(&error))
    }

    fn carry_out(&self, approver: &ApproverId, ask: Ask) -> Result<Answer, Error> {
        let by = approver.clone();
        let request = match ask {
            Ask::Known {} => return Ok(Answer::Known),
            Ask::Language {} | Ask::Queue {} => {
                let items = self.journal.queue()?;
                return Ok(Answer::Queue(Queue { holds: self.holds(approver), items }));
            }
            Ask::Show { id } => return self.show(approver, &id),
            Ask::Try { id, tool, args } => return self.try_tool(&id, &tool, &args),
            Ask::ToSign { id, seen, recipients } => {
                return self.to_sign(approver, &id, &seen, recipients).map(Answer::ToSign);
            }
            Ask::Note { id, text } => Request::Note { id, by, text },
            Ask::Reject { id, reason } => {
                decision::check_reason(&reason)?;
                Request::Reject { id, by, reason }
            }
            Ask::Decide { id, text, signature } => self.decision(approver, &id, text, signature)?,
        };
        handle(&self.runtime, request).map(Answer::Done)
    }

    fn home(&self) -> &Home {
        &self.runtime.home
    }

    fn holds(&self, approver: &ApproverId) -> Holds {
        let language = Words::of_home(self.home()).code().to_owned();
        Holds { approver: approver.clone(), language, stopped: stop::holds(self.home()) }
    }

    fn show(&self, approver: &ApproverId, id: &ProposalId) -> Result<Answer, Error> {
        let package = self.journal.package(id)?;
        let yes = self.yes(approver, &package)?;
        let choices = match (&yes, &package.seen) {
            (Yes::There { .. } | Yes::Elsewhere { .. }, Some(_)) => {
                recipients::choices(self.home(), &package.recipients)?
            }
            _ => vec![],
        };
        let choices = if choices.len() > 1 { choices } else { vec![] };
        let Package { item, pages, tools, recipients, .. } = package;
        let tools: BTreeMap<String, Vec<String>> = tools.into_iter().collect();
        let holds = self.holds(approver);
        Ok(Answer::Package(Box::new(Shown { holds, item, pages, tools, recipients, choices, yes })))
    }

    /// How this approver says yes to a package.
    fn yes(&self, approver: &ApproverId, package: &Package) -> Result<Yes, Error> {
        let item = &package.item;
        let at_the_machine = |why| {
            let command = format!("cl-admin approve {} --approver {approver}", item.id);
            Yes::AtTheMachine { why, command }
        };
        let Some(seen) = package.digest() else {
            let waits = item.waits_for == Some(shared_types::status::Wait::Person);
            return Ok(if waits { at_the_machine(Why::Gate) } else { Yes::NotNow });
        };
        let Some(remote) = Remote::of(self.home(), approver)? else {
            return Ok(at_the_machine(Why::KeyIsThere));
        };
        if self.journal.needs_code(approver)? {
            return Ok(at_the_machine(Why::NeedsCode));
        }
        Ok(match remote.origin() {
            Some(origin) => Yes::There { origin, seen },
            None => Yes::Elsewhere { seen },
        })
    }

    fn try_tool(&self, id: &ProposalId, tool: &str, args: &str) -> Result<Answer, Error> {
        let package = self.journal.package(id)?;
        let args = tryout::asked(&package, tool, args)?;
        let ticket = self.journal.ticket(id)?;
        if self.tries.swap(true, Ordering::AcqRel) {
            let busy = "another tool is being tried; try again once it is done";
            return Ok(refused(Refusal::Busy, busy.to_owned()));
        }
        let tried = pipeline::tryout::call(self.home(), &ticket, package.seen.as_ref(), tool, args);
        self.tries.store(false, Ordering::Release);
        tried.map(|run| Answer::Done(tryout::words(&run)))
    }

    /// The request for the signing page: a yes to exactly what was shown.
    fn to_sign(
        &self,
        approver: &ApproverId,
        id: &ProposalId,
        seen: &Digest,
        chosen: Option<Recipients>,
    ) -> Result<String, Error> {
        let package = self.journal.package(id)?;
        if package.digest().as_ref() != Some(seen) {
            return Err(StatementError::PackageChanged.into());
        }
        let Some(remote) = Remote::of(self.home(), approver)? else {
            return Err(Error::refused(Fault::KeyHere(approver.clone())));
        };
        let text = if let Some(asked) = &package.asked {
            let case = self.journal.waiting(id)?;
            let decision = actions::decision::form(&case, asked, None, approver)?;
            serde_json_canonicalizer::to_string(&decision).map_err(Error::failed)?
        } else if let Some(seen) = &package.seen {
            let recipients = chosen.unwrap_or(package.recipients);
            recipients::known(self.home(), &recipients)?;
            let ticket = self.journal.ticket(id)?;
            decision::text(self.home(), &ticket, approver, seen, &recipients)?
        } else {
            return Err(StatementError::PackageChanged.into());
        };
        remote.request(&[&text])
    }

    /// The request that a signed yes is. Whether the signature holds is judged where every other one is.
    fn decision(
        &self,
        approver: &ApproverId,
        id: &ProposalId,
        text: String,
        signature: String,
    ) -> Result<Request, Error> {
        let other = || Error::usage(Fault::OtherText);
        if let Ok(decided) = serde_json::from_str::<Decision>(&text) {
            if decided.proposal_id != *id {
                return Err(other());
            }
            let ticket = self.journal.ticket(id)?;
            let decision = decision::signed(&ticket, approver, text, signature);
            return Ok(Request::Approve { decision, code: None });
        }
        let decision: Signed<ActionDecision> = Signed::unchecked(text, signature);
        match decision.read() {
            Ok(decided) if decided.id == *id => Ok(Request::AllowAction { decision, code: None }),
            _ => Err(other()),
        }
    }
}
