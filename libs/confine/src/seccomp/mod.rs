//! The system calls that a role may make, as tables compiled to a filter of the kernel.
//!
//! Three roles have a list of what is allowed; everything else answers `EPERM`. Compiler,
//! Action, Online and Server run programs of others, whose calls cannot be foreseen: they have a list of what is refused.

use libc::sock_filter;
use nix::{errno::Errno, unistd::getpid};

use crate::{ConfineError, Role};

mod allowed;
mod architecture;
mod filter;
mod policy;
mod refused;
mod row;

use architecture::OWN;
use policy::{Policy, Verdict};
use row::Row;

/// Whether filters can be installed and may answer with an error.
pub(crate) fn available() -> bool {
    let action = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the kernel only reads the integer behind the pointer, which lives through the call.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
    answer == 0
}

/// Installs the filter of a role on the calling thread and those that it will start.
pub(crate) fn lay(role: Role) -> Result<bool, ConfineError> {
    let own = u32::try_from(getpid().as_raw()).expect("the own process id is positive");
    let program = filter::compile(&Policy::of(role), own_number, OWN, own);
    install(&program)
        .map_err(|source| ConfineError::Switch { switch: "the table of system calls", source })?;
    Ok(true)
}

/// The filter of a program that starts no other.
pub(crate) fn alone() -> Vec<sock_filter> {
    let policy = Policy { verdict: Verdict::Refuse, tables: refused::ALONE, absent: refused::ABSENT };
    filter::compile(&policy, own_number, OWN, 0)
}

/// Refuses signals to others by the table alone, where no other wall keeps them in.
pub(crate) fn refuse_signals() -> Result<(), ConfineError> {
    install(&quiet()).map_err(|source| ConfineError::Switch { switch: "the table of signals", source })
}

/// Refuses changes of modes by path, where no view of its own keeps the files of others away: file rules do not see them.
pub(crate) fn refuse_modes() -> Result<(), ConfineError> {
    let policy = Policy { verdict: Verdict::Refuse, tables: refused::MODES, absent: refused::ABSENT };
    install(&filter::compile(&policy, own_number, OWN, 0))
        .map_err(|source| ConfineError::Switch { switch: "the table of modes", source })
}

fn quiet() -> Vec<sock_filter> {
    let policy = Policy { verdict: Verdict::Refuse, tables: refused::QUIET, absent: refused::ABSENT };
    filter::compile(&policy, own_number, OWN, 0)
}

/// Installs a filter beside those that hold already. Safe to call between fork and exec.
pub(crate) fn install(program: &[sock_filter]) -> Result<(), Errno> {
    let length = u16::try_from(program.len()).expect("a filter has some hundred lines");
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the program, whose pointer and length describe a slice that lives through the call.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    Errno::result(answer).map(drop)
}

fn own_number(row: &Row) -> u32 {
    u32::try_from(row.call).expect("the numbers of calls are small")
}

#[cfg(test)]
mod tests;
