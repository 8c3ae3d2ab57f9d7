//! `cl-admin attend`

use std::io::stdin;
use std::os::fd::AsFd;
use std::os::unix::net::UnixListener;

use base::error::Error;
use base::home::Home;
use nix::sys::signal::Signal;
use nix::sys::socket::{getsockopt, sockopt::AcceptConn};
use service::schedule::runner;
use shared_types::exit;
use shared_types::id::ProfileId;

/// Standard input is not what systemd hands over.
#[derive(Debug, thiserror::Error)]
#[error(
    "standard input is not a listening socket: `tameclaw-bot@PROFILE.socket` of systemd starts this program"
)]
struct NoSocket;

/// Run the schedules of one profile as the bot's user, for a service that is not root; systemd starts it.
///
/// `tameclaw-bot@PROFILE.socket` hands it a listening socket as its standard input. It ends when nothing was asked for a while.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The profile
    profile: ProfileId,
}

/// Serves the socket at standard input.
///
/// # Errors
/// No listening socket there, or a home whose users cannot be found.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let input = stdin();
    if !getsockopt(&input.as_fd(), AcceptConn).unwrap_or(false) {
        return Err(Error::usage(NoSocket));
    }
    let handle = input.as_fd().try_clone_to_owned().map_err(Error::step("opening the socket"))?;
    let ends = confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
        .map_err(Error::step("catching signals"))?;
    runner::attend(home, &args.profile, &UnixListener::from(handle), ends)?;
    Ok(exit::DONE)
}
