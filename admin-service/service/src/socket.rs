//! The service's local socket: mode 0600 in a folder of mode 0700, one request a connection.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use api::{Reply, Request};
use base::error::Error;
use base::home::Home;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::EventFd;
use nix::sys::socket::{
    AddressFamily, Backlog, SockFlag, SockType, UnixAddr, bind, listen as listen_at, socket,
};
use nix::sys::stat::{Mode, fchmod};

use super::Runtime;
use super::requests::handle;
use base::log::Event;

/// A request that reads much, while another one does.
#[derive(Debug, thiserror::Error)]
#[error("another request of this kind is being answered; ask again once it is done")]
struct Reading;

/// How long a service may take from its lock to its socket.
const STARTING: Duration = Duration::from_secs(10);
/// How long a service waits for a verb that holds the home.
const HOLD: Duration = Duration::from_secs(3);
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// The same where the service reads gigabytes for it.
const READING: Duration = Duration::from_secs(900);
/// The largest request, in bytes.
const MAX_REQUEST: u64 = 1024 * 1024;

/// Opens the socket; one left behind by a killed service is replaced, since the lock is ours.
///
/// # Errors
/// A folder in which no socket can be made.
pub fn listen(home: &Home) -> Result<UnixListener, Error> {
    let path = path(home);
    remove(home);
    let listener = bound(&path).map_err(Error::io(&path))?;
    listener.set_nonblocking(true).map_err(Error::io(&path))?;
    Ok(listener)
}

/// A socket file of mode 0600 from its first moment: Linux gives the file the mode of the socket that is bound (net/unix/af_unix.c).
pub(super) fn bound(path: &Path) -> io::Result<UnixListener> {
    let socket = socket(AddressFamily::Unix, SockType::Stream, SockFlag::SOCK_CLOEXEC, None)?;
    fchmod(&socket, Mode::from_bits_truncate(0o600))?;
    bind(socket.as_raw_fd(), &UnixAddr::new(path)?)?;
    listen_at(&socket, Backlog::MAXCONN)?;
    Ok(socket.into())
}

/// Removes the socket.
pub fn remove(home: &Home) {
    let _ = fs::remove_file(path(home));
}

/// Answers requests until the service is stopped: one after another, but for one that reads what the bot wrote, which may be
/// gigabytes. Of those one is answered at a time, beside the others.
pub fn answer(listener: &UnixListener, runtime: &Runtime, cancel: &AtomicBool) {
    let reading = AtomicBool::new(false);
    let reading = &reading;
    std::thread::scope(|scope| {
        while !cancel.load(Ordering::Relaxed) {
            let Ok((stream, _)) = listener.accept() else {
                wait(listener, &runtime.ended);
                continue;
            };
            let told = move |answered: io::Result<()>| {
                if let Err(error) = answered {
                    runtime
                        .tell(&Event::RequestFailed {}, &format!("a request could not be answered: {error}"));
                }
            };
            match receive(&stream) {
                Err(error) => told(Err(error)),
                Ok(Ok(request)) if request.reads_much() && !reading.swap(true, Ordering::AcqRel) => {
                    scope.spawn(move || {
                        told(reply(&stream, &answer_to(runtime, request)));
                        reading.store(false, Ordering::Release);
                    });
                }
                Ok(Ok(request)) if request.reads_much() => {
                    told(reply(&stream, &failed(&Error::refused(Reading))));
                }
                Ok(Ok(request)) => told(reply(&stream, &answer_to(runtime, request))),
                Ok(Err(unread)) => {
                    told(reply(&stream, &failed(&Error::step("the request cannot be read")(unread))));
                }
            }
        }
    });
}

/// Sleeps until somebody connects or the service ends.
pub(super) fn wait(listener: &UnixListener, ended: &EventFd) {
    let mut fds = [listener.as_fd(), ended.as_fd()].map(|fd| PollFd::new(fd, PollFlags::POLLIN));
    let _ = poll(&mut fds, PollTimeout::NONE);
}

/// Reads a request; the inner error says why it is invalid.
fn receive(stream: &UnixStream) -> io::Result<serde_json::Result<Request>> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    let mut line = String::new();
    BufReader::new(stream.take(MAX_REQUEST)).read_line(&mut line)?;
    Ok(serde_json::from_str(&line))
}

fn answer_to(runtime: &Runtime, request: Request) -> Reply {
    match handle(runtime, request) {
        Ok(done) => Reply::Done(done),
        Err(error) => failed(&error),
    }
}

fn failed(error: &Error) -> Reply {
    Reply::Failed { why: error.to_string(), exit: error.exit() }
}

fn reply(mut stream: &UnixStream, reply: &Reply) -> io::Result<()> {
    let mut text = serde_json::to_string(reply)?;
    text.push('\n');
    stream.write_all(text.as_bytes())
}

/// Asks the running service.
///
/// # Errors
/// A service that does not answer, or a process that holds the lock and takes no requests, such as `run --once`.
pub fn ask(home: &Home, pid: u32, request: &Request) -> Result<Reply, Error> {
    let path = path(home);
    let exchange = || -> io::Result<String> {
        let mut stream = connect(&path)?;
        let patience = if request.reads_much() { READING } else { PATIENCE };
        stream.set_read_timeout(Some(patience))?;
        let mut text = serde_json::to_string(request)?;
        text.push('\n');
        stream.write_all(text.as_bytes())?;
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line)?;
        Ok(line)
    };
    let line = exchange().map_err(|error| match error.kind() {
        ErrorKind::ConnectionRefused | ErrorKind::NotFound => Error::Deaf { pid },
        _ => Error::io(&path)(error),
    })?;
    serde_json::from_str(&line).map_err(Error::step("the service's answer cannot be read"))
}

/// Connects; a service that has the lock and does not listen yet is waited for.
fn connect(path: &Path) -> io::Result<UnixStream> {
    let begun = Instant::now();
    loop {
        match UnixStream::connect(path) {
            Err(e)
                if matches!(e.kind(), ErrorKind::ConnectionRefused | ErrorKind::NotFound)
                    && begun.elapsed() < STARTING =>
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            other => return other,
        }
    }
}

/// Opens a home for a service. A verb that holds it for a moment is waited for, up to [`HOLD`]; a service that answers is not.
///
/// # Errors
/// As [`Runtime::open`].
pub(crate) fn open(home: &Home) -> Result<Runtime, Error> {
    let begun = Instant::now();
    loop {
        match Runtime::open(home, false) {
            Err(Error::Busy { .. }) if begun.elapsed() < HOLD && UnixStream::connect(path(home)).is_err() => {
                std::thread::sleep(Duration::from_millis(20));
            }
            opened => return opened,
        }
    }
}

fn path(home: &Home) -> PathBuf {
    home.admin().join("service.sock")
}
