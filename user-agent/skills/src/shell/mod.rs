//! Commands of the system. Nothing is started here: a line is judged, and what may be is put before the admin service.
//!
//! - [`told`]: what came of a command, in words

use kernel::skill::{Call, Outcome, Skill};
use policy::shell::{Rules, judge_text};
use ports::actions::Wish;
use ports::own::{own_name, parameters, phrases};
use ports::{KernelContext, Shared};
use serde_json::Value;
use shared_types::action::{Action, DEFAULT_SECONDS, MAX_LINE, MAX_SECONDS, MAX_STDIN};
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::grants::Grants;
use shared_types::id::{SkillName, ToolName, WorkflowName};
use shared_types::provenance::Provenance;
use shared_types::risk::Risk;
use shared_types::text::cut;
use shared_types::verdict::{Denial, Rule, Weight};

pub mod told;

/// The skill.
pub struct Shell {
    name: SkillName,
    tools: Vec<Tool>,
}

const PHRASES: [(&str, &str); 10] = [
    ("en", "run {command}"),
    ("en", "run the command {command}"),
    ("en", "execute {command}"),
    ("en", "execute|start the command|program {command}"),
    ("de", "führe {command} aus"),
    ("de", "führ|führe|fuehr|fuehre [mal|bitte] [den] befehl {command} aus"),
    ("de", "führ|fuehr|fuehre [mal|bitte] {command} aus"),
    ("de", "lass [bitte|mal] {command} laufen"),
    ("de", "führe den befehl {command} aus"),
    ("de", "starte den befehl {command}"),
];

const DESCRIPTION: &str = "Runs one command line in the person's workspace (read-only there; its own folder is writable) \
                           and returns exit code and output; no variables, substitutions or background jobs";

impl Default for Shell {
    fn default() -> Self {
        const SCHEMA: &str = r#"{
            "type": "object",
            "properties": {
                "command": {"type": "string", "minLength": 1, "maxLength": MAX_LINE,
                    "description": "programs with arguments; | && || ; < > and quotes are understood"},
                "stdin": {"type": "string", "maxLength": MAX_STDIN, "description": "what the first program reads"},
                "timeout_s": {"type": "integer", "minimum": 1, "maximum": MAX_SECONDS,
                    "description": "seconds that it may take; 15 when left out"},
                "network": {"type": "boolean", "description": "whether it needs the network; a person is asked each time"}
            },
            "required": ["command"]
        }"#;
        let tool = Tool {
            examples: vec!["run date".to_owned(), "führe date aus".to_owned()],
            name: "shell".parse().expect("the shell's tool name is well-formed"),
            description: DESCRIPTION.to_owned(),
            parameters: parameters(
                SCHEMA,
                &[("MAX_LINE", &MAX_LINE), ("MAX_STDIN", &MAX_STDIN), ("MAX_SECONDS", &MAX_SECONDS)],
            ),
            phrases: phrases(&PHRASES),
        };
        Shell { name: own_name("shell"), tools: vec![tool] }
    }
}

impl Skill<Shared> for Shell {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Has the admin service run a command, confined"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::FileRead, Token::FileWrite].into_iter().collect()
    }

    fn tools(&self) -> &[Tool] {
        &self.tools
    }

    fn full_name(&self, tool: &ToolName) -> String {
        tool.to_string()
    }

    fn is_decided_elsewhere(&self) -> bool {
        true
    }

    /// Judges the line by the policy that the admin judges by again; what is high or blocked goes no further than this.
    fn weigh(&self, _tool: &Tool, args: &Value, ctx: &KernelContext) -> Result<Weight, Denial> {
        let action = action(args);
        if let Some((key, allowed)) = action.faults().into_iter().next() {
            let key = if key == "line" { "command" } else { key };
            return Err(Denial { rule: Rule::Arguments, why: format!("`{key}`: {allowed}") });
        }
        let line = args["command"].as_str().unwrap_or_default();
        if let Some(name) = workflow(line) {
            let why = format!(
                "`{name}` is the name of a workflow, not of a command; start it by `cl-bot sop run {name}` (`cl-bot sop list` \
                 shows all workflows)"
            );
            return Err(Denial { rule: Rule::Workflow, why });
        }
        let rules = Rules::of(&ctx.shared().grants);
        let (_, judged) = judge_text(line, &rules);
        let worst = judged.parts.iter().max_by_key(|part| part.risk);
        let shown = cut(line, 120);
        let reason = match worst {
            Some(part) => format!("`{shown}`: {} (rule `{}`)", cut(&part.why, 300), part.rule),
            None => format!("`{shown}`"),
        };
        Ok(Weight {
            risk: judged.risk,
            reason,
            carries_to: (args["network"] == true).then(|| "the network".to_owned()),
            brings: Provenance::BOTH,
            replaces: false,
        })
    }

    fn call_tool(&self, _tool: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        let Some(actions) = ctx.handles().actions() else {
            return Outcome::Failed(
                "the shell was not granted file:write, so it can ask for nothing".to_owned(),
            );
        };
        let line = call.args["command"].as_str().unwrap_or_default();
        let wish = Wish {
            name: self.name.clone(),
            description: format!("Run: {}", cut(line, 120)),
            rationale: "The assistant called the tool `shell`.".to_owned(),
            action: action(call.args),
            line: call.line,
        };
        match actions.ask(wish, ctx) {
            Ok(came) => told::outcome(came),
            Err(why) => Outcome::Failed(why.to_string()),
        }
    }
}

/// The workflow that "run the morning workflow" means. No program has the name of an article.
fn workflow(line: &str) -> Option<WorkflowName> {
    language::named_workflow(line)?.parse().ok()
}

/// The granted commands that never run, each with the reason: a grant cannot allow what the policy forbids.
pub fn grants_without_effect(grants: &Grants) -> Vec<String> {
    let judged = grants
        .commands
        .iter()
        .map(|command| (command, judge_text(&command.to_string(), &Rules::of(grants)).1));
    let blocked = judged.filter(|(_, judged)| judged.risk == Risk::Blocked);
    let told = blocked.map(|(command, judged)| {
        let why = judged.parts.into_iter().map(|part| format!("{} (rule `{}`)", part.why, part.rule)).next();
        format!("grants.commands: `{command}` has no effect: {}; remove it", why.unwrap_or_default())
    });
    told.collect()
}

/// The arguments, which fit the parameters, as an action.
fn action(args: &Value) -> Action {
    let text = |key: &str| args[key].as_str().unwrap_or_default().to_owned();
    let seconds = args["timeout_s"].as_u64().and_then(|s| u32::try_from(s).ok());
    Action::Shell {
        line: text("command"),
        stdin: text("stdin"),
        timeout_s: seconds.unwrap_or(DEFAULT_SECONDS),
        network: args["network"] == true,
    }
}

#[cfg(test)]
mod tests;
