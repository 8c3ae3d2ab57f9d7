mod answers;
mod calendar;
mod chores;
mod filling;
mod harness;
mod held_back;
mod matching;
mod news;
mod pins;
mod voice;
mod weather;
mod wordings;

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};
use shared_types::proposal::Proposal;

use super::*;

/// A proposal of the plain form that the bot drafts from a wish.
fn proposal(wish: &str, tokens: &[&str]) -> Proposal {
    with_tools(wish, tokens, json!([]))
}

fn with_tools(wish: &str, tokens: &[&str], tools: Value) -> Proposal {
    let proposal = json!({
        "id": "01930000-0000-7000-8000-000000000000", "kind": "skill", "name": "some-skill",
        "description": wish, "capabilities": tokens, "tools": tools,
        "rationale": "", "user_context": wish, "generated_by": "proposer",
        "generated_at": "2026-02-07T14:30:00Z", "profile_id": "default",
    });
    serde_json::from_value(proposal).unwrap()
}

fn write(proposal: &Proposal) -> Answer {
    Templates::shipped().write(&assignment(proposal, None), &AtomicBool::new(false)).unwrap()
}

fn assignment<'a>(proposal: &'a Proposal, feedback: Option<&'a crate::Feedback<'a>>) -> Assignment<'a> {
    Assignment { proposal, feedback, installed: None, left: crate::Left::ENDLESS }
}

fn written(proposal: &Proposal) -> Written {
    match write(proposal) {
        Answer::Written(written) => written,
        other => panic!("{:?}: {other:?}", proposal.user_context),
    }
}
