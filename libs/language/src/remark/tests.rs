use super::*;
use crate::intent::{asks_within, forbids};

fn talk(line: &str) -> Option<Intent> {
    small_talk(line, languages::detect(line)).map(|meant| meant.intent)
}

#[test]
fn the_small_talk_in_a_line_is_found_beside_what_asks_for_nothing() {
    for (line, meant) in [
        ("right the kettle is on, ta love", Intent::Thanks),
        ("good night then. i'll try and lie down a while", Intent::Goodbye),
        ("moin, ich brauch dich mal kurz", Intent::Greeting),
        ("hallo hier sind wieder die Brandts", Intent::Greeting),
        ("vielen dank, das wäre es fürs erste", Intent::Thanks),
    ] {
        assert_eq!(talk(line), Some(meant), "{line}");
    }
}

#[test]
fn no_small_talk_answers_a_line_that_asks_for_something_or_tells_more() {
    for line in [
        "hi, can you draw a unicorn",
        "thanks, who is my dentist",
        "morgen und übermorgen nachtschicht, ab freitag frei",
        "ok nice. ich bin timo, studier maschinenbau in aachen und wohne da in einer wg",
    ] {
        assert_eq!(talk(line), None, "{line}");
    }
}

#[test]
fn a_remark_tells_something_and_asks_for_nothing() {
    for line in [
        "the house is awful quiet these days",
        "amelia is asleep at last",
        "den kenn ich schon",
        "der lukas ist jetzt nach wien gezogen",
    ] {
        assert!(is_remark(line), "{line}");
    }
    for line in
        ["make the oven one later", "what is that", "sven hat 7 stunden gearbeitet was kostet das", "blah"]
    {
        assert!(!is_remark(line), "{line}");
    }
}

#[test]
fn a_question_behind_what_is_told_is_seen_without_a_mark() {
    for line in [
        "sven hat gestern 7,5 std gearbeitet was kostet das dem kunden",
        "miete is 1480 warm, was zahlt da jeder",
        "at 21.40 an hour what do i make",
    ] {
        assert!(asks_within(line), "{line}");
    }
    for line in ["i know what it costs", "ich weiß wie spät es ist", "my sister can eat what she likes"] {
        assert!(!asks_within(line), "{line}");
    }
}

#[test]
fn what_forbids_or_denies_is_no_question() {
    for line in ["don't forget that please", "can't sleep, got an essay due friday", "stop the quiz"] {
        assert!(forbids(line) && !intent::is_question(line), "{line}");
    }
    assert!(intent::is_question("can't you sleep?") && !forbids("start the quiz"));
}

#[test]
fn what_is_asked_for_several_is_asked_for_one() {
    assert_eq!(for_one("quiz us on capitals!"), ["quiz me on capitals!"]);
    assert_eq!(for_one("frag uns ab"), ["frag mich ab", "frag mir ab"]);
    assert!(for_one("quiz me").is_empty());
}
