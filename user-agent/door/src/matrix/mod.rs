//! `cl-bot matrix`: the profile's person talks to it from a Matrix client.
//!
//! There are four processes, as for the door: the starter; one that talks to the homeserver and has nothing of the profile; `mind`;
//! `net`. An owned `net` cannot answer for the person, since what they say never passes it. An owned homeserver, or an owned process that
//! talks to it, can say what the person's accounts could say: so nothing above medium risk is asked there, and no package is approved.
//!
//! - [`room`]: `mind`'s side; [`kept`] what outlives it, [`words`] what it says beside the answers
//! - [`poll`]: the other process; [`server`] the calls of the homeserver
//! - [`frames`]: what crosses between the two

use std::ffi::{CStr, CString};
use std::os::fd::{AsRawFd, OwnedFd};

use bot_base::config::channel::Through;
use bot_base::error::{Error, say, tell};
use bot_base::paths::Folder;
use confine::Forked;
use documents::profile_file::{Matrix, Profile};
use net::secrets::{Secrets, admin_of};
use nix::errno::Errno;
use nix::unistd::{dup2_stdout, execve};
use shared_types::exit;
use shared_types::home::Home;
use shared_types::id::{HostName, ProfileId};
use user_agent::start::{Options, Prepared, home, profiles, read_config, user};
use zeroize::Zeroizing;

use crate::life::{drive, handed_over, start_again};
use crate::tokens::Caller;
use frames::Order;
use room::Rooms;

pub mod frames;
pub mod kept;
pub mod poll;
pub mod room;
pub mod server;
mod words;

/// Answers until a signal ends it, or the account is no longer accepted.
///
/// # Errors
/// Whatever forbids the start.
pub fn run(options: &Options, readonly: bool) -> Result<u8, Error> {
    let place = home::choose(options)?;
    home::check(&place, &options.profile)?;
    let config_folder = Folder::root(&place.config())?;
    let config = read_config(&place, &config_folder)?;
    if !config.channel(Through::Matrix).enabled {
        return Err(Error::ChannelOff(Through::Matrix.name()));
    }
    user::find(&config.security)?;
    let settings = profiles::read(&place, &options.profile, &config_folder)?;
    let matrix = allowed(&settings, &options.profile, &config.local)?;
    drop(config_folder);
    say(&format!("talking as {} through {}", matrix.user, matrix.server));
    start_again(|socket| {
        serve(options, readonly, socket).unwrap_or_else(|error| {
            tell(&error);
            error.exit_code()
        })
    })
}

/// The channel of a profile, where it has one that may be used.
fn allowed(settings: &Profile, profile: &ProfileId, local: &[HostName]) -> Result<Matrix, Error> {
    let usage = |what: String, hint: &str| Error::Usage { what, hint: hint.to_owned() };
    let Some(matrix) = settings.matrix.clone() else {
        return Err(usage(
            format!("the profile `{profile}` names no homeserver"),
            "`matrix` in its file says which: docs/guides/matrix.md",
        ));
    };
    if settings.audience.is_minor() && !matrix.minors {
        return Err(usage(
            format!("`{profile}` is for a {}, who is not reached through Matrix", settings.audience),
            "`matrix.minors: true` in the profile's file allows it",
        ));
    }
    // The token would cross the network for everybody to read.
    let is_named = local.contains(&matrix.server.host) && matrix.server.is_of_this_machine();
    if !matrix.server.tls && !is_named {
        return Err(usage(
            format!("{} has no TLS", matrix.server),
            "use https, or a server of this machine that `network.local` of the configuration names with its port",
        ));
    }
    Ok(matrix)
}

fn serve(options: &Options, readonly: bool, starter: OwnedFd) -> Result<u8, Error> {
    let keep = [starter.as_raw_fd()];
    drive(options, readonly, Through::Matrix, &keep, |prepared| {
        let matrix = allowed(&prepared.settings, &prepared.profile, &prepared.config.local)?;
        let socket = split(prepared, &matrix)?;
        let words = words::of(prepared.settings.language.as_deref());
        Ok((Box::new(Rooms::new(matrix, words, socket)), Some(starter), Some(Caller::Person)))
    })
}

/// Forks the process off that talks to the homeserver; only the parent returns, with its end of the socket.
fn split(prepared: &Prepared, matrix: &Matrix) -> Result<OwnedFd, Error> {
    let failed = |source| Error::System { what: "the process that talks to the homeserver", source };
    match confine::fork_pair().map_err(failed)? {
        Forked::Child { socket } => {
            tell(&become_poll(prepared, matrix, &socket));
            std::process::exit(i32::from(exit::FAILED))
        }
        Forked::Parent { socket, .. } => Ok(socket),
    }
}

/// Begins this program anew with its order alone in memory. Comes back only with what went wrong.
fn become_poll(prepared: &Prepared, matrix: &Matrix, socket: &OwnedFd) -> Error {
    let failed = |source| Error::System { what: "the process that talks to the homeserver", source };
    // Before the user is given up: root may be the one who reads the token.
    let order = match order(prepared, matrix) {
        Ok(order) => order,
        Err(error) => return error,
    };
    if let Some(Err(error)) = prepared.user.as_ref().map(|user| confine::become_for_good(user, &[])) {
        return error.into();
    }
    let handed = serde_json::to_vec(&order).map(Zeroizing::new).map_err(std::io::Error::other);
    let file = match handed.and_then(|bytes| handed_over(&bytes)) {
        Ok(file) => file,
        Err(error) => return failed(error),
    };
    let words = vec!["cl-door".to_owned(), "--polls".to_owned(), file.as_raw_fd().to_string()];
    let words: Vec<CString> = words.into_iter().filter_map(|word| CString::new(word).ok()).collect();
    match dup2_stdout(socket).and_then(|()| execve(c"/proc/self/exe", &words, &[] as &[&CStr])) {
        Err(errno) => failed(Errno::into(errno)),
        Ok(never) => match never {},
    }
}

fn order(prepared: &Prepared, matrix: &Matrix) -> Result<Order, Error> {
    let home: &Home = &prepared.home;
    let secrets = Secrets::open(home, admin_of(home));
    let token = secrets.bound_to(&matrix.token, &matrix.server.host).map_err(|error| Error::Usage {
        what: format!("the access token of {}: {error}", matrix.user),
        hint: format!("`cl-admin secret set {} --for {}` stores it", matrix.token, matrix.server.host),
    })?;
    Ok(Order {
        server: matrix.server.to_string(),
        host: matrix.server.host.clone(),
        local: prepared.config.local.clone(),
        user: matrix.user.clone(),
        people: matrix.people.iter().map(|person| person.id.clone()).collect(),
        token: token.expose().to_owned(),
        hidden: [
            home.admin(),
            home.certificates(),
            home.credentials(),
            home.secrets(),
            home.data().to_owned(),
        ]
        .to_vec(),
        namespace: !prepared.config.security.landlock,
    })
}
