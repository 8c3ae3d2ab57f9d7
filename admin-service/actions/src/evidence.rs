//! The admin's own receipts of actions: one for each that was run or refused.

use ledger::Store;
use ledger::action_ticket::ActionTicket;
use ledger::judgement::Verdict;
use receipts::{Attempt, Status};
use serde_json::Value;
use shared_types::action::{Action, ActionResult, Reached};

use base::log::Event;
/// Puts on record that an action is not done.
pub fn refused(store: &Store, case: &ActionTicket) {
    keep(store, case, Status::Denied, &case.judged().why, &[]);
}

/// Puts on record what came of an action.
pub(crate) fn done(store: &Store, case: &ActionTicket, status: Status, result: &ActionResult) {
    let text = serde_json::to_string(result).unwrap_or_default();
    keep(store, case, status, &text, &result.network);
}

fn keep(store: &Store, case: &ActionTicket, status: Status, result: &str, network: &[Reached]) {
    let Some(action) = case.action() else { return };
    let tool = match action {
        Action::Shell { .. } => "shell".to_owned(),
        Action::Plugin { plugin, tool, .. } => format!("{plugin}.{tool}"),
        Action::Permit { tool, .. } => format!("permit:{tool}"),
    };
    let args = serde_json::to_value(action).unwrap_or(Value::Null);
    let by = match case.judged().verdict {
        Verdict::Runs | Verdict::Refused => "policy".to_owned(),
        Verdict::Asks => case.history().last().map_or_else(|| "person".to_owned(), |step| step.actor.clone()),
    };
    let attempt = Attempt {
        conversation: case.id().as_str(),
        tool: &tool,
        args: &args,
        result,
        status,
        approved_by: &by,
        risk: case.judged().risk,
        network,
    };
    if let Err(error) = audit::record(&store.home, &attempt) {
        store.tell(&Event::ActionFailed { proposal: case.id() }, &format!("{}: {error}", case.id()));
    }
}
