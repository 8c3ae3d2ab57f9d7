use super::{Manner, Meant, Settings, meant, woken};

/// The stop is a word alone; a yes and a no are not lines.
#[test]
fn the_stop_is_heard_and_no_yes_is_taken() {
    for stop in ["stop", "Stop!", "halt", "STOPP."] {
        assert_eq!(meant(stop), Meant::Stop, "{stop}");
    }
    for answer in ["yes", "Yes!", "no", "ja", "nein", "y 3", "yes 12", "Yes, please."] {
        assert_eq!(meant(answer), Meant::Answer, "{answer}");
    }
    for line in ["what time is it", "stop the music", "no milk today", "yes minister is funny"] {
        assert_eq!(meant(line), Meant::Line, "{line}");
    }
}

/// The volume is a factor on each sample; nothing is louder than the mouth made it.
#[test]
fn the_volume_is_a_factor_of_the_samples() {
    let settings = |volume| Settings { volume, ..Settings::default() };
    let at = |volume| Manner::of(&settings(volume)).at_volume(vec![i16::MIN, -100, 0, 100, i16::MAX]);
    assert_eq!(at(None), [i16::MIN, -100, 0, 100, i16::MAX]);
    assert_eq!(at(Some(100)), at(None));
    assert_eq!(at(Some(50)), [-16_384, -50, 0, 50, 16_383]);
    assert_eq!(at(Some(1)), [-327, -1, 0, 1, 327]);
    let longest = Settings { longest_answer: Some(3), ..Settings::default() };
    assert_eq!(Manner::of(&longest).longest, Some(48_000));
}

#[test]
fn what_follows_the_words_that_wake_it_is_the_line() {
    let of = |line| woken("hey computer", line);
    assert_eq!(of("hey computer what time is it"), Some("what time is it"));
    assert_eq!(of("Hey, Computer! What time is it?"), Some("What time is it?"));
    for other in [
        "what time is it",
        "hey computers what",
        "hey",
        "hey computer",
        "Hey, computer.",
        "so hey computer go",
    ] {
        assert_eq!(of(other), None, "{other}");
    }
}
