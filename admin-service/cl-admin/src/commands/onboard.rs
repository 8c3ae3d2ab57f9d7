//! `cl-admin onboard`

mod args;
mod compiler;
mod credential;
mod files;
mod home;
mod key;
mod model;
mod notify;
mod people;
mod person;
mod servers;
mod skill;
mod turn;

use base::error::Error;
use base::home::Home;
use nix::sys::signal::Signal;
use shared_types::exit;

pub use args::Args;
use person::{Person, Stop};

/// The exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Asks, sets up, and tries it.
///
/// # Errors
/// A flag that is wrong or missing, or a step that failed; what was finished before it is kept.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    args.check(home)?;
    let interrupted =
        confine::stop::on_signals(&[Signal::SIGINT]).map_err(Error::step("catching signals"))?;
    let mut person = Person::new(home, args, interrupted);
    let done = steps(home, args, &mut person);
    match done {
        Ok(tried) => Ok(person.farewell(tried)),
        Err(Stop::Failed(error)) => {
            person.stopped();
            Err(error)
        }
        Err(Stop::Left) => {
            person.stopped();
            Ok(if person.was_interrupted() { INTERRUPTED } else { exit::FAILED })
        }
    }
}

/// Every step, in order; answers whether a turn and a skill were tried. Each keeps what it sets before the next one asks.
fn steps(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<bool, Stop> {
    home::language(home, args, person)?;
    home::make(home, args, person)?;
    home::region(home, args, person)?;
    key::passphrase(home, args, person)?;
    people::add(home, args, person)?;
    model::choose(home, args, person)?;
    notify::choose(home, args, person)?;
    let compiles = compiler::provide(home, args, person)?;
    if args.no_try || turn::is_anothers(home, person)? {
        return Ok(false);
    }
    let answers = turn::first(home, person)?;
    let learned = answers && compiles && skill::learn(home, args, person)?;
    Ok(answers && learned)
}
