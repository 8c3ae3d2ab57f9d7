//! Who may open a profile: decided by the configuration from the user who started this program, or by a PIN; never by a
//! profile's name alone. All of it happens before confinement.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

use bot_base::error::{Error, say};
use confine::terminal;
use documents::pin::PinHash;
use documents::profile_file::{Caller, Entry, Profile};
use language::Language;
use nix::unistd::{User, getuid};
use shared_types::home::Home;
use shared_types::id::ProfileId;
use shared_types::secret::Secret;
use tries::{Tried, Tries};

use super::Options;
use super::folders::Folders;

pub mod tries;

/// How often a person is asked before the program ends.
const QUESTIONS: u32 = 3;
/// The pause after a wrong PIN, on top of the wait that grows with every one.
const PAUSE: Duration = Duration::from_secs(1);
/// The largest PIN file that is read, in bytes.
const MOST: u64 = 1024;

/// Lets the caller into a profile and opens its folders, for the user that this program becomes.
///
/// # Errors
/// Somebody else's profile, a wrong PIN or none, or folders that cannot be opened.
pub fn open(
    home: &Home,
    options: &Options,
    settings: &Profile,
    becomes: Option<&confine::User>,
) -> Result<Folders, Error> {
    let id = &options.profile;
    match (judge(home, id, settings), &settings.open.pin) {
        (Entry::Free, _) => Folders::open(home, id, becomes),
        (Entry::ByPin, Some(hash)) => {
            let folders = Folders::open(home, id, becomes)?;
            let tries = Tries::of(&folders.logs, id)?;
            match &options.pin_file {
                Some(path) => by_file(&tries, path, hash)?,
                None => by_question(&tries, settings, id, hash)?,
            }
            Ok(folders)
        }
        (Entry::ByPin | Entry::Refused, _) => Err(Error::NotYours { id: id.clone(), user: who() }),
    }
}

/// Judges the user who started this program.
pub fn judge(home: &Home, id: &ProfileId, settings: &Profile) -> Entry {
    let uid = getuid();
    // Looking a name up may read a lot, so it is done only where the answer hangs on it.
    let name = if settings.open.users.is_empty() { None } else { name_of(uid) };
    let owner = |path: &Path| std::fs::metadata(path).map(|data| data.uid()).ok();
    let owners: Vec<u32> = [owner(home.data()), owner(&home.profile(id))].into_iter().flatten().collect();
    settings.open.judge(&Caller { uid: uid.as_raw(), name }, &owners)
}

fn by_file(tries: &Tries, path: &Path, hash: &PinHash) -> Result<(), Error> {
    let pin = read_pin(path)?;
    match tries.try_once(|| hash.is_of(&pin))? {
        Tried::Right => Ok(()),
        Tried::Wrong => {
            std::thread::sleep(PAUSE);
            Err(Error::WrongPin(tries.profile().clone()))
        }
    }
}

fn by_question(tries: &Tries, settings: &Profile, id: &ProfileId, hash: &PinHash) -> Result<(), Error> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::NoPin(id.clone()));
    }
    let no_pin = |_| Error::NoPin(id.clone());
    let says = settings.language.as_deref().and_then(Language::of_code).unwrap_or(Language::DEFAULT).says();
    let question = language::fill(says.pin, &[("profile", id.as_str())]);
    let mut dialogue = terminal::Unseen::begin().map_err(no_pin)?;
    for left in (0..QUESTIONS).rev() {
        // Told before a PIN is typed in vain.
        tries.check()?;
        let pin = Secret::new(dialogue.ask(&question).map_err(no_pin)?);
        match tries.try_once(|| hash.is_of(&pin))? {
            Tried::Right => return Ok(()),
            Tried::Wrong => std::thread::sleep(PAUSE),
        }
        if left > 0 {
            say(says.pin_wrong);
        }
    }
    Err(Error::WrongPin(id.clone()))
}

/// Reads the PIN of a script; one line's end at its end does not count.
fn read_pin(path: &Path) -> Result<Secret, Error> {
    #[expect(clippy::disallowed_methods, reason = "a file that the command line names, before confinement")]
    let file = File::open(path).map_err(Error::io(path))?;
    let facts = file.metadata().map_err(Error::io(path))?;
    let mode = facts.permissions().mode() & 0o777;
    if facts.is_file() && mode & 0o077 != 0 {
        return Err(Error::OpenSecret { path: path.to_owned(), mode });
    }
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text).map_err(Error::io(path))?;
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(Secret::new(text))
}

fn who() -> String {
    let uid = getuid();
    match name_of(uid) {
        Some(name) => format!("the user {name}"),
        None => format!("the user {uid}"),
    }
}

fn name_of(uid: nix::unistd::Uid) -> Option<String> {
    User::from_uid(uid).ok().flatten().map(|user| user.name)
}
