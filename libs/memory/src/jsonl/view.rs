//! A log as one question sees it: up to its last whole line, with an index over all of it.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use crate::files::Files;
use crate::hash::key;
use crate::index::chain::{Chain, Progress};
use crate::index::search::{self, Hit};
use crate::index::segment::Segment;
use crate::shape::{ID, Kept, Shape, describe};
use shared_types::memory::MAX_LINE;

/// How much of a log may be without an index before a question makes it, in bytes.
const MAX_TAIL: u64 = 1024 * 1024;
/// How much of a log a writer indexes, in bytes; an index that is missing is for a question to make.
const MAX_DUE: u64 = 32 * 1024 * 1024;

pub(super) struct View<'a> {
    chain: Chain<'a>,
}

impl<'a> View<'a> {
    pub(super) fn of(
        files: &'a dyn Files,
        name: &'static str,
        shape: Shape,
        log: &'a File,
        progress: Progress<'_>,
    ) -> io::Result<View<'a>> {
        let end = end_of_lines(log)?;
        let mut chain = Chain::discover(files, name, shape, log, end)?;
        if end - chain.indexed() > MAX_TAIL {
            chain.extend(progress)?;
        }
        chain.complete()?;
        Ok(View { chain })
    }

    fn segments(&self) -> &[Segment] {
        &self.chain.segments
    }

    /// The records that fit best.
    pub(super) fn best<T: Kept>(&self, terms: &[String], limit: usize) -> io::Result<Vec<T>> {
        self.parsed(search::best(self.segments(), terms, limit)?)
    }

    /// The records that hold every word.
    pub(super) fn holding_all<T: Kept>(&self, terms: &[String], limit: usize) -> io::Result<Vec<T>> {
        self.parsed(search::holding_all(self.segments(), terms, limit)?)
    }

    /// The records with a key, oldest first.
    pub(super) fn found<T: Kept>(&self, key: u64) -> io::Result<Vec<T>> {
        self.found_newest(key, usize::MAX)
    }

    /// The newest records with a key, oldest first.
    pub(super) fn found_newest<T: Kept>(&self, key: u64, limit: usize) -> io::Result<Vec<T>> {
        let mut hits = Vec::new();
        let mut words = Vec::new();
        for (n, segment) in self.segments().iter().enumerate().rev() {
            let lines = segment.find(key)?;
            if !lines.is_empty() {
                segment.words(&mut words)?;
            }
            for line in lines.into_iter().rev() {
                if hits.len() == limit {
                    break;
                }
                if words[line as usize] > 0 && !search::is_dead(self.segments(), n, line)? {
                    hits.push(Hit { score: 0.0, segment: n, line });
                }
            }
        }
        hits.reverse();
        self.parsed(hits)
    }

    /// The newest records, oldest first.
    pub(super) fn newest<T: Kept>(&self, limit: usize) -> io::Result<Vec<T>> {
        let mut hits = Vec::new();
        self.backwards(|hit| {
            if hits.len() < limit {
                hits.push(hit);
            }
            Ok(hits.len() < limit)
        })?;
        hits.reverse();
        self.parsed(hits)
    }

    /// The first record of each of the newest groups of records with one identifier, the newest group first.
    pub(super) fn newest_groups<T: Kept>(&self, limit: usize) -> io::Result<Vec<T>> {
        let mut known = HashSet::new();
        let mut groups = Vec::new();
        self.backwards(|hit| {
            let (_, id) = self.segments()[hit.segment].record(hit.line)?;
            if groups.len() < limit && known.insert(id) {
                groups.push(id);
            }
            Ok(groups.len() < limit)
        })?;
        let mut words = Vec::new();
        let mut firsts = Vec::new();
        for id in groups {
            for (n, segment) in self.segments().iter().enumerate() {
                let lines = segment.find(id)?;
                if lines.is_empty() {
                    continue;
                }
                segment.words(&mut words)?;
                let mut live = None;
                for line in lines {
                    if words[line as usize] > 0 && !search::is_dead(self.segments(), n, line)? {
                        live = Some(line);
                        break;
                    }
                }
                if let Some(line) = live {
                    firsts.push(Hit { score: 0.0, segment: n, line });
                    break;
                }
            }
        }
        self.parsed(firsts)
    }

    /// Where each record that counts begins, oldest first.
    pub(super) fn live(&self) -> io::Result<Vec<u64>> {
        let mut places = Vec::new();
        self.backwards(|hit| {
            places.push(self.segments()[hit.segment].record(hit.line)?.0);
            Ok(true)
        })?;
        places.reverse();
        Ok(places)
    }

    /// Visits the records that count, the newest first, for as long as the visitor wants.
    fn backwards(&self, mut visit: impl FnMut(Hit) -> io::Result<bool>) -> io::Result<()> {
        let mut words = Vec::new();
        for (n, segment) in self.segments().iter().enumerate().rev() {
            segment.words(&mut words)?;
            for line in (0..segment.lines()).rev() {
                if words[line as usize] == 0 || search::is_dead(self.segments(), n, line)? {
                    continue;
                }
                if !visit(Hit { score: 0.0, segment: n, line })? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Reads what the index points to. What comes out of here is in the log, regardless of what the index says.
    fn parsed<T: Kept>(&self, hits: Vec<Hit>) -> io::Result<Vec<T>> {
        let mut records = Vec::with_capacity(hits.len());
        let mut lines = Near::of(self.chain.log);
        for hit in hits {
            let (offset, id) = self.segments()[hit.segment].record(hit.line)?;
            let line = lines.at(offset)?;
            match serde_json::from_slice::<T>(line) {
                Ok(record) if key(ID, record.id()) == id => records.push(record),
                // A record of which a field has another type is passed over.
                Err(_) if describe(self.chain.shape, line).record.is_some_and(|record| record.id == id) => {}
                _ => {
                    let what = "the index points to another record";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, what));
                }
            }
        }
        Ok(records)
    }
}

/// Makes the pieces that are due after a write, unless there is too much to make.
pub(super) fn tend(files: &dyn Files, name: &'static str, shape: Shape, log: &File) -> io::Result<()> {
    let end = end_of_lines(log)?;
    let mut chain = Chain::discover(files, name, shape, log, end)?;
    if end - chain.indexed() <= MAX_DUE {
        chain.extend(&|_, _| {})?;
    }
    Ok(())
}

/// Lines of a log at places that are often near each other: one read is for many of them.
pub(super) struct Near<'a> {
    log: &'a File,
    /// Where what was read begins.
    start: u64,
    read: Vec<u8>,
    /// How much is read at once, in bytes.
    size: usize,
}

impl<'a> Near<'a> {
    /// How much is read for one line, and at most for many.
    const LEAST: usize = 1024;
    const MOST: usize = 64 * 1024;

    pub(super) fn of(log: &'a File) -> Near<'a> {
        Near { log, start: 0, read: Vec::new(), size: Self::LEAST }
    }

    /// The line that begins at a place, without its newline.
    pub(super) fn at(&mut self, offset: u64) -> io::Result<&[u8]> {
        let before = self.read.len();
        let from = offset.checked_sub(self.start).and_then(|from| usize::try_from(from).ok());
        let from = match from.filter(|from| *from <= before) {
            // It begins in what was read, or right behind it: others follow.
            Some(from) if before > 0 => {
                if let Some(length) = memchr::memchr(b'\n', &self.read[from..]) {
                    return Ok(&self.read[from..from + length]);
                }
                self.size = (self.size * 4).min(Self::MOST);
                from
            }
            _ => {
                self.size = Self::LEAST;
                before
            }
        };
        self.read.drain(..from);
        self.start = offset;
        let length = self.fill()?;
        Ok(&self.read[..length])
    }

    /// Reads on until there is a newline; answers where it is.
    fn fill(&mut self) -> io::Result<usize> {
        loop {
            let known = self.read.len();
            self.read.resize(known + self.size, 0);
            let read = self.log.read_at(&mut self.read[known..], self.start + known as u64)?;
            self.read.truncate(known + read);
            if let Some(newline) = memchr::memchr(b'\n', &self.read[known..]) {
                return Ok(known + newline);
            }
            if read == 0 || self.read.len() > MAX_LINE {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the index points to no line"));
            }
            self.size = self.size.max(self.read.len());
        }
    }
}

/// The end of the last whole line: what follows was torn, or is being written at this moment.
fn end_of_lines(log: &File) -> io::Result<u64> {
    let mut end = log.metadata()?.len();
    let mut chunk = [0u8; 4096];
    while end > 0 {
        let start = end.saturating_sub(chunk.len() as u64);
        let part = &mut chunk[..(end - start) as usize];
        log.read_exact_at(part, start)?;
        match memchr::memrchr(b'\n', part) {
            Some(at) => return Ok(start + at as u64 + 1),
            None => end = start,
        }
    }
    Ok(0)
}
