//! What becomes of an action before any person sees it. Nothing that the bot says of it counts: neither risk nor mixture.

use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use base::profiles;
use documents::profile_file::Profile;
use jiff::Timestamp;
use ledger::allowances::Allowance;
use ledger::facts::Installed;
use ledger::judgement::{Judged, JudgedPart, Verdict};
use policy::shell::{self, Rules};
use settings::bot::BOT;
use shared_types::action::Action;
use shared_types::id::{Digest, ProfileId, ProposalId};
use shared_types::proposal::Fault;
use shared_types::provenance::Provenance;
use shared_types::risk::{Autonomy, Risk};
use shared_types::verdict::{Circumstances, Verdict as Policy, Weight, decide};

use super::allow::{Covers, covers};
use super::plan::Plan;

/// What a profile is allowed, as its files say now.
#[derive(Debug)]
pub struct ProfileRules {
    /// The profile's settings.
    pub profile: Profile,
    /// How much happens without asking.
    pub autonomy: Autonomy,
}

/// A file of settings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct Unusable {
    path: PathBuf,
    why: Why,
}

/// What is wrong with a file of settings.
#[derive(Debug, thiserror::Error)]
enum Why {
    #[error(transparent)]
    Io(std::io::Error),
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Profile(Vec<Fault>),
    #[error("autonomy: allowed: {}", Autonomy::ALL.map(Autonomy::as_str).join(" "))]
    Autonomy,
}

impl ProfileRules {
    /// Reads the profile's file and the bot's configuration; what is not there says nothing, and grants nothing.
    ///
    /// # Errors
    /// A file with faults: then nothing is allowed.
    pub fn read(home: &Home, profile: &ProfileId) -> Result<ProfileRules, Unusable> {
        let path = home.profile_file(profile);
        let text = read(&path)?;
        let settings =
            profiles::parse(home, &text).map_err(|faults| Unusable { path, why: Why::Profile(faults) })?;
        let autonomy = match settings.autonomy {
            Some(level) => level,
            None => of_all(home)?,
        };
        Ok(ProfileRules { profile: settings, autonomy })
    }
}

/// The autonomy of every profile that says nothing of its own.
fn of_all(home: &Home) -> Result<Autonomy, Unusable> {
    let path = home.bot_config();
    let file = documents::settings::section(BOT, &read(&path)?);
    let level = Autonomy::of(file.word("autonomy")).unwrap_or_default();
    // Only this key matters here; faults of the others are for the bot to report. A file that is not YAML has the key ``.
    match file.finish().iter().any(|fault| fault.key.is_empty() || fault.key == "autonomy") {
        true => Err(Unusable { path, why: Why::Autonomy }),
        false => Ok(level),
    }
}

fn read(path: &Path) -> Result<String, Unusable> {
    match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        other => other.map_err(|e| Unusable { path: path.to_owned(), why: Why::Io(e) }),
    }
}

/// Judges an action of a profile.
pub fn judge<'a>(
    home: &Home,
    profile: &ProfileId,
    action: &Action,
    allowances: impl Iterator<Item = &'a Allowance>,
) -> Judged {
    match action {
        Action::Shell { line, stdin, network, .. } => {
            shell(home, profile, (line.as_str(), stdin.as_str(), *network), allowances)
        }
        Action::Plugin { plugin, .. } => refused(
            Risk::High,
            "no-such-plugin",
            format!("no plugin `{plugin}` is installed; `cl-admin plugin list` shows those that are"),
        ),
        Action::Permit { risk: risk @ (Risk::High | Risk::Blocked), .. } => refused(
            *risk,
            "high-risk",
            format!("a call of risk {risk} is not permitted by anybody; a person can do it by hand"),
        ),
        Action::Permit { tool, risk, .. } => Judged {
            verdict: Verdict::Asks,
            risk: *risk,
            rule: "permit".to_owned(),
            why: format!("the assistant asks whether it may call `{}`", shared_types::text::cut(tool, 130)),
            parts: vec![],
            plan: None,
            allowance: None,
        },
    }
}

/// The rule by which a plugin is not called for a profile as both are now, and why; also asked when a call starts, since a call
/// may have waited meanwhile.
pub fn kept_out(
    installed: &Installed,
    profile: &ProfileId,
    standing: &ProfileRules,
) -> Option<(&'static str, String)> {
    let name = &installed.plugin.name;
    if !installed.plugin.recipients.include(profile, standing.profile.audience) {
        return Some(("recipients", format!("the approver gave the plugin `{name}` to other profiles")));
    }
    let forbids = installed.facts.workspace && !standing.profile.grants.files.forbidden.is_empty();
    forbids.then(|| {
        let why = format!(
            "the plugin `{name}` reads the whole workspace, of which grants.forbidden_paths of this profile forbids a part; \
             a plugin without the workspace, or a command, can be used instead"
        );
        ("forbidden-path", why)
    })
}

/// Judges a call of a plugin's tool, by what was found of it in the journal.
pub fn plugin(home: &Home, profile: &ProfileId, weighed: Result<(Installed, Weight), Error>) -> Judged {
    let (installed, weight) = match weighed {
        Ok(weighed) => weighed,
        Err(why) => return refused(Risk::High, "plugin", why.to_string()),
    };
    let standing = match ProfileRules::read(home, profile) {
        Ok(standing) => standing,
        Err(why) => {
            return refused(Risk::High, "configuration", format!("{why}; put that right and ask again"));
        }
    };
    if let Some((rule, why)) = kept_out(&installed, profile, &standing) {
        return refused(Risk::High, rule, why);
    }
    // What it could carry out is a person's to give, each time; so nothing is left to be raised.
    let carries = weight.carries_to.clone();
    let inside = Weight { carries_to: None, ..weight };
    let now = Circumstances { autonomy: standing.autonomy, ..Circumstances::default() };
    let (verdict, rule, why) = match (decide(&inside, &now), carries) {
        (Policy::Refuse { rule, why, .. }, _) => (Verdict::Refused, rule.as_str().to_owned(), why),
        (_, Some(to)) => {
            let why = format!(
                "{}; it could carry something to {to}, which a person gives each time",
                inside.reason
            );
            (Verdict::Asks, "network".to_owned(), why)
        }
        (Policy::Ask { why, .. }, None) => (Verdict::Asks, "medium-risk".to_owned(), why),
        (Policy::Run { .. }, None) if inside.risk > Risk::Low && standing.profile.audience.is_minor() => (
            Verdict::Asks,
            "minor".to_owned(),
            "in a child's or teenager's profile the approver decides".to_owned(),
        ),
        (Policy::Run { .. }, None) => {
            (Verdict::Runs, "autonomy".to_owned(), format!("allowed with `autonomy: {}`", standing.autonomy))
        }
    };
    Judged {
        verdict,
        risk: inside.risk,
        rule,
        why,
        parts: vec![],
        // What runs is what was approved when it was installed; another one is another judgement.
        plan: Some(installed.plugin.facts_sha256.clone()),
        allowance: None,
    }
}

fn shell<'a>(
    home: &Home,
    profile: &ProfileId,
    (line, stdin, network): (&str, &str, bool),
    allowances: impl Iterator<Item = &'a Allowance>,
) -> Judged {
    let standing = match ProfileRules::read(home, profile) {
        Ok(standing) => standing,
        Err(why) => {
            return refused(Risk::High, "configuration", format!("{why}; put that right and ask again"));
        }
    };
    let rules = Rules::of(&standing.profile.grants);
    let (parsed, found) = shell::judge_text(line, &rules);
    let worst = found.parts.iter().max_by_key(|part| part.risk);
    let Some(parsed) = parsed else {
        let (rule, why) = worst.map_or_else(Default::default, |part| (part.rule, part.why.clone()));
        return refused(found.risk.max(Risk::High), rule, why);
    };
    let plan = match Plan::of(&parsed) {
        Ok(plan) => plan,
        Err(why) => return refused(Risk::High, "unparsed", why.to_string()),
    };
    let reason = worst.map_or_else(String::new, |part| format!("{}: {}", part.rule, part.why));
    // A command without network carries nothing out; what one with network may, a person decides below.
    let weight = Weight { risk: found.risk, ..Weight::harmless(reason) };
    let mut judged = Judged {
        verdict: Verdict::Asks,
        risk: found.risk,
        rule: String::new(),
        why: String::new(),
        parts: found.parts.iter().map(part).collect(),
        plan: Some(plan.digest()),
        allowance: None,
    };
    // Every action counts as from a mixed conversation, and nothing of it as typed: the bot's word for either is worth nothing.
    let now =
        Circumstances { autonomy: standing.autonomy, holds: Provenance::BOTH, ..Circumstances::default() };
    (judged.verdict, judged.rule, judged.why) = match decide(&weight, &now) {
        Policy::Refuse { rule, why, .. } => (Verdict::Refused, rule.as_str().to_owned(), why),
        _ if network => {
            let why = "it would have the network, which a person gives each time".to_owned();
            (Verdict::Asks, "network".to_owned(), why)
        }
        Policy::Ask { why, .. } => (Verdict::Asks, "medium-risk".to_owned(), why),
        Policy::Run { .. } if standing.profile.audience.is_minor() => {
            let why = "in a child's or teenager's profile the approver decides".to_owned();
            (Verdict::Asks, "minor".to_owned(), why)
        }
        Policy::Run { .. } => {
            (Verdict::Runs, "autonomy".to_owned(), format!("allowed with `autonomy: {}`", standing.autonomy))
        }
    };
    if judged.verdict == Verdict::Asks && !network {
        covered(&mut judged, profile, &plan.digest(), stdin, allowances);
    }
    judged
}

/// Lets a standing permission answer in a person's place, or says why it does not any more.
fn covered<'a>(
    judged: &mut Judged,
    profile: &ProfileId,
    plan: &Digest,
    stdin: &str,
    allowances: impl Iterator<Item = &'a Allowance>,
) {
    let now = Timestamp::now();
    for allowance in allowances {
        match covers(allowance, profile, plan, stdin, now) {
            Covers::Other => {}
            Covers::Not(why) => judged.why = format!("{}; {why}", judged.why),
            Covers::Yes => {
                judged.verdict = Verdict::Runs;
                judged.rule = "always-allowed".to_owned();
                judged.why = format!("always allowed by `{}` until {}", allowance.by, allowance.always.until);
                judged.allowance = Some(allowance.id.clone());
                return;
            }
        }
    }
}

fn part(part: &shell::Part) -> JudgedPart {
    let words: Vec<String> = part.argv.iter().map(|word| super::plan::quoted(word)).collect();
    JudgedPart {
        shown: words.join(" "),
        risk: part.risk,
        rule: part.rule.to_owned(),
        why: shared_types::text::cut(&part.why, 300),
    }
}

fn refused(risk: Risk, rule: &str, why: String) -> Judged {
    Judged {
        verdict: Verdict::Refused,
        risk,
        rule: rule.to_owned(),
        why,
        parts: vec![],
        plan: None::<Digest>,
        allowance: None::<ProposalId>,
    }
}

#[cfg(test)]
mod tests;
