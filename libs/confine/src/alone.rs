//! A program that starts no other: for one that would run what a file of a stranger names.

use std::{
    ffi::{CString, c_char},
    fs::File,
    io,
    os::{fd::AsRawFd, unix::process::CommandExt},
    process::Command,
};

use nix::sys::prctl;

use crate::seccomp;

/// Has a command start this file, with these arguments and variables, so that it can start nothing in turn: no process, and
/// no program in its own place. Threads it may have. The command's streams and folder hold; its own program, arguments and
/// variables count for nothing. A script cannot be started so, since its interpreter is another program.
pub fn start_alone(command: &mut Command, file: File, arguments: Vec<CString>, variables: Vec<CString>) {
    let (arguments, variables) = (List::new(arguments), List::new(variables));
    let filter = seccomp::alone();
    let start = move || -> io::Result<()> {
        prctl::set_no_new_privs()?;
        seccomp::install(&filter)?;
        // The call that the filter leaves: programs use the other one.
        // SAFETY: the lists end with a null and point to strings that live through the call, as the empty name does.
        unsafe {
            libc::syscall(
                libc::SYS_execveat,
                file.as_raw_fd(),
                c"".as_ptr(),
                arguments.as_ptr(),
                variables.as_ptr(),
                libc::AT_EMPTY_PATH,
            )
        };
        Err(io::Error::last_os_error())
    };
    // SAFETY: between fork and exec only system calls are made, none of which allocates or locks.
    unsafe { command.pre_exec(start) };
}

/// Strings as the kernel takes them.
struct List {
    pointers: Vec<*const c_char>,
    _strings: Vec<CString>,
}

impl List {
    fn new(strings: Vec<CString>) -> List {
        let pointers = strings.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect();
        List { pointers, _strings: strings }
    }

    fn as_ptr(&self) -> *const *const c_char {
        self.pointers.as_ptr()
    }
}

// SAFETY: the pointers lead to the strings that the value owns, which nobody changes.
unsafe impl Send for List {}
// SAFETY: as above.
unsafe impl Sync for List {}

#[cfg(test)]
mod tests;
