//! Invariant 2: `cl-bot` starts no process, loads no native code; `mind` makes no socket, `net` only IP sockets.

use tameclaw_tests::tracer::Outcome;
use tameclaw_tests::world::World;

use crate::mind::{Entered, Inside};

/// From inside the confined mind no program is started and no process is made.
#[test]
fn mind_starts_no_process() {
    let bot = Entered::start(World::new());
    bot.inside(bot.mind(), starts_no_process);
    bot.still_talks();
}

/// From inside the confined mind no socket of any family is made.
#[test]
fn mind_makes_no_socket() {
    let bot = Entered::start(World::new());
    bot.inside(bot.mind(), |mind| {
        for family in 0..=45_u64 {
            for kind in [libc::SOCK_STREAM, libc::SOCK_DGRAM, libc::SOCK_RAW] {
                mind.refused(
                    &format!("socket of family {family}"),
                    libc::SYS_socket,
                    &[family, kind as u64, 0],
                );
            }
        }
        let room = mind.bytes(&[0; 8]);
        mind.refused(
            "socketpair",
            libc::SYS_socketpair,
            &[libc::AF_UNIX as u64, libc::SOCK_STREAM as u64, 0, room],
        );
    });
    bot.still_talks();
}

/// The rules hold in every thread of the mind, not only in its first.
#[test]
fn every_thread_of_mind_is_confined() {
    let bot = Entered::start(World::new());
    for thread in bot.threads(bot.mind()) {
        bot.inside(thread, |mind| {
            let inet = [libc::AF_INET as u64, libc::SOCK_STREAM as u64, 0];
            mind.refused(&format!("socket in thread {thread}"), libc::SYS_socket, &inet);
            let outcome = mind.open("/etc/passwd", libc::O_RDONLY);
            assert!(outcome.is_refusal(), "open in thread {thread}: {outcome:?}");
        });
    }
    bot.still_talks();
}

/// A file that the mind may write cannot become code, nor can its memory.
#[test]
fn mind_maps_nothing_executable() {
    let world = World::new();
    let workspace = world.home().profile(&world.profile()).join("workspace");
    let bot = Entered::start(world);
    bot.inside(bot.mind(), |mind| {
        let own = workspace.join("code.bin").display().to_string();
        let file = mind.open(&own, libc::O_CREAT | libc::O_RDWR);
        let Outcome::Returned(descriptor @ 0..) = file else { panic!("its own file should open: {file:?}") };
        let bytes = mind.bytes(&[0xc3; 64]);
        assert!(mind.call(libc::SYS_write, &[descriptor as u64, bytes, 64]).is_success());
        let exec = (libc::PROT_READ | libc::PROT_EXEC) as u64;
        let all = (libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC) as u64;
        let own_file = [0, 4096, exec, libc::MAP_PRIVATE as u64, descriptor as u64, 0];
        mind.refused("mapping its own file executable", libc::SYS_mmap, &own_file);
        let anonymous = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
        for rights in [exec, all] {
            mind.refused(
                "mapping executable memory",
                libc::SYS_mmap,
                &[0, 4096, rights, anonymous, u64::MAX, 0],
            );
        }
        let writable = (libc::PROT_READ | libc::PROT_WRITE) as u64;
        let memory = mind.call(libc::SYS_mmap, &[0, 4096, writable, anonymous, u64::MAX, 0]);
        let Outcome::Returned(address @ 1..) = memory else {
            panic!("plain memory should be had: {memory:?}")
        };
        mind.refused("making memory executable", libc::SYS_mprotect, &[address as u64, 4096, exec]);
        mind.refused(
            "making memory executable",
            libc::SYS_pkey_mprotect,
            &[address as u64, 4096, exec, u64::MAX],
        );
        let name = mind.text("hidden");
        let hidden = mind.call(libc::SYS_memfd_create, &[name, 0]);
        assert!(!hidden.is_success(), "memfd_create: {hidden:?}");
    });
    bot.still_talks();
}

/// From inside the mind the odd corners of the kernel are closed: tracing, mounting, keys, rings, terminal injection.
#[test]
fn mind_reaches_no_odd_part_of_the_kernel() {
    let bot = Entered::start(World::new());
    bot.inside(bot.mind(), |mind| {
        let room = mind.bytes(&[0; 256]);
        let own = u64::from(std::process::id());
        for (what, number, arguments) in [
            ("ptrace", libc::SYS_ptrace, [libc::PTRACE_ATTACH as u64, own, 0, 0, 0]),
            ("process_vm_readv", libc::SYS_process_vm_readv, [own, room, 1, room, 1]),
            ("process_vm_writev", libc::SYS_process_vm_writev, [own, room, 1, room, 1]),
            ("mount", libc::SYS_mount, [room, room, room, 0, 0]),
            ("unshare", libc::SYS_unshare, [libc::CLONE_NEWUSER as u64, 0, 0, 0, 0]),
            ("setns", libc::SYS_setns, [0, 0, 0, 0, 0]),
            ("bpf", libc::SYS_bpf, [0, room, 64, 0, 0]),
            ("keyctl", libc::SYS_keyctl, [0, 0, 0, 0, 0]),
            ("add_key", libc::SYS_add_key, [room, room, room, 1, 0]),
            ("io_uring_setup", libc::SYS_io_uring_setup, [1, room, 0, 0, 0]),
            ("userfaultfd", libc::SYS_userfaultfd, [0, 0, 0, 0, 0]),
            ("perf_event_open", libc::SYS_perf_event_open, [room, 0, 0, 0, 0]),
            ("init_module", libc::SYS_init_module, [room, 1, room, 0, 0]),
            ("kexec_load", libc::SYS_kexec_load, [0, 0, 0, 0, 0]),
            ("reboot", libc::SYS_reboot, [0, 0, 0, 0, 0]),
            ("setuid", libc::SYS_setuid, [0, 0, 0, 0, 0]),
            ("chroot", libc::SYS_chroot, [room, 0, 0, 0, 0]),
            ("kill of another process", libc::SYS_kill, [own, 0, 0, 0, 0]),
            ("pidfd_open", libc::SYS_pidfd_open, [own, 0, 0, 0, 0]),
            ("terminal injection", libc::SYS_ioctl, [0, libc::TIOCSTI, room, 0, 0]),
            ("terminal selection", libc::SYS_ioctl, [0, libc::TIOCLINUX, room, 0, 0]),
        ] {
            mind.refused(what, number, &arguments);
        }
    });
    bot.still_talks();
}

/// `net` starts no process and runs no code either, makes IP sockets only, and opens no file of a person.
#[test]
fn net_makes_ip_sockets_and_nothing_else() {
    let world = World::new();
    let settings = "providers:\n  - {name: far, kind: openai-compatible, base_url: 'https://model.example.org/v1', model: m}\n";
    std::fs::write(world.home().bot_config(), settings).expect("the configuration can be written");
    let (home, profile) = (world.home(), world.profile());
    let bot = Entered::start(world);
    assert_ne!(bot.net(), bot.mind());
    for descriptor in 0..=2 {
        let target = std::fs::read_link(format!("/proc/{}/fd/{descriptor}", bot.net()));
        assert_eq!(target.expect("it is open"), std::path::Path::new("/dev/null"), "net holds the terminal");
    }
    bot.inside(bot.net(), starts_no_process);
    bot.inside(bot.net(), |net| {
        for family in [libc::AF_INET, libc::AF_INET6] {
            let outcome = net.call(libc::SYS_socket, &[family as u64, libc::SOCK_STREAM as u64, 0]);
            assert!(outcome.is_success(), "the network is what it is for: {outcome:?}");
        }
        for family in [libc::AF_UNIX, libc::AF_PACKET, libc::AF_VSOCK, libc::AF_ALG, libc::AF_BLUETOOTH] {
            net.refused(&format!("socket of family {family}"), libc::SYS_socket, &[family as u64, 1, 0]);
        }
        let exec = (libc::PROT_READ | libc::PROT_EXEC) as u64;
        let anonymous = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
        net.refused("mapping executable memory", libc::SYS_mmap, &[0, 4096, exec, anonymous, u64::MAX, 0]);
    });
    bot.inside(bot.net(), |net| {
        for path in
            [home.profile(&profile), home.proposals(&profile), home.config(), home.admin(), "/tmp".into()]
        {
            let outcome =
                net.open(&path.join("planted").display().to_string(), libc::O_CREAT | libc::O_WRONLY);
            assert!(outcome.is_refusal(), "creating in {}: {outcome:?}", path.display());
        }
        for path in [home.profile(&profile), home.profile(&profile).join("memory"), home.admin()] {
            let outcome = net.open(&path.display().to_string(), libc::O_RDONLY);
            assert!(outcome.is_refusal(), "reading {}: {outcome:?}", path.display());
        }
    });
    bot.still_talks();
}

fn starts_no_process(inside: &mut Inside) {
    let shell = inside.text("/bin/sh");
    let list = inside.bytes(&[shell.to_ne_bytes(), [0; 8]].concat());
    inside.refused("execve", libc::SYS_execve, &[shell, list, 0]);
    let at = libc::AT_FDCWD as u64;
    inside.refused("execveat", libc::SYS_execveat, &[at, shell, list, 0, 0]);
    // Newer processors have `clone` only.
    #[cfg(target_arch = "x86_64")]
    for (what, number) in [("fork", libc::SYS_fork), ("vfork", libc::SYS_vfork)] {
        inside.refused(what, number, &[]);
    }
    inside.refused("clone", libc::SYS_clone, &[libc::SIGCHLD as u64, 0, 0, 0, 0]);
    let namespaces = (libc::CLONE_NEWUSER | libc::SIGCHLD) as u64;
    inside.refused("clone into a new user namespace", libc::SYS_clone, &[namespaces, 0, 0, 0, 0]);
    let mut request = [0_u8; 88];
    request[32..40].copy_from_slice(&(libc::SIGCHLD as u64).to_ne_bytes());
    let request = inside.bytes(&request);
    let outcome = inside.call(libc::SYS_clone3, &[request, 88]);
    // The error `ENOSYS` makes the C library fall back to `clone`, whose arguments the filter can judge.
    let absent = Outcome::Returned(-i64::from(libc::ENOSYS));
    assert!(outcome.is_refusal() || outcome == absent, "clone3: {outcome:?}");
}
