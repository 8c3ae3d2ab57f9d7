//! What `serve`, `acp` and the messengers have in common: a starter waits for a process that becomes `mind` behind another side.

use std::os::fd::{OwnedFd, RawFd};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bot_base::config::Overrides;
use bot_base::config::channel::Through;
use bot_base::error::{Error, say};
use confine::Forked;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use shared_types::exit;
use user_agent::start::mind::{Purpose, become_mind_behind};
use user_agent::start::{Options, Prepared};

use crate::driver::{Attach, Doorway};
use crate::side::Side;
use crate::tokens::{Caller, Tokens};

/// How soon after a start the next one counts as one too many, and how long it is waited then.
const SOON: Duration = Duration::from_secs(10);
/// How often the starter looks whether the others have ended.
const TICK: Duration = Duration::from_millis(250);
/// After this number of looks the pages that the start used are given back.
const QUIET: u32 = 4;
/// How long they may take to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits for a process; a signal that ends this one is passed on, and repeated: one that starts may miss the first. What does not
/// end is killed.
fn wait(child: Pid, ended: impl Fn() -> bool) -> Result<u8, Error> {
    let mut asked: Option<Instant> = None;
    let mut looks = 0_u32;
    loop {
        match waitpid(child, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::Exited(_, code)) => return Ok(u8::try_from(code).unwrap_or(exit::FAILED)),
            Ok(WaitStatus::Signaled(_, signal, _)) => {
                return Ok(u8::try_from(128 + signal as i32).unwrap_or(exit::FAILED));
            }
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => {
                return Err(Error::System { what: "a process cannot be waited for", source: errno.into() });
            }
        }
        if ended() {
            let late = asked.get_or_insert_with(Instant::now).elapsed() > PATIENCE;
            let _ = kill(child, if late { Signal::SIGKILL } else { Signal::SIGTERM });
        }
        if looks == QUIET {
            confine::give_back();
        }
        looks = looks.saturating_add(1);
        std::thread::sleep(TICK);
    }
}

/// Starts processes one after the other, as long as the last one ended to be started again; answers the exit code of the last. `live` is
/// the life of such a process, with its end of a socket to this one.
///
/// # Errors
/// No process can be started or waited for, or no signal be caught.
pub(crate) fn start_again(mut live: impl FnMut(OwnedFd) -> u8) -> Result<u8, Error> {
    let ended = confine::stop::on_ending(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
        .map_err(|source| Error::System { what: "signals cannot be caught", source })?;
    loop {
        let begun = Instant::now();
        let failed = |source| Error::System { what: "a process could not be started", source };
        let child = match confine::fork_pair().map_err(failed)? {
            Forked::Child { socket } => std::process::exit(i32::from(live(socket))),
            Forked::Parent { child, socket } => (Pid::from_raw(child), socket),
        };
        let code = wait(child.0, || ended.load(Ordering::Relaxed))?;
        drop(child.1);
        if code != exit::RESTART || ended.load(Ordering::Relaxed) {
            return Ok(code);
        }
        say("something was installed; starting again");
        std::thread::sleep(SOON.saturating_sub(begun.elapsed()) / 10);
    }
}

/// A file that no path leads to, that nobody changes, and that outlasts the exec to come.
pub(crate) fn handed_over(bytes: &[u8]) -> std::io::Result<OwnedFd> {
    let file = confine::sealed(bytes)?;
    fcntl(&file, FcntlArg::F_SETFD(FdFlag::empty()))?;
    Ok(file.into())
}

/// Has a process beside `mind` end with it, and by no signal.
pub(crate) fn leave_signals() -> Result<(), Error> {
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        signals.add(signal);
    }
    let failed =
        |errno: Errno| Error::System { what: "signals cannot be left to `mind`", source: errno.into() };
    signals.thread_block().map_err(failed)
}

/// The side of the driver, the starter where there is one, and who comes without a token.
pub(crate) type Ends = (Box<dyn Side>, Option<OwnedFd>, Option<Caller>);

/// Becomes `mind` behind a side that is made while processes can still be forked.
pub(crate) fn drive(
    options: &Options,
    readonly: bool,
    through: Through,
    keep: &[RawFd],
    ends: impl FnOnce(&Prepared) -> Result<Ends, Error>,
) -> Result<u8, Error> {
    let overrides = Overrides { readonly, ..Overrides::default() };
    let purpose = Purpose { talks: true, json: true, serves: true, through, overrides, ..Purpose::default() };
    let mut attach: Option<Attach> = None;
    let (kernel, warnings) = become_mind_behind(options, purpose, keep, |prepared| {
        let (side, starter, bare) = ends(prepared)?;
        let voice = side.voice();
        let tokens = Tokens::of(prepared.home.clone(), prepared.profile.clone(), bare);
        let failed = |source| Error::System { what: "the starter's socket", source };
        let (driver, to_attach) = Doorway::new(side, starter, tokens).map_err(failed)?;
        attach = Some(to_attach);
        Ok(Some((Box::new(driver), voice)))
    })?;
    for warning in warnings {
        say(&warning);
    }
    if let Some(attach) = attach {
        attach.to(&kernel);
    }
    let ended = kernel.run();
    std::mem::forget(kernel);
    ended
}
