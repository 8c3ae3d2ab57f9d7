//! What the roles that execute nothing may call.

use super::row::{Row, Table, Test, everywhere, int, masked, masked_int, own_pid, request, rows, x86_64};

/// Files and a terminal.
pub(super) const MIND: &[Table] = &[
    everywhere(COMPUTE),
    everywhere(WAIT),
    x86_64(WAIT_X86_64),
    everywhere(FILES),
    x86_64(FILES_X86_64),
    everywhere(TERMINAL),
];

/// Files and outgoing connections.
pub(super) const NET: &[Table] = &[
    everywhere(COMPUTE),
    everywhere(WAIT),
    x86_64(WAIT_X86_64),
    everywhere(FILES),
    x86_64(FILES_X86_64),
    everywhere(NETWORK),
    x86_64(NETWORK_X86_64),
    everywhere(RESOLVER),
];

/// Connections in, by a socket that listens already.
pub(super) const DOOR: &[Table] = &[
    everywhere(COMPUTE),
    everywhere(WAIT),
    x86_64(WAIT_X86_64),
    everywhere(CONNECTIONS_IN),
    x86_64(CONNECTIONS_IN_X86_64),
    everywhere(DOOR_IOCTLS),
];

/// Connections in, and the lines of a GPIO chip that are open.
pub(super) const PINS: &[Table] = &[
    everywhere(COMPUTE),
    everywhere(WAIT),
    x86_64(WAIT_X86_64),
    everywhere(CONNECTIONS_IN),
    x86_64(CONNECTIONS_IN_X86_64),
    everywhere(PIN_IOCTLS),
];

/// Reads what is open, writes what is open, computes.
pub(super) const WORKER: &[Table] =
    &[everywhere(COMPUTE), everywhere(WAIT), x86_64(WAIT_X86_64), everywhere(BARE)];

/// What any Rust program with threads does.
const COMPUTE: &[Row] = rows![
    SYS_read => "descriptors that are open",
    SYS_write => "descriptors that are open",
    SYS_readv => "descriptors that are open",
    SYS_writev => "descriptors that are open",
    SYS_close => "descriptors that are open",
    SYS_lseek => "descriptors that are open",
    SYS_fstat => "descriptors that are open",
    SYS_fcntl if FCNTL => "copies, flags and locks of descriptors; no signals, leases or watches",
    SYS_brk => "allocator",
    SYS_mmap if NOT_EXECUTABLE => "allocator, thread stacks; machine code stays what was loaded at start",
    SYS_mprotect if NOT_EXECUTABLE => "allocator, guard pages of stacks",
    SYS_munmap => "allocator",
    SYS_mremap => "allocator; keeps the protection of what it moves",
    SYS_madvise => "allocator",
    SYS_futex => "locks and thread joins",
    SYS_clone if THREAD => "threads, and no process or namespace",
    SYS_set_robust_list => "start of a thread",
    SYS_rseq => "start of a thread",
    SYS_gettid => "start of a thread",
    SYS_sched_yield => "spinning locks",
    SYS_sched_getaffinity => "number of processors, stack bounds of threads",
    SYS_prctl if NAMES => "names of threads and of allocator areas",
    SYS_prlimit64 if READ_LIMIT => "stack size of threads; reading only",
    SYS_sigaltstack => "stack overflow handler",
    SYS_rt_sigaction => "signal handlers",
    SYS_rt_sigprocmask => "start of a thread, signal handlers",
    SYS_rt_sigreturn => "return from a signal handler",
    SYS_restart_syscall => "the kernel's own way to continue after a stop",
    SYS_tgkill if OWN_THREAD => "abort",
    SYS_getpid => "abort",
    SYS_getrandom => "seeds of hash maps, identifiers",
    SYS_clock_gettime => "time, where the kernel's page cannot answer",
    SYS_clock_getres => "time, where the kernel's page cannot answer",
    SYS_gettimeofday => "time, where the kernel's page cannot answer",
    SYS_nanosleep => "sleep",
    SYS_clock_nanosleep => "sleep",
    SYS_exit => "end of a thread",
    SYS_exit_group => "end",
];

/// Waiting for what is open.
const WAIT: &[Row] = rows![
    SYS_ppoll => "poll",
    SYS_pselect6 => "select",
];

#[cfg(target_arch = "x86_64")]
const WAIT_X86_64: &[Row] = rows![
    SYS_poll => "poll",
    SYS_select => "select",
];
#[cfg(not(target_arch = "x86_64"))]
const WAIT_X86_64: &[Row] = &[];

/// Files beneath the roots, which the file rules name. Owner, mode, times and attributes are not
/// covered by those rules, so nothing that changes them is here.
const FILES: &[Row] = rows![
    SYS_openat => "files beneath the roots",
    SYS_openat2 => "files beneath the roots, no link followed",
    SYS_statx => "metadata",
    SYS_newfstatat => "metadata",
    SYS_faccessat => "is it there",
    SYS_faccessat2 => "is it there",
    SYS_readlinkat => "canonical paths",
    SYS_getcwd => "canonical paths",
    SYS_getdents64 => "listing of folders",
    SYS_pread64 => "reading at a place",
    SYS_pwrite64 => "writing at a place",
    SYS_fallocate if AHEAD => "room for a log ahead of its end, its length kept",
    SYS_ftruncate => "repair of a torn last line",
    SYS_fsync => "durability",
    SYS_fdatasync => "durability",
    SYS_flock => "one writer at a time",
    SYS_mkdirat => "new folders beneath the roots",
    SYS_unlinkat => "removal beneath the roots",
    SYS_renameat => "replacement of a file in one step",
    SYS_renameat2 => "replacement of a file in one step, or only if absent",
    SYS_getuid => "whose files are these",
    SYS_geteuid => "whose files are these",
    SYS_getgid => "whose files are these",
    SYS_getegid => "whose files are these",
    SYS_pipe2 => "wakes another thread",
    SYS_wait4 => "reaps the other process of the pair; nothing else can be waited for",
];

#[cfg(target_arch = "x86_64")]
const FILES_X86_64: &[Row] = rows![
    SYS_open => "openat as older libraries call it",
    SYS_stat => "metadata as older libraries ask for it",
    SYS_lstat => "metadata as older libraries ask for it",
    SYS_access => "is it there, as older libraries ask",
    SYS_readlink => "canonical paths as older libraries make them",
    SYS_mkdir => "new folders",
    SYS_rmdir => "removal",
    SYS_unlink => "removal",
    SYS_rename => "replacement of a file in one step",
    SYS_pipe => "wakes another thread",
];
#[cfg(not(target_arch = "x86_64"))]
const FILES_X86_64: &[Row] = &[];

/// A line editor.
const TERMINAL: &[Row] = rows![
    SYS_ioctl if TERMINAL_IOCTLS => "raw mode and window size; never one that types for the person",
    SYS_socketpair if SIGNAL_PIPE => "the line editor's pipe from its signal handler; joined to nobody else",
];

/// Connections out, names resolved by the C library.
const NETWORK: &[Row] = rows![
    SYS_socket if IP_SOCKETS => "TCP, and UDP for names; no other family, so no UNIX, netlink, packet or vsock",
    SYS_connect => "connections out; sockets of other families cannot exist",
    SYS_sendto => "connections out",
    SYS_sendmsg => "connections out",
    SYS_sendmmsg => "two queries for a name at once",
    SYS_recvfrom => "connections out",
    SYS_recvmsg => "connections out",
    SYS_recvmmsg => "answers to queries for a name",
    SYS_getsockopt => "outcome of a connection",
    SYS_setsockopt if SOCKET_LEVELS => "no delay, keep-alive, errors of UDP",
    SYS_getsockname => "order of addresses",
    SYS_getpeername => "which address answered",
    SYS_shutdown => "end of a connection",
    SYS_ioctl if SOCKET_IOCTLS => "non-blocking sockets, size of an answer",
    SYS_uname => "the resolver reads the host's name",
    SYS_epoll_create1 => "event loop",
    SYS_epoll_ctl => "event loop",
    SYS_epoll_pwait => "event loop",
    SYS_epoll_pwait2 => "event loop",
    SYS_eventfd2 => "wakes the event loop",
    SYS_dup3 => "lets go of the terminal: its own descriptors only",
];

#[cfg(target_arch = "x86_64")]
const NETWORK_X86_64: &[Row] = rows![
    SYS_dup2 => "lets go of the terminal: its own descriptors only",
    SYS_epoll_wait => "event loop",
];
#[cfg(not(target_arch = "x86_64"))]
const NETWORK_X86_64: &[Row] = &[];

/// Connections in. Nothing here makes a socket, and nothing names an address.
const CONNECTIONS_IN: &[Row] = rows![
    SYS_accept4 => "connections in, from the one socket that listens",
    SYS_sendto if UNADDRESSED => "connections in; with an address a socket that listened could be made to connect",
    SYS_recvfrom => "connections in",
    SYS_getsockopt => "outcome of a connection",
    SYS_setsockopt if SOCKET_LEVELS => "no delay",
    SYS_getsockname => "which address was called",
    SYS_getpeername => "which address called",
    SYS_shutdown => "end of a connection",
    SYS_epoll_create1 => "event loop",
    SYS_epoll_ctl => "event loop",
    SYS_epoll_pwait => "event loop",
    SYS_epoll_pwait2 => "event loop",
    SYS_eventfd2 => "wakes the event loop",
];

#[cfg(target_arch = "x86_64")]
const CONNECTIONS_IN_X86_64: &[Row] = rows![
    SYS_epoll_wait => "event loop",
];
#[cfg(not(target_arch = "x86_64"))]
const CONNECTIONS_IN_X86_64: &[Row] = &[];

const DOOR_IOCTLS: &[Row] = rows![
    SYS_ioctl if SOCKET_IOCTLS => "non-blocking sockets",
];

/// No request for a further line, and none that changes how a line is wired.
const PIN_IOCTLS: &[Row] = rows![
    SYS_ioctl if LINE_IOCTLS => "levels of lines that are open; non-blocking sockets",
];

#[cfg(target_env = "musl")]
const RESOLVER: &[Row] = rows![
    SYS_bind => "the resolver's own port; nothing can listen or accept",
];
#[cfg(not(target_env = "musl"))]
const RESOLVER: &[Row] = &[];

/// The little that a worker needs besides computing.
const BARE: &[Row] = rows![
    SYS_ioctl if ASK_TERMINAL => "is the output a terminal, and how wide",
];

const NOT_EXECUTABLE: &[&[Test]] = &[&[masked(2, libc::PROT_EXEC as u64, 0)]];

/// Shares everything with its process, and makes no namespace.
const THREAD: &[&[Test]] = {
    const NAMESPACES: i32 = libc::CLONE_NEWNS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET;
    const SHARED: i32 = libc::CLONE_THREAD | libc::CLONE_VM | libc::CLONE_SIGHAND;
    &[&[masked(0, (NAMESPACES | SHARED) as u64, SHARED as u64)]]
};

const OWN_THREAD: &[&[Test]] = &[&[own_pid(0)]];

/// Neither a hole nor a shift of what is written.
const AHEAD: &[&[Test]] = &[&[int(1, libc::FALLOC_FL_KEEP_SIZE as u64)]];

const NAMES: &[&[Test]] =
    &[&[int(0, libc::PR_SET_NAME as u64)], &[int(0, libc::PR_GET_NAME as u64)], &[int(0, PR_SET_VMA)]];

/// The pointer to a new limit is null.
const READ_LIMIT: &[&[Test]] = &[&[masked(2, u64::MAX, 0)]];

const FCNTL: &[&[Test]] = &[
    &[int(1, libc::F_DUPFD as u64)],
    &[int(1, libc::F_DUPFD_CLOEXEC as u64)],
    &[int(1, libc::F_GETFD as u64)],
    &[int(1, libc::F_SETFD as u64)],
    &[int(1, libc::F_GETFL as u64)],
    &[int(1, libc::F_SETFL as u64)],
    &[int(1, libc::F_GETLK as u64)],
    &[int(1, libc::F_SETLK as u64)],
    &[int(1, libc::F_SETLKW as u64)],
    &[int(1, libc::F_OFD_GETLK as u64)],
    &[int(1, libc::F_OFD_SETLK as u64)],
    &[int(1, libc::F_OFD_SETLKW as u64)],
];

const TERMINAL_IOCTLS: &[&[Test]] = &[
    &[request(libc::TCGETS)],
    &[request(libc::TCSETS)],
    &[request(libc::TCSETSW)],
    &[request(libc::TCSETSF)],
    &[request(libc::TCGETS2)],
    &[request(libc::TCSETS2)],
    &[request(libc::TCSETSW2)],
    &[request(libc::TCSETSF2)],
    &[request(libc::TIOCGWINSZ)],
    &[request(libc::FIONREAD)],
    &[request(libc::FIONBIO)],
    &[request(libc::FIOCLEX)],
];

const ASK_TERMINAL: &[&[Test]] =
    &[&[request(libc::TCGETS)], &[request(libc::TCGETS2)], &[request(libc::TIOCGWINSZ)]];

const SOCKET_IOCTLS: &[&[Test]] =
    &[&[request(libc::FIONREAD)], &[request(libc::FIONBIO)], &[request(libc::FIOCLEX)]];

const LINE_IOCTLS: &[&[Test]] = &[
    &[request(libc::FIONREAD)],
    &[request(libc::FIONBIO)],
    &[request(libc::FIOCLEX)],
    &[int(1, GPIO_V2_LINE_GET_VALUES_IOCTL)],
    &[int(1, GPIO_V2_LINE_SET_VALUES_IOCTL)],
];

/// `linux/gpio.h`: what is read and written there has 16 bytes.
const GPIO_V2_LINE_GET_VALUES_IOCTL: u64 = 0xc010_b40e;
const GPIO_V2_LINE_SET_VALUES_IOCTL: u64 = 0xc010_b40f;

const SIGNAL_PIPE: &[&[Test]] =
    &[&[int(0, libc::AF_UNIX as u64), int(1, (libc::SOCK_STREAM | libc::SOCK_CLOEXEC) as u64), int(2, 0)]];

/// The pointer to an address is null.
const UNADDRESSED: &[&[Test]] = &[&[masked(4, u64::MAX, 0)]];

/// The type of a socket without the two flags that may be or-ed to it.
const TYPE: u64 = 0xffff_ffff & !((libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) as u64);

const IP_SOCKETS: &[&[Test]] = {
    // The numbers of the two families differ in one bit.
    const FAMILY: u64 = !((libc::AF_INET ^ libc::AF_INET6) as u64) & 0xffff_ffff;
    const V4_OR_V6: Test = masked_int(0, FAMILY, libc::AF_INET as u64);
    const STREAM: Test = masked_int(1, TYPE, libc::SOCK_STREAM as u64);
    const DATAGRAM: Test = masked_int(1, TYPE, libc::SOCK_DGRAM as u64);
    const DEFAULT: Test = int(2, libc::IPPROTO_IP as u64);
    const TCP: Test = int(2, libc::IPPROTO_TCP as u64);
    const UDP: Test = int(2, libc::IPPROTO_UDP as u64);
    assert!(
        (libc::AF_INET ^ libc::AF_INET6).count_ones() == 1 && libc::AF_INET & libc::AF_INET6 == libc::AF_INET
    );
    &[
        &[V4_OR_V6, STREAM, DEFAULT],
        &[V4_OR_V6, STREAM, TCP],
        &[V4_OR_V6, DATAGRAM, DEFAULT],
        &[V4_OR_V6, DATAGRAM, UDP],
    ]
};

const SOCKET_LEVELS: &[&[Test]] = &[
    &[int(1, libc::SOL_SOCKET as u64)],
    &[int(1, libc::IPPROTO_TCP as u64)],
    &[int(1, libc::IPPROTO_IP as u64)],
    &[int(1, libc::IPPROTO_IPV6 as u64)],
];

const PR_SET_VMA: u64 = 0x5356_4d41;
