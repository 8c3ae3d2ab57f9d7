//! Resource limits, and the two switches that need no table.

use nix::{
    errno::Errno,
    sys::{
        resource::{Resource, getrlimit, setrlimit},
        signal::{SigHandler, Signal, signal},
    },
};

use crate::{ConfineError, Role};

/// How much a process may use; `None` leaves the limit as it was. Core dumps are always off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of address space.
    pub address_space: Option<u64>,
    /// Seconds of processor time, after which the kernel kills.
    pub cpu_seconds: Option<u64>,
    /// Bytes of the largest file that may be written; a write beyond it fails.
    pub file_size: Option<u64>,
    /// Descriptors open at a time.
    pub open_files: Option<u64>,
    /// Processes and threads of this *user*; the kernel does not count those of root.
    pub processes: Option<u64>,
}

/// Lays the limits on, hard and soft alike. A lower limit that already holds stays.
pub(crate) fn lay(role: Role, limits: &Limits) -> Result<(), ConfineError> {
    if limits.file_size.is_some() && !role.runs_others() {
        // A full quota is then an error of one write, not the end of the process.
        // SAFETY: ignoring a signal installs no handler, so nothing runs asynchronously.
        unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }
            .map_err(|source| ConfineError::Limit { resource: "file size", source })?;
    }
    let table = [
        ("core dumps", Resource::RLIMIT_CORE, Some(0)),
        ("address space", Resource::RLIMIT_AS, limits.address_space),
        ("processor time", Resource::RLIMIT_CPU, limits.cpu_seconds),
        ("file size", Resource::RLIMIT_FSIZE, limits.file_size),
        ("open files", Resource::RLIMIT_NOFILE, limits.open_files),
        ("processes", Resource::RLIMIT_NPROC, limits.processes),
    ];
    for (name, resource, wanted) in table {
        let Some(wanted) = wanted else { continue };
        let refused = |source| ConfineError::Limit { resource: name, source };
        let (_, hard) = getrlimit(resource).map_err(refused)?;
        let limit = wanted.min(hard);
        setrlimit(resource, limit, limit).map_err(refused)?;
    }
    Ok(())
}

/// Refuses memory that was writable to become executable; false on a kernel that cannot (before 6.3).
pub(crate) fn refuse_exec_gain() -> Result<bool, ConfineError> {
    // SAFETY: this prctl takes integers only and touches no memory of ours.
    let answer = unsafe { libc::prctl(libc::PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0_u64, 0_u64, 0_u64) };
    match Errno::result(answer) {
        Ok(_) => Ok(true),
        Err(Errno::EINVAL) => Ok(false),
        Err(source) => Err(ConfineError::Switch { switch: "PR_SET_MDWE", source }),
    }
}

/// Whether the kernel knows that switch.
pub(crate) fn knows_exec_gain() -> bool {
    // SAFETY: this prctl takes integers only and touches no memory of ours.
    unsafe { libc::prctl(PR_GET_MDWE, 0_u64, 0_u64, 0_u64, 0_u64) >= 0 }
}

const PR_MDWE_REFUSE_EXEC_GAIN: u64 = 1;
const PR_GET_MDWE: libc::c_int = 66;
