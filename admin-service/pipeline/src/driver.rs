//! Picks the next proposal and calls its stage, until nothing moves.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::config::Config;
use base::config::gates::{Mover, Passage};
use base::error::Error;
use base::failpoints::{Point, at};
use base::stop;
use ledger::ticket::Ticket;
use ledger::{Store, mirror, reserve};
use shared_types::id::ProposalId;
use shared_types::status::{Status, Wait};

use super::agent_review::weigh_again;
use super::implement::Models;
use crate::advance::{advance, wait};
use crate::beside::{Beside, Start};
use crate::decide::finish_all;
use crate::intake::room::Room;
use crate::intake::take::{Intake, take_in};
use crate::intake::watch::UNASKED;
use crate::progress::Progress;
use crate::stage::{Ended, Standing, has_stage, stage, standing};
use crate::upkeep::finish_removed;
use base::log::{Event, in_stage};

/// How long a proposal that waits is left alone before it is tried again.
const PATIENCE: Duration = Duration::from_secs(20);

/// Remembers, while the service runs, when a waiting proposal is to be tried again.
#[derive(Debug, Default)]
pub struct Driver {
    next_try: BTreeMap<ProposalId, Instant>,
    /// What was said of each that waits, so that it is said once.
    said: BTreeMap<ProposalId, String>,
    room: Room,
    /// Whether this pass met a full disk.
    full: bool,
    told_full: bool,
    progress: Arc<Progress>,
    /// Where models are asked in threads of their own; a driver without it asks them itself.
    beside: Option<Beside>,
}

impl Driver {
    /// A driver whose progress somebody watches, and which asks models in threads that `start` makes.
    pub fn watched(progress: Arc<Progress>, start: Start) -> Driver {
        Driver { progress, beside: Some(Beside::new(start)), ..Driver::default() }
    }

    /// Waits for the threads in which models are asked; the flag that ends them is set before.
    pub fn end(self) {
        self.beside.into_iter().for_each(Beside::end);
    }

    /// Takes in what is new and drives every proposal as far as it goes; answers whether anything moved.
    ///
    /// # Errors
    /// What concerns the service as a whole; one proposal's trouble is its own.
    pub fn pass(
        &mut self,
        store: &Store,
        intake: &Mutex<Intake>,
        cancel: &AtomicBool,
    ) -> Result<bool, Error> {
        self.progress.begins();
        let passed = self.once(store, intake, cancel);
        self.progress.rests();
        passed
    }

    fn once(&mut self, store: &Store, intake: &Mutex<Intake>, cancel: &AtomicBool) -> Result<bool, Error> {
        if stop::holds(&store.home).is_some() {
            return Ok(false);
        }
        let config = Config::read(&store.home)?;
        self.told_full &= std::mem::take(&mut self.full);
        store.ledger().set_gates(&config.gates);
        let opened = pass_open_gates(store);
        let mut moved = self.unless_full(store, opened)?.unwrap_or(false);
        let passed = take_in(store, intake, &config, cancel, &|| self.progress.begins());
        moved |= self.unless_full(store, passed)?.is_some_and(|passed| passed.looked_at > 0);
        let room = self.room.pass(store, &config);
        moved |= self.unless_full(store, room)?.unwrap_or(false);
        let finished = finish_all(store);
        self.unless_full(store, finished)?;
        self.unless_full(store, finish_removed(store))?;
        self.unless_full(store, weigh_again(store, &config))?;
        let over = self.beside.as_mut().map(Beside::over).unwrap_or_default();
        for (id, before, ended) in over {
            moved |= self.heed(store, &id, before, ended);
        }
        let open: Vec<ProposalId> =
            store.ledger().tickets().filter(|t| is_drivable(t)).map(|t| t.id().clone()).collect();
        for id in open {
            if cancel.load(Ordering::Relaxed) {
                break;
            }
            if self.is_asked(&id) || self.next_try.get(&id).is_some_and(|at| Instant::now() < *at) {
                continue;
            }
            moved |= self.drive(store, &config, &id, cancel);
        }
        if let Some(beside) = &mut self.beside {
            beside.begin(store, &config);
        }
        store.publish_head();
        let _ = reserve::renew(&store.home);
        Ok(moved)
    }

    /// How long nothing is due, unless there is news: `interval` where something waits for what nobody tells of, such as room
    /// on the disk or the end of a profile's stop.
    pub fn rest(&self, store: &Store, interval: Duration) -> Duration {
        if self.full || store.home.halt().exists() {
            return interval;
        }
        let ledger = store.ledger();
        let left = |at: &Instant| at.checked_duration_since(Instant::now());
        let left = |ticket: &Ticket| self.next_try.get(ticket.id()).and_then(left).unwrap_or(interval);
        let due = ledger.tickets().filter(|t| is_drivable(t) && !self.is_asked(t.id())).map(left);
        due.min().unwrap_or(UNASKED).min(UNASKED.max(interval))
    }

    /// Whether a model is asked for this proposal, or will be.
    fn is_asked(&self, id: &ProposalId) -> bool {
        self.beside.as_ref().is_some_and(|beside| beside.holds(id))
    }

    /// A full disk stops what needs room, not the pass; it is reported when it begins.
    fn unless_full<T>(&mut self, store: &Store, result: Result<T, Error>) -> Result<Option<T>, Error> {
        match result {
            Err(error) if error.wants_room() => {
                self.full = true;
                if !self.told_full {
                    store.tell(&Event::DiskFull {}, &format!("waits for room on the disk: {error}"));
                }
                self.told_full = true;
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Drives one proposal until it waits, is settled, or needs a person; answers whether it moved.
    fn drive(&mut self, store: &Store, config: &Config, id: &ProposalId, cancel: &AtomicBool) -> bool {
        let models = if self.beside.is_some() { Models::Beside } else { Models::Here };
        let mut moved = false;
        while let Some(before) = standing(store, id).filter(|(status, _)| has_stage(*status)) {
            self.progress.begins();
            let ended = stage(store, config, id, before.0, models, cancel);
            if !self.heed(store, id, before, ended) {
                break;
            }
            moved = true;
        }
        moved
    }

    /// Mirrors and tells what came of a stage; answers whether the proposal moved and continues at once.
    fn heed(&mut self, store: &Store, id: &ProposalId, before: Standing, ended: Ended) -> bool {
        let _span = in_stage(id, before.0);
        match ended {
            Ended::Done => {}
            Ended::Stopped => return false,
            Ended::Asks => {
                if let Some(beside) = &mut self.beside {
                    beside.take(id);
                }
                return false;
            }
            // A full disk may refuse this record as well; then the next pass tells it.
            Ended::Failed(error) if error.wants_room() => {
                let _ = wait(&mut store.ledger(), id, Wait::Room, &error.to_string());
            }
            Ended::Failed(error) => {
                // The proposal stays where it is; the service continues with the others.
                store.tell(&Event::ProposalFailed { proposal: id }, &format!("{id}: {error}"));
                self.next_try.insert(id.clone(), Instant::now() + PATIENCE);
                return false;
            }
        }
        let ledger = store.ledger();
        let Some(ticket) = ledger.ticket(id) else { return false };
        // A mirror that cannot be written now is written at the next move.
        if let Err(error) = mirror(&store.home, ticket) {
            store.tell(&Event::ProposalFailed { proposal: id }, &format!("{id}: {error}"));
        }
        at(Point::DriveMirrored);
        if ticket.held().is_some() {
            // A person opens this gate, and then it continues at once.
            self.tell_waiting(store, ticket);
            return false;
        }
        if (ticket.status(), ticket.attempt().map(|a| a.number)) == before {
            self.tell_waiting(store, ticket);
            self.next_try.insert(id.clone(), Instant::now() + PATIENCE);
            return false;
        }
        self.said.remove(id);
        tell_moved(store, ticket);
        true
    }

    /// Says what a proposal waits for, once as long as that stays the same.
    fn tell_waiting(&mut self, store: &Store, ticket: &Ticket) {
        let Some(wait) = ticket.waits_for() else { return };
        let why = ticket.waits_because().unwrap_or_default();
        let line = format!("{} waits for {}: {why}", ticket.proposal().name, wait.as_str());
        if self.said.get(ticket.id()) != Some(&line) {
            let event = Event::ProposalWaits { proposal: ticket.id(), skill: &ticket.proposal().name };
            store.tell(&event, &line);
            self.said.insert(ticket.id().clone(), line);
        }
    }
}

/// Whether a proposal is the program's to move.
fn is_drivable(ticket: &Ticket) -> bool {
    has_stage(ticket.status()) && ticket.held().is_none()
}

/// Lets the proposals continue that wait at a gate where the present configuration no longer asks a person.
fn pass_open_gates(store: &Store) -> Result<bool, Error> {
    let mut ledger = store.ledger();
    let open = |t: &&Ticket| {
        t.held().is_some_and(|h| ledger.gates().passage(t.status(), h.to, Mover::Program) == Passage::Open)
    };
    let open: Vec<ProposalId> = ledger.tickets().filter(open).map(|t| t.id().clone()).collect();
    for id in &open {
        if let Some(held) = ledger.ticket(id).and_then(|t| t.held().cloned()) {
            advance(&mut ledger, id, held.to, &held.actor, held.reason)?;
        }
        if let Some(ticket) = ledger.ticket(id) {
            mirror(&store.home, ticket)?;
        }
    }
    Ok(!open.is_empty())
}

fn tell_moved(store: &Store, ticket: &Ticket) {
    let name = &ticket.proposal().name;
    let event = Event::ProposalMoved { proposal: ticket.id(), skill: name, status: &ticket.status() };
    match ticket.status() {
        Status::HumanReview => {
            let recommendation = ticket.review().map_or("", |r| r.recommendation.as_str());
            store.bell.ring();
            store.tell(&event, &format!("{name} is ready for a person ({recommendation}): cl-admin review"));
        }
        Status::Rejected => {
            let why = ticket.last_reason().unwrap_or("no reason");
            store.tell(&event, &format!("{name} is rejected: {why}"));
        }
        status => store.tell(&event, &format!("{name}: {status}")),
    }
}
