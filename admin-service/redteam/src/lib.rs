//! The self-test: attacks against this very installation, each of which must fail. This layer uses `service` and what lies below.
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
