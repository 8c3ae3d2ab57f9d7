//! Starts a program that can start no other program: for programs that would run what an untrusted file names.

use std::{
    ffi::{CString, c_char},
    fs::File,
    io,
    os::{
        fd::AsRawFd,
        unix::{ffi::OsStrExt, process::CommandExt},
    },
    path::Path,
    process::Command,
};

use nix::{errno::Errno, sys::prctl};

use crate::seccomp;

/// Makes the command execute this file with these arguments and variables. The program can neither fork nor execute another.
/// It may have threads. The command's streams and folder apply; its own program, arguments and variables are ignored. A
/// script cannot be started this way, since its interpreter is another program.
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

/// Replaces this process by a program that can neither fork nor execute another, with exactly these arguments and variables;
/// returns only what went wrong. The program may have threads. Of a script the interpreter runs, which is bound the same way.
/// Descriptors that [`lend`] marked stay open in it.
pub fn exec_alone(program: &Path, arguments: Vec<CString>, variables: Vec<CString>) -> io::Error {
    let path = match CString::new(program.as_os_str().as_bytes()) {
        Ok(path) => path,
        Err(error) => return error.into(),
    };
    let (arguments, variables) = (List::new(arguments), List::new(variables));
    if let Err(errno) = prctl::set_no_new_privs().and_then(|()| seccomp::install(&seccomp::alone())) {
        return errno.into();
    }
    // The call that the filter leaves: programs use the other one.
    // SAFETY: the path ends with a null, the lists end with a null pointer, and all of it lives through the call.
    unsafe {
        libc::syscall(
            libc::SYS_execveat,
            libc::AT_FDCWD,
            path.as_ptr(),
            arguments.as_ptr(),
            variables.as_ptr(),
            0,
        )
    };
    io::Error::last_os_error()
}

/// Lets a descriptor outlast the next exec; answers the path by which the program opens what it leads to.
///
/// # Errors
/// The system refuses.
pub fn lend(handle: &impl AsRawFd) -> io::Result<String> {
    let number = handle.as_raw_fd();
    // SAFETY: the call takes integers only, and the caller holds the descriptor.
    Errno::result(unsafe { libc::fcntl(number, libc::F_SETFD, 0) })?;
    Ok(format!("/proc/self/fd/{number}"))
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
