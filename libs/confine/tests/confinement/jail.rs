//! The walls of a child, by each way of laying them on: as root and as an ordinary user, with Landlock and without.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read, Write},
    os::{
        fd::{AsFd, AsRawFd},
        unix::{
            fs::{DirBuilderExt, PermissionsExt, chown, symlink},
            process::{CommandExt, ExitStatusExt},
        },
    },
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use confine::{Access, ConfineError, Confinement, FileRules, Handle, Jail, Role, User, View};
use nix::{
    errno::Errno,
    sys::{
        inotify::{AddWatchFlags, InitFlags, Inotify},
        signal::{Signal, kill},
    },
    unistd::{Pid, geteuid, getpid, getppid, setgid, setgroups, setuid},
};

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::{
    Case,
    attacks::{KERNEL, MACHINE, Open, all_refused, call},
};

pub(crate) const ATTACK: &str = "helper_that_attacks_from_a_jail";
pub(crate) const STAY: &str = "helper_that_leaves_a_descendant_in_a_jail";
pub(crate) const END: &str = "helper_that_ends_in_a_jail";

pub(crate) const CASES: &[Case] = &[
    Case::new("a_jail_of_root_by_its_own_root_and_landlock_holds", |f| holds(f, Way(true, true))),
    Case::new("a_jail_of_root_by_its_own_root_alone_holds", |f| holds(f, Way(true, false))),
    Case::new("a_jail_of_a_user_by_its_own_root_and_landlock_holds", |f| holds(f, Way(false, true))),
    Case::new("a_jail_of_a_user_by_its_own_root_alone_holds", |f| holds(f, Way(false, false))),
    Case::new("nothing_of_a_jail_outlives_the_process_that_was_started", outlives),
    Case::new("a_jail_ends_as_the_process_within_ended", ends),
    Case::new("what_was_opened_is_what_is_shown_whatever_lies_at_its_path_by_now", by_handle),
    Case::new("a_folder_that_was_opened_before_leads_into_the_jail", reopened),
    Case::new("a_jail_is_not_entered_with_another_folder_open", other_folder),
    Case::new("another_user_reaches_what_lies_in_a_closed_folder", closed_parents),
    Case::new("a_jail_shows_its_own_processes_or_none", processes),
    Case::new("a_jail_has_the_devices_that_keep_nothing", devices),
    Case::new("a_rule_beneath_another_follows_no_link", beneath_another),
    Case::landlock("without_a_view_no_mode_of_the_users_files_is_changed", modes),
];

/// Whether as root, and whether with Landlock.
#[derive(Clone, Copy)]
struct Way(bool, bool);

/// A number that nobody has.
const SOMEBODY: u32 = 3_042_042;

impl Way {
    fn word(self) -> &'static str {
        match self {
            Way(true, true) => "root+",
            Way(true, false) => "root-",
            Way(false, true) => "user+",
            Way(false, false) => "user-",
        }
    }

    fn of(word: &str) -> Way {
        Way(word.starts_with("root"), word.ends_with('+'))
    }

    /// Enters the jail; `None` if this machine does not allow one.
    fn enter(self, folder: &Path, role: Role) -> Option<Confinement> {
        if !self.0 && geteuid().is_root() {
            become_somebody();
        }
        let execute = ["/usr", "/lib", "/lib64", "/bin"].map(PathBuf::from);
        let files = FileRules {
            read: vec![folder.join("shown"), folder.join("out/shared")],
            execute: execute.into_iter().filter(|path| path.exists()).collect(),
            write: vec![folder.join("in")],
        };
        let jail = Jail { files, landlock: self.1, ..Jail::new(role) };
        let held = jail.enter().expect("the jail can be entered");
        if let View::Refused { step, errno } = held.view {
            println!("{step} was refused: {errno}");
            return None;
        }
        assert_eq!(held.view, View::Own);
        assert_eq!(held.lacks(), []);
        let rules = confine::support().reachable().landlock_abi.filter(|_| self.1);
        assert_eq!(held.landlock_abi, rules);
        assert!(held.namespaces.pid && held.namespaces.ipc && held.namespaces.uts, "{held}");
        assert_eq!(held.namespaces.network, role != Role::Online);
        Some(held)
    }
}

fn become_somebody() {
    setgroups(&[]).unwrap();
    setgid(SOMEBODY.into()).unwrap();
    setuid(SOMEBODY.into()).unwrap();
}

/// The files belong to whom the jailed process will be, so that only the walls are between them.
fn given(folder: &Path, way: Way) {
    fs::write(folder.join("out/shared"), "shared").unwrap();
    if geteuid().is_root() && !way.0 {
        for path in ["", "in", "shown", "out", "in/file", "shown/file", "out/file", "out/shared"] {
            chown(folder.join(path), Some(SOMEBODY), Some(SOMEBODY)).unwrap();
        }
    }
}

/// Starts another probe, which becomes the jailed one; it gets the way, and the numbers that it attacks.
fn probe(name: &str, folder: &Path, words: &[(&str, String)]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--probe", name]).arg(folder).envs(words.iter().map(|(n, v)| (*n, v.as_str())));
    command.stdin(Stdio::null());
    command
}

fn told(name: &str) -> String {
    std::env::var(name).unwrap()
}

fn holds(folder: &Path, way: Way) {
    if way.0 && !geteuid().is_root() {
        println!("not root");
        return;
    }
    given(folder, way);
    // Both belong to the user that the jailed one is.
    let key = 0x7a3e_0000_u32 | (getpid().as_raw() as u32 & 0xffff);
    // SAFETY: asks for a segment of memory by number, mapped nowhere.
    let segment = Errno::result(unsafe { libc::shmget(key as i32, 4096, libc::IPC_CREAT | 0o666) }).unwrap();
    let mut victim = Command::new("/bin/sleep");
    if geteuid().is_root() && !way.0 {
        victim.uid(SOMEBODY).gid(SOMEBODY);
    }
    let mut victim = victim.arg("60").spawn().unwrap();
    let words =
        [("WAY", way.word().to_owned()), ("KEY", key.to_string()), ("VICTIM", victim.id().to_string())];
    let Output { status, stdout, stderr } = probe(ATTACK, folder, &words).output().unwrap();
    // SAFETY: removes the segment that was made above.
    unsafe { libc::shmctl(segment, libc::IPC_RMID, std::ptr::null_mut()) };
    let lives = victim.try_wait().unwrap().is_none();
    victim.kill().unwrap();
    victim.wait().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{status}: {said}");
    assert!(lives, "the process outside was ended");
    assert_eq!(fs::read_to_string(folder.join("shown/file")).unwrap(), "shown");
    assert_eq!(fs::read_to_string(folder.join("out/file")).unwrap(), "out");
    print!("{said}");
}

/// Every attack that an untrusted program could try from inside the jail.
pub(crate) fn attack(folder: &Path) {
    let (way, key, victim) = (Way::of(&told("WAY")), told("KEY"), told("VICTIM"));
    let open = Open::new();
    let Some(_) = way.enter(folder, Role::Action) else { return };
    // What the rules allow, works.
    let own = folder.join("in");
    assert_eq!(fs::read_to_string(folder.join("shown/file")).unwrap(), "shown");
    assert_eq!(fs::read_to_string(folder.join("out/shared")).unwrap(), "shared");
    fs::create_dir(own.join("deep")).unwrap();
    fs::write(own.join("deep/new"), "x").unwrap();
    fs::rename(own.join("deep/new"), own.join("moved")).unwrap();
    fs::write("/dev/null", "gone").unwrap();
    assert_eq!(Command::new("/bin/echo").arg("hello").output().unwrap().stdout, b"hello\n");
    // What they do not name is not there: not to be read, asked about, watched, listed, run.
    let inotify = Inotify::init(InitFlags::empty()).unwrap();
    for path in [folder.join("out/file"), "/etc/passwd".into(), "/root".into(), "/proc/1/environ".into()] {
        assert_eq!(fs::metadata(&path).unwrap_err().kind(), ErrorKind::NotFound, "{}", path.display());
        assert_eq!(fs::read(&path).unwrap_err().kind(), ErrorKind::NotFound, "{}", path.display());
        let watched = inotify.add_watch(&path, AddWatchFlags::IN_ALL_EVENTS);
        assert_eq!(watched.unwrap_err(), Errno::ENOENT, "{}", path.display());
    }
    // What may be read only is neither written, truncated, linked nor replaced.
    let shown = folder.join("shown/file");
    refused("write", fs::write(&shown, "x"));
    refused("open to append", fs::OpenOptions::new().append(true).open(&shown));
    refused("truncate", nix::unistd::truncate(&shown, 0).map_err(Into::into));
    refused("remove", fs::remove_file(&shown));
    refused("new", fs::write(folder.join("shown/new"), "x"));
    refused("new at the root", fs::write("/new", "x"));
    refused("hard link", fs::hard_link(&shown, own.join("linked")));
    refused("move out of it", fs::rename(&shown, own.join("taken")));
    refused("link", symlink("/etc/passwd", own.join("link")));
    for kind in [libc::S_IFCHR, libc::S_IFBLK, libc::S_IFIFO, libc::S_IFSOCK] {
        let path = std::ffi::CString::new(own.join("node").to_str().unwrap()).unwrap();
        let made = call(
            libc::SYS_mknodat,
            [libc::AT_FDCWD as usize, path.as_ptr() as usize, (kind | 0o600) as usize, 0x0103, 0, 0],
        );
        assert!(matches!(made, Err(Errno::EPERM | Errno::EACCES)), "{kind:o}: {made:?}");
    }
    // A program that it wrote is not run.
    fs::copy("/bin/true", own.join("program")).unwrap();
    refused("run what was written", Command::new(own.join("program")).status());
    // Nobody outside can be named: not by a signal, a limit, a priority, a segment of memory.
    assert_eq!(getppid().as_raw(), 0);
    let victim: i32 = victim.parse().unwrap();
    for signal in [None, Some(Signal::SIGTERM), Some(Signal::SIGKILL)] {
        assert_eq!(kill(Pid::from_raw(victim), signal), Err(Errno::ESRCH));
    }
    assert!(call(libc::SYS_prlimit64, [victim as usize, libc::RLIMIT_CPU as usize, 0, 0, 0, 0]).is_err());
    assert!(call(libc::SYS_pidfd_open, [victim as usize, 0, 0, 0, 0, 0]).is_err());
    let key: usize = key.parse().unwrap();
    assert!(call(libc::SYS_shmget, [key, 0, 0o666, 0, 0, 0]).is_err(), "memory of others");
    let socket = call(libc::SYS_socket, [libc::AF_UNIX as usize, libc::SOCK_STREAM as usize, 0, 0, 0, 0]);
    assert_eq!(socket, Err(Errno::EPERM));
    // The walls are not changed again.
    all_refused(KERNEL, &open);
    all_refused(MACHINE, &open);
    for flag in [libc::CLONE_NEWUSER, libc::CLONE_NEWNS, libc::CLONE_NEWPID] {
        let answer = call(libc::SYS_clone, [(flag | libc::SIGCHLD) as usize, 0, 0, 0, 0, 0]);
        assert_eq!(answer, Err(Errno::EPERM), "{flag:#x}");
    }
    assert_eq!(call(libc::SYS_clone3, [0; 6]), Err(Errno::ENOSYS));
}

#[track_caller]
fn refused<T>(what: &str, answer: std::io::Result<T>) {
    match answer {
        Ok(_) => panic!("{what} was not refused"),
        Err(error) => {
            let errno = Errno::from_raw(error.raw_os_error().unwrap_or(0));
            let refusals = [Errno::EPERM, Errno::EACCES, Errno::EROFS, Errno::EXDEV];
            assert!(refusals.contains(&errno), "{what}: {error}");
        }
    }
}

/// The process that was started is killed, and the descendant's end of the pipe closes.
fn outlives(folder: &Path) {
    for way in [Way(true, true), Way(true, false), Way(false, true), Way(false, false)] {
        if way.0 && !geteuid().is_root() {
            continue;
        }
        given(folder, way);
        let mut started =
            probe(STAY, folder, &[("WAY", way.word().to_owned())]).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = started.stdout.take().unwrap();
        let mut word = [0; 4];
        said.read_exact(&mut word).unwrap();
        if &word == b"none" {
            started.wait().unwrap();
            continue;
        }
        let begun = Instant::now();
        started.kill().unwrap();
        started.wait().unwrap();
        assert_eq!(said.read(&mut word).unwrap(), 0, "nobody writes any more");
        assert!(begun.elapsed() < Duration::from_secs(10), "{}", way.word());
    }
}

/// Leaves a descendant that nobody of its own waits for.
pub(crate) fn stay(folder: &Path) {
    let Some(_) = Way::of(&told("WAY")).enter(folder, Role::Action) else {
        print!("none");
        return;
    };
    // SAFETY: this process has one thread.
    if let Ok(nix::unistd::ForkResult::Child) = unsafe { nix::unistd::fork() } {
        // SAFETY: as above.
        if let Ok(nix::unistd::ForkResult::Child) = unsafe { nix::unistd::fork() } {
            std::io::stdout().write_all(b"here").unwrap();
            std::io::stdout().flush().unwrap();
        } else {
            return;
        }
    }
    std::thread::sleep(Duration::from_secs(600));
}

fn ends(folder: &Path) {
    given(folder, Way(false, true));
    let run = |how: &str| {
        let words = [("WAY", "user+".to_owned()), ("HOW", how.to_owned())];
        probe(END, folder, &words).output().unwrap().status
    };
    assert_eq!(run("code").code(), Some(77));
    assert_eq!(run("abort").signal(), Some(libc::SIGABRT));
    assert_eq!(run("kill").signal(), Some(libc::SIGKILL));
}

pub(crate) fn end(folder: &Path) {
    Way::of(&told("WAY")).enter(folder, Role::Action);
    match told("HOW").as_str() {
        "code" => std::process::exit(77),
        "abort" => std::process::abort(),
        _ => kill(getpid(), Signal::SIGKILL).unwrap(),
    }
}

/// The folder is moved away and a link put in its place after it was opened.
fn by_handle(folder: &Path) {
    let place = folder.join("given");
    fs::create_dir(&place).unwrap();
    fs::write(place.join("right"), "right").unwrap();
    let opened = File::open(&place).unwrap();
    let file = File::open(folder.join("shown/file")).unwrap();
    fs::rename(&place, folder.join("elsewhere")).unwrap();
    symlink(folder.join("out"), &place).unwrap();
    let file_at = folder.join("copy");
    let handles = vec![
        Handle { handle: opened.as_fd(), at: place.clone(), access: Access::Write },
        Handle { handle: file.as_fd(), at: file_at.clone(), access: Access::Read },
    ];
    let held = Jail { handles, ..Jail::new(Role::Action) }.enter().unwrap();
    if held.view != View::Own {
        println!("no view here");
        return;
    }
    assert_eq!(fs::read_to_string(place.join("right")).unwrap(), "right");
    fs::write(place.join("new"), "new").unwrap();
    assert_eq!(fs::read_to_string(file_at).unwrap(), "shown");
    assert_eq!(fs::metadata(folder.join("out")).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(fs::metadata(folder.join("elsewhere")).unwrap_err().kind(), ErrorKind::NotFound);
}

fn reopened(folder: &Path) {
    let opened = File::open(folder.join("in")).unwrap();
    let number = opened.as_raw_fd();
    let handles = vec![Handle { handle: opened.as_fd(), at: folder.join("in"), access: Access::Read }];
    let held = Jail { handles, landlock: false, ..Jail::new(Role::Action) }.enter().unwrap();
    if held.view != View::Own {
        println!("no view here");
        return;
    }
    assert_eq!(opened.as_raw_fd(), number);
    let at = |path: &str| {
        let path = std::ffi::CString::new(path).unwrap();
        // SAFETY: the name is a C string that lives through the call.
        Errno::result(unsafe { libc::openat(number, path.as_ptr(), libc::O_RDONLY) })
    };
    assert!(at("file").is_ok());
    let foreign = at("../out/file");
    assert_eq!(foreign, Err(Errno::ENOENT), "the folder leads out");
}

fn other_folder(folder: &Path) {
    let _open = File::open(folder.join("out")).unwrap();
    match Jail::new(Role::Worker).enter() {
        Err(ConfineError::OpenFolder { path }) => assert_eq!(path, folder.join("out")),
        other => panic!("{other:?}"),
    }
}

/// A toolchain in the home of root, and a work folder in the home of the service.
fn closed_parents(folder: &Path) {
    if !geteuid().is_root() {
        println!("not root");
        return;
    }
    // As the runner's, with which the view's own folders must not be made.
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
    let closed = folder.join("closed");
    fs::DirBuilder::new().mode(0o700).create(&closed).unwrap();
    let work = closed.join("work");
    fs::DirBuilder::new().mode(0o700).create(&work).unwrap();
    chown(&work, Some(SOMEBODY), Some(SOMEBODY)).unwrap();
    let user = User::find(&SOMEBODY.to_string(), None).unwrap();
    let files = FileRules { write: vec![work.clone()], ..FileRules::default() };
    let jail = Jail { files, user: Some(user.clone()), cwd: Some(work.clone()), ..Jail::new(Role::Compiler) };
    let held = jail.enter().unwrap();
    if held.view != View::Own {
        println!("no view here");
        return;
    }
    assert_eq!(held.user, Some(user));
    assert_eq!(geteuid().as_raw(), SOMEBODY);
    assert_eq!(std::env::current_dir().unwrap(), work);
    fs::write(work.join("made"), "x").unwrap();
}

fn processes(folder: &Path) {
    let _ = folder;
    let jail = Jail { processes: true, landlock: false, ..Jail::new(Role::Action) };
    if jail.enter().unwrap().view != View::Own {
        println!("no view here");
        return;
    }
    if !Path::new("/proc/self").exists() {
        println!("the kernel refuses a /proc here");
        return;
    }
    // The first process would lend what it has open, and the folder that it began in.
    let open = fs::read_dir("/proc/1/fd").into_iter().flatten().map(|entry| entry.unwrap().path());
    for led in ["/proc/1/cwd", "/proc/1/exe", "/proc/1/root"].map(PathBuf::from).into_iter().chain(open) {
        assert!(fs::read_link(&led).is_err(), "{}", led.display());
    }
    let mut numbers: Vec<u32> = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok())
        .collect();
    numbers.sort_unstable();
    // The first process of the namespace belongs to nobody that this one may look at, or to its own user.
    assert!(numbers == [2] || numbers == [1, 2], "{numbers:?}");
    for machines in ["/proc/cmdline", "/proc/sys", "/proc/kallsyms", "/proc/mounts-of-others"] {
        assert_eq!(fs::metadata(machines).unwrap_err().kind(), ErrorKind::NotFound, "{machines}");
    }
    assert_eq!(fs::read_link("/dev/fd").unwrap(), Path::new("/proc/self/fd"));
}

fn devices(_: &Path) {
    let devices = ["/dev/zero", "/dev/urandom", "/dev/full"].map(PathBuf::from);
    let files = FileRules { read: devices.to_vec(), ..FileRules::default() };
    if (Jail { files, landlock: false, ..Jail::new(Role::Action) }).enter().unwrap().view != View::Own {
        println!("no view here");
        return;
    }
    let mut byte = [1];
    File::open("/dev/zero").unwrap().read_exact(&mut byte).unwrap();
    assert_eq!(byte, [0]);
    File::open("/dev/urandom").unwrap().read_exact(&mut byte).unwrap();
    assert_eq!(File::open("/dev/full").unwrap_err().kind(), ErrorKind::PermissionDenied);
}

/// Beneath a folder that is shown, somebody else may put a link into the way of another rule.
fn beneath_another(folder: &Path) {
    let (inner, out) = (folder.join("in/a/b"), folder.join("out"));
    fs::create_dir_all(&inner).unwrap();
    let handle = File::open(&inner).unwrap();
    fs::rename(folder.join("in/a"), folder.join("in/old")).unwrap();
    symlink(&out, folder.join("in/a")).unwrap();
    let files = FileRules { write: vec![folder.join("in")], ..FileRules::default() };
    let handles = vec![Handle { handle: handle.as_fd(), at: inner, access: Access::Write }];
    let entered = Jail { files, handles, ..Jail::new(Role::Action) }.enter();
    match entered {
        Ok(held) => assert_ne!(held.view, View::Own),
        Err(ConfineError::Path { path, .. }) => assert!(path.ends_with("in/a/b"), "{}", path.display()),
        Err(error) => panic!("{error}"),
    }
    assert!(!out.join("b").exists());
}

/// File rules do not see modes; with the service's own user and no view, a command could open the keys to everybody.
fn modes(folder: &Path) {
    if !geteuid().is_root() {
        println!("not root");
        return;
    }
    given(folder, Way(false, true));
    become_somebody();
    let refused = SeccompAction::Errno(Errno::EPERM as u32);
    let rules = [(libc::SYS_unshare, vec![])].into_iter().collect();
    let target = std::env::consts::ARCH.try_into().unwrap();
    let filter: BpfProgram =
        SeccompFilter::new(rules, SeccompAction::Allow, refused, target).unwrap().try_into().unwrap();
    seccompiler::apply_filter(&filter).unwrap();
    let files = FileRules { write: vec![folder.join("in")], ..FileRules::default() };
    let held = Jail { files, ..Jail::new(Role::Action) }.enter().unwrap();
    assert!(matches!(held.view, View::Refused { .. }), "{held}");
    assert_eq!(held.lacks(), []);
    for path in ["out/file", "in/file", "out"] {
        let path = std::ffi::CString::new(folder.join(path).into_os_string().into_encoded_bytes()).unwrap();
        // SAFETY: the path is a C string that lives through the call.
        let changed = unsafe { libc::fchmodat(libc::AT_FDCWD, path.as_ptr(), 0o777, 0) };
        assert_eq!(Errno::result(changed).unwrap_err(), Errno::EPERM, "{path:?}");
    }
    let own = File::open(folder.join("in/file")).unwrap();
    own.set_permissions(fs::Permissions::from_mode(0o644)).unwrap();
}
