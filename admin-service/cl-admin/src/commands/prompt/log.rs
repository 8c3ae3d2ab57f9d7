//! What the service writes to its log, line by line as it comes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use base::home::Home;
use shared_types::text::line;

/// The most that is taken at a time, in bytes.
const MOST: u64 = 64 << 10;

/// The log, read up to a place.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    at: u64,
}

impl Log {
    /// The log with all that stands in it taken as read.
    pub fn at_its_end(home: &Home) -> Log {
        let path = base::log::service_log(home);
        let at = std::fs::metadata(&path).map_or(0, |facts| facts.len());
        Log { path, at }
    }

    /// The whole lines that came since the last look, safe to show; a log that cannot be read has none.
    pub fn fresh(&mut self) -> Vec<String> {
        let Ok(mut file) = File::open(&self.path) else { return vec![] };
        let length = file.metadata().map_or(0, |facts| facts.len());
        if length < self.at {
            // It was begun anew; what the one before got after the last look is not shown.
            self.at = 0;
        }
        if length == self.at || file.seek(SeekFrom::Start(self.at)).is_err() {
            return vec![];
        }
        let mut bytes = vec![];
        if file.take(MOST).read_to_end(&mut bytes).is_err() {
            return vec![];
        }
        // A line that is being written is left for the next look, unless it is longer than a look.
        let whole = match bytes.iter().rposition(|b| *b == b'\n') {
            Some(end) => end + 1,
            None if bytes.len() as u64 == MOST => bytes.len(),
            None => return vec![],
        };
        self.at += whole as u64;
        String::from_utf8_lossy(&bytes[..whole]).lines().map(line).collect()
    }
}

#[cfg(test)]
mod tests;
