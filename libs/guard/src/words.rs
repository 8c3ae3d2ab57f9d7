//! Text to words: what a reader would read, however it was written.
//!
//! `build.rs` reads the phrases of the rules with this file too.

use crate::chars;
use crate::hash::{self, EMPTY};

/// One word, with the other readings that its spelling allows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    /// The key of the word as written.
    pub(crate) key: u32,
    /// The letters of the word when the order of the inner ones does not count; none for a short word.
    pub(crate) scrambled: Option<Scrambled>,
    /// Keys of other readings: digits for letters, and what punctuation had cut apart.
    pub(crate) others: [Option<u32>; 3],
}

/// The letters of a word of which the inner ones may be swapped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scrambled {
    first: char,
    sum: u32,
    last: char,
    letters: u32,
}

impl Scrambled {
    /// The key of every word with these letters.
    pub(crate) fn key(self) -> u32 {
        hash::scrambled(self.first, self.sum, self.last, self.letters)
    }
}

/// Hears what stands in a text, in order.
pub(crate) trait Listener {
    fn word(&mut self, word: &Word);
    /// A sentence ends, or with `paragraph` a paragraph.
    fn stop(&mut self, paragraph: bool);
    /// A line ends.
    fn line(&mut self);
    /// A sign, bracket or line start with which markup may begin; `rest` begins with it.
    fn mark(&mut self, rest: &str, line_start: bool);
    /// The word before it continued with an `@`, as a mail address does.
    fn at_sign(&mut self);
    /// Letters that stood alone, in a row: with `true` where a wider gap stood before the letter.
    fn spaced(&mut self, letters: &[(char, bool)]);
}

/// What was unusual about the characters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Oddities {
    /// Invisible characters that no script needs.
    pub(crate) invisible: usize,
    /// Words that mix Latin letters with look-alikes of other scripts.
    pub(crate) mixed: usize,
    /// Text in Unicode tag characters.
    pub(crate) tagged: String,
}

/// Reads a text.
pub(crate) fn read<L: Listener>(text: &str, listener: &mut L) -> Oddities {
    let mut reader =
        Reader { listener, word: Letters::default(), odd: Oddities::default(), run: Run::default() };
    reader.read(text);
    reader.odd
}

/// The longest row of single letters that is put together.
const MOST_SPACED: usize = 512;

/// The most hidden text that is kept for judging, in bytes.
const MOST_TAGGED: usize = 64 * 1024;

/// What each letter adds to a key that does not see their order.
static UNORDERED: [u32; 26] = {
    let mut sums = [0; 26];
    let mut at = 0;
    while at < 26 {
        sums[at] = hash::unordered((b'a' + at as u8) as char);
        at += 1;
    }
    sums
};

/// The letters of the word that is being read.
#[derive(Default)]
struct Letters {
    hash: u32,
    count: u32,
    first: char,
    last: char,
    sum: u32,
    /// Whether a letter stood in it, and not only digits.
    lettered: bool,
    /// Two readings of digits and signs, from the first one on.
    leet: Option<(u32, u32)>,
    /// Where letters of another script were read as Latin ones.
    latin: Option<u32>,
    has_latin: bool,
    all_alike: bool,
    /// The hash of what stood before without a space, and how many pieces that were.
    glued: Option<u32>,
}

/// A row of letters that stand alone.
#[derive(Default)]
struct Run {
    letters: Vec<(char, bool)>,
    /// What stood between the first two.
    gap: Option<(u8, usize)>,
}

struct Reader<'a, L> {
    listener: &'a mut L,
    word: Letters,
    odd: Oddities,
    run: Run,
}

impl<L: Listener> Reader<'_, L> {
    fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        // What stood since the last word: its first byte and its length.
        let mut gap: (u8, usize) = (b'\n', 2);
        let mut line_start = true;
        let mut newlines = 0;
        self.word.begin(None);
        if bytes.first().is_some_and(u8::is_ascii_alphanumeric) {
            self.listener.mark(text, true);
        }
        while at < bytes.len() {
            let byte = bytes[at];
            if byte.is_ascii_alphabetic() {
                if self.word.count == 0 {
                    // A sign that stands for a letter has begun it already.
                    if self.word.leet.is_none() {
                        self.begin_word(gap);
                    }
                    if line_start && at > 0 {
                        self.listener.mark(&text[at..], true);
                    }
                }
                at += self.word.push_letters(&bytes[at..]);
            } else if byte.is_ascii() {
                let next = bytes.get(at + 1).copied().unwrap_or(b' ');
                let in_word = self.word.count > 0;
                if byte.is_ascii_digit() {
                    if !in_word {
                        self.begin_word(gap);
                    }
                    self.word.push_digit(byte);
                    at += 1;
                    continue;
                }
                if in_word && next.is_ascii_alphabetic() && byte == b'\'' {
                    at += 1;
                    continue;
                }
                if matches!(byte, b'@' | b'$' | b'!' | b'|' | b'+') && next.is_ascii_alphanumeric() {
                    if byte == b'@' && in_word {
                        self.listener.at_sign();
                    }
                    if in_word || matches!(byte, b'@' | b'$') {
                        if !in_word {
                            self.begin_word(gap);
                        }
                        self.word.push_sign(byte);
                        at += 1;
                        continue;
                    }
                }
                if in_word {
                    let glue = matches!(
                        byte,
                        b'-' | b'.' | b'_' | b'*' | b'~' | b'/' | b'\\' | b'^' | b'|' | b'"' | b'+' | b','
                    );
                    self.end_word(glue && next.is_ascii_alphanumeric());
                    gap = (byte, 0);
                    newlines = 0;
                    line_start = false;
                }
                gap.1 += 1;
                match byte {
                    b'\n' => {
                        newlines += 1;
                        self.listener.line();
                        line_start = true;
                        if newlines == 2 {
                            self.listener.stop(true);
                        }
                    }
                    b'.' | b'!' | b'?' | b';'
                        if next.is_ascii_whitespace() || next == b'"' || next == b'\'' =>
                    {
                        self.listener.stop(false);
                    }
                    b'<' | b'[' | b'#' | b'{' | b'-' | b'=' | b'!' | b'(' | b'$' => {
                        self.listener.mark(&text[at..], line_start);
                    }
                    _ => {}
                }
                at += 1;
            } else {
                let c = text[at..].chars().next().expect("`at` is within the text and at a character");
                at += c.len_utf8();
                if !self.other(c, &mut gap, &mut line_start) {
                    newlines = 0;
                }
            }
        }
        self.end_word(false);
        self.end_run();
    }

    /// Takes a character outside ASCII; whether it was passed over.
    fn other(&mut self, c: char, gap: &mut (u8, usize), line_start: &mut bool) -> bool {
        if chars::is_invisible(c) {
            if let Some(ascii) = chars::tagged(c).filter(|_| self.odd.tagged.len() < MOST_TAGGED) {
                self.odd.tagged.push(ascii);
            }
            self.odd.invisible += usize::from(!chars::is_joiner(c));
            return true;
        }
        if matches!(c, '’' | 'ʼ' | '‘') && self.word.count > 0 {
            return true;
        }
        let mut any = false;
        chars::fold(c, |part| {
            if !part.is_alphanumeric() {
                return;
            }
            any = true;
            if chars::stands_alone(part) {
                self.end_word(false);
                self.begin_word((b' ', 2));
                self.word.push_other(part);
                self.end_word(false);
                return;
            }
            if self.word.count == 0 {
                self.begin_word(*gap);
            }
            match part {
                'a'..='z' => self.word.push_latin(part),
                '0'..='9' => self.word.push_digit(part as u8),
                _ => self.word.push_other(part),
            }
        });
        if any {
            *line_start = false;
            *gap = (b' ', 0);
        } else {
            self.end_word(false);
            gap.1 += 1;
            if matches!(c, '。' | '！' | '？' | '；' | '¡' | '¿' | '…') {
                self.listener.stop(false);
            }
        }
        false
    }

    fn begin_word(&mut self, gap: (u8, usize)) {
        if self.word.glued.is_none() {
            self.word.begin(None);
        }
        let wide = match self.run.gap {
            _ if self.run.letters.is_empty() => true,
            None => {
                self.run.gap = Some(gap);
                false
            }
            Some(first) => gap.1 > first.1 || gap.0 != first.0,
        };
        self.run.letters.push(('\0', wide));
    }

    fn end_word(&mut self, glue: bool) {
        let word = &mut self.word;
        if word.count == 0 {
            word.begin(None);
            return;
        }
        let (primary, foreign) = match word.latin {
            Some(latin) if word.has_latin => {
                self.odd.mixed += 1;
                (latin, None)
            }
            Some(latin) if word.all_alike => (word.hash, Some(latin)),
            _ => (word.hash, None),
        };
        let glued = word.glued;
        let leet = word.leet.filter(|_| word.lettered);
        let read = Word {
            key: hash::key(primary),
            scrambled: (word.count >= 6).then_some(Scrambled {
                first: word.first,
                sum: word.sum,
                last: word.last,
                letters: word.count,
            }),
            others: [
                foreign.or(leet.map(|l| l.0)).map(hash::key),
                leet.filter(|l| l.0 != l.1).map(|l| hash::key(l.1)),
                glued.map(hash::key),
            ],
        };
        let single = word.count == 1 && word.lettered;
        let letter = word.last;
        let next = glue.then(|| glued.unwrap_or(primary));
        word.begin(next);
        // A row of single letters comes before the word that ends it.
        self.grow_run(single, letter);
        self.listener.word(&read);
    }

    fn grow_run(&mut self, single: bool, letter: char) {
        match self.run.letters.last_mut() {
            Some(last) if single => last.0 = letter,
            Some(_) => {
                self.run.letters.pop();
                self.end_run();
            }
            None => {}
        }
        if self.run.letters.len() >= MOST_SPACED {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        if self.run.letters.len() >= 4 {
            self.listener.spaced(&self.run.letters);
        }
        self.run.letters.clear();
        self.run.gap = None;
    }
}

impl Letters {
    fn begin(&mut self, glued: Option<u32>) {
        *self = Letters { hash: EMPTY, all_alike: true, glued, ..Letters::default() };
    }

    /// Takes the ASCII letters at the front, of which there is one at least: all at once where the word has one reading only.
    fn push_letters(&mut self, bytes: &[u8]) -> usize {
        let lower = |byte: u8| char::from(byte | 0x20);
        if self.leet.is_some() || self.latin.is_some() || self.glued.is_some() {
            self.push_latin(lower(bytes[0]));
            return 1;
        }
        if self.count == 0 {
            self.first = lower(bytes[0]);
        }
        let (mut hash, mut sum, mut length) = (self.hash, self.sum, 0);
        for byte in bytes.iter().take_while(|b| b.is_ascii_alphabetic()) {
            let letter = byte | 0x20;
            hash = hash::with(hash, char::from(letter));
            sum = sum.wrapping_add(UNORDERED[usize::from(letter - b'a')]);
            length += 1;
        }
        (self.hash, self.sum, self.last) = (hash, sum, lower(bytes[length - 1]));
        self.count += u32::try_from(length).expect("a word is shorter than 4 GiB");
        (self.has_latin, self.lettered) = (true, true);
        length
    }

    fn push_latin(&mut self, letter: char) {
        self.push(letter);
        self.has_latin = true;
        self.lettered = true;
        if let Some((i, l)) = &mut self.leet {
            (*i, *l) = (hash::with(*i, letter), hash::with(*l, letter));
        }
        if let Some(latin) = &mut self.latin {
            *latin = hash::with(*latin, letter);
        }
    }

    fn push_digit(&mut self, digit: u8) {
        self.read_as(digit);
        self.push(char::from(digit));
        if let Some(latin) = &mut self.latin {
            *latin = hash::with(*latin, char::from(digit));
        }
    }

    fn push_sign(&mut self, sign: u8) {
        self.read_as(sign);
        if self.count > 0 {
            self.push(char::from(sign));
        }
    }

    fn push_other(&mut self, letter: char) {
        let before = self.latin.unwrap_or(self.hash);
        let alike = chars::look_alike(letter);
        self.all_alike &= alike.is_some();
        self.latin = Some(hash::with(before, alike.unwrap_or(letter)));
        self.lettered = true;
        self.push(letter);
    }

    fn push(&mut self, letter: char) {
        if self.count == 0 {
            self.first = letter;
        }
        self.hash = hash::with(self.hash, letter);
        self.sum = self.sum.wrapping_add(hash::unordered(letter));
        self.last = letter;
        self.count += 1;
        if let Some(glued) = &mut self.glued {
            *glued = hash::with(*glued, letter);
        }
    }

    fn read_as(&mut self, sign: u8) {
        let (mut i, mut l) = self.leet.unwrap_or((self.hash, self.hash));
        let (as_i, as_l) = chars::leet(sign).unwrap_or((char::from(sign), char::from(sign)));
        (i, l) = (hash::with(i, as_i), hash::with(l, as_l));
        self.leet = Some((i, l));
    }
}

// The path is given because `build.rs` reads this file too.
#[cfg(test)]
#[path = "words/tests.rs"]
mod tests;
