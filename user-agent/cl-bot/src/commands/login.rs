//! `cl-bot login` and `cl-bot logout`: a key that a provider's authorization server gives to a person.

use std::path::PathBuf;

use bot_base::error::Error;
use bot_base::paths::Folder;
use clap::Args;
use net::credentials::{Found, find};
use shared_types::{exit, text};

use crate::start::login::{LoggedOut, log_in, log_out};
use crate::start::{Options, home, read_config};

/// What `login` takes.
#[derive(Debug, Args)]
pub struct In {
    /// The provider: a name in the configuration whose entry has `login` [default: show where each key comes from]
    provider: Option<String>,
}

/// What `logout` takes.
#[derive(Debug, Args)]
pub struct Out {
    /// The provider
    provider: String,
}

/// Logs in: prints an address, takes the address that the browser is sent to (or the code in it) from stdin.
pub(super) fn log_in_to(options: &Options, arguments: &In) -> Result<u8, Error> {
    match &arguments.provider {
        Some(provider) => log_in(options, provider, super::print)?,
        None => show(options)?,
    }
    Ok(exit::DONE)
}

/// Where the key of each provider comes from; no key is read for it.
fn show(options: &Options) -> Result<(), Error> {
    let home = home::choose(options)?;
    let config = read_config(&home, &Folder::root(&home.config())?)?;
    let system = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
    let has_value = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    for provider in &config.models.providers {
        let state = match find(&home, system.as_deref(), provider, has_value) {
            Ok(Found::NotNeeded) => "needs no key".to_owned(),
            Ok(Found::Login) => "logged in".to_owned(),
            Ok(Found::File) => "key from its file".to_owned(),
            Ok(Found::Variable) => "key from the environment".to_owned(),
            Ok(Found::Nowhere) => "no key".to_owned(),
            Err(error) => format!("no key: {error}"),
        };
        super::print(&text::line(&format!("{:<16} {state}", provider.name)));
    }
    Ok(())
}

/// Logs out.
pub(super) fn log_out_of(options: &Options, arguments: &Out) -> Result<u8, Error> {
    let name = &arguments.provider;
    super::print(&match log_out(options, name)? {
        LoggedOut::NothingThere => format!("there was no login to `{name}`"),
        LoggedOut::Here => format!("logged out of `{name}`: the login was removed here"),
        LoggedOut::HereAndThere => format!("logged out of `{name}`, here and at its server"),
    });
    Ok(exit::DONE)
}
