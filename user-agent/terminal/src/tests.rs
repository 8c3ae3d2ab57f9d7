use super::*;

#[test]
fn what_a_skill_says_is_shown_under_its_name_on_every_line() {
    assert_eq!(render::labelled("quiz", "one\ntwo"), "[quiz] one\n[quiz] two");
    assert_eq!(render::labelled("a\u{1b}b", "x"), "[a\\u{1b}b] x");
}
