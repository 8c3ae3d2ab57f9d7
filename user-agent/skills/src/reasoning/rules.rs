//! What holds here, given as facts of the program.

use models::router::ProviderStatus;
use ports::KernelContext;
use shared_types::described::Shown;
use shared_types::message::{Answer, FolderRow, Permissions, Policy, ProviderRow, SkillRow};
use shared_types::risk::Risk;
use shared_types::verdict::outlook;

/// What always holds.
const RULES: &[&str] = &[
    "No program is started and no code is written here.",
    "Every call of a tool passes one gate: channel, arguments, grants, risk, and where it asks, your yes.",
    "Where private content and content from outside are both in a conversation, what could carry data out asks first.",
    "A new skill is asked for by a proposal; a person decides with `cl-admin review`, never this chat.",
    "Configuration and skills can only be read.",
    "A skill reaches what its tokens name and nothing else.",
    "Only a line typed by a person is an order to learn, to remember or to forget.",
];

/// The limits of a turn, and what no setting changes.
pub(super) fn policy(ctx: &KernelContext) -> Policy {
    let shared = ctx.shared();
    let limits = &shared.config.limits;
    Policy {
        audience: shared.audience,
        autonomy: shared.autonomy,
        // Where the conversation is not mixed.
        tools_of_risk: Risk::ALL.map(|risk| (risk.as_str(), outlook(risk, shared.autonomy))).into(),
        this_conversation_holds: holds(ctx),
        auth: auth(ctx),
        max_tool_rounds: limits.max_tool_rounds,
        tool_timeout_seconds: limits.tool_timeout.as_secs(),
        tools_allow: shared.channel().tools_allow.iter().map(ToString::to_string).collect(),
        rules: RULES,
    }
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

/// How the provider that is asked first learns who asks; by name, for the key itself is not known here.
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
pub(super) fn permissions(ctx: &KernelContext) -> Permissions {
    let row = |skill: Shown| SkillRow {
        origin: skill.origin(),
        skill: skill.name,
        tokens: skill.tokens,
        tools: skill.tools,
    };
    let shared = ctx.shared();
    Permissions {
        autonomy: shared.autonomy,
        grants: shared.grants.clone(),
        folders: shared
            .further
            .iter()
            .map(|f| FolderRow { folder: f.spelled.clone(), access: f.access() })
            .collect(),
        this_conversation_holds: holds(ctx),
        skills: ctx.skills().into_iter().map(row).collect(),
    }
}

/// The providers with how they fare; or, with an argument, the choice of one: `NAME [MODEL]`, `-` for none.
pub(super) fn model(argument: &str, ctx: &KernelContext) -> Option<Answer> {
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
            return Some(Answer::Failed(error.to_string()));
        }
    }
    let rows = router.status();
    let first = router.first("chat").map(|provider| provider.name().to_owned());
    if name.is_some() {
        return Some(Answer::Chosen(first));
    }
    let row = |row: ProviderStatus| ProviderRow {
        current: first.as_ref() == Some(&row.name),
        kind: row.kind.as_str().to_owned(),
        state: row.health.to_string(),
        name: row.name,
        model: row.model,
        models: row.models,
        error: row.error,
    };
    Some(Answer::Providers(rows.into_iter().map(row).collect()))
}
