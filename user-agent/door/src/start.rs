//! From the command line to four processes, or to two where an editor is answered.
//!
//! The starter opens the socket and starts the others; when they end with code 75, it starts them again, and those who come
//! meanwhile wait in the socket.

use std::ffi::{CStr, CString};
use std::fs::OpenOptions;
use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::sync::Arc;

use bot_base::config::Backend;
use bot_base::config::channel::Through;
use bot_base::error::{Error, say, tell};
use bot_base::paths::Folder;
use certificates::Files;
use clap::Parser;
use confine::{FileRules, Forked, Limits, Manner, Role, Tier, Wall};
use documents::profile_file::Door;
use nix::errno::Errno;
use nix::unistd::{dup2_stdin, dup2_stdout, execve};
use rustls::ServerConfig;
use shared_types::exit;
use shared_types::home::Home;
use shared_types::id::ProfileId;
use user_agent::commands::completions::{self, Known};
use user_agent::start::{Options, Prepared, home, profiles, read_config, user};
use web::rules::Rules;
use zeroize::Zeroizing;

use crate::acp::Editor;
use crate::http;
use crate::life::{drive, leave_signals, start_again};
use crate::listener::{self, Listener, Place};
use crate::matrix;
use crate::mcp;
use crate::side::Socket;
use crate::telegram;
use crate::tls;
use crate::tokens::Caller;
use crate::voice;

/// Answers programs over HTTP, a messenger, a voice, an editor, or a client of MCP; `cl-bot serve`, `matrix`, `telegram`, `voice`, `acp` and `mcp` start it
#[derive(Debug, Parser)]
#[command(name = "cl-door", version, max_term_width = 100)]
pub struct CommandLine {
    /// The home folder [default: $TAMECLAW_HOME, or ~/.tameclaw]
    #[arg(long, value_name = "FOLDER")]
    home: Option<PathBuf>,

    /// The profile
    #[arg(long, value_name = "ID", default_value = "default")]
    profile: ProfileId,

    /// The file (mode 0600) that holds the profile's PIN
    #[arg(long, value_name = "FILE")]
    pin_file: Option<PathBuf>,

    /// Listen on this loopback address, or on the one that the profile's file names
    #[arg(long, value_name = "IP:PORT", value_parser = web::rules::address, conflicts_with = "socket")]
    listen: Option<SocketAddr>,

    /// Listen on a socket file of this user alone
    #[arg(long, value_name = "FILE")]
    socket: Option<PathBuf>,

    /// Allow calls of low risk only, regardless of the profile
    #[arg(long)]
    readonly: bool,

    /// Answer an editor by the Agent Client Protocol, on standard input and output
    #[arg(long, conflicts_with_all = ["listen", "socket"])]
    acp: bool,

    /// Offer the approved skills to a client of the Model Context Protocol, on standard input and output
    #[arg(long, conflicts_with_all = ["listen", "socket", "acp"])]
    mcp: bool,

    /// Talk through a Matrix server, as the profile's file says
    #[arg(long, conflicts_with_all = ["listen", "socket", "acp", "mcp"])]
    matrix: bool,

    /// Talk through a Telegram bot, as the profile's file says
    #[arg(long, conflicts_with_all = ["listen", "socket", "acp", "mcp", "matrix"])]
    telegram: bool,

    /// Talk by voice, with the services that the profile's file names
    #[arg(long, conflicts_with_all = ["listen", "socket", "acp", "mcp", "matrix", "telegram"])]
    voice: bool,

    #[command(flatten)]
    talk: voice::Arguments,

    /// Print what a shell needs to complete the command line of `cl-bot`
    #[arg(long, hide = true, value_name = "SHELL")]
    completions: Option<Known>,

    /// Be the process that talks to the messenger's server: the number of a sealed file with its order; `mind` is on standard output
    #[arg(long, hide = true, value_name = "NUMBER")]
    polls: Option<String>,

    /// Be the process that reads HTTP: `file`, or the address of the socket on standard input; `mind` is on standard output
    #[arg(long, hide = true, value_name = "PLACE")]
    answers: Option<String>,

    /// A name by which that process may be called
    #[arg(long = "host", hide = true, value_name = "NAME")]
    hosts: Vec<String>,

    /// The address of a proxy that says from where a request came
    #[arg(long = "proxy", hide = true, value_name = "IP")]
    proxies: Vec<IpAddr>,

    /// The language of that process's pages, where the profile has one
    #[arg(long, hide = true, value_name = "CODE")]
    language: Option<String>,

    /// The number of a sealed file with the certificate by which that process answers
    #[arg(long = "certificate-in", hide = true, value_name = "NUMBER")]
    certificate: Option<RawFd>,

    /// Confine that process by a view of the file system
    #[arg(long, hide = true)]
    namespace: bool,
}

/// What stands for a socket file, whose path the door need not know.
const ANY_FILE: &str = "file";
/// The most connections of the door at a time, and what it has open besides.
const OPEN_FILES: u64 = 600;

/// Opens the socket and answers until a signal ends it.
///
/// # Errors
/// What prevents the start.
pub fn run(line: CommandLine) -> Result<u8, Error> {
    if let Some(place) = &line.answers {
        return answer(place, &line);
    }
    if let Some(shell) = line.completions {
        return Ok(completions::print(shell));
    }
    if let Some(number) = &line.polls {
        return if line.telegram { telegram::polls(number) } else { matrix::polls(number) };
    }
    let options = Options { home: line.home, profile: line.profile, pin_file: line.pin_file };
    if line.mcp {
        return mcp::run(&options, line.readonly);
    }
    if line.matrix {
        return matrix::run(&options, line.readonly);
    }
    if line.telegram {
        return telegram::run(&options, line.readonly);
    }
    if line.voice {
        return voice::run(&options, line.readonly, &line.talk);
    }
    if line.acp {
        return with_editor(&options, line.readonly);
    }
    let place = home::choose(&options)?;
    home::check(&place, &options.profile)?;
    let config_folder = Folder::root(&place.config())?;
    let config = read_config(&place, &config_folder)?;
    // `mind` decides; no address is announced at which nothing will answer.
    if !config.channel(Through::Door).enabled {
        return Err(Error::ChannelOff(Through::Door.name()));
    }
    let becomes = user::find(&config.security)?;
    let settings = profiles::read(&place, &options.profile, &config_folder)?;
    let default = place.profile(&options.profile).join("door.sock");
    let wanted = (line.listen, line.socket.as_deref());
    let listener = listener::open(wanted, &settings.door, default, becomes.as_ref())?;
    drop(config_folder);
    let files = files(&place, &settings.door, &listener.place);
    let certificate = files.as_ref().map(tls::check).transpose()?;
    listener::announce(&listener.place, certificate.as_ref(), settings.door.tokens.len());
    let place = listener.place.clone();
    let mut listener = Some(listener);
    let ended = start_again(|socket| {
        // Each process has this value as the starter left it.
        let listener = listener.take().expect("a process begins once");
        live(&options, line.readonly, listener, files.clone(), socket)
    });
    forget(&place);
    ended
}

/// Takes a socket file away, so that nobody knocks in vain.
fn forget(place: &Place) {
    if let Place::File(path) = place {
        #[expect(clippy::disallowed_methods, reason = "the socket that this process made, at its path")]
        let _ = std::fs::remove_file(path);
    }
}

/// The life of the process that becomes `mind`; answers its exit code.
fn live(options: &Options, readonly: bool, listener: Listener, files: Option<Files>, starter: OwnedFd) -> u8 {
    match serve(options, readonly, listener, files.as_ref(), starter) {
        Ok(code) => code,
        Err(error) => {
            tell(&error);
            error.exit_code()
        }
    }
}

fn serve(
    options: &Options,
    readonly: bool,
    listener: Listener,
    files: Option<&Files>,
    starter: OwnedFd,
) -> Result<u8, Error> {
    let keep = [listener.socket.as_raw_fd(), starter.as_raw_fd()];
    drive(options, readonly, Through::Door, &keep, |prepared| {
        // At a socket that this user alone can reach, nobody needs a token.
        let bare = listener.place.is_own().then_some(Caller::Person);
        let socket = split(prepared, listener, files)?;
        Ok((Box::new(Socket::new(socket)), Some(starter), bare))
    })
}

/// The editor's side of the bot: one process that becomes `mind`, with its `net`.
fn with_editor(options: &Options, readonly: bool) -> Result<u8, Error> {
    if std::io::stdin().is_terminal() {
        return Err(Error::Usage {
            what: "`acp` speaks with an editor on standard input and output, and this is a terminal"
                .to_owned(),
            hint: "an editor starts it: its settings name the command `cl-bot` with the argument `acp`"
                .to_owned(),
        });
    }
    let ended = drive(options, readonly, Through::Cli, &[], |prepared| {
        let keeps = prepared.config.memory.backend != Backend::None;
        // An editor sends what it likes: nobody knows that a person typed it.
        Ok((Box::new(Editor::new(keeps)), None, Some(Caller::Program)))
    })?;
    if ended == exit::RESTART {
        say("something was installed; have the editor start `cl-bot acp` again to use it");
    }
    Ok(ended)
}

/// Forks the door off, before anything of the profile is talked about; only the parent returns, with its end of the socket.
fn split(prepared: &Prepared, listener: Listener, files: Option<&Files>) -> Result<OwnedFd, Error> {
    let failed = |source| Error::System { what: "the door could not be started", source };
    match confine::fork_pair().map_err(failed)? {
        Forked::Child { socket } => {
            tell(&become_door(prepared, &socket, &listener, files));
            std::process::exit(i32::from(exit::FAILED))
        }
        Forked::Parent { socket, .. } => Ok(socket),
    }
}

/// The files of the certificate; a socket file has no TLS. As the socket, they stay what they are until the starter ends: what the
/// profile's file says meanwhile takes TLS from no address.
fn files(home: &Home, door: &Door, place: &Place) -> Option<Files> {
    if place.is_own() { None } else { tls::files(home, door) }
}

/// Begins this program anew as the door, so that nothing that was read is in its memory: no hash of a PIN or a token, and no
/// variable. The files of the certificate are read anew. Comes back only with what went wrong.
fn become_door(prepared: &Prepared, socket: &OwnedFd, listener: &Listener, files: Option<&Files>) -> Error {
    let failed = |errno: Errno| Error::System { what: "the door could not be started", source: errno.into() };
    // Before the user is given up: root may be the one who reads the key.
    let certificate = match files.map(tls::handed_over).transpose() {
        Ok(certificate) => certificate,
        Err(error) => return error,
    };
    if let Some(Err(error)) = prepared.user.as_ref().map(|user| confine::become_for_good(user, &[])) {
        return error.into();
    }
    let place = match &listener.place {
        Place::File(_) => ANY_FILE.to_owned(),
        Place::Tcp(address) => address.to_string(),
    };
    let profile = prepared.profile.to_string();
    let mut words =
        vec!["cl-door".to_owned(), "--answers".to_owned(), place, "--profile".to_owned(), profile];
    for host in &prepared.settings.door.hosts {
        words.extend(["--host".to_owned(), host.clone()]);
    }
    for proxy in &prepared.settings.door.proxies {
        words.extend(["--proxy".to_owned(), proxy.to_string()]);
    }
    if let Some(language) = &prepared.settings.language {
        words.extend(["--language".to_owned(), language.clone()]);
    }
    if let Some(certificate) = &certificate {
        words.extend(["--certificate-in".to_owned(), certificate.as_raw_fd().to_string()]);
    }
    if !prepared.config.security.landlock {
        words.push("--namespace".to_owned());
    }
    let words: Vec<CString> = words.into_iter().filter_map(|word| CString::new(word).ok()).collect();
    let begun = dup2_stdin(&listener.socket).and_then(|()| dup2_stdout(socket));
    match begun.and_then(|()| execve(c"/proc/self/exe", &words, &[] as &[&CStr])) {
        Err(errno) => failed(errno),
        Ok(never) => match never {},
    }
}

/// The door's whole life: it has one socket that listens, and one to `mind`. The file with its certificate is closed once it is read.
fn answer(place: &str, line: &CommandLine) -> Result<u8, Error> {
    confine::close_inherited(line.certificate.as_slice());
    let failed = |what| move |source| Error::System { what, source };
    let no_socket = failed("the door has no socket");
    let socket = std::io::stdout().as_fd().try_clone_to_owned().map_err(no_socket)?;
    let listening = std::io::stdin().as_fd().try_clone_to_owned().map_err(no_socket)?;
    let place = match place {
        ANY_FILE => Place::File(PathBuf::new()),
        address => Place::Tcp(address.parse().map_err(|e| no_socket(std::io::Error::other(e)))?),
    };
    let address = if let Place::Tcp(address) = place { Some(address) } else { None };
    let tls = line.certificate.map(certificate_in).transpose().map_err(failed("the door's certificate"))?;
    let (hosts, proxies) = (line.hosts.clone(), line.proxies.clone());
    let rules = Rules { address, hosts, is_tls: tls.is_some(), proxies };
    confined(line.namespace)?;
    http::serve(
        socket,
        Listener { socket: listening, place },
        tls,
        rules,
        (&line.profile, line.language.as_deref()),
    )
    .map_err(failed("the process that answers over HTTP"))?;
    Ok(exit::DONE)
}

/// The certificate with its key, from the file that this process was left.
fn certificate_in(number: RawFd) -> std::io::Result<Arc<ServerConfig>> {
    let bytes = confine::unsealed(&number.to_string()).map(Zeroizing::new)?;
    certificates::unpacked(&bytes).ok_or_else(|| std::io::Error::other("it cannot be read"))
}

/// Confines the door: it opens nothing, and connects to nobody. Without the table of calls there is no door.
fn confined(namespace: bool) -> Result<(), Error> {
    leave_signals()?;
    #[expect(clippy::disallowed_methods, reason = "a device of the system")]
    let null = OpenOptions::new().read(true).write(true).open("/dev/null");
    if let Ok(null) = null {
        let _ = dup2_stdin(&null);
        let _ = dup2_stdout(&null);
    }
    let limits = Limits {
        address_space: Some(2 << 30),
        open_files: Some(OPEN_FILES),
        file_size: Some(0),
        ..Limits::default()
    };
    let wall = if namespace { Wall::Namespace } else { Wall::Either };
    let manner = Manner { wall, ..Manner::default() };
    let held = confine::confine_as(Role::Door, &FileRules::default(), &limits, &manner)?;
    if held.seccomp {
        return Ok(());
    }
    let missing = "seccomp, so nobody is answered over HTTP".to_owned();
    let remedy = "use a kernel with seccomp".to_owned();
    Err(Error::Isolation { found: Tier::Degraded, wanted: Tier::Process, missing, remedy })
}
