use super::{SHORT, Sounds, WORST_PHRASE, WORST_SILENCE, WORST_WORD};
use crate::sphinx::{Best, Piece};

fn best(score: f64, silence: f64, frames: i32) -> Best {
    let piece = |word: &str, score: f64, frames: i32| Piece { word: word.to_owned(), frames, score };
    let pieces =
        vec![piece("<sil>", silence, frames), piece("stop", score, 30), piece("<sil>", -20.0, frames)];
    Best { words: "stop".to_owned(), score, pieces }
}

/// A phrase counts that fits nearly as well as any sounds do, where what is taken for silence is silent.
#[test]
fn a_phrase_that_fits_badly_was_not_said() {
    let any = Best {
        pieces: vec![Piece { word: "x-s".to_owned(), frames: 100, score: -40.0 }],
        ..best(-40.0, -20.0, SHORT)
    };
    let said = |phrase: &Best| Sounds::of(phrase, &any).are_near();
    assert!(said(&best(-40.0, -20.0, SHORT)));
    assert!(said(&best(-40.0 + WORST_PHRASE, -20.0, SHORT)));
    assert!(!said(&best(-41.0 + WORST_PHRASE, -20.0, SHORT)));
    // Somebody who continues to speak, and a breath.
    assert!(!said(&best(-40.0, WORST_SILENCE - 1.0, SHORT)));
    assert!(said(&best(-40.0, WORST_SILENCE - 1.0, SHORT - 1)));
    // One word of several that was another one.
    let with = |score: f64| {
        let mut phrase = best(-40.0, -20.0, SHORT);
        phrase.pieces[1].score = -40.0 + score;
        phrase
    };
    assert!(said(&with(WORST_WORD)) && !said(&with(WORST_WORD - 1.0)));
}

/// A phrase that whisper.cpp did not understand must be likely, and likelier where it is sure of other words.
#[cfg(feature = "whisper")]
#[test]
fn a_phrase_is_likelier_than_silence() {
    use super::{Fit, LEAST_LIKELY, LEAST_LIKELY_BESIDE_SURE, SURE};
    use crate::whisper::Transcript;
    let is_said = |sure: f32, score: f32| {
        Fit::Likely(Transcript { text: "When is dinner?".to_owned(), silent: 0.0, sure }, score).is_said()
    };
    assert!(is_said(SURE - 0.1, LEAST_LIKELY) && !is_said(SURE - 0.1, LEAST_LIKELY - 0.1));
    assert!(is_said(SURE, LEAST_LIKELY_BESIDE_SURE) && !is_said(SURE, LEAST_LIKELY_BESIDE_SURE - 0.1));
}
