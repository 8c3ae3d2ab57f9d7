//! The process that has the network: forked off before anything of the profile is talked about, confined to its role.

use std::net::{IpAddr, ToSocketAddrs};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;

use bot_base::error::{Error, say};
use bot_base::log::{self, Event, Level, Name};
use bot_base::owned::own;
use bot_base::paths::Folder;
use confine::{FileRules, Forked, Limits, Manner, Role, Tier};
use models::ProviderConfig;
use net::credentials::{self, Credentials};
use net::keys::Keys;
use net::records::{self, RecordFiles, Records};
use net::secrets::{Secrets, admin_of};
use net::serve::needs_network;
use net::{Client, NetSetting, serve};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::{SigSet, Signal};
use ports::verified::APPROVERS_SEEN;
use shared_types::capability::Token;
use shared_types::exit;
use shared_types::grants::HostPattern;
use shared_types::home::Home;
use shared_types::manifest::{Builtin, Learned};
use shared_types::power::Power;
use shared_types::power::Powers;
use skills::powers;

use super::Prepared;

/// Forks if anything that is configured or installed needs a network; only the parent returns.
///
/// What it may reach was verified before the fork, so the child's copy of it is beyond the reach of the parent.
///
/// # Errors
/// A credential that must not be used, a log that cannot be opened, or a fork that fails.
pub fn split(prepared: &Prepared) -> Result<Option<Client>, Error> {
    let learned = prepared.signed.decided(needs_network);
    if !prepared.config.models.needs_network() && learned.is_empty() && pages(prepared).is_empty() {
        return Ok(None);
    }
    // By what the folder says about them: this process is about to be the mind, and never opens one.
    credentials::check(&prepared.home, &prepared.config.models.providers)?;
    if prepared.user.is_some() && prepared.config.models.providers.iter().any(keeps_files) {
        own(&Folder::root(&prepared.home.credentials())?, &[APPROVERS_SEEN], prepared.user.as_ref())?;
    }
    // Opened here so that a fault is reported; the mind lets go of them at once.
    let files = RecordFiles::open(&prepared.home, &prepared.profile, prepared.user.as_ref())?;
    let failed = |source| Error::System { what: "the network process could not be started", source };
    if prepared.config.security.landlock {
        confine::scope_signals()?;
    }
    match confine::fork_pair().map_err(failed)? {
        Forked::Child { socket } => std::process::exit(i32::from(live(socket, prepared, &learned, files))),
        Forked::Parent { socket, .. } => {
            drop(files);
            fcntl(&socket, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(|e| failed(e.into()))?;
            Ok(Some(Client::new(socket)))
        }
    }
}

/// The child's whole life.
fn live(socket: OwnedFd, prepared: &Prepared, learned: &[&Learned], files: RecordFiles) -> u8 {
    // Ctrl-C at the terminal is meant for the conversation, not for this process.
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    let blocked = signals.thread_block();
    let providers = &prepared.config.models.providers;
    // The profile's folders among others: nothing here may reach them. They are never dropped, since this process ends
    // without coming back.
    let [first, second] = files.descriptors();
    confine::close_inherited(&[socket.as_raw_fd(), first, second]);
    let keys = keys(&prepared.home, providers);
    let engine = prepared.config.search.clone();
    let of_engine = engine.iter().any(|engine| engine.secret.is_some());
    let uses_secrets = of_engine || learned.iter().any(|entry| !entry.secrets.is_empty());
    let secrets = if uses_secrets {
        Secrets::open(&prepared.home, admin_of(&prepared.home))
    } else {
        Secrets::default()
    };
    let keeps_logins = providers.iter().any(|p| p.login.is_some());
    let skills = learned.iter().flat_map(|entry| entry.network.iter());
    let pages = pages(prepared);
    // Hosts beneath a domain are names, regardless of which.
    let read = pages.iter().map(|page| page.exact().map_or("*".to_owned(), |host| host.host().to_owned()));
    warm_names(servers(providers).chain(skills.map(|host| host.host().to_owned())).chain(read));
    confine::wipe_environment(&[]);
    let confined = blocked
        .map_err(|errno| Error::System {
            what: "Ctrl-C cannot be left to the conversation",
            source: errno.into(),
        })
        .and_then(|()| {
            let home = &prepared.home;
            let hidden = vec![home.admin(), home.certificates(), home.data().join("profiles")];
            let manner = prepared.manner(hidden, true);
            let needs = Needs { names: uses_names(prepared, learned), keeps_logins, uses_secrets };
            confine_net(&prepared.home, needs, &manner, prepared.config.security.minimum_isolation)
        });
    if let Err(error) = confined {
        say(&error.report());
        return exit::REFUSED;
    }
    log::event(Event::Confined { role: Name::of("net"), tier: None });
    silence();
    let setting = NetSetting::new(
        providers.clone(),
        keys,
        learned,
        prepared.config.local.clone(),
        Records::new(files),
        secrets,
    )
    .reading(pages)
    .searching(engine);
    serve(socket, setting)
}

/// What a process that has the network reads and writes beyond its sockets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    /// Names to resolve, or certificates to check.
    pub names: bool,
    /// Logins, which are renewed.
    pub keeps_logins: bool,
    /// Secrets of skills.
    pub uses_secrets: bool,
}

/// Confines a process that has the network: it reads what resolving names and checking certificates needs, and the secrets
/// of skills where one uses them; it writes nothing but the logins, where there are any.
pub(super) fn confine_net(home: &Home, needs: Needs, manner: &Manner, minimum: Tier) -> Result<(), Error> {
    let write = if needs.keeps_logins { vec![home.credentials()] } else { vec![] };
    let secrets = Some(home.secrets()).filter(|path| needs.uses_secrets && path.is_dir());
    let system = if needs.names { models::http::system_files() } else { vec![] };
    let rules =
        FileRules { read: system.into_iter().chain(secrets).collect(), write, ..FileRules::default() };
    let largest = records::MOST_BYTES + credentials::MOST_BYTES;
    let limits = Limits { open_files: Some(128), file_size: Some(largest), ..Limits::default() };
    let held = confine::confine_as(Role::Net, &rules, &limits, manner)?;
    if (held.seccomp && held.governs_files()) || minimum == Tier::Degraded {
        return Ok(());
    }
    let missing = "what confines the process that has the network, so there is no network".to_owned();
    let remedy = "use a kernel with Landlock or user namespaces, and with seccomp".to_owned();
    Err(Error::Isolation { found: Tier::Degraded, wanted: minimum, missing, remedy })
}

/// Whether anything that is configured or installed goes beyond plain http to an address of this machine.
fn uses_names(prepared: &Prepared, learned: &[&Learned]) -> bool {
    let plain = |p: &ProviderConfig| {
        p.login.is_none() && p.base_url.as_ref().is_none_or(|url| !url.tls() && url.address().is_some())
    };
    !prepared.config.models.providers.iter().all(plain) || !learned.is_empty() || !pages(prepared).is_empty()
}

/// The hosts of which pages may be read: those of the profile's grants, where the signed manifest has the skill for it.
fn pages(prepared: &Prepared) -> Vec<HostPattern> {
    let reads = |entry: &Builtin| {
        Powers::new(powers::of(&entry.name), entry.powers.as_deref()).has(Power::Pages)
            && entry.capabilities.contains(Token::NetworkRead)
    };
    let is_there = prepared.signed.builtin().iter().any(reads);
    if is_there { prepared.settings.grants.hosts.clone() } else { vec![] }
}

/// The keys of the providers, from the credential files and the environment.
fn keys(home: &Home, providers: &[ProviderConfig]) -> Keys {
    let needed = providers.iter().any(keeps_files);
    let system = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
    // A home without the folder has no credential in it, and its providers say so when they are asked.
    let folder = needed.then(|| Credentials::open(home, system.as_deref()).ok()).flatten();
    Keys::read(providers, folder, |name| std::env::var(name).ok())
}

/// Whether a provider's key is in a file.
fn keeps_files(provider: &ProviderConfig) -> bool {
    provider.api_key_file.is_some() || provider.login.is_some()
}

/// The hosts of the providers and their authorization servers.
pub(super) fn servers(providers: &[ProviderConfig]) -> impl Iterator<Item = String> {
    providers.iter().flat_map(|p| {
        let login = p.login.iter().flat_map(|l| [Some(&l.token_url), l.revocation_url.as_ref()]);
        let login = login.flatten().map(|url| url.endpoint().host().to_owned());
        p.base_url.iter().map(|url| url.host().to_owned()).chain(login).collect::<Vec<_>>()
    })
}

/// Lets the C library load what it resolves names with: after confinement no code can be loaded.
pub fn warm_names(mut hosts: impl Iterator<Item = String>) {
    if hosts.any(|host| host != "localhost" && host.parse::<IpAddr>().is_err()) {
        let _ = ("localhost", 0).to_socket_addrs();
    }
}

/// Lets go of the terminal, so that a reader of this program's output does not wait for this process; its log stays.
pub fn silence() {
    #[expect(clippy::disallowed_methods, reason = "a device of the system")]
    let null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null");
    if let Ok(null) = null {
        let _ = nix::unistd::dup2_stdin(&null);
        let _ = nix::unistd::dup2_stdout(&null);
        if !log::tells(Level::Info) {
            let _ = nix::unistd::dup2_stderr(&null);
        }
    }
}
