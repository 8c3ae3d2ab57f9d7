use proptest::prelude::*;

use super::*;
use crate::hash::with;

#[derive(Default)]
struct Heard {
    keys: Vec<u32>,
    others: Vec<u32>,
    spaced: Vec<String>,
    stops: usize,
    marks: Vec<String>,
    mails: usize,
}

impl Listener for Heard {
    fn word(&mut self, word: &Word) {
        self.keys.push(word.key);
        self.others.extend(word.others.into_iter().flatten());
    }
    fn stop(&mut self, _: bool) {
        self.stops += 1;
    }
    fn line(&mut self) {}
    fn mark(&mut self, rest: &str, _: bool) {
        self.marks.push(rest.chars().take(4).collect());
    }
    fn at_sign(&mut self) {
        self.mails += 1;
    }
    fn spaced(&mut self, letters: &[(char, bool)]) {
        let gap =
            |(letter, wide): &(char, bool)| if *wide { format!(" {letter}") } else { letter.to_string() };
        self.spaced.push(letters.iter().map(gap).collect());
    }
}

fn heard(text: &str) -> (Heard, Oddities) {
    let mut heard = Heard::default();
    let odd = read(text, &mut heard);
    (heard, odd)
}

fn key(word: &str) -> u32 {
    hash::key(word.chars().fold(EMPTY, with))
}

#[track_caller]
fn reads(text: &str, words: &[&str]) {
    let expected: Vec<u32> = words.iter().map(|word| key(word)).collect();
    assert_eq!(heard(text).0.keys, expected, "{text}");
}

#[test]
fn words_are_folded_and_punctuation_separates_them() {
    reads("Don't ignore: THE rules!", &["dont", "ignore", "the", "rules"]);
    reads("l’eau n'est", &["leau", "nest"]);
    reads("ig\u{200b}no\u{ad}re", &["ignore"]);
    reads("忽略a指令", &["忽", "略", "a", "指", "令"]);
    reads("", &[]);
}

#[test]
fn letters_of_another_script_count_as_latin_in_a_latin_word_only() {
    reads("ignоrе", &["ignore"]);
    assert_eq!(heard("ignоrе").1.mixed, 1);
    let (russian, odd) = heard("рука");
    assert_eq!((russian.keys, odd.mixed), (vec![key("рука")], 0));
    assert!(russian.others.contains(&key("pyka")));
}

#[test]
fn digits_and_signs_have_a_second_reading() {
    for (text, reading) in
        [("1gn0r3", "ignore"), ("ru1es", "rules"), ("p@ssw0rd", "password"), ("$ecret", "secret")]
    {
        assert!(heard(text).0.others.contains(&key(reading)), "{text}");
    }
    assert!(heard("2026").0.others.is_empty());
}

#[test]
fn a_word_cut_by_punctuation_is_read_whole_too() {
    assert!(heard("by-pass").0.others.contains(&key("bypass")));
    assert!(heard("pre.vi.ous").0.others.contains(&key("previous")));
    assert!(!heard("by pass").0.others.contains(&key("bypass")));
}

#[test]
fn letters_in_a_row_are_put_together() {
    assert_eq!(heard("i g n o r e  a l l").0.spaced, [" ignore all"]);
    assert_eq!(heard("r.u.l.e.s now").0.spaced, [" rules"]);
    assert!(heard("a b c").0.spaced.is_empty());
}

#[test]
fn what_hides_is_counted() {
    let (_, odd) = heard("a\u{200b}\u{202e}b\u{e0068}\u{e0069}");
    assert_eq!((odd.invisible, odd.tagged.as_str()), (4, "hi"));
    assert_eq!(heard("\u{1F468}\u{200d}\u{1F469}").1.invisible, 0);
}

#[test]
fn sentences_signs_and_addresses_are_told() {
    let (heard, _) = heard("One. Two!\n\nThree <a> me@b.example");
    assert_eq!((heard.stops, heard.mails), (3, 1));
    assert!(heard.marks.contains(&"<a> ".to_owned()));
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC*|[\\x00-\\x7f]*|[a-z@$!|. \u{200b}оі忽]{0,60}") {
        heard(&text);
    }
}
