//! A signal becomes a flag: Ctrl-C and a service manager's stop end a program between two steps.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static ENDING: AtomicBool = AtomicBool::new(false);

extern "C" fn request(_signal: libc::c_int) {
    // The only thing that is safe in every moment a signal may come.
    REQUESTED.store(true, Ordering::Relaxed);
}

extern "C" fn end(_signal: libc::c_int) {
    ENDING.store(true, Ordering::Relaxed);
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
        // SAFETY: both handlers store to an atomic and do nothing else, which is async-signal-safe.
        unsafe { sigaction(*signal, &action) }?;
    }
    Ok(())
}
