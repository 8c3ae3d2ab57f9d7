//! How long ago something was, in the words that fit into a column.

use jiff::Timestamp;

/// The time since `since` (RFC 3339), such as `45 s`, `12 min`, `3 h` or `8 d`; a dash where it is unknown.
pub fn age(since: &str, now: Timestamp) -> String {
    let Ok(since) = since.parse::<Timestamp>() else { return "-".to_owned() };
    // A clock that was set back makes no negative ages.
    let seconds = now.duration_since(since).as_secs().max(0);
    match seconds {
        0..=89 => format!("{seconds} s"),
        90..=5_399 => format!("{} min", seconds / 60),
        5_400..=129_599 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests;
