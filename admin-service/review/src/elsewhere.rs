//! Asks an approver whose key is on another device: what is to be signed goes into a file, which the signing page shows and
//! checks on its own; the signature comes back as a line, or as the name of a file.

use std::fs::{self, File};
use std::io::{BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};

use base::error::Error;
use base::folders::{PRIVATE, make_folder};
use base::home::Home;
use base::keys::{self, Elsewhere};
use base::package::{Package, Part};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ledger::Ledger;
use ledger::statements::StatementError;
use ledger::statements::action::ActionDecision;
use serde::Serialize;
use shared_types::approvers::{Approver, Change};
use shared_types::decision::Decision;
use shared_types::id::{ApproverId, Digest};

use crate::report::Report;
use crate::{ahead, approvers};

/// Why there is no signature of another device.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("`{0}` did not sign; nothing was changed")]
    NotSigned(ApproverId),
    #[error(
        "the answer is not complete (a terminal passes on 4,095 bytes of a line): save it, and give the name of its file"
    )]
    Incomplete,
    #[error("{} has more than {LARGEST} bytes: it is not an answer", .0.display())]
    TooLong(PathBuf),
}

/// How often a person is asked for an answer before the program gives up.
const QUESTIONS: u32 = 3;
/// The largest answer that is read from a file, in bytes.
const LARGEST: u64 = 64 * 1024;

/// What the signing page is given.
#[derive(Debug, Serialize)]
struct Request<'a> {
    /// The version of this form.
    tameclaw: &'static str,
    /// Who is to sign.
    approver: &'a ApproverId,
    /// Their public key.
    key: &'a str,
    /// What they are to sign.
    statements: Vec<ToSign<'a>>,
}

/// A text, with what its digests stand for.
#[derive(Debug, Serialize)]
struct ToSign<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<Parts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<Asked>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
}

/// The files of a skill's package.
#[derive(Debug, Serialize)]
struct Parts {
    spec: String,
    source: String,
    /// In base64.
    module: String,
    report: String,
    /// What the skill says of itself, as canonical JSON.
    described: String,
}

/// An action and its judgement, as canonical JSON.
#[derive(Debug, Serialize)]
struct Asked {
    asked: String,
    judged: String,
}

/// An approver who signs on another device.
#[derive(Debug)]
pub struct Remote {
    home: Home,
    approver: Approver,
}

impl Remote {
    /// An approver whose key is elsewhere, regardless of the files here.
    pub fn new(home: &Home, approver: &Approver) -> Remote {
        Remote { home: home.clone(), approver: approver.clone() }
    }

    /// The approver of that name, if their key is not stored on this machine: it is a passkey, or its file is missing here.
    ///
    /// # Errors
    /// Somebody whose key is not here and who is on no list that holds.
    pub fn of(home: &Home, approver: &ApproverId) -> Result<Option<Remote>, Error> {
        let listed = approvers::read(home).map(|list| list.named(approver).cloned());
        if keys::approver_key(home, approver).exists() {
            // Whether the list holds is judged where the signature is.
            let passkey = listed.ok().flatten().filter(Approver::is_passkey);
            return Ok(passkey.map(|approver| Remote::new(home, &approver)));
        }
        let listed = listed?.ok_or_else(|| StatementError::NotAnApprover(approver.clone()))?;
        Ok(Some(Remote::new(home, &listed)))
    }

    /// The origin of the signing page, where the key is a passkey.
    pub fn origin(&self) -> Option<String> {
        self.approver.passkey().map(|key| key.origin().to_owned())
    }

    /// Has one answer given for these texts, and checks it.
    fn ask(&self, texts: &[&str]) -> Result<String, Error> {
        let path = self.write(texts)?;
        let answer = self.answer(&path, texts);
        // Once it is answered, nobody needs it; with an error it would be of no use either.
        let _ = fs::remove_file(&path);
        answer
    }

    /// The request for the signing page: these texts, with what their digests stand for. One line of JSON.
    ///
    /// # Errors
    /// A package or action that is not what a text says.
    pub fn request(&self, texts: &[&str]) -> Result<String, Error> {
        let request = Request {
            tameclaw: "signing-request-1",
            approver: &self.approver.id,
            key: &self.approver.public_key,
            statements: texts.iter().map(|text| ToSign::of(&self.home, text)).collect::<Result<_, _>>()?,
        };
        Ok(serde_json::to_string(&request)?)
    }

    /// Writes the request to its file.
    fn write(&self, texts: &[&str]) -> Result<PathBuf, Error> {
        let text = self.request(texts)?;
        let folder = self.home.admin().join("signing");
        make_folder(&folder, PRIVATE)?;
        let path = folder.join(format!("{}.json", self.approver.id));
        durable::replace(&path, text.as_bytes(), 0o600).map_err(Error::io(&path))?;
        Ok(path)
    }

    fn answer(&self, path: &Path, texts: &[&str]) -> Result<String, Error> {
        let (id, path) = (&self.approver.id, path.display());
        match self.approver.passkey() {
            Some(key) => eprintln!(
                "`{id}` signs on another device: open {} there, and give it the file {path}",
                key.origin()
            ),
            None => eprintln!("`{id}` signs elsewhere: the signing page says how, given the file {path}"),
        }
        ahead::forget_typed_ahead();
        let questions = if std::io::stdin().is_terminal() { QUESTIONS } else { 1 };
        for _ in 0..questions {
            eprint!("the answer, pasted on one line, or the name of its file: ");
            let mut line = String::new();
            std::io::stdin().lock().read_line(&mut line).map_err(Error::step("reading the answer"))?;
            if line.is_empty() {
                break;
            }
            match self.judged(line.trim(), texts) {
                Ok(answer) => return Ok(answer),
                Err(why) => eprintln!("{why}"),
            }
        }
        Err(Error::refused(Fault::NotSigned(id.clone())))
    }

    /// An answer that holds for all of the texts.
    fn judged(&self, line: &str, texts: &[&str]) -> Result<String, Error> {
        let answer = match line.starts_with('{') {
            true if !line.ends_with('}') => {
                return Err(Error::usage(Fault::Incomplete));
            }
            true => line.to_owned(),
            false => read(Path::new(line))?,
        };
        for text in texts {
            self.approver.verify(&answer, text.as_bytes()).map_err(Error::refused)?;
        }
        Ok(answer)
    }
}

/// The answer in a file.
fn read(path: &Path) -> Result<String, Error> {
    let file = File::open(path).map_err(Error::io(path))?;
    let mut text = String::new();
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(Error::io(path))?;
    if text.len() as u64 > LARGEST {
        return Err(Error::usage(Fault::TooLong(path.to_owned())));
    }
    Ok(text.trim_end().to_owned())
}

impl Elsewhere for Remote {
    fn public_key(&self) -> &str {
        &self.approver.public_key
    }

    fn sign(&self, texts: &[&str]) -> Result<Vec<String>, Error> {
        if self.approver.is_passkey() {
            // One touch is for all of them.
            return self.ask(texts).map(|answer| vec![answer; texts.len()]);
        }
        texts.iter().map(|text| self.ask(&[text])).collect()
    }
}

impl<'a> ToSign<'a> {
    fn of(home: &Home, text: &'a str) -> Result<ToSign<'a>, Error> {
        let mut it = ToSign { text, package: None, action: None, before: None };
        if let Ok(decision) = serde_json::from_str::<Decision>(text) {
            it.package = Some(Parts::of(home, &decision)?);
        } else if let Ok(decision) = serde_json::from_str::<ActionDecision>(text) {
            let ledger = Ledger::read(home)?;
            let case = ledger.cases().waiting(&decision.id)?;
            it.action = Some(Asked { asked: case.asked_text(), judged: case.judged_text() });
        } else if let Ok(change) = serde_json::from_str::<Change>(text) {
            let before = approvers::file(home)?.changes.pop().map(|signed| signed.text);
            it.before = before.filter(|text| Some(Digest::of(text.as_bytes())) == change.previous);
        }
        Ok(it)
    }
}

impl Parts {
    /// The parts of the package that was decided on: of the proposal, or of the installed version.
    fn of(home: &Home, decision: &Decision) -> Result<Parts, Error> {
        let of_proposal = Package::of(home, &decision.proposal_id);
        let installed = Package::installed(home, &decision.name, decision.version);
        let whole = |package: &Package| package.path(Part::Module).exists();
        let package = if whole(&of_proposal) { of_proposal } else { installed };
        let report = package.decided_text(Part::Report, &decision.report_sha256)?;
        let read: Report = documents::yaml::from_own(&report).map_err(Error::integrity)?;
        Ok(Parts {
            spec: package.decided_text(Part::Spec, &decision.spec_sha256)?,
            source: package.decided_text(Part::Source, &decision.source_sha256)?,
            module: STANDARD.encode(package.decided(Part::Module, &decision.module_sha256)?),
            report,
            described: serde_json_canonicalizer::to_string(&read.described)?,
        })
    }
}
