//! Attacks by calls: programs, sockets, machine code, other processes, the odd corners of the kernel.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tameclaw_tests::tracer::Outcome;

use crate::mind::Inside;
use crate::table::{Attack, Free, Scene};

type Call = fn(&mut Inside, &Scene) -> Outcome;

/// A free process succeeds.
const fn row(what: &'static str, why: &'static str, call: Call) -> Attack {
    Attack { what, why, free: Free::Succeeds, call }
}

/// A free process is heard, and fails for what it says.
const fn heard(what: &'static str, why: &'static str, call: Call) -> Attack {
    Attack { what, why, free: Free::IsHeard, call }
}

/// What neither process may do.
pub(crate) const CALLS: &[Attack] = &[
    heard("execve", "starts a program", |i, _| {
        let name = i.text("/no/such/program");
        i.call(libc::SYS_execve, &[name, 0, 0])
    }),
    heard("execveat", "starts a program", |i, _| {
        let name = i.text("/no/such/program");
        i.call(libc::SYS_execveat, &[AT, name, 0, 0, 0])
    }),
    heard("execveat of memory", "starts a program that is no file", |i, _| {
        let name = i.text("hidden");
        let Outcome::Returned(memory) = i.call(libc::SYS_memfd_create, &[name, 0]) else { return GONE };
        let empty = i.text("");
        i.call(libc::SYS_execveat, &[memory as u64, empty, 0, 0, libc::AT_EMPTY_PATH as u64])
    }),
    row("clone as fork does", "a process that outlives the bot", |i, _| {
        forked(i, libc::SYS_clone, &[CHILD, 0, 0, 0, 0])
    }),
    #[cfg(target_arch = "x86_64")]
    row("fork", "a process that outlives the bot", |i, _| forked(i, libc::SYS_fork, &[])),
    heard("clone into a user namespace", "root in a world of its own", |i, _| {
        // Sharing memory with a new namespace is wrong use, so that no free process comes of it.
        i.call(libc::SYS_clone, &[CHILD | (libc::CLONE_NEWUSER | libc::CLONE_THREAD) as u64, 0, 0, 0, 0])
    }),
    heard("vfork by its number for 32-bit pointers", "walks around a list", |i, _| {
        i.call(0x4000_0000 | 58, &[])
    }),
    row("memfd_create", "a file that no rule sees", |i, _| {
        let name = i.text("hidden");
        i.call(libc::SYS_memfd_create, &[name, 0])
    }),
    row("mmap, executable", "runs what was written", |i, _| map(i, libc::PROT_READ | libc::PROT_EXEC)),
    row("mmap, writable and executable", "runs what was written", |i, _| {
        map(i, libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC)
    }),
    row("mprotect to executable", "runs what was written", |i, _| {
        let Outcome::Returned(page) = map(i, libc::PROT_READ | libc::PROT_WRITE) else { return GONE };
        i.call(libc::SYS_mprotect, &[page as u64, 4096, (libc::PROT_READ | libc::PROT_EXEC) as u64])
    }),
    row("pkey_mprotect to executable", "runs what was written", |i, _| {
        let Outcome::Returned(page) = map(i, libc::PROT_READ | libc::PROT_WRITE) else { return GONE };
        let exec = (libc::PROT_READ | libc::PROT_EXEC) as u64;
        i.call(libc::SYS_pkey_mprotect, &[page as u64, 4096, exec, u64::MAX])
    }),
    heard("personality that reads as executable", "switches the above off", |i, _| {
        i.call(libc::SYS_personality, &[0xffff_ffff])
    }),
    row("process_vm_readv", "another process' keys", |i, s| vm(i, s, libc::SYS_process_vm_readv)),
    row("process_vm_writev", "another process' power", |i, s| vm(i, s, libc::SYS_process_vm_writev)),
    row("pidfd_open", "a handle of another process", pidfd),
    heard("pidfd_getfd", "another process' descriptors", |i, s| {
        let Outcome::Returned(process) = pidfd(i, s) else { return GONE };
        i.call(libc::SYS_pidfd_getfd, &[process as u64, 1000, 0])
    }),
    row("kill of another process", "ends it", |i, s| i.call(libc::SYS_kill, &[pid(s), 0])),
    row("tgkill of another process", "ends it", |i, s| i.call(libc::SYS_tgkill, &[pid(s), pid(s), 0])),
    row("kill of the other half, or of everybody else", "ends it", |i, s| {
        i.call(libc::SYS_kill, &[u64::from(s.peer.unwrap_or(s.victim.pid())), 0])
    }),
    heard("rt_sigqueueinfo", "signals by another name", |i, s| {
        i.call(libc::SYS_rt_sigqueueinfo, &[pid(s), 0, 0])
    }),
    row("ptrace of another process", "its memory and calls", |i, s| {
        let seized = i.call(libc::SYS_ptrace, &[u64::from(libc::PTRACE_SEIZE), pid(s), 0, 0]);
        if seized.is_success() {
            // It has to be stopped to be let go of; a free process' end does that as well.
            i.call(libc::SYS_ptrace, &[u64::from(libc::PTRACE_INTERRUPT), pid(s), 0, 0]);
        }
        seized
    }),
    row("setpriority of another process", "starves it", |i, s| {
        i.call(libc::SYS_setpriority, &[libc::PRIO_PROCESS as u64, pid(s), 0])
    }),
    row("prlimit of another process", "ends it", |i, s| {
        let room = i.bytes(&[0xff; 16]);
        i.call(libc::SYS_prlimit64, &[pid(s), libc::RLIMIT_CPU as u64, room, 0])
    }),
    row("socketpair of datagrams", "passes descriptors", |i, _| {
        let room = i.bytes(&[0; 8]);
        i.call(libc::SYS_socketpair, &[libc::AF_UNIX as u64, libc::SOCK_DGRAM as u64, 0, room])
    }),
    row("a UNIX socket", "services of this machine", |i, _| socket(i, libc::AF_UNIX, libc::SOCK_STREAM, 0)),
    row("a UNIX socket for datagrams", "the system's log and more", |i, _| {
        socket(i, libc::AF_UNIX, libc::SOCK_DGRAM, 0)
    }),
    row("a netlink socket", "the machine's network", |i, _| socket(i, libc::AF_NETLINK, libc::SOCK_RAW, 0)),
    heard("a packet socket", "everybody's traffic", |i, _| socket(i, libc::AF_PACKET, libc::SOCK_RAW, 0x300)),
    heard("a raw socket", "packets with a forged sender", |i, _| {
        socket(i, libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP)
    }),
    heard("a TCP socket of several paths", "past rules that know TCP only", |i, _| {
        socket(i, libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_MPTCP)
    }),
    heard("a vsock socket", "the host of this virtual machine", |i, _| {
        socket(i, libc::AF_VSOCK, libc::SOCK_STREAM, 0)
    }),
    heard("a socket of the kernel's ciphers", "many past flaws", |i, _| {
        socket(i, libc::AF_ALG, libc::SOCK_SEQPACKET, 0)
    }),
    heard("a bluetooth socket", "devices nearby", |i, _| socket(i, libc::AF_BLUETOOTH, libc::SOCK_RAW, 0)),
    heard("mount", "another view of files", |i, _| {
        let (what, place) = (i.text("tmpfs"), i.text("/no/such/place"));
        i.call(libc::SYS_mount, &[what, place, what, 0, 0])
    }),
    heard("umount2", "what a mount hides", |i, _| {
        let place = i.text("/no/such/place");
        i.call(libc::SYS_umount2, &[place, 0])
    }),
    heard("pivot_root", "another view of files", |i, _| {
        let place = i.text("/no/such/place");
        i.call(libc::SYS_pivot_root, &[place, place])
    }),
    heard("chroot", "another view of files", |i, _| {
        let place = i.text("/no/such/place");
        i.call(libc::SYS_chroot, &[place])
    }),
    heard("fsopen", "another view of files", |i, _| {
        let kind = i.text("no-such-file-system");
        i.call(libc::SYS_fsopen, &[kind, 0])
    }),
    row("open_tree", "another view of files", |i, _| {
        let root = i.text("/");
        i.call(libc::SYS_open_tree, &[AT, root, 0])
    }),
    heard("open_by_handle_at", "files by number", |i, _| {
        let handle = i.bytes(&[0; 64]);
        i.call(libc::SYS_open_by_handle_at, &[AT, handle, 0])
    }),
    row("unshare of the file system's attributes", "namespaces", |i, _| {
        i.call(libc::SYS_unshare, &[libc::CLONE_FS as u64])
    }),
    heard("setns", "another namespace", |i, _| i.call(libc::SYS_setns, &[u64::from(u32::MAX), 0])),
    heard("bpf", "code in the kernel", |i, _| {
        let room = i.bytes(&[0xff; 128]);
        i.call(libc::SYS_bpf, &[0xff, room, 128])
    }),
    heard("keyctl", "keys of the session", |i, _| i.call(libc::SYS_keyctl, &[0xffff, 0, 0, 0, 0])),
    heard("add_key", "keys of the session", |i, _| {
        let kind = i.text("no-such-kind");
        i.call(libc::SYS_add_key, &[kind, kind, 0, 0, u64::from(u32::MAX)])
    }),
    heard("request_key", "starts a helper program", |i, _| {
        let kind = i.text("no-such-kind");
        i.call(libc::SYS_request_key, &[kind, kind, 0, 0])
    }),
    heard("io_uring_setup", "calls that no filter sees", |i, _| {
        let room = i.bytes(&[0; 128]);
        i.call(libc::SYS_io_uring_setup, &[1, room])
    }),
    heard("userfaultfd", "helps exploits", |i, _| i.call(libc::SYS_userfaultfd, &[0])),
    heard("perf_event_open", "observes the machine", |i, _| {
        let room = i.bytes(&[0; 128]);
        i.call(libc::SYS_perf_event_open, &[room, 0, u64::MAX, u64::MAX, 0])
    }),
    heard("init_module", "code in the kernel", |i, _| i.call(libc::SYS_init_module, &[0, 0, 0])),
    heard("finit_module", "code in the kernel", |i, _| {
        i.call(libc::SYS_finit_module, &[u64::from(u32::MAX), 0, 0])
    }),
    heard("kexec_load", "another kernel", |i, _| i.call(libc::SYS_kexec_load, &[0, 99, 0, 1])),
    heard("setuid", "another user", |i, _| i.call(libc::SYS_setuid, &[u64::from(u32::MAX)])),
    heard("capset", "powers of root", |i, _| i.call(libc::SYS_capset, &[0, 0])),
    heard("prctl that lets others trace", "undoes the protection of the memory", |i, _| {
        i.call(libc::SYS_prctl, &[libc::PR_SET_DUMPABLE as u64, 1])
    }),
    heard("prctl that lets anybody trace", "undoes the protection of the memory", |i, _| {
        i.call(libc::SYS_prctl, &[libc::PR_SET_PTRACER as u64, u64::MAX])
    }),
    heard("seccomp", "another table of calls", |i, _| i.call(libc::SYS_seccomp, &[0xffff, 0, 0])),
    heard("clock_settime", "the machine's clock", |i, _| i.call(libc::SYS_clock_settime, &[0xffff, 0])),
    heard("TIOCSTI", "types for the person", |i, _| {
        let byte = i.bytes(b" ");
        i.call(libc::SYS_ioctl, &[0, libc::TIOCSTI, byte])
    }),
    heard("TIOCSTI with bits that the kernel drops", "types for the person", |i, _| {
        let byte = i.bytes(b" ");
        i.call(libc::SYS_ioctl, &[0, libc::TIOCSTI | 0x7_0000_0000, byte])
    }),
    heard("TIOCLINUX", "pastes for the person", |i, _| {
        let byte = i.bytes(&[3, 0]);
        i.call(libc::SYS_ioctl, &[0, libc::TIOCLINUX, byte])
    }),
    heard("TIOCSETD", "changes how the terminal works", |i, _| {
        let none = i.bytes(&[0xff; 4]);
        i.call(libc::SYS_ioctl, &[0, libc::TIOCSETD, none])
    }),
];

/// What `mind` may not do, and `net` may: talk to other machines.
pub(crate) const NETWORK: &[Attack] = &[
    row("a TCP socket", "the network", |i, _| socket(i, libc::AF_INET, libc::SOCK_STREAM, 0)),
    row("a UDP socket", "the network", |i, _| socket(i, libc::AF_INET, libc::SOCK_DGRAM, 0)),
    heard("a TCP socket of version 6", "the network", |i, _| socket(i, libc::AF_INET6, libc::SOCK_STREAM, 0)),
    heard("connect", "the network", |i, _| i.call(libc::SYS_connect, &[u64::from(u32::MAX), 0, 0])),
    heard("sendto", "the network", |i, _| i.call(libc::SYS_sendto, &[u64::from(u32::MAX), 0, 0, 0, 0, 0])),
    heard("sendmsg", "passes descriptors", |i, _| i.call(libc::SYS_sendmsg, &[u64::from(u32::MAX), 0, 0])),
    heard("recvmsg", "takes descriptors", |i, _| i.call(libc::SYS_recvmsg, &[u64::from(u32::MAX), 0, 0])),
];

/// What `net` may not do with the sockets that it may have, nor `mind` with none.
pub(crate) const LISTENING: &[Attack] = &[
    row("bind", "a service of its own", |i, _| {
        let Outcome::Returned(own) = socket(i, libc::AF_INET, libc::SOCK_STREAM, 0) else { return GONE };
        let mut address = [0; 16];
        address[0] = libc::AF_INET as u8;
        address[4] = 127;
        address[7] = 1;
        let address = i.bytes(&address);
        i.call(libc::SYS_bind, &[own as u64, address, 16])
    }),
    row("listen", "a service of its own", |i, _| {
        let Outcome::Returned(own) = socket(i, libc::AF_INET, libc::SOCK_STREAM, 0) else { return GONE };
        i.call(libc::SYS_listen, &[own as u64, 1])
    }),
    heard("accept4", "a service of its own", |i, _| {
        let Outcome::Returned(own) = socket(i, libc::AF_INET, libc::SOCK_STREAM, 0) else { return GONE };
        i.call(libc::SYS_accept4, &[own as u64, 0, 0, libc::SOCK_NONBLOCK as u64])
    }),
];

/// What `mind` does at its terminal, and `net` may not: it has none.
pub(crate) const TERMINAL: &[Attack] = &[heard("how the terminal is set", "draws and listens", |i, _| {
    let room = i.bytes(&[0; 64]);
    i.call(libc::SYS_ioctl, &[0, libc::TCGETS, room])
})];

fn forked(inside: &mut Inside, number: i64, arguments: &[u64]) -> Outcome {
    let outcome = inside.call(number, arguments);
    if let Outcome::Returned(child @ 1..) = outcome {
        // It continues at an invalid address.
        let child = i32::try_from(child).expect("a process id fits");
        kill(Pid::from_raw(child), Signal::SIGKILL).expect("what was just made can be ended");
    }
    outcome
}

fn map(inside: &mut Inside, rights: i32) -> Outcome {
    let anonymous = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
    inside.call(libc::SYS_mmap, &[0, 4096, rights as u64, anonymous, u64::MAX, 0])
}

fn vm(inside: &mut Inside, scene: &Scene, number: i64) -> Outcome {
    let room = inside.bytes(&[0; 8]);
    let local = inside.bytes(&[room.to_ne_bytes(), 8_u64.to_ne_bytes()].concat());
    let remote = inside.bytes(&[scene.victims_memory().to_ne_bytes(), 8_u64.to_ne_bytes()].concat());
    inside.call(number, &[pid(scene), local, 1, remote, 1, 0])
}

fn pidfd(inside: &mut Inside, scene: &Scene) -> Outcome {
    inside.call(libc::SYS_pidfd_open, &[pid(scene), 0])
}

fn socket(inside: &mut Inside, family: i32, kind: i32, protocol: i32) -> Outcome {
    inside.call(libc::SYS_socket, &[family as u64, kind as u64, protocol as u64])
}

fn pid(scene: &Scene) -> u64 {
    u64::from(scene.victim.pid())
}

const AT: u64 = libc::AT_FDCWD as u64;
const CHILD: u64 = libc::SIGCHLD as u64;
/// A step before the one that counts ended the process.
const GONE: Outcome = Outcome::Killed(0);
