//! What the service reports to the program that keeps it running, such as systemd.

use std::time::Duration;

use base::stop;
use pipeline::progress::Progress;

use crate::Runtime;

/// The program that keeps the service running.
pub trait Supervisor: Sync {
    /// Reports that requests are answered from now on.
    fn ready(&self);

    /// Reports that the loop that does the work goes round; without this report for long, the service is started again.
    fn alive(&self);

    /// Reports what the service does, in a line.
    fn status(&self, words: &str);

    /// Reports that the service begins to end.
    fn stopping(&self);

    /// The longest pause between two reports of [`Supervisor::alive`]; nothing where nobody waits for them.
    fn longest_pause(&self) -> Option<Duration>;
}

/// Nobody keeps the service running.
#[derive(Debug, Clone, Copy)]
pub struct Unsupervised;

impl Supervisor for Unsupervised {
    fn ready(&self) {}

    fn alive(&self) {}

    fn status(&self, _: &str) {}

    fn stopping(&self) {}

    fn longest_pause(&self) -> Option<Duration> {
        None
    }
}

/// How long one stage may last before the driver counts as stuck; models are asked beside the driver, so none waits for them.
const STAGE: Duration = Duration::from_secs(3_600);

/// Reports that the service lives, from the loop that takes files in, as long as the driver is not stuck either.
pub(crate) struct Pulse<'a> {
    supervisor: &'a dyn Supervisor,
    progress: &'a Progress,
}

impl<'a> Pulse<'a> {
    pub(crate) fn new(supervisor: &'a dyn Supervisor, progress: &'a Progress) -> Pulse<'a> {
        Pulse { supervisor, progress }
    }

    /// Reports life, unless the driver is stuck.
    pub(crate) fn beat(&self) {
        if !self.progress.is_stuck(STAGE) {
            self.supervisor.alive();
        }
    }

    /// How long the loop may sleep.
    pub(crate) fn pause(&self) -> Duration {
        self.supervisor.longest_pause().unwrap_or(Duration::MAX)
    }

    /// Reports the state, unless it is what was shown before.
    pub(crate) fn show(&self, runtime: &Runtime, shown: &mut String) {
        let now = state(runtime);
        if now != *shown {
            self.supervisor.status(&now);
            *shown = now;
        }
    }
}

/// What the supervisor shows of the service.
fn state(runtime: &Runtime) -> String {
    if let Some(why) = stop::holds(&runtime.home) {
        return format!("the emergency stop holds: {why}");
    }
    match runtime.ledger().waiting_for_a_person() {
        0 => "nothing waits for a person".to_owned(),
        1 => "1 request waits for a person: cl-admin review".to_owned(),
        count => format!("{count} requests wait for a person: cl-admin review"),
    }
}
