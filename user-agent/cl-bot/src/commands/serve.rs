//! `cl-bot serve`: replaces itself by the program that answers over HTTP, so that this one holds no server.

use std::io;
use std::net::SocketAddr;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;

use bot_base::error::Error;
use clap::Args;

use crate::start::Options;

/// The program, which lies beside this one.
const PROGRAM: &str = "cl-door";

/// What `serve` takes.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Listen on this loopback address in place of the one that the profile's file names, as in 127.0.0.1:8787
    #[arg(long, value_name = "IP:PORT", conflicts_with = "socket")]
    pub listen: Option<SocketAddr>,

    /// Listen on a socket file of this user alone, here [default: door.sock in the profile's folder]
    #[arg(long, value_name = "FILE")]
    pub socket: Option<PathBuf>,

    /// Let no more than calls of low risk happen, whatever the profile allows
    #[arg(long)]
    pub readonly: bool,
}

/// Becomes the other program; comes back only where that fails.
pub(super) fn run(options: &Options, arguments: &Arguments) -> Result<u8, Error> {
    let failed = |path: PathBuf| move |source: io::Error| Error::Io { path, source };
    let own = std::env::current_exe().map_err(failed(PROGRAM.into()))?;
    let program = own.with_file_name(PROGRAM);
    #[expect(clippy::disallowed_types, reason = "this process becomes another one, before anything else")]
    let mut command = std::process::Command::new(&program);
    command.args(["--profile", options.profile.as_str()]);
    let Arguments { listen, socket, readonly } = arguments;
    let paths = [("--home", &options.home), ("--pin-file", &options.pin_file), ("--socket", socket)];
    for (name, path) in paths {
        if let Some(path) = path {
            command.arg(name).arg(path);
        }
    }
    if let Some(listen) = listen {
        command.args(["--listen", &listen.to_string()]);
    }
    if *readonly {
        command.arg("--readonly");
    }
    let source = command.exec();
    match source.kind() {
        io::ErrorKind::NotFound => Err(Error::Usage {
            what: format!("`{PROGRAM}` is not beside {}", own.display()),
            hint: "install it from the same release: the packages and archives hold both".to_owned(),
        }),
        _ => Err(failed(program)(source)),
    }
}
