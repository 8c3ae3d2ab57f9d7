//! What the chat process holds instead of a network: one end of the socketpair, used with plain reads and writes.
//!
//! One request is on its way at a time; a second caller waits for its turn. That is enough for a conversation, and
//! leaves no reader thread that could be forgotten.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use models::{Incoming, Part, Transport, TransportError};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::frames::{self, Answer, Ask, Chat, Failure, FailureKind, Fetch, FrameError, Reply, Sheet, Visit};

/// The way from `mind` to `net`.
#[derive(Debug)]
pub struct Client {
    line: Mutex<Line>,
}

/// What a fetch of a learned skill brought.
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

#[derive(Debug)]
struct Line {
    socket: File,
    received: Vec<u8>,
    last_id: u64,
    /// Why nothing can be sent any more.
    broken: Option<String>,
}

impl Client {
    /// Takes the first end of [`super::pair`].
    pub fn new(socket: OwnedFd) -> Self {
        let line = Line { socket: socket.into(), received: Vec::new(), last_id: 0, broken: None };
        Client { line: Mutex::new(line) }
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
        let mut none = |_: Part<'_>| ControlFlow::Continue(());
        match self.ask(|id| Ask::Fetch { id, fetch }, &mut none, Some(deadline), cancel)? {
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
        let visit = Visit { url: url.to_owned() };
        let reply = self.ask(|id| Ask::Visit { id, visit }, &mut none, Some(deadline), cancel)?;
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
        deadline: Option<Instant>,
        cancel: &AtomicBool,
    ) -> Result<Option<Reply>, TransportError> {
        let until = Until { deadline, cancel };
        let mut line = self.turn(&until)?;
        if let Some(why) = &line.broken {
            return Err(TransportError::Network(why.clone()));
        }
        line.last_id += 1;
        let id = line.last_id;
        let frame = match frames::encode(&ask(id)) {
            Ok(frame) => frame,
            Err(e @ FrameError::TooLarge(_)) => return Err(TransportError::Denied(e.to_string())),
            Err(e) => return Err(TransportError::Network(e.to_string())),
        };
        line.send(&frame, &until)?;
        match line.receive(id, incoming, &until) {
            given_up @ (Ok(None) | Err(TransportError::Cancelled | TransportError::Timeout(_))) => {
                if let Ok(frame) = frames::encode(&Ask::Cancel { cancel: id }) {
                    let now =
                        Until { deadline: Some(Instant::now() + PATIENCE), cancel: &AtomicBool::new(false) };
                    // Whoever gave up is told so; a lost cancel only lets the other side finish in vain.
                    let _ = line.send(&frame, &now);
                }
                given_up
            }
            other => other,
        }
    }

    /// Waits for the line to be free.
    fn turn(&self, until: &Until<'_>) -> Result<MutexGuard<'_, Line>, TransportError> {
        loop {
            until.check()?;
            match self.line.try_lock() {
                Ok(line) => return Ok(line),
                Err(TryLockError::Poisoned(line)) => {
                    let mut line = line.into_inner();
                    // A caller that panicked may have left half a frame behind.
                    line.broken = Some("the line to the network process is out of step".to_owned());
                    self.line.clear_poison();
                    return Ok(line);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

impl Transport for Client {
    fn chat(
        &self,
        provider: &str,
        body: &[u8],
        incoming: &mut Incoming<'_>,
        cancel: &AtomicBool,
    ) -> Result<(), TransportError> {
        let body = String::from_utf8_lossy(body).into_owned();
        let chat = Chat { provider: provider.to_owned(), body };
        // No deadline of its own: `net` keeps the provider's time-outs.
        let Some(reply) = self.ask(|id| Ask::Chat { id, chat }, incoming, None, cancel)? else {
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

/// How long a cancel may take to be written.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often `cancel` is looked at.
const TICK_MS: u16 = 50;

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
    fn send(&mut self, mut frame: &[u8], until: &Until<'_>) -> Result<(), TransportError> {
        let whole = frame.len();
        while !frame.is_empty() {
            if let Err(error) = self.wait(PollFlags::POLLOUT, until) {
                if frame.len() < whole {
                    // Half a frame is on the line: what follows could not be told apart from its rest.
                    self.broken = Some("the line to the network process is out of step".to_owned());
                }
                return Err(error);
            }
            match self.socket.write(frame) {
                Ok(0) => return Err(self.gone("closed")),
                Ok(n) => frame = &frame[n..],
                Err(e) if again(&e) => {}
                Err(e) => return Err(self.gone(&e.to_string())),
            }
        }
        Ok(())
    }

    fn receive(
        &mut self,
        id: u64,
        incoming: &mut Incoming<'_>,
        until: &Until<'_>,
    ) -> Result<Option<Reply>, TransportError> {
        loop {
            match frames::decode::<Answer>(&mut self.received) {
                Ok(Some(Answer::Events { id: of, events })) if of == id => {
                    until.check()?;
                    if events.iter().try_for_each(|event| incoming(Part::Event(event))).is_break() {
                        return Ok(None);
                    }
                    continue;
                }
                Ok(Some(Answer::Ok { id: of, ok })) if of == id => return Ok(Some(ok)),
                Ok(Some(Answer::Err { id: of, err })) if of == id => return Err(failure(err)),
                // The answer to a request that was given up.
                Ok(Some(_)) => continue,
                Ok(None) => {}
                Err(e) => return Err(self.gone(&e.to_string())),
            }
            self.wait(PollFlags::POLLIN, until)?;
            let mut chunk = [0; 16 * 1024];
            match self.socket.read(&mut chunk) {
                Ok(0) => return Err(self.gone("closed")),
                Ok(n) => self.received.extend_from_slice(&chunk[..n]),
                Err(e) if again(&e) => {}
                Err(e) => return Err(self.gone(&e.to_string())),
            }
        }
    }

    fn wait(&mut self, what: PollFlags, until: &Until<'_>) -> Result<(), TransportError> {
        loop {
            until.check()?;
            let ready = poll(&mut [PollFd::new(self.socket.as_fd(), what)], PollTimeout::from(TICK_MS));
            match ready {
                Ok(0) | Err(Errno::EINTR) => {}
                Ok(_) => return Ok(()),
                Err(e) => return Err(self.gone(&e.to_string())),
            }
        }
    }

    fn gone(&mut self, detail: &str) -> TransportError {
        let why = format!("the network process has ended ({detail}); start the program again");
        self.broken = Some(why.clone());
        TransportError::Network(why)
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
