//! What a person reads at the start: what runs here, who answers, what it can do and what holds it back; short enough
//! for a console of 80 by 24. A child and a pupil hear what speaks to them, and no setting.

use std::collections::BTreeMap;

use confine::Tier;
use language::fill;
use ports::KernelContext;
use ports::tongue::Tongue;
use shared_types::message::{Answer, Command};
use shared_types::risk::Risk;
use shared_types::text;
use shared_types::verdict::is_refused;
use unicode_width::UnicodeWidthStr;

use super::{render, spinner, tongue};

/// Shows the banner.
pub(super) fn show(ctx: &KernelContext) {
    let columns = spinner::columns();
    for line in lines(ctx, columns.saturating_sub(1)) {
        render::aside(&line);
    }
}

/// Says loudly that less holds than should, regardless of how the program was started.
pub(super) fn warn(ctx: &KernelContext) {
    let session = &ctx.shared().session;
    if session.tier == Some(Tier::Degraded) {
        render::aside(&format!(
            "WARNING: isolation is degraded ({}); the configuration allows it. The system does not \
             stop anything that this program is made to do.",
            session.held
        ));
    }
}

fn lines(ctx: &KernelContext, columns: usize) -> Vec<String> {
    let shared = ctx.shared();
    if shared.audience.is_minor() {
        let said = language::fill(tongue::says(ctx).banner_minor, &[("profile", shared.profile.as_str())]);
        return said.lines().map(|line| spinner::cut(line, columns)).collect();
    }
    let (session, tongue) = (&shared.session, shared.tongue());
    let (audience, risks, auth) = match ctx.ask(Command::Policy) {
        Some(Answer::Policy(policy)) => {
            (format!(" ({})", policy.audience), risks(&policy.tools_of_risk, tongue), policy.auth)
        }
        _ => (String::new(), String::new(), None),
    };
    let provider = answering(ctx);
    let skills = ctx.skills();
    let names = |origin: &str| -> Vec<String> {
        skills.iter().filter(|s| s.origin() == origin).map(|s| s.name.to_string()).collect()
    };
    let is_active = |name: &str| skills.iter().any(|s| s.name.as_str() == name);
    let tier = session.tier.map_or("unknown".to_owned(), |t| t.to_string());
    let network = tongue.say(if session.network { "in a process of its own" } else { "none" });
    let label = |word: &str| format!("  {:<10} ", tongue.say(word));
    let said = |word: &str, value: &str| label(word) + value;
    let memory = if is_active("memory") { "on; /memory shows what is remembered" } else { "off" };
    let version = env!("CARGO_PKG_VERSION");
    let mut lines = vec![
        format!("TameClaw {version}: {} {}{audience}", tongue.say("profile"), shared.profile),
        said("model", &provider),
        row(&label("skills"), &names("built-in"), columns, tongue),
        row(&label("learned"), &names("learned"), columns, tongue),
        said("memory", tongue.say(memory)),
        said("workspace", &workspace(ctx, columns.saturating_sub(13))),
        said("autonomy", &format!("{}{risks}", shared.autonomy.as_str())),
        said("shell", &shell(ctx, is_active("shell"))),
        said("isolation", &format!("{tier} ({})", session.held)),
        said("network", network),
    ];
    let plugins = names("plugin");
    if !plugins.is_empty() {
        lines.insert(4, row(&label("plugins"), &plugins, columns, tongue));
    }
    lines.extend(auth.map(|auth| said("key", &text::cut(&auth, 60))));
    lines.push(format!("  {}", tongue.say("/help shows the commands, /exit or Ctrl-D leaves")));
    lines.into_iter().map(|line| spinner::cut(&line, columns)).collect()
}

/// Who answers: what the conversation says, or else the first of the configuration.
fn answering(ctx: &KernelContext) -> String {
    let rows = match ctx.ask(Command::Model { argument: String::new() }) {
        Some(Answer::Providers(rows)) => rows,
        _ => vec![],
    };
    let current = rows.iter().find(|row| row.current);
    let configured = ctx.shared().config.models.providers.first();
    let (name, model) = match (current, configured) {
        (Some(row), _) => (row.name.as_str(), Some(row.model.as_str())),
        (None, Some(provider)) => (provider.name.as_str(), provider.model.as_deref()),
        (None, None) => return ctx.shared().tongue().say("none").to_owned(),
    };
    match model.filter(|model| !model.is_empty()) {
        Some(model) => format!("{} ({})", text::cut(name, 60), text::cut(model, 60)),
        None => text::cut(name, 60),
    }
}

/// Which commands of the system the shell passes on: those that are granted, and no other.
fn shell(ctx: &KernelContext, is_active: bool) -> String {
    let (shared, tongue) = (ctx.shared(), ctx.shared().tongue());
    if !is_active || is_refused(Risk::Medium, shared.autonomy) {
        return tongue.say("off").to_owned();
    }
    match shared.grants.commands.len() {
        0 => tongue.say("no command is granted, so none runs").to_owned(),
        count => fill(
            tongue.say("granted commands: {count}; in a sandbox, and an approver decides"),
            &[("count", &count.to_string())],
        ),
    }
}

/// Which tool calls run and which ask.
fn risks(outlooks: &BTreeMap<&'static str, &'static str>, tongue: Tongue) -> String {
    let allowed = Risk::ALL.into_iter().map(Risk::as_str).filter_map(|risk| {
        let outlook = outlooks.get(risk).filter(|outlook| **outlook != "is refused")?;
        let facts = [("risk", tongue.say(risk)), ("outlook", tongue.say(outlook))];
        Some(fill(tongue.say("{risk} risk {outlook},"), &facts) + " ")
    });
    format!(": {}{}", allowed.collect::<String>(), tongue.say("the rest is refused"))
}

/// Where the files of the profile are; of a long path the end.
fn workspace(ctx: &KernelContext, columns: usize) -> String {
    let Some(path) = ctx.shared().workspace() else { return ctx.shared().tongue().say("none").to_owned() };
    let path = text::line(&path.display().to_string());
    if path.width() <= columns {
        return path;
    }
    let mut ends = path.match_indices('/').map(|(at, _)| format!("...{}", &path[at..]));
    ends.find(|end| end.width() <= columns).unwrap_or(path)
}

/// As many names as fit into a line, and how many there are besides.
fn row(head: &str, names: &[String], columns: usize, tongue: Tongue) -> String {
    if names.is_empty() {
        return format!("{head}{}", tongue.say("none"));
    }
    let mut line = head.to_owned();
    for (n, name) in names.iter().enumerate() {
        let left = names.len() - n;
        // Room for what would be said of the rest.
        if line.width() + name.width() + 12 > columns && n > 0 {
            line.push_str(&fill(tongue.say("and {left} more"), &[("left", &left.to_string())]));
            return line;
        }
        line.push_str(name);
        line.push(' ');
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests;
