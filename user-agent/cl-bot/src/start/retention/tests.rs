use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn looked(text: &str) -> Option<Looked> {
    Some(Looked { days: 90, at: at(text) })
}

#[test]
fn the_first_look_removes_nothing_and_neither_does_one_with_another_period() {
    let now = at("2026-11-26T12:00:00Z");
    assert_eq!(judge(None, 90, now), Look::Note);
    assert_eq!(judge(looked("2026-11-20T12:00:00Z"), 30, now), Look::Note);
}

#[test]
fn a_look_removes_what_the_look_before_found_too_old() {
    let before = looked("2026-11-25T12:00:00Z");
    assert_eq!(judge(before, 90, at("2026-11-26T11:59:59Z")), Look::NotDue);
    let expected = Look::Remove { before: at("2026-08-27T12:00:00Z"), leaps: false };
    assert_eq!(judge(before, 90, at("2026-11-26T12:00:00Z")), expected);
}

#[test]
fn a_clock_that_leaps_forward_removes_no_more_and_is_told_of() {
    let leap = judge(looked("2026-11-25T12:00:00Z"), 90, at("2099-01-01T00:00:00Z"));
    assert_eq!(leap, Look::Remove { before: at("2026-08-27T12:00:00Z"), leaps: true });
    // Put right again, it begins anew.
    assert_eq!(judge(looked("2099-01-01T00:00:00Z"), 90, at("2026-11-26T12:00:00Z")), Look::Note);
}

#[test]
fn a_period_longer_than_time_itself_reaches_nothing() {
    assert_eq!(ago(Timestamp::MIN, 90), Timestamp::MIN);
}
