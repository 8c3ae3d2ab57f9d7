//! An action comes in: judged at once, kept with its judgement in one record.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};

use actions::judge::{self, judge};
use actions::keep::mirrored;
use actions::plugins::arguments::fitting;
use actions::plugins::run::weigh;
use actions::work::call_of;
use actions::{evidence, moves};
use base::error::Error;
use base::failpoints::{Point, at};
use beneath::Folder;
use ledger::action_ticket::ActionTicket;
use ledger::facts::Installed;
use ledger::{Received, Store};
use shared_types::id::{Digest, ProfileId};
use shared_types::proposal::{Fault, Proposal};
use shared_types::status::Status;
use shared_types::verdict::Weight;

use super::names::{WITHDRAWN, shown};
use base::log::Event;

/// Keeps an action that was read; answers what is wrong with it where it can be none. Where the service stops meanwhile,
/// nothing is kept, and the file is looked at again.
///
/// # Errors
/// A journal that cannot be written.
pub fn keep_action(
    store: &Store,
    profile: &ProfileId,
    file: String,
    proposal: Proposal,
    digest: Digest,
    cancel: &AtomicBool,
) -> Result<Option<Fault>, Error> {
    let Some(action) = proposal.action.clone() else {
        return Ok(Some(Fault::new("proposal.action", "missing")));
    };
    let id = proposal.id.clone();
    // Judged without the journal's lock, since programs may have to be hashed: permissions only become fewer meanwhile,
    // and one that is taken back counts again when it is started.
    let allowances: Vec<_> = store.ledger().cases().allowances().values().cloned().collect();
    let judged = match call_of(&action, profile) {
        Some(call) => {
            let weighed = weigh(&store.ledger(), &call);
            let fits = |(installed, weight): (Installed, Weight)| {
                fitting(&installed.facts, call.tool, call.args, cancel).map(|_| (installed, weight))
            };
            judge::plugin(&store.home, profile, weighed.and_then(fits))
        }
        None => judge(&store.home, profile, &action, allowances.iter()),
    };
    if cancel.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let taken = Received { proposal, profile: profile.clone(), file, spec_sha256: digest, given: None };
    let mut ledger = store.ledger();
    moves::take(&mut ledger, taken, judged)?;
    let Some(case) = ledger.cases().case(&id) else { return Ok(None) };
    // What runs at once is reported when it is done, or when it has run for a while: the bot that waits for it waits for that.
    if !case.is_due() {
        mirrored(store, case)?;
    }
    at(Point::ActionMirrored);
    let what = format!("action {id} of `{profile}` ({})", action.word());
    match case.status() {
        Status::HumanReview => {
            store.bell.ring();
            store.tell(
                &Event::ActionWaits { proposal: &id, profile },
                &format!("{what} waits for a person ({}): cl-admin review", case.judged().rule),
            );
        }
        Status::Rejected => {
            store.tell(
                &Event::ActionRefused { proposal: &id, profile },
                &format!("{what} is refused: {}", case.judged().rule),
            );
            evidence::refused(store, case);
        }
        _ => {}
    }
    Ok(None)
}

/// Ends an action whose author has laid a file beside it that takes it back, as long as nothing was started.
///
/// # Errors
/// A journal that cannot be written.
pub fn withdraw(store: &Store, profile: &ProfileId, folder: &Folder, name: &OsString) -> Result<(), Error> {
    let shown = shown(name);
    let Some(stem) = shown.strip_suffix(&*String::from_utf8_lossy(WITHDRAWN)) else { return Ok(()) };
    let file = format!("{stem}.yaml");
    let mut ledger = store.ledger();
    let waits = |case: &&ActionTicket| {
        case.status() == Status::HumanReview && case.taken().profile == *profile && case.taken().file == file
    };
    let Some(id) = ledger.cases().open().find(waits).map(|case| case.id().clone()) else { return Ok(()) };
    if folder.check(name).is_err() {
        return Ok(());
    }
    store.tell(
        &Event::ActionWithdrawn { proposal: &id, profile },
        &format!("action {id} of `{profile}` is withdrawn"),
    );
    moves::reject(&mut ledger, &id, "proposer", "withdrawn")?;
    let Some(case) = ledger.cases().case(&id) else { return Ok(()) };
    evidence::refused(store, case);
    mirrored(store, case)
}
