//! Logging in and out: one process that has the network, the credentials and a terminal, and nothing else.
//!
//! It is confined as `net` is, since it holds what `net` holds. A second process at the terminal would take no right away
//! from this one, and would bring the code and the answers to `mind`'s side of the socket pair; so there is none. It reads
//! one line, writes a few, opens no profile, and ends.

use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::time::Duration;

use bot_base::config::Config;
use bot_base::error::{Error, say};
use bot_base::log::{self, Event, Name};
use bot_base::owned::{PRIVATE, made, own};
use bot_base::paths::Folder;
use confine::{Manner, Wall};
use jiff::Timestamp;
use models::ProviderConfig;
use models::config::LoginConfig;
use models::http::Client;
use net::credentials::{Credentials, login_file};
use net::keys::{self, Wire};
use net::oauth::{Attempt, Grant, Proof};
use net::records::{RecordFiles, Records};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signalfd::SignalFd;
use ports::verified::APPROVERS_SEEN;
use shared_types::text::cut;

use super::{Options, home, mind, network, read_config, tell, user};

/// The longest line that is read; an address with its code is far shorter.
const MOST_PASTED: usize = 32 * 1024;
/// How long another process may be renewing this login.
const PATIENCE: Duration = Duration::from_secs(35);

/// Everything that a login or logout needs, opened, read, and confined to it.
struct Ready {
    login: LoginConfig,
    credentials: Credentials,
    wire: Wire,
    interrupts: SignalFd,
    at_terminal: bool,
}

/// What [`log_out`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoggedOut {
    /// There was no login.
    NothingThere,
    /// It was removed here; the server was not notified, since the configuration names no place for it.
    Here,
    /// It was removed here, and the server was notified.
    HereAndThere,
}

/// Logs in to a provider: prints the address, takes what is pasted, exchanges the code and stores the grant.
///
/// # Errors
/// The provider is not configured for it, the person or the server says no, or the disk refuses.
pub fn log_in(options: &Options, provider: &str, shown: impl Fn(&str)) -> Result<(), Error> {
    let ready = Ready::new(options, provider)?;
    let attempt = Attempt::new().map_err(|e| Error::System {
        what: "there are no random numbers",
        source: io::Error::other(e.to_string()),
    })?;
    say(&format!("open this address in a browser and log in to `{provider}`:"));
    shown(&attempt.address(&ready.login));
    let place = &ready.login.redirect_uri;
    say(&format!(
        "then paste the address that the browser is sent to (it begins with {place}), or the code alone"
    ));
    if ready.at_terminal {
        let _ = write!(io::stderr(), "> ");
    }
    let pasted = ready.pasted()?;
    let code = attempt.code(&ready.login, &pasted).map_err(keys::KeyError::from)?;
    let grant = ready.unless_interrupted(async {
        let _alone = ready.credentials.alone(provider, PATIENCE).await?;
        let grant = keys::grant(&ready.wire, provider, &ready.login, &Proof::Code(&attempt, &code)).await?;
        ready.credentials.store(provider, &grant)?;
        Ok(grant)
    })?;
    shown(&format!("logged in to `{provider}`{}", described(&grant)));
    let file = ready.credentials.path().join(login_file(provider));
    say(&format!("the login is stored in {}; `cl-bot logout {provider}` removes it", file.display()));
    Ok(())
}

/// Removes a stored login, and tells the server if it has a place for that.
///
/// # Errors
/// The file cannot be removed. That the server could not be notified is reported and is not an error.
pub fn log_out(options: &Options, provider: &str) -> Result<LoggedOut, Error> {
    let ready = Ready::new(options, provider)?;
    ready.unless_interrupted(async {
        let _alone = ready.credentials.alone(provider, PATIENCE).await?;
        // A login that cannot be read is removed all the same.
        let grant = ready.credentials.login(provider).ok().flatten();
        if !ready.credentials.forget(provider)? {
            return Ok(LoggedOut::NothingThere);
        }
        let Some(grant) = grant else { return Ok(LoggedOut::Here) };
        match keys::revoke(&ready.wire, provider, &ready.login, &grant).await {
            Ok(true) => Ok(LoggedOut::HereAndThere),
            Ok(false) => Ok(LoggedOut::Here),
            Err(error) => {
                say(&format!(
                    "the server could not be notified ({error}), so the token is valid there until it ends"
                ));
                Ok(LoggedOut::Here)
            }
        }
    })
}

impl Ready {
    fn new(options: &Options, name: &str) -> Result<Ready, Error> {
        // First of all, before this program opens anything of its own.
        confine::close_inherited(&[]);
        let home = home::choose(options)?;
        home::check(&home, &options.profile)?;
        let config = read_config(&home, &Folder::root(&home.config())?)?;
        tell(&home.bot_config(), &config)?;
        let provider = provider(&config, name)?;
        let login = provider.login.clone().ok_or_else(|| Error::NoLogin(provider.name.clone()))?;
        let becomes = user::find(&config.security)?;
        home::check_own(&home, &options.profile, becomes.as_ref().map(confine::User::uid))?;
        let folder = made(&home.credentials(), PRIVATE)?;
        own(&folder, &[APPROVERS_SEEN], becomes.as_ref())?;
        drop(folder);
        let files = RecordFiles::open(&home, &options.profile, becomes.as_ref())?;
        let credentials = Credentials::open(&home, None)?;
        let at_terminal = io::stdin().is_terminal();
        let interrupts = mind::hold_interrupts()?;
        network::warm_names(network::servers(std::slice::from_ref(provider)));
        confine::wipe_environment(&[]);
        let wall = if config.security.landlock { Wall::Either } else { Wall::Namespace };
        let hidden = vec![home.admin(), home.data().join("profiles")];
        let manner = Manner { user: becomes, wall, hidden, paired: false, reads_all: false };
        let needs = network::Needs { names: true, keeps_logins: true, uses_secrets: false };
        network::confine_net(&home, needs, &manner, config.security.minimum_isolation)?;
        log::event(Event::Confined { role: Name::of("login"), tier: None });
        let client = Rc::new(Client::new(config.local.clone()));
        let wire = Wire { client, records: Rc::new(Records::new(files)) };
        Ok(Ready { login, credentials, wire, interrupts, at_terminal })
    }

    /// Reads one line, unless Ctrl-C comes first.
    fn pasted(&self) -> Result<String, Error> {
        let failed = |source| Error::System { what: "the line cannot be read", source };
        // Read without the library's buffer, which could hold what is waited for.
        let input = io::stdin();
        let mut line = Vec::new();
        while !line.contains(&b'\n') && line.len() < MOST_PASTED {
            let mut both = [
                PollFd::new(self.interrupts.as_fd(), PollFlags::POLLIN),
                PollFd::new(input.as_fd(), PollFlags::POLLIN),
            ];
            match poll(&mut both, PollTimeout::NONE) {
                Err(nix::errno::Errno::EINTR) => continue,
                Err(errno) => return Err(failed(errno.into())),
                Ok(_) if both[0].any() == Some(true) => return Err(Error::BrokenOff),
                Ok(_) => {}
            }
            let mut chunk = [0; 4096];
            match nix::unistd::read(&input, &mut chunk) {
                Err(nix::errno::Errno::EINTR) => {}
                Err(errno) => return Err(failed(errno.into())),
                Ok(0) => break,
                Ok(n) => line.extend_from_slice(&chunk[..n]),
            }
        }
        let line = line.split(|b| *b == b'\n').next().unwrap_or_default();
        Ok(String::from_utf8_lossy(line).into_owned())
    }

    /// Does what takes the network, unless Ctrl-C comes first.
    fn unless_interrupted<T>(
        &self,
        work: impl Future<Output = Result<T, keys::KeyError>>,
    ) -> Result<T, Error> {
        let failed = |source| Error::System { what: "the network cannot be used", source };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(2)
            .build()
            .map_err(failed)?;
        runtime.block_on(async {
            tokio::select! {
                biased;
                done = work => Ok(done?),
                () = self.interrupted() => Err(Error::BrokenOff),
            }
        })
    }

    /// Ends when Ctrl-C was pressed. Asks ten times a second: tokio waits for a foreign descriptor only by unsafe code.
    async fn interrupted(&self) {
        loop {
            let mut interrupts = [PollFd::new(self.interrupts.as_fd(), PollFlags::POLLIN)];
            if poll(&mut interrupts, PollTimeout::ZERO).is_ok_and(|ready| ready > 0) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

fn provider<'a>(config: &'a Config, name: &str) -> Result<&'a ProviderConfig, Error> {
    config.models.provider(name).ok_or_else(|| {
        let known: Vec<&str> = config.models.providers.iter().map(|p| p.name.as_str()).collect();
        Error::NoProvider { name: cut(name, 40), known: known.join(" ") }
    })
}

fn described(grant: &Grant) -> String {
    let ends = grant.expires_at.and_then(|end| Timestamp::from_second(end).ok());
    let scope = grant.scope.as_ref().map(|scope| format!(", granted: {scope}"));
    let ends = ends.map(|end| match grant.refresh_token {
        Some(_) => format!(", renewed automatically from {end} on"),
        None => format!(", until {end}"),
    });
    format!("{}{}", scope.unwrap_or_default(), ends.unwrap_or_default())
}
