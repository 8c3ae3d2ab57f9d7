//! The child's side: confined to `data/`, as the bot's user, it reads, writes or removes files by handles.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::ExitCode;

use beneath::{Folder, Kind, NotOpened};
use confine::{Access, Confinement, Handle, Jail, Limits, Report, Role, User, become_for_good};
use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};
use owners::quote;
use shared_types::id::ProfileId;

use super::gather::{Sink, leave_out, walk};
use super::orders::GO_UNCONFINED;
use super::{Found, Job, Orders, REPORT, WRITTEN};
use crate::index::Left;
use crate::name::{Keys, Name, Part};
use crate::reader::stream;
use crate::{MOST_FILE, MOST_FILES};

/// The folders of a profile's data.
const FOLDERS: [&str; 3] = ["memory", "logs", "workspace"];
/// The longest list of profiles that is read, in bytes.
const MOST_TOLD: u64 = 1 << 20;

/// Does what it is ordered to.
pub fn serve(orders: &[u8], report: Report) -> ExitCode {
    // Errors go to standard error; standard output carries the answer that the parent reads.
    drop(report);
    match confined(orders) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

type Done = Result<(), Box<dyn std::error::Error>>;

fn confined(orders: &[u8]) -> Done {
    let Orders { data, user, waits, job } = serde_json::from_slice(orders)?;
    let mut user = user.map(|(uid, gid)| User::find(&uid.to_string(), Some(&gid.to_string()))).transpose()?;
    let own = user.as_ref().map_or(geteuid().as_raw(), User::uid);
    if waits && let Some(user) = user.take() {
        // Before any path is opened: what follows is done with the rights of that user alone.
        become_for_good(&user, &[])?;
    }
    let mut word = [0];
    if io::stdin().lock().read(&mut word)? == 0 {
        return Ok(());
    }
    // The service's user could lead the rights of the bot's user elsewhere.
    let data = Folder::open_by(&data, &[0, own]).map_err(|why| match why {
        NotOpened::StrangersLink { maker } => Idle::StrangersLink { data, maker },
        why => Idle::NotOpened { data, why },
    })?;
    let access = if job.writes() { Access::Write } else { Access::Read };
    let rule = Handle { handle: data.as_fd(), at: data.path().to_owned(), access };
    let limits = Limits { address_space: Some(1 << 30), open_files: Some(1024), ..Limits::default() };
    let jail = Jail { handles: vec![rule], limits, user, processes: true, ..Jail::new(Role::Mind) };
    sufficient(&jail.enter()?, word[0])?;
    match job {
        Job::Gather { logins } => gather(&data, logins),
        Job::Survey => answer(&survey(&data)?),
        Job::Folders => answer(&make_folders(&data)?),
        Job::Put => put(&data, waits),
        Job::Erase { profile } => answer(&erase(&data, &profile)?),
    }
}

/// Why the child does nothing.
#[derive(Debug, thiserror::Error)]
enum Idle {
    #[error(
        "{} leads over a link of user {maker}: remove the link, and name the folder itself by TAMECLAW_DATA_DIR",
        quote::shown(.data)
    )]
    StrangersLink { data: PathBuf, maker: u32 },
    #[error("{} {why}", quote::shown(.data))]
    NotOpened { data: PathBuf, why: NotOpened },
    #[error("{0}; `cl-admin doctor` names what helps")]
    NoWalls(String),
}

/// Whether the walls that stand are enough; those that are missing are named where the configuration lets the bot do without.
fn sufficient(held: &Confinement, word: u8) -> Result<(), Idle> {
    let lacks = held.lacks().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    match word {
        _ if lacks.is_empty() => Ok(()),
        GO_UNCONFINED => {
            eprintln!("the child works as `security.minimum_isolation: degraded` allows: {lacks}");
            Ok(())
        }
        _ => Err(Idle::NoWalls(lacks)),
    }
}

fn answer(value: &impl serde::Serialize) -> Done {
    Ok(io::stdout().lock().write_all(&serde_json::to_vec(value)?)?)
}

/// The files as a stream, and at its end what was left out.
struct Stream {
    tar: tar::Builder<io::Stdout>,
    left: Left,
}

/// A reader that knows how much it gave.
struct Counted<'a> {
    inner: &'a mut dyn Read,
    read: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}

impl Sink for Stream {
    fn file(&mut self, name: &str, size: u64, mode: u32, content: &mut dyn Read) -> io::Result<()> {
        // The container must get what was promised.
        let mut counted = Counted { inner: content, read: 0 };
        let mut padded = (&mut counted).chain(io::repeat(0)).take(size);
        crate::writer::entry(&mut self.tar, name, size, mode, &mut padded)?;
        if counted.read < size {
            self.skip(name, "it became shorter while it was read");
        }
        Ok(())
    }

    fn skip(&mut self, name: &str, why: &str) {
        self.left.skip(name, why);
    }

    fn unread(&mut self, name: &str, why: &str) {
        self.left.unread(name, why);
    }
}

fn gather(data: &Folder, logins: bool) -> Done {
    let mut stream = Stream { tar: tar::Builder::new(io::stdout()), left: Left::default() };
    let wanted = |name: &str| is_wanted(name, logins);
    for top in ["profiles", "proposals", "net", "credentials"] {
        if top == "credentials" && !logins {
            continue;
        }
        match data.folder(top) {
            Ok(folder) => walk(&folder, &format!("data/{top}"), &wanted, &mut stream)?,
            Err(why) => leave_out(&mut stream, &format!("data/{top}"), why),
        }
    }
    let report = serde_json::to_vec(&stream.left)?;
    crate::writer::entry(&mut stream.tar, REPORT, report.len() as u64, 0o600, report.as_slice())?;
    stream.tar.finish()?;
    Ok(())
}

/// Whether a name below `data/` is taken along: no lock, no index of the memory, which is made anew, and not how far a homeserver was read.
fn is_wanted(name: &str, logins: bool) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        ["data", "profiles", _, "memory", "lock" | "index"]
        | ["data", "profiles", _, "matrix.json" | "telegram.json"] => false,
        ["data", "profiles", _, "logs", file] => !file.ends_with(".lock"),
        ["data", "profiles" | "proposals", _, ..] => true,
        ["data", "net", file] => file.contains('.') && !file.ends_with(".lock"),
        ["data", "credentials", file] => logins && !file.ends_with(".lock"),
        _ => false,
    }
}

fn survey(data: &Folder) -> Result<Vec<Found>, NotOpened> {
    let profiles = match data.folder("profiles") {
        Err(NotOpened::Gone) => return Ok(vec![]),
        other => other?,
    };
    let names = profiles.names()?.map_while(Result::ok).filter_map(|name| name.into_string().ok());
    let mut found = vec![];
    for id in names.filter_map(|name| name.parse::<ProfileId>().ok()).take(1000) {
        let Ok(folder) = profiles.folder(id.as_str()) else { continue };
        let mut count = Count(0);
        let wanted = |name: &str| is_wanted(name, false);
        // What cannot be read is there all the same, and a restore must not replace it.
        if walk(&folder, &format!("data/profiles/{id}"), &wanted, &mut count).is_err() {
            count.0 += 1;
        }
        let seen =
            |name: &str| folder.folder("memory").and_then(|m| m.file(name)).and_then(|f| f.text(256)).ok();
        let serial = seen("manifest_serial").and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        found.push(Found { files: count.0, serial, approvers: seen("approvers_seen"), id });
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(found)
}

struct Count(u64);

impl Sink for Count {
    fn file(&mut self, _: &str, _: u64, _: u32, _: &mut dyn Read) -> io::Result<()> {
        self.0 += 1;
        Ok(())
    }

    fn skip(&mut self, _: &str, _: &str) {
        self.0 += 1;
    }

    fn unread(&mut self, _: &str, _: &str) {
        self.0 += 1;
    }
}

/// Makes the folders of the profiles that come in. Their group and its bit come from the folder above, as their owner is this
/// process' user.
fn make_folders(data: &Folder) -> Result<(), Box<dyn std::error::Error>> {
    let mut told = Vec::new();
    io::stdin().lock().take(MOST_TOLD).read_to_end(&mut told)?;
    data.make("credentials", 0o700)?;
    data.make("net", 0o750)?;
    for id in serde_json::from_slice::<Vec<ProfileId>>(&told)? {
        data.folder("proposals")?.make(id.as_str(), 0o750)?;
        let profile = data.folder("profiles")?.make(id.as_str(), 0o750)?;
        for below in FOLDERS {
            profile.make(below, 0o750)?;
        }
    }
    Ok(())
}

/// The mode of a file: what the service reads by the group is open to it, and a memory is not.
fn shared_mode(below: &str, mode: u32) -> u32 {
    match below.split('/').collect::<Vec<_>>().as_slice() {
        ["profiles", _, "memory", ..] | ["credentials", ..] => mode & 0o700 | 0o600,
        _ => mode & 0o750 | 0o640,
    }
}

/// Writes what comes in. Every file is on the disk before this answers.
fn put(data: &Folder, is_shared: bool) -> Done {
    let mut count = 0;
    stream(io::stdin().lock(), |name, size, mode, content| -> Result<(), Box<dyn std::error::Error>> {
        let name = Name::parse(name)?;
        count += 1;
        if count > MOST_FILES || size > MOST_FILE {
            return Err("more than a backup may hold".into());
        }
        let below = match name.part() {
            Part::Profile(_) | Part::Net | Part::Keys(Keys::Logins) => name.below_data(),
            _ => None,
        };
        let below = below.ok_or_else(|| format!("`{name}` does not belong to the bot"))?;
        let mode = match name.part() {
            Part::Keys(Keys::Logins) => 0o600,
            _ if is_shared => shared_mode(below, mode),
            _ => mode & 0o750 | 0o600,
        };
        Ok(write(data, below, if is_shared { 0o750 } else { 0o700 }, mode, content)?)
    })?;
    Ok(io::stdout().lock().write_all(WRITTEN.as_bytes())?)
}

fn write(data: &Folder, below: &str, folder_mode: u32, mode: u32, content: &mut dyn Read) -> io::Result<()> {
    let (folders, file) = below.rsplit_once('/').unwrap_or(("", below));
    let mut folder: Option<Folder> = None;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        folder = Some(folder.as_ref().unwrap_or(data).make(part, folder_mode)?);
    }
    let folder = folder.as_ref().unwrap_or(data);
    match unlinkat(folder, file, UnlinkatFlags::NoRemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => {}
        Err(errno) => return Err(errno.into()),
    }
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let mut made = File::from(openat(folder, file, flags, Mode::from_bits_truncate(mode))?);
    io::copy(content, &mut made)?;
    made.sync_all()
}

/// Removes the profile's files and folders, and what belongs to it beside them.
fn erase(data: &Folder, profile: &ProfileId) -> io::Result<u64> {
    let mut removed = 0;
    // The profile's own folder is last: as long as it is there, an erasure that was cut off can be repeated.
    if let Ok(net) = data.folder("net") {
        for part in 0..2 {
            match unlinkat(&net, format!("{profile}.{part}.jsonl").as_str(), UnlinkatFlags::NoRemoveDir) {
                Ok(()) => removed += 1,
                Err(Errno::ENOENT) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }
    for top in ["proposals", "profiles"] {
        let Ok(above) = data.folder(top) else { continue };
        match above.folder(profile.as_str()) {
            Ok(folder) => clear(&folder, 0, &mut removed)?,
            Err(NotOpened::Gone) => continue,
            Err(why) => return Err(why.into()),
        }
        // The folder above may be the service's; the empty folder stays then.
        let _ = unlinkat(&above, profile.as_str(), UnlinkatFlags::RemoveDir);
    }
    Ok(removed)
}

/// Removes everything in a folder; no link is followed.
fn clear(folder: &Folder, depth: usize, removed: &mut u64) -> io::Result<()> {
    if depth > 200 {
        return Err(io::Error::other("a folder is more than 200 deep"));
    }
    let names: Vec<_> = folder.names()?.collect::<Result<_, _>>()?;
    for name in names {
        if folder.facts_of(&name).is_ok_and(|facts| facts.kind == Kind::Folder) {
            clear(&folder.folder(&name)?, depth + 1, removed)?;
            unlinkat(folder, name.as_os_str(), UnlinkatFlags::RemoveDir)?;
        } else {
            unlinkat(folder, name.as_os_str(), UnlinkatFlags::NoRemoveDir)?;
            *removed += 1;
        }
    }
    let handle: OwnedFd = folder.as_fd().try_clone_to_owned()?;
    File::from(handle).sync_all()
}

#[cfg(test)]
mod tests;
