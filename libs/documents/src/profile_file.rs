//! A profile's configuration, `config/profiles/<id>.yaml`: for whom it is, how it speaks, who may open it, and how programs
//! reach it.

use std::fmt::Display;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use serde::{Serialize, Serializer};
use serde_json::Value;
use settings::profile::PROFILE;

use crate::pin::PinHash;
use shared_types::audience::Audience;
use shared_types::grants::Grants;
use shared_types::id::{Digest, DoorTokenName, HostName};
use shared_types::memory::{InvalidKeep, Keep};
use shared_types::proposal::Fault;
use shared_types::risk::Autonomy;
use shared_types::settings::Section;
use shared_types::text::cut;

pub use matrix::Matrix;
pub use talk::Talk;
pub use telegram::Telegram;
pub use voice::Voice;

pub mod matrix;
pub mod server;
pub mod talk;
pub mod telegram;
pub mod voice;

/// A profile's own settings; the admin writes them, the bot only reads them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// For whom it is.
    pub audience: Audience,
    /// The language that is spoken; without it, that of the person's lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How the assistant presents itself, in a sentence or two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// Who may open it.
    #[serde(skip_serializing_if = "Open::is_unsaid")]
    pub open: Open,
    /// How much happens without asking; without it, as the configuration says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autonomy: Option<Autonomy>,
    /// What is kept of what it remembers.
    #[serde(skip_serializing_if = "Memory::is_unsaid")]
    pub memory: Memory,
    /// How much its person may talk.
    #[serde(skip_serializing_if = "Talk::is_unsaid")]
    pub talk: Talk,
    /// What leaves it of its reminders.
    #[serde(skip_serializing_if = "Reminders::is_unsaid")]
    pub reminders: Reminders,
    /// How programs and browsers reach it.
    #[serde(skip_serializing_if = "Door::is_unsaid")]
    pub door: Door,
    /// How its person reaches it through Matrix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
    /// How its person reaches it through a Telegram bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telegram: Option<Telegram>,
    /// The services by which its person talks.
    #[serde(skip_serializing_if = "Voice::is_unsaid")]
    pub voice: Voice,
    /// The socket file of the service that has the pins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pins: Option<PathBuf>,
    /// What its tools may reach.
    #[serde(skip_serializing_if = "Grants::is_empty")]
    pub grants: Grants,
}

/// What is kept of what a profile remembers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// For how long.
    pub keep: Keep,
}

impl Memory {
    /// Whether nothing is said about it.
    pub fn is_unsaid(&self) -> bool {
        self.keep.is_forever()
    }
}

/// What leaves a profile of its reminders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Reminders {
    /// Whether the notifiers that are this person's own get the words of one that no chat told.
    pub text: bool,
}

impl Reminders {
    /// Whether nothing is said about them.
    pub fn is_unsaid(&self) -> bool {
        !self.text
    }
}

/// How programs and browsers reach the profile; `cl-bot serve` reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Door {
    /// The address; without one, a socket file of the profile's user alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,
    /// The names by which clients may call it besides the address itself, without ports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// The addresses of the proxies before it, which say from where a request came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proxies: Vec<IpAddr>,
    /// With which certificate it answers by TLS at its address; without one, it answers without TLS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls: Option<DoorTls>,
    /// Who may use it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<DoorToken>,
}

/// Where the certificate of a door and its key are; a relative path is taken from the home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoorTls {
    /// The certificate, and after it those that sign it, in PEM.
    pub certificate: PathBuf,
    /// The key, in PEM.
    pub key: PathBuf,
}

/// One client's token; only its digest is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoorToken {
    /// Its name: [`DoorTokenName`].
    pub name: String,
    /// The SHA-256 of its text.
    #[serde(rename = "sha256", serialize_with = "digest_text")]
    pub digest: [u8; 32],
    /// Whether what comes with it was typed by the profile's person.
    pub person: bool,
}

/// The most names of a door, and the most proxies before it.
const MOST_HOSTS: usize = 16;

/// Who may open a profile; an empty value leaves it to the owner of the profile's data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Open {
    /// The users of the operating system who open it freely.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<User>,
    /// What anybody else is asked for; without it nobody else gets in.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "hash_text")]
    pub pin: Option<PinHash>,
}

/// A user of the operating system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum User {
    /// By number.
    Uid(u32),
    /// By name.
    Name(String),
}

/// Who started the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The real user id.
    pub uid: u32,
    /// The name that the system gives it, if any.
    pub name: Option<String>,
}

/// Whether a caller may open a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Entry {
    /// Freely.
    Free,
    /// With the PIN.
    ByPin,
    /// Not at all.
    Refused,
}

/// A text that names no user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a user: a name such as anna, or a number such as 1000")]
pub struct InvalidUser(String);

impl Profile {
    /// Reads a profile's file; an absent key has its default. `languages` tells the codes that can be spoken, and is asked
    /// only where the file names one. `home` tells the home folder that `~` or `~NAME` stands for.
    ///
    /// # Errors
    /// Every fault in one pass, each with its key and what is allowed.
    pub fn parse<E: Display>(
        text: &str,
        languages: impl FnOnce() -> Vec<&'static str>,
        home: impl Fn(&str) -> Result<PathBuf, E>,
    ) -> Result<Profile, Vec<Fault>> {
        let mut top = crate::settings::section(PROFILE, text);
        let audience = top.word("audience").parse().unwrap_or_default();
        let language = top.text("language");
        if let Some(language) = &language {
            let spoken = languages();
            if !spoken.contains(&language.as_str()) {
                let why = format!("{:?} is not allowed; allowed: {}", cut(language, 40), spoken.join(" "));
                top.fault("language", why);
            }
        }
        let persona = top.text("persona");
        let mut below = top.section("open");
        let open = Open { users: users(&mut below), pin: pin(&mut below) };
        top.close(below);
        let autonomy = Autonomy::of(top.word("autonomy"));
        let mut below = top.section("memory");
        let memory = Memory { keep: keep(&mut below) };
        top.close(below);
        let mut below = top.section("talk");
        let talk = Talk::read(&mut below);
        top.close(below);
        let below = top.section("reminders");
        let reminders = Reminders { text: below.flag("text") };
        top.close(below);
        let mut below = top.section("door");
        let door = Door::read(&mut below);
        top.close(below);
        let mut below = top.section("matrix");
        let matrix = Matrix::read(&mut below);
        top.close(below);
        let mut below = top.section("telegram");
        let telegram = Telegram::read(&mut below);
        top.close(below);
        let mut below = top.section("voice");
        let voice = Voice::read(&mut below);
        top.close(below);
        let pins = voice::absolute(&mut top, "pins");
        let mut below = top.section("grants");
        let forbidden_paths = spelt_out(&mut below, "forbidden_paths", home);
        let grants = Grants::read(&mut below, &forbidden_paths);
        top.close(below);
        let faults = top.finish();
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Profile {
            audience,
            language,
            persona,
            open,
            autonomy,
            memory,
            talk,
            reminders,
            door,
            matrix,
            telegram,
            voice,
            pins,
            grants,
        })
    }
}

impl Door {
    pub const MOST_TOKENS: usize = settings::profile::MOST_TOKENS;

    /// Whether nothing is said about it.
    pub fn is_unsaid(&self) -> bool {
        *self == Door::default()
    }

    /// Whether other machines reach it, and it answers them without TLS.
    pub fn is_bare(&self) -> bool {
        self.tls.is_none() && self.listen.is_some_and(|address| !address.ip().to_canonical().is_loopback())
    }

    /// The host under which a browser finds this door and another one; it then sends the cookie of each to both. None where each
    /// has a name of its own, or is at an address of its own.
    pub fn shared_host(&self, other: &Door) -> Option<String> {
        let is_of_both = |name: &&String| other.hosts.iter().any(|known| known.eq_ignore_ascii_case(name));
        if let Some(name) = self.hosts.iter().find(is_of_both) {
            return Some(name.clone());
        }
        if !self.hosts.is_empty() && !other.hosts.is_empty() {
            return None;
        }
        let (one, two) = (self.listen?.ip().to_canonical(), other.listen?.ip().to_canonical());
        if one == two || two.is_unspecified() {
            return Some(one.to_string());
        }
        if one.is_unspecified() {
            return Some(two.to_string());
        }
        let is_localhost = |ip: IpAddr| ip == Ipv4Addr::LOCALHOST || ip == Ipv6Addr::LOCALHOST;
        (is_localhost(one) && is_localhost(two)).then(|| "localhost".to_owned())
    }

    fn read(section: &mut Section) -> Door {
        let mut tokens: Vec<DoorToken> = Vec::new();
        for mut entry in section.sections("tokens") {
            tokens.extend(DoorToken::read(&mut entry, &tokens));
            section.close(entry);
        }
        let mut below = section.section("tls");
        let tls = tls(&mut below);
        section.close(below);
        Door { listen: listen(section), hosts: hosts(section), proxies: proxies(section), tls, tokens }
    }
}

impl DoorToken {
    /// Reads an entry that comes after `others`.
    fn read(entry: &mut Section, others: &[DoorToken]) -> Option<DoorToken> {
        let (name, digest) = (token_name(entry, others), token_digest(entry, others));
        Some(DoorToken { name: name?, digest: digest?, person: entry.flag("person") })
    }
}

impl Open {
    /// Whether nothing is said about who may open the profile.
    pub fn is_unsaid(&self) -> bool {
        self.users.is_empty() && self.pin.is_none()
    }

    /// Judges a caller. Where nothing is said, root and `owners` (of the profile's data) get in; where something is said,
    /// only those who are listed get in freely, the owner and root not excepted.
    pub fn judge(&self, caller: &Caller, owners: &[u32]) -> Entry {
        if self.is_unsaid() {
            let owns = caller.uid == 0 || owners.contains(&caller.uid);
            return if owns { Entry::Free } else { Entry::Refused };
        }
        let is_caller = |user: &User| match user {
            User::Uid(uid) => *uid == caller.uid,
            User::Name(name) => caller.name.as_ref() == Some(name),
        };
        match (self.users.iter().any(is_caller), &self.pin) {
            (true, _) => Entry::Free,
            (false, Some(_)) => Entry::ByPin,
            (false, None) => Entry::Refused,
        }
    }
}

impl std::fmt::Display for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            User::Uid(uid) => uid.fmt(f),
            User::Name(name) => name.fmt(f),
        }
    }
}

impl std::str::FromStr for User {
    type Err = InvalidUser;

    fn from_str(text: &str) -> Result<User, InvalidUser> {
        let invalid = || InvalidUser(cut(text, 40));
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return text.parse().map(User::Uid).map_err(|_| invalid());
        }
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let fits = (1..=64).contains(&text.len()) && !text.starts_with(['-', '.']) && text.chars().all(part);
        if fits { Ok(User::Name(text.to_owned())) } else { Err(invalid()) }
    }
}

/// A list of paths with variables and `~/` replaced. A path with `~/` stays beside it: a command line may spell it so as well.
fn spelt_out<E: Display>(
    section: &mut Section,
    key: &str,
    home: impl Fn(&str) -> Result<PathBuf, E>,
) -> Vec<String> {
    let mut paths = Vec::new();
    for text in section.texts(key) {
        match crate::settings::path(&text, &home) {
            Ok(path) => {
                paths.extend(text.starts_with("~/").then_some(text));
                paths.push(path);
            }
            Err(fault) => section.fault(key, fault.to_string()),
        }
    }
    paths
}

fn users(section: &mut Section) -> Vec<User> {
    let listed = match section.value("users").clone() {
        Value::Null => return vec![],
        Value::Array(listed) => listed,
        _ => {
            section.fault("users", "must be a list of user names or numbers");
            return vec![];
        }
    };
    let mut users = Vec::new();
    for one in listed {
        let text = match one {
            Value::String(text) => text,
            other => other.to_string(),
        };
        match text.parse() {
            Ok(user) => users.push(user),
            Err(e) => section.fault("users", format!("{e}")),
        }
    }
    users
}

fn keep(section: &mut Section) -> Keep {
    let text = match section.value("keep").clone() {
        Value::Null => return Keep::Forever,
        Value::String(text) => text,
        other => other.to_string(),
    };
    text.parse().map_err(|e: InvalidKeep| section.fault("keep", e.to_string())).unwrap_or_default()
}

fn listen(section: &mut Section) -> Option<SocketAddr> {
    let text = section.text("listen")?;
    let address = text.parse().ok();
    if address.is_none() {
        let why = format!(
            "{:?} is not an address; allowed: IP:PORT, as in 127.0.0.1:8787 or [::1]:8787",
            cut(&text, 60)
        );
        section.fault("listen", why);
    }
    address
}

fn tls(section: &mut Section) -> Option<DoorTls> {
    match (section.text("certificate"), section.text("key")) {
        (Some(certificate), Some(key)) => Some(DoorTls { certificate: certificate.into(), key: key.into() }),
        (None, None) => None,
        (certificate, _) => {
            let missing = if certificate.is_some() { "key" } else { "certificate" };
            section.fault(
                missing,
                "is missing: a door answers by TLS with a certificate and its key, or without both",
            );
            None
        }
    }
}

fn hosts(section: &mut Section) -> Vec<String> {
    let listed = section.texts("hosts");
    if listed.len() > MOST_HOSTS {
        section.fault("hosts", format!("at most {MOST_HOSTS} entries are allowed"));
    }
    let mut hosts = Vec::new();
    for text in listed {
        match text.parse::<HostName>() {
            Ok(host) if host.host() == text => hosts.push(text),
            _ => {
                let why = format!(
                    "{:?} is not a name of a host; allowed: lower-case ASCII names and addresses without a port, as in companion.lan",
                    cut(&text, 80)
                );
                section.fault("hosts", why);
            }
        }
    }
    hosts
}

fn proxies(section: &mut Section) -> Vec<IpAddr> {
    let listed = section.texts("proxies");
    if listed.len() > MOST_HOSTS {
        section.fault("proxies", format!("at most {MOST_HOSTS} entries are allowed"));
    }
    let mut proxies = Vec::new();
    for text in listed {
        match text.parse() {
            Ok(address) => proxies.push(address),
            Err(_) => {
                let why = format!("{:?} is not an IP address, as in 127.0.0.1", cut(&text, 80));
                section.fault("proxies", why);
            }
        }
    }
    proxies
}

fn token_name(entry: &mut Section, others: &[DoorToken]) -> Option<String> {
    let name = entry.text("name")?;
    if let Err(e) = name.parse::<DoorTokenName>() {
        entry.fault("name", e.to_string());
        return None;
    }
    if others.iter().any(|other| other.name == name) {
        entry.fault("name", format!("`{name}` is there twice; give each token a name of its own"));
        return None;
    }
    Some(name)
}

fn token_digest(entry: &mut Section, others: &[DoorToken]) -> Option<[u8; 32]> {
    let Ok(digest) = entry.text("sha256")?.parse::<Digest>() else {
        // What stands there may be the token itself, so it is not repeated.
        let why = "must be the SHA-256 of a token, 64 lower-case hexadecimal digits; `cl-admin door add NAME` writes it";
        entry.fault("sha256", why);
        return None;
    };
    let digest = digest.bytes();
    // One token would be two clients, and perhaps both the person and a program.
    if let Some(other) = others.iter().find(|other| other.digest == digest) {
        entry.fault("sha256", format!("is that of `{}` too; give each name a token of its own", other.name));
        return None;
    }
    Some(digest)
}

fn pin(section: &mut Section) -> Option<PinHash> {
    let text = match section.value("pin").clone() {
        Value::Null => return None,
        Value::String(text) => text,
        // A bare number is a PIN in plain text, which must not stand here.
        other => other.to_string(),
    };
    PinHash::parse(&text).map_err(|e| section.fault("pin", e.to_string())).ok()
}

fn digest_text<S: Serializer>(digest: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    Digest::of_bytes(digest).as_str().serialize(serializer)
}

fn hash_text<S: Serializer>(pin: &Option<PinHash>, serializer: S) -> Result<S::Ok, S::Error> {
    pin.as_ref().map(PinHash::as_str).serialize(serializer)
}

#[cfg(test)]
mod tests;
