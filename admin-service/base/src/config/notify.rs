//! `mode`, `digest_minutes`, `notifiers` and `review_page`: which notifiers report waiting items, how often, and with which link.

use std::time::Duration;

use models::Endpoint;
use shared_types::id::{ProfileId, SecretName};
use shared_types::proposal::Fault;
use shared_types::settings::Section;

use super::digest::Unfit;
use super::page::PageAddress;
use crate::home::Home;

/// Whether somebody sits at the service's terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Bells and lines on the terminal are welcome.
    Interactive,
    /// Nobody is there: no bell, no question; the other notifiers tell.
    Headless,
}

/// How people are notified that something waits for them.
#[derive(Debug, Clone)]
pub struct Telling {
    /// Whether somebody sits at the terminal.
    pub mode: Mode,
    /// The least time between two messages of one notifier.
    pub digest: Duration,
    /// Who tells; the default is the terminal alone.
    pub notifiers: Vec<NotifierConfig>,
    /// Where the pages of the review are, for a link; `None` sends no link.
    pub page: Option<PageAddress>,
}

#[derive(Debug, Clone)]
pub struct NotifierConfig {
    /// The name by which it is shown and tested.
    pub name: String,
    /// How long one message may take.
    pub timeout: Duration,
    /// The profile whose person alone it reaches.
    pub person: Option<ProfileId>,
    /// How it tells.
    pub way: Way,
}

/// The ways to tell.
#[derive(Debug, Clone)]
pub enum Way {
    /// A line on the service's standard error, with a bell if that is a terminal.
    Cli,
    /// A POST of JSON.
    Webhook(Post),
    /// A POST of text with ntfy's headers.
    Ntfy(Post),
    /// A mail by SMTP.
    #[cfg(feature = "email")]
    Email(Box<super::mail::Mail>),
}

impl Way {
    /// The kind's spelling in the configuration.
    pub fn kind(&self) -> &'static str {
        match self {
            Way::Cli => "cli",
            Way::Webhook(_) => "webhook",
            Way::Ntfy(_) => "ntfy",
            #[cfg(feature = "email")]
            Way::Email(_) => "email",
        }
    }
}

/// Where something is posted.
#[derive(Debug, Clone)]
pub struct Post {
    /// The address.
    pub url: Place,
    /// The variable whose value goes along as a bearer token.
    pub token: Option<SecretName>,
}

/// An address, written down or held by a variable because it is a secret itself.
#[derive(Debug, Clone)]
pub enum Place {
    /// Written down.
    Url(Endpoint),
    /// The variable that holds it.
    Variable(SecretName),
}

/// The most receivers of one mail.
#[cfg(feature = "email")]
pub(super) const MOST: usize = 16;

impl Telling {
    /// Reads the keys.
    pub(super) fn read(top: &mut Section) -> Telling {
        let mode = match top.word("mode") {
            "headless" => Mode::Headless,
            _ => Mode::Interactive,
        };
        let digest = Duration::from_secs(60 * top.number("digest_minutes"));
        let mut notifiers: Vec<NotifierConfig> = vec![];
        for mut section in top.sections("notifiers") {
            if let Some(read) = notifier(&mut section) {
                if notifiers.iter().any(|n| n.name == read.name) {
                    section.fault("name", format!("`{}` is there twice", read.name));
                }
                notifiers.push(read);
            }
            top.close(section);
        }
        let page = PageAddress::read(top);
        Telling { mode, digest, notifiers, page }
    }
}

impl Telling {
    /// The notifiers of persons whose profile is not there, and why they send nothing.
    pub(super) fn unfit(&self, home: &Home) -> impl Iterator<Item = Fault> {
        let of = |notifier: &NotifierConfig| Some((notifier.name.clone(), notifier.person.clone()?));
        let is_missing = |(_, person): &(String, ProfileId)| !home.profile_file(person).is_file();
        self.notifiers.iter().filter_map(of).filter(is_missing).map(|(name, person)| {
            Fault::new(format!("notifiers `{name}`.person"), Unfit::Missing(person).to_string())
        })
    }
}

fn notifier(section: &mut Section) -> Option<NotifierConfig> {
    let name = section.text("name").filter(|name| {
        let fits = (1..=32).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !fits {
            section.fault("name", "1 to 32 lower-case letters, digits and `-`");
        }
        fits
    });
    let timeout = Duration::from_secs(section.number("timeout_seconds"));
    let kind = section.word("kind").to_owned();
    let person = section
        .text("person")
        .and_then(|name| name.parse().map_err(|error| section.fault("person", format!("{error}"))).ok());
    let own: &[&str] = match kind.as_str() {
        "cli" => &[],
        "webhook" | "ntfy" => &["url", "token"],
        _ => &["server", "port", "tls", "user", "password", "from", "to"],
    };
    if !kind.is_empty() {
        let person: &[&str] = if kind == "cli" { &[] } else { &["person"] };
        let allowed = [&["name", "kind", "timeout_seconds"], person, own].concat();
        section.only(&allowed, &format!("a notifier of the kind `{kind}`"));
    }
    let way = match kind.as_str() {
        "cli" => Some(Way::Cli),
        "webhook" => post(section).map(Way::Webhook),
        "ntfy" => post(section).map(Way::Ntfy),
        #[cfg(feature = "email")]
        "email" => super::mail::mail(section).map(|mail| Way::Email(Box::new(mail))),
        #[cfg(not(feature = "email"))]
        "email" => {
            section.fault(
                "kind",
                "this program is built without mail; use `webhook` or `ntfy`, or build it with `--features email`",
            );
            return None;
        }
        _ => None,
    };
    Some(NotifierConfig { name: name?, timeout, person, way: way? })
}

pub(super) fn needed(section: &mut Section, key: &str) -> Option<String> {
    if !section.has(key) {
        section.fault(key, "missing");
    }
    section.text(key)
}

fn post(section: &mut Section) -> Option<Post> {
    let token = variable(section, "token");
    let url = needed(section, "url")?;
    let place = if url.starts_with("${") {
        Place::Variable(name_of(section, "url", &url)?)
    } else {
        match url.parse() {
            Ok(endpoint) => Place::Url(endpoint),
            Err(error) => {
                section.fault("url", format!("{error}"));
                return None;
            }
        }
    };
    Some(Post { url: place, token })
}

pub(super) fn variable(section: &mut Section, key: &str) -> Option<SecretName> {
    let word = section.text(key)?;
    name_of(section, key, &word)
}

/// The value is not repeated: it may be a secret that somebody pasted here.
fn name_of(section: &mut Section, key: &str, word: &str) -> Option<SecretName> {
    let name = word.strip_prefix("${").and_then(|w| w.strip_suffix('}')).and_then(|n| n.parse().ok());
    if name.is_none() {
        section.fault(key, "must be `${NAME}`, the name of an environment variable, never the secret itself");
    }
    name
}
