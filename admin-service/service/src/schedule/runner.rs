//! A runner does the scheduled runs of one profile as the bot's user. A service that is not root cannot become that user, so the
//! service manager starts the runner, and the two speak over a socket: one line of JSON there, one back.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::error::Error;
use base::home::Home;
use base::layout::{Bot, Users};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use serde::{Deserialize, Serialize};
use shared_types::id::ProfileId;
use shared_types::text::{block, cut};

use super::order::Order;
use super::run::{RunOutcome, here};

/// Names the folder of the sockets, where it is not [`FOLDER`].
pub const VARIABLE: &str = "TAMECLAW_RUNNERS";
/// Where the service manager makes the sockets.
pub const FOLDER: &str = "/run/tameclaw";
/// The largest order or answer, in bytes.
const MOST: u64 = 64 * 1024;
/// How long an order may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(5);
/// How much longer than a run may take its answer is waited for.
const GRACE: Duration = Duration::from_secs(60);
/// The longest words of a runner that are kept, in bytes; a run's own words are shorter.
const MOST_WORDS: usize = 4_096;
/// How often a service that waits looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);
/// How long a runner waits for the next order before it ends, in milliseconds; the service manager starts it again.
const IDLE: u16 = 30_000;

/// Why a runner did not run something.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// There is no socket, or nobody listens.
    #[error(
        "enable `tameclaw-bot@{profile}.socket`: this service may not start programs as the bot's user `{bot}`, and no runner \
         answers at {socket}: {why}"
    )]
    Unreachable {
        /// The bot's user.
        bot: String,
        profile: ProfileId,
        /// Where the runner should listen.
        socket: PathBuf,
        /// Why it cannot be reached.
        why: io::Error,
    },
    /// Somebody else than the other program is at the other end.
    #[error(
        "the user {0} is at the other end of the runner's socket, and that is neither root nor the user expected there"
    )]
    Stranger(u32),
    /// It was ended.
    #[error("ended by the emergency stop or with the service")]
    Cancelled,
    /// An order for another home.
    #[error("the order is for the home {0}, which is not this runner's")]
    OtherHome(PathBuf),
    /// An order or answer that cannot be read.
    #[error("{0}")]
    Unread(#[from] io::Error),
    /// An order or answer of another form.
    #[error("not an order or answer of a runner: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The runner's own words.
    #[error("{0}")]
    Said(String),
}

/// What a runner answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    /// What came of the run.
    Ended(RunOutcome),
    /// Why nothing ran.
    NotRun(String),
}

/// Has the runner of a profile do a run, and waits for its end.
///
/// # Errors
/// No runner, or what it answers.
pub(super) fn ask(
    profile: &ProfileId,
    bot: &Bot,
    order: &Order,
    cancel: &AtomicBool,
) -> Result<RunOutcome, Error> {
    let folder = std::env::var_os(VARIABLE).map_or_else(|| PathBuf::from(FOLDER), PathBuf::from);
    let socket = folder.join(format!("{profile}.sock"));
    let stream = UnixStream::connect(&socket).map_err(|why| {
        let (bot, profile) = (bot.name.clone(), profile.clone());
        Error::failed(RunnerError::Unreachable { bot, profile, socket, why })
    })?;
    exchange(&stream, bot.uid, order, cancel).map_err(Error::failed)
}

fn exchange(
    stream: &UnixStream,
    bot: u32,
    order: &Order,
    cancel: &AtomicBool,
) -> Result<RunOutcome, RunnerError> {
    check_peer(stream, bot)?;
    match write_line(stream, order) {
        // It refused without reading; its answer says why.
        Err(RunnerError::Unread(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        other => other?,
    }
    stream.set_read_timeout(Some(TICK))?;
    let latest = Instant::now() + order.limit() + GRACE;
    let (mut reader, mut answer) = (stream.take(MOST), Vec::new());
    loop {
        if cancel.load(Ordering::Relaxed) {
            // The runner sees that this end is closed, and ends the run.
            return Err(RunnerError::Cancelled);
        }
        if Instant::now() > latest {
            return Err(io::Error::from(io::ErrorKind::TimedOut).into());
        }
        let mut part = [0; 4096];
        match reader.read(&mut part) {
            Ok(0) => break,
            Err(e) if e.kind() == io::ErrorKind::ConnectionReset => break,
            Ok(count) => answer.extend_from_slice(&part[..count]),
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(e) => return Err(e.into()),
        }
    }
    match serde_json::from_slice(&answer)? {
        // The other end is the bot's user, and these words become a record.
        Answer::Ended(came) => {
            let words = cut(&block(&came.words), MOST_WORDS);
            Ok(RunOutcome { cut: came.cut || words.len() < came.words.len(), words, exit: came.exit })
        }
        Answer::NotRun(why) => Err(RunnerError::Said(cut(&block(&why), MOST_WORDS))),
    }
}

/// Does what the service of this home asks for, one run after the other, until nothing was asked for a while.
///
/// # Errors
/// A listener that cannot be waited for.
pub fn attend(
    home: &Home,
    profile: &ProfileId,
    listener: &UnixListener,
    ends: &AtomicBool,
) -> Result<(), Error> {
    let admin = Users::of(home)?.admin;
    while !ends.load(Ordering::Relaxed) {
        let mut waits = [PollFd::new(listener.as_fd(), PollFlags::POLLIN)];
        match poll(&mut waits, PollTimeout::from(IDLE)) {
            Ok(0) => break,
            Ok(_) => {}
            Err(nix::errno::Errno::EINTR) => continue,
            Err(errno) => return Err(Error::step("waiting for an order")(io::Error::from(errno))),
        }
        let (stream, _) = listener.accept().map_err(Error::step("waiting for an order"))?;
        let answer = match serve(home, profile, &stream, admin, ends) {
            Ok(came) => Answer::Ended(came),
            Err(error) => {
                let why = error.to_string();
                eprintln!("cl-admin: not run: {}", shared_types::text::line(&why));
                Answer::NotRun(why)
            }
        };
        // A service that has gone reads nothing; what the run did is in the profile's own logs.
        let _ = write_line(&stream, &answer);
    }
    Ok(())
}

fn serve(
    home: &Home,
    profile: &ProfileId,
    stream: &UnixStream,
    admin: u32,
    ends: &AtomicBool,
) -> Result<RunOutcome, RunnerError> {
    check_peer(stream, admin)?;
    stream.set_read_timeout(Some(ARRIVAL))?;
    let mut line = String::new();
    BufReader::new(stream.take(MOST)).read_line(&mut line)?;
    let order: Order = serde_json::from_str(&line)?;
    if !is_same(&order.home, home.root()) {
        return Err(RunnerError::OtherHome(order.home));
    }
    let cancelled = || ends.load(Ordering::Relaxed) || is_closed(stream);
    here(home, profile, &order, &cancelled).map_err(|error| RunnerError::Said(error.to_string()))
}

/// Refuses an end that is neither root's nor this user's. At a socket of the service manager's, root listens.
fn check_peer(stream: &UnixStream, user: u32) -> Result<(), RunnerError> {
    let peer = getsockopt(stream, PeerCredentials).map_err(io::Error::from)?.uid();
    if peer == 0 || peer == user { Ok(()) } else { Err(RunnerError::Stranger(peer)) }
}

/// Whether two paths are one folder; a link on the way to a home is nothing wrong.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Whether the service has closed its end; behind its order it sends nothing, so anything that can be read is the end.
fn is_closed(stream: &UnixStream) -> bool {
    let mut waits = [PollFd::new(stream.as_fd(), PollFlags::POLLIN)];
    poll(&mut waits, PollTimeout::ZERO).is_ok_and(|count| count > 0)
}

fn write_line(mut stream: &UnixStream, value: &impl serde::Serialize) -> Result<(), RunnerError> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(stream.write_all(&line)?)
}
