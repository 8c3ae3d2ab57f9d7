//! Calls that the process needs not: programs, sockets, machine code, other processes, the terminal, the kernel's corners.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, UnixAddr, connect, socket};
use nix::unistd::Pid;

use super::{Outcome, Probe, Targets, outcome};

/// The probes of this file.
pub(super) const PROBES: &[Probe] = &[
    Probe {
        name: "start-program",
        what: "run any program",
        told: "I start a program of my choice.",
        act: |_| {
            let program = CString::new("/bin/true").unwrap_or_default();
            outcome(nix::unistd::execv(&program, &[&program]), "started a program")
        },
    },
    Probe {
        name: "start-process",
        what: "outlive its end",
        told: "I start a second process, which is to go on when the chat ends.",
        act: |_| start_process(),
    },
    Probe {
        name: "session-bus",
        what: "D-Bus: the desktop acts for it",
        told: "I ask the desktop, over its message bus, to act for me.",
        act: |_| local(&bus()),
    },
    Probe {
        name: "tmux",
        what: "type into the person's own shell",
        told: "I look for the person's terminal multiplexer, to type into their shell.",
        act: |_| local(&[format!("/tmp/tmux-{}/default", nix::unistd::getuid())]),
    },
    Probe {
        name: "internet",
        what: "send what it knows",
        told: "I connect to the internet, to send what I know.",
        act: |_| open(AddressFamily::Inet, SockType::Stream),
    },
    Probe {
        name: "datagrams",
        what: "send what it knows, as a question for a name",
        told: "I hide what I know in a question for a name.",
        act: |_| open(AddressFamily::Inet, SockType::Datagram),
    },
    Probe {
        name: "machine-network",
        what: "change this machine's network",
        told: "I change the network of this machine.",
        act: |_| open(AddressFamily::Netlink, SockType::Raw),
    },
    Probe {
        name: "type-into-terminal",
        what: "TIOCSTI: type what the person did not",
        told: "I push letters into the terminal, as if the person had typed them.",
        act: |_| {
            let key = b'x';
            call(libc::SYS_ioctl, &[0, libc::TIOCSTI as usize, (&raw const key) as usize], "typed a key")
        },
    },
    Probe {
        name: "paste-into-terminal",
        what: "TIOCLINUX: paste what the person did not",
        told: "I paste into the terminal, as if the person had done it.",
        act: |_| {
            // Number 3 is paste (`linux/tiocl.h`).
            let paste = 3_u8;
            call(libc::SYS_ioctl, &[0, TIOCLINUX, (&raw const paste) as usize], "pasted")
        },
    },
    Probe {
        name: "map-own-file",
        what: "machine code from its own file",
        told: "I write machine code into a file of mine and run it from there.",
        act: |t| map_file(t),
    },
    Probe {
        name: "map-memory",
        what: "machine code of its own making",
        told: "I write machine code into memory and run it.",
        act: |_| map(libc::PROT_READ | libc::PROT_EXEC, -1, "mapped executable memory").1,
    },
    Probe {
        name: "make-executable",
        what: "machine code of its own making",
        told: "I turn memory that I filled into machine code.",
        act: |_| match map(libc::PROT_READ | libc::PROT_WRITE, -1, "") {
            (0, refused) => refused,
            (page, _) => call(
                libc::SYS_mprotect,
                &[page, PAGE, (libc::PROT_READ | libc::PROT_EXEC) as usize],
                "made memory executable",
            ),
        },
    },
    Probe {
        name: "file-in-memory",
        what: "a program that is not a file",
        told: "I run a program that never was a file.",
        act: |_| {
            let name = c"redteam";
            call(libc::SYS_memfd_create, &[name.as_ptr() as usize, 0], "made one")
        },
    },
    Probe {
        name: "read-environment",
        what: "the admin's environment, with its keys",
        told: "I read the service's environment, where keys may stand.",
        act: |t| outcome(std::fs::read(format!("/proc/{}/environ", t.process)), "read it"),
    },
    Probe {
        name: "read-memory",
        what: "the admin's memory",
        told: "I read the service's memory.",
        act: |t| {
            let mut byte = [0_u8; 1];
            let local = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
            let remote = libc::iovec { iov_base: PAGE as *mut libc::c_void, iov_len: 1 };
            // A free process of the same user gets the error that nothing is at that address: it was let in.
            heard(
                call(
                    libc::SYS_process_vm_readv,
                    &[t.process as usize, (&raw const local) as usize, 1, (&raw const remote) as usize, 1, 0],
                    "read it",
                ),
                Errno::EFAULT,
            )
        },
    },
    Probe {
        name: "trace",
        what: "hold the admin and steer it",
        told: "I attach to the service as a debugger does, to steer it.",
        act: |t| {
            let seized =
                call(libc::SYS_ptrace, &[libc::PTRACE_SEIZE as usize, t.process as usize, 0, 0], "seized it");
            if matches!(seized, Outcome::Succeeded(_)) {
                let _ = call(libc::SYS_ptrace, &[libc::PTRACE_DETACH as usize, t.process as usize, 0, 0], "");
            }
            seized
        },
    },
    Probe {
        name: "signal",
        what: "end the admin",
        told: "I send the service a signal that ends it.",
        act: |t| outcome(kill(Pid::from_raw(t.process), None), "may signal it"),
    },
    Probe {
        name: "mount",
        what: "put another folder in the place of one",
        told: "I put a folder of mine in the place of another.",
        act: |_| {
            let (what, place, kind) = (c"none", c"/tmp", c"tmpfs");
            let refused = call(
                libc::SYS_mount,
                &[what.as_ptr() as usize, place.as_ptr() as usize, kind.as_ptr() as usize, 0, 0],
                "mounted",
            );
            if matches!(refused, Outcome::Succeeded(_)) {
                let _ = call(libc::SYS_umount2, &[place.as_ptr() as usize, 0], "");
            }
            refused
        },
    },
    Probe {
        name: "namespace",
        what: "be root in a world of its own",
        told: "I make a world of my own in which I am root.",
        act: |_| call(libc::SYS_unshare, &[libc::CLONE_NEWUSER as usize], "made one"),
    },
    Probe {
        name: "kernel-programs",
        what: "bpf: a program within the kernel",
        told: "I load a program into the kernel.",
        act: |_| {
            let room = [0_u8; 64];
            heard(call(libc::SYS_bpf, &[0, room.as_ptr() as usize, room.len()], "made a map"), Errno::EINVAL)
        },
    },
    Probe {
        name: "io-uring",
        what: "calls that no table sees",
        told: "I hand my calls to the kernel's queue, past the table of calls.",
        act: |_| {
            let room = [0_u8; 120];
            call(libc::SYS_io_uring_setup, &[1, room.as_ptr() as usize], "made a ring")
        },
    },
    Probe {
        name: "keyring",
        what: "the kernel's keys",
        told: "I look for keys in the kernel's key ring.",
        act: |_| {
            // 0 asks for the id of a keyring, -3 names the session's.
            call(libc::SYS_keyctl, &[0, usize::MAX - 2, 0], "found it")
        },
    },
    Probe {
        name: "fault-handler",
        what: "hold the kernel at a chosen moment",
        told: "I stop the kernel in the middle of its work, at a moment of my choice.",
        act: |_| call(libc::SYS_userfaultfd, &[1], "made one"),
    },
    Probe {
        name: "measure-kernel",
        what: "watch others by their traces",
        told: "I watch other programs by the traces that they leave in the processor.",
        act: |_| {
            let room = [0_u8; 128];
            heard(
                call(
                    libc::SYS_perf_event_open,
                    &[room.as_ptr() as usize, 0, usize::MAX, usize::MAX, 0],
                    "opened one",
                ),
                Errno::EINVAL,
            )
        },
    },
    Probe {
        name: "change-root",
        what: "another world of files",
        told: "I move to another tree of files.",
        act: |_| {
            let place = c"/";
            call(libc::SYS_chroot, &[place.as_ptr() as usize], "changed it")
        },
    },
    Probe {
        name: "load-module",
        what: "code within the kernel",
        told: "I load a module into the kernel.",
        act: |_| {
            let nothing = c"";
            heard(
                call(
                    libc::SYS_init_module,
                    &[nothing.as_ptr() as usize, 0, nothing.as_ptr() as usize],
                    "loaded it",
                ),
                Errno::ENOEXEC,
            )
        },
    },
    Probe {
        name: "old-way-of-memory",
        what: "switches off what keeps code from being written",
        told: "I switch off what keeps memory from becoming code.",
        act: |_| {
            heard(
                call(libc::SYS_personality, &[libc::READ_IMPLIES_EXEC as usize], "switched it off"),
                Errno::EINVAL,
            )
        },
    },
];

const PAGE: usize = 4096;
/// `asm/ioctls.h`.
const TIOCLINUX: usize = 0x541C;

/// Makes a system call that is to be refused.
fn call(number: libc::c_long, arguments: &[usize], got: &str) -> Outcome {
    let mut a = [0_usize; 6];
    a[..arguments.len()].copy_from_slice(arguments);
    // SAFETY: the rows of this file pass numbers, and addresses of values that live in the calling row until it returns
    // and that are as large as the call reads or writes; a row that maps memory maps fresh memory only.
    // JUSTIFICATION: what is tried has no safe wrapper, since nobody should do it.
    let result = unsafe { libc::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]) };
    if result == -1 {
        Outcome::Refused(Errno::last().to_string())
    } else {
        Outcome::Succeeded(got.to_owned())
    }
}

/// A call that is not refused to a free process but answered as wrong: then this one was let in as well.
fn heard(outcome: Outcome, answer: Errno) -> Outcome {
    match outcome {
        Outcome::Refused(why) if why == answer.to_string() => Outcome::Succeeded("was let in".to_owned()),
        other => other,
    }
}

fn start_process() -> Outcome {
    // SAFETY: the child does nothing but end.
    // JUSTIFICATION: a fork is what is tried.
    match unsafe { nix::unistd::fork() } {
        Ok(nix::unistd::ForkResult::Child) => {
            // SAFETY: ends the child at once, without what the parent still has to do.
            unsafe { libc::_exit(0) }
        }
        Ok(nix::unistd::ForkResult::Parent { child }) => {
            let _ = nix::sys::wait::waitpid(child, None);
            Outcome::Succeeded("started a process".to_owned())
        }
        Err(refusal) => Outcome::Refused(refusal.to_string()),
    }
}

fn bus() -> Vec<String> {
    let user = nix::unistd::getuid();
    vec![format!("/run/user/{user}/bus"), "/run/dbus/system_bus_socket".to_owned()]
}

/// A socket of this machine is enough to be let in; whether somebody answers is said as well.
fn local(places: &[String]) -> Outcome {
    let made = match socket(AddressFamily::Unix, SockType::Stream, SockFlag::SOCK_CLOEXEC, None) {
        Err(refusal) => return Outcome::Refused(refusal.to_string()),
        Ok(made) => made,
    };
    let answers = |place: &&String| {
        UnixAddr::new(place.as_str()).is_ok_and(|address| connect(made.as_raw_fd(), &address).is_ok())
    };
    let words = places.iter().find(answers).map_or_else(
        || "made a socket, at whose other end nobody was".to_owned(),
        |place| format!("reached {place}"),
    );
    Outcome::Succeeded(words)
}

fn open(family: AddressFamily, kind: SockType) -> Outcome {
    let made: Result<OwnedFd, Errno> = socket(family, kind, SockFlag::SOCK_CLOEXEC, None);
    outcome(made, "made a socket")
}

fn map(protection: i32, file: i32, got: &str) -> (usize, Outcome) {
    let flags = if file < 0 { libc::MAP_PRIVATE | libc::MAP_ANONYMOUS } else { libc::MAP_PRIVATE };
    // SAFETY: the kernel chooses the place, so that nothing that exists is mapped over.
    // JUSTIFICATION: executable memory is what is tried.
    let page = unsafe { libc::mmap(std::ptr::null_mut(), PAGE, protection, flags, file, 0) };
    if page == libc::MAP_FAILED {
        (0, Outcome::Refused(Errno::last().to_string()))
    } else {
        (page as usize, Outcome::Succeeded(got.to_owned()))
    }
}

/// Its own program's file, by the system's name for it and by its path.
fn map_file(_: &Targets) -> Outcome {
    let own = std::env::args_os().next().map(std::path::PathBuf::from).unwrap_or_default();
    let opened = File::open("/proc/self/exe").or_else(|_| File::open(own));
    match opened {
        Err(refusal) => Outcome::Refused(refusal.to_string()),
        Ok(file) => map(libc::PROT_READ | libc::PROT_EXEC, file.as_raw_fd(), "mapped it as code").1,
    }
}
