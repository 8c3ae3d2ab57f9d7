//! The tools that this channel may call, as a model is offered them and as people are shown them.

use kernel::registry::Offered;
use models::{Phrase, ToolSpec};
use shared_types::capability::TokenSet;
use shared_types::id::SkillName;
use shared_types::risk::Risk;
use shared_types::schema::Parameters;

use super::KernelContext;

/// A tool as people are shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The full name.
    pub name: String,
    /// The skill that has it.
    pub skill: SkillName,
    /// Whether that skill was learned.
    pub learned: bool,
    /// What the skill was granted.
    pub tokens: TokenSet,
    /// How much a call could do; `None` where the arguments decide.
    pub risk: Option<Risk>,
    /// One line.
    pub description: String,
    pub parameters: Parameters,
}

/// The tools with their full names, as they are offered to a model.
pub fn specs(ctx: &KernelContext) -> Vec<ToolSpec> {
    let phrase = |(language, pattern): &(String, String)| Phrase {
        language: language.clone(),
        pattern: pattern.clone(),
    };
    let spec = |Offered { full_name, tool, tokens, .. }: Offered<'_>| ToolSpec {
        name: full_name.to_owned(),
        description: tool.description.clone(),
        parameters: tool.parameters.as_json().clone(),
        phrases: tool.phrases.iter().map(phrase).collect(),
        examples: tool.examples.clone(),
        only_answers: tokens.is_empty(),
    };
    allowed(ctx).map(spec).collect()
}

/// The same tools as people are shown them.
pub fn listed(ctx: &KernelContext) -> Vec<Listed> {
    let listed = |Offered { full_name, skill, learned, tokens, tool }: Offered<'_>| Listed {
        name: full_name.to_owned(),
        skill: skill.clone(),
        learned,
        tokens: tokens.clone(),
        risk: ctx.risk_of(full_name, None),
        description: tool.description.clone(),
        parameters: tool.parameters.clone(),
    };
    allowed(ctx).map(listed).collect()
}

/// What is wrong with a call as far as that can be known beforehand: a tool that does not exist, one that this channel
/// may not call, or arguments that do not fit. `args` is `None` where they are not whole yet.
pub fn fault_of(ctx: &KernelContext, full_name: &str, args: Option<&serde_json::Value>) -> Option<String> {
    let Some(Offered { skill, tool, .. }) = ctx.tools().find(|offered| offered.full_name == full_name) else {
        let known: Vec<&str> = ctx.tools().map(|offered| offered.full_name).collect();
        return Some(format!("there is no tool `{full_name}`; there is: {}", known.join(" ")));
    };
    let shared = ctx.shared();
    if !shared.channel().allows_of(skill.as_str(), full_name) {
        return Some(format!(
            "`{full_name}` is not allowed here; `{}` sets that",
            shared.session.through.tools_key()
        ));
    }
    let faults = tool.parameters.check(args?).err()?;
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    Some(format!("the arguments do not fit: {}", faults.join("; ")))
}

fn allowed(ctx: &KernelContext) -> impl Iterator<Item = Offered<'_>> {
    let allows = ctx.shared().channel();
    ctx.tools().filter(|offered| allows.allows_of(offered.skill.as_str(), offered.full_name))
}
