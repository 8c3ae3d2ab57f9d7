//! `ask_user`: the model asks the person, under the assistant's name.

use kernel::skill::Outcome;
use ports::KernelContext;
use serde_json::{Value, json};
use shared_types::described::Tool;
use shared_types::schema::Parameters;

/// The longest question, in characters.
const MAX_QUESTION: usize = 1_000;
/// Under which name the assistant itself asks; no skill can have it, since the terminal's own name stands for it.
const ASSISTANT: &str = "assistant";

pub(super) fn tool() -> Tool {
    let parameters = json!({"type": "object", "required": ["question"], "properties": {
        "question": {"type": "string", "minLength": 1, "maxLength": MAX_QUESTION}}});
    Tool {
        examples: vec![],
        name: "ask_user".parse().expect("the tool's name is well-formed"),
        description: "Asks the person one question and waits for the answer".to_owned(),
        parameters: Parameters::parse(parameters).expect("the parameters of ask_user are within the subset"),
        phrases: vec![],
    }
}

/// Asks; without a person it fails at once.
pub(super) fn call(args: &Value, ctx: &KernelContext) -> Outcome {
    let Some(input) = ctx.user_input() else {
        return Outcome::Failed("user:input was not granted".to_owned());
    };
    match input.ask(ctx, args["question"].as_str().unwrap_or_default()) {
        Ok(answer) => Outcome::Said(answer),
        Err(why) => Outcome::Failed(why),
    }
}

/// The name under which a question is shown: the terminal itself asks for the assistant only.
pub(super) fn name_of(source: &str) -> &str {
    if source == "cli" { ASSISTANT } else { source }
}
