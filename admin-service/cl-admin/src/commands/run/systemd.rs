//! What systemd reads of a service of `Type=notify`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sd_notify::NotifyState::{self, Ready, Status, Stopping, Watchdog};
use service::supervisor::Supervisor;

/// How many reports fit into the time after which systemd ends the service.
const REPORTS: u32 = 3;

/// systemd, where it has started this process.
#[derive(Debug)]
pub(super) struct Systemd {
    watchdog: Option<Duration>,
    /// Whether a report failed; that is said once.
    failed: AtomicBool,
}

impl Systemd {
    /// systemd, if it waits for reports of this process.
    pub(super) fn of_environment() -> Option<Systemd> {
        std::env::var_os("NOTIFY_SOCKET")?;
        Some(Systemd { watchdog: sd_notify::watchdog_enabled(), failed: AtomicBool::new(false) })
    }

    fn report(&self, state: NotifyState<'_>) {
        let said: io::Result<()> = sd_notify::notify(&[state]);
        if let Err(error) = said
            && !self.failed.swap(true, Ordering::Relaxed)
        {
            eprintln!("cl-admin: systemd gets no report of this service: {error}");
        }
    }
}

impl Supervisor for Systemd {
    fn ready(&self) {
        self.report(Ready);
    }

    fn alive(&self) {
        if self.watchdog.is_some() {
            self.report(Watchdog);
        }
    }

    fn status(&self, words: &str) {
        self.report(Status(words));
    }

    fn stopping(&self) {
        self.report(Stopping);
    }

    fn longest_pause(&self) -> Option<Duration> {
        self.watchdog.map(|limit| limit / REPORTS)
    }
}
