use super::*;

fn tally(lines: &[&str]) -> Tally {
    let mut tally = Tally::default();
    lines.iter().for_each(|line| tally.add_line(line));
    tally
}

#[test]
fn closing_lines_of_all_programs_are_summed() {
    let tally = tally(&[
        "running 2 tests",
        "test a ... ok",
        "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s",
    ]);
    assert_eq!(tally, Tally { passed: 15, failed: 2, skipped: 1, second: 0 });
    assert_eq!(tally.summary(false).as_deref(), Some("15 passed, 2 failed, 1 skipped"));
}

#[test]
fn a_line_that_only_looks_like_a_result_is_not_counted() {
    let tally = tally(&["  test result: ok. 9 passed; 0 failed", "test result: ok", "9 passed; 0 failed;"]);
    assert_eq!(tally, Tally::default());
}

#[test]
fn a_run_that_broke_off_is_not_summed_up() {
    let tally = tally(&["test result: ok. 12 passed; 0 failed; 0 ignored"]);
    assert_eq!(tally.summary(true).as_deref(), Some("12 passed, 0 failed, 0 skipped"));
    assert_eq!(tally.summary(false), None);
}

#[test]
fn a_test_that_says_so_counts_as_skipped_and_not_as_passed() {
    let mut skips = Skips::default();
    for line in [
        "     Running tests/a.rs (target/debug/deps/a-1)",
        "skipped: files::one: no perl",
        "skipped: files::one: no second user",
        "skipped: files::two: no perl",
        "     Running tests/b.rs (target/debug/deps/b-1)",
        "skipped: files::one: no perl",
        "skipped: cargo-deny is not installed",
        "a line with skipped: files::three: in it",
    ] {
        skips.add_line(line);
    }
    assert_eq!(skips.sum(), 3);
    let tally = Tally { passed: 10, failed: 0, skipped: 1, second: 0 }.less_skipped(skips.sum());
    assert_eq!(tally, Tally { passed: 7, failed: 0, skipped: 4, second: 0 });
}
