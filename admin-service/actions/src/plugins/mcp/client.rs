//! One conversation with a server: orders for the child that reads it, and the child's errands.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use builder::workers::talk::Talk;
use builder::workers::{ChildFault, Job};
use confine::LiveError;
use shared_types::id::Digest;
use shared_types::text::cut;

use super::fault::{Fault, Hindrance, ProtocolFault, ReaderFault};
use super::frames::{Answer, FromReader, MOST_LISTED, ToReader, Tool};
use super::http::Posts;
use super::stdio::Lines;

/// The longest that a server is listened to unasked.
const MOST_UNASKED: Duration = Duration::from_secs(1);
/// The most characters that are shown of what a server says of a fault.
const MOST_SHOWN: usize = 1000;

/// What moves bytes to a server and back.
#[derive(Debug)]
pub enum Carrier {
    /// The pipes of a program in its jail.
    Lines(Lines),
    /// Requests to an address.
    Posts(Posts),
}

/// A server that was greeted, with the child that reads what it says.
#[derive(Debug)]
pub struct Client {
    carrier: Carrier,
    reader: Reader,
}

/// The tools of a server.
#[derive(Debug)]
pub struct List {
    pub tools: Vec<Tool>,
    /// SHA-256 of all that it lists.
    pub digest: Digest,
}

impl Client {
    /// Starts the child, and greets a server by it.
    ///
    /// # Errors
    /// See [`Fault`]; a version that is not spoken here is one.
    pub fn greet(carrier: Carrier, until: Instant, cancel: &AtomicBool) -> Result<Client, Fault> {
        let talk = Talk::open(Job::Mcp).map_err(Hindrance::System)?;
        let lines = matches!(carrier, Carrier::Lines(_));
        let mut client = Client { carrier, reader: Reader(talk) };
        match client.obtain(&ToReader::Greet { lines }, "", until, cancel)? {
            FromReader::Greeted => Ok(client),
            _ => Err(ReaderFault::Unasked.into()),
        }
    }

    /// Its tools.
    ///
    /// # Errors
    /// See [`Fault`]; a list without end, or one that never stays, is one.
    pub fn tools(&mut self, until: Instant, cancel: &AtomicBool) -> Result<List, Fault> {
        let mut tools = vec![];
        let mut told = self.obtain(&ToReader::List, "", until, cancel)?;
        loop {
            match told {
                FromReader::Tool(tool) => tools.push(tool),
                FromReader::Listed(digest) => return Ok(List { tools, digest }),
                _ => return Err(ReaderFault::Unasked.into()),
            }
            if tools.len() > MOST_LISTED {
                return Err(ProtocolFault::Tools(MOST_LISTED).into());
            }
            told = self.reader.receive(until, cancel)?;
            if let Carrier::Posts(posts) = &self.carrier {
                posts.blank(&mut told);
            }
        }
    }

    /// Whether its tools may be others now: it says so, or it says nothing of that unasked.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn says_changed(&mut self, until: Instant, cancel: &AtomicBool) -> Result<bool, Fault> {
        match self.obtain(&ToReader::Changed, "", until, cancel)? {
            FromReader::Changed(changed) => Ok(changed),
            _ => Err(ReaderFault::Unasked.into()),
        }
    }

    /// Calls a tool by the server's name for it; `args` is JSON.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn call(
        &mut self,
        tool: &str,
        args: &str,
        until: Instant,
        cancel: &AtomicBool,
    ) -> Result<Answer, Fault> {
        let order = ToReader::Call { tool: tool.to_owned(), args: args.to_owned() };
        match self.obtain(&order, tool, until, cancel)? {
            FromReader::Answered(answer) => Ok(answer),
            _ => Err(ReaderFault::Unasked.into()),
        }
    }

    /// Gives an order, and does the child's errands until it tells what came of it.
    fn obtain(
        &mut self,
        order: &ToReader,
        tool: &str,
        until: Instant,
        cancel: &AtomicBool,
    ) -> Result<FromReader, Fault> {
        let Client { carrier, reader } = self;
        reader.send(order, until, cancel)?;
        loop {
            let mut told = reader.receive(until, cancel)?;
            if let Carrier::Posts(posts) = &*carrier {
                posts.blank(&mut told);
            }
            let brought = match (told, &mut *carrier) {
                (FromReader::Say(line), Carrier::Lines(lines)) => {
                    lines.say(&line, until, cancel)?;
                    continue;
                }
                (FromReader::Hear(wait), Carrier::Lines(lines)) => {
                    let wait = wait.map(|ms| Duration::from_millis(ms.into()).min(MOST_UNASKED));
                    lines.hear(wait, until, cancel)?
                }
                (FromReader::Post(post), Carrier::Posts(posts)) => {
                    posts
                        .post(post, tool, until, cancel, &mut |part| reader.is_enough(part, until, cancel))?
                }
                (FromReader::Resume(resume), Carrier::Posts(posts)) => {
                    posts.resume(&resume, until, cancel, &mut |part| reader.is_enough(part, until, cancel))?
                }
                (FromReader::Refused(status), Carrier::Posts(posts)) => {
                    return Err(posts.refused(status).into());
                }
                (FromReader::Error { code, message }, _) => {
                    return Err(Fault::Error { code, message: cut(&message, MOST_SHOWN) });
                }
                (FromReader::Misspoke(words), _) => {
                    return Err(ProtocolFault::Said(cut(&words, MOST_SHOWN)).into());
                }
                (told, _) => return Ok(told),
            };
            reader.send(&brought, until, cancel)?;
        }
    }
}

/// The child.
#[derive(Debug)]
struct Reader(Talk);

impl Reader {
    fn send(&mut self, told: &ToReader, until: Instant, cancel: &AtomicBool) -> Result<(), Fault> {
        let sent = self.0.send(&told.encode(), until, cancel);
        sent.map_err(|e| self.fault(e))
    }

    fn receive(&mut self, until: Instant, cancel: &AtomicBool) -> Result<FromReader, Fault> {
        let frame = self.0.receive(until, cancel).map_err(|e| self.fault(e))?;
        Ok(FromReader::decode(&frame).map_err(ReaderFault::Malformed)?)
    }

    /// Shows it a part of a stream; whether it has seen enough.
    fn is_enough(&mut self, part: &[u8], until: Instant, cancel: &AtomicBool) -> Result<bool, Fault> {
        self.send(&ToReader::Part(part.to_vec()), until, cancel)?;
        match self.receive(until, cancel)? {
            FromReader::Enough(enough) => Ok(enough),
            _ => Err(ReaderFault::Unasked.into()),
        }
    }

    fn fault(&mut self, error: LiveError) -> Fault {
        match error {
            LiveError::Late => Fault::Late,
            LiveError::Cancelled => Fault::Cancelled,
            LiveError::Long(_) => ReaderFault::Malformed(super::frames::Malformed).into(),
            LiveError::Io(e) => Hindrance::System(e).into(),
            LiveError::Ended => match self.0.why() {
                fault @ ChildFault::NoJail(_) => Fault::NotStarted(fault.to_string()),
                ChildFault::Killed(signal) => ReaderFault::Killed(signal).into(),
                other => ReaderFault::Child(other).into(),
            },
        }
    }
}
