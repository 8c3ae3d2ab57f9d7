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
    assert_eq!(tally, Tally { passed: 15, failed: 2 });
    assert_eq!(tally.summary(false).as_deref(), Some("15 passed, 2 failed"));
}

#[test]
fn a_line_that_only_looks_like_a_result_is_not_counted() {
    let tally = tally(&["  test result: ok. 9 passed; 0 failed", "test result: ok", "9 passed; 0 failed;"]);
    assert_eq!(tally, Tally::default());
}

#[test]
fn a_run_that_broke_off_is_not_summed_up() {
    let tally = tally(&["test result: ok. 12 passed; 0 failed; 0 ignored"]);
    assert_eq!(tally.summary(true).as_deref(), Some("12 passed, 0 failed"));
    assert_eq!(tally.summary(false), None);
}
