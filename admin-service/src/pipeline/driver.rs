//! Picks the next proposal and calls its stage, until nothing moves.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use shared_types::id::ProposalId;
use shared_types::status::{Status, Wait};

use super::agent_review::{agent_review, weigh_again};
use super::discover::discover;
use super::implement::implement;
use crate::config::Config;
use crate::config::gates::{Mover, Passage};
use crate::error::Error;
use crate::failpoints::{Point, at};
use crate::intake::room::Room;
use crate::journal::ticket::Ticket;
use crate::journal::{mirror, reserve};
use crate::pipeline::advance::{advance, wait};
use crate::service::Shared;
use crate::service::decide::finish_all;
use crate::service::life::finish_removed;
use crate::stop::{self, may_start};

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
}

impl Driver {
    /// Takes in what is new and drives every proposal as far as it goes; answers whether anything moved.
    ///
    /// # Errors
    /// What concerns the service as a whole; one proposal's trouble is its own.
    pub fn pass(&mut self, shared: &Shared, cancel: &AtomicBool) -> Result<bool, Error> {
        if stop::holds(&shared.home).is_some() {
            return Ok(false);
        }
        let config = Config::read(&shared.home)?;
        self.told_full &= std::mem::take(&mut self.full);
        shared.book().set_gates(&config.gates);
        let opened = pass_open_gates(shared);
        let mut moved = self.unless_full(shared, opened)?.unwrap_or(false);
        let passed = shared.take_in(&config, cancel);
        moved |= self.unless_full(shared, passed)?.is_some_and(|passed| passed.looked_at > 0);
        let room = self.room.pass(shared, &config);
        moved |= self.unless_full(shared, room)?.unwrap_or(false);
        let finished = finish_all(shared);
        self.unless_full(shared, finished)?;
        self.unless_full(shared, finish_removed(shared))?;
        self.unless_full(shared, weigh_again(shared, &config))?;
        let open: Vec<ProposalId> = shared
            .book()
            .tickets()
            .filter(|t| !t.status().is_settled() && t.status() != Status::HumanReview && t.held().is_none())
            .map(|t| t.id().clone())
            .collect();
        for id in open {
            if cancel.load(Ordering::Relaxed) {
                break;
            }
            if self.next_try.get(&id).is_some_and(|at| Instant::now() < *at) {
                continue;
            }
            moved |= self.drive(shared, &config, &id, cancel)?;
        }
        shared.publish_head();
        let _ = reserve::renew(&shared.home);
        Ok(moved)
    }

    /// A full disk stops what needs room, not the pass; it is told when it begins.
    fn unless_full<T>(&mut self, shared: &Shared, result: Result<T, Error>) -> Result<Option<T>, Error> {
        match result {
            Err(error) if error.wants_room() => {
                self.full = true;
                if !self.told_full {
                    shared.say(&format!("waits for room on the disk: {error}"));
                }
                self.told_full = true;
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Drives one proposal until it waits, is settled, or needs a person.
    fn drive(
        &mut self,
        shared: &Shared,
        config: &Config,
        id: &ProposalId,
        cancel: &AtomicBool,
    ) -> Result<bool, Error> {
        let mut moved = false;
        let profile = shared.book().ticket(id).map(|ticket| ticket.taken().profile.clone());
        while !cancel.load(Ordering::Relaxed) && may_start(&shared.home, profile.as_ref()).is_ok() {
            let Some(before) = standing(shared, id) else { return Ok(moved) };
            let stage: &dyn Fn(&AtomicBool) -> Result<(), Error> = match before.0 {
                Status::New => &|_| discover(shared, id),
                Status::Discovered => &|_| assign(shared, id),
                Status::Implementation => &|cancel| implement(shared, config, id, cancel),
                Status::AgentReview => &|cancel| agent_review(shared, config, id, cancel),
                Status::HumanReview | Status::Accepted | Status::Rejected | Status::Removed => break,
            };
            // A stop of the profile ends a stage as the home's does; what it was doing is done again later.
            let (result, stopped) = stop::during(&shared.home, profile.as_ref(), cancel, |cancel| {
                (stage(cancel), cancel.load(Ordering::Relaxed))
            });
            if stopped {
                break;
            }
            if let Err(error) = result {
                if !error.wants_room() {
                    // The proposal stays where it is; the service goes on with the others.
                    shared.say(&format!("{id}: {error}"));
                    self.next_try.insert(id.clone(), Instant::now() + PATIENCE);
                    return Ok(moved);
                }
                // A full disk may refuse this record as well; then the next pass tells it.
                let _ = wait(&mut shared.book(), id, Wait::Room, &error.to_string());
            }
            let book = shared.book();
            let Some(ticket) = book.ticket(id) else { return Ok(moved) };
            // A mirror that cannot be written now is written at the next move.
            if let Err(error) = mirror(&shared.home, ticket) {
                shared.say(&format!("{id}: {error}"));
            }
            at(Point::DriveMirrored);
            if ticket.held().is_some() {
                // A person opens this gate, and then it goes on at once.
                self.tell_waiting(shared, ticket);
                return Ok(moved);
            }
            let after = (ticket.status(), ticket.attempt().map(|a| a.number));
            if after == before {
                self.tell_waiting(shared, ticket);
                self.next_try.insert(id.clone(), Instant::now() + PATIENCE);
                return Ok(moved);
            }
            self.said.remove(id);
            tell_moved(shared, ticket);
            moved = true;
        }
        Ok(moved)
    }

    /// Says what a proposal waits for, once as long as that stays the same.
    fn tell_waiting(&mut self, shared: &Shared, ticket: &Ticket) {
        let Some(wait) = ticket.waits_for() else { return };
        let why = ticket.waits_because().unwrap_or_default();
        let line = format!("{} waits for {}: {why}", ticket.proposal().name, wait.as_str());
        if self.said.get(ticket.id()) != Some(&line) {
            shared.say(&line);
            self.said.insert(ticket.id().clone(), line);
        }
    }
}

/// Lets go on what was held at a gate that, by the configuration as it is now, is not a person's any more.
fn pass_open_gates(shared: &Shared) -> Result<bool, Error> {
    let mut book = shared.book();
    let open = |t: &&Ticket| {
        t.held().is_some_and(|h| book.gates().passage(t.status(), h.to, Mover::Program) == Passage::Open)
    };
    let open: Vec<ProposalId> = book.tickets().filter(open).map(|t| t.id().clone()).collect();
    for id in &open {
        if let Some(held) = book.ticket(id).and_then(|t| t.held().cloned()) {
            advance(&mut book, id, held.to, &held.actor, held.reason)?;
        }
        if let Some(ticket) = book.ticket(id) {
            mirror(&shared.home, ticket)?;
        }
    }
    Ok(!open.is_empty())
}

fn assign(shared: &Shared, id: &ProposalId) -> Result<(), Error> {
    advance(&mut shared.book(), id, Status::Implementation, "driver", None)?;
    at(Point::DriveAssigned);
    Ok(())
}

fn standing(shared: &Shared, id: &ProposalId) -> Option<(Status, Option<u32>)> {
    shared.book().ticket(id).map(|t| (t.status(), t.attempt().map(|a| a.number)))
}

fn tell_moved(shared: &Shared, ticket: &Ticket) {
    let name = &ticket.proposal().name;
    match ticket.status() {
        Status::HumanReview => {
            let recommendation = ticket.review().map_or("", |r| r.recommendation.as_str());
            shared.bell.ring();
            shared.say(&format!("{name} is ready for a person ({recommendation}): cl-admin review"));
        }
        Status::Rejected => {
            shared.say(&format!("{name} is rejected: {}", ticket.last_reason().unwrap_or("no reason")))
        }
        status => shared.say(&format!("{name}: {status}")),
    }
}
