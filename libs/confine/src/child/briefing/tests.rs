use std::{path::Path, sync::atomic::AtomicBool};

use crate::{Child, ExitKind, Outcome};

fn told(script: &str) -> Outcome {
    let child =
        Child::new(Path::new("/bin/sh")).args(["-c", script, "sh"]).orders(b"the secret orders".as_slice());
    child.run(&AtomicBool::new(false)).unwrap()
}

#[test]
fn the_orders_are_read_by_the_child_and_stand_in_no_command_line() {
    let read = told(r#"cat "/proc/self/fd/${1%,*}"; tr '\0' ' ' < /proc/self/cmdline >&2"#);
    assert_eq!(read.stdout, b"the secret orders");
    assert!(!String::from_utf8_lossy(&read.stderr).contains("secret"));
    let written = told(r#"echo changed > "/proc/self/fd/${1%,*}""#);
    assert_ne!(written.status, ExitKind::Code(0), "sealed orders cannot be changed");
}

#[test]
fn only_the_report_says_that_nothing_was_started() {
    assert_eq!(told("echo nothing was started >&2; exit 70").not_started, None);
    let reported = told(r#"echo no jail > "/proc/self/fd/${1#*,}"; exit 3"#);
    assert_eq!((reported.status, reported.not_started.as_deref()), (ExitKind::Code(3), Some("no jail\n")));
}

#[test]
fn descriptors_that_nobody_handed_over_are_refused() {
    for numbers in ["", "3", "0,1", "900,901", "900,901,902", "x,y", "-1,4"] {
        assert!(super::Briefing::receive(numbers).is_err(), "{numbers}");
    }
}
