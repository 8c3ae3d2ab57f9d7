//! Makes a backup while everything runs.
//!
//! The order makes it consistent: signed heads first, so that each chain goes at least as far as its head; then the journal up to
//! its last whole record; then all that the journal names, which was on the disk before the journal named it; the bot's files
//! last. A skill that was removed meanwhile is noticed by the manifest's serial, and the backup is begun again.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Write};
use std::time::Duration;

use base::backups::{Last, Outcomes};
use base::clock::now;
use base::error::Error;
use base::home::Home;
use base::keys;
use base::version;
use beneath::{Folder, NotOpened};
use documents::{home_file, yaml};
use durable::Draft;
use ledger::Ledger;
use serde_json::Value;
use shared_types::id::Digest;
use shared_types::text;

use crate::TRIES;
use crate::data::gather::{Sink, leave_out, walk};
use crate::data::{self, Hands};
use crate::index::{FORMAT, Header, Index, Skipped};
use crate::name::{Name, Part};
use crate::place::Target;
use crate::seal::{Output, Seal};
use crate::writer::Writer;

/// The largest signed head, in bytes.
const MOST_HEAD: u64 = 64 * 1024;

/// Why no backup is made.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("keys are backed up encrypted only: leave --plain or --with-keys out")]
    PlainKeys,
    #[error("skills were installed or removed all the while; nothing was written: run it again")]
    SkillsChange,
    #[error("the journal grows all the while; nothing was written: run it again")]
    JournalGrows,
}

/// What is wanted.
#[derive(Default)]
pub struct Plan {
    /// How it is encrypted.
    pub seal: Seal,
    /// Whether keys, secrets, logins and PINs go along; only encrypted.
    pub with_keys: bool,
}

/// A backup that was made.
#[derive(Debug)]
pub struct Made {
    /// What is in it.
    pub index: Index,
    /// SHA-256 of its index.
    pub digest: Digest,
    /// How many bytes its file has.
    pub bytes: u64,
    /// What keeps it from being whole; the index names it as left out.
    lacks: Option<Skipped>,
}

impl Made {
    /// Why the backup is not whole: a file that could not be read, one of a memory that is left out, or more left out than are
    /// named. No older backup is to be removed for it.
    pub fn lacks(&self) -> Option<String> {
        let Skipped { name, why } = self.lacks.as_ref()?;
        Some(format!("{} is not in the backup: {}", text::line(name), text::line(why)))
    }
}

/// Makes a backup. The file has its name only when all of it is on the disk; until then an older one stands.
///
/// # Errors
/// A home that is not whole, keys in a plain backup, or a failing disk.
pub fn make(home: &Home, hands: &Hands, target: &mut Target, plan: &Plan) -> Result<Made, Error> {
    version::check(home)?;
    if plan.with_keys && !plan.seal.is_encrypted() {
        return Err(Error::usage(Fault::PlainKeys));
    }
    let made = tried(home, hands, target, plan);
    match &made {
        Ok(made) => note(home, target, made)?,
        // The end of the service does not count as a failed backup.
        Err(_) if target.is_ended() => {}
        Err(error) => {
            // Where even this cannot be written, the error itself says more.
            let _ = Outcomes::note_failure(home, &error.to_string(), None);
        }
    }
    made
}

fn note(home: &Home, target: &Target, made: &Made) -> Result<(), Error> {
    if let Some(why) = made.lacks() {
        return Outcomes::note_failure(home, &why, Some(target.path()));
    }
    let at = made.index.header.made_at.clone();
    let last = Last { at, file: target.path().to_owned(), bytes: made.bytes, index: made.digest.clone() };
    Outcomes::note(home, last)
}

fn tried(home: &Home, hands: &Hands, target: &mut Target, plan: &Plan) -> Result<Made, Error> {
    for _ in 0..TRIES {
        target.again()?;
        let Some((index, digest, lacks)) = fill(home, hands, plan, target)? else { continue };
        target.place()?;
        return Ok(Made { index, digest, bytes: target.bytes(), lacks });
    }
    Err(Error::failed(Fault::SkillsChange))
}

/// Writes the whole container; nothing where the manifest changed meanwhile.
fn fill(
    home: &Home,
    hands: &Hands,
    plan: &Plan,
    output: &mut Target,
) -> Result<Option<(Index, Digest, Option<Skipped>)>, Error> {
    let target = &output.path().to_owned();
    let failed = || Error::io(target);
    let heads = heads(home)?;
    let (ledger, journal, length) = journal(home)?;
    let header = header(home, &ledger, plan.with_keys)?;
    let sealed = Output::begin(output, &plan.seal).map_err(failed())?;
    let mut writer = Writer::begin(sealed, header).map_err(failed())?;
    for (name, bytes) in heads.found {
        writer.add(name, bytes.len() as u64, 0o600, bytes.as_slice()).map_err(failed())?;
    }
    heads.unread.iter().for_each(|(name, why)| writer.left.unread(name, why));
    let name = checked("admin/journal/journal.jsonl")?;
    writer.add(name, length, 0o600, journal.take(length)).map_err(failed())?;
    let mut own = Own { writer: &mut writer, with_keys: plan.with_keys };
    let keys: &[_] = if plan.with_keys { &["secrets", "certificates"] } else { &[] };
    for top in ["admin", "config", "skills", "status"].iter().chain(keys).copied() {
        match Folder::open(&home.root().join(top)) {
            Ok(folder) => {
                walk(&folder, top, &|name| is_wanted(name, plan.with_keys), &mut own).map_err(failed())?
            }
            Err(why) => leave_out(&mut own, top, why),
        }
    }
    data::gather(home, hands, plan.with_keys, &mut writer, target)?;
    let now = Ledger::read(home)?;
    if now.serial() != ledger.serial() {
        return Ok(None);
    }
    for learned in now.active().values() {
        let name = format!("skills/{}/{}/skill.wasm", learned.name, learned.version);
        let there =
            writer.index().files.iter().any(|f| f.name.as_str() == name && f.sha256 == learned.module_sha256);
        if !there {
            writer.left.skip(&name, "the module is missing or differs from the signed manifest");
        }
    }
    let lacks = writer.left.lacks.clone();
    let key = keys::open(&keys::manifest_key(home))?;
    let (index, digest, sealed) =
        writer.end(|bytes| key.sign(bytes).map_err(Failed::from)).map_err(|e| match e {
            Failed::Io(source) => Error::io(target)(source),
            Failed::Key(error) => error,
        })?;
    sealed.end().map_err(failed())?.flush().map_err(failed())?;
    Ok(Some((index, digest, lacks)))
}

enum Failed {
    Io(io::Error),
    Key(Error),
}

impl From<io::Error> for Failed {
    fn from(source: io::Error) -> Failed {
        Failed::Io(source)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Key(error)
    }
}

fn checked(name: &str) -> Result<Name, Error> {
    Name::parse(name).map_err(Error::failed)
}

/// The signed heads: those that could be read, and those that could not.
#[derive(Default)]
struct Heads {
    found: Vec<(Name, Vec<u8>)>,
    unread: Vec<(String, String)>,
}

/// The admin's own signed heads, each of a profile's chain as its published copy too, so that the two agree.
fn heads(home: &Home) -> Result<Heads, Error> {
    let refused = |why| Error::NotOpened { path: home.own_heads(), why };
    let mut heads = Heads::default();
    let folder = match Folder::open(&home.own_heads()) {
        Err(NotOpened::Gone) => return Ok(heads),
        other => other.map_err(refused)?,
    };
    let listed: Result<Vec<_>, _> = folder.names().map_err(refused)?.collect();
    let listed = listed.map_err(refused)?;
    let mut names: Vec<String> = listed.into_iter().filter_map(|name| name.into_string().ok()).collect();
    // The journal's first of all.
    names.sort_by_key(|name| (name != "journal", name.clone()));
    for name in names.into_iter().filter(|name| Draft::writer_of(name).is_none()) {
        let bytes = match folder.file(&name).and_then(|opened| opened.read(MOST_HEAD)) {
            Ok(bytes) => bytes,
            Err(NotOpened::Gone) => continue,
            Err(why) => {
                heads.unread.push((format!("admin/heads/{name}"), why.to_string()));
                continue;
            }
        };
        if name.contains('.') {
            heads.found.push((checked(&format!("config/heads/{name}"))?, bytes.clone()));
        }
        heads.found.push((checked(&format!("admin/heads/{name}"))?, bytes));
    }
    Ok(heads)
}

/// The journal up to a whole record, and the state that follows from exactly that.
fn journal(home: &Home) -> Result<(Ledger, File, u64), Error> {
    let path = home.journal();
    for _ in 0..100 {
        let file = File::open(&path).map_err(Error::io(&path))?;
        let before = file.metadata().map_err(Error::io(&path))?.len();
        let ledger = Ledger::read(home)?;
        if file.metadata().map_err(Error::io(&path))?.len() == before {
            return Ok((ledger, file, before));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(Error::failed(Fault::JournalGrows))
}

fn header(home: &Home, ledger: &Ledger, with_keys: bool) -> Result<Header, Error> {
    let trust = fs::read_to_string(home.trust()).map_err(Error::io(&home.trust()))?;
    let approvers =
        ledger.people().approvers().map(|all| all.listed().iter().map(|a| a.id.to_string()).collect());
    let skills =
        ledger.active().values().map(|learned| format!("{} version {}", learned.name, learned.version));
    let plugins = ledger.plugins().keys().map(|name| format!("plugin {name}"));
    Ok(Header {
        format: FORMAT,
        home: home_file::VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: now(),
        with_keys,
        trust: trust.trim().to_owned(),
        serial: ledger.serial(),
        active: skills.chain(plugins).collect(),
        approvers: approvers.unwrap_or_default(),
    })
}

/// Whether a file of the service is walked to: heads and journal were taken before, and keys only where they are wanted.
fn is_wanted(name: &str, with_keys: bool) -> bool {
    match name {
        "admin/heads" | "admin/journal" | "config/heads" => false,
        "admin/keys" => with_keys,
        _ => true,
    }
}

/// The service's own files go straight into the container.
struct Own<'a, W: Write> {
    writer: &'a mut Writer<W>,
    with_keys: bool,
}

impl<W: Write> Sink for Own<'_, W> {
    fn file(&mut self, name: &str, size: u64, mode: u32, content: &mut dyn Read) -> io::Result<()> {
        // What has no place in a backup is made anew by the service.
        let Ok(name) = Name::parse(name) else { return Ok(()) };
        if matches!(name.part(), Part::ProfileFile(_)) && name.as_str().ends_with(".yaml") && !self.with_keys
        {
            let mut text = String::new();
            content.read_to_string(&mut text)?;
            return match without_pin(&text) {
                Some(text) => self.writer.add(name, text.len() as u64, mode, Cursor::new(text)),
                None => {
                    self.writer
                        .left
                        .skip(name.as_str(), "it cannot be read, so that a PIN in it cannot be left out");
                    Ok(())
                }
            };
        }
        self.writer.add(name, size, mode, content)
    }

    fn skip(&mut self, name: &str, why: &str) {
        self.writer.left.skip(name, why);
    }

    fn unread(&mut self, name: &str, why: &str) {
        self.writer.left.unread(name, why);
    }
}

/// A profile's file without its PIN: the text as it is if it has no PIN.
fn without_pin(text: &str) -> Option<String> {
    let mut value: Value = yaml::from_own(text).ok()?;
    let Some(open) = value.get_mut("open").and_then(Value::as_object_mut) else {
        return Some(text.to_owned());
    };
    if open.remove("pin").is_none() {
        return Some(text.to_owned());
    }
    yaml::to_string(&value).ok()
}

#[cfg(test)]
mod tests;
