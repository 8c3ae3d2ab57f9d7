//! A key in the session of a program that is started, and whether a running process still reaches it.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::tracer::{Outcome, Tracer};

const KIND: &std::ffi::CStr = c"user";
const NAME: &std::ffi::CStr = c"tameclaw-of-a-session";
const SESSION: libc::c_long = -3;
const JOIN: libc::c_long = 1;
const SEARCH: u64 = 10;

/// Starts a command in a session of keys that holds one; where the system has no keys, in the present one.
pub fn put(command: &mut Command) -> &mut Command {
    let join = || {
        // SAFETY: the null pointer asks for a session without a name; the others lead to constants.
        unsafe {
            libc::syscall(libc::SYS_keyctl, JOIN, std::ptr::null::<libc::c_char>());
            libc::syscall(
                libc::SYS_add_key,
                KIND.as_ptr(),
                NAME.as_ptr(),
                b"value".as_ptr(),
                5_usize,
                SESSION,
            );
        }
        Ok(())
    };
    // SAFETY: between fork and exec only system calls are made; nothing is allocated and no lock is taken.
    unsafe { command.pre_exec(join) }
}

/// Whether a process finds that key in its session.
///
/// # Errors
/// The reason why this process cannot be traced here.
pub fn is_found_by(pid: u32) -> Result<bool, String> {
    let mut inside = Tracer::attach(pid)?;
    let [kind, name] = [KIND, NAME].map(|text| inside.place(text.to_bytes_with_nul()));
    let found = inside.call(libc::SYS_keyctl, &[SEARCH, SESSION.cast_unsigned(), kind, name, 0]);
    match found {
        Outcome::Returned(_) => Ok(found.is_success()),
        Outcome::Killed(how) => Err(format!("it was killed: {how}")),
    }
}
