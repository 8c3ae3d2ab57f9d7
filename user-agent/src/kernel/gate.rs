//! The one place where it is decided whether a call of a tool is made.
//!
//! Every door to a tool (the conversation, `cl-bot tool run`, a workflow) leads through `Kernel::call_tool`, and that asks
//! here and nowhere else: is there such a tool, may this channel call it, do the arguments fit, does a grant name what it
//! reaches, how risky is it under the profile's autonomy and in this conversation, and does a person say yes.

use std::sync::{Arc, PoisonError};

use policy::{Circumstances, Verdict, Weight, decide};
use serde_json::{Value, json};
use shared_types::risk::Risk;
use shared_types::text::cut;

use super::context::KernelContext;
use super::{Kernel, MAX_DEPTH, permit};
use crate::skills::Denial;

/// A call that may be made. Only [`Kernel::admit`] makes one, and the dispatcher asks for it.
pub(super) struct Admitted {
    /// The place of the skill.
    pub(super) place: usize,
    /// Which of its tools.
    pub(super) tool: usize,
    /// What the call would do.
    pub(super) weight: Weight,
    /// The risk at which it was judged.
    pub(super) risk: Risk,
    /// Who let it happen.
    pub(super) approved_by: String,
}

/// A call that is not made.
pub(super) struct Turned {
    /// The rule, by its name in the documentation.
    pub(super) rule: &'static str,
    /// Why, with what would be allowed.
    pub(super) why: String,
    /// The risk at which it was judged.
    pub(super) risk: Risk,
}

impl Turned {
    fn new(rule: &'static str, risk: Risk, why: impl Into<String>) -> Turned {
        Turned { rule, why: why.into(), risk }
    }
}

impl Kernel {
    /// Decides about one call.
    pub(super) fn admit(
        self: &Arc<Self>,
        from: &KernelContext,
        full_name: &str,
        args: &Value,
    ) -> Result<Admitted, Turned> {
        let unknown =
            || Turned::new("unknown", Risk::Low, format!("there is no tool `{}`", cut(full_name, 80)));
        if from.depth() >= MAX_DEPTH {
            return Err(Turned::new("depth", Risk::Low, "too many calls within calls"));
        }
        let (place, tool) = self.registry.place_of(full_name).ok_or_else(unknown)?;
        let entry = &self.registry.entries()[place];
        let shown = &entry.skill.tools()[tool];
        if !self.shared.config.cli.allows_of(entry.skill.name().as_str(), full_name) {
            let why = format!(
                "`{full_name}` is not allowed through this channel; `channels.cli.tools_allow` sets that"
            );
            return Err(Turned::new("channel", Risk::Low, why));
        }
        if let Err(faults) = shown.parameters.check(args) {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            let why = format!("the arguments do not fit: {}", faults.join("; "));
            return Err(Turned::new("arguments", Risk::Low, why));
        }
        let weight = match entry.skill.weigh(shown, args, &from.onward(place)) {
            Ok(weight) => weight,
            Err(Denial { rule, why }) => return Err(Turned::new(rule, Risk::Blocked, why)),
        };
        let held = self.shared.held.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let to = (full_name.to_owned(), weight.carries_to.clone().unwrap_or_default());
        let now = Circumstances {
            autonomy: self.shared.autonomy,
            holds: held.provenance,
            typed: false,
            said_yes: held.agreed.contains(&to),
        };
        match decide(&weight, &now) {
            Verdict::Run { risk, by_person } => {
                let approved_by = if by_person { "person" } else { "policy" }.to_owned();
                Ok(Admitted { place, tool, weight, risk, approved_by })
            }
            Verdict::Refuse { risk, rule, why } => Err(Turned::new(rule, risk, why)),
            // The admin service judges it again and asks a person itself, once.
            Verdict::Ask { risk, .. } if entry.skill.is_decided_elsewhere() => {
                Ok(Admitted { place, tool, weight, risk, approved_by: "admin".to_owned() })
            }
            Verdict::Ask { risk, why } if permit::is_needed(&self.shared) => {
                let by = permit::ask(from, full_name, args, risk, &why).map_err(|no| {
                    Turned::new("not-approved", risk, format!("not approved: {}", cut(&no, 400)))
                })?;
                Ok(Admitted { place, tool, weight, risk, approved_by: by })
            }
            Verdict::Ask { risk, why } => {
                let question = json!({"approve": {
                    "tool": full_name, "risk": risk, "reason": why, "args": args, "to": weight.carries_to}});
                let answer = self.show(from, question).unwrap_or_default();
                if answer["approved"] != true {
                    let no = answer["error"].as_str().unwrap_or("the person did not say yes");
                    return Err(Turned::new("not-approved", risk, format!("not approved: {}", cut(no, 200))));
                }
                self.shared.held.lock().unwrap_or_else(PoisonError::into_inner).agreed.insert(to);
                Ok(Admitted { place, tool, weight, risk, approved_by: "person".to_owned() })
            }
        }
    }

    /// Notes what an answer brought into the conversation.
    pub(super) fn brought(&self, weight: &Weight) {
        let mut held = self.shared.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.provenance = held.provenance.with(weight.brings);
    }
}
