//! System calls injected into a running process, as if its own code had made them.
//!
//! The traced program carries no attack code: the tracer saves the registers, points the process at a `syscall`
//! instruction that is mapped anyway, steps over it once, reads the result and puts everything back.

#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(not(target_arch = "x86_64"))]
pub use elsewhere::Tracer;
#[cfg(target_arch = "x86_64")]
pub use x86_64::Tracer;

/// What came of an injected call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The call's own result; a refusal is a negative error number.
    Returned(i64),
    /// The process died of it.
    Killed(i32),
}

impl Outcome {
    /// Whether the operating system refused the call: `EPERM` or `EACCES`.
    pub fn is_refusal(self) -> bool {
        [libc::EPERM, libc::EACCES].iter().any(|errno| self == Outcome::Returned(-i64::from(*errno)))
    }

    /// Whether the call succeeded.
    pub fn is_success(self) -> bool {
        matches!(self, Outcome::Returned(result) if result >= 0)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
