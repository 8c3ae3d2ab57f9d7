//! A kernel without Landlock, as Raspberry Pi OS ships it: by a filter that answers as such a kernel does.
//!
//! Nothing in the shipped programs has to know of it. The filter is inherited by all that a process starts.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use nix::errno::Errno;

/// Whether programs find Landlock here, of a version that children use beside a root of their own.
#[must_use]
pub fn is_there() -> bool {
    // SAFETY: with this flag the call reads nothing and only returns a number.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0_usize, 0_usize, 1_u32) };
    version >= 2
}

/// Lets a command, and all that it starts, find no Landlock.
pub fn hide(command: &mut Command) -> &mut Command {
    // SAFETY: between fork and exec only system calls are made; nothing is allocated and no lock is taken.
    unsafe { command.pre_exec(hide_from_this_thread) }
}

/// Lets this thread, and all that it starts from now on, find no Landlock.
///
/// # Errors
/// A kernel that takes no filter.
pub fn hide_from_this_thread() -> io::Result<()> {
    // The first call is refused to nobody; the second is what root may do without the first, and others only with it.
    // SAFETY: asks for a number.
    if unsafe { libc::geteuid() } != 0 {
        // SAFETY: the call takes integers only.
        Errno::result(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) })?;
    }
    let program = libc::sock_fprog { len: FILTER.len() as u16, filter: FILTER.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the program, whose pointer and length describe a static array.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    Errno::result(answer).map(drop).map_err(Into::into)
}

/// The three calls of Landlock, which have the same numbers on every processor, are not known.
static FILTER: [libc::sock_filter; 5] = {
    const UNKNOWN: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    [
        line(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        line(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 2, libc::SYS_landlock_create_ruleset as u32),
        line(libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K, 1, 0, libc::SYS_landlock_restrict_self as u32),
        line(libc::BPF_RET | libc::BPF_K, 0, 0, UNKNOWN),
        line(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
};

const fn line(code: u32, jt: u8, jf: u8, k: u32) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt, jf, k }
}
