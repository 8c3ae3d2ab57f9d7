use super::*;

const LIBRARY: &str = r#"{"reason":"compiler-artifact","manifest_path":"/w/libs/a/Cargo.toml","target":{"kind":["lib"],"test":true},"profile":{"opt_level":"0","test":true},"executable":"/w/target/a-1","fresh":true}"#;

#[test]
fn only_test_programs_are_run() {
    let program = Program { executable: "/w/target/a-1".into(), folder: "/w/libs/a".into() };
    assert_eq!(test_program(LIBRARY), Some(program));
    for other in [
        LIBRARY.replace(r#""0","test":true"#, r#""0","test":false"#),
        LIBRARY.replace(r#""/w/target/a-1""#, "null"),
        r#"{"reason":"build-finished","success":true}"#.to_owned(),
    ] {
        assert_eq!(test_program(&other), None, "{other}");
    }
}

#[test]
fn the_programs_that_take_minutes_begin_first() {
    let place = |name: &str| Program { executable: name.into(), folder: "/".into() }.place();
    assert!(place("/t/journeys-1") < place("/t/attacks-1") && place("/t/attacks-1") < place("/t/base-1"));
    assert_eq!(place("/journeys-1/base-1"), place("/t/base-1"));
}

#[test]
fn a_program_that_fails_or_cannot_start_is_no_success() {
    let run = |executable: &str| {
        let program = Program { executable: executable.into(), folder: "/".into() };
        program.job(|command| command).run(&|_| ())
    };
    assert!(run("/bin/true").0);
    assert!(!run("/bin/false").0 && !run("/nowhere/at/all").0);
    let through = |starter: &str| {
        let program = Program { executable: "/bin/deps/attacks-1".into(), folder: "/".into() };
        program.through(starter, &["plugins::"], |command| command)
    };
    let words: Vec<_> = through("true").command.get_args().map(std::ffi::OsStr::to_owned).collect();
    assert_eq!(words, ["/bin/deps/attacks-1", "plugins::"]);
    assert!(through("true").command.get_program().to_string_lossy().ends_with("deps/../true"));
    assert!(!through("nowhere").run(&|_| ()).0);
}

/// A check that names a program of another time fails, and does not leave its tests out.
#[test]
fn what_should_run_beside_the_tests_and_is_not_built_is_a_fault() {
    let built = [Program { executable: "/t/deps/attacks-1".into(), folder: "/".into() }];
    let more = |program| More::Through { starter: "true", program, names: &[] };
    assert!(more("attacks").job(&built, |command| command).is_some());
    assert!(more("attack").job(&built, |command| command).is_none());
}

/// A program that says that some of its tests fail, and that holds or does not when they run alone.
fn run_of(failed: usize, alone: &str, may_try_again: bool) -> (bool, Tally) {
    let folder = tempfile::tempdir().expect("a folder");
    let executable = folder.path().join("attacks-1");
    let lines: String = (1..=failed).map(|n| format!("echo 'test a::{n} ... FAILED'\n")).collect();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --exact ] && {{ {alone}; }}\n{lines}\
         echo 'test result: FAILED. 7 passed; {failed} failed; 0 ignored; 0 measured;'\nexit 101\n"
    );
    std::fs::write(&executable, script).expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&executable, mode).expect("it may be run");
    let program = Program { executable, folder: folder.path().to_owned() };
    let job = program.job(|command| command);
    Job { again: program.again(|command| command).filter(|_| may_try_again), ..job }.run(&|_| ())
}

/// A test that holds alone counts as passed and is named apart; one that fails again, more than a few, or a release fail at once.
#[test]
fn a_few_failed_tests_of_a_long_program_run_once_more_alone() {
    const HOLDS: &str =
        "shift; echo \"test result: ok. $# passed; 0 failed; 0 ignored; 0 measured;\"; exit 0";
    let tally = |passed, failed, second| Tally { passed, failed, skipped: 0, second };
    assert_eq!(run_of(1, HOLDS, true), (true, tally(8, 0, 1)));
    assert_eq!(run_of(2, HOLDS, true), (true, tally(9, 0, 2)));
    assert_eq!(run_of(3, HOLDS, true), (false, tally(7, 3, 0)));
    assert_eq!(run_of(1, HOLDS, false), (false, tally(7, 1, 0)));
    assert_eq!(run_of(1, "true", true), (false, tally(7, 1, 0)));
    // Nothing was run: the names were not found.
    let nothing = "echo 'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured;'; exit 0";
    assert_eq!(run_of(1, nothing, true), (false, tally(7, 1, 0)));
    let short = Program { executable: "/t/base-1".into(), folder: "/".into() };
    assert!(short.again(|command| command).is_none());
}
