//! `cl-admin onboard`

mod args;
mod compiler;
mod credential;
mod files;
mod home;
mod key;
mod listener;
mod model;
mod notify;
mod own;
mod people;
mod person;
mod servers;
mod skill;
mod turn;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use base::error::Error;
use base::home::Home;
use nix::sys::signal::Signal;
use review::words::Words;
use serde_json::json;
use shared_types::exit;

use crate::commands::model::list::ModelName;
use crate::commands::out::{self, outln};

pub use args::{Args, ModelArgs};
use own::Own;
use person::{Person, Stop};

/// The exit code after Ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

/// Asks, sets up, and tries it.
///
/// # Errors
/// A flag that is wrong or missing, or a step that failed; what was finished before it is kept.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    args.check(home)?;
    let mut person = Person::new(home, "onboard", !args.yes, args.language, on_ctrl_c()?);
    let done = steps(home, args, &mut person);
    ended(&person, done)
}

/// Has the person choose who answers, and tries that by a turn.
///
/// # Errors
/// A flag that is wrong or missing, or a step that failed.
pub fn model_alone(home: &Home, args: &ModelArgs) -> Result<u8, Error> {
    args.names_a_server_for_its_key()?;
    let mut person = Person::new(home, "model", args.model.is_none(), None, on_ctrl_c()?);
    let done = model::choose(home, args, &mut person)
        .and_then(|()| Ok(!turn::is_anothers(home, &mut person)? && turn::first(home, &mut person)?));
    ended(&person, done)
}

/// Has a fetched model answer, and tries that by a turn where it is to be tried.
///
/// # Errors
/// A model that is not here, or a step that failed.
pub(super) fn connect_alone(
    home: &Home,
    name: &ModelName,
    port: u16,
    program: Option<&PathBuf>,
    tries: bool,
) -> Result<u8, Error> {
    let mut person = Person::new(home, &format!("model connect {name}"), false, None, on_ctrl_c()?);
    let own = Own { name: name.clone(), port, program: program.cloned() };
    let done = model::connect(home, own, &mut person).and_then(|()| {
        Ok(tries && !turn::is_anothers(home, &mut person)? && turn::first(home, &mut person)?)
    });
    ended(&person, done)
}

/// Shows the servers of this machine.
pub fn list_servers(args: &ModelArgs, as_json: bool) {
    let found = servers::find(&args.ports);
    for server in &found {
        let (address, models) = (server.address.to_string(), &server.models);
        if as_json {
            let user = server.listener.as_ref().map(|listener| &listener.user);
            let (pid, program) = server.listener.iter().find_map(|l| l.process.clone()).unzip();
            out::json(
                &json!({"address": address, "models": models, "user": user, "pid": pid, "program": program}),
            );
        } else {
            outln!("{address}  {}\n  {}", model::whose(server, Words::of("en")), models.join("\n  "));
        }
    }
    if found.is_empty() && !as_json {
        let ports: Vec<String> = args.ports.iter().map(u16::to_string).collect();
        outln!(
            "no model server answers on the ports {} of 127.0.0.1 (--model-port names another)",
            ports.join(" ")
        );
    }
}

fn on_ctrl_c() -> Result<&'static AtomicBool, Error> {
    confine::stop::on_signals(&[Signal::SIGINT]).map_err(Error::step("catching signals"))
}

fn ended(person: &Person<'_>, done: Result<bool, Stop>) -> Result<u8, Error> {
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
    model::choose(home, &args.chosen, person)?;
    notify::choose(home, args, person)?;
    let compiles = compiler::provide(home, args, person)?;
    if args.no_try || turn::is_anothers(home, person)? {
        return Ok(false);
    }
    let answers = turn::first(home, person)?;
    let learned = answers && compiles && skill::learn(home, args, person)?;
    Ok(answers && learned)
}
