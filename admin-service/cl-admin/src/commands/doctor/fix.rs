//! What the doctor may repair on its own: nothing that a backup, a key or a person's decision is needed for.

use std::io::{IsTerminal, Write};
use std::os::unix::fs::MetadataExt;

use base::change::change;
use base::config::Config;
use base::error::Error;
use base::folders::READABLE_FILE;
use base::home::Home;
use base::layout::{self, Users};
use base::lock::Lock;
use builder::toolchain::Toolchain;
use console::line_mode::ask_line;
use documents::edit::Change;
use nix::unistd::geteuid;
use owners::quote;
use review::words::Words;
use serde_json::json;
use service::init::{self, Region};
use shared_types::audience::Audience;

use super::files;
use super::look::Look;
use super::region;
use crate::commands::compiler::{install, plan};

/// Puts right what is safe to put right; answers a line for each thing that was done, or that could not be.
pub(super) fn fix(home: &Home, may_install: bool) -> Vec<Look> {
    // Root would give files to the owner of `config/`, and follow what that user put there.
    if geteuid().is_root() && config_owner(home).is_some_and(|owner| owner != 0) {
        let whose = config_owner(home).unwrap_or_default();
        let words = format!("this home belongs to the user {whose}");
        return vec![Look::fail("files", words, "run `cl-admin doctor --fix` as that user".to_owned())];
    }
    let mut done: Vec<Look> = modes(home).into_iter().collect();
    if layout::trust::check(home).is_err() {
        // What a stranger may still change is looked at by a person first; the line `home` says what.
        return done;
    }
    done.extend(places(home));
    // What was made just now has the right modes as well.
    done.extend(modes(home));
    done.extend(socket(home));
    done.extend(country(home));
    done.extend(compiler(home, may_install));
    done
}

/// Who owns `config/`: the user of the service.
fn config_owner(home: &Home) -> Option<u32> {
    home.config().symlink_metadata().ok().map(|meta| meta.uid())
}

/// Folders and shipped files that are missing. Keys, the journal and what is signed come from a backup or from `init`.
fn places(home: &Home) -> Vec<Look> {
    let before = missing(home);
    if before.is_empty() {
        return vec![];
    }
    if let Err(error) = init::make_places(home, &Region::of_locale()) {
        return vec![Look::of("files", &error, "make it by hand")];
    }
    let after = missing(home);
    let made = before.into_iter().filter(|path| !after.contains(path));
    made.map(|path| Look::fixed("files", format!("made {path}"))).collect()
}

/// What every home has, and the shipped files without which the doctor does not call a home incomplete.
fn missing(home: &Home) -> Vec<String> {
    let default = "default".parse().expect("a valid name");
    let mut shipped = vec![
        home.config().join("heads"),
        home.persona(),
        home.profile_file(&default),
        home.composition_rules(),
    ];
    shipped
        .extend([Audience::Child, Audience::Teen, Audience::Work].map(|audience| home.persona_for(audience)));
    let shipped = shipped.into_iter().filter(|path| path.symlink_metadata().is_err());
    files::missing(home).into_iter().chain(shipped.map(|path| quote::shown(&path))).collect()
}

/// Owners and modes, by the table that `init --bot-user` sets and this program verifies.
fn modes(home: &Home) -> Option<Look> {
    let users = Users::of(home).ok()?;
    let (_, before) = layout::verify(home, &users);
    if before.is_empty() {
        return None;
    }
    layout::apply(home, &users);
    let (_, after) = layout::verify(home, &users);
    let left = |path| after.iter().any(|deviation| deviation.path == path);
    let set: Vec<String> =
        before.iter().filter(|deviation| !left(deviation.path.clone())).map(|d| d.words.clone()).collect();
    let words = match set.as_slice() {
        [] => return None,
        [one] => format!("put right: {one}"),
        [first, more @ ..] => format!("put right: {first}; and {} more", more.len()),
    };
    Some(Look::fixed("files", words))
}

/// The socket of a service that was killed; the lock says that none runs.
fn socket(home: &Home) -> Option<Look> {
    let path = home.admin().join("service.sock");
    if path.symlink_metadata().is_err() {
        return None;
    }
    let _lock = Lock::take(home).ok()?;
    Some(match std::fs::remove_file(&path) {
        Ok(()) => Look::fixed("leftovers", "removed the socket of a service that was killed"),
        Err(source) => Look::of("leftovers", &Error::io(&path)(source), "remove it by hand"),
    })
}

/// The country of the help lines, where the locale tells it.
fn country(home: &Home) -> Option<Look> {
    if region::named(home).is_some() {
        return None;
    }
    let code = Region::of_locale().code()?;
    let changes = [("/help_lines/region", Change::Put(json!(code)))];
    Some(match change(&home.bot_config(), READABLE_FILE, &changes, |_| Ok(())) {
        Ok(_) => Look::fixed("region", format!("set help_lines.region to {code}, by the locale")),
        Err(error) => Look::of("region", &error, "write it by hand"),
    })
}

/// The compiler, after a yes.
fn compiler(home: &Home, may_install: bool) -> Option<Look> {
    let configured = Config::read(home).ok()?.compiler;
    if Toolchain::find(&configured).is_ok() {
        return None;
    }
    let steps = plan();
    let listed: Vec<String> = steps.iter().map(|step| format!("`{step}`")).collect();
    if steps.is_empty() || !(may_install || agrees(&listed.join(", "))) {
        // The line of the compiler says what to do.
        return None;
    }
    let tell = |step: &crate::commands::compiler::Step| eprintln!("running: {step}");
    Some(match install(&configured, &steps, tell, || false) {
        Some(found) => {
            Look::fixed("compiler", format!("installed {} at {}", found.version, found.rustc.display()))
        }
        None => Look::fail("compiler", "it was not installed", "see the messages of the command above"),
    })
}

fn agrees(commands: &str) -> bool {
    if !std::io::stdin().is_terminal() {
        return false;
    }
    let question = format!("No compiler for skills. Run {commands}? [y/N] ");
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stderr());
    let answer = ask_line(&mut input, &mut output as &mut dyn Write, &question);
    answer.ok().flatten().is_some_and(|typed| Words::DEFAULT.is_yes(&typed))
}
