//! A profile's person talks to it from a messenger: what `cl-bot matrix` and `cl-bot telegram` have in common.
//!
//! There are four processes, as for the door: the starter; one that talks to the messenger's server and has nothing of the profile;
//! `mind`; `net`. An owned `net` cannot answer for the person, since what they say never passes it. An owned server, or an owned process
//! that talks to it, can say what the person's accounts could say: so nothing above medium risk is asked there, and no package is approved.
//!
//! - [`rooms`]: `mind`'s side; [`kept`] what outlives it, [`words`] what it says beside the answers, [`parts`] long answers, [`draft`]
//!   answers while they come
//! - [`poll`]: the other process; [`server`] what it needs of a messenger, `signs` the sign that somebody types
//! - [`frames`]: what crosses between the two

use std::ffi::{CStr, CString};
use std::os::fd::{AsRawFd, OwnedFd};

use bot_base::config::channel::Through;
use bot_base::error::{Error, say, tell};
use bot_base::paths::Folder;
use confine::Forked;
use documents::profile_file::Profile;
use documents::profile_file::server::Server;
use net::secrets::{Secrets, admin_of};
use nix::errno::Errno;
use nix::unistd::{dup2_stdout, execve};
use shared_types::exit;
use shared_types::home::Home;
use shared_types::id::{HostName, ProfileId, SecretName};
use user_agent::start::{Options, Prepared, home, profiles, read_config, user};
use zeroize::Zeroizing;

use crate::life::{drive, handed_over, start_again};
use crate::tokens::Caller;
use frames::Order;
use rooms::{Channel, POLLS, Rooms};

pub(crate) mod draft;
pub mod frames;
pub mod kept;
pub(crate) mod parts;
pub mod poll;
pub mod rooms;
pub(crate) mod server;
mod signs;
pub(crate) mod words;

/// A messenger as a profile's file sets it up.
pub(crate) struct Messenger {
    pub server: Server,
    /// The account of the assistant, where the file names it.
    pub user: Option<String>,
    /// The secret that holds the token.
    pub token: SecretName,
    /// Whether it holds for a child or a teenager as well.
    pub minors: bool,
    /// What `mind` knows of it.
    pub channel: Channel,
}

impl Messenger {
    /// As whom the assistant talks.
    fn shown(&self) -> String {
        self.user.clone().unwrap_or_else(|| format!("the bot of {}", self.token))
    }
}

/// A kind of messenger.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// Its channel.
    pub through: Through,
    /// How a profile's file sets it up, if it does.
    pub of: fn(&Profile) -> Option<Messenger>,
}

impl Kind {
    /// Answers until a signal ends it, or the account is no longer accepted.
    ///
    /// # Errors
    /// What forbids the start.
    pub(crate) fn run(self, options: &Options, readonly: bool) -> Result<u8, Error> {
        let place = home::choose(options)?;
        home::check(&place, &options.profile)?;
        let config_folder = Folder::root(&place.config())?;
        let config = read_config(&place, &config_folder)?;
        if !config.channel(self.through).enabled {
            return Err(Error::ChannelOff(self.through.name()));
        }
        user::find(&config.security)?;
        let settings = profiles::read(&place, &options.profile, &config_folder)?;
        let messenger = self.allowed(&settings, &options.profile, &config.local)?;
        drop(config_folder);
        say(&format!("talking as {} through {}", messenger.shown(), messenger.server));
        start_again(|socket| {
            self.serve(options, readonly, socket).unwrap_or_else(|error| {
                tell(&error);
                error.exit_code()
            })
        })
    }

    /// The messenger of a profile, where it has one that may be used.
    fn allowed(
        self,
        settings: &Profile,
        profile: &ProfileId,
        local: &[HostName],
    ) -> Result<Messenger, Error> {
        let usage = |what: String, hint: String| Error::Usage { what, hint };
        let name = self.through.name();
        let Some(messenger) = (self.of)(settings) else {
            return Err(usage(
                format!("the profile `{profile}` names no server and account for `cl-bot {name}`"),
                format!("`{name}` in its file says which: docs/guides/{name}.md"),
            ));
        };
        if settings.audience.is_minor() && !messenger.minors {
            let title = messenger.channel.title;
            return Err(usage(
                format!("`{profile}` is for a {}, who is not reached through {title}", settings.audience),
                format!("`{name}.minors: true` in the profile's file allows it"),
            ));
        }
        let server = &messenger.server;
        // The token would cross the network for everybody to read.
        let is_named = local.contains(&server.host) && server.is_of_this_machine();
        if !server.tls && !is_named {
            return Err(usage(
                format!("{server} has no TLS"),
                "use https, or a server of this machine that `network.local` of the configuration names with its port"
                    .to_owned(),
            ));
        }
        Ok(messenger)
    }

    fn serve(self, options: &Options, readonly: bool, starter: OwnedFd) -> Result<u8, Error> {
        let keep = [starter.as_raw_fd()];
        drive(options, readonly, self.through, &keep, |prepared| {
            let messenger = self.allowed(&prepared.settings, &prepared.profile, &prepared.config.local)?;
            let socket = self.split(prepared, &messenger)?;
            let words = words::of(prepared.settings.language.as_deref());
            Ok((Box::new(Rooms::new(messenger.channel, words, socket)), Some(starter), Some(Caller::Person)))
        })
    }

    /// Forks the process off that talks to the server; only the parent returns, with its end of the socket.
    fn split(self, prepared: &Prepared, messenger: &Messenger) -> Result<OwnedFd, Error> {
        let failed = |source| Error::System { what: POLLS, source };
        match confine::fork_pair().map_err(failed)? {
            Forked::Child { socket } => {
                tell(&self.become_poll(prepared, messenger, &socket));
                std::process::exit(i32::from(exit::FAILED))
            }
            Forked::Parent { socket, .. } => Ok(socket),
        }
    }

    /// Begins this program anew with its order alone in memory. Comes back only with what went wrong.
    fn become_poll(self, prepared: &Prepared, messenger: &Messenger, socket: &OwnedFd) -> Error {
        let failed = |source| Error::System { what: POLLS, source };
        // Before the user is given up: root may be the one who reads the token.
        let order = match order(prepared, messenger) {
            Ok(order) => order,
            Err(error) => return error,
        };
        if let Some(Err(error)) = prepared.user.as_ref().map(|user| confine::become_for_good(user, &[])) {
            return error.into();
        }
        let handed = serde_json::to_vec(&order).map(Zeroizing::new).map_err(std::io::Error::other);
        let file = match handed.and_then(|bytes| handed_over(&bytes)) {
            Ok(file) => file,
            Err(error) => return failed(error),
        };
        let messenger = format!("--{}", self.through.name());
        let words = ["cl-door".to_owned(), messenger, "--polls".to_owned(), file.as_raw_fd().to_string()];
        let words: Vec<CString> = words.into_iter().filter_map(|word| CString::new(word).ok()).collect();
        match dup2_stdout(socket).and_then(|()| execve(c"/proc/self/exe", &words, &[] as &[&CStr])) {
            Err(errno) => failed(Errno::into(errno)),
            Ok(never) => match never {},
        }
    }
}

fn order(prepared: &Prepared, messenger: &Messenger) -> Result<Order, Error> {
    let home: &Home = &prepared.home;
    let secrets = Secrets::open(home, admin_of(home));
    let host = &messenger.server.host;
    let token = secrets.bound_to(&messenger.token, host).map_err(|error| Error::Usage {
        what: format!("the access token of {}: {error}", messenger.shown()),
        hint: format!("`cl-admin secret set {} --for {host}` stores it", messenger.token),
    })?;
    Ok(Order {
        server: messenger.server.to_string(),
        host: host.clone(),
        local: prepared.config.local.clone(),
        user: messenger.user.clone().unwrap_or_default(),
        people: messenger.channel.people.iter().map(|person| person.id.clone()).collect(),
        token: token.expose().to_owned(),
        hidden: [
            home.admin(),
            home.certificates(),
            home.credentials(),
            home.secrets(),
            home.data().to_owned(),
        ]
        .to_vec(),
        namespace: !prepared.config.security.landlock,
    })
}
