//! `cl-admin profile`

use std::fs::TryLockError;
use std::io::Read;
use std::path::PathBuf;

use api::Request;
use backup::data::{self, Errand, Hands};
use base::error::Error;
use base::home::Home;
use base::layout::HomeOwner;
use base::profiles::{self, Listed};
use documents::pin::{self, PinHash};
use documents::profile_file::{InvalidUser, Open, Profile, Talk, User};
use language::Language;
use nix::unistd::User as SystemUser;
use pipeline::profiles::Fault as ProfileFault;
use review::approvers;
use review::ask::Source;
use serde_json::json;
use service::session::submit;
use shared_types::audience::Audience;
use shared_types::grants::Grants;
use shared_types::id::ProfileId;
use shared_types::text;

use crate::commands::out::{self, outln};
use crate::commands::restore::agreed;

/// A profile whose data is in use.
#[derive(Debug, thiserror::Error)]
#[error("a chat of `{0}` is running: end it first")]
struct Running(ProfileId);

/// The people's profiles: each has its own memory, workspace, logs and proposals.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Add a profile
    ///
    /// Without --user and --pin only the owner of the home's data may open it, and root.
    Add(Add),
    /// List the profiles, for whom they are and who may open them
    List {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Remove a profile for good: memory, workspace, logs, proposals' files, and its configuration
    ///
    /// Of `default` the configuration stays, since every home has it. Backups that were made before still hold the data.
    Erase {
        /// The profile
        #[arg(value_name = "ID")]
        id: ProfileId,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Remove a profile's configuration; its memory, workspace and logs stay
    Remove {
        /// The profile
        #[arg(value_name = "ID")]
        id: ProfileId,
    },
}

/// What `add` takes.
#[derive(Debug, clap::Args)]
pub struct Add {
    /// Its name: lower-case letters, digits and `-`
    #[arg(value_name = "ID")]
    id: ProfileId,
    /// For whom it is: child, teen, adult or work; how strict the guard is, and the tone
    #[arg(long, value_name = "WORD")]
    audience: Audience,
    /// The language that is always spoken, as in `de`; without it, that of the person's lines
    #[arg(long, value_name = "CODE", value_parser = language)]
    language: Option<String>,
    /// A user of this system, by name or number, who opens it freely; may be given several times
    #[arg(long = "user", value_name = "NAME", value_parser = user)]
    users: Vec<User>,
    /// Ask for a PIN that lets anybody else in, twice
    #[arg(long)]
    pin: bool,
    /// The file (mode 0600) that holds the PIN; for scripts
    #[arg(long, value_name = "FILE", conflicts_with = "pin")]
    pin_file: Option<PathBuf>,
}

/// Adds, lists or removes.
///
/// # Errors
/// A name that is taken or missing, an invalid PIN, a failing disk.
pub fn run(named: &Home, existing: &dyn Fn() -> Result<Home, Error>, verb: &Verb) -> Result<u8, Error> {
    let hands = match verb {
        Verb::Erase { id, .. } => Hands::of(named, HomeOwner::of(named)?.as_ref(), Errand::Erase(id))?,
        _ => Hands::default(),
    };
    let home = existing()?;
    match verb {
        Verb::Add(args) => add(&home, args)?,
        Verb::List { json } => list(&home, *json)?,
        Verb::Erase { id, yes } => return erase(&home, &hands, id, *yes),
        Verb::Remove { id } => outln!("{}", submit(&home, Request::RemoveProfile { id: id.clone() })?),
    }
    Ok(shared_types::exit::DONE)
}

fn erase(home: &Home, hands: &Hands, id: &ProfileId, yes: bool) -> Result<u8, Error> {
    let found = data::survey(home, hands)?.into_iter().find(|found| found.id == *id);
    let files = found.map_or(0, |found| found.files);
    if files == 0 && !home.profile_file(id).exists() {
        return Err(Error::failed(ProfileFault::NoProfile(id.clone())));
    }
    if is_open(home, id) {
        return Err(Error::refused(Running(id.clone())));
    }
    outln!("`{id}` has {files} files of memory, workspace and logs. They are removed for good.");
    outln!("Backups that were made before still hold them: remove those too.");
    if !yes && !agreed("Erase the profile? [y/N] ")? {
        outln!("nothing was changed");
        return Ok(shared_types::exit::FAILED);
    }
    // Asked before anything is recorded: whether this user may remove the bot's files.
    hands.may_write(home)?;
    outln!("{}", submit(home, Request::EraseProfile { id: id.clone(), files })?);
    let removed = data::erase(home, hands, id)?;
    outln!("removed {removed} files of memory, workspace, logs and proposals");
    Ok(shared_types::exit::DONE)
}

/// Whether a chat of the profile runs: each holds a lock in its logs.
fn is_open(home: &Home, id: &ProfileId) -> bool {
    let Ok(lock) = home.chat_lock(id).file() else { return false };
    matches!(lock.into_file().try_lock(), Err(TryLockError::WouldBlock))
}

fn add(home: &Home, args: &Add) -> Result<(), Error> {
    if home.profile_file(&args.id).exists() {
        // Reported before a PIN is typed in vain; the holder of the journal checks again.
        let (id, file) = (args.id.clone(), home.profile_file(&args.id));
        return Err(Error::refused(ProfileFault::Exists { id, file }));
    }
    let pin = (args.pin || args.pin_file.is_some())
        .then(|| Source { file: args.pin_file.clone(), option: PIN_OPTION });
    outln!(
        "{}",
        make(home, &args.id, args.audience, args.language.clone(), args.users.clone(), pin.as_ref())?
    );
    if args.audience.is_minor() && approvers::read(home)?.all_have_passphrases().is_err() {
        eprintln!(
            "it does not start before the approver's key has a passphrase: `cl-admin approver passphrase`"
        );
    }
    Ok(())
}

/// How a script gives a PIN.
pub(super) const PIN_OPTION: &str = "--pin-file FILE";

/// Makes a profile, with the PIN that the source gives; answers in words.
///
/// # Errors
/// As [`run`].
pub(super) fn make(
    home: &Home,
    id: &ProfileId,
    audience: Audience,
    language: Option<String>,
    users: Vec<User>,
    pin: Option<&Source>,
) -> Result<String, Error> {
    let pin = match pin {
        Some(source) => {
            let pin = source.new_one("PIN", pin::check)?;
            Some(PinHash::make(&pin, &salt()?).map_err(Error::usage)?)
        }
        None => None,
    };
    let profile = Profile {
        audience,
        language,
        persona: None,
        open: Open { users, pin },
        grants: Grants::of_new_profile(),
        ..Profile::default()
    };
    let text = documents::yaml::to_string(&profile)?;
    submit(home, Request::AddProfile { id: id.clone(), text })
}

fn list(home: &Home, json: bool) -> Result<(), Error> {
    let listed = profiles::list(home)?;
    let folders = profiles::further_folders(home).unwrap_or_default();
    let further = |id: &ProfileId, audience| {
        let own = folders.iter().filter(|folder| folder.is_for(id));
        own.map(|folder| (folder.path.clone(), folder.access(audience))).collect::<Vec<_>>()
    };
    if !json {
        outln!("{:16}  {:8}  {:8}  OPEN TO", "ID", "AUDIENCE", "LANGUAGE");
    }
    for Listed { id, settings } in listed {
        match settings {
            Ok(profile) if json => {
                let users: Vec<String> = profile.open.users.iter().map(User::to_string).collect();
                let row = json!({
                    "id": id,
                    "audience": profile.audience,
                    "language": profile.language,
                    "users": users,
                    "pin": profile.open.pin.is_some(),
                    "keep": profile.memory.keep,
                    "talk": talk(home, &id, &profile.talk),
                    "folders": further(&id, profile.audience).iter().map(|(path, access)| json!({"path": path, "access": access})).collect::<Vec<_>>(),
                });
                out::json(&row);
            }
            Ok(profile) => {
                let language = profile.language.as_deref().unwrap_or("-");
                outln!(
                    "{:16}  {:8}  {language:8}  {}",
                    id.as_str(),
                    profile.audience,
                    open_to(&profile.open)
                );
                if !profile.memory.keep.is_forever() {
                    outln!("{:16}  memory kept for {}", "", profile.memory.keep);
                }
                for line in limits(home, &id, &profile.talk) {
                    outln!("{:16}  {line}", "");
                }
                for (path, access) in further(&id, profile.audience) {
                    outln!("{:16}  further folder {path}: {access}", "");
                }
            }
            Err(faults) => {
                let faults: Vec<String> = faults.iter().map(|f| text::line(&f.to_string())).collect();
                if json {
                    out::json(&json!({"id": id, "faults": faults}));
                } else {
                    outln!("{:16}  cannot be opened: {}", id.as_str(), faults.join("; "));
                }
            }
        }
    }
    Ok(())
}

/// The limits of a profile's talk and what is left of its day, for programs.
fn talk(home: &Home, id: &ProfileId, rules: &Talk) -> serde_json::Value {
    let mut row = json!(rules);
    if rules.counts() {
        match profiles::spent(home, id, rules).map(|spent| rules.left(&spent)) {
            Ok(left) => {
                row["minutes_left"] = json!(left.seconds.map(minutes));
                row["tokens_left"] = json!(left.tokens);
            }
            Err(broken) => row["fault"] = json!(text::line(&broken.to_string())),
        }
    }
    row
}

/// The same for people.
fn limits(home: &Home, id: &ProfileId, rules: &Talk) -> Vec<String> {
    let mut lines = vec![];
    if rules.counts() {
        match profiles::spent(home, id, rules).map(|spent| rules.left(&spent)) {
            Ok(left) => {
                if let (Some(left), Some(all)) = (left.seconds, rules.minutes_a_day) {
                    lines.push(format!("left today: {} of {all} minutes of talk", minutes(left)));
                }
                if let (Some(left), Some(all)) = (left.tokens, rules.tokens_a_day) {
                    lines.push(format!("left today: {left} of {all} tokens"));
                }
            }
            Err(broken) => lines.push(text::line(&broken.to_string())),
        }
    }
    if !rules.quiet_hours.is_empty() {
        let times: Vec<String> = rules.quiet_hours.iter().map(ToString::to_string).collect();
        lines.push(format!("quiet hours: {}", times.join(", ")));
    }
    lines
}

fn minutes(seconds: i64) -> u64 {
    seconds.cast_unsigned().div_ceil(60)
}

fn open_to(open: &Open) -> String {
    let mut words: Vec<String> = open.users.iter().map(User::to_string).collect();
    words.extend(open.pin.as_ref().map(|_| "everyone who knows the PIN".to_owned()));
    if words.is_empty() { "the owner of its data".to_owned() } else { text::cut(&words.join(", "), 120) }
}

fn salt() -> Result<[u8; 16], Error> {
    let path = "/dev/urandom";
    let mut salt = [0; 16];
    let read = std::fs::File::open(path).and_then(|mut source| source.read_exact(&mut salt));
    read.map_err(Error::io(path.as_ref())).map(|()| salt)
}

#[derive(Debug, thiserror::Error)]
#[error(
    "there is no language file for it; there is: {}",
    Language::all().map(Language::code).collect::<Vec<_>>().join(" ")
)]
struct UnknownLanguage;

fn language(code: &str) -> Result<String, UnknownLanguage> {
    Language::of_code(code).map(|_| code.to_owned()).ok_or(UnknownLanguage)
}

/// Why a word of `--user` names nobody.
#[derive(Debug, thiserror::Error)]
enum NoUser {
    #[error(transparent)]
    Invalid(#[from] InvalidUser),
    #[error("this system has no user of that name; a user who comes later can be given by number")]
    Unknown,
}

/// A user of this system; a name that nobody has is a slip, since it would let nobody in.
fn user(text: &str) -> Result<User, NoUser> {
    let user: User = text.parse()?;
    match &user {
        User::Name(name) if !matches!(SystemUser::from_name(name), Ok(Some(_))) => Err(NoUser::Unknown),
        _ => Ok(user),
    }
}
