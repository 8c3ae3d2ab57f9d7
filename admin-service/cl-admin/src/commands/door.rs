//! `cl-admin door`

use std::fs::File;
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use api::Request;
use api::door::{Asked, Tls};
use base::error::Error;
use base::home::Home;
use base::profiles;
use certificates::Certificate;
use documents::profile_file::{Door, DoorToken};
use pipeline::door;
use review::words::Words;
use serde_json::{Value, json};
use service::session::submit;
use shared_types::door::token;
use shared_types::exit;
use shared_types::id::{Digest, DoorTokenName, ProfileId};
use shared_types::secret::Secret;

use crate::commands::out::{self, outln};

/// Why a door stays as it is.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the token could not be shown on standard output ({why}), so `{name}` is removed again")]
    NotShown { name: DoorTokenName, why: std::io::Error },
    #[error("a socket file has no TLS: name an address, as in 127.0.0.1:8787")]
    SocketFile,
}

/// Who may reach a profile over HTTP, and at which address: `cl-bot serve` reads it
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Make a token for a program or a device, and show it once
    ///
    /// The token is the one line on stdout. The profile's file gets its SHA-256 alone.
    Add {
        /// Its name: 1 to 40 lower-case letters, digits and `-`
        #[arg(value_name = "NAME")]
        name: DoorTokenName,
        /// The profile
        #[arg(long, value_name = "ID", default_value = "default")]
        profile: ProfileId,
        /// What comes with this token counts as typed by the person of the profile; without it, as content from outside
        #[arg(long)]
        person: bool,
    },
    /// List the tokens, the address, and the names by which clients may call it
    List {
        /// The profile
        #[arg(long, value_name = "ID", default_value = "default")]
        profile: ProfileId,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Remove a token; a running door refuses it from then on
    Remove {
        /// Its name
        #[arg(value_name = "NAME")]
        name: DoorTokenName,
        /// The profile
        #[arg(long, value_name = "ID", default_value = "default")]
        profile: ProfileId,
    },
    /// Set the address at which `cl-bot serve` listens and its TLS, or remove both
    ///
    /// Without an address it is a socket file of the profile's user alone. Without an option about TLS, that stays as it is. The
    /// fingerprint of the certificate is printed here, by `list`, and at each start of `cl-bot serve`: compare it with the one that
    /// a browser shows before you continue.
    Listen {
        /// IP:PORT, as in 127.0.0.1:8787, or `off`
        #[arg(value_name = "ADDRESS")]
        address: Place,
        /// The profile
        #[arg(long, value_name = "ID", default_value = "default")]
        profile: ProfileId,
        /// Answer by TLS with this certificate: a PEM file, with those that sign it after it
        #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with_all = ["tls_made", "no_tls"])]
        tls_certificate: Option<String>,
        /// The key of the certificate: a PEM file without a passphrase that its owner and its group alone can read
        #[arg(long, value_name = "FILE", requires = "tls_certificate")]
        tls_key: Option<String>,
        /// Answer by TLS with a certificate that is made now, for 800 days, for the address, `localhost` and the names in
        /// `door.hosts`; done again, it makes a new one
        #[arg(long, conflicts_with = "no_tls")]
        tls_made: bool,
        /// Answer without TLS
        #[arg(long)]
        no_tls: bool,
    },
    /// Print a page in HTML that links to the doors of all profiles, for a household to begin at
    ///
    /// It holds names and addresses, and nothing opens a door by it. A name in `door.hosts` stands for the address; where the door itself
    /// listens on this machine alone, that is the name of a proxy with TLS.
    Page,
}

/// What `listen` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An address.
    At(SocketAddr),
    /// None.
    Off,
}

/// A text that is neither an address nor `off`.
#[derive(Debug, thiserror::Error)]
#[error("allowed: IP:PORT, as in 127.0.0.1:8787 or [::1]:8787, or `off`")]
pub struct NoPlace;

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Place, NoPlace> {
        match text {
            "off" => Ok(Place::Off),
            text => text.parse().map(Place::At).map_err(|_| NoPlace),
        }
    }
}

/// Adds, lists, removes or moves.
///
/// # Errors
/// A name that is taken or missing, an unknown profile, a file that is left as it is, or a failing disk.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Add { name, profile, person } => add(home, profile, name, *person)?,
        Verb::List { profile, json } => list(home, profile, *json)?,
        Verb::Remove { name, profile } => {
            let asked = Asked::RemoveToken { profile: profile.clone(), name: name.clone() };
            outln!("{}", submit(home, Request::Door(asked))?);
        }
        Verb::Page => out::bytes(page(home)?.as_bytes()),
        Verb::Listen { address, profile, tls_certificate, tls_key, tls_made, no_tls } => {
            let tls = match (tls_certificate, tls_key) {
                (Some(certificate), Some(key)) => {
                    Tls::Given { certificate: whole(certificate)?, key: whole(key)? }
                }
                _ if *tls_made => Tls::Made,
                _ if *no_tls => Tls::Off,
                _ => Tls::Kept,
            };
            listen(home, profile, *address, tls)?;
        }
    }
    Ok(exit::DONE)
}

fn add(home: &Home, profile: &ProfileId, name: &DoorTokenName, person: bool) -> Result<(), Error> {
    let token = new_token()?;
    let sha256 = Digest::of(token.expose().as_bytes());
    let asked = Asked::AddToken { profile: profile.clone(), name: name.clone(), sha256, person };
    let done = submit(home, Request::Door(asked))?;
    show_once(name, &token, || {
        let asked = Asked::RemoveToken { profile: profile.clone(), name: name.clone() };
        submit(home, Request::Door(asked)).map(drop)
    })?;
    eprintln!("{done}");
    eprintln!(
        "the token is shown this once: keep it where `{name}` reads it; the home keeps its SHA-256 alone"
    );
    if person {
        eprintln!("what comes with it counts as typed by the person of `{profile}`: give it to nobody else");
    } else {
        eprintln!(
            "what comes with it counts as content from outside, not as typed by the person of `{profile}`; `--person` makes a \
             token for that person"
        );
    }
    eprintln!("next: cl-bot serve --profile {profile}");
    Ok(())
}

/// Shows a new token on standard output, or takes it back: it is of no use once nobody saw it.
///
/// # Errors
/// Standard output takes nothing, or the token cannot be removed.
pub(super) fn show_once(
    name: &DoorTokenName,
    token: &Secret,
    take_back: impl FnOnce() -> Result<(), Error>,
) -> Result<(), Error> {
    let Err(why) = out::written(format_args!("{}", token.expose())) else { return Ok(()) };
    take_back()?;
    Err(Error::failed(Fault::NotShown { name: name.clone(), why }))
}

/// A token that nobody has yet.
///
/// # Errors
/// A machine without random bytes.
pub(super) fn new_token() -> Result<Secret, Error> {
    let path = Path::new("/dev/urandom");
    let mut bytes = [0; 32];
    File::open(path).and_then(|mut source| source.read_exact(&mut bytes)).map_err(Error::io(path))?;
    Ok(token(&bytes))
}

/// The path from the root on: the service has another folder.
fn whole(path: &str) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(Error::io(path.as_ref()))
}

fn list(home: &Home, profile: &ProfileId, json: bool) -> Result<(), Error> {
    let (_, door) = door::read(home, profile)?;
    let certificate = door.tls.as_ref().map(|tls| Certificate::read(&door::files(home, tls).certificate));
    if json {
        let token = |token: &DoorToken| json!({"name": token.name, "person": token.person});
        let tokens: Vec<Value> = door.tokens.iter().map(token).collect();
        let shown = certificate.and_then(Result::ok).map(
            |certificate| json!({"sha256": certificate.fingerprint(), "last_day": certificate.last_day()}),
        );
        out::json(
            &json!({"profile": profile, "listen": door.listen, "hosts": door.hosts, "tls": door.tls, "certificate": shown, "tokens": tokens}),
        );
        return Ok(());
    }
    match door.listen {
        Some(address) => outln!("address: {address}"),
        None => outln!("address: a socket file of the profile's user alone"),
    }
    match certificate {
        Some(Ok(certificate)) => {
            outln!("certificate: SHA-256 {}, until {}", certificate.fingerprint(), certificate.last_day())
        }
        Some(Err(fault)) => eprintln!("warning: {fault}: {}", fault.next()),
        None => {}
    }
    if !door.hosts.is_empty() {
        outln!("hosts: {}", door.hosts.join(", "));
    }
    for token in &door.tokens {
        outln!("{:40}  {}", token.name, if token.person { "person" } else { "program" });
    }
    if door.tokens.is_empty() {
        eprintln!("`{profile}` has no token; make one: cl-admin door add NAME --profile {profile}");
    }
    Ok(())
}

/// A page with a link to each door that has an address.
fn page(home: &Home) -> Result<String, Error> {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let mut links = String::new();
    for listed in profiles::list(home)? {
        let (_, door) = door::read(home, &listed.id)?;
        match link(&door) {
            Some(to) => links += &format!("<li><a href=\"{}\">{}</a></li>\n", escaped(&to), listed.id),
            None => eprintln!("`{}` has no address that a browser opens: `cl-admin door listen`", listed.id),
        }
    }
    let language = Words::of_home(home).code();
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>TameClaw</title>\n\
         <style>body {{ font: 1.3rem sans-serif; margin: 2rem }} li {{ margin: 1rem 0 }}</style>\n\
         <h1>TameClaw</h1>\n<ul>\n{links}</ul>\n</html>\n"
    ))
}

/// Where a browser opens a door: by its first name, else by its address. A door that listens on this machine alone and has a name
/// stands behind a proxy, which has TLS.
fn link(door: &Door) -> Option<String> {
    let address = door.listen?;
    let scheme = if door.tls.is_some() { "https" } else { "http" };
    match door.hosts.first() {
        Some(name) if address.ip().is_loopback() && door.tls.is_none() => Some(format!("https://{name}/")),
        Some(name) => Some(format!("{scheme}://{name}:{}/", address.port())),
        None if address.ip().is_unspecified() => None,
        None => Some(format!("{scheme}://{address}/")),
    }
}

fn listen(home: &Home, profile: &ProfileId, place: Place, tls: Tls) -> Result<(), Error> {
    let address = match place {
        Place::At(address) => Some(address),
        Place::Off => None,
    };
    if address.is_none() && !matches!(tls, Tls::Kept | Tls::Off) {
        return Err(Error::usage(Fault::SocketFile));
    }
    let asked = Asked::Listen { profile: profile.clone(), address, tls };
    outln!("{}", submit(home, Request::Door(asked))?);
    let (file, door) = door::read(home, profile)?;
    if let Some(address) = address.filter(|_| door.is_bare()) {
        eprintln!(
            "warning: other machines reach {address}, and the connection has no TLS: `cl-admin door listen {address} --profile {profile} \
             --tls-made` makes a certificate; or put a proxy such as Caddy or Tailscale serve before it, and the proxy's name into \
             `door.hosts` of {}",
            file.display()
        );
    }
    for (other, host) in door::at_the_same_host(home, profile, &door)? {
        eprintln!("warning: {}: {}", one_host(profile, &other, &host), OWN_HOSTS);
    }
    Ok(())
}

/// What two doors at one host mean.
pub(super) fn one_host(profile: &ProfileId, other: &ProfileId, host: &str) -> String {
    format!(
        "the doors of `{profile}` and `{other}` are both at {host}, and a browser sends the cookie of each to both"
    )
}

/// How each door gets a host of its own.
pub(super) const OWN_HOSTS: &str = "give each a name of its own (`door.hosts` of each profile's file, and a proxy before \
     them), or `cl-admin door listen off` and a proxy before each socket file that asks who comes";

#[cfg(test)]
mod tests;
