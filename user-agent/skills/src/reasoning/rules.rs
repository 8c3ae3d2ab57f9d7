//! What holds here, told as facts of the program.

use ports::KernelContext;
use serde_json::{Value, json};
use shared_types::risk::{Autonomy, Risk};
use shared_types::verdict::outlook;

/// The limits of a turn, and what no setting changes.
pub(super) fn policy(ctx: &KernelContext) -> Value {
    let limits = &ctx.shared().config.limits;
    json!({
        "audience": ctx.shared().audience,
        "autonomy": ctx.shared().autonomy,
        "tools_of_risk": by_risk(ctx.shared().autonomy),
        "this_conversation_holds": holds(ctx),
        "auth": auth(ctx),
        "max_tool_rounds": limits.max_tool_rounds,
        "tool_timeout_seconds": limits.tool_timeout.as_secs(),
        "tools_allow": ctx.shared().config.cli.tools_allow,
        "rules": [
            "No program is started and no code is written here.",
            "Every call of a tool passes one gate: channel, arguments, grants, risk, and where it asks, your yes.",
            "Where private content and content from outside are both in a conversation, what could carry data out asks first.",
            "A new skill is asked for by a proposal; a person decides with `cl-admin review`, never this chat.",
            "Configuration and skills can only be read.",
            "A skill reaches what its tokens name and nothing else.",
            "Only a line typed by a person is an order to learn, to remember or to forget.",
        ],
    })
}

/// What becomes of a call of each risk, where the conversation is not mixed.
fn by_risk(autonomy: Autonomy) -> Value {
    Value::Object(
        Risk::ALL
            .map(|risk| (risk.as_str().to_owned(), outlook(risk, autonomy).into()))
            .into_iter()
            .collect(),
    )
}

/// What the conversation holds, in words.
fn holds(ctx: &KernelContext) -> &'static str {
    let holds = ctx.holds();
    match (holds.outside, holds.private) {
        (false, false) => "nothing but what you typed and what is public here",
        (true, false) => "content from outside",
        (false, true) => "private content",
        (true, true) => "private content and content from outside: it is mixed",
    }
}

/// How the provider that is asked first is told who asks; by name, for the key itself is not known here.
fn auth(ctx: &KernelContext) -> Option<String> {
    let models = &ctx.shared().config.models;
    let first = ctx.handles().model()?.router().first("chat")?;
    let provider = models.provider(first.name())?;
    let ways = [
        provider.login.as_ref().map(|_| "a login".to_owned()),
        provider.api_key_file.as_ref().map(|name| format!("the key file {name}")),
        provider.api_key.as_ref().map(|name| format!("the variable {name}")),
    ];
    let ways: Vec<String> = ways.into_iter().flatten().collect();
    (!ways.is_empty()).then(|| ways.join(", else "))
}

/// What each skill may do, and what this profile's tools may reach.
pub(super) fn permissions(ctx: &KernelContext) -> Value {
    let row = |skill: shared_types::described::Shown| {
        json!({
            "skill": skill.name,
            "origin": skill.origin(),
            "tokens": skill.tokens,
            "tools": skill.tools,
        })
    };
    let shared = ctx.shared();
    json!({
        "autonomy": shared.autonomy,
        "grants": shared.grants,
        "this_conversation_holds": holds(ctx),
        "skills": ctx.skills().into_iter().map(row).collect::<Vec<_>>(),
    })
}

/// The providers with how they fare; or, with an argument, the choice of one: `NAME [MODEL]`, `-` for none.
pub(super) fn model(argument: &str, ctx: &KernelContext) -> Option<Value> {
    let router = ctx.handles().model()?.router();
    let mut words = argument.split_whitespace();
    let (name, model) = (words.next(), words.next());
    if let Some(name) = name {
        // A single word may be a model's name as well.
        let chosen = match (name, model) {
            ("-", _) => router.prefer(None, None),
            (name, Some(model)) => router.prefer(Some(name), Some(model)),
            (name, None) => router
                .prefer(Some(name), None)
                .or_else(|error| router.prefer(None, Some(name)).map_err(|_| error)),
        };
        if let Err(error) = chosen {
            return Some(json!({"error": error.to_string()}));
        }
    }
    let rows = router.status();
    let first = router.first("chat").map(|provider| provider.name().to_owned());
    if name.is_some() {
        return Some(json!({"current": first}));
    }
    let row = |row: &models::router::ProviderStatus| {
        json!({
            "name": row.name,
            "kind": row.kind,
            "model": row.model,
            "models": row.models,
            "state": row.health.to_string(),
            "error": row.error,
            "current": first.as_deref() == Some(&row.name),
        })
    };
    Some(rows.iter().map(row).collect())
}
