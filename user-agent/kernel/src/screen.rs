//! What a skill asks and shows the person, always under its own name.

use shared_types::message::{Answer, Show};

use crate::context::KernelContext;
use crate::grants::{UserInput, UserOutput};
use crate::program::Program;

impl UserInput {
    /// Asks under the skill's name and waits for the line.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    pub fn ask<P: Program>(&self, ctx: &KernelContext<P>, question: &str) -> Result<String, String> {
        match ctx.show(Show::Ask { ask: question.to_owned() }) {
            Some(Answer::Said(line)) => Ok(line),
            Some(Answer::Failed(why)) => Err(why),
            _ => Err("no one is here to answer".to_owned()),
        }
    }
}

impl UserOutput {
    /// Shows a text under the skill's name.
    pub fn say<P: Program>(&self, ctx: &KernelContext<P>, text: &str) {
        ctx.show(Show::Say { say: text.to_owned() });
    }
}

impl<P: Program> KernelContext<P> {
    /// Shows the person what the running call waits for, under the skill's name; a line with `told` stays on the screen.
    pub fn waiting(&self, _: &P::Actions, what: &str, told: bool) {
        self.show(Show::Waiting { waiting: what.to_owned(), told });
    }

    /// Shows or asks, regardless of which events the skill may send on its own.
    fn show(&self, show: Show) -> Option<Answer> {
        self.kernel().dispatch(self, show.into())
    }
}
