//! What the roles that run programs of others may not call.
//!
//! Such programs cannot be foreseen, so this is a list of refusals with everything else allowed. Files
//! are the file rules' business; signals to outside are refused by Landlock from version 6 on.

use super::row::{Row, Table, Test, everywhere, int, masked, masked_int, rows, x86_64};

/// Programs written by others.
pub(super) const COMPILER: &[Table] = &[everywhere(SOCKETS), everywhere(REFUSED), x86_64(REFUSED_X86_64)];

/// Commands without a network.
pub(super) const ACTION: &[Table] = COMPILER;

/// Commands with one.
pub(super) const ONLINE: &[Table] = &[everywhere(NOT_IP), everywhere(REFUSED), x86_64(REFUSED_X86_64)];

/// Said not to exist, to every role.
pub(super) const ABSENT: &[Row] = rows![
    SYS_clone3 => "its flags lie in memory, where no filter sees them; without it the C library uses clone",
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
    SYS_memfd_create => "programs that are no file, which file rules do not see",
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
    SYS_ioctl if INJECTION => "types into the terminal, or changes how it works",
];

#[cfg(target_arch = "x86_64")]
const REFUSED_X86_64: &[Row] = rows![
    SYS_chown => "owner of files, which file rules do not see",
    SYS_lchown => "owner of files, which file rules do not see",
    SYS_iopl => "hardware ports",
    SYS_ioperm => "hardware ports",
    SYS_modify_ldt => "segments; many past flaws",
    SYS_uselib => "obsolete way to load code",
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_X86_64: &[Row] = &[];

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

const INJECTION: &[&[Test]] =
    &[&[int(1, libc::TIOCSTI)], &[int(1, libc::TIOCLINUX)], &[int(1, libc::TIOCSETD)]];
