//! The door's side: HTTP to frames, and back. It knows no secret; whom a token belongs to is `mind`'s to say.
//!
//! - [`limits`]: how many connections and requests
//! - `app`: what every request is answered with; `request` and `events` what they have in common
//! - `guards`: who may call from where: Host, Origin, bodies, headers of every answer
//! - `link`: the socket to `mind`
//! - `routes`: what is answered under which path, and its description
//! - `chat`: answers while they come; `completions` in the shape of OpenAI's interface, `known` which talk is which
//! - `pages`: for a person in a browser
//! - `metrics`: figures for a program that watches

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
use tokio::sync::Semaphore;

use crate::listener::{Listener, Place};

mod app;
mod chat;
mod completions;
mod events;
mod failure;
mod guards;
mod known;
pub mod limits;
mod link;
mod metrics;
mod pages;
mod request;
mod routes;

pub use app::Rules;

use app::App;
use known::Known;
use limits::Limits;
use link::Link;

/// The most connections at a time; who comes beyond them waits in the socket.
const MOST_CONNECTIONS: usize = 512;
/// How long a client may take nothing of what is sent.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a client may take for the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// Answers until `mind` ends. The calling process is confined.
///
/// # Errors
/// A socket that does not work.
pub fn serve(mind: OwnedFd, listener: Listener, rules: Rules) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    runtime.block_on(async {
        let (link, ended) = Link::new(mind)?;
        let app = Arc::new(App { link, rules, limits: Limits::default(), known: Known::default() });
        let accepting = accept(listener, routes::router(app));
        tokio::select! {
            answer = accepting => answer,
            () = ended => Ok(()),
        }
    })
}

#[expect(clippy::disallowed_types, reason = "the socket that was opened before confinement")]
async fn accept(listener: Listener, router: Router) -> io::Result<()> {
    match listener.place {
        Place::Tcp(_) => {
            let socket = std::net::TcpListener::from(listener.socket);
            socket.set_nonblocking(true)?;
            let socket = tokio::net::TcpListener::from_std(socket)?.tap_io(|connection| {
                let _ = connection.set_nodelay(true);
                // A client that takes nothing must not keep its place.
                let _ = SockRef::from(&*connection).set_tcp_user_timeout(Some(SILENCE));
            });
            accept_all(socket, router).await
        }
        Place::File(_) => {
            let socket = std::os::unix::net::UnixListener::from(listener.socket);
            socket.set_nonblocking(true)?;
            accept_all(tokio::net::UnixListener::from_std(socket)?, router).await
        }
    }
}

/// Talks with everybody who comes, with so many at a time.
async fn accept_all(mut socket: impl serve::Listener, router: Router) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (connection, _) = socket.accept().await;
        tokio::spawn(talk(connection, router.clone(), place));
    }
}

async fn talk(
    connection: impl AsyncRead + AsyncWrite + Unpin,
    router: Router,
    _place: tokio::sync::OwnedSemaphorePermit,
) {
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_headers(64)
        .max_buf_size(32 * 1024)
        .serve_connection(TokioIo::new(connection), TowerToHyperService::new(router));
    // A client that goes away, or says what is no HTTP, is its own matter.
    let _ = served.await;
}
