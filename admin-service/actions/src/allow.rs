//! Standing permissions: one line of programs, exactly as a person saw it, for one profile until a day.

use jiff::Timestamp;
use ledger::allowances::Allowance;
use shared_types::id::{Digest, ProfileId};

use super::programs;

/// The longest that one holds, in days.
pub const MAX_DAYS: u16 = 365;

/// Why a standing permission does not cover the line that it was given for.
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

/// Whether a permission covers a line without network now: the same programs with the same arguments and the same input, each
/// program the file that a person saw.
pub fn covers(
    allowance: &Allowance,
    profile: &ProfileId,
    plan: &Digest,
    stdin: &str,
    now: Timestamp,
) -> Covers {
    if (&allowance.profile, &allowance.plan) != (profile, plan)
        || allowance.stdin != Digest::of(stdin.as_bytes())
    {
        return Covers::Other;
    }
    if allowance.is_over(now) {
        return Covers::Not(format!("it was always allowed until {}", allowance.always.until));
    }
    for was in &allowance.always.programs {
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
