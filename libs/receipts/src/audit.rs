//! A whole chain, read from its first file to its last, against its signed head.

use std::io::{self, Seek, SeekFrom};

use crate::files::{CURRENT, Files, segments};
use crate::head::Head;
use crate::receipt::Key;
use crate::walk::{Fault, Place, walk};

/// What a chain says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Up to where it holds.
    pub end: Place,
    /// Bytes of a last line that was never accepted.
    pub torn: u64,
    /// Receipts with an `hmac`.
    pub sealed: u64,
    /// The first link that does not hold.
    pub fault: Option<Fault>,
    /// What the signed head says.
    pub against: Against,
}

/// A chain beside its signed head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// There is no head yet.
    NoHead,
    /// It goes as far as the head, and so many receipts further.
    Holds {
        /// Receipts that are not signed yet.
        beyond: u64,
    },
    /// It ends before the head.
    Shorter {
        /// How many receipts were signed.
        signed: u64,
    },
    /// What was signed is not what lies there.
    Differs {
        /// The receipt up to which was signed.
        at: u64,
    },
}

impl Report {
    /// What does not hold, as a sentence; nothing where all does.
    pub fn wrong(&self) -> Option<String> {
        if let Some(fault) = &self.fault {
            return Some(fault.to_string());
        }
        match &self.against {
            Against::NoHead | Against::Holds { .. } => None,
            Against::Shorter { signed } => Some(format!(
                "receipt {} (of {signed} that were signed) is missing: the chain is shorter than its signed head",
                self.end.count + 1
            )),
            Against::Differs { at } => Some(format!(
                "receipt {at} is not the one that was signed: the chain was made anew, or is another one"
            )),
        }
    }
}

/// Reads a chain; with a key the `hmac` of each receipt that has one is checked too.
///
/// A file that is being renamed meanwhile, because it is full, makes this read once more.
///
/// # Errors
/// Whatever the operating system refuses.
pub fn audit(files: &dyn Files, head: Option<&Head>, key: Option<&Key>) -> io::Result<Report> {
    let mut tries = 0;
    loop {
        let before = segments(files)?;
        let report = read_all(files, &before, head, key)?;
        tries += 1;
        if tries == 3 || segments(files)? == before {
            return Ok(report);
        }
    }
}

fn read_all(
    files: &dyn Files,
    names: &[String],
    head: Option<&Head>,
    key: Option<&Key>,
) -> io::Result<Report> {
    let begin = head.and_then(|head| head.begin.clone()).unwrap_or_else(Place::start);
    let mut report = Report { end: begin.clone(), torn: 0, sealed: 0, fault: None, against: Against::NoHead };
    let mark = head.map(|head| head.end.count);
    let mut at_mark = head.filter(|head| head.end.count == begin.count).map(|_| begin.hash.clone());
    // What a person acknowledged as wanting is passed over.
    let (mut skip, mut skipped) = (begin.bytes, true);
    for name in names {
        let Some(mut file) = files.open(name)? else { continue };
        let length = file.metadata()?.len();
        if skip > 0 && skip >= length {
            skip -= length;
            continue;
        }
        let line =
            if std::mem::take(&mut skipped) && skip > 0 { lines_until(&mut file, skip)? + 1 } else { 1 };
        file.seek(SeekFrom::Start(std::mem::take(&mut skip)))?;
        let walked = walk(&mut file, name, (&report.end, line), mark, key)?;
        report.end = walked.end;
        report.sealed += walked.sealed;
        at_mark = walked.at_mark.or(at_mark);
        report.fault = walked.fault;
        if report.fault.is_none() && walked.torn > 0 && name != CURRENT {
            let fault = Fault {
                receipt: report.end.count + 1,
                file: name.clone(),
                line: 0,
                what: "a full file ends within a line".to_owned(),
            };
            report.fault = Some(fault);
        }
        report.torn = walked.torn;
        if report.fault.is_some() {
            break;
        }
    }
    let short = skip > 0;
    if let Some(head) = head {
        report.against = match at_mark {
            _ if short => Against::Shorter { signed: head.end.count },
            Some(hash) if hash == head.end.hash => {
                Against::Holds { beyond: report.end.count - head.end.count }
            }
            Some(_) => Against::Differs { at: head.end.count },
            None => Against::Shorter { signed: head.end.count },
        };
        if short {
            report.end.count = 0;
        }
    }
    Ok(report)
}

fn lines_until(file: &mut std::fs::File, bytes: u64) -> io::Result<u64> {
    use std::io::{BufRead, BufReader, Read};
    let mut lines = 0;
    let mut reader = BufReader::new(file.take(bytes));
    loop {
        let held = reader.fill_buf()?;
        if held.is_empty() {
            return Ok(lines);
        }
        lines += held.iter().filter(|b| **b == b'\n').count() as u64;
        let length = held.len();
        reader.consume(length);
    }
}

#[cfg(test)]
mod tests;
