use super::*;

const TONES: [Tone; 6] = [Tone::Plain, Tone::Strong, Tone::Quiet, Tone::Good, Tone::Caution, Tone::Bad];

#[test]
fn without_colour_no_style_has_one_and_warnings_still_differ() {
    let look = Look { colour: false, drawing: false, words: review::words::Words::DEFAULT };
    for tone in TONES {
        assert_eq!((look.tone(tone).fg, look.tone(tone).bg), (None, None), "{tone:?}");
    }
    for kind in [Kind::Keyword, Kind::Text, Kind::Number, Kind::Type, Kind::Comment, Kind::Plain] {
        assert_eq!((look.code(kind).fg, look.code(kind).bg), (None, None), "{kind:?}");
    }
    let of = |tone| look.tone(tone).add_modifier;
    assert!(of(Tone::Bad) != of(Tone::Caution) && of(Tone::Caution) != of(Tone::Plain));
}

#[test]
fn a_terminal_without_line_drawing_gets_ascii() {
    assert_eq!(Look { colour: true, drawing: false, words: review::words::Words::DEFAULT }.rule(3), "---");
    assert!(!Look { colour: true, drawing: true, words: review::words::Words::DEFAULT }.rule(3).is_ascii());
}
