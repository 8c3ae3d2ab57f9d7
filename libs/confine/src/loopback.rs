//! A network of its own, in which nothing is but listeners of ours.
//!
//! A child that may reach named hosts gets a network namespace whose loopback is up. Each host has an address of its own there, so
//! that the relay knows by the address which host was meant. The listeners are made before the child's table of calls, and
//! go to its parent over a socket: the parent accepts from outside, and the child can neither listen nor accept.

use std::{
    io::{self, IoSlice, IoSliceMut},
    net::{SocketAddrV4, TcpListener},
    os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
    path::PathBuf,
};

use nix::{
    errno::Errno,
    sys::socket::{
        AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, UnixAddr, recvmsg,
        sendmsg, socket,
    },
};

use crate::ConfineError;

/// What a network of its own holds.
#[derive(Debug)]
pub struct Loopback<'a> {
    /// Where is listened, at most [`MOST_LISTENERS`]; each address is one of the loopback.
    pub at: Vec<SocketAddrV4>,
    /// Files that are there in the view of the child alone, with their text: those by which names are found.
    pub files: Vec<(PathBuf, String)>,
    /// The socket over which the listeners go, in the order of their addresses: see [`receive_listeners`].
    pub to: BorrowedFd<'a>,
}

impl Loopback<'_> {
    /// Brings the loopback of the own network up, listens, and hands the listeners over.
    pub(crate) fn listen(&self) -> Result<(), ConfineError> {
        let step = |step| move |source| ConfineError::Loopback { step, source };
        bring_up().map_err(step("bringing up its loopback"))?;
        let listeners: Vec<TcpListener> = self
            .at
            .iter()
            .map(|at| TcpListener::bind(at).map_err(errno))
            .collect::<Result<_, _>>()
            .map_err(step("listening on its loopback"))?;
        let numbers: Vec<RawFd> = listeners.iter().map(AsRawFd::as_raw_fd).collect();
        let (data, rights) = ([IoSlice::new(b"l")], [ControlMessage::ScmRights(&numbers)]);
        sendmsg::<UnixAddr>(self.to.as_raw_fd(), &data, &rights, MsgFlags::MSG_NOSIGNAL, None)
            .map_err(step("handing over its listeners"))
            .map(drop)
    }
}

/// Takes over the listeners of a child, as many as it has addresses; none where it ended or was refused before. Waits no longer
/// than the socket's own limit, which is an error of kind `WouldBlock`.
///
/// # Errors
/// The system's, and a message that cannot be one of the child's.
pub fn receive_listeners(from: &impl AsFd) -> io::Result<Vec<OwnedFd>> {
    let mut byte = [0];
    let mut room = nix::cmsg_space!([RawFd; MOST_LISTENERS]);
    let mut data = [IoSliceMut::new(&mut byte)];
    let number = from.as_fd().as_raw_fd();
    let message = recvmsg::<UnixAddr>(number, &mut data, Some(&mut room), MsgFlags::MSG_CMSG_CLOEXEC)?;
    let mut listeners = Vec::new();
    for rights in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(numbers) = rights {
            // SAFETY: the kernel has just made these descriptors for this process, and nobody else knows them.
            listeners.extend(numbers.into_iter().map(|number| unsafe { OwnedFd::from_raw_fd(number) }));
        }
    }
    Ok(listeners)
}

fn errno(error: io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(libc::EIO))
}

/// The kernel gives a loopback that comes up 127.0.0.0/8 automatically.
fn bring_up() -> Result<(), Errno> {
    let any = socket(AddressFamily::Inet, SockType::Datagram, SockFlag::SOCK_CLOEXEC, None)?;
    // SAFETY: all zeroes is a valid request, a struct of characters and integers.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = libc::c_char::try_from(*from).unwrap_or_default();
    }
    // SAFETY: the request is one of an interface's flags, and lives through the call.
    Errno::result(unsafe {
        libc::ioctl(any.as_raw_fd(), libc::SIOCGIFFLAGS as libc::Ioctl, &raw mut request)
    })?;
    // SAFETY: the call before has written the flags.
    unsafe { request.ifr_ifru.ifru_flags |= libc::IFF_UP as libc::c_short };
    // SAFETY: as the first.
    Errno::result(unsafe {
        libc::ioctl(any.as_raw_fd(), libc::SIOCSIFFLAGS as libc::Ioctl, &raw mut request)
    })
    .map(drop)
}

/// The most listeners of a child.
pub const MOST_LISTENERS: usize = 16;
