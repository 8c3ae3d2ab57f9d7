//! Looks at every proposals folder and takes in what is new.

use std::ffi::OsStr;
use std::fs;
use std::sync::atomic::AtomicBool;

use shared_types::home::Home;
use shared_types::id::{ProfileId, ProposalId};
use shared_types::proposal::{Document, Fault};

use super::open::{Folder, Snapshot};
use crate::children::{self, ChildFault, Job};
use crate::error::Error;
use crate::journal::{Book, Record, Taken};
use crate::service::Shared;

/// Takes in every file that the journal does not know yet; answers how many.
///
/// A file that is no proposal is recorded once with its faults and never looked at again.
///
/// # Errors
/// Only what concerns the whole: the journal, the folders.
pub fn take_new(shared: &Shared, cancel: &AtomicBool) -> Result<usize, Error> {
    let mut taken = 0;
    for profile in profiles(&shared.home)? {
        let path = shared.home.proposals(&profile);
        let folder = match Folder::open(&path) {
            Ok(Some(folder)) => folder,
            Ok(None) => continue,
            Err(e) => {
                shared.say(&format!("proposals of `{profile}`: {e}"));
                continue;
            }
        };
        let known = shared.book().known_files(&profile);
        for name in folder.names(|name| !known.contains(&shown_name(name)))? {
            let shown = shown_name(&name);
            let read = folder.read(&name).map_err(|e| (None, vec![Fault::new("", e.to_string())]));
            let parsed = match read {
                Err(refusal) => Err(refusal),
                Ok(snapshot) => match parse(&snapshot, cancel) {
                    Ok(Ok(document)) => Ok((document, snapshot)),
                    Ok(Err(faults)) => Err((Some(snapshot.digest), faults)),
                    Err(fault) => {
                        // The fault is ours: the file stays where it is and is looked at again.
                        shared.say(&format!("proposals/{profile}/{shown} waits: {fault}"));
                        continue;
                    }
                },
            };
            match parsed {
                Ok((document, snapshot)) => keep(shared, &profile, shown, document, &snapshot)?,
                Err((digest, faults)) => {
                    shared.say(&format!("proposals/{profile}/{shown} is refused: {}", faults[0]));
                    let id = ProposalId::generate();
                    shared.book().append(Record::Refused {
                        id,
                        profile: profile.clone(),
                        file: shown,
                        digest,
                        faults,
                    })?;
                }
            }
            taken += 1;
        }
    }
    Ok(taken)
}

/// A file's name as the journal keeps it: safe to show, and never cut, so that no two become one.
fn shown_name(name: &OsStr) -> String {
    shared_types::text::line(&name.to_string_lossy())
}

/// Parses a snapshot in a confined child.
///
/// # Errors
/// The outer: no jail, or cancelled. The inner: every fault of the text in one pass; that the parser died on it is one.
pub fn parse(snapshot: &Snapshot, cancel: &AtomicBool) -> Result<Result<Document, Vec<Fault>>, ChildFault> {
    match children::run(Job::Parse, snapshot.text.as_bytes(), cancel) {
        Err(fault) if fault.blames_input() => {
            Ok(Err(vec![Fault::new("", format!("the parser did not come to an end: {fault}"))]))
        }
        other => other,
    }
}

fn keep(
    shared: &Shared,
    profile: &ProfileId,
    file: String,
    document: Document,
    snapshot: &Snapshot,
) -> Result<(), Error> {
    let mut proposal = document.proposal;
    let mut book = shared.book();
    let wrong_folder = proposal.profile_id != *profile;
    let known = book.ticket(&proposal.id).is_some();
    if wrong_folder || known {
        let fault = if wrong_folder {
            Fault::new(
                "proposal.profile_id",
                format!("says `{}`, but the file lies in the folder of `{profile}`", proposal.profile_id),
            )
        } else {
            Fault::new("proposal.id", "another proposal has this id")
        };
        let digest = Some(snapshot.digest.clone());
        let id = ProposalId::generate();
        return book.append(Record::Refused {
            id,
            profile: profile.clone(),
            file,
            digest,
            faults: vec![fault],
        });
    }
    proposal.profile_id = profile.clone();
    let folder = shared.home.package(&proposal.id);
    crate::install::make_folder(&folder, crate::install::PRIVATE)?;
    let path = folder.join("proposal.yaml");
    durable::replace(&path, snapshot.text.as_bytes(), 0o600).map_err(Error::io(&path))?;
    let spec_sha256 = snapshot.digest.clone();
    let taken = Taken { proposal, profile: profile.clone(), file, spec_sha256, given: None };
    let id = taken.proposal.id.clone();
    book.append(Record::Taken(Box::new(taken)))?;
    mirror(shared, &book, &id)
}

fn mirror(shared: &Shared, book: &Book, id: &ProposalId) -> Result<(), Error> {
    match book.ticket(id) {
        Some(ticket) => crate::journal::mirror(&shared.home, ticket),
        None => Ok(()),
    }
}

/// The profiles that have a proposals folder; other names in there are passed over.
///
/// # Errors
/// A folder that cannot be listed.
pub fn profiles(home: &Home) -> Result<Vec<ProfileId>, Error> {
    let path = home.all_proposals();
    let entries = match fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        Err(e) => return Err(Error::io(&path)(e)),
    };
    let mut found: Vec<ProfileId> =
        entries.filter_map(Result::ok).filter_map(|e| e.file_name().to_str()?.parse().ok()).collect();
    found.sort();
    Ok(found)
}
