//! The one socket that listens: given by a service manager, a TCP address, or a socket file of this user alone.

#![expect(clippy::disallowed_types, reason = "the one socket of this program, opened before confinement")]
#![expect(
    clippy::disallowed_methods,
    reason = "a socket file that nobody answers at is removed, before confinement"
)]

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use bot_base::error::{Error, say};
use certificates::Certificate;
use confine::User;
use documents::profile_file::Door;
use nix::sys::stat::{Mode, umask};

use crate::tls;

/// The socket, and what is known of it.
#[derive(Debug)]
pub struct Listener {
    /// The descriptor.
    pub socket: OwnedFd,
    /// Where it listens.
    pub place: Place,
}

/// Where the socket listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An address: each request needs a token.
    Tcp(SocketAddr),
    /// A socket file, which its mode keeps to this user.
    File(PathBuf),
}

impl Place {
    /// Whether only this user can come here.
    pub fn is_own(&self) -> bool {
        matches!(self, Place::File(_))
    }
}

/// Opens the socket: the one that was given, or the first of the command line, of the profile's file, and of the default.
///
/// # Errors
/// An address beyond this machine that the configuration does not name, one that is taken, or a path that is too long.
pub fn open(
    (listen, socket): (Option<SocketAddr>, Option<&Path>),
    door: &Door,
    default: PathBuf,
    user: Option<&User>,
) -> Result<Listener, Error> {
    if let Some(given) = confine::handed_over() {
        return of_given(given, door);
    }
    if let Some(address) = listen {
        check(address, door)?;
        return tcp(address);
    }
    match (socket, door.listen) {
        (Some(path), _) => file(path, user),
        (None, Some(address)) => tcp(address),
        (None, None) => file(&default, user),
    }
}

/// A socket of a service manager. It is one of IP: whose mode a socket file has is the manager's matter, and not known here.
fn of_given(socket: OwnedFd, door: &Door) -> Result<Listener, Error> {
    let listener = TcpListener::from(socket);
    let address = listener.local_addr().map_err(|source| Error::System {
        what: "the socket that was handed over is not one of TCP",
        source,
    })?;
    check(address, door)?;
    Ok(Listener { socket: listener.into(), place: Place::Tcp(address) })
}

/// Refuses an address beyond this machine that the configuration does not name.
fn check(address: SocketAddr, door: &Door) -> Result<(), Error> {
    if address.ip().is_loopback() || door.listen == Some(address) {
        return Ok(());
    }
    Err(Error::Usage {
        what: format!(
            "{address} can be reached from other machines, and the profile's file does not name it"
        ),
        hint: format!(
            "`cl-admin door listen {address}` names it; an address of this machine alone does not need it"
        ),
    })
}

fn tcp(address: SocketAddr) -> Result<Listener, Error> {
    let refused = |source: io::Error| Error::System { what: "the address cannot be listened at", source };
    let listener = TcpListener::bind(address).map_err(|source| match source.kind() {
        io::ErrorKind::AddrNotAvailable => Error::Usage {
            what: format!("{address} is not an address of this machine"),
            hint: "`ip address` shows the addresses that it has; name one of them with --listen, or by `cl-admin door listen`"
                .to_owned(),
        },
        io::ErrorKind::PermissionDenied => Error::Usage {
            what: format!("this user may not listen at {address}"),
            hint: "choose a port from 1024 on, or have a service manager hand the socket over".to_owned(),
        },
        io::ErrorKind::AddrInUse => Error::Usage {
            what: format!("{address} is in use already"),
            hint: "end the program that listens there, or choose another port with --listen".to_owned(),
        },
        _ => refused(source),
    })?;
    let address = listener.local_addr().map_err(refused)?;
    Ok(Listener { socket: listener.into(), place: Place::Tcp(address) })
}

/// A socket file of mode 0600. One that nobody answers at any more is replaced.
fn file(path: &Path, user: Option<&User>) -> Result<Listener, Error> {
    let refused = |source| Error::io(path)(source);
    if UnixStream::connect(path).is_ok() {
        return Err(Error::Usage {
            what: format!("{} is answered already", path.display()),
            hint: "end the other `cl-bot serve` of this profile, or give this one a place of its own with --socket".to_owned(),
        });
    }
    if is_socket(path) {
        fs::remove_file(path).map_err(refused)?;
    }
    let before = umask(Mode::from_bits_truncate(0o177));
    let bound = UnixListener::bind(path);
    umask(before);
    let listener = bound.map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => Error::Usage {
            what: format!("{} is there already and is not a socket; it stays as it is", path.display()),
            hint: "--socket FILE names another place".to_owned(),
        },
        io::ErrorKind::NotFound => Error::Usage {
            what: format!("{} cannot be made: its folder is missing", path.display()),
            hint: "make the folder, or name another place by --socket FILE".to_owned(),
        },
        io::ErrorKind::InvalidInput => Error::Usage {
            what: format!("{} is too long for a socket: at most 107 bytes", path.display()),
            hint: "--socket FILE names a shorter one".to_owned(),
        },
        _ => refused(source),
    })?;
    if let Some(user) = user.filter(|_| nix::unistd::geteuid().is_root()) {
        std::os::unix::fs::lchown(path, Some(user.uid()), Some(user.gid())).map_err(refused)?;
    }
    Ok(Listener { socket: listener.into(), place: Place::File(path.to_owned()) })
}

fn is_socket(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_socket())
}

/// Says where to come, and how.
pub fn announce(place: &Place, certificate: Option<&Certificate>, tokens: usize) {
    match place {
        Place::File(path) => say(&format!("listening at {} (this user alone)", path.display())),
        Place::Tcp(address) => {
            match certificate {
                Some(certificate) => {
                    say(&format!("listening at https://{address}"));
                    tls::announce(certificate);
                }
                None => {
                    say(&format!("listening at http://{address}"));
                    if !address.ip().to_canonical().is_loopback() {
                        say(&format!(
                            "warning: other machines reach {address}, and the connection has no TLS; `cl-admin door listen {address} \
                             --tls-made` makes a certificate, and a proxy before an address of this machine does as well"
                        ));
                    }
                }
            }
            if tokens == 0 {
                say("hint: no token is known yet, so nobody is answered; `cl-admin door add NAME` makes one");
            }
        }
    }
}
