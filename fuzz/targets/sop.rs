//! `SOP.toml` and `SOP.yaml`: the first line of an input says which of the two it is.

use documents::sop::{Form, MAX_STEPS, Sop, Work};
use shared_types::id::WorkflowName;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_workflow_that_is_taken_runs_forward_only() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let (form, text) = match text.split_once('\n') {
        Some(("# yaml", rest)) => (Form::Yaml, rest),
        _ => (Form::Toml, text),
    };
    let name: WorkflowName = "briefing".parse().expect("a name");
    let parsed = Sop::read(&name, text, form, &|_, _| None);
    match &parsed {
        Ok(sop) => {
            assert!((1..=MAX_STEPS).contains(&sop.steps.len()));
            for (n, step) in sop.steps.iter().enumerate() {
                let before = &sop.steps[..n];
                assert!(before.iter().all(|other| other.id != step.id), "each id is one step's");
                if let Some(from) = step.work.content_from() {
                    assert!(before.iter().any(|other| other.id == *from), "text comes from an earlier step");
                }
                if let Work::Tool { args, content: Some((_, to)), .. } = &step.work {
                    assert!(!args.contains_key(to), "an argument has one value");
                }
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            faults.iter().for_each(|fault| is_safe_to_show(&fault.to_string()));
        }
    }
    Verdict::of(&parsed)
}
