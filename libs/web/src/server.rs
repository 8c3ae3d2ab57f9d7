//! Connections to requests.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::{self, ListenerExt as _};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most connections at a time; who comes beyond them waits in the socket.
pub const MOST_CONNECTIONS: usize = 512;
/// How long a client may take nothing of what is sent.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a client may take for the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// A socket that listens, opened before confinement.
#[derive(Debug)]
pub enum Socket {
    /// At an address.
    Tcp(OwnedFd),
    /// At a path.
    File(OwnedFd),
}

/// Answers everybody who comes, until it is dropped.
///
/// # Errors
/// A socket that does not work.
pub async fn answer(socket: Socket, router: Router) -> io::Result<()> {
    match socket {
        Socket::Tcp(socket) => {
            let socket = std::net::TcpListener::from(socket);
            socket.set_nonblocking(true)?;
            let socket = tokio::net::TcpListener::from_std(socket)?.tap_io(|connection| {
                let _ = connection.set_nodelay(true);
                // A client that takes nothing must not keep its place.
                let _ = SockRef::from(&*connection).set_tcp_user_timeout(Some(SILENCE));
            });
            accept(socket, router).await
        }
        Socket::File(socket) => {
            let socket = std::os::unix::net::UnixListener::from(socket);
            socket.set_nonblocking(true)?;
            accept(tokio::net::UnixListener::from_std(socket)?, router).await
        }
    }
}

async fn accept(mut socket: impl serve::Listener, router: Router) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (connection, _) = socket.accept().await;
        tokio::spawn(talk(connection, router.clone(), place));
    }
}

async fn talk(connection: impl AsyncRead + AsyncWrite + Unpin, router: Router, _place: OwnedSemaphorePermit) {
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_headers(64)
        .max_buf_size(32 * 1024)
        .serve_connection(TokioIo::new(connection), TowerToHyperService::new(router));
    // A client that goes away, or sends what is not HTTP, concerns nobody else.
    let _ = served.await;
}
