//! Invariant 7: code that reads hostile bytes runs in a child that reaches nothing, and the compiler in a jail.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::run::{Kept, Ran, hand_over, run};
use tameclaw_tests::tracer::{Outcome, Tracer};
use tameclaw_tests::world::{PATIENCE, Program, World};
use tameclaw_tests::{eventually, skip};

/// Before a child of the service has read one byte of its input, it can open, connect and execute nothing.
#[test]
fn a_child_that_parses_scans_or_tries_reaches_nothing() {
    let world = World::new();
    let key = world.home().keys().join("manifest.key").display().to_string();
    for job in ["parse", "scan", "scan-rules", "assemble", "strip", "inspect", "arguments", "mcp"] {
        let mut command = world.command(Program::Admin, &["child", job]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = Kept(child.expect("the program starts"));
        let pid = eventually(Duration::from_secs(20), "the child is confined", || {
            crate::children::confined(child.0.id(), 0)
        });
        let mut inside = match Tracer::attach(pid) {
            Ok(tracer) => tracer,
            Err(reason) => return skip(&reason),
        };
        for path in ["/etc/passwd", "/", key.as_str()] {
            let place = inside.place(format!("{path}\0").as_bytes());
            let outcome = inside.call(libc::SYS_openat, &[libc::AT_FDCWD as u64, place, 0, 0]);
            assert!(outcome.is_refusal(), "{job} opens {path}: {outcome:?}");
        }
        let shell = inside.place(b"/bin/sh\0");
        let list = inside.place(&[shell.to_ne_bytes(), [0; 8]].concat());
        for (what, number, arguments) in [
            ("a socket", libc::SYS_socket, [libc::AF_INET as u64, libc::SOCK_STREAM as u64, 0]),
            ("a local socket", libc::SYS_socket, [libc::AF_UNIX as u64, libc::SOCK_STREAM as u64, 0]),
            ("a program", libc::SYS_execve, [shell, list, 0]),
            ("a process", libc::SYS_clone, [libc::SIGCHLD as u64, 0, 0]),
        ] {
            let outcome: Outcome = inside.call(number, &arguments);
            assert!(outcome.is_refusal(), "{job} has {what}: {outcome:?}");
        }
    }
}

/// In the compiler's jail no file of the machine, no key, no network and no variable of the service can be had.
#[test]
fn the_compilers_jail_holds_whatever_runs_in_it() {
    let world = World::new();
    let work = world.outside().join("work");
    fs::create_dir(&work).expect("a folder can be made");
    let key = world.home().keys().join("manifest.key").display().to_string();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let outside = world.outside().join("planted").display().to_string();
    let sh = |line: String| jailed(&world, &work, "/bin/bash", &["-c", &line]);

    assert_eq!(sh("echo runs".into()).done().stdout, "runs\n");
    let inside = work.join("own").display().to_string();
    sh(format!("echo x > {inside}")).done();
    for (what, line) in [
        ("a file of the machine", "cat /etc/hostname".to_owned()),
        ("a key", format!("cat {key}")),
        ("writing outside", format!("echo x > {outside}")),
        ("the network", format!("echo x > /dev/tcp/127.0.0.1/{port}")),
    ] {
        let ran = sh(format!("if {line}; then echo HAD; fi"));
        assert!(!ran.stdout.contains("HAD"), "{what}: {}", ran.report());
    }
    let variables = jailed(&world, &work, "/usr/bin/env", &[]).done().stdout;
    let names: Vec<&str> = variables.lines().filter_map(|l| l.split('=').next()).collect();
    assert_eq!(names, ["PATH", "TMPDIR"], "{variables}");
}

fn jailed(world: &World, work: &Path, program: &str, args: &[&str]) -> Ran {
    let system = ["/usr", "/lib", "/lib64", "/bin"].map(PathBuf::from);
    let execute: Vec<PathBuf> = system.into_iter().filter(|path| path.exists()).collect();
    let jail = json!({
        "execute": execute, "read": [], "write": work, "memory": 1_u64 << 30, "cpu_seconds": 10,
        "program": program, "args": args,
    });
    let mut command: Command = world.command(Program::Admin, &["child", "compile"]);
    hand_over(&mut command, jail.to_string().as_bytes());
    command.env("SERVICE_SECRET", "hidden").current_dir(work);
    run(command, b"", PATIENCE)
}
