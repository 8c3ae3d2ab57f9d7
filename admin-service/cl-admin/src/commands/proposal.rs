//! `cl-admin proposal check`

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use actions::judge::judge;
use base::error::Error;
use base::home::Home;
use beneath::{Folder, NotOpened};
use ledger::Ledger;
use ledger::judgement::Verdict;
use pipeline::intake::names;
use pipeline::intake::open::Snapshot;
use pipeline::intake::take::parse;
use serde_json::json;
use shared_types::action::Action;
use shared_types::proposal::{Fault, Proposal};

use crate::commands::out::{self, outln};

/// Work with proposal files
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    Check(Args),
}

/// Say whether proposal files would pass intake, and if not, why; nothing is taken in.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object a line, a line per file
    #[arg(long)]
    json: bool,
}

/// Checks the files; exit 3 when one would be refused.
///
/// # Errors
/// A file that cannot be read at all.
pub fn run(home: Option<&Home>, verb: &Verb) -> Result<u8, Error> {
    let Verb::Check(args) = verb;
    let mut worst = shared_types::exit::DONE;
    for path in &args.files {
        let faults = match check(home, path)? {
            Ok(name) => {
                if args.json {
                    out::json(&json!({"file": shown(path), "valid": true, "name": name, "faults": []}));
                } else {
                    outln!("{}: valid ({name})", shown(path));
                }
                continue;
            }
            Err(faults) => faults,
        };
        worst = shared_types::exit::REFUSED;
        if args.json {
            out::json(&json!({"file": shown(path), "valid": false, "faults": faults}));
        } else {
            outln!("{}: refused", shown(path));
            for fault in &faults {
                outln!("  {fault}");
            }
        }
    }
    Ok(worst)
}

/// The path as it can be printed.
fn shown(path: &Path) -> String {
    names::shown(path.as_os_str())
}

/// Opens and parses a file as the intake does; only its owner and its profile's folder are not checked.
fn check(home: Option<&Home>, path: &Path) -> Result<Result<String, Vec<Fault>>, Error> {
    let whole = |message: String| Ok(Err(vec![Fault::new("", message)]));
    let Some(name) = path.file_name() else {
        return whole("is not a regular file".to_owned());
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let gone = || Error::io(path)(std::io::ErrorKind::NotFound.into());
    let read = Folder::open(folder).and_then(|folder| Snapshot::read(&folder, name));
    let snapshot = match read {
        Ok(snapshot) => snapshot,
        Err(NotOpened::Gone) => return Err(gone()),
        Err(why @ NotOpened::NotYet(_)) => return Err(Error::NotOpened { path: path.to_owned(), why }),
        Err(refusal) => return whole(refusal.to_string()),
    };
    match parse(&snapshot, &AtomicBool::new(false)) {
        Ok(Err(faults)) => Ok(Err(faults)),
        Ok(Ok(document)) => {
            if let Some(action) = &document.proposal.action {
                return Ok(judged(home, &document.proposal, action));
            }
            let name = document.proposal.name;
            if ledger::manifest::shipped_builtin()?.iter().any(|b| b.name == name) {
                let message =
                    format!("`{name}` is the name of a built-in skill; ask again under another name");
                return Ok(Err(vec![Fault::new("proposal.name", message)]));
            }
            Ok(Ok(name.to_string()))
        }
        Err(fault) => Err(Error::failed(fault)),
    }
}

/// What would become of an action, by the profile that it names; without a home only its form is looked at.
fn judged(home: Option<&Home>, proposal: &Proposal, action: &Action) -> Result<String, Vec<Fault>> {
    let name = &proposal.name;
    let Some(home) = home else { return Ok(name.to_string()) };
    // A user who may not read the journal reads what holds without any standing permission.
    let ledger = Ledger::read(home).ok();
    let allowances = ledger.iter().flat_map(|ledger| ledger.cases().allowances().values());
    let judged = judge(home, &proposal.profile_id, action, allowances);
    match judged.verdict {
        Verdict::Refused => {
            Err(vec![Fault::new("proposal.action", format!("{}: {}", judged.rule, judged.why))])
        }
        Verdict::Asks => Ok(format!("{name}, which waits for a person: {}", judged.rule)),
        Verdict::Runs => Ok(format!("{name}, which runs: {}", judged.rule)),
    }
}
