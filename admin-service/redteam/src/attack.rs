//! What an attack tries, and what came of it.

use std::borrow::Cow;

use serde::Serialize;

/// What an attack came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// The attack failed, as it must.
    Pass,
    /// It got what it wanted.
    Fail,
    /// It could not be tried here, so nothing is known.
    Skipped,
}

impl Verdict {
    /// The word of the line.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
            Verdict::Skipped => "SKIPPED",
        }
    }
}

/// What an attack is going to try.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) name: Cow<'static, str>,
    pub(super) what: Cow<'static, str>,
    pub(super) told: Cow<'static, str>,
}

impl Plan {
    pub(super) const fn new(name: &'static str, what: &'static str, told: &'static str) -> Plan {
        Plan { name: Cow::Borrowed(name), what: Cow::Borrowed(what), told: Cow::Borrowed(told) }
    }
}

/// One attack and what came of it.
#[derive(Debug, Clone, Serialize)]
pub struct Attack {
    /// Its name, with the group before a dot.
    pub name: String,
    /// What it tried.
    pub what: String,
    /// The same as the attacker tells it, as a sentence in plain words.
    pub told: String,
    /// Whether it was kept out.
    pub verdict: Verdict,
    /// By what it was kept out, what it got, or why it could not be tried.
    pub why: String,
}

impl Attack {
    pub(super) fn held(plan: &Plan, why: impl Into<String>) -> Attack {
        Attack::new(plan, Verdict::Pass, why)
    }

    pub(super) fn broke(plan: &Plan, why: impl Into<String>) -> Attack {
        Attack::new(plan, Verdict::Fail, why)
    }

    pub(super) fn skipped(plan: &Plan, why: impl Into<String>) -> Attack {
        Attack::new(plan, Verdict::Skipped, why)
    }

    /// Held if `holds`; what is said either way is the same.
    pub(super) fn judged(plan: &Plan, holds: bool, why: impl Into<String>) -> Attack {
        Attack::new(plan, if holds { Verdict::Pass } else { Verdict::Fail }, why)
    }

    pub(super) fn new(plan: &Plan, verdict: Verdict, why: impl Into<String>) -> Attack {
        let why = shared_types::text::cut(&why.into(), 300);
        let Plan { name, what, told } = plan.clone();
        Attack { name: name.into_owned(), what: what.into_owned(), told: told.into_owned(), verdict, why }
    }
}
