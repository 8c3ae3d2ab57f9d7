//! Looks at every proposals folder and takes in what is new, each profile in its turn.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::config::Config;
use base::error::Error;
use base::failpoints::{Point, at};
use base::home::profiles;
use beneath::{Folder, Look, NotOpened};
use builder::workers::{self, ChildFault, Job};
use ledger::{IntakeRecord, Ledger, ProposalEvent, Received, Store};
use shared_types::id::{Digest, ProfileId, ProposalId};
use shared_types::proposal::{Document, Fault, Kind};
use shared_types::status::Status;

use super::flood::Buckets;
use super::late::Late;
use super::names::{Found, Sweep, WITHDRAWN, shown};
use super::open::Snapshot;
use super::share::{Aside, Left};
use crate::advance::advance;
use crate::intake::actions::{keep_action, withdraw as withdraw_action};
use base::log::Event;
use base::package::{Package, Part};

/// The most files that are looked at before the proposals that are there continue.
const MOST: usize = 64;
/// The most proposals that are taken in before those that are there continue: what is at work is few, and the rest waits.
const MOST_TAKEN: usize = 8;

/// How long a file that is not a proposal must have been unchanged before that is put on record.
const STILL: Duration = Duration::from_millis(250);
/// How long the intake rests after one that has not.
const PAUSE: Duration = Duration::from_millis(50);

/// How long no file is looked at after a child could not be had.
const REST: Duration = Duration::from_secs(20);

/// What the intake remembers while the service runs.
#[derive(Debug, Default)]
pub struct Intake {
    buckets: Buckets,
    sweeps: BTreeMap<ProfileId, Sweep>,
    aside: BTreeMap<ProfileId, Aside>,
    late: Late,
    told: bool,
    /// Until when no file is looked at, since nothing can read one.
    rests: Option<Instant>,
}

/// What a pass came to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    /// How many files were looked at.
    pub looked_at: usize,
    /// How many of them were new wishes for the driver; an action is not its matter.
    pub wishes: usize,
    /// Whether files wait because somebody wrote too many of them.
    pub held_back: bool,
}

/// What became of a document that was read.
enum IntakeOutcome {
    /// It is a proposal now, with the status `new`.
    Proposal(ProposalId),
    /// It is nothing new for the driver: a wish that is open already, or an action.
    Other,
    /// What speaks against it; nothing is kept.
    Faulty(Fault),
}

/// The files of one folder that are to be looked at.
struct Queue {
    profile: ProfileId,
    /// Among how many profiles the day's budgets are shared.
    sharing: usize,
    folder: Folder,
    names: VecDeque<OsString>,
}

/// Takes in what is new; the driver does it and, while a skill is made, the thread that waits for news. `beat` is called
/// before each file, since a hostile one may take a minute.
///
/// # Errors
/// Only what concerns the whole: the journal, the folders.
pub fn take_in(
    store: &Store,
    intake: &Mutex<Intake>,
    config: &Config,
    cancel: &AtomicBool,
    beat: &dyn Fn(),
) -> Result<Passed, Error> {
    intake.lock().unwrap_or_else(PoisonError::into_inner).pass(store, config, cancel, beat)
}

impl Intake {
    /// Takes in files that the journal does not know yet, as far as rates and the day's budget go, and notes what changed
    /// of those that it knows.
    ///
    /// A file that is not a proposal is recorded once with its faults and never looked at again.
    ///
    /// # Errors
    /// Only what concerns the whole: the journal, the folders.
    pub fn pass(
        &mut self,
        store: &Store,
        config: &Config,
        cancel: &AtomicBool,
        beat: &dyn Fn(),
    ) -> Result<Passed, Error> {
        let mut passed = Passed::default();
        if self.rests.is_some_and(|until| Instant::now() < until) {
            self.late.look(store)?;
            return Ok(passed);
        }
        self.rests = None;
        let mut queues = self.queues(store, config, &mut passed)?;
        let mut taken = 0;
        while !queues.is_empty() && self.rests.is_none() && !cancel.load(Ordering::Relaxed) {
            // One of each profile in turn, so that a flood in one folder starves no other.
            let mut rest = Vec::new();
            for mut queue in queues {
                let user = queue.folder.owner().unwrap_or_default();
                let enough = passed.looked_at == MOST || taken == MOST_TAKEN;
                let left = left_of(store, config, &queue.profile, queue.sharing);
                let over = enough
                    || !left.any()
                    || !self.buckets.take(&config.flood, user, &queue.profile, Instant::now());
                if over {
                    passed.held_back |= !enough;
                    continue;
                }
                let Some(name) = queue.names.pop_front() else { continue };
                beat();
                let is_new = self.one(store, &queue, &name, left, cancel)?;
                if self.rests.is_some() {
                    // Not counted as looked at: the caller would look again at once.
                    break;
                }
                passed.looked_at += 1;
                taken += usize::from(is_new);
                if !queue.names.is_empty() {
                    rest.push(queue);
                }
            }
            queues = rest;
        }
        self.late.look(store)?;
        if passed.held_back && !self.told {
            store.tell(&Event::FilesHeldBack {}, "more files of proposals are there than are looked at at once; the others wait for their turn");
        }
        self.told = passed.held_back;
        passed.wishes = taken;
        Ok(passed)
    }

    /// The files in the folders that are not known yet.
    fn queues(&mut self, store: &Store, config: &Config, passed: &mut Passed) -> Result<Vec<Queue>, Error> {
        let mut queues = Vec::new();
        let profiles = profiles(&store.home)?;
        self.sweeps.retain(|profile, _| profiles.contains(profile));
        self.aside.retain(|profile, _| profiles.contains(profile));
        let sharing = profiles.len();
        for profile in profiles {
            let folder = match store.home.proposals(&profile).folder() {
                Ok(Some(folder)) => folder,
                Ok(None) => continue,
                Err(e) => {
                    store.tell(
                        &Event::FolderUnread { profile: &profile },
                        &format!("proposals of `{profile}`: {e}"),
                    );
                    continue;
                }
            };
            let sweep = self.sweeps.entry(profile.clone()).or_default();
            let (aside, left) = (self.aside.get(&profile), left_of(store, config, &profile, sharing));
            let mut held_back = false;
            let fresh = |names: Vec<OsString>| {
                let mut names = names;
                {
                    let ledger = store.ledger();
                    names.retain(|name| !ledger.knows_file(&profile, &shown(name)));
                }
                let before = names.len();
                names.retain(|name| !aside.is_some_and(|a| a.holds(name, || folder.look(name), left)));
                held_back |= names.len() < before;
                names
            };
            let Found { new, withdrawn, more } = match sweep.next(&folder, MOST, fresh) {
                Ok(found) => found,
                Err(e) => {
                    store.tell(
                        &Event::FolderUnread { profile: &profile },
                        &format!("proposals of `{profile}`: {e}"),
                    );
                    continue;
                }
            };
            passed.held_back |= held_back || (more && new.is_empty());
            for name in withdrawn {
                withdraw(store, &profile, &folder, &name)?;
                withdraw_action(store, &profile, &folder, &name)?;
            }
            if !new.is_empty() {
                queues.push(Queue { profile, sharing, folder, names: new.into() });
            }
        }
        Ok(queues)
    }

    /// Looks at one file and records what it is; answers whether it is a new proposal.
    fn one(
        &mut self,
        store: &Store,
        queue: &Queue,
        name: &OsString,
        left: Left,
        cancel: &AtomicBool,
    ) -> Result<bool, Error> {
        let (profile, file) = (&queue.profile, shown(name));
        let snapshot = match Snapshot::read(&queue.folder, name) {
            Ok(snapshot) => snapshot,
            Err(NotOpened::Gone) => return Ok(false),
            Err(why @ NotOpened::NotYet(_)) => {
                store.tell(
                    &Event::FileWaits { profile, file: &file },
                    &format!("proposals/{profile}/{file} waits: it {why}"),
                );
                return Ok(false);
            }
            Err(refusal) if left.allows(Kind::Skill) => {
                refuse(store, profile, file, None, vec![Fault::new("", refusal.to_string())])?;
                return Ok(false);
            }
            Err(_) => return Ok(self.set_aside(queue, name, queue.folder.look(name), Kind::Skill)),
        };
        let look = Some(snapshot.look);
        let parsed = parse(&snapshot, cancel);
        if parsed.is_ok() {
            store.children_run();
        }
        match parsed {
            Ok(Ok(document)) if !left.allows(document.proposal.kind) => {
                Ok(self.set_aside(queue, name, look, document.proposal.kind))
            }
            Ok(Ok(document)) => match keep(store, profile, file.clone(), document, &snapshot, cancel)? {
                IntakeOutcome::Proposal(id) => {
                    self.late.read(id, snapshot.look);
                    Ok(true)
                }
                IntakeOutcome::Other => Ok(false),
                IntakeOutcome::Faulty(_) if !left.allows(Kind::Skill) => {
                    Ok(self.set_aside(queue, name, look, Kind::Skill))
                }
                IntakeOutcome::Faulty(fault) => {
                    refuse(store, profile, file, Some(snapshot.digest), vec![fault])?;
                    Ok(false)
                }
            },
            // It may not be written to its end yet: a fault counts once the file was left unchanged for a moment.
            Ok(Err(_)) if snapshot.look.is_younger_than(STILL) => {
                std::thread::sleep(PAUSE);
                Ok(false)
            }
            Ok(Err(_)) if !left.allows(Kind::Skill) => Ok(self.set_aside(queue, name, look, Kind::Skill)),
            Ok(Err(faults)) => {
                refuse(store, profile, file, Some(snapshot.digest), faults)?;
                Ok(false)
            }
            Err(ChildFault::Cancelled) => Ok(false),
            // The fault is this machine's, for every file alike: all stay where they are and are looked at again.
            Err(fault @ ChildFault::NoJail(_)) => {
                self.rests = Some(Instant::now() + REST);
                store.children_wait(&fault.to_string());
                Ok(false)
            }
            Err(fault) => {
                self.rests = Some(Instant::now() + REST);
                store.tell(
                    &Event::FileWaits { profile, file: &file },
                    &format!("proposals/{profile}/{file} waits: {fault}"),
                );
                Ok(false)
            }
        }
    }

    /// Leaves a file where it is, with nothing on record, until its profile has room for its kind again, or it is another
    /// than the one that was read.
    fn set_aside(&mut self, queue: &Queue, name: &OsString, look: Option<Look>, kind: Kind) -> bool {
        self.aside.entry(queue.profile.clone()).or_default().put(name.clone(), look, kind);
        false
    }
}

/// What is left of a profile's day.
fn left_of(store: &Store, config: &Config, profile: &ProfileId, sharing: usize) -> Left {
    Left::of(store.ledger().looked_today(profile), &config.budgets, sharing)
}

/// Parses a snapshot in a confined child.
///
/// # Errors
/// The outer: no jail, or cancelled. The inner: every fault of the text in one pass; that the parser died on it is one.
pub fn parse(snapshot: &Snapshot, cancel: &AtomicBool) -> Result<Result<Document, Vec<Fault>>, ChildFault> {
    match workers::run(Job::Parse, snapshot.text.as_bytes(), cancel) {
        Err(fault) if fault.blames_input() => {
            Ok(Err(vec![Fault::new("", format!("the parser did not come to an end: {fault}"))]))
        }
        other => other,
    }
}

fn refuse(
    store: &Store,
    profile: &ProfileId,
    file: String,
    digest: Option<Digest>,
    faults: Vec<Fault>,
) -> Result<(), Error> {
    let first = faults.first().map(ToString::to_string).unwrap_or_default();
    store.tell(
        &Event::FileRefused { profile, file: &file },
        &format!("proposals/{profile}/{file} is refused: {first}"),
    );
    let id = ProposalId::generate();
    store.ledger().append(IntakeRecord::Refused { id, profile: profile.clone(), file, digest, faults })?;
    at(Point::IntakeFaults);
    Ok(())
}

/// Receives a document: keeps what it is on record, or answers what speaks against it. What follows is the driver's.
fn keep(
    store: &Store,
    profile: &ProfileId,
    file: String,
    document: Document,
    snapshot: &Snapshot,
    cancel: &AtomicBool,
) -> Result<IntakeOutcome, Error> {
    let mut proposal = document.proposal;
    let digest = snapshot.digest.clone();
    if proposal.profile_id != *profile {
        let message = format!("says `{}`, but the file is in the folder of `{profile}`", proposal.profile_id);
        return Ok(IntakeOutcome::Faulty(Fault::new("proposal.profile_id", message)));
    }
    let known = {
        let ledger = store.ledger();
        ledger.ticket(&proposal.id).is_some() || ledger.cases().case(&proposal.id).is_some()
    };
    if known {
        return Ok(IntakeOutcome::Faulty(Fault::new("proposal.id", "another proposal has this id")));
    }
    if proposal.kind == Kind::Action {
        proposal.profile_id = profile.clone();
        let fault = keep_action(store, profile, file, proposal, digest, cancel)?;
        return Ok(fault.map_or(IntakeOutcome::Other, IntakeOutcome::Faulty));
    }
    let mut ledger = store.ledger();
    // A skill's name is one for the whole home, so what is asked for is the same for every profile that asks.
    // What is installed is the first wish as a person saw it; the others only say that more people want it.
    let open = ledger.tickets().find(|t| t.proposal().name == proposal.name && !t.status().is_settled());
    if let Some(open) = open.map(|t| t.id().clone()) {
        let event = Event::FileRecurs { profile, file: &file, proposal: &open };
        store.tell(&event, &format!("proposals/{profile}/{file} asks for what is open already as {open}"));
        ledger.append(ProposalEvent::Recurred { profile: profile.clone(), file, digest }.of(&open))?;
        return Ok(IntakeOutcome::Other);
    }
    proposal.profile_id = profile.clone();
    at(Point::IntakeBefore);
    let package = Package::of(&store.home, &proposal.id);
    package.make()?;
    package.keep(Part::Spec, snapshot.text.as_bytes())?;
    at(Point::IntakeKept);
    let taken = Received { proposal, profile: profile.clone(), file, spec_sha256: digest, given: None };
    let id = taken.proposal.id.clone();
    ledger.append(IntakeRecord::Taken(Box::new(taken)))?;
    at(Point::IntakeRecorded);
    // The record counts; a mirror for which there is no room now is written at the next move.
    match mirror(store, &ledger, &id) {
        Err(error) if error.wants_room() => {
            store.tell(&Event::ProposalFailed { proposal: &id }, &format!("{id}: {error}"));
        }
        other => other?,
    }
    at(Point::IntakeMirrored);
    Ok(IntakeOutcome::Proposal(id))
}

/// Ends a proposal that has a `.withdrawn` file beside it. From human-review on it is a person's.
fn withdraw(store: &Store, profile: &ProfileId, folder: &Folder, name: &OsString) -> Result<(), Error> {
    let shown = shown(name);
    let Some(stem) = shown.strip_suffix(&*String::from_utf8_lossy(WITHDRAWN)) else { return Ok(()) };
    let file = format!("{stem}.yaml");
    let mut ledger = store.ledger();
    let open = ledger.tickets().find(|t| {
        let before_a_person = !t.status().is_settled() && t.status() != Status::HumanReview;
        t.taken().profile == *profile && t.taken().file == file && before_a_person
    });
    let Some(id) = open.map(|t| t.id().clone()) else { return Ok(()) };
    if folder.check(name).is_err() {
        return Ok(());
    }
    store.tell(
        &Event::FileWithdrawn { profile, file: &file, proposal: &id },
        &format!("proposals/{profile}/{file} is withdrawn"),
    );
    advance(&mut ledger, &id, Status::Rejected, "proposer", Some("withdrawn".to_owned()))?;
    mirror(store, &ledger, &id)
}

fn mirror(store: &Store, ledger: &Ledger, id: &ProposalId) -> Result<(), Error> {
    match ledger.ticket(id) {
        Some(ticket) => ledger::mirror(&store.home, ticket),
        None => Ok(()),
    }
}
