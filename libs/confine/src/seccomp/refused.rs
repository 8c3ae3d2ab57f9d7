//! What the roles that run programs of others may not call.
//!
//! Such programs cannot be foreseen, so this is a list of refusals with everything else allowed. Files
//! are the file rules' business; signals to outside are refused by Landlock from version 6 on. System V memory and message
//! queues are refused always, not by a namespace alone: what needs them are servers of databases and the like, and the
//! refusal holds wherever no namespace can be had.

use super::row::{Row, Table, Test, everywhere, int, masked, masked_int, other_than, request, rows, x86_64};

/// Programs written by others.
pub(super) const COMPILER: &[Table] = &[everywhere(SOCKETS), everywhere(REFUSED), x86_64(REFUSED_X86_64)];

/// Commands without a network.
pub(super) const ACTION: &[Table] = COMPILER;

/// Commands with one.
pub(super) const ONLINE: &[Table] = &[everywhere(NOT_IP), everywhere(REFUSED), x86_64(REFUSED_X86_64)];

/// A program that answers on a port.
pub(super) const SERVER: &[Table] = &[everywhere(ANSWERS_ONLY), everywhere(REFUSED), x86_64(REFUSED_X86_64)];

/// What a program that is to start no other may not do either, beside all that its starter may not.
pub(super) const ALONE: &[Table] = &[everywhere(STARTS), x86_64(STARTS_X86_64)];

/// What a program may not do besides, where neither Landlock nor a namespace keeps its signals in.
pub(super) const QUIET: &[Table] = &[everywhere(SIGNALLING)];

/// What a program may not do besides, where no view of its own keeps the files of others away. By a descriptor it may: those
/// are of files that the file rules let it open.
pub(super) const MODES: &[Table] = &[everywhere(MODE_BY_PATH), x86_64(MODE_BY_PATH_X86_64)];

/// Said not to exist, to every role.
pub(super) const ABSENT: &[Row] = rows![
    SYS_clone3 => "its flags are in memory, where no filter sees them; without it the C library uses clone",
];

// A pair of sockets is not refused: the standard library makes one whenever a compiler of today starts its linker. It
// joins nobody else, and what could pass a descriptor over it is refused.
const SOCKETS: &[Row] = rows![
    SYS_socket => "no network, and no other process to talk to",
    SYS_connect => "on a socket that was inherited",
    SYS_bind => "on a socket that was inherited",
    SYS_listen => "on a socket that was inherited",
    SYS_accept => "on a socket that was inherited",
    SYS_accept4 => "on a socket that was inherited",
    SYS_sendto if ADDRESSED => "to anybody but the other end of a pair of its own",
    SYS_sendmsg => "on a socket that was inherited",
    SYS_sendmmsg => "on a socket that was inherited",
];

/// Connections out are all that a network is for.
const NOT_IP: &[Row] = rows![
    SYS_socket if OTHER_FAMILY => "connections out by IP only: no UNIX, netlink, packet or vsock",
    SYS_bind => "waits for nobody",
    SYS_listen => "waits for nobody",
    SYS_accept => "waits for nobody",
    SYS_accept4 => "waits for nobody",
];

/// A client that connects is answered; the process itself connects to nothing.
const ANSWERS_ONLY: &[Row] = rows![
    SYS_socket if OTHER_FAMILY => "answers by IP only: no UNIX, netlink, packet or vsock",
    SYS_connect => "connects to nobody",
    SYS_sendto if ADDRESSED => "to anybody but the client that connected; with MSG_FASTOPEN it connects",
    SYS_sendmsg => "its address is in memory, where no filter sees it",
    SYS_sendmmsg => "its address is in memory, where no filter sees it",
];

const STARTS: &[Row] = rows![
    SYS_clone if PROCESS => "another process; threads are fine",
    SYS_execve => "another program; its own start is by the one other call",
];

#[cfg(target_arch = "x86_64")]
const STARTS_X86_64: &[Row] = rows![
    SYS_fork => "another process",
    SYS_vfork => "another process",
];
#[cfg(not(target_arch = "x86_64"))]
const STARTS_X86_64: &[Row] = &[];

const MODE_BY_PATH: &[Row] = rows![
    SYS_fchmodat => "who may read the files of its user, which file rules do not see",
    SYS_fchmodat2 => "who may read the files of its user, which file rules do not see",
];

#[cfg(target_arch = "x86_64")]
const MODE_BY_PATH_X86_64: &[Row] = rows![
    SYS_chmod => "who may read the files of its user, which file rules do not see",
];
#[cfg(not(target_arch = "x86_64"))]
const MODE_BY_PATH_X86_64: &[Row] = &[];

const SIGNALLING: &[Row] = rows![
    SYS_kill if FOREIGN => "any process of the user; 0 is the own group",
    SYS_tkill => "any process of the user; no filter knows the own number after a fork",
    SYS_tgkill => "any process of the user; no filter knows the own number after a fork",
    SYS_rt_sigqueueinfo => "any process of the user",
    SYS_rt_tgsigqueueinfo => "any process of the user",
];

const REFUSED: &[Row] = rows![
    SYS_io_uring_setup => "makes other calls where no filter sees them",
    SYS_io_uring_enter => "makes other calls where no filter sees them",
    SYS_io_uring_register => "makes other calls where no filter sees them",
    SYS_ptrace => "another process's memory and calls",
    SYS_process_vm_readv => "another process's memory",
    SYS_process_vm_writev => "another process's memory",
    SYS_process_madvise => "another process's memory",
    SYS_pidfd_getfd => "another process's descriptors",
    SYS_kcmp => "another process's layout",
    SYS_process_mrelease => "another process's memory",
    SYS_prlimit64 if FOREIGN => "another process's limits: one of processor time ends it",
    SYS_sched_setaffinity if FOREIGN => "another process's processors",
    SYS_sched_setscheduler if FOREIGN => "another process's share of time",
    SYS_sched_setparam if FOREIGN => "another process's share of time",
    SYS_sched_setattr if FOREIGN => "another process's share of time",
    SYS_setpriority if FOREIGN_PRIORITY => "the share of time of another process, or of all of its user",
    SYS_ioprio_set if FOREIGN_DISK => "the share of disks of another process, or of all of its user",
    SYS_migrate_pages if FOREIGN => "another process's memory",
    SYS_move_pages if FOREIGN => "another process's memory",
    SYS_pidfd_open => "a handle on another process; programs fall back to waitpid",
    SYS_pidfd_send_signal => "a signal by such a handle",
    SYS_fcntl if SIGNALS => "has the kernel send signals to any process of the user",
    SYS_shmget => "memory that outlives the command and that others open by a number",
    SYS_shmat => "memory that outlives the command and that others open by a number",
    SYS_shmctl => "memory that outlives the command and that others open by a number",
    SYS_msgget => "messages that outlive the command and that others read by a number",
    SYS_msgsnd => "messages that outlive the command and that others read by a number",
    SYS_msgrcv => "messages that outlive the command and that others read by a number",
    SYS_msgctl => "messages that outlive the command and that others read by a number",
    SYS_semget => "counters that outlive the command and that others read by a number",
    SYS_semop => "counters that outlive the command and that others read by a number",
    SYS_semtimedop => "counters that outlive the command and that others read by a number",
    SYS_semctl => "counters that outlive the command and that others read by a number",
    SYS_mq_open => "messages that outlive the command and that others read by a name",
    SYS_mq_unlink => "messages that others left",
    SYS_fchmod if SETUID_1 => "a file that runs with its owner's rights",
    SYS_fchmodat if SETUID_2 => "a file that runs with its owner's rights",
    SYS_fchmodat2 if SETUID_2 => "a file that runs with its owner's rights",
    SYS_setsid => "leaves the group that is killed when time is over",
    SYS_setpgid => "leaves the group that is killed when time is over",
    SYS_clone if NAMESPACES => "a namespace, in which it would be root",
    SYS_unshare => "a namespace, in which it would be root",
    SYS_setns => "another namespace",
    SYS_mount => "another view of files",
    SYS_umount2 => "another view of files",
    SYS_pivot_root => "another view of files",
    SYS_chroot => "another view of files",
    SYS_move_mount => "another view of files",
    SYS_open_tree => "another view of files",
    SYS_fsopen => "another view of files",
    SYS_fsconfig => "another view of files",
    SYS_fsmount => "another view of files",
    SYS_fspick => "another view of files",
    SYS_mount_setattr => "another view of files",
    SYS_open_by_handle_at => "files by number, past every path",
    SYS_name_to_handle_at => "files by number, past every path",
    SYS_symlinkat => "who reads the folder later finds files and folders only, also where no file rule sees to that",
    SYS_mknodat => "who reads the folder later finds files and folders only, also where no file rule sees to that",
    SYS_renameat2 if WHITEOUT => "leaves a device in the place of what was moved",
    SYS_memfd_create => "programs that are not a file, which file rules do not see",
    SYS_memfd_secret => "memory that nobody can inspect",
    SYS_fchown => "owner of files, which file rules do not see",
    SYS_fchownat => "owner of files, which file rules do not see",
    SYS_setxattr => "attributes of files, which file rules do not see",
    SYS_lsetxattr => "attributes of files, which file rules do not see",
    SYS_fsetxattr => "attributes of files, which file rules do not see",
    SYS_removexattr => "attributes of files, which file rules do not see",
    SYS_lremovexattr => "attributes of files, which file rules do not see",
    SYS_fremovexattr => "attributes of files, which file rules do not see",
    SYS_bpf => "code in the kernel",
    SYS_perf_event_open => "observes the machine; many past flaws",
    SYS_userfaultfd => "stops the kernel mid-copy; helps exploits",
    SYS_add_key => "keys of the user's session",
    SYS_keyctl => "keys of the user's session",
    SYS_request_key => "keys of the user's session",
    SYS_init_module => "code in the kernel",
    SYS_finit_module => "code in the kernel",
    SYS_delete_module => "code in the kernel",
    SYS_kexec_load => "another kernel",
    SYS_kexec_file_load => "another kernel",
    SYS_reboot => "the machine",
    SYS_swapon => "the machine",
    SYS_swapoff => "the machine",
    SYS_acct => "the machine",
    SYS_quotactl => "the machine",
    SYS_settimeofday => "the machine's clock",
    SYS_clock_settime => "the machine's clock",
    SYS_clock_adjtime => "the machine's clock",
    SYS_adjtimex => "the machine's clock",
    SYS_sethostname => "the machine's name",
    SYS_setdomainname => "the machine's name",
    SYS_syslog => "the kernel's messages",
    SYS_fanotify_init => "watches what others open",
    SYS_personality => "switches hardening off",
    SYS_ioctl if INJECTION => "types into the terminal, changes how it works, or has signals sent to others",
];

#[cfg(target_arch = "x86_64")]
const REFUSED_X86_64: &[Row] = rows![
    SYS_chown => "owner of files, which file rules do not see",
    SYS_chmod if SETUID_1 => "a file that runs with its owner's rights",
    SYS_lchown => "owner of files, which file rules do not see",
    SYS_symlink => "who reads the folder later finds files and folders only, also where no file rule sees to that",
    SYS_mknod => "who reads the folder later finds files and folders only, also where no file rule sees to that",
    SYS_iopl => "hardware ports",
    SYS_ioperm => "hardware ports",
    SYS_modify_ldt => "segments; many past flaws",
    SYS_uselib => "obsolete way to load code",
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_X86_64: &[Row] = &[];

/// A process by its number: 0 is the caller. A filter cannot know the number that the caller has after a fork.
const FOREIGN: &[&[Test]] = &[&[other_than(0, 0)]];

/// The second argument is whom, the first what that number means; 2 is a user, and 0 then the own one.
const FOREIGN_PRIORITY: &[&[Test]] = &[&[other_than(1, 0)], &[int(0, libc::PRIO_USER as u64)]];

/// The same with other numbers: 3 is a user.
const FOREIGN_DISK: &[&[Test]] = &[&[other_than(1, 0)], &[int(0, 3)]];

/// `F_SETOWN` and `F_SETOWN_EX`.
const SIGNALS: &[&[Test]] = &[&[int(1, libc::F_SETOWN as u64)], &[int(1, 15)]];

/// The bit that has a program run as its owner, in the argument where the mode stands.
const SETUID_1: &[&[Test]] = &[&[masked_int(1, 0o4000, 0o4000)]];
const SETUID_2: &[&[Test]] = &[&[masked_int(2, 0o4000, 0o4000)]];

/// `RENAME_WHITEOUT` among the flags.
const WHITEOUT: &[&[Test]] = &[&[masked_int(4, 4, 4)]];

/// Any family but the two of IP, whose numbers are 2 and 10; the kernel knows none of 64 and more.
const OTHER_FAMILY: &[&[Test]] = {
    const V4: u64 = libc::AF_INET as u64;
    const V6: u64 = libc::AF_INET6 as u64;
    assert!(V4 == 0b00_0010 && V6 == 0b00_1010);
    &[
        &[masked_int(0, 0b00_0001, 0b00_0001)],
        &[masked_int(0, 0b00_0010, 0)],
        &[masked_int(0, 0b00_0100, 0b00_0100)],
        &[masked_int(0, 0b01_0000, 0b01_0000)],
        &[masked_int(0, 0b10_0000, 0b10_0000)],
    ]
};

/// Without the flag of a thread.
const PROCESS: &[&[Test]] = &[&[masked(0, libc::CLONE_THREAD as u64, 0)]];

/// Any one of these flags.
const NAMESPACES: &[&[Test]] = &[
    &[masked(0, libc::CLONE_NEWNS as u64, libc::CLONE_NEWNS as u64)],
    &[masked(0, libc::CLONE_NEWCGROUP as u64, libc::CLONE_NEWCGROUP as u64)],
    &[masked(0, libc::CLONE_NEWUTS as u64, libc::CLONE_NEWUTS as u64)],
    &[masked(0, libc::CLONE_NEWIPC as u64, libc::CLONE_NEWIPC as u64)],
    &[masked(0, libc::CLONE_NEWUSER as u64, libc::CLONE_NEWUSER as u64)],
    &[masked(0, libc::CLONE_NEWPID as u64, libc::CLONE_NEWPID as u64)],
    &[masked(0, libc::CLONE_NEWNET as u64, libc::CLONE_NEWNET as u64)],
];

/// A length of an address other than 0; the kernel takes none above 128.
const ADDRESSED: &[&[Test]] = &[
    &[masked_int(5, 0b0000_0001, 0b0000_0001)],
    &[masked_int(5, 0b0000_0010, 0b0000_0010)],
    &[masked_int(5, 0b0000_0100, 0b0000_0100)],
    &[masked_int(5, 0b0000_1000, 0b0000_1000)],
    &[masked_int(5, 0b0001_0000, 0b0001_0000)],
    &[masked_int(5, 0b0010_0000, 0b0010_0000)],
    &[masked_int(5, 0b0100_0000, 0b0100_0000)],
    &[masked_int(5, 0b1000_0000, 0b1000_0000)],
];

const INJECTION: &[&[Test]] = &[
    &[request(libc::TIOCSTI)],
    &[request(libc::TIOCLINUX)],
    &[request(libc::TIOCSETD)],
    &[int(1, FIOSETOWN)],
    &[int(1, SIOCSPGRP)],
];

/// As `F_SETOWN`.
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;
