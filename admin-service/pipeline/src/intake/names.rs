//! The names in a folder, a bounded number at a time.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use base::error::Error;
use beneath::{Folder, Names};

/// The most entries of one folder that are gone over in one pass, known ones included.
const MAX_ENTRIES: usize = 50_000;
/// The most that are asked about at once.
const CHUNK: usize = 256;

/// Goes over a folder, in several passes when it is very full.
#[derive(Debug, Default)]
pub struct Sweep {
    /// Where the last pass stopped, and in which folder.
    rest: Option<(Names, (u64, u64))>,
}

/// What a pass found.
#[derive(Debug, Default)]
pub struct Found {
    /// Proposals that are not known yet, sorted.
    pub new: Vec<OsString>,
    /// Files that withdraw a proposal.
    pub withdrawn: Vec<OsString>,
    /// Whether there is more than this.
    pub more: bool,
}

impl Sweep {
    /// The next names, at most `most` new ones; `fresh` answers which of a few names are not known yet.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn next(
        &mut self,
        folder: &Folder,
        most: usize,
        mut fresh: impl FnMut(Vec<OsString>) -> Vec<OsString>,
    ) -> Result<Found, Error> {
        let mut entries = match self.rest.take() {
            Some((entries, identity)) if identity == folder.identity() => entries,
            _ => folder.names().map_err(|why| Error::NotOpened { path: folder.path().to_owned(), why })?,
        };
        let mut found = Found::default();
        for _ in 0..MAX_ENTRIES.div_ceil(CHUNK) {
            let chunk: Vec<OsString> = entries.by_ref().take(CHUNK).map_while(Result::ok).collect();
            let at_the_end = chunk.len() < CHUNK;
            let visible = chunk.into_iter().filter(|name| !name.as_bytes().starts_with(b"."));
            let (proposals, others): (Vec<_>, Vec<_>) =
                visible.partition(|name| name.as_bytes().ends_with(b".yaml"));
            let withdrawn = others.into_iter().filter(|name| name.as_bytes().ends_with(WITHDRAWN));
            found.withdrawn.extend(withdrawn.take(most.saturating_sub(found.withdrawn.len())));
            found.new.extend(fresh(proposals));
            if at_the_end || found.new.len() > most {
                // From the beginning next time: what is new may stand anywhere.
                found.more = found.new.len() > most;
                found.new.truncate(most);
                found.new.sort();
                return Ok(found);
            }
        }
        self.rest = Some((entries, folder.identity()));
        found.more = true;
        found.new.sort();
        Ok(found)
    }
}

/// How the name of a file ends that withdraws the proposal beside it.
pub const WITHDRAWN: &[u8] = b".withdrawn";

/// A file's name as the journal keeps it: safe to show, and never cut or blurred, so that no two become one.
pub fn shown(name: &OsStr) -> String {
    let mut shown = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => shown.push_str("\\\\"),
                c if shared_types::text::is_unsafe(c) => shown.extend(c.escape_unicode()),
                c => shown.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    shown
}

#[cfg(test)]
mod tests;
