//! Two logs of one record a line, and their index: `facts.jsonl` and `conversations.jsonl`.
//!
//! A log is only ever added to, under a lock that one writer holds at a time; a later line replaces or forgets an earlier
//! record. Readers need no lock: what they see are whole lines. Emptying and forgetting put a new file in the place of the
//! old.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek as _, Write};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use language::terms;
use serde::Serialize;
use serde_json::json;

use crate::aged::{Age, Aged, Dated, OnStays};
use crate::error::Error;
use crate::files::Files;
use crate::hash::key;
use crate::index::chain::remove_all;
use crate::shape::{ABOUT, ByText, ID, Kept, Shape, TURN};
use crate::statements;
use crate::store::{Imported, Recall, Store, Stored, identity, import};
use shared_types::memory::{Fact, MAX_LINE, Record, Summary, Turn};
use view::{Near, View};

mod view;

/// The log of facts.
pub const FACTS: &str = "facts.jsonl";
/// The log of conversations.
pub const CONVERSATIONS: &str = "conversations.jsonl";
/// The size at which a log is closed for more, in bytes.
pub const MAX_LOG: u64 = 1 << 30;
/// The largest log that is written anew when something is forgotten, in bytes.
const MAX_SHRUNK: u64 = 16 * 1024 * 1024;
/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(10);

/// Receives how many bytes of how many are indexed, when a question has to make the index first.
pub type OnProgress = Box<dyn Fn(u64, u64) + Send + Sync>;

/// A memory of logs.
pub struct Jsonl<F> {
    files: F,
    progress: OnProgress,
}

impl<F: Files> Jsonl<F> {
    /// A memory in these files; nothing is opened before it is asked or given something.
    pub fn new(files: F) -> Jsonl<F> {
        Jsonl { files, progress: Box::new(|_, _| {}) }
    }

    /// The same memory, which tells how far the making of its index is.
    #[must_use]
    pub fn telling(self, progress: OnProgress) -> Jsonl<F> {
        Jsonl { progress, ..self }
    }

    /// Looks at a log; an index that does not fit it is made again once.
    fn look<T>(&self, shape: Shape, look: impl Fn(&View<'_>) -> io::Result<T>) -> Result<Option<T>, Error> {
        Ok(self.look_at(shape, look)?.map(|(_, found)| found))
    }

    /// As [`Jsonl::look`], with the log that was looked at: the name may stand for another one a moment later.
    fn look_at<T>(
        &self,
        shape: Shape,
        look: impl Fn(&View<'_>) -> io::Result<T>,
    ) -> Result<Option<(File, T)>, Error> {
        let name = name(shape);
        let refused = Error::io(name);
        let attempt = || -> io::Result<Option<(File, T)>> {
            let Some(log) = self.files.open(name)? else { return Ok(None) };
            let view = View::of(&self.files, name, shape, &log, &*self.progress)?;
            let found = look(&view)?;
            drop(view);
            Ok(Some((log, found)))
        };
        match attempt() {
            Err(e) if e.kind() == io::ErrorKind::InvalidData => {
                remove_all(&self.files, name).map_err(refused)?;
                match attempt() {
                    Err(e) if e.kind() == io::ErrorKind::InvalidData => {
                        Err(Error::Index { file: name.to_owned() })
                    }
                    other => other.map_err(Error::io(name)),
                }
            }
            other => other.map_err(refused),
        }
    }

    fn lock(&self) -> Result<File, Error> {
        let file = self.files.open_log("lock").map_err(Error::io("lock"))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(std::fs::TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(std::fs::TryLockError::WouldBlock) => {
                    let held = io::Error::other("another process of this profile holds it");
                    return Err(Error::io("lock")(held));
                }
                Err(std::fs::TryLockError::Error(e)) => return Err(Error::io("lock")(e)),
            }
        }
    }

    /// Appends lines; the caller holds the lock.
    fn append(&self, shape: Shape, lines: &[String]) -> Result<(), Error> {
        let name = name(shape);
        if lines.is_empty() {
            return Ok(());
        }
        if lines.iter().any(|l| l.len() > MAX_LINE) {
            return Err(Error::LongLine);
        }
        let log = self.files.open_log(name).map_err(Error::io(name))?;
        let more: u64 = lines.iter().map(|l| l.len() as u64 + 1).sum();
        let size = log.metadata().map_err(Error::io(name))?.len();
        if size + more > MAX_LOG {
            return Err(Error::Full { file: name.to_owned(), limit: MAX_LOG >> 20 });
        }
        durable::append_lines(&log, lines).map_err(Error::io(name))
    }

    /// Makes the pieces of the index that are due; an index that cannot be written is not a loss.
    fn tend(&self, shape: Shape) {
        let name = name(shape);
        if let Ok(Some(log)) = self.files.open(name) {
            let _ = view::tend(&self.files, name, shape, &log);
        }
    }

    /// Writes a log anew without what no longer counts, so that what is forgotten is gone; the caller holds the lock. A
    /// large log stays as it is, and so does one for whose copy there is no room: it is correct either way.
    fn shrink(&self, shape: Shape) {
        let name = name(shape);
        let shrunk = || -> Result<(), Error> {
            let Some((log, places)) = self.look_at(shape, |view| view.live())? else { return Ok(()) };
            if log.metadata().map_err(Error::io(name))?.len() > MAX_SHRUNK {
                return Ok(());
            }
            self.files.remove_drafts(name).map_err(Error::io(name))?;
            self.rewrite(name, &log, &places).map_err(Error::io(name))
        };
        let _ = shrunk();
    }

    /// Puts a log in the place of the old one that holds these lines of it and no others; the caller holds the lock.
    fn rewrite(&self, name: &str, log: &File, places: &[u64]) -> io::Result<()> {
        let mut draft = BufWriter::new(self.files.draft(name)?);
        let mut lines = Near::of(log);
        for place in places {
            draft.write_all(lines.at(*place)?)?;
            draft.write_all(b"\n")?;
        }
        draft.into_inner().map_err(io::IntoInnerError::into_error)?.place()?;
        remove_all(&self.files, name)
    }

    /// Looks at the age of every line, of those too that no longer count; nothing where there is no log.
    fn sift(&self, shape: Shape, before: Timestamp, stays: OnStays<'_>) -> Result<Option<Sifted>, Error> {
        let Some((log, places)) = self.look_at(shape, |view| view.live())? else { return Ok(None) };
        let mut sifted = Sifted { log, older: 0, undated: 0, any_older: false, stay: vec![] };
        let mut live = places.into_iter().peekable();
        let mut sift = || -> io::Result<()> {
            let mut lines = BufReader::new(&sifted.log);
            let (mut at, mut line) = (lines.stream_position()?, Vec::new());
            while lines.read_until(b'\n', &mut line)? > 0 {
                let counts = live.next_if_eq(&at).is_some();
                let dated = Dated::of(&line);
                let age = dated.age(before);
                sifted.any_older |= age == Age::Older;
                if counts && age != Age::Older {
                    sifted.stay.push(at);
                    sifted.undated += u64::from(age == Age::Unknown);
                    dated.typed().into_iter().for_each(&mut *stays);
                }
                sifted.older += u64::from(counts && age == Age::Older);
                at += line.len() as u64;
                line.clear();
            }
            Ok(())
        };
        sift().map_err(Error::io(name(shape)))?;
        Ok(Some(sifted))
    }

    fn live_facts(&self, key: u64) -> Result<Vec<Fact>, Error> {
        Ok(self.look(Shape::Facts, |view| view.found::<Fact>(key))?.unwrap_or_default())
    }
}

/// A log, looked through for what is older than a moment.
struct Sifted {
    log: File,
    /// How many records that count are older.
    older: u64,
    /// How many that count have no time.
    undated: u64,
    /// Whether any line is older.
    any_older: bool,
    /// Where the records begin that count and are not older.
    stay: Vec<u64>,
}

fn name(shape: Shape) -> &'static str {
    match shape {
        Shape::Facts => FACTS,
        Shape::Turns => CONVERSATIONS,
    }
}

fn aged(facts: Option<&Sifted>, turns: Option<&Sifted>) -> Aged {
    let older = |sifted: Option<&Sifted>| sifted.map_or(0, |sifted| sifted.older);
    let undated = facts.into_iter().chain(turns).map(|sifted| sifted.undated).sum();
    Aged { facts: older(facts), messages: older(turns), undated }
}

fn line<T: Serialize>(record: &T) -> Result<String, Error> {
    Ok(serde_json::to_string(record)?)
}

impl<F: Files> Recall for Jsonl<F> {
    fn facts(&self, limit: usize) -> Result<Vec<Fact>, Error> {
        Ok(self.look(Shape::Facts, |view| view.newest(limit))?.unwrap_or_default())
    }

    fn search_facts(&self, query: &str, limit: usize) -> Result<Vec<Fact>, Error> {
        let terms = terms::query(query);
        Ok(self.look(Shape::Facts, |view| view.best(&terms, limit))?.unwrap_or_default())
    }

    fn meant(&self, query: &str, limit: usize) -> Result<Vec<Fact>, Error> {
        let terms = terms::query(query);
        if terms.is_empty() {
            return Ok(vec![]);
        }
        Ok(self.look(Shape::Facts, |view| view.holding_all(&terms, limit))?.unwrap_or_default())
    }

    fn search_turns(&self, query: &str, limit: usize) -> Result<Vec<Turn>, Error> {
        let terms = terms::query(query);
        Ok(self.look(Shape::Turns, |view| view.best(&terms, limit))?.unwrap_or_default())
    }

    fn show(&self, id: &str) -> Result<Vec<Record>, Error> {
        let mut facts = self.live_facts(key(ID, id))?;
        facts.retain(|f| f.id == id);
        if !facts.is_empty() {
            return Ok(facts.into_iter().map(Record::Fact).collect());
        }
        let mut turns = self.conversation(id, usize::MAX)?;
        if turns.is_empty() {
            turns = self.look(Shape::Turns, |view| view.found(key(TURN, id)))?.unwrap_or_default();
            turns.retain(|t| t.turn_id == id);
        }
        Ok(turns.into_iter().map(Record::Turn).collect())
    }

    fn conversation(&self, id: &str, limit: usize) -> Result<Vec<Turn>, Error> {
        Ok(self.each_conversation(&[id], limit)?.into_iter().next().unwrap_or_default())
    }

    // What the index lacks is read once for all of them.
    fn each_conversation(&self, ids: &[&str], limit: usize) -> Result<Vec<Vec<Turn>>, Error> {
        let found = self.look(Shape::Turns, |view| {
            let of = |id: &&str| {
                let mut turns = view.found_newest::<Turn>(key(ID, id), limit)?;
                turns.retain(|turn| turn.conversation_id == **id);
                Ok(turns)
            };
            ids.iter().map(of).collect::<io::Result<Vec<_>>>()
        })?;
        Ok(found.unwrap_or_else(|| vec![vec![]; ids.len()]))
    }

    fn conversations(&self, limit: usize) -> Result<Vec<Summary>, Error> {
        let firsts = self.look(Shape::Turns, |view| view.newest_groups::<Turn>(limit))?.unwrap_or_default();
        let summary = |t: Turn| Summary { id: t.conversation_id, at: t.timestamp, first: t.content };
        Ok(firsts.into_iter().map(summary).collect())
    }

    fn last_conversation(&self) -> Result<Option<String>, Error> {
        let newest = self.look(Shape::Turns, |view| view.newest::<Turn>(1))?.unwrap_or_default();
        Ok(newest.into_iter().next().map(|t| t.conversation_id))
    }

    fn aged(&self, before: Timestamp) -> Result<Aged, Error> {
        let facts = self.sift(Shape::Facts, before, &mut |_| {})?;
        let turns = self.sift(Shape::Turns, before, &mut |_| {})?;
        Ok(aged(facts.as_ref(), turns.as_ref()))
    }

    fn export(&self, to: &mut dyn Write) -> Result<u64, Error> {
        let mut count = 0;
        let to = std::cell::RefCell::new(to);
        let put = |record: &Record| -> io::Result<()> {
            let mut to = to.borrow_mut();
            serde_json::to_writer(&mut *to, record)?;
            to.write_all(b"\n")
        };
        count += self.each::<Fact>(Shape::Facts, |fact| put(&Record::Fact(fact)))?;
        count += self.each::<Turn>(Shape::Turns, |turn| put(&Record::Turn(turn)))?;
        to.borrow_mut().flush().map_err(Error::io("export"))?;
        Ok(count)
    }
}

impl<F: Files> Store for Jsonl<F> {
    fn add_fact(&self, mut fact: Fact) -> Result<Stored, Error> {
        fact.check()?;
        let same = ByText::of(&fact.text);
        // A large index that is missing is made before anybody has to wait for the lock.
        self.live_facts(same)?;
        let lock = self.lock()?;
        let folded = terms::fold(&fact.text);
        let known = self.live_facts(same)?.into_iter().find(|f| terms::fold(&f.text) == folded);
        if let Some(known) = known {
            return Ok(Stored::Known(Box::new(known)));
        }
        let about = statements::about(&fact.text);
        fact.about = fact.about.or(about);
        let mut older = match &fact.about {
            Some(about) => self.live_facts(key(ABOUT, about))?,
            None => vec![],
        };
        older.retain(|f| f.about == fact.about && (f.outside || !fact.outside));
        let newest = older.pop();
        let mut lines = Vec::new();
        for older in older {
            lines.push(line(&json!({"forgets": older.id, "at": fact.at}))?);
        }
        fact.replaces = newest.as_ref().map(|f| f.id.clone());
        lines.push(line(&fact)?);
        self.append(Shape::Facts, &lines)?;
        drop(lock);
        self.tend(Shape::Facts);
        Ok(newest.map_or(Stored::New, |old| Stored::Replaced(Box::new(old))))
    }

    fn correct(&self, id: &str, mut fact: Fact) -> Result<Option<Fact>, Error> {
        fact.check()?;
        let same = ByText::of(&fact.text);
        // A large index that is missing is made before anybody has to wait for the lock.
        self.live_facts(same)?;
        let lock = self.lock()?;
        if !self.live_facts(key(ID, id))?.iter().any(|old| old.id == id) {
            return Ok(None);
        }
        let folded = terms::fold(&fact.text);
        let is_same = |other: &Fact| other.id != id && terms::fold(&other.text) == folded;
        let forgets = |id: &str| line(&json!({"forgets": id, "at": fact.at}));
        let (kept, lines) = match self.live_facts(same)?.into_iter().find(is_same) {
            Some(known) => (known, vec![forgets(id)?]),
            None => {
                let about = fact.about.clone().or_else(|| statements::about(&fact.text));
                let older = about.as_ref().map(|about| self.live_facts(key(ABOUT, about))).transpose()?;
                let mut older = older.unwrap_or_default();
                older.retain(|old| old.id != id && old.about == about && (old.outside || !fact.outside));
                let older = older.iter().map(|old| forgets(&old.id)).collect::<Result<Vec<_>, _>>()?;
                (fact.about, fact.replaces) = (about, Some(id.to_owned()));
                // One line keeps the new fact and takes the old one away; the lines behind it may be lost without loss.
                let lines = std::iter::once(line(&fact)?).chain(older).collect();
                (fact, lines)
            }
        };
        self.append(Shape::Facts, &lines)?;
        drop(lock);
        self.tend(Shape::Facts);
        Ok(Some(kept))
    }

    fn add_turns(&self, turns: &[Turn]) -> Result<(), Error> {
        let mut lines = Vec::with_capacity(turns.len());
        for turn in turns {
            turn.check()?;
            lines.push(line(turn)?);
        }
        let lock = self.lock()?;
        self.append(Shape::Turns, &lines)?;
        drop(lock);
        self.tend(Shape::Turns);
        Ok(())
    }

    fn forget(&self, id: &str, at: &str) -> Result<bool, Error> {
        let forgets = |shape| -> Result<bool, Error> {
            let lock = self.lock()?;
            self.append(shape, &[line(&json!({"forgets": id, "at": at}))?])?;
            self.shrink(shape);
            drop(lock);
            self.tend(shape);
            Ok(true)
        };
        if self.live_facts(key(ID, id))?.iter().any(|f| f.id == id) {
            return forgets(Shape::Facts);
        }
        if !self.conversation(id, 1)?.is_empty() {
            return forgets(Shape::Turns);
        }
        Ok(false)
    }

    fn forget_before(&self, before: Timestamp, stays: OnStays<'_>) -> Result<Aged, Error> {
        // A large index that is missing is made before anybody has to wait for the lock.
        self.aged(before)?;
        let lock = self.lock()?;
        let mut removed = |shape| -> Result<Option<Sifted>, Error> {
            let sifted = self.sift(shape, before, stays)?;
            self.files.remove_drafts(name(shape)).map_err(Error::io(name(shape)))?;
            if let Some(Sifted { log, stay, .. }) = sifted.as_ref().filter(|sifted| sifted.any_older) {
                self.rewrite(name(shape), log, stay).map_err(Error::io(name(shape)))?;
            }
            Ok(sifted)
        };
        let (facts, turns) = (removed(Shape::Facts)?, removed(Shape::Turns)?);
        drop(lock);
        self.tend(Shape::Facts);
        self.tend(Shape::Turns);
        Ok(aged(facts.as_ref(), turns.as_ref()))
    }

    fn clear(&self) -> Result<(), Error> {
        let _lock = self.lock()?;
        for name in [FACTS, CONVERSATIONS] {
            self.files.remove_drafts(name).map_err(Error::io(name))?;
            if self.files.open(name).map_err(Error::io(name))?.is_some() {
                self.files.replace(name, b"").map_err(Error::io(name))?;
            }
            remove_all(&self.files, name).map_err(Error::io("index"))?;
        }
        Ok(())
    }

    fn import(&self, from: &mut dyn BufRead) -> Result<Imported, Error> {
        let mut known = HashSet::new();
        self.each::<Fact>(Shape::Facts, |fact| {
            known.insert(key(ID, &fact.id));
            known.insert(ByText::of(&fact.text));
            Ok(())
        })?;
        self.each::<Turn>(Shape::Turns, |turn| {
            known.insert(identity(&turn));
            Ok(())
        })?;
        let is_known = |record: &Record| match record {
            Record::Fact(fact) => {
                let known_text = !known.insert(ByText::of(&fact.text));
                !known.insert(key(ID, &fact.id)) || known_text
            }
            Record::Turn(turn) => !known.insert(identity(turn)),
        };
        let imported = import(from, is_known, |batch| {
            let (mut facts, mut turns) = (vec![], vec![]);
            for record in batch {
                match record {
                    // What was replaced elsewhere need not be replaced here.
                    Record::Fact(fact) => facts.push(line(&Fact { replaces: None, ..fact })?),
                    Record::Turn(turn) => turns.push(line(&turn)?),
                }
            }
            let _lock = self.lock()?;
            self.append(Shape::Facts, &facts)?;
            self.append(Shape::Turns, &turns)
        })?;
        self.tend(Shape::Facts);
        self.tend(Shape::Turns);
        Ok(imported)
    }
}

impl<F: Files> Jsonl<F> {
    /// Hands out the records that count, oldest first. Which ones they are is found out before the first, so that an index
    /// that must be made again repeats nothing.
    fn each<T: Kept>(&self, shape: Shape, mut take: impl FnMut(T) -> io::Result<()>) -> Result<u64, Error> {
        let name = name(shape);
        let Some((log, places)) = self.look_at(shape, |view| view.live())? else { return Ok(0) };
        let mut count = 0;
        let mut lines = Near::of(&log);
        for place in places {
            let line = lines.at(place).map_err(Error::io(name))?;
            // A line that fits no record of this version is passed over, as a search passes it over.
            if let Ok(record) = serde_json::from_slice(line) {
                take(record).map_err(Error::io(name))?;
                count += 1;
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
