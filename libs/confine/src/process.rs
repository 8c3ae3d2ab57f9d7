//! What a process inherited, and what it becomes.

use std::{
    ffi::{CStr, OsString},
    fs::File,
    io::{self, Read},
    ops::Range,
    os::{
        fd::{FromRawFd, OwnedFd, RawFd},
        unix::{ffi::OsStringExt, net::UnixStream, process::CommandExt},
    },
    path::Path,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use nix::{
    errno::Errno,
    sys::{prctl, signal::Signal},
    unistd::{ForkResult, fork, getpid, getppid},
};

/// Which of the two a process is after [`fork_pair`], with its end of the socket between them.
#[derive(Debug)]
#[must_use]
pub enum Forked {
    /// The process that was there before.
    Parent {
        /// The new process.
        child: libc::pid_t,
        /// Its end of the socket.
        socket: OwnedFd,
    },
    /// The new process, which is killed when its parent ends.
    Child {
        /// Its end of the socket.
        socket: OwnedFd,
    },
}

/// Forks, and joins the two processes by a stream socket. The calling process must have one thread.
pub fn fork_pair() -> io::Result<Forked> {
    if threads().is_some_and(|count| count != 1) {
        return Err(io::Error::other("a process with threads cannot be forked in two"));
    }
    let (ours, theirs) = UnixStream::pair()?;
    let parent = getpid();
    // SAFETY: there is one thread, so no lock is held by a thread that the child would lack.
    match unsafe { fork() }? {
        ForkResult::Parent { child } => {
            Ok(Forked::Parent { child: child.as_raw(), socket: OwnedFd::from(ours) })
        }
        ForkResult::Child => {
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            if getppid() != parent {
                // The parent ended before the line above: nobody will ever need this process.
                std::process::exit(1);
            }
            Ok(Forked::Child { socket: OwnedFd::from(theirs) })
        }
    }
}

/// Closes the memory and the environment of this process to every other program of its user: none can trace it, read it, or
/// have the kernel dump it. For the first line of a program, since the walls come only after questions were asked.
///
/// # Errors
/// The kernel refuses.
pub fn refuse_tracing() -> io::Result<()> {
    Ok(prctl::set_dumpable(false)?)
}

/// The first socket that a service manager hands over to this process, as sd_listen_fds(3) tells it; nothing where there is none
/// or more than one. It can be taken once, before any thread.
pub fn handed_over() -> Option<OwnedFd> {
    const FIRST: RawFd = 3;
    static TAKEN: AtomicBool = AtomicBool::new(false);
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    let ours = is("LISTEN_PID", &std::process::id().to_string()) && is("LISTEN_FDS", "1");
    if !ours || TAKEN.swap(true, Ordering::Relaxed) {
        return None;
    }
    // SAFETY: the call takes integers only; a number that is not a descriptor is answered by an error.
    Errno::result(unsafe { libc::fcntl(FIRST, libc::F_SETFD, libc::FD_CLOEXEC) }).ok()?;
    // SAFETY: the descriptor is open, as the call above found, and its manager left it to nobody else here.
    Some(unsafe { OwnedFd::from_raw_fd(FIRST) })
}

/// Replaces the process by a program with exactly this environment; returns only what went wrong.
pub fn exec(program: &Path, args: &[OsString], env: &[(&str, &str)]) -> io::Error {
    Command::new(program).args(args).env_clear().envs(env.iter().copied()).exec()
}

/// Has a command killed when the process that starts it ends, however that ends.
pub fn end_with_us(command: &mut Command) -> &mut Command {
    let parent = getpid();
    // SAFETY: between fork and exec only system calls are made, none of which allocates or locks.
    unsafe {
        command.pre_exec(move || {
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            if getppid() != parent {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            Ok(())
        })
    }
}

/// Zeroes the environment that the process was started with, and unsets all variables but `keep`.
///
/// Neither `/proc/self/environ` nor the stack holds a value afterwards; the kept variables live on the heap.
///
/// # Panics
/// If there is more than one thread, which could be reading what is zeroed.
pub fn wipe_environment(keep: &[&str]) {
    let stat = stat();
    assert!(
        stat.as_ref().is_none_or(|stat| stat.threads == 1),
        "the environment is wiped before any thread starts"
    );
    let kept: Vec<_> =
        keep.iter().filter_map(|name| Some((*name, std::env::var_os(name)?.into_vec()))).collect();
    match stat.and_then(|stat| stat.environment) {
        // SAFETY: the kernel names this range as the one it placed the environment in, it is part of the
        // writable stack, and no other thread reads it (asserted above).
        Some(block) => unsafe { std::ptr::write_bytes(block.start as *mut u8, 0, block.len()) },
        None => zero_listed_variables(),
    }
    // SAFETY: no other thread exists that could read the environment meanwhile.
    unsafe { libc::clearenv() };
    for (name, value) in kept {
        // SAFETY: no other thread exists that could read the environment meanwhile.
        unsafe { std::env::set_var(name, OsString::from_vec(value)) };
    }
}

/// Closes every descriptor above 2 but those in `keep`.
pub fn close_inherited(keep: &[RawFd]) {
    close_from(3, keep);
}

/// Closes every descriptor but those in `keep`, the streams among them.
pub(crate) fn close_all(keep: &[RawFd]) {
    close_from(0, keep);
}

fn close_from(mut first: u32, keep: &[RawFd]) {
    let least = first;
    let mut keep: Vec<u32> =
        keep.iter().filter_map(|fd| u32::try_from(*fd).ok()).filter(|fd| *fd >= least).collect();
    keep.sort_unstable();
    for fd in keep {
        if fd > first {
            close_between(first, fd - 1, 0);
        }
        first = fd + 1;
    }
    close_between(first, u32::MAX, 0);
}

/// Marks every descriptor above 2 as closed by exec. Safe to call between fork and exec.
pub(crate) fn close_on_exec() {
    close_between(3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
}

/// Gives back to the system what a process that waits does not need: free heap, and the pages of the program and its
/// libraries that cannot be written to. Those come from the page cache again when they are touched, at some microseconds for
/// 64 KiB; a small machine that is short of memory can use theirs meanwhile.
pub fn give_back() {
    // SAFETY: the callback does with each loaded object what is said there.
    unsafe { libc::dl_iterate_phdr(Some(give_back_pages), std::ptr::null_mut()) };
    // SAFETY: it takes the allocator's own locks, and frees nothing that is in use.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0)
    };
}

/// Forgets the pages of one loaded object that only map its file.
unsafe extern "C" fn give_back_pages(
    object: *mut libc::dl_phdr_info,
    _: libc::size_t,
    _: *mut libc::c_void,
) -> libc::c_int {
    const PAGE: u64 = 64 * 1024;
    // SAFETY: the loader hands over a description that lives as long as this call.
    let object = unsafe { &*object };
    // SAFETY: the description holds this number of headers at this address.
    let headers = unsafe { std::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into()) };
    for header in headers.iter().filter(|h| h.p_type == libc::PT_LOAD && h.p_flags & libc::PF_W == 0) {
        // Whole pages of any page size: what shares one with its neighbour stays.
        let start = (object.dlpi_addr + header.p_vaddr).next_multiple_of(PAGE);
        let end = (object.dlpi_addr + header.p_vaddr + header.p_memsz) / PAGE * PAGE;
        if let Some(length) = end.checked_sub(start).filter(|length| *length > 0) {
            // SAFETY: a mapping of a file that nobody can write to has the same content when it is read again.
            unsafe { libc::madvise(start as *mut libc::c_void, length as usize, libc::MADV_DONTNEED) };
        }
    }
    0
}

/// How many threads the process has, if `/proc` tells.
pub(crate) fn threads() -> Option<usize> {
    stat().map(|stat| stat.threads)
}

fn close_between(first: u32, last: u32, flags: libc::c_uint) {
    // SAFETY: the call takes integers only. Descriptors that a Rust value owns are closed only if the
    // caller asks for it, before it made any: see `close_inherited`.
    let answer = unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) };
    if answer == 0 {
        return;
    }
    // A kernel before 5.9 (or 5.11 for the flag). The limit bounds what can be open, within reason.
    // SAFETY: as above.
    let limit = unsafe { libc::sysconf(libc::_SC_OPEN_MAX) };
    let limit = u32::try_from(limit).unwrap_or(MOST_DESCRIPTORS).min(MOST_DESCRIPTORS);
    for fd in first..=last.min(limit) {
        // SAFETY: as above; a number that is not a descriptor is answered by an error.
        unsafe {
            if flags == 0 {
                libc::close(fd as RawFd);
            } else {
                libc::fcntl(fd as RawFd, libc::F_SETFD, libc::FD_CLOEXEC);
            }
        }
    }
}

unsafe extern "C" {
    /// Every C library has it; the `libc` crate does not name it for all of them.
    static environ: *mut *mut libc::c_char;
}

/// Zeroes each variable that the C library lists: what is left to do without `/proc`.
fn zero_listed_variables() {
    // SAFETY: `environ` is null or a null-terminated array of writable C strings, and nothing else runs.
    unsafe {
        let mut next = environ;
        while !next.is_null() && !(*next).is_null() {
            let length = CStr::from_ptr(*next).to_bytes().len();
            std::ptr::write_bytes(*next, 0, length);
            next = next.add(1);
        }
    }
}

/// What is needed of `/proc/self/stat`.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    threads: usize,
    environment: Option<Range<usize>>,
}

fn stat() -> Option<Stat> {
    // The line is shorter, and each read makes the kernel write it anew.
    let mut line = [0; 2048];
    let length = File::open("/proc/self/stat").ok()?.read(&mut line).ok()?;
    parse_stat(std::str::from_utf8(&line[..length]).ok()?)
}

/// Reads one line of proc_pid_stat(5), whose second field may hold spaces and parentheses.
fn parse_stat(line: &str) -> Option<Stat> {
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<usize>().ok();
    let environment = number(50).zip(number(51)).map(|(start, end)| start..end);
    Some(Stat {
        threads: number(20)?,
        environment: environment.filter(|block| block.start != 0 && !block.is_empty()),
    })
}

const MOST_DESCRIPTORS: u32 = 65_536;

#[cfg(test)]
mod tests;
