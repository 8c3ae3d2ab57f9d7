//! Connections to requests.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// The most connections at a time; who comes beyond them waits in the socket.
pub const MOST_CONNECTIONS: usize = 512;
/// How long a client may take nothing of what is sent.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a client may take for the head of a request.
const HEAD: Duration = Duration::from_secs(10);
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

/// The connection of a request, among the request's extensions. A connection that goes on as a WebSocket keeps its place among
/// [`MOST_CONNECTIONS`] by it, and is waited for after the end.
#[derive(Debug, Clone)]
pub struct Connection {
    ending: watch::Receiver<bool>,
    _place: Arc<OwnedSemaphorePermit>,
}

impl Connection {
    /// Is ready after the end, when no connection is accepted any more.
    pub async fn ends(&mut self) {
        // The sender is there until every connection is gone.
        let _ = self.ending.wait_for(|is_ending| *is_ending).await;
    }
}

/// Answers everybody who comes, until it is dropped or `ends` is ready. After `ends`, no connection is accepted, and the requests of
/// those that were accepted are still answered; who holds a [`Connection`] is waited for.
///
/// # Errors
/// A socket that does not work.
pub async fn answer(socket: Socket, router: Router, ends: impl Future<Output = ()>) -> io::Result<()> {
    match socket {
        Socket::Tcp(socket) => accept(tcp(socket)?, None, router, ends).await,
        Socket::Tls(socket, tls) => accept(tcp(socket)?, Some(TlsAcceptor::from(tls)), router, ends).await,
        Socket::File(socket) => {
            let socket = std::os::unix::net::UnixListener::from(socket);
            socket.set_nonblocking(true)?;
            accept(tokio::net::UnixListener::from_std(socket)?, None, router, ends).await
        }
    }
}

fn tcp(socket: OwnedFd) -> io::Result<impl serve::Listener<Io: Send + 'static>> {
    let socket = std::net::TcpListener::from(socket);
    socket.set_nonblocking(true)?;
    Ok(tokio::net::TcpListener::from_std(socket)?.tap_io(|connection| {
        let _ = connection.set_nodelay(true);
        // A client that takes nothing must not keep its place.
        let _ = SockRef::from(&*connection).set_tcp_user_timeout(Some(SILENCE));
    }))
}

async fn accept(
    mut socket: impl serve::Listener,
    tls: Option<TlsAcceptor>,
    router: Router,
    ends: impl Future<Output = ()>,
) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let (ending, is_ending) = watch::channel(false);
    let mut ends = pin!(ends);
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
            io::Result::Ok((socket.accept().await.0, place))
        };
        tokio::select! {
            biased;
            () = &mut ends => break,
            next = next => {
                let (connection, place) = next?;
                let (router, ending) = (router.clone(), is_ending.clone());
                let facts = Connection { ending, _place: Arc::new(place) };
                match tls.clone() {
                    None => tokio::spawn(talk(connection, router, facts)),
                    Some(tls) => tokio::spawn(async move {
                        if let Some(connection) = greet(connection, &tls, facts.clone()).await {
                            talk(connection, router, facts).await;
                        }
                    }),
                };
            }
        }
    }
    drop((socket, is_ending));
    let _ = ending.send(true);
    ending.closed().await;
    Ok(())
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

/// Answers the requests of one connection, until it goes on as a WebSocket. At the end an idle one is closed, and one that is new
/// may still send its first request.
async fn talk(
    connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    mut facts: Connection,
) {
    let is_new = AtomicBool::new(true);
    let of_request = facts.clone();
    let is_last = facts.ending.clone();
    let router = TowerToHyperService::new(router);
    let service = service_fn(|mut request: Request<Incoming>| {
        is_new.store(false, Ordering::Relaxed);
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
    if is_new.load(Ordering::Relaxed) {
        tokio::select! {
            biased;
            _ = served.as_mut() => return,
            () = sleep(FIRST) => {}
        }
    }
    served.as_mut().graceful_shutdown();
    let _ = served.await;
}
