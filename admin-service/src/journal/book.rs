//! The state that follows from the journal; appended to and replayed by the same rules.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use shared_types::home::Home;
use shared_types::id::{ProfileId, ProposalId, SkillName};
use shared_types::manifest::{Builtin, Learned};

use super::people::{Countersigned, People};
use super::record::Record;
use crate::error::Error;
use crate::pipeline::ticket::Ticket;

/// A line of the journal: a record with its time.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    at: String,
    #[serde(flatten)]
    record: Record,
}

/// A file that was no proposal.
#[derive(Debug, Clone)]
pub struct RefusedFile {
    /// The journal's identifier for it.
    pub id: ProposalId,
    /// The folder.
    pub profile: ProfileId,
    /// The name.
    pub file: String,
    /// What is wrong, a line each.
    pub faults: Vec<String>,
    /// When it was looked at.
    pub at: String,
}

/// Every proposal and every active skill, as the journal tells it.
#[derive(Debug)]
pub struct Book {
    log: Option<durable::ChainedLog>,
    state: State,
}

#[derive(Debug, Default)]
struct State {
    tickets: BTreeMap<ProposalId, Ticket>,
    refused: Vec<RefusedFile>,
    folded: BTreeSet<(ProfileId, String)>,
    builtin: Vec<Builtin>,
    active: BTreeMap<SkillName, Learned>,
    versions: BTreeMap<SkillName, u32>,
    people: People,
    serial: u64,
    changed_at: String,
    last_at: String,
}

impl Book {
    /// Opens the journal for writing and replays it; only the holder of the service's lock may do that.
    ///
    /// # Errors
    /// A chain that does not hold, or a file that cannot be read.
    pub fn open(home: &Home) -> Result<Book, Error> {
        let path = home.journal();
        if let Some(folder) = path.parent() {
            crate::install::make_folder(folder, crate::install::PRIVATE)?;
        }
        let log = durable::ChainedLog::open(&path).map_err(chain_error)?;
        let state = State::replay(home)?;
        Ok(Book { log: Some(log), state })
    }

    /// Replays the journal for reading only.
    ///
    /// # Errors
    /// A chain that does not hold, or a file that cannot be read.
    pub fn read(home: &Home) -> Result<Book, Error> {
        Ok(Book { log: None, state: State::replay(home)? })
    }

    /// Appends a record, synced to disk, and then lets the state follow.
    ///
    /// # Errors
    /// A full or failing disk; then nothing has changed.
    pub fn append(&mut self, record: Record) -> Result<(), Error> {
        let Some(log) = self.log.as_mut() else {
            return Err(Error::Failed("the journal was opened for reading only".into()));
        };
        let entry = Entry { at: now(), record };
        log.append(&entry).map_err(chain_error)?;
        self.state.apply(entry);
        Ok(())
    }

    /// Every proposal that was taken in, in the order of their ids, which is that of their making.
    pub fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        self.state.tickets.values()
    }

    /// One proposal.
    pub fn ticket(&self, id: &ProposalId) -> Option<&Ticket> {
        self.state.tickets.get(id)
    }

    /// The proposal with that id, id prefix or name; the open one when several share a name.
    ///
    /// # Errors
    /// None or several that fit.
    pub fn find(&self, word: &str) -> Result<&Ticket, Error> {
        let fits = |t: &&Ticket| {
            t.id().as_str() == word
                || t.proposal().name.as_str() == word
                || (word.len() >= 8 && t.id().as_str().starts_with(word))
        };
        let mut found: Vec<&Ticket> = self.tickets().filter(fits).collect();
        if found.len() > 1 {
            let open: Vec<&Ticket> = found.iter().copied().filter(|t| !t.status().is_settled()).collect();
            if open.len() == 1 {
                found = open;
            }
        }
        match found.as_slice() {
            [] => Err(Error::NotFound(shared_types::text::cut(word, 60))),
            [one] => Ok(one),
            many => Err(Error::Ambiguous {
                name: word.to_owned(),
                ids: many.iter().map(|t| t.id().as_str()).collect::<Vec<_>>().join(" "),
            }),
        }
    }

    /// Files that were no proposals.
    pub fn refused(&self) -> &[RefusedFile] {
        &self.state.refused
    }

    /// The names of the files in a folder that were looked at already.
    pub fn known_files(&self, profile: &ProfileId) -> BTreeSet<String> {
        let taken = self.state.tickets.values().map(|t| (&t.taken().profile, &t.taken().file));
        let refused = self.state.refused.iter().map(|r| (&r.profile, &r.file));
        let folded = self.state.folded.iter().map(|(p, file)| (p, file));
        taken.chain(refused).chain(folded).filter(|(p, _)| *p == profile).map(|(_, f)| f.clone()).collect()
    }

    /// The built-in skills that are switched on.
    pub fn builtin(&self) -> &[Builtin] {
        &self.state.builtin
    }

    /// The active learned skills.
    pub fn active(&self) -> &BTreeMap<SkillName, Learned> {
        &self.state.active
    }

    /// The highest version that a skill of this name ever had; 0 for none.
    pub fn highest_version(&self, name: &SkillName) -> u32 {
        self.state.versions.get(name).copied().unwrap_or(0)
    }

    /// When the last record was written, in RFC 3339; empty without any.
    pub fn last_at(&self) -> &str {
        &self.state.last_at
    }

    /// Who may decide, and with which codes.
    pub fn people(&self) -> &People {
        &self.state.people
    }

    /// The manifest's serial.
    pub fn serial(&self) -> u64 {
        self.state.serial
    }

    /// When the manifest last changed, in RFC 3339.
    pub fn changed_at(&self) -> &str {
        &self.state.changed_at
    }
}

impl State {
    fn replay(home: &Home) -> Result<State, Error> {
        let path = home.journal();
        let mut state = State::default();
        if !path.exists() {
            return Ok(state);
        }
        for link in durable::replay(&path).map_err(chain_error)? {
            let (sequence, value) = link.map_err(chain_error)?;
            let entry: Entry = serde_json::from_value(value)
                .map_err(|e| Error::Integrity(format!("{}: record {sequence}: {e}", path.display())))?;
            state.apply(entry);
        }
        Ok(state)
    }

    fn apply(&mut self, entry: Entry) {
        let at = entry.at;
        self.last_at.clone_from(&at);
        match entry.record {
            Record::Builtins { builtin } => {
                self.builtin = builtin;
                self.raise(at);
            }
            Record::Taken(taken) => {
                self.tickets.insert(taken.proposal.id.clone(), Ticket::new(*taken, at));
            }
            Record::Refused { id, profile, file, digest: _, faults } => {
                let faults = faults.iter().map(ToString::to_string).collect();
                self.refused.push(RefusedFile { id, profile, file, faults, at });
            }
            Record::Installed { id, entry } => {
                self.versions.insert(entry.name.clone(), entry.version);
                self.active.insert(entry.name.clone(), *entry.clone());
                self.raise(at.clone());
                self.on_ticket(&id.clone(), at, Record::Installed { id, entry });
            }
            Record::Uninstalled { name } => {
                self.active.remove(&name);
                self.raise(at);
            }
            // Told for whoever reads the journal; the files themselves are what holds.
            Record::ProfileAdded { .. } | Record::ProfileRemoved { .. } | Record::PassphraseSet { .. } => {}
            Record::Recurred { id, profile, file, digest } => {
                self.folded.insert((profile.clone(), file.clone()));
                self.on_ticket(&id.clone(), at, Record::Recurred { id, profile, file, digest });
            }
            Record::ApproversChanged { ref countersigned, .. }
            | Record::Countersigned { ref countersigned } => {
                for ticket in self.tickets.values_mut() {
                    ticket.void_first_yes("the approvers changed");
                }
                self.people.follow(&at, &entry.record);
                if !countersigned.is_empty() {
                    self.countersign(countersigned);
                    self.raise(at);
                }
            }
            record @ (Record::CodesSet { .. }
            | Record::CodesRemoved { .. }
            | Record::CodeUsed { .. }
            | Record::CodeWrong { .. }) => self.people.follow(&at, &record),
            record @ (Record::Moved { .. }
            | Record::Waits { .. }
            | Record::Written { .. }
            | Record::Wanting { .. }
            | Record::Reviewed { .. }
            | Record::FirstYes { .. }
            | Record::Decided { .. }) => {
                if let Some(id) = subject(&record) {
                    self.on_ticket(&id, at, record);
                }
            }
        }
    }

    fn on_ticket(&mut self, id: &ProposalId, at: String, record: Record) {
        if let Some(ticket) = self.tickets.get_mut(id) {
            ticket.follow(at, record);
        }
    }

    fn countersign(&mut self, countersigned: &[Countersigned]) {
        for Countersigned { skill, by } in countersigned {
            if let Some(entry) = self.active.get_mut(skill) {
                entry.decision.others.retain(|other| other.approver != by.approver);
                entry.decision.others.push(by.clone());
            }
        }
    }

    fn raise(&mut self, at: String) {
        self.serial += 1;
        self.changed_at = at;
    }
}

fn subject(record: &Record) -> Option<ProposalId> {
    match record {
        Record::Moved { id, .. }
        | Record::Waits { id, .. }
        | Record::Written { id, .. }
        | Record::Wanting { id, .. }
        | Record::Reviewed { id, .. }
        | Record::FirstYes { id, .. }
        | Record::Decided { id, .. }
        | Record::Installed { id, .. } => Some(id.clone()),
        _ => None,
    }
}

fn chain_error(error: durable::ChainError) -> Error {
    match error {
        durable::ChainError::Io { path, source } => Error::Io { path, source },
        other => Error::Integrity(format!("the journal: {other}")),
    }
}

/// The present time in RFC 3339, to the millisecond.
pub(crate) fn now() -> String {
    let now = jiff::Timestamp::now();
    format!("{now:.3}")
}
