//! A signal becomes a flag: Ctrl-C and a service manager's stop end a program between two steps.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

static REQUESTED: AtomicBool = AtomicBool::new(false);

extern "C" fn request(_signal: libc::c_int) {
    // The only thing that is safe in every moment a signal may come.
    REQUESTED.store(true, Ordering::Relaxed);
}

/// Turns the named signals into the returned flag; calls that wait are interrupted by them.
///
/// # Errors
/// A signal that cannot be caught.
pub fn on_signals(signals: &[Signal]) -> io::Result<&'static AtomicBool> {
    let action = SigAction::new(SigHandler::Handler(request), SaFlags::empty(), SigSet::empty());
    for signal in signals {
        // SAFETY: the handler stores to an atomic and does nothing else, which is async-signal-safe.
        unsafe { sigaction(*signal, &action) }?;
    }
    Ok(&REQUESTED)
}
