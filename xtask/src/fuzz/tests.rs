use super::*;

const LISTED: &str = "\
bot_config::a_configuration_is_read: test
frames::a_frame_is_read: test
harness::neighbour::a_neighbour_differs: test

3 tests, 0 benchmarks
";

#[test]
fn every_listed_test_but_those_of_the_harness_is_a_target() {
    assert_eq!(super::tests(LISTED), ["bot_config::a_configuration_is_read", "frames::a_frame_is_read"]);
}

#[test]
fn a_target_is_chosen_by_its_whole_name() {
    let tests = super::tests(LISTED);
    assert_eq!(choose(&tests, None).len(), 2);
    assert_eq!(choose(&tests, Some("frames")), ["frames::a_frame_is_read"]);
    assert!(choose(&tests, Some("frame")).is_empty());
}

#[test]
fn a_target_that_does_not_end_is_ended() {
    let start = Instant::now();
    assert!(finish(Command::new("sleep").arg("30"), Duration::from_millis(200)).is_none());
    assert!(start.elapsed() < Duration::from_secs(10));
}
