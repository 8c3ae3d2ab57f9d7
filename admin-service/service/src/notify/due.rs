//! When the reminders of a profile are due, as its bot writes it: moments, and their words where the profile's file has them leave it.
//! The service believes it as little as it can.

use base::home::Home;
use shared_types::id::ProfileId;
use shared_types::text;

/// The most moments of a file, which is that of a profile's reminders.
const MOST: usize = 50;
/// The longest words of one, in characters; the bot keeps no longer ones.
const LONGEST: usize = 200;
/// The largest file, in bytes.
const LARGEST: u64 = MOST as u64 * (4 * LONGEST as u64 + 16);
/// A reminder that the chat told leaves the file; after this many seconds no chat has told one that still stands there.
pub(super) const PATIENCE: i64 = 60;
/// No notifier tells of what was due before that, in seconds.
const LATEST: i64 = 24 * 60 * 60;

/// A reminder that came due and that no chat told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Untold {
    /// When it was due, in seconds since 1970.
    pub second: i64,
    /// What the bot says that it is about, on one line; empty where it says nothing.
    pub words: String,
}

/// The reminders of a profile that came due and that no chat told, by their moments. A file of another form says nothing.
pub(super) fn untold(home: &Home, profile: &ProfileId, now: i64) -> Vec<Untold> {
    let file = home.due(profile).file().ok().and_then(|file| file.text(LARGEST).ok());
    file.and_then(|text| read(&text, now)).unwrap_or_default()
}

/// When an unknown account last wrote to a messenger of the profile, in seconds since 1970, if that was within a day.
pub(super) fn stranger(home: &Home, profile: &ProfileId, now: i64) -> Option<i64> {
    last_stranger(&home.strangers(profile).file().ok()?.text(LARGEST).ok()?, now)
}

fn last_stranger(text: &str, now: i64) -> Option<i64> {
    text.lines().next()?.parse().ok().filter(|second| (now - LATEST..=now).contains(second))
}

fn read(text: &str, now: i64) -> Option<Vec<Untold>> {
    let one = |line: &str| {
        let (second, words) = line.split_once(' ').unwrap_or((line, ""));
        Some(Untold { second: second.parse().ok()?, words: text::cut(words, LONGEST) })
    };
    let mut all: Vec<Untold> = text.lines().map(one).collect::<Option<_>>()?;
    if all.len() > MOST {
        return None;
    }
    all.retain(|one| (now - LATEST..=now - PATIENCE).contains(&one.second));
    all.sort();
    Some(all)
}

#[cfg(test)]
mod tests;
