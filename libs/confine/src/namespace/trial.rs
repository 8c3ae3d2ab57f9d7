//! Tests in a disposable process whether an ordinary user may create namespaces.
//!
//! Where AppArmor forbids it, a process learns that only when it is in a user namespace of which it is not a user, and
//! cannot make a file any more. So another process tries first, if there is anything to fall back to.

use nix::{
    errno::Errno,
    sys::wait::{WaitStatus, waitpid},
    unistd::{ForkResult, fork},
};

use super::{Own, View, unshare_unprivileged};

/// What would be refused; `None` if nothing. The calling process must have one thread.
pub(crate) fn would_be_refused(wanted: &[Own]) -> Option<View> {
    // SAFETY: there is one thread, so no lock is held by a thread that the child would lack.
    let child = match unsafe { fork() } {
        Ok(ForkResult::Child) => {
            let code = match unshare_unprivileged(wanted) {
                Ok(_) => 0,
                Err(View::Refused { step, errno }) => code(step, errno),
                Err(_) => UNKNOWN,
            };
            // SAFETY: ends the process without running anything of its parent's.
            unsafe { libc::_exit(code) }
        }
        Ok(ForkResult::Parent { child }) => child,
        Err(errno) => return Some(View::Refused { step: "another process", errno }),
    };
    loop {
        return match waitpid(child, None) {
            Err(Errno::EINTR) => continue,
            Ok(WaitStatus::Exited(_, 0)) => None,
            Ok(WaitStatus::Exited(_, code)) => Some(refused(code)),
            Ok(_) | Err(_) => Some(View::Refused { step: "a user namespace", errno: Errno::EPERM }),
        };
    }
}

/// An exit code for a step and one of the answers that a kernel gives to it.
fn code(step: &str, errno: Errno) -> i32 {
    let step = STEPS.iter().position(|known| *known == step);
    let errno = ANSWERS.iter().position(|known| *known == errno);
    let (Some(step), Some(errno)) = (step, errno) else { return UNKNOWN };
    i32::try_from(1 + step * ANSWERS.len() + errno).unwrap_or(UNKNOWN)
}

fn refused(code: i32) -> View {
    if code == UNKNOWN {
        return View::Refused { step: "a namespace", errno: Errno::UnknownErrno };
    }
    let at = usize::try_from(code - 1).unwrap_or(0);
    let step = STEPS.get(at / ANSWERS.len()).unwrap_or(&STEPS[0]);
    View::Refused { step, errno: ANSWERS[at % ANSWERS.len()] }
}

const STEPS: [&str; 3] = ["a user namespace", "the user of a user namespace", "mount"];
const ANSWERS: [Errno; 6] =
    [Errno::EPERM, Errno::EACCES, Errno::ENOSPC, Errno::EINVAL, Errno::EUSERS, Errno::ENOSYS];
const UNKNOWN: i32 = 99;

#[cfg(test)]
mod tests;
