//! `cl-admin run`

mod systemd;

use std::sync::atomic::{AtomicBool, Ordering};

use base::error::Error;
use base::home::Home;
use nix::sys::signal::Signal;
use service::supervisor::Unsupervised;
use systemd::Systemd;

/// Run the service: take in proposals, build, scan, try, and wait for a person.
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// Drive every proposal as far as it goes, then end; exit 1 where no child can be confined, so that proposals wait
    #[arg(long)]
    once: bool,
    /// Nobody sits at this terminal: no bell; other notifiers tell (as `mode: headless` in admin.yaml)
    #[arg(long)]
    headless: bool,
}

/// Runs the service.
///
/// # Errors
/// What concerns the service as a whole.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let stop = stop_flag()?;
    if !args.once {
        match Systemd::of_environment() {
            Some(systemd) => service::run(home, args.headless, stop, &systemd)?,
            None => service::run(home, args.headless, stop, &Unsupervised)?,
        }
        return Ok(shared_types::exit::DONE);
    }
    let waiting = service::once(home, args.headless, stop)?;
    // Interrupted before the end, or no child can be had: nothing is lost, but not everything was driven.
    let undone = waiting.is_some() || stop.load(Ordering::Relaxed);
    Ok(if undone { shared_types::exit::FAILED } else { shared_types::exit::DONE })
}

/// The flag that Ctrl-C and a service manager set.
fn stop_flag() -> Result<&'static AtomicBool, Error> {
    confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
        .map_err(Error::step("catching signals"))
}
