use super::{FRAME, Heard, PAUSE, Utterances};
use crate::{LONGEST, RATE};

/// So many seconds of a vowel: pulses of a voice at 120 Hz through two resonances, louder and softer as syllables are.
fn voice(seconds: f64) -> Vec<i16> {
    let mut formants = [(700.0_f64, [0.0_f64; 2]), (1_200.0, [0.0; 2])];
    let count = (seconds * f64::from(RATE)) as usize;
    let sample = |at: usize| {
        let mut value = if at.is_multiple_of(RATE as usize / 120) { 4_000.0 } else { 0.0 };
        for (frequency, past) in &mut formants {
            let turn = std::f64::consts::TAU * *frequency / f64::from(RATE);
            value += 2.0 * 0.97 * turn.cos() * past[0] - 0.97 * 0.97 * past[1];
            *past = [value, past[0]];
        }
        let syllable = (at as f64 * std::f64::consts::TAU * 4.0 / f64::from(RATE)).sin().abs();
        (value * syllable * 0.1).clamp(-30_000.0, 30_000.0) as i16
    };
    (0..count).map(sample).collect()
}

fn silence(seconds: f64) -> Vec<i16> {
    vec![0; (seconds * f64::from(RATE)) as usize]
}

/// The utterances of a stream that comes in pieces of this length.
fn heard(stream: &[i16], piece: usize) -> Vec<Heard> {
    let mut utterances = Utterances::default();
    let mut heard: Vec<Heard> = stream.chunks(piece).flat_map(|piece| utterances.push(piece)).collect();
    heard.extend(utterances.finish());
    heard
}

/// A pause parts two utterances; the end of the stream ends the second. How the stream is cut into pieces changes nothing.
#[test]
fn a_pause_parts_utterances() {
    let stream = [silence(1.0), voice(1.0), silence(1.5), voice(0.8)].concat();
    let found = heard(&stream, 1_000);
    let lengths: Vec<usize> = found
        .iter()
        .map(|heard| match heard {
            Heard::Utterance(samples) => samples.len(),
            Heard::TooLong => 0,
        })
        .collect();
    assert_eq!(lengths.len(), 2, "{lengths:?}");
    let around = 20 * FRAME + PAUSE * FRAME;
    assert!((RATE as usize * 8 / 10..RATE as usize + 2 * around).contains(&lengths[0]), "{lengths:?}");
    for piece in [1, 255, 256, 257, stream.len()] {
        assert_eq!(heard(&stream, piece), found, "{piece}");
    }
}

/// Silence, a hum, a hiss and a click are nobody's words.
#[test]
fn what_is_no_voice_is_nothing() {
    let mut state = 1_u32;
    let hiss: Vec<i16> = (0..RATE * 3)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 22) as i16 - 512
        })
        .collect();
    let hum: Vec<i16> = (0..RATE * 3)
        .map(|at| ((f64::from(at) * 50.0 * std::f64::consts::TAU / 16_000.0).sin() * 3_000.0) as i16)
        .collect();
    let click = [silence(1.0), vec![20_000; 40], silence(1.0)].concat();
    for (what, sound) in [("silence", silence(3.0)), ("hiss", hiss), ("hum", hum), ("click", click)] {
        assert_eq!(heard(&sound, 1_600), [], "{what}");
    }
}

/// Somebody who never pauses takes no more memory than the longest utterance, and is said to be too long once.
#[test]
fn an_utterance_has_an_end() {
    let long = voice(0.5).repeat(LONGEST / (RATE as usize / 2) + 4);
    let mut utterances = Utterances::default();
    let mut found = Vec::new();
    for piece in long.chunks(4_000) {
        found.extend(utterances.push(piece));
        let kept = utterances.current.as_ref().map_or(0, |current| current.samples.len());
        assert!(kept <= LONGEST, "{kept}");
    }
    found.extend(utterances.finish());
    assert_eq!(found, [Heard::TooLong]);
    found = utterances.push(&[voice(1.0), silence(1.5)].concat());
    assert!(matches!(found[..], [Heard::Utterance(_)]), "the next one is heard");
}
