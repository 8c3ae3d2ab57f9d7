use super::*;

fn closing(counts: &str) -> String {
    format!(
        "\nrunning 1 test\ntest result: {counts}; 0 ignored; 0 measured; 9 filtered out; finished in 0.01s\n"
    )
}

#[test]
fn one_test_that_failed_is_red_and_one_that_passed_is_green() {
    assert_eq!(judge(&closing("FAILED. 0 passed; 1 failed")), Some(Outcome::Red));
    assert_eq!(judge(&closing("ok. 1 passed; 0 failed")), Some(Outcome::Green));
}

#[test]
fn a_test_that_was_not_run_is_no_success() {
    assert_eq!(judge(&closing("ok. 0 passed; 0 failed")), None);
    assert_eq!(judge("error: could not compile `admin-service`"), None);
    assert_eq!(judge("error: test failed (signal: 6, SIGABRT)"), None);
    let twice = closing("FAILED. 0 passed; 1 failed").repeat(2);
    assert_eq!(judge(&twice), None, "two programs cannot be told apart");
}

#[test]
fn a_test_that_lacks_something_here_is_skipped() {
    let said = format!("skipped: walls: no Landlock\n{}", closing("ok. 1 passed; 0 failed"));
    assert_eq!(judge(&said), Some(Outcome::Skipped));
}

#[test]
fn the_reason_is_the_place_and_the_first_line() {
    let said = "noise\nthread 'x' panicked at tests/a.rs:3:5:\nassertion failed: held\nmore";
    assert_eq!(reason(said), "tests/a.rs:3:5: assertion failed: held");
    assert_eq!(reason("nothing"), " ");
}
