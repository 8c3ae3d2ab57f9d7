use std::{fs, sync::atomic::Ordering, thread, time::Instant};

use super::*;

fn shell(script: &str) -> Child<'_> {
    Child::new(Path::new("/bin/sh")).args(["-c", script])
}

fn run(child: Child<'_>) -> Outcome {
    child.run(&AtomicBool::new(false)).unwrap()
}

/// Whether a process still runs; one that is dead and not yet reaped by init does not.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z') && !rest.starts_with('X'))
}

fn ends_soon(pid: &str) -> bool {
    let start = Instant::now();
    while is_running(pid) {
        if start.elapsed() > Duration::from_secs(5) {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

fn first_line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn code_and_both_outputs_come_back() {
    let outcome = run(shell("echo out; echo err >&2; exit 7"));
    assert_eq!(outcome.status, ExitKind::Code(7));
    assert_eq!((outcome.stdout.as_slice(), outcome.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
    assert!(!outcome.cut);
}

#[test]
fn a_signal_is_told_from_a_code() {
    assert_eq!(run(shell("kill -TERM $$")).status, ExitKind::Signal(libc::SIGTERM));
}

#[test]
fn the_environment_is_empty_but_for_what_was_added() {
    let env = Path::new("/usr/bin/env");
    assert_eq!(run(Child::new(env)).stdout, b"");
    assert_eq!(run(Child::new(env).env("LANG", "C")).stdout, b"LANG=C\n");
}

#[test]
fn it_starts_in_the_folder_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    assert_eq!(first_line(&run(shell("pwd").cwd(&folder)).stdout), folder.to_str().unwrap());
}

#[test]
fn it_leads_a_session_of_its_own_and_inherits_no_descriptor() {
    // SAFETY: dup of stdin gives a descriptor without the close-on-exec flag, which nobody else uses.
    let leaked = unsafe { libc::dup(0) };
    // In a pipeline the shell would hold ends of a pipe for a moment.
    let outcome = run(shell("cut -d' ' -f1,5,6 /proc/$$/stat; ls /proc/$$/fd; true"));
    // SAFETY: closes the descriptor made above.
    unsafe { libc::close(leaked) };
    let text = String::from_utf8(outcome.stdout).unwrap();
    let (ids, descriptors) = text.split_once('\n').unwrap();
    let ids: Vec<_> = ids.split(' ').collect();
    assert!(ids[0] == ids[1] && ids[1] == ids[2], "{ids:?}");
    assert_eq!(descriptors, "0\n1\n2\n");
}

#[test]
fn a_big_input_and_a_big_output_do_not_lock_each_other() {
    let bytes: Vec<u8> = (0..8 * 1024 * 1024_u32).map(|n| (n % 251) as u8).collect();
    let outcome = run(Child::new(Path::new("/bin/cat")).stdin(bytes.clone()).max_output(bytes.len()));
    assert_eq!(outcome.status, ExitKind::Code(0));
    assert!(outcome.stdout == bytes && !outcome.cut);
}

#[test]
fn an_input_that_nobody_reads_is_no_error() {
    assert_eq!(run(shell("exit 3").stdin(vec![b'x'; 4 << 20])).status, ExitKind::Code(3));
}

#[test]
fn output_beyond_the_cap_is_cut_and_said() {
    let exact = run(shell("printf 12345678").max_output(8));
    assert!(exact.stdout == b"12345678" && !exact.cut);
    let over = run(shell("printf 123456789").max_output(8));
    assert!(over.stdout == b"12345678" && over.cut);
    let flood = run(shell("head -c 9000000 /dev/zero >&2; exit 4").max_output(1000));
    assert_eq!((flood.stderr.len(), flood.cut, flood.status), (1000, true, ExitKind::Code(4)));
}

#[test]
fn time_out_kills_the_grandchildren() {
    let child = shell("sleep 600 & echo $!; wait").wall(Duration::from_millis(300));
    let outcome = run(child);
    assert_eq!(outcome.status, ExitKind::TimedOut);
    assert!(outcome.wall >= Duration::from_millis(300) && outcome.wall < Duration::from_secs(10));
    assert!(ends_soon(&first_line(&outcome.stdout)));
}

#[test]
fn an_endless_flood_is_stopped_by_the_clock() {
    let child = Child::new(Path::new("/bin/cat")).arg("/dev/zero");
    let outcome = run(child.wall(Duration::from_millis(200)).max_output(10));
    assert_eq!((outcome.status, outcome.cut), (ExitKind::TimedOut, true));
}

#[test]
fn what_a_child_leaves_behind_is_killed_with_its_end() {
    let outcome = run(shell("sleep 600 & echo $!"));
    assert_eq!(outcome.status, ExitKind::Code(0));
    assert!(outcome.wall < Duration::from_secs(20), "the pipe held open was not waited for");
    assert!(ends_soon(&first_line(&outcome.stdout)));
}

#[test]
fn cancel_kills_the_group() {
    let cancel = AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            cancel.store(true, Ordering::Relaxed);
        });
        shell("sleep 600 & echo $!; wait").run(&cancel).unwrap()
    });
    assert_eq!(outcome.status, ExitKind::Signal(libc::SIGKILL));
    assert!(ends_soon(&first_line(&outcome.stdout)));
}

#[test]
fn use_of_processor_and_memory_is_told() {
    let outcome = run(shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"));
    assert!(outcome.cpu > Duration::from_millis(10), "{:?}", outcome.cpu);
    assert!(outcome.cpu <= outcome.wall * 2);
    let hungry = run(shell("x=$(head -c 64000000 /dev/zero | tr '\\0' a); echo ${#x}"));
    assert!(hungry.peak_rss_bytes > 64_000_000, "{}", hungry.peak_rss_bytes);
}

#[test]
fn no_child_is_left_unreaped() {
    let outcome = run(shell("echo $$"));
    let pid: i32 = first_line(&outcome.stdout).parse().unwrap();
    // SAFETY: signal 0 only asks whether the process exists.
    assert_eq!(unsafe { libc::kill(pid, 0) }, -1);
}

#[test]
fn a_program_that_is_missing_or_relative_is_an_error() {
    let cancel = AtomicBool::new(false);
    let missing = Child::new(Path::new("/nonexistent/program")).run(&cancel).unwrap_err();
    assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    let relative = Child::new(Path::new("sh")).run(&cancel).unwrap_err();
    assert_eq!(relative.kind(), io::ErrorKind::InvalidInput);
}
