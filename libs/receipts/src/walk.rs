//! Reads links fast: in blocks, two at a time, each line verified on its own and against the one before it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::receipt::link::{self, Flaw};
use crate::receipt::{Key, NOTHING_BEFORE};

/// What one thread takes at a time, in bytes.
const BLOCK: usize = 1 << 20;
/// The longest line, in bytes; a receipt has a tenth of that.
pub(crate) const MOST_LINE: usize = 16 * 1024;

/// A place in a chain: behind how many receipts, and bytes of its files one after the other, and the last one's hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Receipts up to here.
    pub count: u64,
    /// Bytes up to here.
    pub bytes: u64,
    /// The hash of the last of them; 64 zeros before the first.
    pub hash: String,
}

/// The first thing in a chain that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("receipt {receipt} ({file}, line {line}): {what}")]
pub struct Fault {
    /// The receipt, counted from 1 through all files.
    pub receipt: u64,
    /// The file's name.
    pub file: String,
    /// The line in it, counted from 1.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

/// One file as it was read.
#[derive(Debug)]
pub struct Walked {
    /// Where the chain is after the last link that holds.
    pub end: Place,
    /// Bytes of a last line without its newline: it was never accepted, or is just being written.
    pub torn: u64,
    /// Links with an `hmac`.
    pub sealed: u64,
    /// The hash at the receipt that was asked for, if it was passed.
    pub at_mark: Option<String>,
    /// What does not hold.
    pub fault: Option<Fault>,
}

impl Place {
    /// Before the first receipt.
    pub fn start() -> Place {
        Place { count: 0, bytes: 0, hash: NOTHING_BEFORE.to_owned() }
    }
}

/// Reads one file that continues from `from`, its line `line` first; `mark` is a receipt whose hash is wanted.
///
/// # Errors
/// An error of the operating system.
pub fn walk(
    file: &mut File,
    name: &str,
    (from, line): (&Place, u64),
    mark: Option<u64>,
    key: Option<&Key>,
    cancel: &AtomicBool,
) -> io::Result<Walked> {
    let mut walked = Walked { end: from.clone(), torn: 0, sealed: 0, at_mark: None, fault: None };
    let mut blocks = Blocks { file, rest: Vec::new(), ended: false };
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Err(cancelled());
        }
        let (first, second) = (blocks.next()?, blocks.next()?);
        let (one, two) = std::thread::scope(|scope| {
            // A short file is not worth a thread.
            let beside = (!second.is_empty()).then(|| scope.spawn(|| check(&second, key)));
            let one = check(&first, key);
            (one, beside.map(|thread| thread.join().expect("reading a line does not panic")))
        });
        for (block, found) in [(&first, Some(one)), (&second, two)] {
            let Some(found) = found else { continue };
            if walked.take_over(block, found, (from.count, line), name, mark) {
                return Ok(walked);
            }
        }
        if second.is_empty() {
            walked.torn = blocks.rest.len() as u64;
            if blocks.rest.len() > MOST_LINE {
                walked.stop(name, (from.count, line), &Flaw::Long);
            }
            return Ok(walked);
        }
    }
}

/// Reads a file line by line, for a caller that counts and does not verify, and answers how many bytes it had. A line that is longer than one of
/// a receipt may be is passed over, and so is an unfinished last one: no more than one line is in memory.
///
/// # Errors
/// An error of the operating system.
pub fn lines(file: impl Read, mut each: impl FnMut(&[u8])) -> io::Result<u64> {
    let (mut reader, mut line, mut bytes, mut is_long) = (BufReader::new(file), vec![], 0, false);
    loop {
        let read = (&mut reader).take(MOST_LINE as u64).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(bytes);
        }
        bytes += read as u64;
        let is_ended = line.pop_if(|last| *last == b'\n').is_some();
        if is_ended && !is_long {
            each(&line);
        }
        is_long = !is_ended;
        line.clear();
    }
}

/// The reading was cancelled.
pub(crate) fn cancelled() -> io::Error {
    io::Error::new(io::ErrorKind::Interrupted, "cancelled")
}

impl Walked {
    /// Joins a block to what was read before; answers whether it does not hold.
    fn take_over(
        &mut self,
        block: &[u8],
        found: Found,
        begun: (u64, u64),
        name: &str,
        mark: Option<u64>,
    ) -> bool {
        let joined = found.first.as_ref().is_none_or(|first| first.as_slice() == self.end.hash.as_bytes());
        if !joined {
            self.stop(name, begun, &Flaw::Previous);
            return true;
        }
        let before = self.end.count;
        if let Some(at) = mark.and_then(|mark| mark.checked_sub(before + 1)).filter(|at| *at < found.lines) {
            let line = block.split(|b| *b == b'\n').nth(usize::try_from(at).unwrap_or(usize::MAX));
            self.at_mark = line.and_then(|line| link::read(line).ok()).map(|link| text(link.hash));
        }
        self.end.count += found.lines;
        self.end.bytes += found.bytes;
        self.sealed += found.sealed;
        if let Some(last) = found.last {
            self.end.hash = text(&last);
        }
        match found.fault {
            Some(what) => {
                self.stop(name, begun, &what);
                true
            }
            None => false,
        }
    }

    fn stop(&mut self, name: &str, (count, line): (u64, u64), what: &Flaw) {
        let receipt = self.end.count + 1;
        self.fault = Some(Fault {
            receipt,
            file: name.to_owned(),
            line: line + (receipt - 1 - count),
            what: what.to_string(),
        });
    }
}

/// What one block of whole lines holds.
#[derive(Default)]
struct Found {
    first: Option<Vec<u8>>,
    last: Option<Vec<u8>>,
    lines: u64,
    bytes: u64,
    sealed: u64,
    fault: Option<Flaw>,
}

fn check(block: &[u8], key: Option<&Key>) -> Found {
    let mut found = Found::default();
    let mut last: Option<&[u8]> = None;
    for line in block.split_inclusive(|b| *b == b'\n') {
        let link = match link::read(&line[..line.len() - 1]) {
            Ok(link) => link,
            Err(what) => {
                found.fault = Some(what);
                break;
            }
        };
        match last {
            None => found.first = Some(link.previous.to_vec()),
            Some(last) if last != link.previous => {
                found.fault = Some(Flaw::Previous);
                break;
            }
            Some(_) => {}
        }
        if let Some(hmac) = link.hmac {
            found.sealed += 1;
            if key.is_some_and(|key| key.seal(link.hash).as_bytes() != hmac) {
                found.fault = Some(Flaw::Seal);
                break;
            }
        }
        last = Some(link.hash);
        found.lines += 1;
        found.bytes += line.len() as u64;
    }
    found.last = last.map(<[u8]>::to_vec);
    found
}

/// A file in blocks of whole lines.
struct Blocks<'a> {
    file: &'a mut File,
    rest: Vec<u8>,
    ended: bool,
}

impl Blocks<'_> {
    /// The next block; an empty one when there are no more whole lines.
    fn next(&mut self) -> io::Result<Vec<u8>> {
        let mut block = std::mem::take(&mut self.rest);
        loop {
            let held = block.len();
            if !self.ended {
                let read = Read::by_ref(self.file).take(BLOCK as u64).read_to_end(&mut block)?;
                self.ended = read < BLOCK;
            }
            if let Some(end) = block[held..].iter().rposition(|b| *b == b'\n').map(|at| held + at + 1) {
                self.rest = block.split_off(end);
                return Ok(block);
            }
            // No line ends here: the file does, or it is not one of ours.
            if self.ended || block.len() > MOST_LINE {
                self.ended = true;
                // What is there may itself end with whole lines from the block before.
                let end = block.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
                self.rest = block.split_off(end);
                return Ok(block);
            }
        }
    }
}

fn text(hash: &[u8]) -> String {
    String::from_utf8_lossy(hash).into_owned()
}

#[cfg(test)]
mod tests;
