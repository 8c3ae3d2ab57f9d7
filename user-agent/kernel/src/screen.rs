//! What a skill asks and shows the person, always under its own name.

use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::id::EventType;

use crate::context::KernelContext;
use crate::grants::{UserInput, UserOutput};
use crate::program::Program;

impl UserInput {
    /// Asks under the skill's name and waits for the line.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    pub fn ask<P: Program>(&self, ctx: &KernelContext<P>, question: &str) -> Result<String, String> {
        let answer = ctx.show(json!({"ask": question})).unwrap_or_default();
        match answer.get("answer").and_then(Value::as_str) {
            Some(line) => Ok(line.to_owned()),
            None => Err(answer["error"].as_str().unwrap_or("no one is here to answer").to_owned()),
        }
    }
}

impl UserOutput {
    /// Shows a text under the skill's name.
    pub fn say<P: Program>(&self, ctx: &KernelContext<P>, text: &str) {
        ctx.show(json!({"say": text}));
    }
}

impl<P: Program> KernelContext<P> {
    /// Shows the person what the running call waits for, under the skill's name; what is `told` stays on the screen.
    pub fn waiting(&self, _: &P::Actions, what: &str, told: bool) {
        self.show(json!({"waiting": what, "told": told}));
    }

    /// Shows or asks, whatever events the skill may send by itself.
    fn show(&self, payload: Value) -> Option<Value> {
        self.kernel().dispatch(self, &output_event(), payload)
    }
}

/// The event by which something is shown.
pub(super) fn output_event() -> EventType {
    core::ASSISTANT_OUTPUT.parse().expect("the core event types are well-formed")
}
