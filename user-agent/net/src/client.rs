//! What the chat process holds instead of a network: one end of the socketpair, used with plain reads and writes.
//!
//! Several threads ask beside each other, at most [`frames::MOST_AT_ONCE`] at a time; what runs behind the conversation
//! leaves the last place free. No thread is started for it: of those that wait, one reads for all of them.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use models::{Incoming, Part, Rank, Transport, TransportError};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::frames::{
    self, Answer, Ask, Chat, Failure, FailureKind, Fetch, FrameError, MOST_AT_ONCE, Reply, Sheet, Visit,
};

/// The way from `mind` to `net`.
#[derive(Debug)]
pub struct Client {
    socket: File,
    line: Mutex<Line>,
    changed: Condvar,
}

/// What a fetch of a learned skill, or a search, brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The HTTP status.
    pub status: u16,
    /// The body as text.
    pub body: String,
}

/// A page that was read for the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visited {
    /// The HTTP status.
    pub status: u16,
    /// The text.
    pub body: String,
    /// What it is, and where it was found.
    pub sheet: Sheet,
}

#[derive(Debug, Default)]
struct Line {
    received: Vec<u8>,
    last_id: u64,
    /// What came for each open request, by its number.
    open: BTreeMap<u64, VecDeque<Answer>>,
    /// Whether a thread reads.
    reads: bool,
    /// Whether a thread writes.
    writes: bool,
    /// Why nothing can be sent any more.
    broken: Option<String>,
}

impl Client {
    /// Takes the first end of [`super::pair`].
    pub fn new(socket: OwnedFd) -> Self {
        Client { socket: socket.into(), line: Mutex::default(), changed: Condvar::new() }
    }

    /// Fetches for a learned skill; `net` knows which hosts the skill may reach and by which token.
    ///
    /// # Errors
    /// See [`TransportError`]; a status other than 2xx is an answer here.
    pub fn fetch(
        &self,
        fetch: Fetch,
        deadline: Instant,
        cancel: &AtomicBool,
    ) -> Result<Fetched, TransportError> {
        self.whole(|id| Ask::Fetch { id, fetch }, deadline, cancel)
    }

    /// Asks the configured search engine; `net` knows which one, and its key.
    ///
    /// # Errors
    /// See [`TransportError`]; a status other than 2xx is an answer here.
    pub fn search(
        &self,
        query: &str,
        deadline: Instant,
        cancel: &AtomicBool,
    ) -> Result<Fetched, TransportError> {
        let visit = Visit { url: query.to_owned(), is_search: true };
        self.whole(|id| Ask::Visit { id, visit }, deadline, cancel)
    }

    /// Asks for a person, and waits for an answer that comes in one piece.
    fn whole(
        &self,
        ask: impl FnOnce(u64) -> Ask,
        deadline: Instant,
        cancel: &AtomicBool,
    ) -> Result<Fetched, TransportError> {
        let mut none = |_: Part<'_>| ControlFlow::Continue(());
        let until = Until { deadline: Some(deadline), cancel };
        match self.ask(ask, &mut none, Rank::Person, &until)? {
            Some(reply) => Ok(Fetched { status: reply.status, body: reply.body.unwrap_or_default() }),
            None => Err(TransportError::Network("the answer broke off".to_owned())),
        }
    }

    /// Reads a page for the conversation; `net` knows the granted hosts, and follows redirects to them.
    ///
    /// # Errors
    /// See [`TransportError`]; a status other than 2xx is an answer here.
    pub fn visit(
        &self,
        url: &str,
        deadline: Instant,
        cancel: &AtomicBool,
    ) -> Result<Visited, TransportError> {
        let mut none = |_: Part<'_>| ControlFlow::Continue(());
        let visit = Visit { url: url.to_owned(), is_search: false };
        let until = Until { deadline: Some(deadline), cancel };
        let reply = self.ask(|id| Ask::Visit { id, visit }, &mut none, Rank::Person, &until)?;
        match reply.and_then(|reply| Some((reply.status, reply.body?, reply.sheet?))) {
            Some((status, body, sheet)) => Ok(Visited { status, body, sheet }),
            None => Err(TransportError::Network("the answer broke off".to_owned())),
        }
    }

    /// Asks and waits for the end of the answer; `None` when `incoming` broke off before it.
    fn ask(
        &self,
        ask: impl FnOnce(u64) -> Ask,
        incoming: &mut Incoming<'_>,
        rank: Rank,
        until: &Until<'_>,
    ) -> Result<Option<Reply>, TransportError> {
        let id = self.line().next_id();
        let frame = match frames::encode(&ask(id)) {
            Ok(frame) => frame,
            Err(e @ FrameError::TooLarge(_)) => return Err(TransportError::Denied(e.to_string())),
            Err(e) => return Err(TransportError::Network(e.to_string())),
        };
        let mut place = self.place(id, rank, until)?;
        self.send(&frame, until)?;
        let came = self.receive(id, incoming, until);
        place.is_over =
            !matches!(came, Ok(None) | Err(TransportError::Cancelled | TransportError::Timeout(_)));
        came
    }

    /// Waits for a place among the requests that run.
    fn place(&self, id: u64, rank: Rank, until: &Until<'_>) -> Result<Place<'_>, TransportError> {
        let least_free = if rank == Rank::Behind { 2 } else { 1 };
        let mut line = self.line();
        loop {
            until.check()?;
            line.check()?;
            if line.open.len() + least_free <= MOST_AT_ONCE {
                line.open.insert(id, VecDeque::new());
                return Ok(Place { client: self, id, is_over: false });
            }
            line = self.wait(line);
        }
    }

    /// Writes a whole frame; one thread at a time does.
    fn send(&self, frame: &[u8], until: &Until<'_>) -> Result<(), TransportError> {
        let mut line = self.line();
        while line.writes {
            until.check()?;
            line = self.wait(line);
        }
        line.check()?;
        line.writes = true;
        drop(line);
        let mut rest = frame;
        let sent = self.write(&mut rest, until);
        let mut line = self.line();
        line.writes = false;
        if let Err(Stopped::Gone(detail)) = &sent {
            line.gone(detail);
        } else if !rest.is_empty() && rest.len() < frame.len() {
            // Half a frame is on the line: what follows could not be distinguished from its rest.
            line.broken = Some("the line to the network process is out of step".to_owned());
        }
        self.changed.notify_all();
        match sent {
            Err(Stopped::GivenUp(error)) => Err(error),
            Ok(()) | Err(Stopped::Gone(_)) => line.check(),
        }
    }

    /// Writes as much of a frame as can be written until then.
    fn write(&self, rest: &mut &[u8], until: &Until<'_>) -> Result<(), Stopped> {
        while !rest.is_empty() {
            until.check().map_err(Stopped::GivenUp)?;
            if !self.is_ready(PollFlags::POLLOUT)? {
                continue;
            }
            match (&self.socket).write(rest) {
                Ok(0) => return Err(Stopped::Gone("closed".to_owned())),
                Ok(n) => *rest = &rest[n..],
                Err(e) if again(&e) => {}
                Err(e) => return Err(Stopped::Gone(e.to_string())),
            }
        }
        Ok(())
    }

    /// Waits for the end of one answer, and reads for the other requests while no one else does.
    fn receive(
        &self,
        id: u64,
        incoming: &mut Incoming<'_>,
        until: &Until<'_>,
    ) -> Result<Option<Reply>, TransportError> {
        let mut line = self.line();
        loop {
            match line.open.get_mut(&id).and_then(VecDeque::pop_front) {
                Some(Answer::Events { events, .. }) => {
                    drop(line);
                    until.check()?;
                    if events.iter().try_for_each(|event| incoming(Part::Event(event))).is_break() {
                        return Ok(None);
                    }
                    line = self.line();
                    continue;
                }
                Some(Answer::Ok { ok, .. }) => return Ok(Some(ok)),
                Some(Answer::Err { err, .. }) => return Err(failure(err)),
                None => {}
            }
            line.check()?;
            until.check()?;
            line = if line.reads || line.is_full() { self.wait(line) } else { self.read(line) };
        }
    }

    /// Reads what comes within a moment, for every open request.
    fn read<'a>(&'a self, mut line: MutexGuard<'a, Line>) -> MutexGuard<'a, Line> {
        line.reads = true;
        drop(line);
        let mut chunk = [0; 16 * 1024];
        let came = self.is_ready(PollFlags::POLLIN).and_then(|ready| match ready {
            false => Ok(0),
            true => match (&self.socket).read(&mut chunk) {
                Ok(0) => Err(Stopped::Gone("closed".to_owned())),
                Ok(n) => Ok(n),
                Err(e) if again(&e) => Ok(0),
                Err(e) => Err(Stopped::Gone(e.to_string())),
            },
        });
        let mut line = self.line();
        line.reads = false;
        match came {
            Ok(n) => line.hand_out(&chunk[..n]),
            Err(Stopped::Gone(detail)) => line.gone(&detail),
            Err(Stopped::GivenUp(_)) => {}
        }
        self.changed.notify_all();
        line
    }

    /// Waits a moment for the socket; whether it is ready.
    fn is_ready(&self, what: PollFlags) -> Result<bool, Stopped> {
        let moment = PollTimeout::try_from(TICK).unwrap_or(PollTimeout::ZERO);
        match poll(&mut [PollFd::new(self.socket.as_fd(), what)], moment) {
            Ok(0) | Err(Errno::EINTR) => Ok(false),
            Ok(_) => Ok(true),
            Err(e) => Err(Stopped::Gone(e.to_string())),
        }
    }

    /// Waits a moment for a change.
    fn wait<'a>(&'a self, line: MutexGuard<'a, Line>) -> MutexGuard<'a, Line> {
        self.changed.wait_timeout(line, TICK).unwrap_or_else(PoisonError::into_inner).0
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Client {
    fn chat(
        &self,
        provider: &str,
        body: &[u8],
        rank: Rank,
        incoming: &mut Incoming<'_>,
        cancel: &AtomicBool,
    ) -> Result<(), TransportError> {
        let body = String::from_utf8_lossy(body).into_owned();
        let chat = Chat { provider: provider.to_owned(), body };
        // No deadline of its own: `net` keeps the provider's time-outs.
        let until = Until { deadline: None, cancel };
        let Some(reply) = self.ask(|id| Ask::Chat { id, chat }, incoming, rank, &until)? else {
            return Ok(());
        };
        if !(200..300).contains(&reply.status) {
            return Err(TransportError::Status {
                status: reply.status,
                body: reply.body.unwrap_or_default().into_bytes(),
                retry_after: reply.retry_after_ms.map(Duration::from_millis),
            });
        }
        if let Some(body) = &reply.body {
            // Nothing comes after it, so there is nothing to break off.
            let _ = incoming(Part::Whole(body));
        }
        Ok(())
    }
}

/// A request among those that run; one that is given up is cancelled before its place is free again.
struct Place<'a> {
    client: &'a Client,
    id: u64,
    /// Whether `net` has ended it.
    is_over: bool,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Ok(frame) = frames::encode(&Ask::Cancel { cancel: self.id })
            && !self.is_over
        {
            let now = Until { deadline: Some(Instant::now() + PATIENCE), cancel: &AtomicBool::new(false) };
            // A lost cancel only lets the other side finish in vain.
            let _ = self.client.send(&frame, &now);
        }
        self.client.line().open.remove(&self.id);
        self.client.changed.notify_all();
    }
}

/// How long a cancel may take to be written.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often `cancel` is looked at.
const TICK: Duration = Duration::from_millis(50);
/// At most this number of frames waits for a thread that is slow to take them; then nothing is read, and `net` waits as well.
const MOST_WAITING: usize = 16;

/// Why a read or a write ended early.
enum Stopped {
    /// The network process has gone.
    Gone(String),
    /// The request was cancelled, or its time is over.
    GivenUp(TransportError),
}

struct Until<'a> {
    deadline: Option<Instant>,
    cancel: &'a AtomicBool,
}

impl Until<'_> {
    fn check(&self) -> Result<(), TransportError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(TransportError::Cancelled);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(TransportError::Timeout("no answer before the deadline".to_owned()));
        }
        Ok(())
    }
}

impl Line {
    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Hands each whole frame to the request that it answers.
    fn hand_out(&mut self, more: &[u8]) {
        self.received.extend_from_slice(more);
        loop {
            match frames::decode::<Answer>(&mut self.received) {
                // Without a queue it is the answer to a request that was given up.
                Ok(Some(answer)) => {
                    if let Some(queue) = self.open.get_mut(&answer.id()) {
                        queue.push_back(answer);
                    }
                }
                Ok(None) => return,
                Err(e) => return self.gone(&e.to_string()),
            }
        }
    }

    fn is_full(&self) -> bool {
        self.open.values().any(|queue| queue.len() >= MOST_WAITING)
    }

    fn gone(&mut self, detail: &str) {
        self.broken = Some(format!("the network process has ended ({detail}); start the program again"));
    }

    fn check(&self) -> Result<(), TransportError> {
        self.broken.as_ref().map_or(Ok(()), |why| Err(TransportError::Network(why.clone())))
    }
}

fn again(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

fn failure(err: Failure) -> TransportError {
    match err.kind {
        FailureKind::Network | FailureKind::Busy => TransportError::Network(err.message),
        FailureKind::Timeout => TransportError::Timeout(err.message),
        FailureKind::TooLarge => TransportError::TooLarge(err.limit.unwrap_or_default()),
        FailureKind::Denied | FailureKind::Repeated => TransportError::Denied(err.message),
        FailureKind::NoKey => TransportError::NoKey(err.message),
    }
}
