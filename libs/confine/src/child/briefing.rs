//! Passes orders to a child of this program and reads its report, on descriptors that no other process holds.
//!
//! The orders are in a sealed file in memory, not in the command line, which every process of the machine may read. The
//! report is a pipe that is closed before the child starts the first program of others, so none of these programs can write
//! to it.

use std::{
    fs::File,
    io::{self, PipeReader, PipeWriter, Read, Seek, Write},
    os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
    process::Command,
};

use nix::{
    errno::Errno,
    fcntl::{FcntlArg, FdFlag, OFlag, SealFlag, fcntl},
    sys::memfd::{MFdFlags, memfd_create},
};

/// The parent's side: it lives until the child has ended.
pub(super) struct Handed {
    orders: File,
    writer: Option<PipeWriter>,
    reader: PipeReader,
    /// The number of a socket that the caller holds open until the child was started.
    socket: Option<RawFd>,
}

impl Handed {
    pub(super) fn new(orders: &[u8], socket: Option<BorrowedFd<'_>>) -> io::Result<Handed> {
        let file = sealed(orders)?;
        let (reader, writer) = io::pipe()?;
        fcntl(&reader, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let socket = socket.map(|socket| socket.as_raw_fd());
        Ok(Handed { orders: file, writer: Some(writer), reader, socket })
    }

    /// Names the descriptors in the last argument; the numbers alone are of no use to another process.
    pub(super) fn name(&self, command: &mut Command) -> Vec<RawFd> {
        let own = [self.orders.as_raw_fd(), self.writer.as_ref().map_or(-1, AsRawFd::as_raw_fd)];
        let numbers: Vec<RawFd> = own.into_iter().chain(self.socket).collect();
        command.arg(numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
        numbers
    }

    /// The child has its own end now.
    pub(super) fn started(&mut self) {
        self.writer = None;
    }

    /// What the child reported before it started a program; nothing where it reported nothing.
    pub(super) fn report(&mut self) -> Option<String> {
        let mut said = Vec::new();
        // An end of the pipe that somebody still holds answers `WouldBlock`: what was said before is what counts.
        let _ = Read::by_ref(&mut self.reader).take(MOST_REPORTED).read_to_end(&mut said);
        (!said.is_empty()).then(|| String::from_utf8_lossy(&said).into_owned())
    }
}

/// Lets descriptors outlast the exec that is to come. Safe to call between fork and exec.
pub(super) fn outlast_exec(numbers: &[RawFd]) -> io::Result<()> {
    for number in numbers {
        // SAFETY: the call takes integers only; the parent holds both descriptors open.
        Errno::result(unsafe { libc::fcntl(*number, libc::F_SETFD, 0) })?;
    }
    Ok(())
}

/// The child's side: its orders, and its own word back.
#[derive(Debug)]
pub struct Briefing {
    /// The orders that it received.
    pub orders: Vec<u8>,
    /// Where it reports that it starts nothing.
    pub report: Report,
    /// The socket that it was given by [`super::Child::socket`].
    pub socket: Option<OwnedFd>,
}

impl Briefing {
    /// Takes over the descriptors that the last argument names. All are closed by any exec from here on.
    ///
    /// # Errors
    /// Numbers that the parent did not hand over by [`super::Child::orders`].
    pub fn receive(numbers: &str) -> io::Result<Briefing> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what.to_owned());
        let numbers: Vec<&str> = numbers.split(',').collect();
        let (orders, report, socket) = match numbers.as_slice() {
            [orders, report] => (owned(orders)?, owned(report)?, None),
            [orders, report, socket] => (owned(orders)?, owned(report)?, Some(owned(socket)?)),
            _ => return Err(wrong("two or three descriptors are expected")),
        };
        Ok(Briefing { orders: content(orders)?, report: Report(PipeWriter::from(report)), socket })
    }
}

/// What a file of [`sealed`] holds that the program which became this one left open under a number. It is closed by this, so it can
/// be read once.
///
/// # Errors
/// A number that is not that of such a file.
pub fn unsealed(number: &str) -> io::Result<Vec<u8>> {
    content(owned(number)?)
}

fn content(file: OwnedFd) -> io::Result<Vec<u8>> {
    let seals = fcntl(&file, FcntlArg::F_GET_SEALS).map(SealFlag::from_bits_retain);
    if !seals.is_ok_and(|seals| seals.contains(SEALS)) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a sealed file in memory"));
    }
    let (mut file, mut content) = (File::from(file), Vec::new());
    file.read_to_end(&mut content)?;
    Ok(content)
}

/// The one way to say that nothing was started. It goes with the value, and with any exec.
#[derive(Debug)]
pub struct Report(PipeWriter);

impl Report {
    /// Reports why nothing is started.
    pub fn not_started(mut self, why: &str) {
        let why = if why.is_empty() { "no reason is known" } else { why };
        // The parent may be gone; then nobody needs to know.
        let _ = self.0.write_all(&why.as_bytes()[..why.len().min(MOST_REPORTED as usize)]);
    }
}

/// A file in memory with this content, which nobody can change any more. Closed by any exec.
///
/// # Errors
/// The system has no memory or no descriptor left.
pub fn sealed(content: &[u8]) -> io::Result<File> {
    let mut file = File::from(in_memory()?);
    file.write_all(content)?;
    file.rewind()?;
    fcntl(&file, FcntlArg::F_ADD_SEALS(SEALS))?;
    Ok(file)
}

fn in_memory() -> nix::Result<OwnedFd> {
    /// Never executable: a kernel may be configured to refuse any other.
    const NOEXEC_SEAL: MFdFlags = MFdFlags::from_bits_retain(8);
    let plain = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    match memfd_create(c"orders", plain | NOEXEC_SEAL) {
        // A kernel before 6.3.
        Err(Errno::EINVAL) => memfd_create(c"orders", plain),
        answer => answer,
    }
}

/// A descriptor by its number, closed by any exec.
fn owned(number: &str) -> io::Result<OwnedFd> {
    let wrong = || io::Error::new(io::ErrorKind::InvalidInput, format!("`{number}` is not a descriptor"));
    let number: RawFd = number.parse().ok().filter(|n| *n > 2).ok_or_else(wrong)?;
    // SAFETY: the call takes integers only; a number that is not open is answered by an error.
    Errno::result(unsafe { libc::fcntl(number, libc::F_SETFD, FdFlag::FD_CLOEXEC.bits()) })?;
    // SAFETY: it is open, and the parent handed it over for this process to own; nothing here was given it before.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

const SEALS: SealFlag = SealFlag::F_SEAL_SEAL
    .union(SealFlag::F_SEAL_SHRINK)
    .union(SealFlag::F_SEAL_GROW)
    .union(SealFlag::F_SEAL_WRITE);
/// The longest report, in bytes: it fits into a pipe.
const MOST_REPORTED: u64 = 4096;

#[cfg(test)]
mod tests;
