//! `cl-admin run`

mod systemd;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use backup::timer::{self, Timer};
use base::config::Config;
use base::error::Error;
use base::home::Home;
use nix::sys::signal::Signal;
use service::supervisor::{Supervisor, Unsupervised};
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
        if let Some(backups) = &Config::read(home)?.backups {
            timer::check(home, backups)?;
        }
        let systemd = Systemd::of_environment();
        let inner: &dyn Supervisor = systemd.as_ref().map_or(&Unsupervised, |systemd| systemd);
        service::run(home, args.headless, stop, &WithBackups { home, inner, timer: Mutex::default() })?;
        return Ok(shared_types::exit::DONE);
    }
    let waiting = service::once(home, args.headless, stop)?;
    // Interrupted before the end, or no child can be had: nothing is lost, but not everything was driven.
    let undone = waiting.is_some() || stop.load(Ordering::Relaxed);
    Ok(if undone { shared_types::exit::FAILED } else { shared_types::exit::DONE })
}

/// Makes the backups of the configuration for as long as the service answers requests.
struct WithBackups<'a> {
    home: &'a Home,
    inner: &'a dyn Supervisor,
    timer: Mutex<Option<Timer>>,
}

impl WithBackups<'_> {
    fn set(&self, timer: Option<Timer>) {
        *self.timer.lock().unwrap_or_else(PoisonError::into_inner) = timer;
    }
}

impl Supervisor for WithBackups<'_> {
    fn ready(&self) {
        self.inner.ready();
        self.set(Some(Timer::start(self.home)));
    }

    fn alive(&self) {
        self.inner.alive();
    }

    fn status(&self, words: &str) {
        self.inner.status(words);
    }

    fn stopping(&self) {
        self.inner.stopping();
        self.set(None);
    }

    fn longest_pause(&self) -> Option<Duration> {
        self.inner.longest_pause()
    }
}

/// The flag that Ctrl-C and a service manager set.
fn stop_flag() -> Result<&'static AtomicBool, Error> {
    confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
        .map_err(Error::step("catching signals"))
}
