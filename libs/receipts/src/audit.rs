//! A whole chain, read from its first file to its last, against its signed head.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::chain;
use crate::files::{CURRENT, Files, segments};
use crate::head::Head;
use crate::receipt::{Key, link};
use crate::walk::{Fault, MOST_LINE, Place, cancelled, walk};

/// The most bytes that a file of receipts has: one that is full, with room for one that grew while it was renamed.
pub const MOST_FILE: u64 = 2 * chain::MOST;
/// The most bytes that a chain has: some eight million receipts.
pub const MOST_TOTAL: u64 = 4 << 30;
/// The most files that a chain has.
pub const MOST_FILES: usize = 4_096;

/// What a chain says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Up to where it holds.
    pub end: Place,
    /// Where the full files end and the one that is written begins.
    pub full: Place,
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
    /// It goes as far as the head, and this number of receipts further.
    Holds {
        /// Receipts that are not signed yet.
        beyond: u64,
    },
    /// It ends before the head.
    Shorter {
        /// How many receipts were signed.
        signed: u64,
    },
    /// What was signed is not what is there.
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
/// An error of the operating system.
pub fn audit(files: &dyn Files, head: Option<&Head>, key: Option<&Key>) -> io::Result<Report> {
    audit_from(None, files, head, key, &AtomicBool::new(false))
}

/// As [`audit`], from a place on that this caller knows: it read what is before, and that has not changed since.
///
/// # Errors
/// As [`audit`]; [`io::ErrorKind::Interrupted`] once `cancel` is set.
pub fn audit_from(
    known: Option<&Place>,
    files: &dyn Files,
    head: Option<&Head>,
    key: Option<&Key>,
    cancel: &AtomicBool,
) -> io::Result<Report> {
    let begin = head.and_then(|head| head.begin.clone()).unwrap_or_else(Place::start);
    // A head before that place could not be compared.
    let usable =
        |place: &&Place| place.bytes > begin.bytes && head.is_none_or(|head| head.end.count >= place.count);
    let begin = known.filter(usable).cloned().unwrap_or(begin);
    let mut tries = 0;
    loop {
        let before = segments(files)?;
        let report = read_all(files, &before, &begin, head, key, cancel)?;
        tries += 1;
        if tries == 3 || segments(files)? == before {
            return Ok(report);
        }
    }
}

fn read_all(
    files: &dyn Files,
    names: &[String],
    begin: &Place,
    head: Option<&Head>,
    key: Option<&Key>,
    cancel: &AtomicBool,
) -> io::Result<Report> {
    let mut report = Report {
        end: begin.clone(),
        full: begin.clone(),
        torn: 0,
        sealed: 0,
        fault: None,
        against: Against::NoHead,
    };
    if let Some(fault) = too_long(files, names)? {
        report.fault = Some(fault);
        return Ok(report);
    }
    let mark = head.map(|head| head.end.count);
    let mut at_mark = head.filter(|head| head.end.count == begin.count).map(|_| begin.hash.clone());
    // What a person acknowledged as wanting is passed over.
    let (mut skip, mut skipped) = (begin.bytes, true);
    for name in names {
        if name == CURRENT {
            report.full = report.end.clone();
        }
        let Some(mut file) = files.open(name)? else { continue };
        let length = file.metadata()?.len();
        if skip > 0 && skip >= length {
            skip -= length;
            continue;
        }
        let line =
            if std::mem::take(&mut skipped) && skip > 0 { lines_until(&mut file, skip)? + 1 } else { 1 };
        file.seek(SeekFrom::Start(std::mem::take(&mut skip)))?;
        let walked = walk(&mut file, name, (&report.end, line), mark, key, cancel)?;
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

/// Compares lengths with the caps before anything is read: a file may claim terabytes and hold nothing.
fn too_long(files: &dyn Files, names: &[String]) -> io::Result<Option<Fault>> {
    let fault = |file: &str, what: String| Some(Fault { receipt: 1, file: file.to_owned(), line: 0, what });
    if let Some(name) = names.get(MOST_FILES) {
        return Ok(fault(name, format!("one of more than {MOST_FILES} files; a chain has no more")));
    }
    let mut total = 0_u64;
    for name in names {
        let Some(file) = files.open(name)? else { continue };
        let length = file.metadata()?.len();
        if length > MOST_FILE {
            let what = format!("the file has {length} bytes; a file of receipts has at most {MOST_FILE}");
            return Ok(fault(name, what));
        }
        total += length;
        if total > MOST_TOTAL {
            let what = format!("with it the chain has {total} bytes; a chain has at most {MOST_TOTAL}");
            return Ok(fault(name, what));
        }
    }
    Ok(None)
}

/// A chain as it is stored, whether it holds or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AsItLies {
    /// It ends here, and can be continued from here.
    Ends(Place),
    /// Its last line is itself not a receipt.
    NoReceipt,
    /// It is longer than is read.
    TooLong(Fault),
}

/// Where a chain ends as it is stored. Its end is read first: only where that is a receipt are the lines counted.
///
/// # Errors
/// An error of the operating system; [`io::ErrorKind::Interrupted`] once `cancel` is set.
pub fn as_it_lies(files: &dyn Files, cancel: &AtomicBool) -> io::Result<AsItLies> {
    let names = segments(files)?;
    if let Some(fault) = too_long(files, &names)? {
        return Ok(AsItLies::TooLong(fault));
    }
    let mut place = Place::start();
    // Each file with its length of this moment: a chat may continue to append.
    let mut lengths = Vec::with_capacity(names.len());
    for name in names {
        if let Some(file) = files.open(&name)? {
            lengths.push((file.metadata()?.len(), name));
        }
    }
    for (length, name) in lengths.iter().rev() {
        let Some(mut file) = files.open(name)? else { continue };
        let Some(last) = last_line(&mut file, *length)? else { continue };
        match link::read(&last) {
            Ok(link) => place.hash = String::from_utf8_lossy(link.hash).into_owned(),
            Err(_) => return Ok(AsItLies::NoReceipt),
        }
        break;
    }
    for (length, name) in lengths {
        let Some(file) = files.open(&name)? else { continue };
        let mut reader = BufReader::with_capacity(1 << 20, file.take(length));
        let mut unended = 0;
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(cancelled());
            }
            let block = reader.fill_buf()?;
            if block.is_empty() {
                break;
            }
            place.count += block.iter().filter(|byte| **byte == b'\n').count() as u64;
            let whole = block.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
            match whole {
                Some(whole) => {
                    place.bytes += unended + whole as u64;
                    unended = (block.len() - whole) as u64;
                }
                None => unended += block.len() as u64,
            }
            let length = block.len();
            reader.consume(length);
        }
    }
    Ok(AsItLies::Ends(place))
}

/// The last whole line of the first `length` bytes of a file, without its newline; nothing where there is none within the
/// length of a receipt.
fn last_line(file: &mut File, length: u64) -> io::Result<Option<Vec<u8>>> {
    // A torn line may be behind the last whole one.
    let from = length.saturating_sub(2 * MOST_LINE as u64);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    Read::by_ref(file).take(length - from).read_to_end(&mut tail)?;
    let Some(end) = tail.iter().rposition(|byte| *byte == b'\n') else {
        return Ok((length > 0 && from > 0).then(Vec::new));
    };
    let begin = tail[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    Ok(Some(tail[begin..end].to_vec()))
}

fn lines_until(file: &mut File, bytes: u64) -> io::Result<u64> {
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
