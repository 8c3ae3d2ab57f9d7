//! The process that becomes a program of somebody else.

use std::{
    ffi::OsString,
    fs,
    os::unix::net::UnixDatagram,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use confine::{Child, ExitKind, FileRules, Limits, Role, confine, exec};
use nix::errno::Errno;

use crate::{
    Case,
    attacks::{self, Open, all_refused, call, refused},
};

pub(crate) const CASES: &[Case] = &[
    Case::new("a_compiler_runs_programs", runs).saying("hello\n"),
    Case::new("exec_replaces_the_process_with_an_environment_of_choice", replaces).saying("LANG=C\n"),
    Case::new("exec_of_a_missing_program_returns", missing),
    Case::landlock("a_program_reads_no_file_of_the_system", reads_nothing),
    Case::landlock("what_was_written_cannot_be_executed", written_is_not_executed),
    Case::new("a_compiler_makes_no_socket", sockets),
    Case::new("a_compiler_wakes_itself_over_a_pair_and_sends_to_nobody_else", pairs),
    Case::new("a_program_that_is_executed_makes_no_socket_either", inherited_by_programs),
    Case::new("a_compiler_reaches_no_other_process_and_no_odd_part_of_the_kernel", kernel),
    Case::new("a_compiler_makes_no_namespace", namespaces),
    Case::new("a_compiler_cannot_leave_its_group", group),
    Case::landlock("a_compiler_signals_nobody_outside", signals),
    Case::landlock("a_real_compiler_compiles_but_includes_nothing_from_outside", compiles),
];

fn system() -> Vec<PathBuf> {
    ["/usr", "/lib", "/lib64", "/bin"].into_iter().map(PathBuf::from).filter(|path| path.exists()).collect()
}

fn lay(folder: &Path) {
    let rules = FileRules { execute: system(), write: vec![folder.join("in")], ..FileRules::default() };
    let held = confine(Role::Compiler, &rules, &Limits::default()).expect("confinement can be laid on");
    assert!(held.seccomp && held.no_new_privs && !held.mdwe);
}

fn runs(folder: &Path) {
    lay(folder);
    assert!(Command::new("/bin/echo").arg("hello").status().unwrap().success());
    // As a compiler of today starts its linker: with a search path of its own, for which the standard library forks.
    assert!(Command::new("true").env("PATH", "/bin:/usr/bin").status().unwrap().success());
}

fn replaces(folder: &Path) {
    lay(folder);
    panic!("{}", exec(Path::new("/usr/bin/env"), &[], &[("LANG", "C")]));
}

fn missing(folder: &Path) {
    lay(folder);
    let error = exec(Path::new("/usr/bin/no-such-program"), &[OsString::from("x")], &[]);
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

fn reads_nothing(folder: &Path) {
    lay(folder);
    for path in [Path::new("/etc/hostname"), &folder.join("out/file"), Path::new("/proc/1/environ")] {
        let output = Command::new("/bin/cat").arg(path).output().unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{}: {output:?}", path.display());
        assert!(String::from_utf8_lossy(&output.stderr).contains("Permission denied"), "{output:?}");
    }
    let output = Command::new("/bin/cat").arg(folder.join("in/file")).output().unwrap();
    assert_eq!(output.stdout, b"in");
}

fn written_is_not_executed(folder: &Path) {
    lay(folder);
    let own = folder.join("in/program");
    fs::copy("/bin/true", &own).unwrap();
    refused("executing", Command::new(&own).status());
}

fn sockets(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::IP_SOCKETS, &open);
    all_refused(attacks::OTHER_SOCKETS, &open);
    all_refused(attacks::ODD_SOCKETS, &open);
}

fn pairs(folder: &Path) {
    let place = folder.join("in/listener");
    let listener = UnixDatagram::bind(&place).unwrap();
    listener.set_nonblocking(true).unwrap();
    lay(folder);
    let (one, other) = UnixDatagram::pair().unwrap();
    one.send(b"wake").unwrap();
    let mut buffer = [0; 8];
    assert_eq!(other.recv(&mut buffer).unwrap(), 4);
    let sent = one.send_to(b"out", &place).unwrap_err();
    assert_eq!(sent.raw_os_error(), Some(Errno::EPERM as i32));
    assert!(listener.recv(&mut buffer).is_err(), "nothing arrived");
}

fn inherited_by_programs(folder: &Path) {
    let bash = Path::new("/bin/bash");
    if !bash.exists() {
        println!("no bash here, whose /dev/tcp would make a socket");
        return;
    }
    lay(folder);
    let output = Command::new(bash).args(["-c", "exec 3<>/dev/tcp/127.0.0.1/1"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("Operation not permitted"), "{text}");
}

fn kernel(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::KERNEL, &open);
    all_refused(attacks::MACHINE, &open);
    assert_eq!(call(libc::SYS_clone3, [0; 6]), Err(Errno::ENOSYS));
}

fn namespaces(folder: &Path) {
    lay(folder);
    for flag in [libc::CLONE_NEWUSER, libc::CLONE_NEWNET, libc::CLONE_NEWPID, libc::CLONE_NEWNS] {
        let answer = call(libc::SYS_clone, [(flag | libc::SIGCHLD) as usize, 0, 0, 0, 0, 0]);
        assert_eq!(answer, Err(Errno::EPERM), "{flag:#x}");
    }
}

fn group(folder: &Path) {
    lay(folder);
    assert_eq!(call(libc::SYS_setsid, [0; 6]), Err(Errno::EPERM));
    assert_eq!(call(libc::SYS_setpgid, [0; 6]), Err(Errno::EPERM));
}

fn signals(folder: &Path) {
    // SAFETY: only asks for a number.
    let runner = unsafe { libc::getppid() };
    lay(folder);
    if confine::support().landlock_abi >= Some(6) {
        // SAFETY: signal 0 only asks whether it could be sent.
        assert_eq!(Errno::result(unsafe { libc::kill(runner, 0) }), Err(Errno::EPERM));
    }
}

/// With the compiler of the machine, if there is one that needs no more than `/usr`.
fn compiles(folder: &Path) {
    let rustc = Path::new("/usr/bin/rustc");
    if !rustc.exists() {
        println!("no {} here", rustc.display());
        return;
    }
    let own = folder.join("in");
    let good = "#![no_main]\n#[no_mangle] pub extern \"C\" fn f(x: u32) -> u32 { x.rotate_left(3) }\n";
    fs::write(own.join("good.rs"), good).unwrap();
    fs::write(own.join("bad.rs"), "pub const T: &str = include_str!(\"/etc/hostname\");\n").unwrap();
    let run = |file: &str| {
        let program = std::env::current_exe().unwrap();
        let arg = own.join(file);
        let outcome = Child::new(&program)
            .args(["--probe", crate::inherited::COMPILE])
            .arg(arg)
            .cwd(&own)
            .wall(Duration::from_secs(60))
            .run(&false.into())
            .unwrap();
        (outcome.status, String::from_utf8_lossy(&outcome.stderr).into_owned())
    };
    let (status, text) = run("good.rs");
    assert_eq!(status, ExitKind::Code(0), "{text}");
    assert!(own.join("good.out").metadata().unwrap().len() > 0);
    let (status, text) = run("bad.rs");
    assert_eq!(status, ExitKind::Code(1), "{text}");
    assert!(text.contains("couldn't read") && text.contains("Permission denied"), "{text}");
}

/// Becomes the compiler of one file, in the folder of that file.
pub(crate) fn become_rustc(file: &Path) {
    let limits = Limits { address_space: Some(2 << 30), cpu_seconds: Some(60), ..Limits::default() };
    let folder = file.parent().expect("a file is in a folder");
    let rules = FileRules { execute: system(), write: vec![folder.to_owned()], ..FileRules::default() };
    confine(Role::Compiler, &rules, &limits).expect("confinement can be laid on");
    let args = ["--crate-type=lib", "--edition=2021", "--emit=link", "-o"].map(OsString::from);
    let mut args = Vec::from(args);
    args.push(file.with_extension("out").into());
    args.push(file.into());
    let folder = folder.to_str().expect("a temporary folder has a plain name");
    panic!("{}", exec(Path::new("/usr/bin/rustc"), &args, &[("TMPDIR", folder), ("PATH", "/usr/bin")]));
}
