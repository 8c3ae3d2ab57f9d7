//! Standing permissions: one line of programs, exactly as a person saw it, for one profile until a day.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use shared_types::action::Action;
use shared_types::id::{ApproverId, Digest, ProfileId, ProposalId};

use super::case::Case;
use super::programs::{self, Pinned};

/// How long it holds when nothing is said, in days.
pub const DEFAULT_DAYS: u16 = 30;
/// The longest, in days.
pub const MAX_DAYS: u16 = 365;

/// What a yes adds that is to hold from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Always {
    /// Until when, in RFC 3339.
    pub until: String,
    /// The programs as they are now.
    pub programs: Vec<Pinned>,
}

/// A standing permission; it never includes the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The action with which it was given.
    pub id: ProposalId,
    /// For whom.
    pub profile: ProfileId,
    /// SHA-256 of what may run.
    pub plan: Digest,
    /// SHA-256 of the input that goes with it.
    pub stdin: Digest,
    /// The line as it was asked for; others wrote it.
    pub line: String,
    /// Until when and with which programs.
    pub always: Always,
    /// By whom.
    pub by: ApproverId,
}

/// Why a standing permission does not cover a line that it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Covers {
    /// It does.
    Yes,
    /// It is for something else.
    Other,
    /// It would, but something changed: in words.
    Not(String),
}

impl Allowance {
    /// The permission that a decided action brought, if it did.
    pub fn of(case: &Case) -> Option<Allowance> {
        let decision = case.decision()?.read().ok()?;
        let Some(Action::Shell { line, stdin, network: false, .. }) = case.action() else { return None };
        Some(Allowance {
            id: case.id().clone(),
            profile: case.taken().profile.clone(),
            plan: case.judged().plan.clone()?,
            stdin: Digest::of(stdin.as_bytes()),
            line: line.clone(),
            always: decision.always?,
            by: decision.approver,
        })
    }

    /// Whether it is over at a time.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.always.until.parse::<Timestamp>().map_or(true, |until| until <= now)
    }

    /// Whether it covers a line without network now: the same programs with the same arguments and the same input, each
    /// program the file that a person saw.
    pub fn covers(&self, profile: &ProfileId, plan: &Digest, stdin: &str, now: Timestamp) -> Covers {
        if (&self.profile, &self.plan) != (profile, plan) || self.stdin != Digest::of(stdin.as_bytes()) {
            return Covers::Other;
        }
        if self.is_over(now) {
            return Covers::Not(format!("it was always allowed until {}", self.always.until));
        }
        for was in &self.always.programs {
            let is = programs::open(&was.name).and_then(|opened| opened.digest().map(|d| (opened.path, d)));
            match is {
                Ok((path, sha256)) if (&path, &sha256) == (&was.path, &was.sha256) => {}
                Ok(_) => {
                    return Covers::Not(format!(
                        "the program `{}` changed since it was always allowed",
                        was.name
                    ));
                }
                Err(why) => return Covers::Not(format!("the program `{}`: {why}", was.name)),
            }
        }
        Covers::Yes
    }
}
