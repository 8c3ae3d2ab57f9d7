//! What a person may ask of an installed skill, done where the journal is written.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::AtomicBool;

use base::config::Config;
use base::error::Error;
use base::failpoints::{Point, at};
use base::home::Home;
use builder::workers::{self, ChildFault, Job, Trial};
use ledger::statements::Signed;
use ledger::statements::removal::Removal;
use ledger::{Given, IntakeRecord, Ledger, Received, Store, manifest, mirror, past, reserve};
use shared_types::id::{ApproverId, Digest, ProfileId, ProposalId, SkillName};
use shared_types::proposal::{Document, Fault as KeyFault, Proposal};

use crate::advance;
use crate::agent_review::weigh_again;
use crate::implement::kept_trials;
use crate::lifecycle::export::{Checked, Wrong};
use crate::removal::HumanRemoval;
use base::log::Event;
use base::package::{Package, Part};

/// Why a skill is not brought in or back.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("version {version} of `{name}` is the one that is installed")]
    Present { name: SkillName, version: u32 },
    #[error("`{name}` has no version before {present}")]
    NoneBefore { name: SkillName, present: u32 },
    #[error("the file cannot be read: {0}")]
    Unread(ChildFault),
    #[error("the file: {0}")]
    Lies(String),
    #[error("the file does not describe a skill:{}", .0.iter().map(|fault| format!("\n  {fault}")).collect::<String>())]
    NoSkill(Vec<KeyFault>),
    #[error("there is no profile `{0}`; `cl-admin profile list` shows them")]
    NoProfile(ProfileId),
    #[error("`{name}` has an open proposal already ({id}): decide that first")]
    Open { id: ProposalId, name: SkillName },
    #[error("`{0}` is the name of a part of the bot itself")]
    BuiltIn(SkillName),
}

/// Takes a skill away by a person's signed word; answers in words.
///
/// # Errors
/// A word that is refused, or a failing disk; what was recorded is ended by the next pass.
pub fn remove(store: &Store, signed: &Signed<Removal>, code: Option<&str>) -> Result<String, Error> {
    let (name, version) = {
        let mut ledger = store.ledger();
        let removal = HumanRemoval::mint(&ledger, signed)?;
        let (name, version) = removal.subject();
        reserve::spend(&store.home, || codes::spend(&store.home, &mut ledger, removal.approver(), code))?;
        advance::remove(&mut ledger, removal)?;
        at(Point::RemoveRecorded);
        (name, version)
    };
    finish_removed(store)?;
    // What waits may have counted on it.
    weigh_again(store, &Config::read(&store.home)?)?;
    store.tell(
        &Event::SkillRemoved { skill: &name, version: &version },
        &format!("{name} version {version} is removed"),
    );
    Ok(format!("{name} version {version} is removed; a running chat drops it at its next empty prompt"))
}

/// Ends removals, those that a crash cut off too: the manifest, the modules, the proposals, their mirrors.
///
/// # Errors
/// A journal or manifest that cannot be written.
pub fn finish_removed(store: &Store) -> Result<(), Error> {
    let mut ledger = store.ledger();
    let due = |ledger: &Ledger| {
        ledger
            .tickets()
            .any(|t| t.status() == shared_types::status::Status::Accepted && t.removed().is_some())
    };
    if !due(&ledger) {
        return Ok(());
    }
    // Nothing may load the module any more before the proposal says that it is removed; what a crash cuts off is done again.
    manifest::publish(&store.home, &ledger)?;
    at(Point::RemovePublished);
    let gone: BTreeSet<SkillName> = ledger
        .tickets()
        .filter(|t| t.removed().is_some() && !ledger.active().contains_key(&t.proposal().name))
        .map(|t| t.proposal().name.clone())
        .collect();
    for name in &gone {
        drop_modules(store, name);
    }
    at(Point::RemoveDropped);
    for id in advance::end_removals(&mut ledger)? {
        if let Some(ticket) = ledger.ticket(&id) {
            mirror(&store.home, ticket)?;
        }
    }
    at(Point::RemoveMirrored);
    Ok(())
}

/// Takes the modules of a removed skill off the disk; source and decision stay, so that it can be brought back.
fn drop_modules(store: &Store, name: &SkillName) {
    let folder = store.home.skills().join(name.as_str());
    match fs::remove_dir_all(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            store.tell(
                &Event::ModulesLeft { skill: name },
                &format!("{}: {e}; no manifest names it any more", folder.display()),
            );
        }
        _ => {}
    }
}

/// Hands in the kept source of an earlier version, to be reviewed as any other; answers in words.
///
/// # Errors
/// An unknown version, what is kept is not what was decided on, or the skill has an open proposal.
pub fn roll_back(store: &Store, name: &SkillName, to: Option<u32>, by: &ApproverId) -> Result<String, Error> {
    let mut ledger = store.ledger();
    not_built_in(&ledger, name)?;
    let present = ledger.active().get(name).map(|l| l.version);
    let wanted = match to {
        Some(version) => version,
        None => before(&ledger, name, present)?,
    };
    let past = past::version(&ledger, name, wanted)?;
    if Some(wanted) == present {
        return Err(Error::refused(Fault::Present { name: name.clone(), version: wanted }));
    }
    let kept = past.kept(&store.home)?;
    let given = Given {
        by: by.clone(),
        author: format!("rollback to version {wanted}"),
        source_sha256: Digest::of(kept.source.as_bytes()),
        module_sha256: Some(past.decision.module_sha256.clone()),
    };
    let (proposal, profile) = (past.ticket.proposal().clone(), past.ticket.taken().profile.clone());
    let handed = Handed { source: kept.source, examples: kept_trials(&store.home, past.ticket.id()), given };
    let id = hand_in(&store.home, &mut ledger, proposal, &profile, Some(handed))?;
    Ok(format!(
        "version {wanted} of {name} is proposed again as {id}; it is reviewed by today's rules, and then waits for a person"
    ))
}

/// The version to go back to when none is named: the one that the present one replaced, or the last one of a removed skill.
fn before(ledger: &Ledger, name: &SkillName, present: Option<u32>) -> Result<u32, Error> {
    let versions: Vec<u32> = past::versions(ledger, name).iter().map(|p| p.decision.version).collect();
    let Some(last) = versions.last() else { return Err(past::unknown(name)) };
    match present {
        None => Ok(*last),
        Some(present) => versions
            .iter()
            .copied()
            .rfind(|v| *v < present)
            .ok_or_else(|| Error::refused(Fault::NoneBefore { name: name.clone(), present })),
    }
}

/// Hands in a skill from elsewhere, to be reviewed as any other; answers in words.
///
/// # Errors
/// A text that is not an exported skill or whose digests are wrong, the name of a part of the bot, or an open proposal of
/// that name.
pub fn import(store: &Store, text: &str, profile: &ProfileId, by: &ApproverId) -> Result<String, Error> {
    let cancel = AtomicBool::new(false);
    let parsed: Result<Checked, Wrong> =
        workers::run(Job::Exported, text.as_bytes(), &cancel).map_err(|fault| {
            match fault.blames_input() {
                true => Error::refused(Fault::Unread(fault)),
                false => Error::failed(fault),
            }
        })?;
    let Checked { file, proposal } = match parsed {
        Ok(checked) => checked,
        Err(Wrong::Lies(what)) => return Err(Error::integrity(Fault::Lies(what))),
        Err(Wrong::Faults(faults)) => return Err(Error::refused(Fault::NoSkill(faults))),
    };
    check_profile(store, profile)?;
    let mut ledger = store.ledger();
    let given = Given {
        by: by.clone(),
        author: format!("imported, version {} there", file.version),
        source_sha256: file.source_sha256.clone(),
        module_sha256: Some(file.module_sha256.clone()),
    };
    let name = proposal.name.clone();
    let handed = Handed { source: file.source, examples: file.examples, given };
    let id = hand_in(&store.home, &mut ledger, proposal, profile, Some(handed))?;
    Ok(format!("{name} is proposed as {id}; it is reviewed as any other, and then waits for a person"))
}

/// A source that somebody hands in, with its author's examples.
struct Handed {
    source: String,
    examples: Vec<Trial>,
    given: Given,
}

/// Takes in a wish that a person hands in, such as one by examples, to be followed up as any other; answers in words.
///
/// # Errors
/// A profile that is not there, the name of a part of the bot, or an open proposal of that name.
pub fn learn(store: &Store, proposal: Proposal) -> Result<String, Error> {
    let profile = proposal.profile_id.clone();
    check_profile(store, &profile)?;
    let name = proposal.name.clone();
    let id = hand_in(&store.home, &mut store.ledger(), proposal, &profile, None)?;
    Ok(format!("{name} is proposed as {id}; `cl-admin list` says how far it is"))
}

fn check_profile(store: &Store, profile: &ProfileId) -> Result<(), Error> {
    if !store.home.profile_file(profile).is_file()
        && !matches!(store.home.proposals(profile).folder(), Ok(Some(_)))
    {
        return Err(Error::usage(Fault::NoProfile(profile.clone())));
    }
    Ok(())
}

/// Makes a proposal, with a source of its own where one is handed in: the files first, then the one record that makes it one.
fn hand_in(
    home: &Home,
    ledger: &mut Ledger,
    mut proposal: Proposal,
    profile: &ProfileId,
    handed: Option<Handed>,
) -> Result<ProposalId, Error> {
    not_built_in(ledger, &proposal.name)?;
    let open = |t: &&ledger::ticket::Ticket| t.proposal().name == proposal.name && !t.status().is_settled();
    if let Some(other) = ledger.tickets().find(open) {
        return Err(Error::refused(Fault::Open { id: other.id().clone(), name: proposal.name.clone() }));
    }
    let id = ProposalId::generate();
    proposal.id = id.clone();
    proposal.profile_id = profile.clone();
    if let Some(handed) = &handed {
        proposal.generated_by = shared_types::text::cut(&handed.given.author, 40);
    }
    proposal.generated_at = base::clock::now();
    let text =
        documents::yaml::to_string(&Document::new(proposal.clone())).map_err(Error::step("the proposal"))?;
    let package = Package::of(home, &id);
    package.make()?;
    package.keep(Part::Spec, text.as_bytes())?;
    if let Some(handed) = &handed {
        let examples = serde_json::to_vec(&handed.examples).map_err(Error::failed)?;
        package.keep(Part::Attempt(1), handed.source.as_bytes())?;
        package.keep(Part::Trials, &examples)?;
    }
    let taken = Received {
        proposal,
        profile: profile.clone(),
        file: String::new(),
        spec_sha256: Digest::of(text.as_bytes()),
        given: handed.map(|handed| handed.given),
    };
    ledger.append(IntakeRecord::Taken(Box::new(taken)))?;
    if let Some(ticket) = ledger.ticket(&id) {
        mirror(home, ticket)?;
    }
    Ok(id)
}

fn not_built_in(ledger: &Ledger, name: &SkillName) -> Result<(), Error> {
    if ledger.builtin().iter().any(|b| b.name == *name) {
        return Err(Error::refused(Fault::BuiltIn(name.clone())));
    }
    Ok(())
}
