//! Carries bytes between programs that have no network and the hosts that they were given by name.
//!
//! A program asks a listener, one for each host and port; here the host is looked up, its addresses vetted, and connected to. Only
//! bytes are carried, counted and bounded: nothing of what is said is changed. A relay is closed until it is opened, and what it
//! carries is cut when it is closed.

use std::io;
use std::net::TcpListener as Listener;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc as sync};
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::Duration;

use shared_types::action::Reached;
use shared_types::id::HostName;
use shared_types::text::cut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::address::{BoxError, Vetted};
use super::lookup::{Lookup, SystemLookup};
use hello::{Greeting, greeting};

pub mod hello;

/// The most bytes that are carried between an opening and the closing after it, both ways and to all hosts together.
pub const MOST_BYTES: u64 = 256 << 20;
/// The most connections at a time.
pub const MOST_CONNECTIONS: usize = 32;
/// How long a look-up with its connection may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a listener that refused is left alone.
const BREATH: Duration = Duration::from_millis(50);

/// A host with its port, and whether the configuration allows it any address.
#[derive(Debug, Clone)]
pub struct Named {
    /// The host, with its port.
    pub host: HostName,
    /// Whether it may be of this machine or of a private network.
    pub local: bool,
}

/// A running relay; it ends with the value, and cuts what it carries.
#[derive(Debug)]
pub struct Relay {
    orders: Option<mpsc::UnboundedSender<Order>>,
    thread: Option<JoinHandle<()>>,
    /// Nobody waits for listeners any more: those that did not come will not.
    settled: Arc<AtomicBool>,
}

#[derive(Debug)]
enum Order {
    Open,
    Close(sync::Sender<Vec<Reached>>),
}

impl Relay {
    /// Starts a relay in a thread of its own. `listeners` waits for the listeners, one for each host in their order, until they
    /// come or its flag is set; without them nothing is carried.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub fn start(
        hosts: Vec<Named>,
        listeners: impl FnOnce(&AtomicBool) -> Vec<Listener> + Send + 'static,
    ) -> io::Result<Relay> {
        Relay::with(hosts, listeners, Arc::new(SystemLookup), MOST_BYTES)
    }

    fn with(
        hosts: Vec<Named>,
        listeners: impl FnOnce(&AtomicBool) -> Vec<Listener> + Send + 'static,
        lookup: Arc<dyn Lookup>,
        most: u64,
    ) -> io::Result<Relay> {
        let (orders, waiting) = mpsc::unbounded_channel();
        let settled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&settled);
        let thread = std::thread::Builder::new().name("relay".into()).spawn(move || {
            let ways = Arc::new(hosts.into_iter().map(|named| Way::to(named, &lookup)).collect::<Vec<_>>());
            let listeners = listeners(&flag);
            let Ok(runtime) =
                Builder::new_current_thread().enable_io().enable_time().max_blocking_threads(4).build()
            else {
                return;
            };
            runtime.block_on(serve(ways, listeners, waiting, most));
            // A look-up that hangs keeps nobody waiting.
            runtime.shutdown_background();
        })?;
        Ok(Relay { orders: Some(orders), thread: Some(thread), settled })
    }

    /// Carries from now on.
    pub fn open(&self) {
        let _ = self.orders.as_ref().map(|orders| orders.send(Order::Open));
    }

    /// Cuts every connection and carries nothing more; answers what was carried since it was closed before.
    pub fn close(&self) -> Vec<Reached> {
        self.settled.store(true, Ordering::Relaxed);
        let (answer, heard) = sync::channel();
        let sent = self.orders.as_ref().is_some_and(|orders| orders.send(Order::Close(answer)).is_ok());
        if sent { heard.recv_timeout(PATIENCE).unwrap_or_default() } else { Vec::new() }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.settled.store(true, Ordering::Relaxed);
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// One host, and what was carried.
struct Way {
    named: Named,
    vetted: Vetted,
    sent: AtomicU64,
    received: AtomicU64,
    refused: Mutex<Option<String>>,
}

impl Way {
    fn to(named: Named, lookup: &Arc<dyn Lookup>) -> Way {
        let vetted = Vetted {
            host: named.host.host().to_owned(),
            port: named.host.port().unwrap_or(443),
            named: named.local,
            lookup: Arc::clone(lookup),
        };
        Way { named, vetted, sent: AtomicU64::new(0), received: AtomicU64::new(0), refused: Mutex::new(None) }
    }

    /// What was carried since this was asked before; nothing where nobody asked for the host.
    fn take(&self) -> Option<Reached> {
        let (sent, received) =
            (self.sent.swap(0, Ordering::Relaxed), self.received.swap(0, Ordering::Relaxed));
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).take();
        let any = sent > 0 || received > 0 || refused.is_some();
        any.then(|| Reached { host: self.named.host.clone(), sent, received, refused })
    }

    /// Keeps the first reason.
    fn refuse(&self, why: &Refused) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get_or_insert_with(|| cut(&why.to_string(), 300));
    }
}

/// Accepts and carries by its orders, until the sender of the orders is gone.
async fn serve(
    ways: Arc<Vec<Way>>,
    listeners: Vec<Listener>,
    mut orders: mpsc::UnboundedReceiver<Order>,
    most: u64,
) {
    let listener = |listener: Listener| {
        listener.set_nonblocking(true)?;
        TcpListener::from_std(listener)
    };
    let listeners: Vec<TcpListener> = listeners.into_iter().map_while(|l| listener(l).ok()).collect();
    let (mut open, mut carried) = (false, JoinSet::new());
    let left = Arc::new(AtomicU64::new(most));
    loop {
        tokio::select! {
            biased;
            order = orders.recv() => match order {
                None => return,
                Some(Order::Open) => open = true,
                Some(Order::Close(answer)) => {
                    open = false;
                    carried.shutdown().await;
                    left.store(most, Ordering::Relaxed);
                    // Who asked may have stopped waiting.
                    let _ = answer.send(ways.iter().filter_map(Way::take).collect());
                }
            },
            Some(_) = carried.join_next() => {}
            (at, inside) = accepted(&listeners) => {
                let Some(inside) = inside else {
                    // The system has no descriptor left, for instance; at once it would say the same again.
                    tokio::time::sleep(BREATH).await;
                    continue;
                };
                if !open {
                    continue;
                }
                let (ways, left) = (Arc::clone(&ways), Arc::clone(&left));
                let full = carried.len() >= MOST_CONNECTIONS;
                carried.spawn(async move {
                    let Some(way) = ways.get(at) else { return };
                    let carried = match full {
                        true => Err(Refused::Connections),
                        false => carry(inside, way, &left).await,
                    };
                    if let Err(why) = carried {
                        way.refuse(&why);
                    }
                });
            }
        }
    }
}

/// The next connection, and at which listener; none where it broke at once.
async fn accepted(listeners: &[TcpListener]) -> (usize, Option<TcpStream>) {
    std::future::poll_fn(|context| {
        for (at, listener) in listeners.iter().enumerate() {
            if let Poll::Ready(accepted) = listener.poll_accept(context) {
                return Poll::Ready((at, accepted.ok().map(|(stream, _)| stream)));
            }
        }
        Poll::Pending
    })
    .await
}

/// Why a connection is refused or cut by us, in words for a person.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("more than {MOST_CONNECTIONS} connections at a time")]
    Connections,
    #[error("more bytes than a call may exchange")]
    Bytes,
    #[error("{0} did not answer in time")]
    Late(HostName),
    #[error("{0} has no address")]
    Nowhere(HostName),
    #[error(transparent)]
    Lookup(#[from] BoxError),
    #[error("{host}: {source}")]
    Connect { host: HostName, source: io::Error },
    #[error("it asked {host} for another host, `{}`", cut(.name, 80))]
    Other { host: HostName, name: String },
    #[error("its greeting of TLS cannot be read")]
    Greeting,
}

/// Why a connection ends before both sides have ended it.
enum Cut {
    /// One of them broke it.
    Ended,
    /// We do.
    Refused(Refused),
}

/// Carries one connection to its end.
async fn carry(mut inside: TcpStream, way: &Way, left: &AtomicU64) -> Result<(), Refused> {
    let host = &way.named.host;
    let outside = tokio::time::timeout(PATIENCE, connected(way)).await;
    let mut outside = outside.unwrap_or_else(|_| Err(Refused::Late(host.clone())))?;
    let _ = (inside.set_nodelay(true), outside.set_nodelay(true));
    let (mut from_inside, mut to_inside) = inside.split();
    let (mut from_outside, mut to_outside) = outside.split();
    let sent = async {
        let first = opening(&mut from_inside, host).await?;
        spend(first.len(), &way.sent, left)?;
        to_outside.write_all(&first).await.map_err(|_| Cut::Ended)?;
        pump(&mut from_inside, &mut to_outside, &way.sent, left).await
    };
    let received = pump(&mut from_outside, &mut to_inside, &way.received, left);
    match tokio::try_join!(sent, received) {
        Err(Cut::Refused(why)) => Err(why),
        Ok(_) | Err(Cut::Ended) => Ok(()),
    }
}

/// The first bytes of a program. A greeting of TLS names the host that is asked for, or none: behind one address there may be
/// other hosts, which are not this one.
async fn opening(inside: &mut (impl AsyncRead + Unpin), host: &HostName) -> Result<Vec<u8>, Cut> {
    let mut first = Vec::with_capacity(4096);
    loop {
        let length = inside.read_buf(&mut first).await.map_err(|_| Cut::Ended)?;
        let why = match greeting(&first) {
            Greeting::Unfinished if length > 0 => continue,
            Greeting::Named(name) if !name.eq_ignore_ascii_case(host.host()) => {
                Refused::Other { host: host.clone(), name }
            }
            Greeting::Broken => Refused::Greeting,
            Greeting::Unfinished | Greeting::Named(_) | Greeting::Unnamed | Greeting::Other => {
                return Ok(first);
            }
        };
        return Err(Cut::Refused(why));
    }
}

async fn connected(way: &Way) -> Result<TcpStream, Refused> {
    let host = &way.named.host;
    let mut last = Refused::Nowhere(host.clone());
    for address in way.vetted.addresses().await? {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(source) => last = Refused::Connect { host: host.clone(), source },
        }
    }
    Err(last)
}

/// Moves bytes until one side ends, and tells the other side of the end.
async fn pump(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    count: &AtomicU64,
    left: &AtomicU64,
) -> Result<(), Cut> {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let length = from.read(&mut buffer).await.map_err(|_| Cut::Ended)?;
        if length == 0 {
            return to.shutdown().await.map_err(|_| Cut::Ended);
        }
        spend(length, count, left)?;
        to.write_all(&buffer[..length]).await.map_err(|_| Cut::Ended)?;
    }
}

/// Counts bytes before they are moved.
fn spend(length: usize, count: &AtomicU64, left: &AtomicU64) -> Result<(), Cut> {
    let length = length as u64;
    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(length));
    taken.map_err(|_| Cut::Refused(Refused::Bytes))?;
    count.fetch_add(length, Ordering::Relaxed);
    Ok(())
}

#[cfg(test)]
mod tests;
