use super::{Meant, meant};

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
