//! The loop and its socket. This layer uses `api`, `pipeline` and the layers below it.
//!
//! - [`Runtime`]: what runs on a home; [`once`], [`run`]: one pass, or until the end
//! - [`init`]: makes a home; [`requests`]: does what is asked; [`socket`], [`session`]: by whom, over the socket or without
//! - [`page`]: what the page of the review asks, over a socket of its own
//! - `metrics`: figures for a program that watches
//! - [`notify`]: tells people that something waits for them
//! - [`supervisor`]: what the service reports to the program that keeps it running
//! - [`schedule`]: at configured times a profile's workflow or message runs
//! - [`weekly`]: what a child's week came to, as counts for the approver
//!
//! # How it works
//!
//! `notify/` tells people that a proposal waits, from a thread per notifier. What may be sent is a type of its own
//! (`Digest`: id, kind, profile, derived tokens, recommendation, and the address of the pages for a link) with no field
//! for a proposal's text. A notifier that is a person's own gets their reminders alone, with the words where the
//! profile's file has them leave it. What was sent stands in `admin/notified/<name>.json`; a power cut between sending and noting
//! sends once more. That a scheduled run is over follows from the journal; that a reminder is due, from the moments
//! which the bot writes to `logs/due` (`notify/due.rs`); that an unknown account wrote, from `logs/strangers`; that a child's weekly digest is ready, from the journal and
//! `logs/digest`.
//!
//! `schedule/` runs a profile's workflow or message at configured times. `times.rs` is a pure function of the
//! expression, the zone and two moments; what was seen to is a record of the journal, written before a run begins, so
//! that a restart repeats none. A time that comes under a stop is reported once and stays open: it runs if the stop
//! ends within 15 minutes, else it counts as missed. The child is `cl-bot` as the owner of the profile's data, in a
//! clean environment, told the digest of the workflow that a person saw. A service that is not root cannot become that
//! user: `schedule/runner.rs` asks `cl-admin attend`, which systemd starts as that user, over a socket. The ends of the
//! last runs are mirrored in `status/<profile>/scheduled.jsonl` (`ledger/src/mirror.rs`), from where
//! `skills/src/memory/scheduled.rs` tells each once. A child's weekly digest takes the same way: `weekly.rs` counts, one
//! record of the journal makes it, and the bot writes to `logs/digest` up to which number it was shown.
//!
//! `cl-admin run` tells systemd when it answers, what it does, that it lives and that it ends
//! (`service/src/supervisor.rs`; the crate for that is in `cl-admin` alone). The loop that takes files in reports life,
//! unless the driver is at one stage for longer than any may take. `cl-admin service` installs the units of
//! `packaging/systemd`; `docs/OPERATING.md` says what they leave open and why. `cl-admin status` is one screen of what
//! the journal, the configuration and the machine say. `cl-admin metrics` tells a program that watches in numbers
//! (`service/src/metrics.rs`); `libs/figures` writes them and the door's in the two formats of Prometheus.
#![forbid(unsafe_code)]

pub mod init;
mod metrics;
pub mod notify;
pub mod page;
pub mod requests;
mod runtime;
pub mod schedule;
pub mod session;
pub mod socket;
mod stop_watch;
pub mod supervisor;
pub mod weekly;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use actions::sweep::sweep;
use actions::work;
use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::stop;
use builder::compile;
use pipeline::beside::Start;
use pipeline::driver::Driver;
use pipeline::intake::take::{Passed, take_in};
use pipeline::intake::watch::Watch;
use pipeline::progress::Progress;

use crate::notify::teller;
use crate::schedule::clock;
use crate::supervisor::{Pulse, Supervisor};
use base::log::Event;

pub use runtime::Runtime;

/// Drives every proposal as far as it goes, then ends; answers why proposals wait if no child can be confined here.
///
/// # Errors
/// What concerns the service as a whole.
pub fn once(home: &Home, headless: bool, cancel: &'static AtomicBool) -> Result<Option<String>, Error> {
    let telling = Config::read(home)?.telling;
    stop::check(home, "stages and commands would start")?;
    let runtime = Arc::new(socket::open(home)?);
    stop_watch::watch(&runtime, cancel)?;
    sweep(home, SystemTime::now());
    let mut driver = Driver::default();
    let working = runtime.halt.working();
    let halt = runtime.halt.flag();
    loop {
        let moved = driver.pass(&runtime, &runtime.intake, halt)?;
        let acted = work::finish_due(&runtime, &runtime.running, halt);
        if !(moved || acted) || halt.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed) {
            break;
        }
    }
    drop(working);
    audit::once(&runtime, cancel);
    if !cancel.load(Ordering::Relaxed) {
        teller::tell_once(&runtime, &telling, headless);
    }
    Ok(runtime.children_waited())
}

/// Runs the service until `cancel`: news here, the driver, the socket and each command in a thread.
///
/// # Errors
/// What concerns the service as a whole; a fault that may pass is reported and tried again.
pub fn run(
    home: &Home,
    headless: bool,
    cancel: &'static AtomicBool,
    supervisor: &dyn Supervisor,
) -> Result<(), Error> {
    // Faults of the configuration are reported at once rather than at the first proposal.
    let config = Config::read(home)?;
    let runtime = Arc::new(socket::open(home)?);
    let listener = socket::listen(home)?;
    let serving = format!("serving {} as process {}", home.root().display(), std::process::id());
    runtime.tell(&Event::Serving {}, &serving);
    let answering = {
        let runtime = Arc::clone(&runtime);
        std::thread::spawn(move || socket::answer(&listener, &runtime, cancel))
    };
    let paging = {
        let (runtime, listener) = (Arc::clone(&runtime), page::listen(home)?);
        std::thread::spawn(move || page::answer(&listener, &runtime, cancel))
    };
    let watching = stop_watch::watch(&runtime, cancel)?;
    let preparing = {
        let (runtime, config) = (Arc::clone(&runtime), config.clone());
        std::thread::spawn(move || {
            let _working = runtime.halt.working();
            compile::prepare(&runtime.home, &config, runtime.halt.flag());
        })
    };
    for unfit in config.unfit(home) {
        runtime.tell(&Event::DigestUnfit {}, &unfit.to_string());
    }
    let telling = teller::start(&runtime.store, &config.telling, headless, cancel);
    audit::start(&runtime.store, cancel);
    let scheduling = clock::start(&runtime.store, &runtime.asked, cancel);
    let progress = Arc::<Progress>::default();
    let driving = {
        let (runtime, interval, progress) =
            (Arc::clone(&runtime), config.poll_interval, Arc::clone(&progress));
        std::thread::spawn(move || drive(&runtime, interval, cancel, progress))
    };
    supervisor.ready();
    listen_for_news(&runtime, config, cancel, &Pulse::new(supervisor, &progress));
    supervisor.stopping();
    // From here on nothing is started, and what runs is ended: its result says so.
    runtime.end();
    let begun = Instant::now();
    while runtime.running.count() > 0 && begun.elapsed() < FAREWELL {
        runtime.running.cancel_all();
        std::thread::sleep(Duration::from_millis(5));
    }
    runtime.running.plugins.end_all();
    let driven = driving.join().unwrap_or(Ok(()));
    let _ = answering.join();
    let _ = paging.join();
    let _ = watching.join();
    driven?;
    let _ = preparing.join();
    let _ = scheduling.join();
    // A notifier that is just sending may end with the process; the next one sends what it did not note.
    telling.into_iter().filter(JoinHandle::is_finished).for_each(|t| drop(t.join()));
    socket::remove(home);
    page::remove(home);
    runtime.tell(&Event::Stopped {}, "stopped; every proposal is where the journal says");
    Ok(())
}

/// How long the service waits at its end for commands that it has killed.
const FAREWELL: Duration = Duration::from_secs(5);
/// How often what commands left behind is looked at.
const SWEEP_EVERY: Duration = Duration::from_secs(3_600);

/// Takes in what is new as soon as there is news, and starts what is due, regardless of what the driver does.
fn listen_for_news(runtime: &Arc<Runtime>, mut config: Config, cancel: &AtomicBool, pulse: &Pulse<'_>) {
    let mut watch = Watch::over(&runtime.home);
    let mut shown = String::new();
    let mut configured = changed(&runtime.home);
    let mut swept: Option<Instant> = None;
    while !cancel.load(Ordering::Relaxed) {
        // A configuration with faults is reported by the driver; until it is put right, the one before holds here.
        config = Config::read(&runtime.home).unwrap_or(config);
        if std::mem::replace(&mut configured, changed(&runtime.home)) != configured {
            runtime.work.ring();
        }
        watch.renew(&runtime.home);
        pulse.beat();
        pulse.show(runtime, &mut shown);
        // While everything is stopped nothing is taken in and nothing is started.
        // What prevents it prevents the driver's work as well, which reports it.
        let working = runtime.halt.working();
        let passed = match stop::holds(&runtime.home) {
            Some(_) => Passed::default(),
            None => {
                let beat = || pulse.beat();
                take_in(runtime, &runtime.intake, &config, runtime.halt.flag(), &beat).unwrap_or_default()
            }
        };
        drop(working);
        work::start_due(&runtime.store, &runtime.running);
        if passed.wishes > 0 {
            runtime.work.ring();
        }
        if passed.looked_at > 0 {
            continue;
        }
        // A command that runs does it at its end; it is not to wait for it before.
        if runtime.running.count() == 0 {
            runtime.publish_head();
        }
        if swept.is_none_or(|at| at.elapsed() > SWEEP_EVERY) {
            sweep(&runtime.home, SystemTime::now());
            swept = Some(Instant::now());
        }
        let pause = pulse.pause();
        match passed.held_back {
            true => watch.sleep(&runtime.news, config.poll_interval.min(pause)),
            false => watch.wait(&runtime.news, config.poll_interval, pause),
        }
    }
}

/// When the configuration was changed last.
fn changed(home: &Home) -> Option<SystemTime> {
    std::fs::metadata(home.admin_config()).and_then(|meta| meta.modified()).ok()
}

/// Drives every proposal as far as it goes, again and again until `cancel`.
fn drive(
    runtime: &Arc<Runtime>,
    interval: Duration,
    cancel: &AtomicBool,
    progress: Arc<Progress>,
) -> Result<(), Error> {
    let mut driver = Driver::watched(progress, in_a_thread(runtime));
    let driven = drive_on(runtime, &mut driver, interval, cancel);
    driver.end();
    driven
}

/// Starts jobs of the driver's, which end with the service and with a stop, and wakes the driver after each.
fn in_a_thread(runtime: &Arc<Runtime>) -> Start {
    let runtime = Arc::clone(runtime);
    Box::new(move |job| {
        let runtime = Arc::clone(&runtime);
        std::thread::Builder::new().name("models".into()).spawn(move || {
            let working = runtime.halt.working();
            job(&runtime, runtime.halt.flag());
            drop(working);
            runtime.work.ring();
        })
    })
}

fn drive_on(
    runtime: &Runtime,
    driver: &mut Driver,
    mut interval: Duration,
    cancel: &AtomicBool,
) -> Result<(), Error> {
    while !cancel.load(Ordering::Relaxed) {
        let known = runtime.work.count();
        let working = runtime.halt.working();
        let passed = driver.pass(runtime, &runtime.intake, runtime.halt.flag());
        drop(working);
        match passed {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error @ (Error::Integrity(_) | Error::Journal(_))) => {
                cancel.store(true, Ordering::Relaxed);
                runtime.call();
                return Err(error);
            }
            Err(error) => runtime.tell(&Event::ServiceFailed {}, &error.to_string()),
        }
        if let Ok(config) = Config::read(&runtime.home) {
            interval = config.poll_interval;
        }
        runtime.work.wait(known, Some(driver.rest(runtime, interval)));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
