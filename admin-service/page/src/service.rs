//! The way to the service: a few connections, which were opened before confinement. When the service ends, this program does too.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use api::page::{Answer, Ask, Asked, LARGEST_ANSWER, LARGEST_ASKED, Refusal};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Mutex, Notify};

/// How many requests are answered at a time; others wait.
const CONNECTIONS: usize = 4;
/// How long an answer may take: a trial in the sandbox, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The connections, not used yet.
#[derive(Debug)]
pub struct Connected(Vec<UnixStream>);

impl Connected {
    /// Connects to the socket of the service.
    ///
    /// # Errors
    /// A service that does not run, or a socket of somebody else's.
    pub fn to(path: &Path) -> io::Result<Connected> {
        // One more, which nobody uses: by its end the service's end is seen.
        let connect = |_| {
            let stream = UnixStream::connect(path)?;
            stream.set_nonblocking(true)?;
            Ok(stream)
        };
        (0..=CONNECTIONS).map(connect).collect::<io::Result<_>>().map(Connected)
    }
}

type Stream = BufReader<tokio::net::UnixStream>;

/// The way to the service.
#[derive(Debug)]
pub struct Service {
    give_back: Sender<Stream>,
    free: Mutex<Receiver<Stream>>,
    ended: Arc<Notify>,
}

impl Service {
    /// Takes the connections; the second value says when the service ends.
    ///
    /// # Errors
    /// A connection that does not work.
    pub fn new(connected: Connected) -> io::Result<(Service, impl Future<Output = ()>)> {
        let mut streams =
            connected.0.into_iter().map(tokio::net::UnixStream::from_std).collect::<io::Result<Vec<_>>>()?;
        let watched = streams.pop();
        let (give_back, free) = channel(CONNECTIONS);
        for stream in streams {
            give_back.try_send(BufReader::new(stream)).map_err(io::Error::other)?;
        }
        let ended = Arc::new(Notify::new());
        let broken = Arc::clone(&ended);
        let end = async move {
            let closed = async {
                if let Some(mut watched) = watched {
                    // The service sends nothing here: anything that comes is its end.
                    let _ = watched.read(&mut [0; 1]).await;
                }
            };
            tokio::select! {
                () = closed => (),
                () = broken.notified() => (),
            }
        };
        Ok((Service { give_back, free: Mutex::new(free), ended }, end))
    }

    /// Asks. A service that is away is a refusal.
    pub async fn ask(&self, token: Option<String>, ask: Ask) -> Answer {
        let Ok(mut line) = serde_json::to_vec(&Asked { token, ask }) else {
            return refused(Refusal::Invalid, "the request cannot be written");
        };
        if line.len() as u64 >= LARGEST_ASKED {
            return refused(Refusal::Invalid, "the request is too large");
        }
        line.push(b'\n');
        let free = async { self.free.lock().await.recv().await };
        let Ok(Some(mut stream)) = tokio::time::timeout(PATIENCE, free).await else {
            return refused(Refusal::Busy, "too many requests wait; try again later");
        };
        // Asked by a task of its own: a client that goes away leaves no half-read connection behind.
        let (give_back, ended) = (self.give_back.clone(), Arc::clone(&self.ended));
        let asked = tokio::spawn(async move {
            let answer = tokio::time::timeout(PATIENCE, exchange(&mut stream, &line)).await;
            let Ok(Ok(answer)) = answer else {
                ended.notify_one();
                return refused(Refusal::Failed, "the service has ended; try again");
            };
            let _ = give_back.try_send(stream);
            answer
        });
        asked.await.unwrap_or_else(|_| refused(Refusal::Failed, "the request broke off"))
    }
}

async fn exchange(stream: &mut Stream, line: &[u8]) -> io::Result<Answer> {
    stream.write_all(line).await?;
    let mut answer = Vec::new();
    (&mut *stream).take(LARGEST_ANSWER).read_until(b'\n', &mut answer).await?;
    serde_json::from_slice(&answer).map_err(io::Error::other)
}

fn refused(why: Refusal, message: &str) -> Answer {
    Answer::Refused { why, message: message.to_owned() }
}
