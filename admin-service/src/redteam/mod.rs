//! The self-test: attacks against this very installation, each of which must fail.
//!
//! - [`range`]: a throw-away home with this installation's rules, and what is needed to attack it
//! - `owned`: a bot that an attacker owns completely, behind the walls that this installation gives it
//! - `spool`: hostile files where proposals are looked for
//! - `modules`: skills that want more than they say
//! - `leaks`: canaries that must not leave
//! - `install`: ways around a person's yes
//! - `source`: source that deceives the eye
//!
//! Nothing here touches the installation's own home but to read what the bot must not be able to read; no credential is
//! copied or used, and nothing leaves this machine.

mod install;
mod leaks;
mod modules;
mod owned;
mod range;
mod source;
mod spool;
mod web;

use std::borrow::Cow;

use serde::Serialize;

use crate::error::Error;
use crate::home::Home;
use range::Range;

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
struct Plan {
    name: Cow<'static, str>,
    what: Cow<'static, str>,
    told: Cow<'static, str>,
}

impl Plan {
    const fn new(name: &'static str, what: &'static str, told: &'static str) -> Plan {
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
    fn held(plan: &Plan, why: impl Into<String>) -> Attack {
        Attack::new(plan, Verdict::Pass, why)
    }

    fn broke(plan: &Plan, why: impl Into<String>) -> Attack {
        Attack::new(plan, Verdict::Fail, why)
    }

    fn skipped(plan: &Plan, why: impl Into<String>) -> Attack {
        Attack::new(plan, Verdict::Skipped, why)
    }

    /// Held if `holds`; what is said either way is the same.
    fn judged(plan: &Plan, holds: bool, why: impl Into<String>) -> Attack {
        Attack::new(plan, if holds { Verdict::Pass } else { Verdict::Fail }, why)
    }

    fn new(plan: &Plan, verdict: Verdict, why: impl Into<String>) -> Attack {
        let why = shared_types::text::cut(&why.into(), 300);
        let Plan { name, what, told } = plan.clone();
        Attack { name: name.into_owned(), what: what.into_owned(), told: told.into_owned(), verdict, why }
    }
}

/// Runs every attack, telling each as it ends.
///
/// # Errors
/// A throw-away home that cannot be made; an attack's own trouble is told in its line.
pub fn run(home: &Home, tell: &mut dyn FnMut(Attack)) -> Result<(), Error> {
    let range = Range::make(home)?;
    owned::run(&range, tell);
    spool::run(&range, tell);
    source::run(&range, tell);
    modules::run(&range, tell);
    leaks::run(&range, tell);
    // Last, since the bot does not start any more afterwards: that is what the attack on the serial shows.
    install::run(&range, tell);
    Ok(())
}
