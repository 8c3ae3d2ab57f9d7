//! Words of questions and facts, compared: as forms of one word, by meaning, and with a slip of the finger.

use std::cell::OnceCell;

use crate::data::Data;
use crate::languages::Language;
use crate::near::is_near;
use crate::packed::List;

/// A word in the form in which it is compared. What the tables say of it is looked up once, when it is first asked for.
pub(super) struct Word {
    pub(super) norm: String,
    /// Without its ending; `erdnuesse` is how `Erdnüsse` is typed without the key for it.
    stem: String,
    topic: OnceCell<Option<&'static str>>,
    matters: OnceCell<Vec<&'static str>>,
}

impl Word {
    pub(super) fn new(norm: String) -> Word {
        let stem = norm.strip_suffix("'s").or(norm.strip_suffix('s')).unwrap_or(&norm);
        let stem = stem.replace("ae", "a").replace("oe", "o").replace("ue", "u");
        Word { norm, stem, topic: OnceCell::new(), matters: OnceCell::new() }
    }

    /// Whether two words are forms of one.
    pub(super) fn is_form(&self, other: &Word) -> bool {
        is_part(&self.norm, &other.norm)
            || is_part(&self.stem, &other.stem)
            || is_verb(&self.norm, &other.norm)
    }

    /// Whether two words mean the same, across languages: `what is my name` finds `ich heiße Anna`.
    pub(super) fn is_same(&self, other: &Word) -> bool {
        self.is_form(other) || self.topic().is_some_and(|topic| other.topic() == Some(topic))
    }

    /// Whether two words often stand for one matter, or differ by a slip of the finger.
    pub(super) fn is_related(&self, other: &Word) -> bool {
        let is_slip = || {
            let (a, b) = (self.norm.as_bytes(), other.norm.as_bytes());
            let has_figure = a.iter().chain(b).any(u8::is_ascii_digit);
            !has_figure && a.len() >= MIN_SLIP && b.len() >= MIN_SLIP && is_near(a, b) && !self.is_soft()
        };
        self.matters().iter().any(|matter| other.matters().contains(matter)) || is_slip()
    }

    /// Whether another word names one of the kind that this one asks for: a daughter is a girl.
    pub(super) fn asks_for(&self, other: &Word) -> bool {
        let mut kinds = Language::all().flat_map(|l| l.data().wider);
        kinds.any(|(whole, of)| {
            whole.contains(&self.norm) && of.iter().any(|one| Word::new(one.to_owned()).is_form(other))
        })
    }

    /// The topic of words for one thing that the word belongs to.
    pub(super) fn topic(&self) -> Option<&'static str> {
        *self.topic.get_or_init(|| {
            let known = |l: Language| l.data().same.iter().find(|(_, words)| self.is_in(*words));
            Language::all().find_map(known).map(|(topic, _)| topic)
        })
    }

    fn matters(&self) -> &[&'static str] {
        self.matters.get_or_init(|| {
            let all = Language::all().flat_map(|l| l.data().related);
            all.filter(|(_, words)| self.is_in(*words)).map(|(matter, _)| matter).collect()
        })
    }

    /// Whether a list holds the word, or the word without its ending.
    pub(super) fn is_in(&self, list: List<&'static str>) -> bool {
        list.iter().any(|known| known == self.norm || known == self.stem)
    }

    /// Whether the word says nothing about what a question or a fact is about.
    pub(super) fn is_ignored(&self) -> bool {
        is_one(&self.norm, |data| data.ignore)
            || self.norm.strip_suffix("'s").is_some_and(|word| is_one(word, |data| data.ignore))
    }

    /// The same in one language.
    pub(super) fn is_ignored_in(&self, language: Language) -> bool {
        let ignore = language.data().ignore;
        ignore.contains(&self.norm) || self.norm.strip_suffix("'s").is_some_and(|word| ignore.contains(word))
    }

    /// Whether a fact may lack the word.
    pub(super) fn is_soft(&self) -> bool {
        is_one(&self.norm, |data| data.soft)
    }

    /// Whether a person speaks of themselves by the word.
    pub(super) fn is_person(&self) -> bool {
        // The list is written without apostrophes, as `im`.
        is_one(&self.norm.replace('\'', ""), |data| data.statements.person)
    }

    /// Whether the word stands in a list of any language.
    pub(super) fn is_one(&self, list: impl Fn(&Data) -> List<&'static str>) -> bool {
        is_one(&self.norm, list)
    }
}

fn is_one(word: &str, list: impl Fn(&Data) -> List<&'static str>) -> bool {
    Language::all().any(|language| list(language.data()).contains(word))
}

/// Shorter words differ by a letter from too many others.
const MIN_SLIP: usize = 6;

/// The shortest word without the ending of a verb.
const MIN_VERB: usize = 3;

/// Whether two words differ in the ending of a verb alone: `moving`, `moved`.
fn is_verb(a: &str, b: &str) -> bool {
    fn bare(word: &str) -> (bool, &str) {
        let ended = ["ing", "ed", "es"].iter().find_map(|end| word.strip_suffix(end));
        let bare = ended.unwrap_or(word).trim_end_matches('e');
        // `swimming`, of `swim`.
        let last = bare.chars().next_back().map_or(0, char::len_utf8);
        let (once, end) = bare.split_at(bare.len() - last);
        let is_doubled = ended.is_some() && once.ends_with(end) && !matches!(end, "l" | "s" | "f" | "z");
        (ended.is_some(), if is_doubled { once } else { bare })
    }
    let ((a_is, a), (b_is, b)) = (bare(a), bare(b));
    (a_is || b_is) && a.len() >= MIN_VERB && a == b
}

/// The shortest word that is found as a part of a longer one, in characters.
pub(super) const MIN_PART: usize = 3;
/// Longer words may differ by this many characters at their ends.
const MAX_ENDING: usize = 3;
/// The shortest word that is found as the first part of a compound, in characters.
const MIN_FIRST_PART: usize = 5;

/// Whether two words are the same, one ends with the other (`peanut` with `nut`), or begins with it and has a short ending, or
/// continues as a compound does (`Zahnarzttermin` with `Zahnarzt`).
fn is_part(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let size = short.chars().count();
    // Box 103 is not box 1103.
    if short.bytes().all(|byte| byte.is_ascii_digit()) {
        return a == b;
    }
    // `heisst` does not contain the word `isst`.
    let ends = long.ends_with(short) && !is_one(short, |data| data.soft) && !is_one(long, |data| data.soft);
    // The first part of a compound may lose its last letter: `Schulbus`.
    let first = if size > MIN_FIRST_PART { short.trim_end_matches('e') } else { short };
    let begins = size > MIN_PART
        && long
            .strip_prefix(first)
            .is_some_and(|end| size >= MIN_FIRST_PART || end.chars().count() <= MAX_ENDING);
    a == b || size >= MIN_PART && ends || begins
}
