//! What an owned process would try, as raw calls.

use std::{
    fs::File,
    io,
    os::fd::{AsRawFd, RawFd},
    path::Path,
    ptr,
};

use nix::errno::Errno;

use crate::Case;

pub(crate) const CASES: &[Case] = &[
    Case::new("without_confinement_the_attacks_are_not_refused", control),
    Case::new("the_kernel_is_asked_without_being_confined", support_lays_nothing_on),
];

/// A call that must be refused, with its name.
pub(crate) type Attack = (&'static str, fn(&Open) -> Result<i64, Errno>);

/// What is opened before confinement, because some attacks need a file.
pub(crate) struct Open {
    executable: File,
    null: File,
}

impl Open {
    pub(crate) fn new() -> Self {
        Self {
            executable: File::open("/proc/self/exe").expect("this program has a file"),
            null: File::open("/dev/null").expect("there is /dev/null"),
        }
    }
}

/// Panics unless each is refused for want of permission.
pub(crate) fn all_refused(attacks: &[Attack], open: &Open) {
    let got: Vec<_> = attacks
        .iter()
        .map(|(name, attack)| (name, attack(open)))
        .filter(|(_, answer)| !is_refusal(answer))
        .collect();
    assert!(got.is_empty(), "not refused: {got:?}");
}

/// Panics unless an operation on files was refused for want of permission.
#[track_caller]
pub(crate) fn refused<T>(what: &str, answer: io::Result<T>) {
    match answer {
        Ok(_) => panic!("{what} was not refused"),
        Err(error) => assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{what}: {error}"),
    }
}

/// Programs and processes.
pub(crate) const PROCESSES: &[Attack] = &[
    ("execve", |_| {
        let argv = [c"true".as_ptr(), ptr::null()];
        call(libc::SYS_execve, [c"/nonexistent".as_ptr() as usize, argv.as_ptr() as usize, 0, 0, 0, 0])
    }),
    ("execveat", |_| call(libc::SYS_execveat, [AT_FDCWD, c"/nonexistent".as_ptr() as usize, 0, 0, 0, 0])),
    ("fork", |_| {
        let answer = call(libc::SYS_clone, [libc::SIGCHLD as usize, 0, 0, 0, 0, 0]);
        if answer == Ok(0) {
            // SAFETY: the child that should not exist ends at once.
            unsafe { libc::_exit(0) };
        }
        answer
    }),
    ("kill", |_| {
        // SAFETY: only asks for a number.
        let own = unsafe { libc::getpid() } as usize;
        call(libc::SYS_kill, [own, 0, 0, 0, 0, 0])
    }),
];

/// Other processes, and parts of the kernel that nobody here needs.
pub(crate) const KERNEL: &[Attack] = &[
    ("ptrace", |_| call(libc::SYS_ptrace, [libc::PTRACE_PEEKDATA as usize, 0x7fff_fff0, 0, 0, 0, 0])),
    ("process_vm_readv", |_| call(libc::SYS_process_vm_readv, [0x7fff_fff0, 0, 0, 0, 0, 0])),
    ("personality", |_| call(libc::SYS_personality, [0xffff_ffff, 0, 0, 0, 0, 0])),
    ("unshare", |_| call(libc::SYS_unshare, [0; 6])),
    ("setns", |_| call(libc::SYS_setns, [usize::MAX, 0, 0, 0, 0, 0])),
    ("memfd_create", |_| call(libc::SYS_memfd_create, [c"x".as_ptr() as usize, 0, 0, 0, 0, 0])),
    ("keyctl", |_| call(libc::SYS_keyctl, [usize::MAX, 0, 0, 0, 0, 0])),
    ("name_to_handle_at", |_| call(libc::SYS_name_to_handle_at, [usize::MAX, 0, 0, 0, 0, 0])),
    ("TIOCSTI", |open| {
        let byte = b'x';
        call(libc::SYS_ioctl, [fd(&open.null), libc::TIOCSTI as usize, &raw const byte as usize, 0, 0, 0])
    }),
    ("TIOCLINUX", |open| call(libc::SYS_ioctl, [fd(&open.null), libc::TIOCLINUX as usize, 0, 0, 0, 0])),
    ("TIOCSETD", |open| call(libc::SYS_ioctl, [fd(&open.null), libc::TIOCSETD as usize, 0, 0, 0, 0])),
    #[cfg(target_arch = "x86_64")]
    ("ptrace by its x32 number", |_| call(0x4000_0000 | 521, [0; 6])),
];

/// What a hardened machine may refuse to everybody, so that it has no counterpart without confinement.
pub(crate) const MACHINE: &[Attack] = &[
    ("io_uring_setup", |_| call(libc::SYS_io_uring_setup, [1, 0, 0, 0, 0, 0])),
    ("bpf", |_| call(libc::SYS_bpf, [0; 6])),
    ("perf_event_open", |_| call(libc::SYS_perf_event_open, [0; 6])),
    ("userfaultfd", |_| call(libc::SYS_userfaultfd, [0; 6])),
    ("mount", |_| call(libc::SYS_mount, [0; 6])),
    ("open_by_handle_at", |_| call(libc::SYS_open_by_handle_at, [usize::MAX, 0, 0, 0, 0, 0])),
];

/// Machine code that was not there at the start.
pub(crate) const CODE: &[Attack] = &[
    ("mmap of a file, executable", |open| {
        let protection = (libc::PROT_READ | libc::PROT_EXEC) as usize;
        call(libc::SYS_mmap, [0, 4096, protection, libc::MAP_PRIVATE as usize, fd(&open.executable), 0])
    }),
    ("mmap of memory, executable", |_| {
        let protection = (libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC) as usize;
        let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as usize;
        call(libc::SYS_mmap, [0, 4096, protection, flags, usize::MAX, 0])
    }),
    ("mprotect to executable", |open| {
        let (read, private) = (libc::PROT_READ as usize, libc::MAP_PRIVATE as usize);
        let page = call(libc::SYS_mmap, [0, 4096, read, private, fd(&open.executable), 0])
            .expect("mapping a file to be read is allowed");
        let protection = (libc::PROT_READ | libc::PROT_EXEC) as usize;
        call(libc::SYS_mprotect, [page as usize, 4096, protection, 0, 0, 0])
    }),
];

/// Sockets of the internet.
pub(crate) const IP_SOCKETS: &[Attack] = &[
    ("AF_INET stream", |_| socket(libc::AF_INET, libc::SOCK_STREAM, 0)),
    ("AF_INET datagram", |_| socket(libc::AF_INET, libc::SOCK_DGRAM, 0)),
    ("AF_INET6 stream", |_| socket(libc::AF_INET6, libc::SOCK_STREAM, 0)),
];

/// A pair of sockets, joined to nobody else.
pub(crate) const PAIRS: &[Attack] = &[("AF_UNIX datagram pair", |_| {
    let mut pair: [RawFd; 2] = [0; 2];
    call(
        libc::SYS_socketpair,
        [libc::AF_UNIX as usize, libc::SOCK_DGRAM as usize, 0, pair.as_mut_ptr() as usize, 0, 0],
    )
})];

/// Sockets that not even the networked process may make.
pub(crate) const OTHER_SOCKETS: &[Attack] = &[
    ("AF_UNIX stream", |_| socket(libc::AF_UNIX, libc::SOCK_STREAM, 0)),
    ("AF_NETLINK", |_| socket(libc::AF_NETLINK, libc::SOCK_RAW, 0)),
    ("bind", |_| call(libc::SYS_bind, [usize::MAX, 0, 0, 0, 0, 0])),
    ("listen", |_| call(libc::SYS_listen, [usize::MAX, 0, 0, 0, 0, 0])),
    ("accept4", |_| call(libc::SYS_accept4, [usize::MAX, 0, 0, 0, 0, 0])),
];

/// A raw socket, which takes root everywhere, and other kinds that a firewall would not see.
pub(crate) const ODD_SOCKETS: &[Attack] = &[
    ("AF_INET raw", |_| socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP)),
    ("AF_PACKET", |_| socket(libc::AF_PACKET, libc::SOCK_RAW, 0)),
    ("AF_VSOCK", |_| socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0)),
    ("MPTCP", |_| socket(libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_MPTCP)),
];

/// A call by its number, past any wrapper that would hide an answer.
pub(crate) fn call(number: i64, args: [usize; 6]) -> Result<i64, Errno> {
    // SAFETY: the attacks pass pointers that live through the call, or invalid ones on purpose: the
    // kernel checks them and answers an error.
    Errno::result(unsafe { libc::syscall(number, args[0], args[1], args[2], args[3], args[4], args[5]) })
}

fn control(_: &Path) {
    let open = Open::new();
    let refused: Vec<_> = [PROCESSES, KERNEL, CODE, IP_SOCKETS, PAIRS, OTHER_SOCKETS]
        .into_iter()
        .flatten()
        .map(|(name, attack)| (name, attack(&open)))
        .filter(|(_, answer)| is_refusal(answer))
        .collect();
    assert!(refused.is_empty(), "these prove nothing: {refused:?}");
}

fn support_lays_nothing_on(folder: &Path) {
    // The parent may have installed a filter: a kernel without Landlock is simulated that way.
    let state = || -> Vec<String> {
        let status = std::fs::read_to_string("/proc/self/status").expect("there is /proc");
        status
            .lines()
            .filter(|l| l.starts_with("Seccomp") || l.starts_with("NoNewPrivs"))
            .map(str::to_owned)
            .collect()
    };
    let before = state();
    let support = confine::support();
    let again = confine::support();
    assert_eq!(support, again);
    std::fs::write(folder.join("out/new"), "x").expect("nothing is confined yet");
    assert_eq!(state(), before);
}

fn is_refusal(answer: &Result<i64, Errno>) -> bool {
    matches!(answer, Err(Errno::EPERM | Errno::EACCES))
}

fn socket(domain: i32, kind: i32, protocol: i32) -> Result<i64, Errno> {
    call(libc::SYS_socket, [domain as usize, kind as usize, protocol as usize, 0, 0, 0])
}

fn fd(file: &File) -> usize {
    file.as_raw_fd() as usize
}

const AT_FDCWD: usize = libc::AT_FDCWD as usize;
