//! The process that talks and thinks.

use std::{
    fs::{self, File, OpenOptions},
    io::{IsTerminal, Write},
    os::{
        fd::{AsRawFd, FromRawFd, OwnedFd},
        unix::{fs::OpenOptionsExt, net::UnixStream},
    },
    path::Path,
    sync::mpsc,
    thread,
    time::Duration,
};

use confine::{Confinement, FileRules, Limits, Role, Tier, confine, support, tier};
use nix::errno::Errno;

use crate::{
    Case,
    attacks::{self, Open, all_refused, call, refused},
};

pub(crate) const CASES: &[Case] = &[
    Case::new("mind_is_told_what_holds", held),
    Case::landlock("mind_reads_and_writes_within_its_rules", within),
    Case::landlock("mind_reads_and_writes_nothing_outside", outside),
    Case::landlock("a_link_does_not_lead_mind_outside", links),
    Case::landlock("a_read_rule_allows_no_write", read_only),
    Case::landlock("a_rule_for_a_file_covers_that_file_only", single_file),
    Case::new("a_rule_for_a_missing_path_names_it", missing),
    Case::new("mind_executes_forks_and_signals_nothing", processes),
    Case::new("mind_makes_no_socket", sockets),
    Case::new("mind_loads_no_code", code),
    Case::new("mind_reaches_no_other_process_and_no_odd_part_of_the_kernel", kernel),
    Case::new("mind_changes_no_mode_owner_or_time", attributes),
    Case::new("clone3_is_answered_as_if_it_did_not_exist", clone3),
    Case::new("mind_has_threads", threads),
    Case::new("mind_uses_a_terminal_but_types_nothing_into_it", terminal),
    Case::new("mind_talks_over_an_inherited_socket", inherited_socket),
    Case::new("memory_is_limited", memory),
    Case::new("a_write_beyond_the_size_limit_is_an_error", file_size),
    Case::new("no_core_is_dumped", no_core),
    Case::new("confinement_can_be_laid_on_twice_but_not_off", twice),
];

fn rules(folder: &Path) -> FileRules {
    FileRules { read: vec![folder.join("shown")], write: vec![folder.join("in")], ..FileRules::default() }
}

fn lay(folder: &Path) -> Confinement {
    confine(Role::Mind, &rules(folder), &Limits::default()).expect("confinement can be laid on")
}

fn held(folder: &Path) {
    let expected = support().reachable();
    let held = lay(folder);
    assert_eq!(held, expected);
    assert!(held.seccomp && held.no_new_privs);
    if held.landlock_abi.is_some() {
        assert_eq!((tier(&held, true), tier(&held, false)), (Tier::Full, Tier::Process));
    } else {
        assert_eq!(tier(&held, true), Tier::Degraded);
    }
}

fn within(folder: &Path) {
    lay(folder);
    let own = folder.join("in");
    assert_eq!(fs::read_to_string(folder.join("shown/file")).unwrap(), "shown");
    fs::create_dir_all(own.join("deep/er")).unwrap();
    let path = own.join("deep/er/log");
    let mut file = OpenOptions::new().create_new(true).append(true).mode(0o600).open(&path).unwrap();
    file.write_all(b"one\ntwo\n").unwrap();
    file.sync_all().unwrap();
    file.sync_data().unwrap();
    file.set_len(4).unwrap();
    let again = File::open(&path).unwrap();
    file.lock().unwrap();
    assert!(again.try_lock().is_err(), "the lock holds");
    file.unlock().unwrap();
    fs::rename(&path, own.join("moved")).unwrap();
    assert_eq!(fs::read_to_string(own.join("moved")).unwrap(), "one\n");
    fs::write(own.join("moved"), "three").unwrap();
    assert_eq!(fs::metadata(own.join("moved")).unwrap().len(), 5);
    let mut names: Vec<_> = fs::read_dir(&own).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["deep", "file", "link-to-file", "link-to-folder", "moved"]);
    fs::remove_file(own.join("moved")).unwrap();
    fs::remove_dir_all(own.join("deep")).unwrap();
    fs::copy(folder.join("shown/file"), own.join("copy")).map(drop).or_else(only_mode_refused).unwrap();
    // A folder's handle, for durability and for opens beneath it.
    let handle = File::open(&own).unwrap();
    handle.sync_all().unwrap();
    assert!(openat2(&handle, c"file").is_ok());
    fs::write("/dev/null", "gone").unwrap();
    assert!(fs::read("/dev/null").unwrap().is_empty());
}

/// `fs::copy` sets the mode at its end, which no role may.
fn only_mode_refused(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::PermissionDenied { Ok(()) } else { Err(error) }
}

fn openat2(folder: &File, name: &std::ffi::CStr) -> Result<OwnedFd, Errno> {
    let how = [0_u64, 0, libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS];
    let (how, size) = (how.as_ptr() as usize, size_of_val(&how));
    let fd = call(libc::SYS_openat2, [folder.as_raw_fd() as usize, name.as_ptr() as usize, how, size, 0, 0])?;
    // SAFETY: the descriptor was just made and belongs to nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

fn outside(folder: &Path) {
    lay(folder);
    let out = folder.join("out");
    refused("reading a file", fs::read(out.join("file")));
    refused("reading a file of the system", fs::read("/etc/passwd"));
    refused("listing a folder", fs::read_dir(&out));
    refused("listing the parent", fs::read_dir(folder));
    refused("writing a file", OpenOptions::new().write(true).open(out.join("file")));
    refused("truncating a file", OpenOptions::new().write(true).truncate(true).open(out.join("file")));
    refused("creating a file", File::create(out.join("new")));
    refused("creating a folder", fs::create_dir(out.join("new")));
    refused("removing a file", fs::remove_file(out.join("file")));
    refused("a way through the parent", fs::read(folder.join("in/../out/file")));
    let moved = fs::rename(folder.join("in/file"), out.join("file")).unwrap_err();
    assert!(matches!(moved.raw_os_error(), Some(libc::EACCES | libc::EXDEV)), "{moved}");
    let taken = fs::rename(out.join("file"), folder.join("in/taken")).unwrap_err();
    assert!(matches!(taken.raw_os_error(), Some(libc::EACCES | libc::EXDEV)), "{taken}");
    refused("reading another process", fs::read("/proc/1/environ"));
}

fn links(folder: &Path) {
    lay(folder);
    let own = folder.join("in");
    refused("reading over a link", fs::read(own.join("link-to-file")));
    refused("writing over a link", OpenOptions::new().write(true).open(own.join("link-to-file")));
    refused("creating over a link", File::create(own.join("link-to-folder/new")));
    refused("making a link", std::os::unix::fs::symlink("/etc", own.join("new")));
    refused("making a hard link", fs::hard_link(folder.join("shown/file"), own.join("new")));
    let handle = File::open(&own).unwrap();
    assert_eq!(openat2(&handle, c"link-to-file").map(drop), Err(Errno::ELOOP));
    assert_eq!(openat2(&handle, c"../out/file").map(drop), Err(Errno::EXDEV));
}

fn read_only(folder: &Path) {
    lay(folder);
    let shown = folder.join("shown");
    refused("writing", OpenOptions::new().write(true).open(shown.join("file")));
    refused("creating", File::create(shown.join("new")));
    refused("removing", fs::remove_file(shown.join("file")));
}

fn single_file(folder: &Path) {
    let rules = FileRules {
        read: vec![folder.join("shown/file")],
        write: vec![folder.join("in/file")],
        ..FileRules::default()
    };
    confine(Role::Mind, &rules, &Limits::default()).unwrap();
    assert_eq!(fs::read_to_string(folder.join("shown/file")).unwrap(), "shown");
    fs::write(folder.join("in/file"), "changed").unwrap();
    assert_eq!(fs::read_to_string(folder.join("in/file")).unwrap(), "changed");
    refused("listing its folder", fs::read_dir(folder.join("in")));
    refused("a neighbour", File::create(folder.join("in/neighbour")));
}

fn missing(folder: &Path) {
    let path = folder.join("missing");
    let rules = FileRules { read: vec![path.clone()], ..FileRules::default() };
    match confine(Role::Mind, &rules, &Limits::default()) {
        Err(error @ confine::ConfineError::Path { .. }) => {
            assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

fn processes(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::PROCESSES, &open);
    refused("a command", std::process::Command::new("/bin/true").spawn());
}

fn sockets(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::IP_SOCKETS, &open);
    all_refused(attacks::PAIRS, &open);
    all_refused(attacks::OTHER_SOCKETS, &open);
    all_refused(attacks::ODD_SOCKETS, &open);
}

fn code(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::CODE, &open);
}

fn kernel(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::KERNEL, &open);
    all_refused(attacks::MACHINE, &open);
}

fn attributes(folder: &Path) {
    use std::os::unix::fs::{PermissionsExt, chown};
    lay(folder);
    let path = folder.join("in/file");
    refused("mode", fs::set_permissions(&path, fs::Permissions::from_mode(0o777)));
    refused("owner", chown(&path, Some(0), None));
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    refused("time", file.set_modified(std::time::SystemTime::UNIX_EPOCH));
}

fn clone3(folder: &Path) {
    lay(folder);
    assert_eq!(call(libc::SYS_clone3, [0; 6]), Err(Errno::ENOSYS));
}

fn threads(folder: &Path) {
    let open = Open::new();
    lay(folder);
    let (send, receive) = mpsc::channel();
    let threads: Vec<_> = (0..4_u64)
        .map(|n| {
            let send = send.clone();
            let work = move || {
                thread::sleep(Duration::from_millis(5));
                send.send((0..=n).map(|k| vec![k; 1000].len() as u64).sum::<u64>()).unwrap();
            };
            thread::Builder::new().name(format!("worker {n}")).spawn(work).unwrap()
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(receive.try_iter().sum::<u64>(), 10_000);
    // What confines the main thread confines those it starts.
    thread::spawn(move || all_refused(attacks::IP_SOCKETS, &open)).join().unwrap();
    assert!(thread::spawn(|| panic!("on purpose")).join().is_err(), "a panic unwinds");
}

fn terminal(folder: &Path) {
    let pty = nix::pty::openpty(None, None).unwrap();
    let terminal = File::from(pty.slave);
    lay(folder);
    assert!(terminal.is_terminal());
    let mut mode = nix::sys::termios::tcgetattr(&terminal).unwrap();
    nix::sys::termios::cfmakeraw(&mut mode);
    for when in [nix::sys::termios::SetArg::TCSANOW, nix::sys::termios::SetArg::TCSADRAIN] {
        nix::sys::termios::tcsetattr(&terminal, when, &mode).unwrap();
    }
    let fd = terminal.as_raw_fd() as usize;
    let mut size = [0_u16; 4];
    call(libc::SYS_ioctl, [fd, libc::TIOCGWINSZ as usize, size.as_mut_ptr() as usize, 0, 0, 0]).unwrap();
    let byte = b'x';
    for request in [libc::TIOCSTI, libc::TIOCLINUX, libc::TIOCSETD, libc::TIOCSCTTY, libc::TIOCCONS] {
        let answer = call(libc::SYS_ioctl, [fd, request as usize, &raw const byte as usize, 0, 0, 0]);
        assert_eq!(answer, Err(Errno::EPERM), "{request:#x}");
        // The kernel ignores the upper half of a request, and so must the filter.
        let wide = request as usize | 1 << 32;
        assert_eq!(call(libc::SYS_ioctl, [fd, wide, &raw const byte as usize, 0, 0, 0]), Err(Errno::EPERM));
    }
    // The line editor's signal pipe.
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    refused("sending over it", ours.write_all(b"x"));
    assert_eq!(nix::unistd::write(&theirs, b"x"), Ok(1));
    assert_eq!(nix::unistd::read(&ours, &mut [0; 8]), Ok(1));
}

fn inherited_socket(folder: &Path) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    lay(folder);
    let (mut ours, mut theirs) = (File::from(OwnedFd::from(ours)), File::from(OwnedFd::from(theirs)));
    let reader = thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut theirs, &mut text).map(|_| text)
    });
    ours.write_all(b"hello").unwrap();
    drop(ours);
    assert_eq!(reader.join().unwrap().unwrap(), "hello");
}

fn memory(folder: &Path) {
    let limits = Limits { address_space: Some(256 << 20), ..Limits::default() };
    confine(Role::Mind, &rules(folder), &limits).unwrap();
    assert!(Vec::<u8>::new().try_reserve_exact(512 << 20).is_err());
    assert!(Vec::<u8>::new().try_reserve_exact(16 << 20).is_ok());
}

fn file_size(folder: &Path) {
    let limits = Limits { file_size: Some(1000), ..Limits::default() };
    confine(Role::Mind, &rules(folder), &limits).unwrap();
    let path = folder.join("in/file");
    fs::write(&path, [0; 1000]).unwrap();
    assert_eq!(fs::write(&path, [0; 1001]).unwrap_err().kind(), std::io::ErrorKind::FileTooLarge);
}

fn no_core(folder: &Path) {
    lay(folder);
    assert_eq!(nix::sys::resource::getrlimit(nix::sys::resource::Resource::RLIMIT_CORE), Ok((0, 0)));
    let raise = nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_CORE, 1, 1);
    assert_eq!(raise, Err(Errno::EPERM));
}

fn twice(folder: &Path) {
    lay(folder);
    let wider = FileRules { write: vec![folder.to_owned()], ..FileRules::default() };
    assert!(confine(Role::Compiler, &wider, &Limits::default()).is_err());
    if support().reachable().landlock_abi.is_some() {
        refused("writing outside", File::create(folder.join("out/new")));
    }
    assert_eq!(call(libc::SYS_seccomp, [0; 6]), Err(Errno::EPERM));
}
