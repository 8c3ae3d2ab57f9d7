use std::ops::ControlFlow;

use super::{LONGEST, RATE, Speech, languages, speaks, spoken};

fn samples(speech: &mut Speech, text: &str) -> Vec<i16> {
    let mut all = Vec::new();
    let take = |piece: &[i16]| {
        all.extend_from_slice(piece);
        ControlFlow::Continue(())
    };
    speech.speak(text, take).expect("it is spoken");
    all
}

/// Every voice says a sentence that lasts between half a second and five, and can be heard.
#[test]
fn every_voice_speaks() {
    let seconds = |samples: &[i16]| samples.len() as f64 / f64::from(RATE);
    for language in languages() {
        let mut speech = Speech::load(language).expect("it is a voice");
        let said = samples(&mut speech, "Piano forte, Anna.");
        assert!((0.5..5.0).contains(&seconds(&said)), "{language}: {}", seconds(&said));
        let loudest = said.iter().map(|sample| sample.unsigned_abs()).max();
        assert!(loudest > Some(2_000), "{language}: {loudest:?}");
    }
}

#[test]
fn a_language_without_its_country_is_found() {
    assert_eq!(Speech::load("de").expect("there is German").language(), "de-DE");
    assert!(
        speaks("en-GB", "EN_gb")
            && speaks("en-GB", "en")
            && !speaks("en-GB", "en-US")
            && !speaks("de-DE", "d")
    );
    let refused = Speech::load("tlh").err().expect("nobody speaks it").to_string();
    assert!(refused.contains("`tlh`") && refused.contains("it-IT"), "{refused}");
}

/// Speech that is broken off leaves nothing behind: the next text is as long as ever.
#[test]
fn a_text_that_is_broken_off_leaves_nothing_behind() {
    let mut speech = Speech::load("en").expect("there is English");
    let whole = samples(&mut speech, "Good morning.").len();
    let mut pieces = 0;
    let broken = speech.speak("One two three four five six seven eight nine ten.", |_| {
        pieces += 1;
        ControlFlow::Break(())
    });
    assert!(broken.is_ok() && pieces == 1);
    let after = samples(&mut speech, "Good morning.").len();
    assert!(after.abs_diff(whole) < RATE as usize / 5, "{whole} {after}");
}

/// Pico takes orders in angle brackets, and one of them plays a file: none of that reaches it.
#[test]
fn no_order_reaches_the_voice() {
    let text = spoken("a<play file=\"/etc/passwd\"/>b\\c\0d\n");
    assert!(!text.contains(['<', '>', '\\', '\0', '\n']), "{text}");
    let mut speech = Speech::load("en").expect("there is English");
    for text in [
        "",
        " ",
        "\0\0",
        "<speed level=\"500\">",
        "日本語",
        "a\u{1F600}b",
        "\u{202e}abc",
        &"x".repeat(LONGEST),
    ] {
        let _ = samples(&mut speech, text);
    }
    assert!(speech.speak(&"x".repeat(LONGEST + 1), |_| ControlFlow::Continue(())).is_err());
}
