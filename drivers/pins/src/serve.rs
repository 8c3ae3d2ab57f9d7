//! A service behind a socket file: a thread for each client, and one that watches the stops.

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use confine::Role;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use pin_protocol::{Reply, read_ask, write_told};

use crate::board::Open;
use crate::lines::Line;
use crate::panel::Panel;
use crate::stops::Stops;

/// How long a client may leave what it was sent unread.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the thread that watches looks for a signal that came beside its wait, in milliseconds.
const LOOK: u16 = 200;
/// The questions of a client in a second; more are refused.
const MOST_ASKED: usize = 200;

/// Has the signals that end a program set a flag.
///
/// # Errors
/// A signal that cannot be caught.
pub fn signals() -> io::Result<&'static AtomicBool> {
    confine::stop::on_signals(&[Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP])
}

/// Answers until a signal ends the process.
///
/// # Errors
/// No confinement.
pub fn serve(
    listening: UnixListener,
    lines: Vec<(Line, Box<dyn Open>)>,
    stops: Stops,
    ending: &AtomicBool,
    path: &Path,
) -> Result<(), voice_service::Fault> {
    confine::wipe_environment(&[]);
    voice_service::confined_as(Role::Pins, lines.len() as u64)?;
    let _ = writeln!(io::stderr(), "serving at {}", path.display());
    run(listening, lines, stops, ending);
    Ok(())
}

/// The same without confinement: a test has lines of its own.
pub fn run(
    listening: UnixListener,
    lines: Vec<(Line, Box<dyn Open>)>,
    mut stops: Stops,
    ending: &AtomicBool,
) {
    let panel = Arc::new(Panel::of(lines));
    panel.stop(stops.is_set());
    let (clients, served) = (AtomicU64::new(0), panel.clone());
    thread::spawn(move || {
        voice_service::accept(&listening, move |stream| {
            let client = clients.fetch_add(1, Ordering::Relaxed);
            let _ = talk(stream, client, &served);
            served.leave(client);
        });
    });
    while !ending.load(Ordering::Relaxed) {
        let was = stops.is_set();
        let mut watched = [PollFd::new(stops.as_fd(), PollFlags::POLLIN)];
        // A signal interrupts it.
        let _ = poll(&mut watched, PollTimeout::from(LOOK));
        stops.take();
        if stops.is_set() != was {
            panel.stop(stops.is_set());
        }
    }
    panel.end();
}

/// Answers one client until it leaves.
fn talk(stream: &UnixStream, client: u64, panel: &Panel) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let (mut input, mut output) = (BufReader::new(stream), stream);
    let mut asked = VecDeque::new();
    let is_gone = || {
        // That the other end is closed needs no asking for.
        let mut watched = [PollFd::new(stream.as_fd(), PollFlags::empty())];
        !matches!(poll(&mut watched, PollTimeout::ZERO), Ok(0))
    };
    loop {
        let ask = match read_ask(&mut input) {
            Ok(Some(ask)) => ask,
            Ok(None) => return Ok(()),
            Err(fault) => return write_told(&mut output, &Reply::Refused(fault.to_string())),
        };
        asked.retain(|time: &Instant| time.elapsed() < Duration::from_secs(1));
        let told = if asked.len() < MOST_ASKED {
            asked.push_back(Instant::now());
            panel.answer(client, &ask, &is_gone)
        } else {
            Reply::Refused(format!("a client asks at most {MOST_ASKED} times a second; wait a moment"))
        };
        write_told(&mut output, &told)?;
    }
}
