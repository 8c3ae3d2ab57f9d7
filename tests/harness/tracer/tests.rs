use std::process::Command;
use std::time::Duration;

use super::*;
use crate::run::Background;

fn traced(work: impl FnOnce(&mut Tracer)) {
    let mut command = Command::new("sleep");
    command.arg("60");
    let mut sleeper = Background::start(command);
    std::thread::sleep(Duration::from_millis(100));
    match Tracer::attach(sleeper.pid()) {
        Ok(mut tracer) => work(&mut tracer),
        Err(reason) => return crate::skip(&reason),
    }
    std::thread::sleep(Duration::from_millis(100));
    assert!(sleeper.runs(), "the process goes on after it was traced");
}

#[test]
fn an_injected_call_does_what_it_says() {
    traced(|tracer| {
        let path = tracer.place(b"/etc/passwd\0");
        let open = tracer.call(libc::SYS_openat, &[libc::AT_FDCWD as u64, path, libc::O_RDONLY as u64]);
        assert!(open.is_success(), "{open:?}");
        let Outcome::Returned(descriptor) = open else { panic!("{open:?}") };
        assert_eq!(tracer.call(libc::SYS_close, &[descriptor as u64]), Outcome::Returned(0));
        assert_eq!(tracer.call(libc::SYS_close, &[descriptor as u64]), Outcome::Returned(-9));
    });
}

#[test]
fn an_unhindered_process_may_do_what_the_attacks_try() {
    traced(|tracer| {
        let socket = [libc::AF_INET as u64, libc::SOCK_STREAM as u64, 0];
        assert!(tracer.call(libc::SYS_socket, &socket).is_success());
        let missing = tracer.place(b"/no/such/program\0");
        let exec = tracer.call(libc::SYS_execve, &[missing, 0, 0]);
        assert_eq!(exec, Outcome::Returned(-i64::from(libc::ENOENT)));
        assert!(!exec.is_refusal());
    });
}

#[test]
fn a_call_that_ends_the_process_is_told() {
    let mut command = Command::new("sleep");
    command.arg("60");
    let sleeper = Background::start(command);
    match Tracer::attach(sleeper.pid()) {
        Ok(mut tracer) => assert_eq!(tracer.call(libc::SYS_exit_group, &[7]), Outcome::Killed(7)),
        Err(reason) => crate::skip(&reason),
    }
}
