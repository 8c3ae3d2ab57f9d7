//! One file of SQLite, with FTS5, for those who want one file.
//!
//! The words of a text go into FTS5 in the same folded form as everywhere, so that any script is found in any case. The
//! file is opened by its path, no link followed; nothing is mapped into memory, no temporary file is made, and each
//! record is on the disk when a call returns.

use std::io::{BufRead, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use language::terms::{self, fold};
use rusqlite::types::Type;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::aged::{Age, Aged, Dated, OnStays};
use crate::error::Error;
use crate::files::Files;
use crate::hash::key;
use crate::store::{Imported, Recall, Store, Stored, identity, import};
use crate::{rank, statements};
use shared_types::memory::{Fact, Record, Summary, Turn};

/// The file beneath the memory's folder.
pub const FILE: &str = "memory.sqlite";
/// How long a call waits for another process.
const PATIENCE: Duration = Duration::from_secs(10);
/// The version of the tables.
pub(crate) const VERSION: i64 = 1;
/// What the newest record gets more than the oldest, in the unit of FTS5's rank.
const RECENCY: f64 = 0.5;

/// `text` of a table is what is shown; `words` of its index are that text, folded.
const TABLES: &str = "
    CREATE TABLE facts (
        n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, folded TEXT NOT NULL, about TEXT,
        record TEXT NOT NULL);
    CREATE INDEX facts_folded ON facts (folded);
    CREATE INDEX facts_about ON facts (about) WHERE about IS NOT NULL;
    CREATE VIRTUAL TABLE facts_words USING fts5 (words, content='', contentless_delete=1, tokenize='ascii');
    CREATE TABLE turns (
        n INTEGER PRIMARY KEY AUTOINCREMENT, identity INTEGER NOT NULL, conversation_id TEXT NOT NULL,
        turn_id TEXT NOT NULL, record TEXT NOT NULL);
    CREATE INDEX turns_identity ON turns (identity);
    CREATE INDEX turns_conversation ON turns (conversation_id);
    CREATE INDEX turns_turn ON turns (turn_id);
    CREATE VIRTUAL TABLE turns_words USING fts5 (words, content='', contentless_delete=1, tokenize='ascii');
    PRAGMA user_version = 1;
";

/// A memory in one file.
pub struct Sqlite<F> {
    /// Nothing for a memory that ends with the program.
    files: Option<F>,
    /// Opened when it is first needed.
    connection: Mutex<Option<Connection>>,
}

impl<F: Files> Sqlite<F> {
    /// A memory in this folder; nothing is opened before it is asked or given something.
    pub fn new(files: F) -> Sqlite<F> {
        Sqlite { files: Some(files), connection: Mutex::new(None) }
    }

    /// A memory in no file: it ends with the program.
    pub fn volatile() -> Sqlite<F> {
        Sqlite { files: None, connection: Mutex::new(None) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Connection) -> Result<T, Error>) -> Result<T, Error> {
        let mut guard: MutexGuard<'_, Option<Connection>> =
            self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = match &mut *guard {
            Some(connection) => connection,
            none => none.insert(self.open()?),
        };
        work(connection)
    }

    fn open(&self) -> Result<Connection, Error> {
        let mut connection = match &self.files {
            Some(files) => opened(files)?,
            None => Connection::open_in_memory()?,
        };
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch(
            "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
             PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
        )?;
        connection.pragma_update(None, "journal_mode", "DELETE")?;
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match change.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))? {
            0 => change.execute_batch(TABLES)?,
            VERSION => {}
            found => return Err(Error::Version { found }),
        }
        change.commit()?;
        Ok(connection)
    }

    /// Changes all of it or nothing.
    fn change<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Error>) -> Result<T, Error> {
        self.with(|connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&change)?;
            change.commit()?;
            Ok(done)
        })
    }

    fn records<T: serde::de::DeserializeOwned>(
        &self,
        query: &str,
        values: impl rusqlite::Params,
    ) -> Result<Vec<T>, Error> {
        self.with(|connection| {
            let mut statement = connection.prepare_cached(query)?;
            let rows = statement.query_map(values, record)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    fn best<T: serde::de::DeserializeOwned>(
        &self,
        table: &str,
        query: &str,
        limit: usize,
    ) -> Result<Vec<T>, Error> {
        let Some(wanted) = matching(&terms::query(query), " OR ") else { return Ok(vec![]) };
        let sql = format!(
            "SELECT record FROM {table}_words JOIN {table} ON n = {table}_words.rowid WHERE {table}_words MATCH ?1
             ORDER BY bm25({table}_words) - {RECENCY} * n / (SELECT max(n) FROM {table}), n DESC LIMIT ?2"
        );
        self.records(&sql, params![wanted, count(limit)])
    }
}

/// The words of a query in FTS5's language; each is quoted, so it is nothing but a word there.
fn matching(terms: &[String], between: &str) -> Option<String> {
    let one = |term: &String| {
        // Words that begin alike: FTS5 knows no longest ending, so a longer word may be found here than elsewhere.
        let longer = if rank::is_stem(term) { "*" } else { "" };
        let stems: String = rank::stems(term).map(|stem| format!(" OR \"{stem}\"")).collect();
        format!("(\"{term}\"{longer}{stems})")
    };
    let parts: Vec<String> = terms.iter().map(one).collect();
    (!parts.is_empty()).then(|| parts.join(between))
}

fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn record<T: serde::de::DeserializeOwned>(row: &Row<'_>) -> rusqlite::Result<T> {
    let text: String = row.get(0)?;
    serde_json::from_slice(text.as_bytes())
        .map_err(|e| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(e)))
}

fn json<T: serde::Serialize>(record: &T) -> Result<String, Error> {
    Ok(serde_json::to_string(record)?)
}

/// The words of a text as FTS5 divides them again: at spaces.
fn words(text: &str) -> String {
    terms::distinct(text, usize::MAX).join(" ")
}

fn put_fact(change: &Transaction<'_>, fact: &Fact) -> Result<(), Error> {
    change
        .prepare_cached("INSERT INTO facts (id, folded, about, record) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![fact.id, fold(&fact.text), fact.about, json(fact)?])?;
    change
        .prepare_cached("INSERT INTO facts_words (rowid, words) VALUES (last_insert_rowid(), ?1)")?
        .execute([words(&fact.text)])?;
    Ok(())
}

fn put_turn(change: &Transaction<'_>, turn: &Turn) -> Result<(), Error> {
    change
        .prepare_cached(
            "INSERT INTO turns (identity, conversation_id, turn_id, record) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![identity(turn).cast_signed(), turn.conversation_id, turn.turn_id, json(turn)?])?;
    change
        .prepare_cached("INSERT INTO turns_words (rowid, words) VALUES (last_insert_rowid(), ?1)")?
        .execute([words(&turn.content)])?;
    Ok(())
}

/// Removes the rows of a table that fit, with their words; answers how many there were.
fn remove(change: &Transaction<'_>, table: &str, column: &str, value: &str) -> Result<usize, Error> {
    let rows = format!("SELECT n FROM {table} WHERE {column} = ?1");
    change.execute(&format!("DELETE FROM {table}_words WHERE rowid IN ({rows})"), [value])?;
    Ok(change.execute(&format!("DELETE FROM {table} WHERE {column} = ?1"), [value])?)
}

/// The rows of a table that are older than a moment; counts those without a time.
fn older(
    view: &Transaction<'_>,
    table: &str,
    before: Timestamp,
    undated: &mut u64,
    stays: OnStays<'_>,
) -> Result<Vec<i64>, Error> {
    let mut older = vec![];
    let mut statement = view.prepare(&format!("SELECT n, record FROM {table} ORDER BY n"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text: String = row.get(1)?;
        let dated = Dated::of(text.as_bytes());
        let age = dated.age(before);
        if age == Age::Older {
            older.push(row.get(0)?);
            continue;
        }
        *undated += u64::from(age == Age::Unknown);
        dated.typed().into_iter().for_each(&mut *stays);
    }
    Ok(older)
}

impl<F: Files> Recall for Sqlite<F> {
    fn facts(&self, limit: usize) -> Result<Vec<Fact>, Error> {
        let mut facts: Vec<Fact> =
            self.records("SELECT record FROM facts ORDER BY n DESC LIMIT ?1", [count(limit)])?;
        facts.reverse();
        Ok(facts)
    }

    fn search_facts(&self, query: &str, limit: usize) -> Result<Vec<Fact>, Error> {
        self.best("facts", query, limit)
    }

    fn meant(&self, query: &str, limit: usize) -> Result<Vec<Fact>, Error> {
        let wanted = terms::query(query);
        let Some(all) = matching(&wanted, " AND ") else { return Ok(vec![]) };
        let mut facts: Vec<Fact> = self.records(
            "SELECT record FROM facts_words JOIN facts ON n = facts_words.rowid WHERE facts_words MATCH ?1
             ORDER BY n LIMIT ?2",
            params![all, count(limit)],
        )?;
        // What is to be forgotten is meant exactly.
        facts.retain(|fact| {
            let words = terms::distinct(&fact.text, usize::MAX);
            wanted.iter().all(|term| words.iter().any(|word| rank::alike(term, word)))
        });
        Ok(facts)
    }

    fn search_turns(&self, query: &str, limit: usize) -> Result<Vec<Turn>, Error> {
        self.best("turns", query, limit)
    }

    fn show(&self, id: &str) -> Result<Vec<Record>, Error> {
        let facts: Vec<Fact> = self.records("SELECT record FROM facts WHERE id = ?1", [id])?;
        if !facts.is_empty() {
            return Ok(facts.into_iter().map(Record::Fact).collect());
        }
        let mut turns = self.conversation(id, usize::MAX)?;
        if turns.is_empty() {
            turns = self.records("SELECT record FROM turns WHERE turn_id = ?1 ORDER BY n", [id])?;
        }
        Ok(turns.into_iter().map(Record::Turn).collect())
    }

    fn conversation(&self, id: &str, limit: usize) -> Result<Vec<Turn>, Error> {
        let mut turns: Vec<Turn> = self.records(
            "SELECT record FROM turns WHERE conversation_id = ?1 ORDER BY n DESC LIMIT ?2",
            params![id, count(limit)],
        )?;
        turns.reverse();
        Ok(turns)
    }

    fn conversations(&self, limit: usize) -> Result<Vec<Summary>, Error> {
        let firsts: Vec<Turn> = self.records(
            "SELECT record FROM turns JOIN
                (SELECT min(n) AS first, max(n) AS last FROM turns GROUP BY conversation_id ORDER BY last DESC LIMIT ?1)
             ON n = first ORDER BY last DESC",
            [count(limit)],
        )?;
        let summary = |t: Turn| Summary { id: t.conversation_id, at: t.timestamp, first: t.content };
        Ok(firsts.into_iter().map(summary).collect())
    }

    fn last_conversation(&self) -> Result<Option<String>, Error> {
        self.with(|connection| {
            let newest = "SELECT conversation_id FROM turns ORDER BY n DESC LIMIT 1";
            Ok(connection.query_row(newest, [], |row| row.get(0)).optional()?)
        })
    }

    fn aged(&self, before: Timestamp) -> Result<Aged, Error> {
        self.with(|connection| {
            let view = connection.transaction()?;
            let mut aged = Aged::default();
            aged.facts = older(&view, "facts", before, &mut aged.undated, &mut |_| {})?.len() as u64;
            aged.messages = older(&view, "turns", before, &mut aged.undated, &mut |_| {})?.len() as u64;
            Ok(aged)
        })
    }

    fn export(&self, to: &mut dyn Write) -> Result<u64, Error> {
        self.with(|connection| {
            let mut written = 0;
            // One state of the file for both tables.
            let view = connection.transaction()?;
            for (table, name) in [("facts", "fact"), ("turns", "turn")] {
                let mut statement = view.prepare(&format!("SELECT record FROM {table} ORDER BY n"))?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    let record: String = row.get(0)?;
                    writeln!(to, "{{\"{name}\":{record}}}").map_err(Error::io("export"))?;
                    written += 1;
                }
            }
            to.flush().map_err(Error::io("export"))?;
            Ok(written)
        })
    }
}

impl<F: Files> Store for Sqlite<F> {
    fn add_fact(&self, mut fact: Fact) -> Result<Stored, Error> {
        fact.check()?;
        let about = statements::about(&fact.text);
        fact.about = fact.about.or(about);
        self.change(|change| {
            let known = change
                .query_row("SELECT record FROM facts WHERE folded = ?1", [fold(&fact.text)], record::<Fact>)
                .optional()?;
            if let Some(known) = known {
                return Ok(Stored::Known(Box::new(known)));
            }
            let mut older: Vec<Fact> = change
                .prepare_cached("SELECT record FROM facts WHERE about = ?1 ORDER BY n")?
                .query_map([&fact.about], record)?
                .collect::<Result<_, _>>()?;
            older.retain(|old| old.outside || !fact.outside);
            for old in &older {
                remove(change, "facts", "id", &old.id)?;
            }
            let newest = older.pop();
            fact.replaces = newest.as_ref().map(|old| old.id.clone());
            put_fact(change, &fact)?;
            Ok(newest.map_or(Stored::New, |old| Stored::Replaced(Box::new(old))))
        })
    }

    fn correct(&self, id: &str, mut fact: Fact) -> Result<Option<Fact>, Error> {
        fact.check()?;
        fact.about = fact.about.take().or_else(|| statements::about(&fact.text));
        self.change(|change| {
            if remove(change, "facts", "id", id)? == 0 {
                return Ok(None);
            }
            let known = change
                .query_row("SELECT record FROM facts WHERE folded = ?1", [fold(&fact.text)], record::<Fact>)
                .optional()?;
            if known.is_some() {
                return Ok(known);
            }
            let older: Vec<Fact> = change
                .prepare_cached("SELECT record FROM facts WHERE about = ?1")?
                .query_map([&fact.about], record)?
                .collect::<Result<_, _>>()?;
            for old in older.iter().filter(|old| old.outside || !fact.outside) {
                remove(change, "facts", "id", &old.id)?;
            }
            fact.replaces = Some(id.to_owned());
            put_fact(change, &fact)?;
            Ok(Some(fact))
        })
    }

    fn add_turns(&self, turns: &[Turn]) -> Result<(), Error> {
        turns.iter().try_for_each(Turn::check)?;
        self.change(|change| turns.iter().try_for_each(|turn| put_turn(change, turn)))
    }

    fn forget(&self, id: &str, _at: &str) -> Result<bool, Error> {
        self.change(|change| {
            let facts = remove(change, "facts", "id", id)?;
            Ok(facts > 0 || remove(change, "turns", "conversation_id", id)? > 0)
        })
    }

    fn forget_before(&self, before: Timestamp, stays: OnStays<'_>) -> Result<Aged, Error> {
        let aged = self.change(|change| {
            let mut aged = Aged::default();
            for (table, count) in [("facts", &mut aged.facts), ("turns", &mut aged.messages)] {
                let rows = older(change, table, before, &mut aged.undated, stays)?;
                *count = rows.len() as u64;
                if rows.is_empty() {
                    continue;
                }
                for n in rows {
                    for table in [&format!("{table}_words"), table] {
                        let column = if table.ends_with("_words") { "rowid" } else { "n" };
                        change
                            .prepare_cached(&format!("DELETE FROM {table} WHERE {column} = ?1"))?
                            .execute([n])?;
                    }
                }
                // Only when the pieces of the index become one do the words of removed records leave it.
                change
                    .execute(&format!("INSERT INTO {table}_words ({table}_words) VALUES ('optimize')"), [])?;
            }
            Ok(aged)
        })?;
        if !aged.is_none() {
            self.give_room_back()?;
        }
        Ok(aged)
    }

    fn clear(&self) -> Result<(), Error> {
        self.change(|change| {
            Ok(change.execute_batch(
                "DELETE FROM facts; DELETE FROM turns;
                 INSERT INTO facts_words (facts_words) VALUES ('delete-all');
                 INSERT INTO turns_words (turns_words) VALUES ('delete-all');",
            )?)
        })?;
        self.give_room_back()
    }

    fn import(&self, from: &mut dyn BufRead) -> Result<Imported, Error> {
        let mut known_here = std::collections::HashSet::new();
        let is_known = |record: &Record| match record {
            Record::Fact(fact) => {
                !known_here.insert(key(b'i', &fact.id)) | !known_here.insert(key(b'f', &fold(&fact.text)))
                    || self.knows("facts WHERE id = ?1 OR folded = ?2", params![fact.id, fold(&fact.text)])
            }
            Record::Turn(turn) => {
                !known_here.insert(identity(turn))
                    || self.knows("turns WHERE identity = ?1", [identity(turn).cast_signed()])
            }
        };
        import(from, is_known, |batch| {
            self.change(|change| {
                batch.into_iter().try_for_each(|record| match record {
                    Record::Fact(fact) => put_fact(change, &Fact { replaces: None, ..fact }),
                    Record::Turn(turn) => put_turn(change, &turn),
                })
            })
        })
    }
}

impl<F: Files> Sqlite<F> {
    /// What was in the file is overwritten; giving its room back may fail on a full disk and loses nothing.
    fn give_room_back(&self) -> Result<(), Error> {
        self.with(|connection| {
            let _ = connection.execute_batch("VACUUM");
            Ok(())
        })
    }

    /// Whether a row is there; what cannot be asked shows when the record is written.
    fn knows(&self, rows: &str, values: impl rusqlite::Params) -> bool {
        self.with(|connection| {
            let known = connection.prepare_cached(&format!("SELECT 1 FROM {rows}"))?.exists(values)?;
            Ok(known)
        })
        .unwrap_or(false)
    }
}

fn opened(files: &impl Files) -> Result<Connection, Error> {
    // Made here, so that nobody else can read it.
    drop(files.open_log(FILE).map_err(Error::io(FILE))?);
    // The folder may be reached over a link; the file itself may not be one.
    let folder = files.path().canonicalize().map_err(Error::io(FILE))?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(folder.join(FILE), flags)?)
}

#[cfg(test)]
mod tests;
