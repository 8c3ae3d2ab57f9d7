//! The system calls that a role may make, as tables compiled to a filter of the kernel.
//!
//! Three roles have a list of what is allowed; everything else answers `EPERM`. The Compiler role runs
//! programs of others, whose calls cannot be foreseen: it has a list of what is refused.

use std::collections::BTreeMap;

use nix::unistd::getpid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use crate::{ConfineError, Role};

mod allowed;
mod refused;
mod row;
use row::{Row, Test, Value, Width};

/// Whether filters can be installed and may answer with an error.
pub(crate) fn available() -> bool {
    let action = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the kernel only reads the integer behind the pointer, which lives through the call.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
    answer == 0
}

/// Installs the filters of a role on the calling thread and those that it will start.
pub(crate) fn lay(role: Role) -> Result<bool, ConfineError> {
    let table = compile(role).map_err(|error| ConfineError::Seccomp(error.into()))?;
    // The table comes second, because it refuses the call that installs filters. Where both have an
    // opinion the stricter action holds, and any errno is stricter than to allow.
    for program in [shape(), table] {
        apply_filter(&program).map_err(ConfineError::Seccomp)?;
    }
    Ok(true)
}

/// The rows of a role, and whether they allow or refuse.
fn policy(role: Role) -> (Verdict, Vec<&'static [Row]>) {
    match role {
        Role::Mind => (Verdict::Allow, allowed::mind()),
        Role::Net => (Verdict::Allow, allowed::net()),
        Role::Worker => (Verdict::Allow, allowed::worker()),
        Role::Compiler => (Verdict::Refuse, refused::compiler()),
    }
}

/// What a row of a table says about its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Allow,
    Refuse,
}

fn compile(role: Role) -> Result<BpfProgram, seccompiler::BackendError> {
    let (verdict, tables) = policy(role);
    let mut rules = BTreeMap::new();
    for row in tables.into_iter().flatten() {
        let chain: Result<Vec<_>, _> = row.when.iter().map(|all| rule(all)).collect();
        rules.insert(row.call, chain?);
    }
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let (otherwise, listed) = match verdict {
        Verdict::Allow => (refuse, SeccompAction::Allow),
        Verdict::Refuse => (SeccompAction::Allow, refuse),
    };
    // A call made in the convention of another architecture kills the process.
    SeccompFilter::new(rules, otherwise, listed, ARCHITECTURE)?.try_into()
}

fn rule(all: &[Test]) -> Result<SeccompRule, seccompiler::BackendError> {
    let conditions: Result<Vec<_>, _> = all.iter().map(condition).collect();
    SeccompRule::new(conditions?)
}

fn condition(test: &Test) -> Result<SeccompCondition, seccompiler::BackendError> {
    let width = match test.width {
        Width::Int => SeccompCmpArgLen::Dword,
        Width::Long => SeccompCmpArgLen::Qword,
    };
    let value = match test.value {
        Value::Is(value) => value,
        Value::OwnPid => u64::try_from(getpid().as_raw()).expect("the own process id is positive"),
    };
    SeccompCondition::new(test.arg, width, SeccompCmpOp::MaskedEq(test.mask), value)
}

/// Refuses what a table of calls cannot say: a number out of the ordinary, and an answer of its own.
fn shape() -> BpfProgram {
    const LOAD_NUMBER: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    // Of x86_64: the same calls under other numbers, with which a list of refusals could be walked around.
    const X32: u32 = 0x4000_0000;
    const CLONE3: u32 = libc::SYS_clone3 as u32;
    let line = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        line(LOAD_NUMBER, 0, 0, 0),
        line(IF_AT_LEAST, 3, 0, X32),
        // Its flags lie in memory, where no filter sees them. Told that it does not exist, the C library
        // uses clone, whose flags are an argument.
        line(IF_EQUAL, 1, 0, CLONE3),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
    ]
}

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: TargetArch = TargetArch::aarch64;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the tables of system calls are written for x86_64 and aarch64");

#[cfg(test)]
mod tests;
