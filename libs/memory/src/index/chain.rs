//! Which pieces there are, and which are due.
//!
//! A unit is 256 lines or 96 KB of the log, whichever comes first; 16 units, and 16 times 16, are one piece as soon as
//! that number exists. So the borders of all pieces follow from the log alone: each maker makes the same ones, and
//! their names say their places. A piece counts only where it begins at the end of the one before and the log's bytes
//! at its own ends are still those that it was made from.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::build::Builder;
use super::segment::{Bytes, Segment};
use crate::files::Files;
use crate::hash::hash;
use crate::shape::Shape;
use shared_types::memory::MAX_LINE;

/// The lines and the bytes of a unit.
pub(crate) const UNIT_LINES: u64 = 256;
const UNIT_BYTES: u64 = 96 * 1024;
/// How many pieces of a level make one of the next.
const FAN: u64 = 16;
/// How many units a piece of each level has, the largest first.
const LEVELS: [u64; 3] = [FAN * FAN, FAN, 1];
/// How much of each end of a stretch goes into its fingerprint, in bytes.
const END: usize = 64;

/// A log and its pieces.
pub(crate) struct Chain<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) log: &'a File,
    /// The end of the last complete line.
    pub(crate) end: u64,
    pub(crate) segments: Vec<Segment>,
    /// How many units each piece has that is in a file.
    sizes: Vec<u64>,
}

/// Receives how many bytes of how many are indexed.
pub(crate) type Progress<'a> = &'a dyn Fn(u64, u64);

/// A stretch that is to become a piece.
struct Due {
    start: u64,
    end: u64,
    units: u64,
    name: String,
}

impl<'a> Chain<'a> {
    /// Finds the pieces that there are.
    pub(crate) fn discover(
        files: &'a dyn Files,
        name: &'static str,
        shape: Shape,
        log: &'a File,
        end: u64,
    ) -> io::Result<Chain<'a>> {
        let mut chain = Chain { files, name, shape, log, end, segments: vec![], sizes: vec![] };
        // No unit has fewer bytes, so a log that was just begun has no pieces to look for.
        if end < UNIT_LINES {
            return Ok(chain);
        }
        for units in LEVELS {
            while let Some(segment) = chain.next(units)? {
                chain.segments.push(segment);
                chain.sizes.push(units);
            }
        }
        Ok(chain)
    }

    /// Where the indexed part of the log ends.
    pub(crate) fn indexed(&self) -> u64 {
        self.segments.last().map_or(0, |s| s.header.end)
    }

    /// The number of the first line that is in no piece.
    fn lines(&self) -> u64 {
        self.segments.last().map_or(0, |s| s.first + s.lines())
    }

    /// Makes the pieces that are due, in files; the caller is the log's writer, or has none to wait for.
    pub(crate) fn extend(&mut self, progress: Progress<'_>) -> io::Result<()> {
        let more = self.whole_units(self.indexed())?;
        let known = self.units();
        let grown = known + more;
        if more == 0 {
            return Ok(());
        }
        for units in LEVELS {
            // The small pieces before a new large one become a part of it.
            if grown / units > known / units {
                self.cut_to(known / units * units);
                break;
            }
        }
        for due in self.due()? {
            self.make(&due)?;
            progress(due.end, self.end);
        }
        self.remove_parts();
        Ok(())
    }

    /// Makes what is in no file yet in memory, for one question.
    pub(crate) fn complete(&mut self) -> io::Result<()> {
        let mut start = self.indexed();
        while start < self.end {
            let mut builder = Builder::new(self.shape, start);
            let mut lines = Lines::new(self.log, start, self.end);
            let mut count = 0;
            while count < FAN * UNIT_LINES
                && lines.at - start < FAN * UNIT_BYTES
                && let Some((offset, line)) = lines.next()?
            {
                builder.add(offset, line);
                count += 1;
            }
            let end = lines.at;
            self.push(builder.finish(end, 0))?;
            start = end;
        }
        Ok(())
    }

    fn next(&self, units: u64) -> io::Result<Option<Segment>> {
        let known = self.units();
        if !known.is_multiple_of(units) {
            return Ok(None);
        }
        let name = format!("index/{}", piece(self.name, units, known / units));
        let Some(file) = self.files.open(&name)? else { return Ok(None) };
        let segment = match Segment::open(Bytes::File(file), self.lines()) {
            Ok(segment) => segment,
            Err(_) => return Ok(None),
        };
        Ok(segment.filter(|s| {
            s.header.start == self.indexed()
                && s.header.end <= self.end
                && fingerprint(self.log, s.header.start, s.header.end)
                    .is_ok_and(|print| print == s.header.fingerprint)
        }))
    }

    fn cut_to(&mut self, units: u64) {
        while self.units() > units {
            self.segments.pop();
            self.sizes.pop();
        }
    }

    /// How many units the pieces have.
    fn units(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// How many whole units follow a place.
    fn whole_units(&self, start: u64) -> io::Result<u64> {
        Ok(units(self.log, start, self.end)?.len() as u64)
    }

    /// What is to be made, in order.
    fn due(&self) -> io::Result<Vec<Due>> {
        let mut start = self.indexed();
        let ends = units(self.log, start, self.end)?;
        let (mut at, mut left) = (self.units(), &ends[..]);
        let mut due = Vec::new();
        while !left.is_empty() {
            let fits = |level: &u64| at.is_multiple_of(*level) && left.len() as u64 >= *level;
            let units = LEVELS.into_iter().find(fits).unwrap_or(1);
            let (these, rest) = left.split_at(units as usize);
            let end = these[these.len() - 1];
            due.push(Due { start, end, units, name: piece(self.name, units, at / units) });
            (start, at, left) = (end, at + units, rest);
        }
        Ok(due)
    }

    fn make(&mut self, due: &Due) -> io::Result<()> {
        let mut builder = Builder::new(self.shape, due.start);
        let mut lines = Lines::new(self.log, due.start, due.end);
        while let Some((offset, line)) = lines.next()? {
            builder.add(offset, line);
        }
        let bytes = builder.finish(due.end, fingerprint(self.log, due.start, due.end)?);
        let name = format!("index/{}", due.name);
        // Without room for the index the question is answered all the same, from memory.
        if self.files.replace(&name, &bytes).is_ok()
            && let Some(file) = self.files.open(&name)?
            && let Some(segment) = Segment::open(Bytes::File(file), self.lines())?
        {
            self.segments.push(segment);
            self.sizes.push(due.units);
            return Ok(());
        }
        self.sizes.push(due.units);
        self.push(bytes)
    }

    fn push(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.segments.extend(Segment::open(Bytes::Memory(bytes), self.lines())?);
        Ok(())
    }

    /// Removes the small pieces that a larger one has taken the place of; one that stays does no harm.
    fn remove_parts(&self) {
        let known = self.units();
        for name in self.files.index_names().unwrap_or_default() {
            let Some((units, place)) = parse_piece(self.name, &name) else { continue };
            let larger = LEVELS.into_iter().rev().find(|level| *level > units);
            let covered = larger.is_some_and(|larger| (place + 1) * units <= known / larger * larger);
            if covered {
                let _ = self.files.remove_index(&name);
            }
        }
    }
}

/// Removes every piece of a log.
pub(crate) fn remove_all(files: &dyn Files, log: &str) -> io::Result<()> {
    for name in files.index_names()? {
        if parse_piece(log, &name).is_some() {
            files.remove_index(&name)?;
        }
    }
    Ok(())
}

fn piece(log: &str, units: u64, place: u64) -> String {
    format!("{log}.{units}.{place}")
}

fn parse_piece(log: &str, name: &str) -> Option<(u64, u64)> {
    let (units, place) = name.strip_prefix(log)?.strip_prefix('.')?.split_once('.')?;
    let (units, place) = (units.parse().ok()?, place.parse::<u64>().ok()?);
    (LEVELS.contains(&units) && place < 1 << 32).then_some((units, place))
}

/// The ends of the whole units that follow a place.
fn units(log: &File, start: u64, end: u64) -> io::Result<Vec<u64>> {
    let most = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
    let mut buffer = vec![0; most.min(256 * 1024)];
    let (mut ends, mut at, mut from, mut lines) = (Vec::new(), start, start, 0);
    while at < end {
        let room = buffer.len().min(usize::try_from(end - at).unwrap_or(usize::MAX));
        let part = &mut buffer[..room];
        log.read_exact_at(part, at)?;
        for newline in memchr::memchr_iter(b'\n', part) {
            lines += 1;
            let after = at + newline as u64 + 1;
            if lines == UNIT_LINES || after - from >= UNIT_BYTES {
                ends.push(after);
                (from, lines) = (after, 0);
            }
        }
        at += room as u64;
    }
    Ok(ends)
}

fn fingerprint(log: &File, start: u64, end: u64) -> io::Result<u64> {
    let mut ends = [0; 2 * END];
    let length = usize::try_from(end - start).unwrap_or(END).min(END);
    log.read_exact_at(&mut ends[..length], start)?;
    log.read_exact_at(&mut ends[END..END + length], end - length as u64)?;
    Ok(hash(&ends))
}

/// The lines of a stretch, one after the other, with a buffer that no line can make large.
pub(crate) struct Lines<'a> {
    log: &'a File,
    /// Where the next line begins.
    pub(crate) at: u64,
    end: u64,
    buffer: Vec<u8>,
    from: usize,
    filled: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(log: &'a File, start: u64, end: u64) -> Lines<'a> {
        Lines { log, at: start, end, buffer: vec![0; 64 * 1024], from: 0, filled: 0 }
    }

    /// The next line without its newline, and where it begins; a line that is too long is handed out empty.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        let offset = self.at;
        let mut searched = self.from;
        let mut skipped = 0u64;
        loop {
            if let Some(found) = memchr::memchr(b'\n', &self.buffer[searched..self.filled]) {
                let (from, newline) = (self.from, searched + found);
                self.from = newline + 1;
                self.at = offset + skipped + (newline - from + 1) as u64;
                let line = if skipped > 0 { &[][..] } else { &self.buffer[from..newline] };
                return Ok(Some((offset, line)));
            }
            let unread = self.filled - self.from;
            if unread > MAX_LINE {
                skipped += unread as u64;
                (self.from, self.filled) = (0, 0);
            } else {
                self.buffer.copy_within(self.from..self.filled, 0);
                (self.from, self.filled) = (0, unread);
            }
            searched = self.filled;
            let place = offset + skipped + self.filled as u64;
            let left = self.end.saturating_sub(place);
            if left == 0 {
                // What has no newline is not a line.
                self.at = self.end;
                (self.from, self.filled) = (0, 0);
                return Ok(None);
            }
            if self.filled == self.buffer.len() {
                self.buffer.resize((2 * self.filled).min(MAX_LINE + 64 * 1024), 0);
            }
            let room = (self.buffer.len() - self.filled).min(usize::try_from(left).unwrap_or(usize::MAX));
            self.log.read_exact_at(&mut self.buffer[self.filled..self.filled + room], place)?;
            self.filled += room;
        }
    }
}
