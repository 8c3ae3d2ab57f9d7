//! The process that has the network: forked off before anything of the profile is talked about, confined to its role.

use std::collections::BTreeMap;
use std::net::{IpAddr, ToSocketAddrs};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use confine::{FileRules, Forked, Limits, Role};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::{SigSet, Signal};
use shared_types::exit;
use shared_types::id::HostName;
use shared_types::secret::Secret;

use super::Prepared;
use crate::error::{Error, say};
use crate::net::serve::needs_network;
use crate::net::{Client, NetSetting, serve};

/// Forks if anything that is configured or installed needs a network; only the parent returns.
///
/// The manifest was verified before the fork, so the child's copy of it is beyond the reach of the parent.
///
/// # Errors
/// The fork fails.
pub fn split(prepared: &Prepared) -> Result<Option<Client>, Error> {
    let manifest = &prepared.verified.manifest;
    if !prepared.config.models.needs_network() && !manifest.learned.iter().any(needs_network) {
        return Ok(None);
    }
    let failed = |source| Error::System { what: "the network process could not be started", source };
    if prepared.config.security.landlock {
        confine::scope_signals()?;
    }
    match confine::fork_pair().map_err(failed)? {
        Forked::Child { socket } => std::process::exit(i32::from(live(socket, prepared))),
        Forked::Parent { socket, .. } => {
            fcntl(&socket, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(|e| failed(e.into()))?;
            Ok(Some(Client::new(socket)))
        }
    }
}

/// The child's whole life.
fn live(socket: OwnedFd, prepared: &Prepared) -> u8 {
    // Ctrl-C at the terminal is meant for the conversation, not for this process.
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    let blocked = signals.thread_block();
    let setting = NetSetting::new(
        prepared.config.models.providers.clone(),
        keys(prepared),
        &prepared.verified.manifest,
        prepared.config.local.clone(),
    );
    warm_names(prepared);
    confine::wipe_environment(&[]);
    // The profile's folders among others: nothing here may reach them. They are never dropped, since this process ends
    // without coming back.
    confine::close_inherited(&[socket.as_raw_fd()]);
    let rules = FileRules { read: readable(), ..FileRules::default() };
    let limits = Limits { open_files: Some(128), file_size: Some(0), ..Limits::default() };
    let degraded = prepared.config.security.minimum_isolation == confine::Tier::Degraded;
    let manner = prepared.manner(vec![prepared.home.admin(), prepared.home.data().join("profiles")], true);
    match (blocked, confine::confine_as(Role::Net, &rules, &limits, &manner)) {
        (Ok(()), Ok(held)) if held.seccomp && held.governs_files() || degraded => {
            silence();
            serve(socket, setting)
        }
        (_, Err(error)) => {
            say(&Error::from(error).report());
            exit::REFUSED
        }
        _ => {
            say("the network process could not be confined, so there is no network");
            exit::REFUSED
        }
    }
}

/// The keys of the providers, from the environment.
fn keys(prepared: &Prepared) -> BTreeMap<String, Secret> {
    let key = |p: &models::ProviderConfig| {
        let value = std::env::var(p.api_key.as_ref()?.as_str()).ok().filter(|v| !v.is_empty())?;
        Some((p.name.clone(), Secret::new(value)))
    };
    prepared.config.models.providers.iter().filter_map(key).collect()
}

/// Lets the C library load what it resolves names with: after confinement no code can be loaded.
fn warm_names(prepared: &Prepared) {
    let config = &prepared.config;
    let servers = config.models.providers.iter().filter_map(|p| Some(p.base_url.as_ref()?.to_string()));
    let skills = prepared.verified.manifest.learned.iter().flat_map(|entry| entry.network.iter());
    let is_name = |host: &str| host != "localhost" && host.parse::<IpAddr>().is_err();
    let url_host = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest).to_owned();
        rest.split(['/', ':']).next().unwrap_or_default().to_owned()
    };
    if servers.map(|url| url_host(&url)).any(|h| is_name(&h)) || skills.map(HostName::host).any(is_name) {
        let _ = ("localhost", 0).to_socket_addrs();
    }
}

/// What resolving names and checking certificates reads.
fn readable() -> Vec<PathBuf> {
    const PLACES: [&str; 11] = [
        "/etc/resolv.conf",
        "/etc/hosts",
        "/etc/nsswitch.conf",
        "/etc/gai.conf",
        "/etc/host.conf",
        "/etc/services",
        "/etc/ssl",
        "/etc/pki",
        "/etc/ca-certificates",
        "/usr/share/ca-certificates",
        "/usr/local/share/ca-certificates",
    ];
    PLACES.iter().map(Path::new).filter(|path| path.exists()).map(Path::to_owned).collect()
}

/// Lets go of the terminal, so that whoever reads this program's output does not wait for this process.
fn silence() {
    #[expect(clippy::disallowed_methods, reason = "a device of the system")]
    let null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null");
    if let Ok(null) = null {
        let _ = nix::unistd::dup2_stdin(&null);
        let _ = nix::unistd::dup2_stdout(&null);
        let _ = nix::unistd::dup2_stderr(&null);
    }
}
