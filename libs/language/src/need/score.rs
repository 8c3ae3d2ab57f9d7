//! The learned score: how much a text reads like those of people in need. The build script includes this file.
//!
//! Words, pairs of neighbouring words, runs of letters and concepts are hashed to two places each of a table of weights: what two
//! of them share at one place, the other place separates. A concept is a
//! list of words that mean something alike, in all languages: what a word of one language teaches is known of the others. A
//! window's score is the sum of its weights over the root of the sum of squares, so that long windows count no more than short
//! ones. What counts is the best window: a sentence, [`SHORT`] words of a long one, or as many sentences of a line as
//! [`LONGEST`] words hold.

use super::text::Part;

/// The places of the table of weights.
pub(crate) const PLACES: usize = 1 << 17;

/// The places of a table that tells kinds or languages apart.
pub(crate) const CLASS_PLACES: usize = 1 << 13;

/// The most steps of a weight, which is their square; two weights share a byte, each from 0 to twice this.
pub(crate) const MOST: i32 = 7;

/// The most words of a window.
const LONGEST: usize = 40;

/// The words of a window within a long sentence.
const SHORT: usize = 10;

/// The words of a long window, and how much less its margin says, as that of a window within a sentence: of a line that chats
/// about this and that, many words each speak a little of need.
const LONG: usize = 15;
const DOUBT: f32 = 0.25;

/// The shorter of the two runs of letters that are looked at, in bytes; the other has one more.
const RUN: usize = 4;

/// How much a word, a pair of words or a concept counts, beside a run of letters or a pair with a concept.
const WORD: i32 = 2;

/// How many words before it a concept makes pairs with.
const REACH: usize = 4;

/// The most concepts of a word.
const CONCEPTS: usize = 8;

/// Where in a window something counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where {
    /// Everywhere; the part of a word that tells kinds and languages apart as well.
    Word,
    /// Everywhere.
    Run,
    /// Everywhere.
    Concept,
    /// Where the word before belongs to the window: a pair of words, or of concepts.
    Pair,
    /// The same: a run of letters.
    PairRun,
    /// Where this number of words before belong to the window: a concept with a word, or with a concept further back.
    Concepts(usize),
    /// At the beginning of a window.
    Start,
    /// At the end of a window.
    End,
}

impl Where {
    /// How much it counts.
    pub(crate) fn value(self) -> i32 {
        if matches!(self, Where::Run | Where::PairRun | Where::Concepts(_)) { 1 } else { WORD }
    }

    /// How many words before it have to belong to the window.
    pub(crate) fn reach(self) -> usize {
        match self {
            Where::Pair | Where::PairRun => 1,
            Where::Concepts(words) => words,
            Where::Word | Where::Run | Where::Concept | Where::Start | Where::End => 0,
        }
    }
}

/// The concepts of a word, as numbers from 1; 0 is not a concept.
type Concepts = [u8; CONCEPTS];

/// The words that a word stands behind.
#[derive(Debug, Default)]
pub(crate) struct Past {
    last: String,
    /// The concepts of the last words, the last first.
    concepts: [Concepts; REACH],
}

impl Past {
    /// A line begins.
    pub(crate) fn clear(&mut self) {
        self.last.clear();
        self.concepts = Default::default();
    }
}

/// An entry of the table of concepts: a hash of a word or of a word's beginning, and the number of the concept.
pub(crate) fn entry(word: &str, is_beginning: bool, concept: u8) -> u32 {
    finish(hash(if is_beginning { 6 } else { 5 }, &[word])) << 8 | u32::from(concept)
}

/// The concepts of a word: those that list it, else those that list its longest beginning.
fn concepts_of(table: &[u32], word: &str) -> Concepts {
    let mut found = Concepts::default();
    let beginnings = (2..=word.len()).rev().filter_map(|to| word.get(..to));
    let asked = std::iter::once(entry(word, false, 0)).chain(beginnings.map(|part| entry(part, true, 0)));
    for from in asked {
        let at = table.partition_point(|entry| *entry < from);
        let entries = table[at..].iter().take_while(|entry| *entry >> 8 == from >> 8);
        found.iter_mut().zip(entries).for_each(|(concept, entry)| *concept = entry.to_le_bytes()[0]);
        if found[0] != 0 {
            break;
        }
    }
    found
}

fn known(concepts: &Concepts) -> impl Iterator<Item = u8> {
    concepts.iter().copied().take_while(|concept| *concept != 0)
}

/// Gives the hashes of a word behind others, and makes it the last of them.
pub(crate) fn places(table: &[u32], past: &mut Past, word: &str, mut give: impl FnMut(Where, usize)) {
    places_of_letters(&past.last, word, &mut give);
    let concepts = concepts_of(table, word);
    let number = |concept: u8| char::from_u32(256 + u32::from(concept)).unwrap_or_default();
    let pair = |one: &str, other: &str| place(8, &[one, other]);
    let mut texts = [[0; 4]; 2];
    for concept in known(&concepts) {
        let [text, before] = &mut texts;
        let text = number(concept).encode_utf8(text);
        give(Where::Concept, place(7, &[text]));
        if !past.last.is_empty() {
            give(Where::Concepts(1), pair(&past.last, text));
        }
        for (at, concepts) in past.concepts.iter().enumerate() {
            let reach = if at == 0 { Where::Pair } else { Where::Concepts(at + 1) };
            for concept in known(concepts) {
                give(reach, pair(number(concept).encode_utf8(before), text));
            }
        }
    }
    for concept in known(&past.concepts[0]) {
        give(Where::Concepts(1), pair(number(concept).encode_utf8(&mut texts[0]), word));
    }
    past.concepts.rotate_right(1);
    past.concepts[0] = concepts;
    past.last.clear();
    past.last.push_str(word);
}

fn places_of_letters(before: &str, word: &str, give: &mut impl FnMut(Where, usize)) {
    give(Where::Word, place(1, &[word]));
    if let Some(beginning) = word.get(..5).filter(|_| word.len() > 5) {
        give(Where::Word, place(2, &[beginning]));
    }
    give(Where::Start, place(3, &["", word]));
    give(Where::End, place(3, &[word, ""]));
    // The letters of a word between blanks, and those of two words around the blank between them.
    let mut letters = [b' '; 2 + 44];
    let length = word.len().min(44);
    letters[1..=length].copy_from_slice(&word.as_bytes()[..length]);
    let letters = &letters[..length + 2];
    runs(letters, |_, _, place| give(Where::Run, place));
    if before.is_empty() {
        return;
    }
    give(Where::Pair, place(3, &[before, word]));
    let before = before.as_bytes();
    let tail = &before[before.len().saturating_sub(3)..];
    let head = &letters[1..letters.len().min(4)];
    let mut around = [b' '; 7];
    around[..tail.len()].copy_from_slice(tail);
    around[tail.len() + 1..=tail.len() + head.len()].copy_from_slice(head);
    runs(&around[..=tail.len() + head.len()], |from, to, place| {
        if from < tail.len() && to > tail.len() + 1 {
            give(Where::PairRun, place);
        }
    });
}

/// Gives the runs of some letters: from, to, and the place.
fn runs(letters: &[u8], mut give: impl FnMut(usize, usize, usize)) {
    for from in 0..=letters.len().saturating_sub(RUN) {
        let Some((run, rest)) = letters[from..].split_at_checked(RUN) else { return };
        let hash = run.iter().copied().fold(begin(4), step);
        give(from, from + RUN, finish(hash) as usize);
        if let Some(next) = rest.first() {
            give(from, from + RUN + 1, finish(step(hash, *next)) as usize);
        }
    }
}

/// The two places of a hash in the table of weights.
pub(crate) fn both(hash: usize) -> [usize; 2] {
    [hash % PLACES, (hash >> 15) % PLACES]
}

fn place(tag: u32, words: &[&str]) -> usize {
    finish(hash(tag, words)) as usize
}

fn hash(tag: u32, words: &[&str]) -> u32 {
    words.iter().flat_map(|word| word.bytes().chain([b' '])).fold(begin(tag), step)
}

fn begin(tag: u32) -> u32 {
    0x811c_9dc5 ^ tag.wrapping_mul(0x9e37_79b1)
}

fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

fn finish(mut hash: u32) -> u32 {
    hash ^= hash >> 15;
    hash = hash.wrapping_mul(0x2c1b_3c6d);
    hash ^ hash >> 12
}

/// The windows of a text: for each its words, from and to.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    words: usize,
    sentence: usize,
}

impl Windows {
    /// Gives the windows that end with a part, and whether they are cut out of a sentence, then how many words are no longer needed.
    pub(crate) fn part(&mut self, part: Part<'_>, mut give: impl FnMut(usize, usize, bool)) -> usize {
        let is_word = matches!(part, Part::Word(_));
        self.words += usize::from(is_word);
        let (words, sentence) = (self.words, self.words - self.sentence);
        // Of a long sentence a few words may say it.
        if sentence > SHORT && (!is_word || sentence.is_multiple_of(SHORT / 2)) {
            give(words - SHORT, words, true);
        }
        if words == 0 || is_word && words < LONGEST {
            return 0;
        }
        give(0, words, false);
        if sentence > 0 && sentence < words {
            give(self.sentence, words, false);
        }
        let gone = match part {
            Part::Word(_) => LONGEST / 2,
            Part::Sentence => 0,
            Part::Line => words,
        };
        self.sentence = if is_word { self.sentence.saturating_sub(gone) } else { words - gone };
        self.words -= gone;
        gone
    }
}

/// What training made: weights, and what turns their sums into margins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Model {
    /// The concepts, an [`entry`] each, sorted.
    pub(crate) concepts: &'static [u32],
    /// A weight per place.
    pub(crate) weights: &'static [u8],
    /// The margin of a step of a weight, and of no weight at all.
    pub(crate) scale: [f32; 2],
    /// A table of [`CLASS_PLACES`] weights for each output: the kinds in their order, then the languages.
    pub(crate) classes: &'static [u8],
    /// The same as `scale`, per output.
    pub(crate) class_scales: &'static [[f32; 2]],
    /// The languages, by code.
    pub(crate) languages: &'static [&'static str],
}

/// The most outputs of a model.
const OUTPUTS: usize = 8;

/// A sum of weights, and of the squares of what they count.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    weights: i32,
    squares: i32,
}

impl Sum {
    fn add(&mut self, table: &[u8], place: usize, value: i32) {
        let steps = i32::from(table[place / 2] >> (place % 2 * 4) & 15) - MOST;
        self.weights += steps * steps.abs() * value;
        self.squares += value * value;
    }

    fn plus(self, other: Sum) -> Sum {
        Sum { weights: self.weights + other.weights, squares: self.squares + other.squares }
    }

    fn margin(self, [scale, bias]: [f32; 2]) -> f32 {
        bias + scale * self.weights as f32 / (self.squares.max(1) as f32).sqrt()
    }
}

/// The concepts that name persons, those who speak first: the first lines of the list, in which articles stand among the words
/// for `they`.
const PERSONS: [u8; 14] = [1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/// A word of the windows that are open.
#[derive(Debug, Clone, Copy, Default)]
struct Word {
    /// What counts where this number of words before belong to the window.
    own: [Sum; REACH + 1],
    start: Sum,
    end: Sum,
    classes: [Sum; OUTPUTS],
}

/// The best window of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Best {
    /// How far it is on the side of need.
    pub(crate) margin: f32,
    classes: [Sum; OUTPUTS],
}

/// Reads a text part by part.
pub(crate) struct Reader {
    model: Model,
    windows: Windows,
    open: Vec<Word>,
    past: Past,
    best: Option<Best>,
    /// The best margin, less what is doubtful about its window.
    pub(crate) sure: f32,
    /// How many words there were.
    pub(crate) words: usize,
    /// Whether one of them names a person.
    pub(crate) names_somebody: bool,
}

impl Reader {
    pub(crate) fn new(model: Model) -> Reader {
        let open = Vec::with_capacity(LONGEST);
        Reader {
            model,
            windows: Windows::default(),
            open,
            past: Past::default(),
            best: None,
            sure: f32::MIN,
            words: 0,
            names_somebody: false,
        }
    }

    /// Reads a part.
    pub(crate) fn part(&mut self, part: Part<'_>) {
        if let Part::Word(word) = part {
            self.word(word);
        }
        let Reader { model, windows, open, best, sure, .. } = self;
        let gone = windows.part(part, |from, to, is_cut| {
            let window = of_window(&open[from..to], *model);
            let is_doubtful = is_cut || to - from >= LONG;
            *sure = sure.max(window.margin - if is_doubtful { DOUBT } else { 0.0 });
            if best.is_none_or(|best| best.margin < window.margin) {
                *best = Some(window);
            }
        });
        open.drain(..gone);
        if open.is_empty() {
            self.past.clear();
        }
    }

    fn word(&mut self, text: &str) {
        let mut word = Word::default();
        let Model { concepts, weights, classes, .. } = self.model;
        places(concepts, &mut self.past, text, |at, place| {
            let sums = match at {
                Where::Start => std::slice::from_mut(&mut word.start),
                Where::End => std::slice::from_mut(&mut word.end),
                _ => &mut word.own[at.reach()..],
            };
            for sum in sums {
                both(place).into_iter().for_each(|place| sum.add(weights, place, at.value()));
            }
            if matches!(at, Where::Word | Where::Run | Where::Concept) {
                for (sum, classes) in word.classes.iter_mut().zip(classes.chunks(CLASS_PLACES / 2)) {
                    sum.add(classes, place % CLASS_PLACES, at.value());
                }
            }
        });
        self.names_somebody |= known(&self.past.concepts[0]).any(|concept| PERSONS.contains(&concept));
        self.open.push(word);
        self.words += 1;
    }

    /// The best window.
    pub(crate) fn best(&self) -> Option<Best> {
        self.best
    }
}

fn of_window(words: &[Word], model: Model) -> Best {
    let mut all = words[0].start.plus(words[words.len() - 1].end);
    let mut classes = [Sum::default(); OUTPUTS];
    for (at, word) in words.iter().enumerate() {
        all = all.plus(word.own[at.min(REACH)]);
        classes.iter_mut().zip(word.classes).for_each(|(classes, of_word)| *classes = classes.plus(of_word));
    }
    Best { margin: all.margin(model.scale), classes }
}

impl Best {
    /// The kind of need, as a number; something else adds to the margin of each.
    pub(crate) fn kind(&self, model: Model, add: impl Fn(usize) -> f32) -> usize {
        self.output(model, 0..KINDS, add)
    }

    /// The language's code.
    pub(crate) fn language(&self, model: Model) -> &'static str {
        model.languages[self.output(model, KINDS..model.class_scales.len(), |_| 0.0) - KINDS]
    }

    fn output(&self, model: Model, of: std::ops::Range<usize>, add: impl Fn(usize) -> f32) -> usize {
        let margin = |at: &usize| self.classes[*at].margin(model.class_scales[*at]) + add(*at);
        of.max_by(|a, b| margin(a).total_cmp(&margin(b))).unwrap_or(0)
    }
}

/// How many kinds of need there are.
pub(crate) const KINDS: usize = 3;
