//! A person's yes from elsewhere: where nobody in the chat may give it, the approver is asked through the admin service.
//!
//! One yes is for one call. It is used up before the call is made, by a file that can be made only once.

use std::sync::Arc;

use bot_base::paths::Folder;
use kernel::approval::Question;
use serde_json::Value;
use shared_types::action::Action;
use shared_types::id::{ProposalId, SkillName};
use shared_types::proposal::Document;
use shared_types::risk::Risk;
use shared_types::text::cut;
use shared_types::verdict::{Decider, NoYes};

use super::actions::{ActionOutcome, Actions, Placed, Wish, settled};
use crate::{ByKernel, KernelContext};

mod door;

pub use door::PermitDoor;

/// The beginning of the files' names.
const NAME: &str = "permit";
/// The folder beneath `logs/` with one file for each answer that was used.
const USED: &str = "permits";

/// Asks the approver about a call; answers who said yes. A yes that was given to the same call before and was not used
/// counts, once.
///
/// # Errors
/// Why there is no yes, with the identifier under which one can be given.
pub fn ask(by: &ByKernel, ctx: &KernelContext, asked: &Question<'_>) -> Result<Decider, NoYes> {
    let (proposals, status) =
        ctx.shared().places.0.permits.0.clone().ok_or_else(|| NoYes::unasked("nobody can be asked here"))?;
    seek(&Actions::new(by, proposals, status), ctx, (asked.tool, asked.args), (asked.risk, asked.why))
}

/// Asks through the folder of proposals.
fn seek(
    actions: &Actions,
    ctx: &KernelContext,
    (tool, args): (&str, &Value),
    (risk, reason): (Risk, &str),
) -> Result<Decider, NoYes> {
    let used = ctx.shared().places.0.logs.make_folder(USED).map(Arc::new);
    let used =
        used.map_err(|e| NoYes::unasked(format!("a yes could not be noted: {}", cut(&e.to_string(), 200))))?;
    let name: SkillName = NAME.parse().expect("the name of the permits is well-formed");
    let same = |document: &Document| match &document.proposal.action {
        Some(Action::Permit { tool: asked, args: with, .. }) => asked == tool && with == args,
        _ => false,
    };
    let mut open = None;
    for document in actions.named(&name).into_iter().filter(same) {
        let id = &document.proposal.id;
        match settled(&document) {
            // The first that is not used up answers this call.
            Some(came) if use_up(&used, id) => return answer(came, id),
            Some(_) => {}
            None => open = Some(id.clone()),
        }
    }
    let placed = match open {
        Some(id) => Placed::known(name, id),
        None => actions
            .place(wish(name, tool, args, risk, reason), ctx)
            .map_err(|why| NoYes::unasked(why.to_string()))?,
    };
    let session = &ctx.shared().session;
    if !session.interactive || session.scheduled {
        return Err(NoYes::unasked(format!(
            "it waits for the approver as {}; after a yes (`cl-admin review`) the same call runs once",
            placed.id
        )));
    }
    let came = actions.wait(&placed, ctx);
    match &came {
        ActionOutcome::Withdrawn(_) => {}
        _ if use_up(&used, &placed.id) => {}
        _ => return Err(NoYes::unasked(format!("the answer to {} was used already", placed.id))),
    }
    answer(came, &placed.id)
}

fn wish<'a>(name: SkillName, tool: &str, args: &Value, risk: Risk, reason: &str) -> Wish<'a> {
    Wish {
        name,
        description: format!("A yes to one call of {}", cut(tool, 100)),
        action: Action::Permit { tool: tool.to_owned(), args: args.clone(), risk, reason: cut(reason, 450) },
        rationale: "Nobody in the chat may say yes to it.".to_owned(),
        line: "",
    }
}

/// Notes that an answer is used; only the first who does it may act on it.
fn use_up(used: &Folder, id: &ProposalId) -> bool {
    used.create_new(id.as_str(), b"", 0o600).is_ok()
}

fn answer(came: ActionOutcome, id: &ProposalId) -> Result<Decider, NoYes> {
    match came {
        ActionOutcome::Approved(by) => Ok(Decider::Approver(by)),
        ActionOutcome::Refused { by, why } => {
            Err(NoYes { why: format!("the approver said no to {id}: {why}"), by: Decider::Approver(by) })
        }
        ActionOutcome::Withdrawn(why) => Err(NoYes::unasked(why)),
        ActionOutcome::Done(_) => Err(NoYes::unasked(format!("{id} was answered as if it were a command"))),
    }
}

#[cfg(test)]
mod tests;
