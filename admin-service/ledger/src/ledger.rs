//! The state that follows from the journal; appended to and replayed by the same rules.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem;
use std::ops::Bound;
use std::path::Path;
use std::time::Instant;

use base::clock::now;
use base::config::gates::Gates;
use base::error::Error;
use base::error::journal::{Fault, Illegal};
use base::failpoints;
use base::home::Home;
use compose::graph::Node;
use compose::offers::Offer;
use durable::{ChainedLog, Place};
use receipts::head::Log;
use shared_types::id::{ProfileId, ProposalId, SkillName};
use shared_types::manifest::{Builtin, Learned};
use shared_types::proposal::{HistoryEntry, Kind};
use shared_types::status::Wait;

use super::alarms::Alarms;
use super::head::{self, Head};
use super::legal;
use super::people::People;
use super::plugins::Plugins;
use super::record::{
    ActionRecord, Countersigned, Entry, IntakeRecord, PeopleRecord, ProfileRecord, ProposalEvent,
    ProposalRecord, Record, RestoredRecord, ScheduleRecord, SkillRecord,
};
use super::spent::{Looked, Spending, Spent};
use crate::action_tickets::ActionTickets;
use crate::facts::Installed;
use crate::schedules::Schedules;
use crate::ticket::Ticket;

/// A journal to which nothing is appended.
#[derive(Debug, thiserror::Error)]
#[error("the journal was opened for reading only")]
struct ReadOnly;

/// Room that is taken behind the journal's end, in bytes; it is taken anew when half of it is used.
const AHEAD: u64 = 2 << 20;

/// A file that was not a proposal.
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

/// Every proposal and every active skill, as the journal tells it; empty until it is read.
#[derive(Debug, Default)]
pub struct Ledger {
    log: Option<ChainedLog>,
    /// Up to where the journal was read, as long as it is not open for writing.
    read_to: Place,
    published: Option<Head>,
    state: State,
    gates: Gates,
}

#[derive(Debug, Default)]
struct State {
    tickets: BTreeMap<ProposalId, Ticket>,
    refused: Vec<RefusedFile>,
    /// Every file that was looked at, regardless of what it was.
    files: HashMap<ProfileId, HashSet<String>>,
    spending: Spending,
    builtin: Vec<Builtin>,
    active: BTreeMap<SkillName, Learned>,
    versions: BTreeMap<SkillName, u32>,
    plugins: Plugins,
    people: People,
    alarms: Alarms,
    cases: ActionTickets,
    schedules: Schedules,
    /// Profiles whose configuration or data was taken away, and when.
    gone: BTreeMap<ProfileId, String>,
    serial: u64,
    changed_at: String,
    last_at: String,
}

impl Ledger {
    /// Opens the journal for writing and replays it; only the holder of the service's lock may do that.
    ///
    /// # Errors
    /// A chain that does not hold or ends before its published head, or a file that cannot be read.
    pub fn open(home: &Home) -> Result<Ledger, Error> {
        Ledger::default().open_on(home)
    }

    /// As [`Ledger::open`], for a ledger that was read: only what was written since is replayed.
    ///
    /// # Errors
    /// As [`Ledger::open`].
    pub fn open_on(mut self, home: &Home) -> Result<Ledger, Error> {
        let path = home.journal();
        if let Some(folder) = path.parent() {
            base::folders::make_folder(folder, base::folders::PRIVATE)?;
        }
        self.read_on(home)?;
        let mut log = ChainedLog::open_at(path, mem::take(&mut self.read_to)).map_err(chain_error)?;
        // A disk that is full already has room for this once there is some: it is tried again at each record.
        let _ = log.keep_ahead(AHEAD);
        self.log = Some(log);
        Ok(self)
    }

    /// Replays the journal for reading only.
    ///
    /// # Errors
    /// As [`Ledger::open`].
    pub fn read(home: &Home) -> Result<Ledger, Error> {
        let mut ledger = Ledger::default();
        ledger.read_on(home)?;
        Ok(ledger)
    }

    /// Replays what the journal has gained since the ledger was read, and all of it where it is not the same journal any more.
    /// After an error the ledger is empty.
    ///
    /// # Errors
    /// As [`Ledger::open`].
    pub fn read_on(&mut self, home: &Home) -> Result<(), Error> {
        if self.log.is_some() {
            // Nobody else writes the journal.
            return Ok(());
        }
        let before = mem::take(self);
        // The head first: the service publishes it after the records that it covers.
        let published = head::read(home)?;
        *self = before.followed(&home.journal(), published)?;
        Ok(())
    }

    fn followed(mut self, path: &Path, published: Option<Head>) -> Result<Ledger, Error> {
        // A head of an earlier record can be compared only on the way to it.
        let earlier = |head: &Head| head.seq < self.read_to.seq && self.published.as_ref() != Some(head);
        if published.as_ref().is_some_and(earlier) {
            self = Ledger::default();
        }
        if !path.exists() {
            head::compare(path, published.as_ref(), 0, None)?;
            return Ok(Ledger { published, ..Ledger::default() });
        }
        let mut walk = durable::replay_from::<Entry>(path, &self.read_to).map_err(chain_error)?;
        if *walk.place() != self.read_to {
            self = Ledger::default();
        }
        if self.read_to == Place::default() {
            failpoints::replaying();
        }
        let mut at_head = match &published {
            Some(head) if head.seq == self.read_to.seq => Some(self.read_to.head),
            head => head.clone().filter(|_| *head == self.published).map(|head| head.hash),
        };
        while let Some(link) = walk.next() {
            let (seq, entry) = link.map_err(chain_error)?;
            if published.as_ref().is_some_and(|head| head.seq == seq) {
                at_head = Some(walk.place().head.clone());
            }
            self.state.follow(path, seq, entry)?;
        }
        head::compare(path, published.as_ref(), walk.place().seq, at_head.as_deref())?;
        Ok(Ledger { published, read_to: walk.place().clone(), ..self })
    }

    /// Publishes how far the journal goes, signed, unless that is published already.
    ///
    /// # Errors
    /// A missing key or a failing disk.
    pub fn publish_head(&mut self, home: &Home) -> Result<(), Error> {
        let Some(log) = self.log.as_ref().filter(|log| !log.is_empty()) else { return Ok(()) };
        let present = Head { seq: log.len(), hash: log.head().to_owned() };
        if self.published.as_ref() == Some(&present) {
            return Ok(());
        }
        head::write(home, &present)?;
        self.published = Some(present);
        Ok(())
    }

    /// Appends a record, synced to disk, and then lets the state follow.
    ///
    /// # Errors
    /// A move that no table lists, or a full or failing disk; then nothing has changed.
    pub fn append(&mut self, record: impl Into<Record>) -> Result<(), Error> {
        let Some(log) = self.log.as_mut() else {
            return Err(Error::failed(ReadOnly));
        };
        let record = record.into();
        self.state.check(&record)?;
        let entry = Entry { at: now(), record };
        log.append(&entry).map_err(chain_error)?;
        self.state.apply(entry);
        Ok(())
    }

    /// Who opens which gate, as this home is configured; `advance` asks for it.
    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// Takes over the gates of a configuration that was read.
    pub fn set_gates(&mut self, gates: &Gates) {
        self.gates.clone_from(gates);
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

    /// Where a person refused the same wish before: one of that name, or in those words; the last refusal comes last.
    pub fn refused_before(&self, ticket: &Ticket) -> Vec<&HistoryEntry> {
        let (proposal, words) = (ticket.proposal(), ticket.proposal().user_context.trim());
        let same = |other: &&Ticket| {
            let theirs = other.proposal();
            let same_words = !words.is_empty() && theirs.user_context.trim() == words;
            other.id() != ticket.id() && (theirs.name == proposal.name || same_words)
        };
        let mut refusals: Vec<&HistoryEntry> =
            self.tickets().filter(same).filter_map(Ticket::refusal).collect();
        refusals.sort_by(|a, b| a.timestamp.cmp(&b.timestamp));
        refusals
    }

    /// Files that were not proposals.
    pub fn refused(&self) -> &[RefusedFile] {
        &self.state.refused
    }

    /// Whether a file was looked at already.
    pub fn knows_file(&self, profile: &ProfileId, file: &str) -> bool {
        self.state.files.get(profile).is_some_and(|files| files.contains(file))
    }

    /// The proposals from one on, in the order of their ids.
    pub fn tickets_from(&self, from: Bound<ProposalId>) -> impl Iterator<Item = &Ticket> {
        self.state.tickets.range((from, Bound::Unbounded)).map(|(_, ticket)| ticket)
    }

    /// How many files of a profile were looked at today (UTC).
    pub fn looked_today(&self, profile: &ProfileId) -> Looked {
        self.state.spending.looked_on_day_of(&now(), profile, Instant::now())
    }

    /// What was spent today (UTC) of that which has a budget.
    pub fn spent_today(&self) -> Spent {
        self.state.spending.on_day_of(&now(), Instant::now())
    }

    /// The built-in skills that are switched on.
    pub fn builtin(&self) -> &[Builtin] {
        &self.state.builtin
    }

    /// The active learned skills.
    pub fn active(&self) -> &BTreeMap<SkillName, Learned> {
        &self.state.active
    }

    /// The installed plugins.
    pub fn plugins(&self) -> &BTreeMap<SkillName, Installed> {
        &self.state.plugins.active
    }

    /// Whether a yes to a plugin was used already.
    pub fn used_plugin_yes(&self, text: &str) -> bool {
        self.state.plugins.has_used(text)
    }

    /// Everything that is active, as nodes of the graph.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        let builtin = self.builtin().iter().map(Node::from);
        let learned = self.active().values().map(Node::from);
        builtin.chain(learned).chain(self.plugins().values().map(|p| p.facts.node()))
    }

    /// The tools of every learned skill and plugin, each with the name of whose it is.
    pub fn offers(&self) -> impl Iterator<Item = (&str, Offer<'_>)> {
        let learned = self.active().iter().flat_map(|(name, learned)| {
            learned.described.tools.iter().map(move |tool| (name.as_str(), tool.into()))
        });
        learned.chain(self.plugins().iter().flat_map(|(name, installed)| {
            installed.plugin.tools.iter().map(move |tool| (name.as_str(), tool.into()))
        }))
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

    /// What is wrong with chains of evidence.
    pub fn alarms(&self) -> &Alarms {
        &self.state.alarms
    }

    /// How many proposals and actions wait for a person.
    pub fn waiting_for_a_person(&self) -> usize {
        let skills = self.tickets().filter(|ticket| ticket.waits_for() == Some(Wait::Person)).count();
        skills + self.cases().open().filter(|case| case.waits_for() == Some(Wait::Person)).count()
    }

    /// The actions, which are not skills and have their own table.
    pub fn cases(&self) -> &ActionTickets {
        &self.state.cases
    }

    /// Since when a profile is removed or erased, in RFC 3339.
    pub fn gone(&self, profile: &ProfileId) -> Option<&str> {
        self.state.gone.get(profile).map(String::as_str)
    }

    /// How many records were read or written.
    pub fn records(&self) -> u64 {
        self.log.as_ref().map_or(self.read_to.seq, ChainedLog::len)
    }

    /// The manifest's serial.
    pub fn serial(&self) -> u64 {
        self.state.serial
    }

    /// Where the schedules stand.
    pub fn schedules(&self) -> &Schedules {
        &self.state.schedules
    }

    /// When the manifest last changed, in RFC 3339.
    pub fn changed_at(&self) -> &str {
        &self.state.changed_at
    }
}

impl State {
    /// Asks the tables, then lets the state follow.
    fn follow(&mut self, path: &Path, record: u64, entry: Entry) -> Result<(), Error> {
        self.check(&entry.record)
            .map_err(|illegal| Error::Journal(Fault::Illegal { path: path.to_owned(), record, illegal }))?;
        self.apply(entry);
        Ok(())
    }

    fn check(&self, record: &Record) -> Result<(), Illegal> {
        legal::check(&self.tickets, &self.cases, record)
    }

    fn apply(&mut self, entry: Entry) {
        let Entry { at, record } = entry;
        self.last_at.clone_from(&at);
        match record {
            Record::Intake(IntakeRecord::Taken(taken)) => {
                self.looked_at(&at, &taken.profile, &taken.file, Kind::Skill);
                self.tickets.insert(taken.proposal.id.clone(), Ticket::new(*taken, at));
            }
            Record::Intake(IntakeRecord::Refused { id, profile, file, digest: _, faults }) => {
                self.looked_at(&at, &profile, &file, Kind::Skill);
                let faults = faults.iter().map(ToString::to_string).collect();
                self.refused.push(RefusedFile { id, profile, file, faults, at });
            }
            Record::Proposal(ProposalRecord { id, event }) => {
                self.beyond_the_ticket(&at, &event);
                if let Some(ticket) = self.tickets.get_mut(&id) {
                    ticket.follow(at, event);
                }
            }
            Record::Action(record) => {
                if let ActionRecord::Taken(action) = &record {
                    self.looked_at(&at, &action.taken.profile, &action.taken.file, Kind::Action);
                }
                self.cases.follow(&at, record);
            }
            Record::Skill(SkillRecord::Builtins { builtin }) => {
                self.builtin = builtin;
                self.raise(at);
            }
            Record::Skill(SkillRecord::Uninstalled { name, by, reason, removal: _ }) => {
                self.active.remove(&name);
                self.raise(at);
                for ticket in self.tickets.values_mut().filter(|t| t.proposal().name == name) {
                    ticket.uninstalled(by.as_ref(), &reason);
                }
            }
            Record::Plugin(record) => {
                self.plugins.follow(record);
                self.raise(at);
            }
            // The files themselves are authoritative; what is gone stays gone when a backup is restored.
            Record::Profile(ProfileRecord::Added { id, .. }) => drop(self.gone.remove(&id)),
            Record::Profile(ProfileRecord::Removed { id }) => drop(self.gone.insert(id, at)),
            Record::Profile(ProfileRecord::Erased { id, .. }) => {
                self.alarms.forget(&Log::Receipts(id.clone()));
                self.schedules.forget_digests(&id);
                self.gone.insert(id, at);
            }
            Record::Profile(
                ProfileRecord::DoorTokenAdded { .. }
                | ProfileRecord::DoorTokenRemoved { .. }
                | ProfileRecord::DoorAddressSet { .. },
            ) => {}
            Record::Restored(record) => self.restored(at, &record),
            Record::People(record) => {
                self.people.follow(&at, &record);
                if let PeopleRecord::ApproversChanged { countersigned, .. }
                | PeopleRecord::Countersigned { countersigned } = &record
                {
                    self.approvers_changed(at, countersigned);
                }
            }
            Record::Alarm(record) => self.alarms.follow(&at, record),
            Record::Schedule(ScheduleRecord { name, told }) => self.schedules.follow(&at, &name, &told),
        }
    }

    /// What an event changes besides its proposal.
    fn beyond_the_ticket(&mut self, at: &str, event: &ProposalEvent) {
        match event {
            ProposalEvent::Recurred { profile, file, .. } => self.looked_at(at, profile, file, Kind::Skill),
            ProposalEvent::Compiled { millis } => {
                self.spending.count(at, Spent { compile_ms: *millis, ..Spent::default() });
            }
            ProposalEvent::Spent { tokens, .. } => {
                self.spending.count(at, Spent { tokens: *tokens, ..Spent::default() });
            }
            ProposalEvent::Installed { entry } => {
                self.versions.insert(entry.name.clone(), entry.version);
                self.active.insert(entry.name.clone(), (**entry).clone());
                self.raise(at.to_owned());
            }
            _ => {}
        }
    }

    fn looked_at(&mut self, at: &str, profile: &ProfileId, file: &str, kind: Kind) {
        if file.is_empty() {
            // Handed in by a person: there was no file.
            return;
        }
        self.spending.count_file(at, profile, kind);
        match self.files.get_mut(profile) {
            Some(files) => files.insert(file.to_owned()),
            None => self.files.entry(profile.clone()).or_default().insert(file.to_owned()),
        };
    }

    fn approvers_changed(&mut self, at: String, countersigned: &[Countersigned]) {
        for ticket in self.tickets.values_mut() {
            ticket.void_first_yes("the approvers changed");
        }
        if !countersigned.is_empty() {
            self.countersign(&at, countersigned);
            self.raise(at);
        }
    }

    fn countersign(&mut self, at: &str, countersigned: &[Countersigned]) {
        for Countersigned { skill, by } in countersigned {
            if let Some(entry) = self.active.get_mut(skill) {
                let of_it = |t: &&mut Ticket| {
                    t.installed_version() == Some(entry.version) && t.proposal().name == *skill
                };
                if let Some(ticket) = self.tickets.values_mut().find(of_it) {
                    ticket.signed_beside(&by.approver, at);
                }
                entry.decision.others.retain(|other| other.approver != by.approver);
                entry.decision.others.push(by.clone());
            }
        }
    }

    /// What was dropped is not active any more, and the serial continues above every one that was seen.
    fn restored(&mut self, at: String, record: &RestoredRecord) {
        for name in &record.dropped {
            self.active.remove(name);
            self.plugins.active.remove(name);
            for ticket in self.tickets.values_mut().filter(|t| t.proposal().name == *name) {
                ticket.uninstalled(None, "restored from a backup that is older than the last manifest");
            }
        }
        self.serial = self.serial.max(record.serial);
        self.raise(at);
    }

    fn raise(&mut self, at: String) {
        self.serial += 1;
        self.changed_at = at;
    }
}

fn chain_error(error: durable::ChainError) -> Error {
    match error {
        durable::ChainError::Io { path, source } => Error::Io { path, source },
        other => Error::Journal(Fault::Chain(shared_types::text::line(&other.to_string()))),
    }
}

#[cfg(test)]
mod tests;
