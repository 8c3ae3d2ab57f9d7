//! The door's side: HTTP to frames, and back. It knows no secret; whom a token belongs to is `mind`'s to say.
//!
//! - `app`: what every request is answered with; `request` and `events` what they have in common
//! - `guards`: who may call from where: Host, Origin, bodies, headers of every answer
//! - `link`: the socket to `mind`
//! - `routes`: what is answered under which path, and its description
//! - `chat`: answers while they come, and `socket` many of them over a WebSocket; `completions` in the shape of OpenAI's interface, `known` which talk is which
//! - `pages`: for a person in a browser
//! - `metrics`: figures for a program that watches

use std::convert::Infallible;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use shared_types::id::ProfileId;
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;
use web::limits::Limits;
use web::rules::Rules;
use web::server::{self, Socket};

use crate::listener::{Listener, Place};

mod app;
mod chat;
mod completions;
mod events;
mod failure;
mod guards;
mod known;
mod link;
mod metrics;
mod pages;
mod request;
mod routes;
mod socket;

use app::App;
use known::Known;
use link::Link;

/// After so long without a request the pages that it used are given back.
const QUIET: Duration = Duration::from_secs(1);

/// Answers until `mind` ends, or until it has no more to answer after `mind` asked it to leave. The calling process is confined.
///
/// # Errors
/// A socket that does not work.
pub fn serve(
    mind: OwnedFd,
    listener: Listener,
    tls: Option<Arc<ServerConfig>>,
    rules: Rules,
    (profile, language): (&ProfileId, Option<&str>),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    runtime.block_on(async {
        let (link, leaves, ended) = Link::new(mind)?;
        let large = Arc::new(Semaphore::new(guards::MOST_LARGE));
        let (cookie, browser_cookie) = (request::cookie_name(profile), request::browser_cookie_name(profile));
        let language = language.map(str::to_owned);
        let (limits, known) = (Limits::default(), Known::default());
        let app = Arc::new(App {
            link,
            rules,
            cookie,
            browser_cookie,
            language,
            limits,
            large,
            used: Notify::new(),
            known,
        });
        let socket = match (listener.place, tls) {
            (Place::Tcp(_), Some(tls)) => Socket::Tls(listener.socket, tls),
            (Place::Tcp(_), None) => Socket::Tcp(listener.socket),
            (Place::File(_), _) => Socket::File(listener.socket),
        };
        let accepting = server::answer(socket, routes::router(app.clone()), leaves);
        tokio::select! {
            answer = accepting => answer,
            () = ended => Ok(()),
            never = rest(&app.used) => match never {},
        }
    })
}

/// Gives pages back each time that nothing was asked for a while.
async fn rest(used: &Notify) -> Infallible {
    loop {
        while timeout(QUIET, used.notified()).await.is_ok() {}
        confine::give_back();
        used.notified().await;
    }
}
