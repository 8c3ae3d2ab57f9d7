//! `cl-bot serve`: replaces itself by the program that answers over HTTP, so that this one holds no server.

use std::ffi::{CString, OsString};
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use bot_base::error::Error;
use clap::Args;
use nix::errno::Errno;

use crate::start::Options;

/// The program, which is beside this one.
const PROGRAM: &str = "cl-door";

/// What `serve` takes; the other program reads it again, and judges it.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Listen on this loopback address in place of the one that the profile's file names, as in 127.0.0.1:8787
    #[arg(long, value_name = "IP:PORT", conflicts_with = "socket")]
    listen: Option<OsString>,

    /// Listen on a socket file of this user alone, here [default: door.sock in the profile's folder]
    #[arg(long, value_name = "FILE")]
    socket: Option<PathBuf>,

    /// Allow calls of low risk only, regardless of the profile
    #[arg(long)]
    readonly: bool,
}

/// Becomes the other program; comes back only where that fails.
pub(super) fn run(options: &Options, arguments: &Arguments) -> Result<u8, Error> {
    let Arguments { listen, socket, readonly } = arguments;
    let socket = socket.clone().map(PathBuf::into_os_string);
    become_door(options, *readonly, &[("--socket", socket), ("--listen", listen.clone())], &[])
}

/// Becomes the other program, with the options of every command, these ones, and words without a value.
pub(super) fn become_door(
    options: &Options,
    readonly: bool,
    more: &[(&str, Option<OsString>)],
    more_words: &[&str],
) -> Result<u8, Error> {
    let path = |path: &Option<PathBuf>| path.clone().map(PathBuf::into_os_string);
    let with_values = [
        ("--profile", Some(options.profile.as_str().into())),
        ("--home", path(&options.home)),
        ("--pin-file", path(&options.pin_file)),
    ];
    let mut words = vec![];
    for (name, value) in with_values.iter().chain(more) {
        if let Some(value) = value {
            words.extend([name.into(), value.clone()]);
        }
    }
    words.extend(readonly.then(|| "--readonly".into()));
    words.extend(more_words.iter().map(OsString::from));
    replace(words)
}

/// Becomes the other program with these words; comes back only where that fails.
pub(super) fn replace(words: Vec<OsString>) -> Result<u8, Error> {
    let own = std::env::current_exe().map_err(Error::io(PROGRAM.as_ref()))?;
    let program = own.with_file_name(PROGRAM);
    let words = std::iter::once(program.clone().into_os_string()).chain(words);
    let words: Result<Vec<CString>, _> = words.map(|word| CString::new(word.into_vec())).collect();
    // A word with a zero byte cannot have come from a command line.
    let words = words.map_err(|e| Error::io(&program)(io::Error::other(e)))?;
    match nix::unistd::execv(&words[0], &words) {
        Err(Errno::ENOENT) => Err(Error::Usage {
            what: format!("`{PROGRAM}` is not beside {}", own.display()),
            hint: "install it from the same release: the packages and archives hold both".to_owned(),
        }),
        Err(errno) => Err(Error::io(&program)(errno.into())),
        Ok(never) => match never {},
    }
}
