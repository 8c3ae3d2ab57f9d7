use std::path::Path;

use super::*;

const SOON: Duration = Duration::from_secs(10);

fn shell(script: &str, most: usize) -> Live {
    Child::new(Path::new("/bin/sh")).args(["-c", script]).max_output(100).start(most).unwrap()
}

fn hear(live: &mut Live, wait: Duration) -> Result<Vec<u8>, LiveError> {
    live.hear(Instant::now() + wait, &AtomicBool::new(false))
}

#[test]
fn lines_go_to_and_fro_and_the_end_is_told() {
    let mut live = shell("read a; echo got $a; printf 'two\\nthree\\n'; echo why >&2", 100);
    live.say(b"one", Instant::now() + SOON, &AtomicBool::new(false)).unwrap();
    for expected in ["got one", "two", "three"] {
        assert_eq!(hear(&mut live, SOON).unwrap(), expected.as_bytes());
    }
    assert!(matches!(hear(&mut live, SOON), Err(LiveError::Ended)));
    assert_eq!(live.complaints(), b"why\n");
}

#[test]
fn counted_bytes_come_whole_and_no_more_than_the_limit_is_asked_for() {
    let mut live = shell("printf 'abcd'; head -c 2 >/dev/null; printf 'ef'; kill -ABRT $$", 100);
    let never = AtomicBool::new(false);
    let receive = |live: &mut Live, count| live.receive(count, Instant::now() + SOON, &never);
    assert_eq!(receive(&mut live, 3).unwrap(), b"abc");
    live.send(b"go", Instant::now() + SOON, &never).unwrap();
    assert_eq!(receive(&mut live, 3).unwrap(), b"def");
    assert!(matches!(receive(&mut live, 101), Err(LiveError::Long(100))));
    assert!(matches!(receive(&mut live, 1), Err(LiveError::Ended)));
    assert_eq!(live.end(SOON).unwrap(), ExitKind::Signal(libc::SIGABRT));
    assert!(live.end(SOON).is_err(), "its number may be another process' by now");
}

#[test]
fn a_line_without_end_is_not_kept() {
    let mut live = shell("yes | tr -d '\\n'", 1000);
    assert!(matches!(hear(&mut live, SOON), Err(LiveError::Long(1000))));
    assert!(live.heard.len() < 1000 + 64 * 1024, "{}", live.heard.len());
}

#[test]
fn silence_and_a_cancel_end_the_waiting() {
    let mut live = shell("sleep 100", 100);
    assert!(matches!(hear(&mut live, Duration::from_millis(30)), Err(LiveError::Late)));
    let cancelled = live.hear(Instant::now() + SOON, &AtomicBool::new(true));
    assert!(matches!(cancelled, Err(LiveError::Cancelled)));
    assert!(live.runs());
}

#[test]
fn complaints_without_end_block_nobody() {
    let mut live = shell("while :; do echo noise >&2; done & sleep 0.2; echo here; wait", 100);
    assert_eq!(hear(&mut live, SOON).unwrap(), b"here");
    assert!(live.complaints().len() <= 100);
}

#[test]
fn who_does_not_read_does_not_hold_us_up() {
    let mut live = shell("sleep 100", 100);
    let said =
        live.say(&[b'x'; 1 << 20], Instant::now() + Duration::from_millis(50), &AtomicBool::new(false));
    assert!(matches!(said, Err(LiveError::Late)));
}

#[test]
fn what_it_started_goes_with_it() {
    let mut live = shell("sleep 100 & echo $!; wait", 100);
    let pid = String::from_utf8(hear(&mut live, SOON).unwrap()).unwrap();
    drop(live);
    let gone = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
    };
    let start = Instant::now();
    while !gone() {
        assert!(start.elapsed() < SOON, "{pid} still runs");
        std::thread::sleep(Duration::from_millis(5));
    }
}
