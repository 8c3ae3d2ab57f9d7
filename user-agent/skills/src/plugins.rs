//! Plugins that an approver installed, as skills: their tools are offered here and run by the admin service.
//!
//! Nothing of a plugin is in this program but names, descriptions and parameters, and those are signed.

use kernel::skill::{Call, Outcome, Skill};
use ports::actions::{ActionOutcome, Wish};
use ports::{KernelContext, Shared};
use serde_json::Value;
use shared_types::action::{Action, ActionResult, DEFAULT_SECONDS};
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::id::{SkillName, ToolName};
use shared_types::plugin::Plugin;
use shared_types::provenance::Provenance;
use shared_types::risk::Risk;
use shared_types::text::{block, cut};
use shared_types::verdict::Weight;
use shared_types::verdict::{Denial, Rule};

/// An installed plugin.
pub struct Installed {
    name: SkillName,
    version: String,
    description: String,
    tokens: TokenSet,
    tools: Vec<Tool>,
    risks: Vec<Risk>,
}

impl Installed {
    /// Makes a skill of a verified entry of the manifest.
    pub fn new(plugin: &Plugin) -> Installed {
        let tool = |tool: &shared_types::plugin::PluginTool| Tool {
            examples: vec![],
            name: tool.name.clone(),
            description: tool.description.clone(),
            parameters: tool.parameters.clone(),
            phrases: tool.phrases.clone(),
        };
        Installed {
            name: plugin.name.clone(),
            version: cut(&plugin.version, 40),
            description: plugin.description.clone(),
            tokens: plugin.capabilities.clone(),
            tools: plugin.tools.iter().map(tool).collect(),
            risks: plugin.tools.iter().map(|tool| tool.risk).collect(),
        }
    }

    fn reaches(&self, tokens: &[Token]) -> bool {
        tokens.iter().any(|token| self.tokens.contains(*token))
    }
}

impl Skill<Shared> for Installed {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn capabilities(&self) -> TokenSet {
        self.tokens.clone()
    }

    fn tools(&self) -> &[Tool] {
        &self.tools
    }

    fn is_decided_elsewhere(&self) -> bool {
        true
    }

    /// The risk is the one that the approver set for the tool.
    fn weigh(&self, tool: &Tool, args: &Value, _ctx: &KernelContext) -> Result<Weight, Denial> {
        let action = self.action(&tool.name, args);
        if let Some((key, allowed)) = action.faults().into_iter().next() {
            return Err(Denial { rule: Rule::Arguments, why: format!("`{key}`: {allowed}") });
        }
        let place = self.tools.iter().position(|own| own.name == tool.name);
        let risk = place.and_then(|place| self.risks.get(place).copied());
        Ok(Weight {
            risk: risk.unwrap_or(Risk::High),
            reason: format!("the plugin {}: {}", self.name, cut(&tool.description, 120)),
            carries_to: self
                .reaches(&[Token::NetworkRead, Token::NetworkWrite])
                .then(|| self.name.to_string()),
            brings: Provenance { outside: true, private: self.reaches(&[Token::FileRead]) },
            replaces: false,
        })
    }

    fn call_tool(&self, tool: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        let Some(actions) = ctx.handles().actions() else {
            return Outcome::Failed("this plugin has no way to the admin service".to_owned());
        };
        let wish = Wish {
            name: self.name.clone(),
            description: format!("Call {}.{tool}", self.name),
            action: self.action(tool, call.args),
            rationale: format!("The assistant called the tool `{}.{tool}`.", self.name),
            line: call.line,
        };
        match actions.ask(wish, ctx) {
            Ok(came) => outcome(came),
            Err(why) => Outcome::Failed(why.to_string()),
        }
    }
}

impl Installed {
    fn action(&self, tool: &ToolName, args: &Value) -> Action {
        Action::Plugin {
            plugin: self.name.clone(),
            tool: tool.clone(),
            args: args.clone(),
            timeout_s: DEFAULT_SECONDS,
        }
    }
}

fn outcome(came: ActionOutcome) -> Outcome {
    match came {
        ActionOutcome::Done(result) if result.exit == Some(0) => Outcome::Said(answer(&result)),
        ActionOutcome::Done(result) => {
            let why = result.ended.as_deref().unwrap_or("the plugin failed");
            let said = if result.stderr.trim().is_empty() { &result.stdout } else { &result.stderr };
            let said = block(said.trim());
            Outcome::Failed(if said.is_empty() {
                cut(why, 300)
            } else {
                format!("{}: {said}", cut(why, 300))
            })
        }
        ActionOutcome::Refused { why, .. } => {
            Outcome::Denied(Rule::Refused, format!("the admin service refused it: {why}"))
        }
        ActionOutcome::Withdrawn(why) => Outcome::Failed(why),
        ActionOutcome::Approved(by) => Outcome::Failed(format!("{by} said yes, but nothing ran")),
    }
}

/// What the plugin answered; a cut is said.
fn answer(result: &ActionResult) -> String {
    let mut text = block(result.stdout.trim_end());
    if text.trim().is_empty() {
        "done, without an answer".clone_into(&mut text);
    }
    if result.cut {
        text.push_str("\n[cut: the answer was longer than what is kept]");
    }
    text
}

#[cfg(test)]
mod tests;
