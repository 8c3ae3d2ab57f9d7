//! Models that are asked in threads of their own, so that no other proposal waits for a slow one.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use base::config::Config;
use base::error::Error;
use ledger::Store;
use shared_types::id::ProposalId;

use crate::implement::Models;
use crate::stage::{Ended, Standing, stage, standing};

/// A thread that ended without a word.
#[derive(Debug, thiserror::Error)]
#[error("the thread that asks a model broke down")]
struct BrokeDown;

/// What such a thread does, with the flag that ends it.
pub type Job = Box<dyn FnOnce(&Store, &AtomicBool) + Send>;

/// Starts a job in a thread; the driver must be woken when the job is over.
pub type Start = Box<dyn Fn(Job) -> io::Result<JoinHandle<()>> + Send>;

/// The proposals for which a model is asked, and those whose turn is still to come.
pub(crate) struct Beside {
    start: Start,
    waiting: VecDeque<ProposalId>,
    asked: BTreeMap<ProposalId, (Standing, JoinHandle<()>)>,
    tell: Sender<(ProposalId, Ended)>,
    told: Receiver<(ProposalId, Ended)>,
}

impl Beside {
    pub(crate) fn new(start: Start) -> Beside {
        let (tell, told) = mpsc::channel();
        Beside { start, waiting: VecDeque::new(), asked: BTreeMap::new(), tell, told }
    }

    /// Whether this proposal is here: nobody else is to do anything for it.
    pub(crate) fn holds(&self, id: &ProposalId) -> bool {
        self.asked.contains_key(id) || self.waiting.contains(id)
    }

    /// Takes a proposal as the last whose turn comes, so that one with many attempts does not keep the others waiting.
    pub(crate) fn take(&mut self, id: &ProposalId) {
        self.waiting.push_back(id.clone());
    }

    /// Begins with those whose turn it is. Without a thread they wait on.
    pub(crate) fn begin(&mut self, store: &Store, config: &Config) {
        while self.asked.len() < config.effort.at_once
            && let Some(id) = self.waiting.pop_front()
        {
            // A person may have ended it since.
            let Some(before) = standing(store, &id) else { continue };
            let (config, own, tell) = (config.clone(), id.clone(), self.tell.clone());
            let job: Job = Box::new(move |store, cancel| {
                let ended = stage(store, &config, &own, before.0, Models::Here, cancel);
                // A driver that is gone needs to know nothing more.
                let _ = tell.send((own, ended));
            });
            match (self.start)(job) {
                Ok(thread) => drop(self.asked.insert(id, (before, thread))),
                Err(_) => return self.waiting.push_front(id),
            }
        }
    }

    /// What is over since the last look: where each proposal stood before, and how its stage ended.
    pub(crate) fn over(&mut self) -> Vec<(ProposalId, Standing, Ended)> {
        // Looked at before the messages: a thread that is gone without a message by then panicked.
        let gone = self.asked.iter().filter(|(_, (_, thread))| thread.is_finished());
        let gone: Vec<ProposalId> = gone.map(|(id, _)| id.clone()).collect();
        let mut told: Vec<(ProposalId, Ended)> = self.told.try_iter().collect();
        for id in gone {
            if told.iter().all(|(other, _)| *other != id) {
                told.push((id, Ended::Failed(Error::failed(BrokeDown))));
            }
        }
        let row = |(id, ended)| self.asked.remove(&id).map(|(before, _)| (id, before, ended));
        told.into_iter().filter_map(row).collect()
    }

    /// Waits for the threads; the flag that ends them is set before.
    pub(crate) fn end(self) {
        for (_, thread) in self.asked.into_values() {
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Beside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beside")
            .field("waiting", &self.waiting)
            .field("asked", &self.asked)
            .finish_non_exhaustive()
    }
}
