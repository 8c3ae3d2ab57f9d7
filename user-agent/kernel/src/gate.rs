//! The one place where it is decided whether a call of a tool is made.
//!
//! Every door to a tool (the conversation, `cl-bot tool run`, `cl-bot mcp`, a workflow) leads through `Kernel::call_tool`, and that asks
//! here and nowhere else: is there such a tool, may this channel call it, do the arguments fit, does a grant name what it
//! reaches, how risky is it under the profile's autonomy and in this conversation, and does a person say yes.
//!
//! Calls are judged one after the other. What a call brings is noted while its judge is still at it, so no other call is
//! judged as if it were not there.

use std::sync::{Arc, PoisonError};

use serde_json::Value;
use shared_types::capability::Token;
use shared_types::provenance::Provenance;
use shared_types::risk::Risk;
use shared_types::text::cut;
use shared_types::verdict::{Because, Circumstances, Decider, Denial, Rule, Verdict, Weight, decide};

use super::MAX_DEPTH;
use super::approval::{ApprovalRoute, Question};
use super::context::{Kernel, KernelContext};
use super::program::{ByKernel, Program};

/// A call that may be made. Only [`Kernel::admit`] makes one, and the dispatcher asks for it.
pub(super) struct Admitted {
    /// The place of the skill.
    pub(super) place: usize,
    /// Which of its tools.
    pub(super) tool: usize,
    /// The risk at which it was judged.
    pub(super) risk: Risk,
    /// Who let it happen.
    pub(super) approved_by: Decider,
    /// Whether its answer is content from outside.
    pub(super) outside: bool,
}

/// A call that is not made.
pub(super) struct Denied {
    /// The rule.
    pub(super) rule: Rule,
    /// Why, with what would be allowed.
    pub(super) why: String,
    /// The risk at which it was judged.
    pub(super) risk: Risk,
    /// Whose no it is.
    pub(super) by: Decider,
}

impl Denied {
    /// A no of the rules.
    pub(super) fn new(rule: Rule, risk: Risk, why: impl Into<String>) -> Denied {
        Denied { rule, why: why.into(), risk, by: Decider::Policy }
    }
}

/// A call that could be made as far as tool, channel, arguments and grants go.
struct Weighed {
    place: usize,
    tool: usize,
    weight: Weight,
}

impl<P: ApprovalRoute> Kernel<P> {
    /// Decides about one call.
    pub(super) fn admit(
        self: &Arc<Self>,
        from: &KernelContext<P>,
        full_name: &str,
        args: &Value,
    ) -> Result<Admitted, Denied> {
        let _one_at_a_time = self.judging.lock().unwrap_or_else(PoisonError::into_inner);
        let Weighed { place, tool, weight } = self.weigh(from, full_name, args)?;
        let (risk, approved_by) = match self.judge(&weight, full_name, args) {
            Verdict::Run { risk, by: Because::Person } => {
                self.taint().use_yes(&weight, full_name, args);
                (risk, Decider::Person)
            }
            Verdict::Run { risk, .. } => (risk, Decider::Policy),
            Verdict::Refuse { risk, rule, why } => return Err(Denied::new(rule, risk, why)),
            // The admin service judges it again and asks a person itself, once.
            Verdict::Ask { risk, .. } if self.registry.entries()[place].skill.is_decided_elsewhere() => {
                (risk, Decider::Admin)
            }
            Verdict::Ask { risk, why } => {
                let strange = self.taint().strange(args);
                let asked = Question {
                    tool: full_name,
                    place,
                    args,
                    weight: &weight,
                    risk,
                    why: &why,
                    strange: &strange,
                };
                let yes = self.approval(from, &asked).map_err(|no| {
                    let why = format!("it needs a person's yes ({why}), and there is none: {}", no.why);
                    let rule = if no.by == Decider::Policy { Rule::NotApproved } else { Rule::SaidNo };
                    Denied { by: no.by, ..Denied::new(rule, risk, why) }
                })?;
                self.taint().agree(&weight, full_name, args);
                (risk, yes)
            }
        };
        // Before the answer is there, and whether it will be an error or not: an error's text may carry content too.
        self.taint().bring(weight.brings);
        Ok(Admitted { place, tool, risk, approved_by, outside: weight.brings.outside })
    }
}

impl<P: Program> Kernel<P> {
    /// Judges a call. One that typed words excuse is put on record first; where that fails, they excuse nothing.
    fn judge(&self, weight: &Weight, full_name: &str, args: &Value) -> Verdict {
        let mut taint = self.taint();
        let now: Circumstances = taint.circumstances(self.program.autonomy(), weight, full_name, args);
        let verdict = decide(weight, &now);
        if !matches!(verdict, Verdict::Run { by: Because::Typed, .. }) {
            return verdict;
        }
        if self.program.note_excused(&ByKernel::new(), full_name) {
            taint.excuse(weight, args);
            return verdict;
        }
        taint.excuse_nothing();
        decide(weight, &Circumstances { excused: usize::MAX, ..now })
    }

    /// Finds the tool, and what the call would do.
    fn weigh(
        self: &Arc<Self>,
        from: &KernelContext<P>,
        full_name: &str,
        args: &Value,
    ) -> Result<Weighed, Denied> {
        let unknown =
            || Denied::new(Rule::Unknown, Risk::Low, format!("there is no tool `{}`", cut(full_name, 80)));
        if let Some(stopped) = self.program.stopped() {
            self.program.met(&stopped);
            return Err(Denied::new(Rule::Stopped, Risk::Low, stopped.words()));
        }
        if from.depth() >= MAX_DEPTH {
            return Err(Denied::new(Rule::Depth, Risk::Low, "too many calls within calls"));
        }
        let (place, tool) = self.registry.place_of(full_name).ok_or_else(unknown)?;
        let entry = &self.registry.entries()[place];
        let shown = &entry.skill.tools()[tool];
        if let Err(key) = self.program.allows(entry.skill.name(), full_name) {
            let why = format!("`{full_name}` is not allowed through this channel; `{key}` sets that");
            return Err(Denied::new(Rule::Channel, Risk::Low, why));
        }
        if let Err(faults) = shown.parameters.check(args) {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            let why = format!("the arguments do not fit: {}", faults.join("; "));
            return Err(Denied::new(Rule::Arguments, Risk::Low, why));
        }
        match entry.skill.weigh(shown, args, &from.onward(place)) {
            Ok(weight) => Ok(Weighed { place, tool, weight }),
            Err(Denial { rule, why }) => Err(Denied::new(rule, Risk::Blocked, why)),
        }
    }
}

impl<P: Program> KernelContext<P> {
    /// Which calls of one round may be made beside each other: those that only read, and that run without a question
    /// regardless of what the others of the round bring.
    pub fn independent(&self, calls: &[(&str, &Value)]) -> Vec<bool> {
        const READING: [Token; 4] = [Token::MemoryRead, Token::FileRead, Token::NetworkRead, Token::LlmCall];
        let kernel = self.kernel();
        let weighed: Vec<Option<Weighed>> =
            calls.iter().map(|(name, args)| kernel.weigh(self, name, args).ok()).collect();
        let brought = weighed.iter().flatten().fold(Provenance::NONE, |all, one| all.with(one.weight.brings));
        let mut taint = kernel.taint().bringing(brought);
        let mut alone = |((name, args), weighed): (&(&str, &Value), &Option<Weighed>)| {
            let Some(Weighed { place, weight, .. }) = weighed else { return false };
            let tokens = kernel.registry.entries()[*place].grants.tokens();
            let verdict = decide(weight, &taint.circumstances(kernel.program.autonomy(), weight, name, args));
            if matches!(verdict, Verdict::Run { by: Because::Typed, .. }) {
                // What excuses this one excuses none of the others.
                taint.excuse(weight, args);
            }
            tokens.iter().all(|token| READING.contains(&token))
                && matches!(verdict, Verdict::Run { risk: Risk::Low, .. })
        };
        calls.iter().zip(&weighed).map(&mut alone).collect()
    }
}
