//! `cl-admin page`

mod verify;

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;

use api::Request;
use api::people::Asked;
use base::error::Error;
use base::home::Home;
use ledger::{Ledger, PageToken};
use serde_json::{Value, json};
use service::session::submit;
use shared_types::exit;
use shared_types::id::{ApproverId, Digest, DoorTokenName};

use super::door::{new_token, show_once};
use crate::commands::out::{self, outln};

/// The program of the page, in the same folder as this one.
const PROGRAM: &str = "cl-review";

/// The page's program is not installed.
#[derive(Debug, thiserror::Error)]
#[error("`{PROGRAM}` is not at {}: install it from the same release", .0.display())]
struct Missing(PathBuf);

/// The review as pages: who may look, and the program that shows it
///
/// The page shows what waits, tries tools, takes notes and rejects. A yes is signed on another device alone.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Make a token with which an approver logs in, and show it once
    ///
    /// The token is the one line on stdout. The journal gets its SHA-256 alone.
    Add {
        /// Its name: 1 to 40 lower-case letters, digits and `-`
        #[arg(value_name = "NAME")]
        name: DoorTokenName,
        /// Who looks, notes and rejects with it
        #[arg(long, value_name = "ID", default_value = "owner")]
        approver: ApproverId,
    },
    /// List the tokens
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Remove a token; the page refuses it from then on
    Remove {
        /// Its name
        #[arg(value_name = "NAME")]
        name: DoorTokenName,
    },
    /// Show the review as pages, until the service ends
    ///
    /// It needs a service that runs. It listens on the loopback alone: a server with TLS before it makes it reachable.
    Serve {
        /// The address [default: 127.0.0.1:8788]
        #[arg(long, value_name = "IP:PORT")]
        listen: Option<OsString>,
        /// A name by which the page may be called besides its address
        #[arg(long = "host", value_name = "NAME")]
        hosts: Vec<String>,
        /// The address of a proxy before the page that writes X-Forwarded-For itself; who logs in is distinguished by what
        /// it adds there
        #[arg(long = "proxy", value_name = "IP")]
        proxies: Vec<IpAddr>,
    },
    /// Compare the signing page of a site with the published one of this version
    ///
    /// It fetches the page without a redirect and compares its SHA-256. Exit code 1: it differs, or cannot be fetched. Ask from a
    /// network that is not the site's own: a site can answer each asker with another page.
    Verify {
        /// The address of the page, or a file of it
        #[arg(value_name = "URL|FILE")]
        place: String,
    },
}

/// Adds, lists, removes, serves or compares.
///
/// # Errors
/// A name that is taken or missing, somebody who approves nothing, a signing page that differs, or a failing disk.
pub fn run(existing: &dyn Fn() -> Result<Home, Error>, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Add { name, approver } => add(&existing()?, name, approver)?,
        Verb::List { json } => list(&existing()?, *json)?,
        Verb::Remove { name } => {
            let asked = Asked::RemovePageToken { name: name.clone() };
            outln!("{}", submit(&existing()?, Request::People(asked))?);
        }
        Verb::Serve { listen, hosts, proxies } => {
            return Err(serve(&existing()?, listen.as_ref(), hosts, proxies));
        }
        Verb::Verify { place } => verify::run(place)?,
    }
    Ok(exit::DONE)
}

fn add(home: &Home, name: &DoorTokenName, approver: &ApproverId) -> Result<(), Error> {
    let token = new_token()?;
    let sha256 = Digest::of(token.expose().as_bytes());
    let asked = Asked::AddPageToken { name: name.clone(), approver: approver.clone(), sha256 };
    let done = submit(home, Request::People(asked))?;
    show_once(name, &token, || {
        submit(home, Request::People(Asked::RemovePageToken { name: name.clone() })).map(drop)
    })?;
    eprintln!("{done}");
    eprintln!(
        "the token is shown this once; with it a person reads every proposal, and rejects in the name of `{approver}`"
    );
    eprintln!("next: cl-admin page serve");
    Ok(())
}

fn list(home: &Home, json: bool) -> Result<(), Error> {
    let ledger = Ledger::read(home)?;
    let (tokens, approvers) = (ledger.people().page_tokens(), ledger.people().approvers()?);
    let is_present = |token: &PageToken| approvers.named(&token.approver).is_some();
    if json {
        let row = |(name, token): (&DoorTokenName, &PageToken)| json!({"name": name, "approver": token.approver, "added_at": token.added_at, "holds": is_present(token)});
        out::json(&Value::from(tokens.iter().map(row).collect::<Vec<_>>()));
        return Ok(());
    }
    for (name, token) in tokens {
        let gone = if is_present(token) { "" } else { "  (not an approver any more: the token is refused)" };
        outln!("{name:40}  {}  {}{gone}", token.approver, token.added_at);
    }
    if tokens.is_empty() {
        eprintln!("no token exists; `cl-admin page add NAME --approver ID` makes one");
    }
    Ok(())
}

/// Becomes the other program, which reads no variable; comes back only where that fails.
fn serve(home: &Home, listen: Option<&OsString>, hosts: &[String], proxies: &[IpAddr]) -> Error {
    let program = match std::env::current_exe() {
        Ok(own) => own.with_file_name(PROGRAM),
        Err(error) => return Error::io(PROGRAM.as_ref())(error),
    };
    let mut words: Vec<OsString> = vec!["--service".into(), service::page::path(home).into()];
    if let Some(listen) = listen {
        words.extend(["--listen".into(), listen.clone()]);
    }
    for host in hosts {
        words.extend(["--host".into(), host.into()]);
    }
    for proxy in proxies {
        words.extend(["--proxy".into(), proxy.to_string().into()]);
    }
    let error = confine::exec(&program, &words, &[]);
    match error.kind() {
        std::io::ErrorKind::NotFound => Error::failed(Missing(program)),
        _ => Error::io(&program)(error),
    }
}
