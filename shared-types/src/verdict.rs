//! Whether one call runs, asks a person, or is refused.

use crate::capability::{Token, TokenSet};
use crate::provenance::Provenance;
use crate::risk::{Autonomy, Risk};

/// What one call would do, found before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weight {
    /// What it could do at worst.
    pub risk: Risk,
    /// What it does, in a few words for a person.
    pub reason: String,
    /// Where data could go with it: a host, a plugin, a command. `None` where nothing can leave.
    pub carries_to: Option<String>,
    /// What its answer brings into the conversation.
    pub brings: Provenance,
    /// Whether it overwrites or empties a file that exists, or could.
    pub replaces: bool,
}

impl Weight {
    /// A call that does nothing but answer.
    pub fn harmless(reason: impl Into<String>) -> Weight {
        Weight {
            risk: Risk::Low,
            reason: reason.into(),
            carries_to: None,
            brings: Provenance::NONE,
            replaces: false,
        }
    }

    /// What the tools of a skill with these tokens do, where nothing more is known: what writes files, sends or moves
    /// something in the room is medium, what only reads is low.
    pub fn of(tokens: &TokenSet, reason: String) -> Weight {
        let any = |list: &[Token]| list.iter().any(|token| tokens.contains(*token));
        let medium = any(&[
            Token::FileWrite,
            Token::NetworkWrite,
            Token::AudioRead,
            Token::AudioWrite,
            Token::GpioWrite,
        ]);
        let network = any(&[Token::NetworkRead, Token::NetworkWrite]);
        let files = tokens.contains(Token::FileRead);
        Weight {
            risk: if medium { Risk::Medium } else { Risk::Low },
            reason,
            carries_to: network.then(|| "the network".to_owned()),
            brings: Provenance {
                outside: network || files,
                // Who is at home shows in a door and a button.
                private: files || any(&[Token::AudioRead, Token::GpioRead]),
            },
            replaces: false,
        }
    }
}

/// Under which circumstances a call is made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// How much happens without asking.
    pub autonomy: Autonomy,
    /// What the conversation holds. What the person typed counts as private towards a host that was not typed with it.
    pub holds: Provenance,
    /// Whether the arguments are made only of words that the person typed, and that excused no call before.
    pub typed: bool,
    /// How many calls typed words excused in this conversation so far.
    pub excused: usize,
    /// Whether the arguments hold an address that the person never typed.
    pub strange_address: bool,
    /// Whether a person said yes to the same tool and destination in this conversation already.
    pub said_yes: bool,
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// It runs.
    Run {
        /// The risk at which it was judged.
        risk: Risk,
        /// Who lets it run.
        by: Because,
    },
    /// A person is asked first; without a yes it does not run.
    Ask {
        /// The risk at which it was judged.
        risk: Risk,
        /// Why it asks, in words.
        why: String,
    },
    /// It does not run.
    Refuse {
        /// The risk at which it was judged.
        risk: Risk,
        /// The rule.
        rule: Rule,
        /// Why, with a lawful next step.
        why: String,
    },
}

/// The rule that denies a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The arguments do not fit.
    Arguments,
    /// Nothing lets it run.
    Blocked,
    /// The channel may not call the tool.
    Channel,
    /// Too many calls within calls.
    Depth,
    /// The path is one that no grant opens.
    ForbiddenPath,
    /// The risk is high.
    HighRisk,
    /// No grant names the host.
    HostGrant,
    /// The network process forbids it.
    Network,
    /// Its receipt could not be written.
    NoReceipt,
    /// It needs a yes, and nobody could be asked, or nobody has answered.
    NotApproved,
    /// It needs a yes, and a person said no. The documentation names both alike.
    SaidNo,
    /// No grant names the path.
    PathGrant,
    /// The path may not be named.
    PathName,
    /// The path is not in the workspace.
    PathOutside,
    /// The profile only reads.
    Readonly,
    /// The admin service, or an approver, says no.
    Refused,
    /// It was made often enough.
    Repeated,
    /// The emergency stop holds.
    Stopped,
    /// There are too many calls in one answer.
    TooMany,
    /// The tool does not exist.
    Unknown,
    /// Its arguments cannot be read.
    Unreadable,
    /// The address may not be read.
    WebAddress,
    /// It names a workflow, which is not a command.
    Workflow,
}

impl Rule {
    /// Its name in the documentation.
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::Arguments => "arguments",
            Rule::Blocked => "blocked",
            Rule::Channel => "channel",
            Rule::Depth => "depth",
            Rule::ForbiddenPath => "forbidden-path",
            Rule::HighRisk => "high-risk",
            Rule::HostGrant => "host-grant",
            Rule::Network => "network",
            Rule::NoReceipt => "no-receipt",
            Rule::NotApproved | Rule::SaidNo => "not-approved",
            Rule::PathGrant => "path-grant",
            Rule::PathName => "path-name",
            Rule::PathOutside => "path-outside",
            Rule::Readonly => "readonly",
            Rule::Refused => "refused",
            Rule::Repeated => "repeated",
            Rule::Stopped => "stopped",
            Rule::TooMany => "too-many",
            Rule::Unknown => "unknown",
            Rule::Unreadable => "unreadable",
            Rule::WebAddress => "web-address",
            Rule::Workflow => "workflow",
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who lets a call run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// The policy alone.
    Policy,
    /// The words that the person typed: without them it would be asked about. They are used up by it.
    Typed,
    /// A person's earlier yes.
    Person,
}

impl Verdict {
    /// The risk at which the call was judged.
    pub fn risk(&self) -> Risk {
        match self {
            Verdict::Run { risk, .. } | Verdict::Ask { risk, .. } | Verdict::Refuse { risk, .. } => *risk,
        }
    }
}

/// A call that nothing lets through, with a lawful next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The rule.
    pub rule: Rule,
    /// Why, and what would be allowed.
    pub why: String,
}

/// Who let a call happen, or did not, as its receipt says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decider {
    /// The rules alone; nobody was asked.
    Policy,
    /// The person in the chat.
    Person,
    /// The admin service, which judges it again.
    Admin,
    /// An approver, by name.
    Approver(String),
}

impl Decider {
    /// The word of a receipt.
    pub fn as_str(&self) -> &str {
        match self {
            Decider::Policy => "policy",
            Decider::Person => "person",
            Decider::Admin => "admin",
            Decider::Approver(name) => name,
        }
    }
}

/// Why there is no yes, and who said no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoYes {
    /// In words, with a lawful next step.
    pub why: String,
    /// The rules, where nobody was asked.
    pub by: Decider,
}

impl NoYes {
    /// Nobody could be asked, or nobody has answered yet.
    pub fn unasked(why: impl Into<String>) -> NoYes {
        NoYes { why: why.into(), by: Decider::Policy }
    }
}

/// How many calls typed words excuse in one conversation. Which of them are made, and in which order, tells a host
/// something: two calls out of ten say six bits.
pub const MOST_EXCUSED: usize = 2;

/// Why a call is asked about, regardless of the autonomy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Concern {
    /// It could carry private content out: it rises one level.
    Leaks,
    /// Typed words excused enough calls: the choice among them could tell what is private.
    Spells,
    /// Its address was typed by nobody, and asking a host can do something there.
    Acts,
    /// It overwrites or empties a file. A name and no text empties one, so typed words excuse nothing here.
    Overwrites,
}

/// What speaks against a call by what the conversation holds.
fn concern(weight: &Weight, now: &Circumstances) -> Option<Concern> {
    let carries = weight.carries_to.is_some();
    let mixed = carries && now.holds.is_mixed();
    if mixed && !now.typed {
        Some(Concern::Leaks)
    } else if mixed && now.excused >= MOST_EXCUSED {
        Some(Concern::Spells)
    } else if carries && now.holds.outside && now.strange_address {
        Some(Concern::Acts)
    } else if weight.replaces && now.holds.outside {
        Some(Concern::Overwrites)
    } else {
        None
    }
}

impl Concern {
    fn says(self, weight: &Weight) -> String {
        let to = weight.carries_to.as_deref().unwrap_or_default();
        match self {
            Concern::Leaks => format!(
                "this conversation holds private content and content from outside, and this could carry it to {to}"
            ),
            Concern::Spells => format!(
                "this conversation holds private content and content from outside, and {MOST_EXCUSED} calls ran on typed \
                 words alone; the choice of a further one could tell {to} something private"
            ),
            Concern::Acts => format!(
                "you did not type this address, content from outside may have asked for it, and a request alone can have \
                 an effect at {to}"
            ),
            Concern::Overwrites => {
                "this conversation holds content from outside, which could ask for that".to_owned()
            }
        }
    }
}

/// Decides. What the conversation holds can make a call ask, regardless of the autonomy ([`concern`]); a call that could
/// carry private content out rises one level besides. An earlier yes to the same tool and destination answers such a
/// question.
pub fn decide(weight: &Weight, now: &Circumstances) -> Verdict {
    let concern = concern(weight, now);
    let risk = match concern {
        Some(Concern::Leaks) => weight.risk.raised(),
        Some(_) => weight.risk.max(Risk::Medium),
        None => weight.risk,
    };
    let why = || match concern {
        Some(concern) => format!("{}; {}", weight.reason, concern.says(weight)),
        None => weight.reason.clone(),
    };
    let refuse = |rule, why: String| Verdict::Refuse { risk, rule, why };
    match (risk, now.autonomy) {
        (Risk::Blocked, _) => {
            refuse(Rule::Blocked, format!("{}; this never runs, no matter who asks", weight.reason))
        }
        (Risk::High, _) => refuse(
            Rule::HighRisk,
            format!("{}: the risk is high, and that is refused; a person can do it by hand", why()),
        ),
        (Risk::Medium, Autonomy::Readonly) => refuse(
            Rule::Readonly,
            format!(
                "{}: with `autonomy: readonly` only calls of low risk run; the profile's file sets that",
                why()
            ),
        ),
        (Risk::Medium, _) if now.said_yes => Verdict::Run { risk, by: Because::Person },
        (Risk::Medium, Autonomy::Supervised) => Verdict::Ask { risk, why: why() },
        (Risk::Medium, Autonomy::Full) if concern.is_some() => Verdict::Ask { risk, why: why() },
        (Risk::Low, _) | (Risk::Medium, Autonomy::Full) => {
            let excused = now.holds.is_mixed() && weight.carries_to.is_some();
            Verdict::Run { risk, by: if excused { Because::Typed } else { Because::Policy } }
        }
    }
}

/// Whether calls of a risk are refused, regardless of what the conversation holds.
pub fn is_refused(risk: Risk, autonomy: Autonomy) -> bool {
    matches!(plainly(risk, autonomy), Verdict::Refuse { .. })
}

/// What becomes of a call in an empty conversation.
fn plainly(risk: Risk, autonomy: Autonomy) -> Verdict {
    let weight = Weight { risk, ..Weight::harmless("") };
    decide(&weight, &Circumstances { autonomy, ..Circumstances::default() })
}

/// What becomes of calls of a risk where nothing raises it, in two words for people.
pub fn outlook(risk: Risk, autonomy: Autonomy) -> &'static str {
    match plainly(risk, autonomy) {
        Verdict::Run { .. } => "runs",
        Verdict::Ask { .. } => "asks",
        Verdict::Refuse { .. } => "is refused",
    }
}

#[cfg(test)]
mod tests;
