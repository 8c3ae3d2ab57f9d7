//! When the reminders of a profile are due, as its bot writes it: moments and nothing else, which the service believes as little
//! as it can.

use base::home::Home;
use shared_types::id::ProfileId;

/// The most moments of a file, which is that of a profile's reminders.
const MOST: usize = 50;
/// The largest file, in bytes.
const LARGEST: u64 = 1_024;
/// A reminder that the chat told leaves the file; after this many seconds no chat has told one that still stands there.
pub(super) const PATIENCE: i64 = 60;
/// No notifier tells of what was due before that, in seconds.
const LATEST: i64 = 24 * 60 * 60;

/// The last moment at which a reminder of the profile came due that no chat told, in seconds since 1970. A file of another form says
/// nothing.
pub(super) fn untold(home: &Home, profile: &ProfileId, now: i64) -> Option<i64> {
    last(&home.due(profile).file().ok()?.text(LARGEST).ok()?, now)
}

fn last(text: &str, now: i64) -> Option<i64> {
    let moments: Vec<i64> = text.lines().map(|line| line.parse().ok()).collect::<Option<_>>()?;
    if moments.len() > MOST {
        return None;
    }
    moments.into_iter().filter(|due| (now - LATEST..=now - PATIENCE).contains(due)).max()
}

#[cfg(test)]
mod tests;
