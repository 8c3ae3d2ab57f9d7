//! The process that computes.

use std::{fs, io::Read, path::Path, thread};

use confine::{FileRules, Limits, Role, confine};
use nix::errno::Errno;

use crate::{
    Case,
    attacks::{self, Open, all_refused, call, refused},
};

pub(crate) const CASES: &[Case] = &[
    Case::new("a_worker_computes_and_answers", computes).saying("499500 4\n"),
    Case::new("a_worker_opens_nothing_even_if_a_rule_would_allow_it", opens_nothing),
    Case::new("a_worker_is_refused_all_else", all_else),
    Case::new("a_worker_that_uses_up_its_processor_time_is_killed", processor_time),
];

fn lay(folder: &Path) {
    let rules = FileRules { write: vec![folder.to_owned()], ..FileRules::default() };
    let held = confine(Role::Worker, &rules, &Limits::default()).expect("confinement can be laid on");
    assert!(held.seccomp && held.no_new_privs);
}

fn computes(folder: &Path) {
    lay(folder);
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    assert!(input.is_empty());
    let threads: Vec<_> =
        (0..4_u32).map(|n| thread::spawn(move || (0..1000).filter(|k| k % 4 == n).sum::<u32>())).collect();
    let count = threads.len();
    let sum: u32 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    println!("{sum} {count}");
}

fn opens_nothing(folder: &Path) {
    lay(folder);
    refused("reading", fs::read(folder.join("in/file")));
    refused("writing", fs::write(folder.join("in/file"), "x"));
    refused("listing", fs::read_dir(folder.join("in")));
    refused("asking", fs::metadata(folder.join("in/file")));
    refused("removing", fs::remove_file(folder.join("in/file")));
}

fn all_else(folder: &Path) {
    let open = Open::new();
    lay(folder);
    let lists = [
        attacks::PROCESSES,
        attacks::KERNEL,
        attacks::MACHINE,
        attacks::CODE,
        attacks::IP_SOCKETS,
        attacks::PAIRS,
        attacks::OTHER_SOCKETS,
        attacks::ODD_SOCKETS,
    ];
    lists.into_iter().for_each(|list| all_refused(list, &open));
    for request in [libc::TCSETS, libc::FIONBIO, libc::TIOCSTI] {
        assert_eq!(
            call(libc::SYS_ioctl, [0, request as usize, 0, 0, 0, 0]),
            Err(Errno::EPERM),
            "{request:#x}"
        );
    }
}

fn processor_time(_: &Path) {
    // Cannot be laid on by `confine` here, because this process must live to see the end of another.
    let program = std::env::current_exe().unwrap();
    let spin = confine::Child::new(&program).args(["--probe", crate::inherited::SPIN, "/"]);
    let outcome = spin.wall(std::time::Duration::from_secs(20)).run(&false.into()).unwrap();
    assert_eq!(outcome.status, confine::ExitKind::Signal(libc::SIGKILL));
    assert!(outcome.cpu.as_secs_f64() > 0.5 && outcome.cpu.as_secs_f64() < 3.0, "{:?}", outcome.cpu);
}
