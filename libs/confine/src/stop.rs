//! A signal becomes a flag: Ctrl-C and a service manager's stop end a program between two steps. As the first process of a
//! container a program ends by signals as everywhere else.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use nix::unistd::{Pid, getpid};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static ENDING: AtomicBool = AtomicBool::new(false);

extern "C" fn request(_signal: libc::c_int) {
    // The only thing that is safe in every moment a signal may come.
    REQUESTED.store(true, Ordering::Relaxed);
}

extern "C" fn end(_signal: libc::c_int) {
    ENDING.store(true, Ordering::Relaxed);
}

extern "C" fn leave(signal: libc::c_int) {
    // SAFETY: the call takes an integer, does not come back, and may be made in every moment a signal may come.
    unsafe { libc::_exit(128 + signal) }
}

/// Lets the first process of a container end by the signals that end every other process: the kernel keeps from a first
/// process what it does not catch. Elsewhere nothing is changed; what is caught later takes the place of this.
///
/// # Errors
/// A signal that cannot be caught.
pub fn as_first_process() -> io::Result<()> {
    if getpid() != Pid::from_raw(1) {
        return Ok(());
    }
    catch(&[Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM], leave)
}

/// Turns the named signals into the returned flag; calls that wait are interrupted by them.
///
/// # Errors
/// A signal that cannot be caught.
pub fn on_signals(signals: &[Signal]) -> io::Result<&'static AtomicBool> {
    catch(signals, request)?;
    Ok(&REQUESTED)
}

/// As [`on_signals`], with a flag of its own: for a program to which Ctrl-C is a key, but that has to end all the same when
/// its window is closed or a service manager asks.
///
/// # Errors
/// A signal that cannot be caught.
pub fn on_ending(signals: &[Signal]) -> io::Result<&'static AtomicBool> {
    catch(signals, end)?;
    Ok(&ENDING)
}

fn catch(signals: &[Signal], handler: extern "C" fn(libc::c_int)) -> io::Result<()> {
    let action = SigAction::new(SigHandler::Handler(handler), SaFlags::empty(), SigSet::empty());
    for signal in signals {
        // SAFETY: the handlers store to an atomic or end the process and do nothing else, which is async-signal-safe.
        unsafe { sigaction(*signal, &action) }?;
    }
    Ok(())
}
