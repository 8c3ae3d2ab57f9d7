//! Connections to requests.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request, StatusCode};
use axum::serve::{self, ListenerExt as _};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustls::ServerConfig;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::peers::Peer;

/// The most connections at a time. Who comes beyond them takes the place of a connection whose caller is not known, and waits where
/// all are.
pub const MOST_CONNECTIONS: usize = 512;
/// How long a client may take nothing of what is sent.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a client may take for the head of a request, from the connection or from the answer before it on.
const HEAD: Duration = Duration::from_secs(5);
/// How long a client may take for the handshake of TLS.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a connection that was accepted before the end may take to begin its first request.
const FIRST: Duration = Duration::from_secs(2);

/// A socket that listens, opened before confinement.
#[derive(Debug)]
pub enum Socket {
    /// At an address.
    Tcp(OwnedFd),
    /// At an address, by TLS.
    Tls(OwnedFd, Arc<ServerConfig>),
    /// At a path.
    File(OwnedFd),
}

/// The connection of a request, among the request's extensions. A connection that continues as a WebSocket keeps its place
/// among [`MOST_CONNECTIONS`] by it, and is waited for after the end.
#[derive(Debug, Clone)]
pub struct Connection {
    ending: watch::Receiver<bool>,
    facts: Arc<Facts>,
    _place: Arc<OwnedSemaphorePermit>,
}

impl Connection {
    /// Is ready after the end, when no connection is accepted any more.
    pub async fn ends(&mut self) {
        // The sender is there until every connection is gone.
        let _ = self.ending.wait_for(|is_ending| *is_ending).await;
    }

    /// The address at its other end, where it is one.
    pub fn address(&self) -> Option<IpAddr> {
        self.facts.address
    }

    /// Notes that the caller is known: the connection keeps its place, however many others come.
    pub fn keep(&self) {
        self.facts.is_known.store(true, Ordering::Relaxed);
    }
}

/// What is known of a connection.
#[derive(Debug, Default)]
struct Facts {
    /// Whether a request came by it.
    has_asked: AtomicBool,
    is_known: AtomicBool,
    /// The address at its other end.
    address: Option<IpAddr>,
    /// Tells it to make room for another one.
    leaves: Notify,
}

/// The connections that are open, by the order in which they came.
#[derive(Debug, Default)]
struct Open(Mutex<BTreeMap<u64, Arc<Facts>>>);

impl Open {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Facts>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells one connection whose caller is not known to make room: of the address that has the most, the oldest one that asked
    /// nothing yet, else the oldest one. So a flood from one address takes its own places.
    fn make_room(&self) {
        let mut open = self.lock();
        let strangers = || open.iter().filter(|(_, facts)| !facts.is_known.load(Ordering::Relaxed));
        let peer = |facts: &Facts| facts.address.map(Peer::from);
        let mut counts: HashMap<Option<Peer>, usize> = HashMap::new();
        for (_, facts) in strangers() {
            *counts.entry(peer(facts)).or_default() += 1;
        }
        let rank = |(number, facts): &(&u64, &Arc<Facts>)| {
            let count = counts.get(&peer(facts)).copied().unwrap_or_default();
            (Reverse(count), facts.has_asked.load(Ordering::Relaxed), **number)
        };
        let Some(number) = strangers().min_by_key(rank).map(|(number, _)| *number) else { return };
        // It is notified once, and the next one who comes takes the place of another.
        if let Some(facts) = open.remove(&number) {
            facts.leaves.notify_one();
        }
    }
}

/// Answers everybody who comes, until it is dropped or `ends` is ready. After `ends`, no connection is accepted, and the requests of
/// those that were accepted are still answered; who holds a [`Connection`] is waited for.
///
/// # Errors
/// A socket that does not work.
pub async fn answer(socket: Socket, router: Router, ends: impl Future<Output = ()>) -> io::Result<()> {
    match socket {
        Socket::Tcp(socket) => accept(tcp(socket)?, ip, None, router, ends).await,
        Socket::Tls(socket, tls) => {
            accept(tcp(socket)?, ip, Some(TlsAcceptor::from(tls)), router, ends).await
        }
        Socket::File(socket) => {
            let socket = std::os::unix::net::UnixListener::from(socket);
            socket.set_nonblocking(true)?;
            accept(tokio::net::UnixListener::from_std(socket)?, |_| None, None, router, ends).await
        }
    }
}

fn ip(address: &SocketAddr) -> Option<IpAddr> {
    Some(address.ip())
}

fn tcp(socket: OwnedFd) -> io::Result<impl serve::Listener<Io: Send + 'static, Addr = SocketAddr>> {
    let socket = std::net::TcpListener::from(socket);
    socket.set_nonblocking(true)?;
    Ok(tokio::net::TcpListener::from_std(socket)?.tap_io(|connection| {
        let _ = connection.set_nodelay(true);
        // A client that takes nothing must not keep its place.
        let _ = SockRef::from(&*connection).set_tcp_user_timeout(Some(SILENCE));
    }))
}

async fn accept<L: serve::Listener>(
    mut socket: L,
    address_of: impl Fn(&L::Addr) -> Option<IpAddr>,
    tls: Option<TlsAcceptor>,
    router: Router,
    ends: impl Future<Output = ()>,
) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let (ending, is_ending) = watch::channel(false);
    let open = Arc::new(Open::default());
    let mut number = 0;
    let mut begin = |(connection, address): (L::Io, L::Addr), place| {
        let facts = Arc::new(Facts { address: address_of(&address), ..Facts::default() });
        number += 1;
        open.lock().insert(number, facts.clone());
        let kept = Connection { ending: is_ending.clone(), facts: facts.clone(), _place: Arc::new(place) };
        let (router, tls, open) = (router.clone(), tls.clone(), open.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = answered(connection, tls, router, kept) => (),
                () = facts.leaves.notified() => (),
            }
            open.lock().remove(&number);
        });
    };
    // The connection that has no place yet.
    let mut came = None;
    let mut ends = pin!(ends);
    loop {
        let next = async {
            came = Some(socket.accept().await);
            if places.available_permits() == 0 {
                open.make_room();
            }
            places.clone().acquire_owned().await.map_err(io::Error::other)
        };
        tokio::select! {
            biased;
            () = &mut ends => break,
            place = next => {
                let place = place?;
                if let Some(connection) = came.take() {
                    begin(connection, place);
                }
            }
        }
    }
    drop(socket);
    let _ = ending.send(true);
    if let Some(connection) = came.take() {
        begin(connection, places.clone().acquire_owned().await.map_err(io::Error::other)?);
    }
    drop(is_ending);
    ending.closed().await;
    Ok(())
}

/// Answers what comes by one connection.
async fn answered(
    connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    tls: Option<TlsAcceptor>,
    router: Router,
    kept: Connection,
) {
    match tls {
        None => talk(connection, router, kept).await,
        Some(tls) => {
            if let Some(connection) = greet(connection, &tls, kept.clone()).await {
                talk(connection, router, kept).await;
            }
        }
    }
}

/// Makes the handshake of TLS; nothing where a client is too slow, or sends what is not TLS. Neither concerns anybody else.
async fn greet<C: AsyncRead + AsyncWrite + Unpin>(
    connection: C,
    tls: &TlsAcceptor,
    mut facts: Connection,
) -> Option<TlsStream<C>> {
    let ended = async {
        facts.ends().await;
        sleep(FIRST).await;
    };
    tokio::select! {
        greeted = tls.accept(connection) => greeted.ok(),
        () = sleep(HANDSHAKE) => None,
        () = ended => None,
    }
}

/// Answers the requests of one connection, until it continues as a WebSocket. At the end an idle one is closed, and one that is
/// new may still send its first request.
async fn talk(
    connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    mut facts: Connection,
) {
    let of_request = facts.clone();
    let is_last = facts.ending.clone();
    let router = TowerToHyperService::new(router);
    let service = service_fn(|mut request: Request<Incoming>| {
        of_request.facts.has_asked.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(of_request.clone());
        let answer = router.call(request);
        let is_last = &is_last;
        async move {
            let mut answer = answer.await?;
            if *is_last.borrow() && answer.status() != StatusCode::SWITCHING_PROTOCOLS {
                answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let mut served = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_headers(64)
            .max_buf_size(32 * 1024)
            .serve_connection(TokioIo::new(connection), service)
            .with_upgrades()
    );
    // A client that goes away, or sends what is not HTTP, concerns nobody else.
    tokio::select! {
        biased;
        // First what has come: an end at the same moment leaves no request unread.
        _ = served.as_mut() => return,
        () = facts.ends() => {}
    }
    if !facts.facts.has_asked.load(Ordering::Relaxed) {
        tokio::select! {
            biased;
            _ = served.as_mut() => return,
            () = sleep(FIRST) => {}
        }
    }
    served.as_mut().graceful_shutdown();
    let _ = served.await;
}

#[cfg(test)]
mod tests;
