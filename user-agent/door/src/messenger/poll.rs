//! The process that talks to a messenger's server: it has the network and the access token, and nothing of the profile.

use std::cell::RefCell;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

use bot_base::error::Error;
use confine::{FileRules, Limits, Manner, Role, Wall};
use net::frames::{decode, encode};
use shared_types::exit;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Mutex, Notify};
use tokio::task::LocalSet;
use tokio::time::{sleep, timeout};
use user_agent::start::network::{silence, warm_names};
use zeroize::Zeroizing;

use super::frames::{Heard, Order, Outgoing, ToMessenger};
use super::rooms::POLLS;
use super::server::{Failure, Server};
use super::signs::Signs;
use crate::life::leave_signals;

/// The shortest and the longest wait after a failure.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// How long the server is waited for that is to show a part of an answer. The whole answer waits as long.
const DRAFT: Duration = Duration::from_secs(10);

/// The process's whole life: its order is in a sealed file, `mind` on standard output.
///
/// # Errors
/// No order, no socket, or nothing that confines it.
pub(crate) fn run<S: Server>(number: &str) -> Result<u8, Error> {
    let failed = |what| move |source| Error::System { what, source };
    let socket = io::stdout().as_fd().try_clone_to_owned().map_err(failed("this process has no socket"))?;
    let bytes = confine::unsealed(number).map(Zeroizing::new).map_err(failed("the order of this process"))?;
    let order: Order = serde_json::from_slice(&bytes)
        .map_err(|e| failed("the order of this process")(io::Error::other(e)))?;
    warm_names(std::iter::once(order.host.host().to_owned()));
    confined(&order)?;
    silence();
    let served = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(2)
        .build()
        .and_then(|runtime| LocalSet::new().block_on(&runtime, talk(socket, S::new(order))));
    served.map_err(failed(POLLS))?;
    Ok(exit::DONE)
}

/// Confines the process as the one that has the network for `mind`. Without walls there is no channel.
fn confined(order: &Order) -> Result<(), Error> {
    leave_signals()?;
    let rules = FileRules { read: models::http::system_files(), ..FileRules::default() };
    let limits = Limits { open_files: Some(64), file_size: Some(0), ..Limits::default() };
    let wall = if order.namespace { Wall::Namespace } else { Wall::Either };
    let manner = Manner { wall, hidden: order.hidden.clone(), paired: true, ..Manner::default() };
    let held = confine::confine_as(Role::Net, &rules, &limits, &manner)?;
    if held.seccomp && held.governs_files() {
        return Ok(());
    }
    let missing = format!("what confines {POLLS}");
    let remedy = "use a kernel with Landlock or user namespaces, and with seccomp".to_owned();
    Err(Error::Isolation { found: confine::Tier::Degraded, wanted: confine::Tier::Process, missing, remedy })
}

/// The way to `mind`.
struct Mind(Mutex<OwnedWriteHalf>);

impl Mind {
    async fn tell(&self, heard: &Heard) -> io::Result<()> {
        let Ok(frame) = encode(heard) else { return Ok(()) };
        self.0.lock().await.write_all(&frame).await
    }

    /// Tells of a failure; true where it is the end.
    async fn fails(&self, failure: &Failure) -> io::Result<bool> {
        let (why, is_end) = match failure {
            Failure::Later(why, _) | Failure::Unsure(why) | Failure::Never(why) => (why, false),
            Failure::Account(why) => (why, true),
        };
        self.tell(&Heard::Trouble { why: why.clone(), is_end }).await?;
        Ok(is_end)
    }
}

/// What `mind` has said.
#[derive(Default)]
struct FromMind {
    /// The message that is to be sent, or the part of an answer that is to be shown.
    outgoing: RefCell<Option<ToMessenger>>,
    sends: Notify,
    /// What was handed over is written down.
    taken: Notify,
}

async fn talk(socket: OwnedFd, server: impl Server) -> io::Result<()> {
    let stream = std::os::unix::net::UnixStream::from(socket);
    stream.set_nonblocking(true)?;
    let (mut reader, writer) = UnixStream::from_std(stream)?.into_split();
    let mut received = Vec::new();
    let Some(ToMessenger::Begin { since }) = next(&mut reader, &mut received).await? else { return Ok(()) };
    let (server, mind, from_mind) =
        (Rc::new(server), Rc::new(Mind(Mutex::new(writer))), Rc::new(FromMind::default()));
    let signs = Signs::of(server.clone());
    let sending = tokio::task::spawn_local(send_all(server.clone(), mind.clone(), from_mind.clone()));
    let polling = tokio::task::spawn_local(poll_on(server, mind, from_mind.clone(), since));
    tokio::select! {
        ended = listen(reader, received, &from_mind, &signs) => ended,
        ended = sending => ended.unwrap_or_else(|e| Err(io::Error::other(e))),
        ended = polling => ended.unwrap_or_else(|e| Err(io::Error::other(e))),
    }
}

/// Takes what `mind` says, until it has ended.
async fn listen(
    mut reader: OwnedReadHalf,
    mut received: Vec<u8>,
    from_mind: &FromMind,
    signs: &Signs<impl Server>,
) -> io::Result<()> {
    while let Some(told) = next(&mut reader, &mut received).await? {
        match told {
            ToMessenger::Send(_) | ToMessenger::Draft(_) => {
                from_mind.outgoing.replace(Some(told));
                from_mind.sends.notify_one();
            }
            ToMessenger::Typing { room, on } => signs.turn(room, on),
            ToMessenger::Taken => from_mind.taken.notify_one(),
            ToMessenger::Begin { .. } => {}
        }
    }
    Ok(())
}

async fn next(reader: &mut OwnedReadHalf, received: &mut Vec<u8>) -> io::Result<Option<ToMessenger>> {
    loop {
        if let Some(told) = decode(received).map_err(io::Error::other)? {
            return Ok(Some(told));
        }
        if reader.read_buf(received).await? == 0 {
            return Ok(None);
        }
    }
}

/// Sends one message after the other, each until the server has it or will never take it.
async fn send_all(server: Rc<impl Server>, mind: Rc<Mind>, from_mind: Rc<FromMind>) -> io::Result<()> {
    loop {
        let told = from_mind.outgoing.take();
        let mut outgoing = match told {
            Some(ToMessenger::Send(outgoing)) => outgoing,
            Some(ToMessenger::Draft(draft)) => {
                let (message, more) = show(&*server, &draft).await;
                mind.tell(&Heard::Drafted { key: draft.key, message, more }).await?;
                continue;
            }
            _ => {
                from_mind.sends.notified().await;
                continue;
            }
        };
        let mut wait = WAITS[0];
        let refused = loop {
            match server.send(&outgoing).await {
                Ok(_) => break None,
                // The other message is gone, or too old.
                Err(Failure::Never(_)) if outgoing.replaces.is_some() => outgoing.stands_alone(),
                Err(Failure::Never(why)) => break Some(why),
                Err(failure) => {
                    if mind.fails(&failure).await? {
                        return Ok(());
                    }
                    if matches!(failure, Failure::Unsure(_)) {
                        outgoing.is_unsure();
                    }
                    pause(&mut wait, &failure).await;
                }
            }
        };
        mind.tell(&Heard::Sent { key: outgoing.key, refused }).await?;
    }
}

/// Shows a part of an answer, once; answers the message that the whole answer may replace, and whether more may be shown.
async fn show(server: &impl Server, draft: &Outgoing) -> (Option<String>, bool) {
    match timeout(DRAFT, server.send(draft)).await {
        Ok(Ok(message)) => (Some(message), true),
        // It did not arrive; what was shown before still stands.
        Ok(Err(Failure::Later(..))) => (draft.replaces.clone(), false),
        // It may arrive after the whole answer, which must not be overwritten.
        _ => (None, false),
    }
}

/// Polls until the account is no longer accepted; each time once `mind` has written down what came before, since a server may forget
/// what it was asked beyond.
async fn poll_on(
    server: Rc<impl Server>,
    mind: Rc<Mind>,
    from_mind: Rc<FromMind>,
    mut since: Option<String>,
) -> io::Result<()> {
    let (mut wait, mut is_checked, mut has_failed) = (WAITS[0], false, false);
    loop {
        let polled = match is_checked {
            true => server.poll(since.as_deref()).await.map(Some),
            false => server.check().await.map(|()| None),
        };
        match polled {
            Ok(None) => is_checked = true,
            Ok(Some(polled)) => {
                (wait, has_failed) = (WAITS[0], false);
                for said in polled.said {
                    mind.tell(&Heard::Said(said)).await?;
                }
                for sender in polled.strangers {
                    mind.tell(&Heard::Stranger { sender }).await?;
                }
                mind.tell(&Heard::Since { since: polled.since.clone() }).await?;
                from_mind.taken.notified().await;
                since = Some(polled.since);
            }
            // An outage is reported once.
            Err(failure) => {
                let is_end = matches!(failure, Failure::Account(_));
                if (is_end || !std::mem::replace(&mut has_failed, true)) && mind.fails(&failure).await? {
                    return Ok(());
                }
                pause(&mut wait, &failure).await;
            }
        }
    }
}

/// Waits after a failure, each time twice as long.
async fn pause(wait: &mut Duration, failure: &Failure) {
    let asked = if let Failure::Later(_, asked) = failure { *asked } else { None };
    sleep(asked.unwrap_or(*wait)).await;
    *wait = (*wait * 2).min(WAITS[1]);
}
