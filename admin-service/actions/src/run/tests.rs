use confine::ExitKind;

use super::*;

fn outcome(status: ExitKind, stderr: &str) -> Outcome {
    Outcome {
        status,
        stdout: vec![],
        stderr: stderr.as_bytes().to_vec(),
        cut: false,
        wall: Duration::from_millis(5),
        cpu: Duration::ZERO,
        peak_rss_bytes: 0,
        not_started: None,
    }
}

#[test]
fn every_end_is_a_code_or_told_in_words() {
    let calm = AtomicBool::new(false);
    let told = |status, cancel: &AtomicBool| result(&outcome(status, ""), Duration::from_secs(2), cancel);
    assert_eq!(told(ExitKind::Code(3), &calm).exit, Some(3));
    for (status, words) in [
        (ExitKind::Signal(9), "signal 9 SIGKILL"),
        (ExitKind::Signal(24), "processor time"),
        (ExitKind::TimedOut, "longer than 2 s"),
    ] {
        let told = told(status, &calm);
        assert!(told.exit.is_none() && told.ended.as_deref().unwrap().contains(words), "{told:?}");
    }
    let stopped = told(ExitKind::Signal(9), &AtomicBool::new(true));
    assert!(stopped.ended.unwrap().contains("stopped"));
    let mut flood = outcome(ExitKind::Code(0), "");
    flood.stdout = vec![0xff; MAX_OUTPUT];
    assert!(result(&flood, Duration::ZERO, &calm).stdout.len() <= MAX_OUTPUT);
}
