//! What a process was given at its start; and probes that other probes start.

use std::{
    fs::{self, File},
    io::{Read, Write},
    os::fd::{AsFd, AsRawFd, IntoRawFd},
    path::Path,
    time::{Duration, Instant},
};

use confine::{FileRules, Forked, Limits, Role, close_inherited, confine, fork_pair, wipe_environment};

use crate::{Case, SECRET_NAME, SECRET_VALUE};

pub(crate) const SPIN: &str = "helper_that_spins";
pub(crate) const COMPILE: &str = "helper_that_becomes_a_compiler";

pub(crate) const CASES: &[Case] = &[
    Case::new("a_wiped_environment_is_nowhere_to_be_found", wiped),
    Case::new("a_wiped_environment_keeps_what_it_should", kept),
    Case::new("inherited_descriptors_are_closed_but_those_kept", descriptors),
    Case::new("a_fork_gives_two_processes_that_talk", pair),
    Case::new("the_child_of_a_fork_dies_with_its_parent", dies_with_parent),
];

/// Not cases of their own: named by other probes only.
pub(crate) const HELPERS: &[Case] = &[
    Case::new(SPIN, spin),
    Case::new(COMPILE, crate::compiler::become_rustc),
    Case::new(crate::jail::ATTACK, crate::jail::attack),
    Case::new(crate::jail::STAY, crate::jail::stay),
    Case::new(crate::jail::END, crate::jail::end),
];

fn wiped(_: &Path) {
    assert_eq!(std::env::var(SECRET_NAME).as_deref(), Ok(SECRET_VALUE));
    assert!(count_of_secret_on_the_stack() > 0, "the search finds what is there");
    wipe_environment(&[]);
    assert_eq!(std::env::vars_os().count(), 0);
    let block = fs::read("/proc/self/environ").unwrap();
    assert!(block.iter().all(|byte| *byte == 0), "{}", String::from_utf8_lossy(&block));
    assert_eq!(count_of_secret_on_the_stack(), 0);
}

/// Searches the stack's pages backwards, so that the search itself puts no copy there.
fn count_of_secret_on_the_stack() -> usize {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let line = maps.lines().find(|line| line.ends_with("[stack]")).unwrap();
    let (start, rest) = line.split_once('-').unwrap();
    let end = rest.split(' ').next().unwrap();
    let address = |text| u64::from_str_radix(text, 16).unwrap();
    let mut memory = File::open("/proc/self/mem").unwrap();
    let mut stack = vec![0; (address(end) - address(start)) as usize];
    std::io::Seek::seek(&mut memory, std::io::SeekFrom::Start(address(start))).unwrap();
    memory.read_exact(&mut stack).unwrap();
    stack.windows(SECRET_VALUE.len()).filter(|window| *window == SECRET_VALUE.as_bytes()).count()
}

fn kept(_: &Path) {
    wipe_environment(&[SECRET_NAME, "CONFINE_TEST_NEVER_SET"]);
    let left: Vec<_> = std::env::vars().collect();
    assert_eq!(left, [(SECRET_NAME.to_owned(), SECRET_VALUE.to_owned())]);
    assert!(fs::read("/proc/self/environ").unwrap().iter().all(|byte| *byte == 0));
}

fn descriptors(_: &Path) {
    let open = || File::open("/dev/null").unwrap().into_raw_fd();
    let (first, second, third, fourth) = (open(), open(), open(), open());
    close_inherited(&[third, first, 1]);
    let is_open = |fd| {
        // SAFETY: asks for a flag of a number, which is perhaps not a descriptor.
        unsafe { libc::fcntl(fd, libc::F_GETFD) != -1 }
    };
    assert_eq!([first, second, third, fourth].map(is_open), [true, false, true, false]);
    assert_eq!([0, 1, 2].map(is_open), [true; 3]);
    close_inherited(&[]);
    assert_eq!([first, third].map(is_open), [false; 2]);
}

fn pair(_: &Path) {
    match fork_pair().unwrap() {
        Forked::Child { socket } => {
            let mut text = String::new();
            let mut socket = File::from(socket);
            let mut byte = [0];
            while socket.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
                text.push(char::from(byte[0]));
            }
            socket.write_all(text.to_uppercase().as_bytes()).unwrap();
            std::process::exit(9);
        }
        Forked::Parent { child, socket } => {
            // SAFETY: asks for a flag of a descriptor that is owned here.
            assert_eq!(unsafe { libc::fcntl(socket.as_raw_fd(), libc::F_GETFD) }, libc::FD_CLOEXEC);
            let mut socket = File::from(socket);
            socket.write_all(b"hello\n").unwrap();
            let mut answer = String::new();
            socket.read_to_string(&mut answer).unwrap();
            assert_eq!(answer, "HELLO");
            let status = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(child), None).unwrap();
            assert!(matches!(status, nix::sys::wait::WaitStatus::Exited(_, 9)), "{status:?}");
        }
    }
}

/// Three generations: the middle one is killed, and the oldest sees the youngest's end of a pipe close.
fn dies_with_parent(_: &Path) {
    let (watched, held) = std::io::pipe().unwrap();
    let middle = match fork_pair().unwrap() {
        Forked::Parent { child, .. } => child,
        Forked::Child { .. } => {
            match fork_pair().unwrap() {
                Forked::Child { .. } => (&held).write_all(b"here").unwrap(),
                // Only the youngest holds the pipe.
                Forked::Parent { .. } => drop(held),
            }
            std::thread::sleep(Duration::from_secs(600));
            return;
        }
    };
    drop(held);
    let mut watched = watched;
    watched.read_exact(&mut [0; 4]).unwrap();
    let mut still = [nix::poll::PollFd::new(watched.as_fd(), nix::poll::PollFlags::POLLIN)];
    assert_eq!(nix::poll::poll(&mut still, 300_u16), Ok(0), "the youngest lives as long as its parent");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(middle), nix::sys::signal::Signal::SIGKILL).unwrap();
    let start = Instant::now();
    assert_eq!(watched.read(&mut [0]).unwrap(), 0);
    assert!(start.elapsed() < Duration::from_secs(10));
}

fn spin(_: &Path) {
    let limits = Limits { cpu_seconds: Some(1), ..Limits::default() };
    confine(Role::Worker, &FileRules::default(), &limits).unwrap();
    let mut n = 0_u64;
    loop {
        n = std::hint::black_box(n + 1);
    }
}
