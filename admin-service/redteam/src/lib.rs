//! The self-test: attacks against this very installation, each of which must fail. This layer uses `service` and the layers below
//! it.
//!
//! - `range`: a throw-away home with this installation's rules, and what is needed to attack it
//! - `owned`: a bot that an attacker owns completely, behind the walls that this installation gives it
//! - `spool`: hostile files where proposals are looked for
//! - `modules`: skills that want more than they say
//! - `leaks`: canaries that must not leave
//! - `install`: ways around a person's yes
//! - `source`: source that deceives the eye
//!
//! Nothing here touches the installation's own home but to read what the bot must not be able to read; no credential is
//! copied or used, and nothing leaves this machine.
//!
//! # How it works
//!
//! `cl-admin selftest --redteam` (`admin-service/redteam/src`) makes a throw-away home with this installation's
//! `security` settings and attacks it. What an owned bot would try is tried by `cl-bot` itself, after it has confined
//! itself as always (`libs/confine/src/probe`, the hidden verb `cl-bot probe`); a unit test shows that a free process
//! gets what each probe wants.
#![forbid(unsafe_code)]

mod attack;
mod install;
mod leaks;
mod modules;
mod owned;
mod range;
mod source;
mod spool;
mod web;

use base::error::Error;
use base::home::Home;
use range::Range;

pub use attack::{Attack, Verdict};

/// A group of attacks, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// A bot that an attacker owns.
    Owned,
    /// Hostile files of proposals.
    Spool,
    /// Source that deceives.
    Source,
    /// Skills that want more than they say; these are compiled.
    Module,
    /// Canaries that must not leave; these are compiled.
    Leak,
    /// Ways around a person's yes. Last, since the bot does not start any more afterwards: that is what the attack on the serial shows.
    Install,
}

impl Group {
    /// All of them.
    pub const ALL: [Group; 6] =
        [Group::Owned, Group::Spool, Group::Source, Group::Module, Group::Leak, Group::Install];

    /// What its attacks' names begin with, up to the dot.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Group::Owned => "owned",
            Group::Spool => "spool",
            Group::Source => "source",
            Group::Module => "module",
            Group::Leak => "leak",
            Group::Install => "install",
        }
    }
}

/// Runs the attacks of these groups in the order of [`Group::ALL`], telling each as it ends.
///
/// # Errors
/// A throw-away home that cannot be made; an attack's own trouble is reported in its line.
pub fn run(home: &Home, groups: &[Group], tell: &mut dyn FnMut(Attack)) -> Result<(), Error> {
    let range = Range::make(home)?;
    for group in Group::ALL.into_iter().filter(|group| groups.contains(group)) {
        match group {
            Group::Owned => owned::run(&range, tell),
            Group::Spool => spool::run(&range, tell),
            Group::Source => source::run(&range, tell),
            Group::Module => modules::run(&range, tell),
            Group::Leak => leaks::run(&range, tell),
            Group::Install => install::run(&range, tell),
        }
    }
    Ok(())
}
