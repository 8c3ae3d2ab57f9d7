//! The one way on which a tool is called: decided by the gate, made here, its receipt kept regardless of the outcome.
//!
//! A call whose effect may outlast the answer is made only while its receipt can be written too.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde_json::Value;
use shared_types::{risk::Risk, verdict::Rule};

use super::approval::ApprovalRoute;
use super::context::{Kernel, KernelContext};
use super::gate::Denied;
use super::program::{Attempt, ByKernel, Called, Outcome, Program, Report};
use super::skill::Call;
use super::stop::{self, Stopped};

/// Counts the calls of this process.
static CALLS: AtomicU64 = AtomicU64::new(1);

impl<P: ApprovalRoute> Kernel<P> {
    /// Has the gate decide about a call, makes it, and tells what came of it.
    pub(super) fn call_tool(
        self: &Arc<Self>,
        from: &KernelContext<P>,
        full_name: &str,
        args: &Value,
        line: &str,
    ) -> Called {
        let attempt = self.begin(full_name, args);
        let _span = self.program.enter(&attempt);
        let admitted = match self.admit(from, full_name, args) {
            Ok(admitted) => admitted,
            Err(turned) => return self.turn_away(&attempt, turned),
        };
        if admitted.risk > Risk::Low
            && let Some(why) = self.program.no_receipt(&ByKernel::new())
        {
            let risk = admitted.risk;
            return self.turn_away(&attempt, Denied::new(Rule::NoReceipt, risk, why));
        }
        self.program.tell(&attempt, Report::Approved(admitted.risk, &admitted.approved_by));
        let entry = &self.registry.entries()[admitted.place];
        let tool = &entry.skill.tools()[admitted.tool];
        let begun = Instant::now();
        let made = self.unless_stopped(&from.onward(admitted.place), |ctx| {
            entry.skill.call_tool(&tool.name, &Call { args, line }, ctx)
        });
        let outcome = made.unwrap_or_else(|stopped| Outcome::Failed(stopped.words()));
        if let (true, Outcome::Said(text)) = (admitted.outside, &outcome) {
            self.taint().name_pages(text);
        }
        let told = match &outcome {
            Outcome::Said(_) => Report::Completed(begun.elapsed()),
            Outcome::NotMine | Outcome::Failed(_) | Outcome::Denied(..) => Report::Failed(begun.elapsed()),
        };
        self.program.tell(&attempt, told);
        let judged = (admitted.risk, admitted.approved_by.as_str());
        self.program.keep_receipt(&ByKernel::new(), &attempt, outcome, judged)
    }
}

impl<P: Program> Kernel<P> {
    fn begin<'a>(&self, tool: &'a str, args: &'a Value) -> Attempt<'a> {
        let number = CALLS.fetch_add(1, Ordering::Relaxed);
        let attempt = Attempt { tool, args, conversation: self.program.conversation(), number };
        self.program.tell(&attempt, Report::Requested);
        attempt
    }

    fn turn_away(&self, attempt: &Attempt<'_>, turned: Denied) -> Called {
        self.program.tell(attempt, Report::Denied(turned.rule));
        let outcome = Outcome::Denied(turned.rule, format!("{} (rule `{}`)", turned.why, turned.rule));
        self.program.keep_receipt(&ByKernel::new(), attempt, outcome, (turned.risk, turned.by.as_str()))
    }

    /// Does something in a context that ends automatically when the emergency stop appears.
    ///
    /// # Errors
    /// The stop, where it held already or came meanwhile.
    pub(super) fn unless_stopped<T>(
        self: &Arc<Self>,
        ctx: &KernelContext<P>,
        work: impl FnOnce(&KernelContext<P>) -> T,
    ) -> Result<T, Stopped> {
        if let Some(stopped) = self.program.stopped() {
            self.program.met(&stopped);
            return Err(stopped);
        }
        let outer = ctx.cancel().clone();
        let (worked, stopped) =
            stop::watched(|| self.program.stopped(), &outer, |cancel| work(&ctx.ended_by(cancel)));
        match stopped {
            None => Ok(worked),
            Some(stopped) => {
                self.program.met(&stopped);
                Err(stopped)
            }
        }
    }
}

impl<P: ApprovalRoute> KernelContext<P> {
    /// Runs a tool by its full name; only the conversation may.
    pub fn call_tool(&self, full_name: &str, args: &Value, line: &str) -> Outcome {
        self.call_for_receipt(full_name, args, line).outcome
    }

    /// As [`KernelContext::call_tool`], with the receipt's identifier.
    pub fn call_for_receipt(&self, full_name: &str, args: &Value, line: &str) -> Called {
        if !self.grants().calls_tools {
            let outcome = Outcome::Failed("this skill may not call tools".to_owned());
            return Called { outcome, receipt_id: None };
        }
        self.kernel().call_tool(self, full_name, args, line)
    }

    /// Puts on record that a call is not made: its arguments cannot be read, or the conversation made it too often.
    pub fn refuse_call(&self, full_name: &str, args: &Value, rule: Rule, why: &str) {
        if self.grants().calls_tools {
            let kernel = self.kernel();
            kernel.turn_away(&kernel.begin(full_name, args), Denied::new(rule, Risk::Low, why));
        }
    }
}
