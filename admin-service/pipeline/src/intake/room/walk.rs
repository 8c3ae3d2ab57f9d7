//! Counts what is in a folder and below it, a step at a time, no link followed.

use std::fmt;

use base::config::DataLimit;
use beneath::{Folder, Kind, Names, NotOpened};

/// The deepest nesting that is gone into; each level holds two descriptors open.
const MAX_DEPTH: usize = 48;

/// The folder at the top that only the bot's user enters; a few small files.
const CREDENTIALS: &str = "credentials";

/// What was counted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Space on the disk, in bytes.
    pub bytes: u64,
    /// Files, folders and everything else.
    pub files: u64,
    /// Whether folders are nested deeper than anybody goes.
    pub deep: bool,
    /// How many folders could not be listed, or not to their end: what they hold is not counted.
    pub closed: u64,
}

/// A count that is under way.
#[derive(Debug)]
pub struct Walk {
    folders: Vec<(Folder, Names)>,
    usage: Usage,
}

impl Walk {
    /// Begins at a folder; a missing one holds nothing.
    pub fn over(root: Option<Folder>) -> Walk {
        let mut walk = Walk { folders: vec![], usage: Usage::default() };
        root.into_iter().for_each(|root| walk.enter(root));
        walk
    }

    /// What was counted so far.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Counts this many entries; answers whether that was all.
    pub fn step(&mut self, entries: usize) -> bool {
        for _ in 0..entries {
            let depth = self.folders.len();
            let Some((folder, rest)) = self.folders.last_mut() else { return true };
            let name = match rest.next() {
                Some(Ok(name)) => name,
                ended => {
                    self.usage.closed += u64::from(ended.is_some());
                    self.folders.pop();
                    continue;
                }
            };
            // What is gone meanwhile takes no room.
            let Ok(facts) = folder.facts_of(&name) else { continue };
            self.usage.files += 1;
            self.usage.bytes += facts.on_disk;
            if facts.kind != Kind::Folder {
                continue;
            }
            if depth == MAX_DEPTH {
                self.usage.deep = true;
            } else {
                match folder.folder(&name) {
                    Ok(inner) => self.enter(inner),
                    Err(NotOpened::Gone) => {}
                    // A service that is not root never enters it, so it would never let the bot start again.
                    Err(_) if depth == 1 && name == CREDENTIALS => {}
                    Err(_) => self.usage.closed += 1,
                }
            }
        }
        self.folders.is_empty()
    }

    fn enter(&mut self, folder: Folder) {
        match folder.names() {
            Ok(names) => self.folders.push((folder, names)),
            Err(NotOpened::Gone) => {}
            Err(_) => self.usage.closed += 1,
        }
    }
}

impl Usage {
    /// Whether it is more than allowed.
    pub fn is_over(&self, limit: &DataLimit) -> bool {
        self.deep || self.bytes > limit.bytes || self.files > limit.files
    }

    /// Whether it is less than nine tenths of what is allowed, so that the next file is not too much again.
    pub fn leaves_room(&self, limit: &DataLimit) -> bool {
        let below = |used: u64, limit: u64| used < limit / 10 * 9 + limit % 10 * 9 / 10;
        !self.deep && self.closed == 0 && below(self.bytes, limit.bytes) && below(self.files, limit.files)
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "data/ holds {} MB or more in {} files or more", self.bytes >> 20, self.files)?;
        if self.deep {
            write!(f, ", in folders nested deeper than {MAX_DEPTH}")?;
        }
        match self.closed {
            0 => Ok(()),
            closed => write!(f, "; {closed} folders cannot be listed and are not counted"),
        }
    }
}

#[cfg(test)]
mod tests;
