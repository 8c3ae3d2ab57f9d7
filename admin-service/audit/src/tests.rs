use super::*;

#[test]
fn a_look_is_put_off_only_where_notices_come_and_none_came() {
    assert_eq!(rest(true, Duration::ZERO), PATIENCE - SPARING);
    assert_eq!(rest(true, CALM - SPARING), PATIENCE - SPARING);
    assert_eq!(rest(true, CALM), AT_REST - SPARING);
    // No notices: somebody may have taken them all.
    assert_eq!(rest(false, CALM * 10), PATIENCE - SPARING);
}
