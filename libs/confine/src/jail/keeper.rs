//! A namespace of processes: its first process, and the one outside that waits.
//!
//! Three processes come out of one. The *keeper* stays outside: it keeps the process id that the parent knows. It waits
//! for the jailed process and ends as that one did. The *first* process within reaps what is orphaned there; the kernel ends
//! all others with it. It ends when the keeper does, however that ends. The third is the jailed process itself: not the
//! first, for the kernel keeps most signals from that one, its own `abort` among them.

use std::io::PipeReader;
use std::os::fd::{AsRawFd, IntoRawFd};

use nix::{
    errno::Errno,
    sys::{
        prctl,
        signal::{SigHandler, SigSet, Signal, kill, raise, signal},
        wait::{WaitStatus, waitpid},
    },
    unistd::{ForkResult, Pid, chdir, fork, read},
};

use crate::{ConfineError, capabilities};

/// Forks into the namespace that was just made; returns only in the process that is to be jailed.
pub(super) fn split() -> Result<(), ConfineError> {
    let refused = |source| ConfineError::Namespace { step: "processes of its own", source };
    let io_refused =
        |error: std::io::Error| refused(Errno::from_raw(error.raw_os_error().unwrap_or(libc::EIO)));
    // The two helpers are seen by the jailed process from its beginning; they must lend it neither memory nor descriptors.
    let _ = prctl::set_dumpable(false);
    // Only the keeper holds the end that is written, so the other end says when it is gone.
    let (keeper_lives, held) = std::io::pipe().map_err(io_refused)?;
    // SAFETY: there is one thread (asserted by the caller), so no lock is held by a thread that the child would lack.
    let first = match unsafe { fork() }.map_err(refused)? {
        ForkResult::Child => {
            drop(held);
            reap(keeper_lives)
        }
        ForkResult::Parent { child } => child,
    };
    drop(keeper_lives);
    // SAFETY: as above.
    match unsafe { fork() } {
        Ok(ForkResult::Child) => {
            drop(held);
            // The end of the first process ends this one too; this is for a machine where that one could not be notified.
            prctl::set_pdeathsig(Signal::SIGKILL).map_err(refused)
        }
        Ok(ForkResult::Parent { child }) => {
            let held = held.into_raw_fd();
            wait(child, first, held)
        }
        Err(errno) => {
            let _ = kill(first, Signal::SIGKILL);
            Err(refused(errno))
        }
    }
}

/// The first process: what is orphaned is reaped by the kernel, since nobody here asks how it ended.
fn reap(keeper_lives: PipeReader) -> ! {
    become_harmless(&[keeper_lives.as_raw_fd()]);
    // SAFETY: ignoring a signal installs no handler, so nothing runs asynchronously.
    let _ = unsafe { signal(Signal::SIGCHLD, SigHandler::SigIgn) };
    let _ = prctl::set_pdeathsig(Signal::SIGKILL);
    while read(&keeper_lives, &mut [0]) == Err(Errno::EINTR) {}
    end(0)
}

/// The keeper: it ends as the jailed process ended, when nothing of the namespace is left.
fn wait(jailed: Pid, first: Pid, held: i32) -> ! {
    become_harmless(&[held]);
    let status = ended(jailed);
    // The kernel ends every process of the namespace with its first, and that one can be waited for when all are gone.
    let _ = kill(first, Signal::SIGKILL);
    let _ = ended(first);
    match status {
        Ok(WaitStatus::Exited(_, code)) => end(code),
        Ok(WaitStatus::Signaled(_, number, _)) => {
            // SAFETY: the default of a signal installs no handler, so nothing runs asynchronously.
            let _ = unsafe { signal(number, SigHandler::SigDfl) };
            let mut one = SigSet::empty();
            one.add(number);
            let _ = one.thread_unblock();
            let _ = raise(number);
            end(128 + number as i32)
        }
        Ok(_) | Err(_) => end(libc::EXIT_FAILURE),
    }
}

fn ended(child: Pid) -> Result<WaitStatus, Errno> {
    loop {
        match waitpid(child, None) {
            Err(Errno::EINTR) => {}
            answer => return answer,
        }
    }
}

/// Both keep nothing that could be of use: no descriptor, which would also hold the child's pipes open, and no power.
fn become_harmless(keep: &[i32]) {
    crate::process::close_all(keep);
    let _ = chdir("/");
    let _ = nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_CORE, 0, 0);
    let _ = prctl::set_dumpable(false);
    let _ = prctl::set_no_new_privs();
    // A process without CAP_SETPCAP has no bounding set to empty.
    let _ = capabilities::drop_all();
}

/// Ends without running anything of the program's.
fn end(code: i32) -> ! {
    // SAFETY: the call takes an integer and does not come back.
    unsafe { libc::_exit(code) }
}
