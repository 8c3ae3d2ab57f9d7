//! What the service reports to the program that keeps it running, such as systemd.

use std::time::Duration;

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
