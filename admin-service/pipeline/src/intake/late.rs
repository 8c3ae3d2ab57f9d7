//! A file that changes after it was taken in: that is noted once, and nothing follows from it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::Bound;

use base::error::Error;
use beneath::{Look, NotOpened};
use ledger::{ProposalEvent, Store};
use shared_types::id::{Digest, ProfileId, ProposalId};

use super::open::Snapshot;
use base::log::Event;

/// This many files are looked at from outside in one pass, and this many of them are read.
const MOST_LOOKS: usize = 256;
const MOST_READS: usize = 8;

/// What is remembered of the files of open proposals while the service runs.
#[derive(Debug, Default)]
pub struct Late {
    seen: BTreeMap<ProposalId, Look>,
    /// The proposal after which the next pass continues.
    after: Option<ProposalId>,
}

struct Known {
    id: ProposalId,
    profile: ProfileId,
    file: String,
    digest: Digest,
}

impl Late {
    /// Remembers what a file looked like when it was read.
    pub fn read(&mut self, id: ProposalId, look: Look) {
        self.seen.insert(id, look);
    }

    /// Looks at some files of open proposals, and notes those whose content is not what was taken in.
    ///
    /// # Errors
    /// A journal that cannot be written.
    pub fn look(&mut self, store: &Store) -> Result<(), Error> {
        let mut reads = 0;
        for known in self.next(store) {
            let Ok(Some(folder)) = store.home.proposals(&known.profile).folder() else { continue };
            // A name that had to be changed to be shown leads to no file; such a one was never a proposal of the bot's.
            let name = OsStr::new(&known.file);
            let Some(look) = folder.look(name) else { continue };
            if self.seen.get(&known.id) == Some(&look) {
                continue;
            }
            if reads == MOST_READS {
                break;
            }
            reads += 1;
            let what = match Snapshot::read(&folder, name) {
                Ok(snapshot) if snapshot.digest == known.digest => {
                    self.seen.insert(known.id, snapshot.look);
                    continue;
                }
                Ok(_) => "has another content".to_owned(),
                Err(NotOpened::Gone | NotOpened::NotYet(_)) => continue,
                Err(refusal) => refusal.to_string(),
            };
            let event =
                Event::FileChanged { profile: &known.profile, file: &known.file, proposal: &known.id };
            store.tell(&event, &format!(
                "proposals/{}/{} was changed after it was taken in ({what}); what counts is what was taken in",
                known.profile, known.file
            ));
            self.seen.remove(&known.id);
            store.ledger().append(ProposalEvent::Changed { what }.of(&known.id))?;
        }
        Ok(())
    }

    /// The next open proposals in turn.
    fn next(&mut self, store: &Store) -> Vec<Known> {
        let ledger = store.ledger();
        let from = self.after.take().map_or(Bound::Unbounded, Bound::Excluded);
        let open = ledger.tickets_from(from).filter(|t| !t.status().is_settled() && !t.changed_late());
        let next: Vec<Known> = open
            .take(MOST_LOOKS)
            .map(|t| Known {
                id: t.id().clone(),
                profile: t.taken().profile.clone(),
                file: t.taken().file.clone(),
                digest: t.taken().spec_sha256.clone(),
            })
            .collect();
        if next.len() == MOST_LOOKS {
            self.after = next.last().map(|known| known.id.clone());
        }
        self.seen.retain(|id, _| ledger.ticket(id).is_some_and(|t| !t.status().is_settled()));
        next
    }
}
