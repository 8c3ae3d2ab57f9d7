//! Lines to a piece, with as much memory as the stretch has different words and postings.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use language::terms::{each, is_small};

use super::layout::{Header, KILL, ROW, put_number};
use crate::hash::hash;
use crate::shape::{ByText, Shape, describe};

/// The words of one record that are indexed.
pub(crate) const MAX_WORDS: usize = 4096;
/// The size at which a block of the dictionary ends, in bytes.
const BLOCK: usize = 2048;

/// Takes the lines of a stretch, one after the other.
pub(crate) struct Builder {
    shape: Shape,
    start: u64,
    words: Vec<u8>,
    records: Vec<u8>,
    keys: Vec<(u64, u32)>,
    kills: Vec<(u64, u32)>,
    places: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    terms: Vec<Term>,
    spelling: String,
    word: String,
}

struct Term {
    at: u32,
    length: u8,
    seen: u32,
    last: u32,
    postings: Vec<u8>,
}

/// The keys are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers are keys of this map")
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

impl Builder {
    pub(crate) fn new(shape: Shape, start: u64) -> Builder {
        Builder {
            shape,
            start,
            words: vec![],
            records: vec![],
            keys: vec![],
            kills: vec![],
            places: HashMap::default(),
            terms: vec![],
            spelling: String::new(),
            word: String::new(),
        }
    }

    /// Takes a line that begins at `offset`, without its newline; one that was too long to be read is empty.
    pub(crate) fn add(&mut self, offset: u64, line: &[u8]) {
        let place = self.words.len() as u32;
        let line = describe(self.shape, line);
        self.kills.extend(line.kills.iter().flatten().map(|id| (*id, place)));
        let mut id = 0;
        let mut count = 0;
        if let Some(record) = line.record {
            id = record.id;
            count = self.text(&record.text, place, record.by_text).clamp(1, 255);
            self.keys.push((id, place));
            self.keys.extend(record.key.map(|key| (key, place)));
        }
        self.words.push(count as u8);
        self.records.extend(((offset - self.start) as u32).to_le_bytes());
        self.records.extend(id.to_le_bytes());
    }

    /// Adds the words of a text to the postings, and answers how many there are.
    fn text(&mut self, text: &str, place: u32, by_text: bool) -> usize {
        let Builder { places, terms, spelling, word, keys, .. } = self;
        let mut whole = ByText::default();
        let mut count = 0;
        each(text, word, |word| {
            let hashed = hash(word.as_bytes());
            whole.push(hashed);
            if count == MAX_WORDS || is_small(word) {
                return;
            }
            let mut slot = hashed;
            let n = loop {
                match places.get(&slot) {
                    None => {
                        let n = terms.len() as u32;
                        places.insert(slot, n);
                        let at = spelling.len() as u32;
                        spelling.push_str(word);
                        // At most 32 characters of 4 bytes.
                        let length = word.len() as u8;
                        terms.push(Term { at, length, seen: 0, last: 0, postings: vec![] });
                        break n;
                    }
                    Some(n) if terms[*n as usize].spelling(spelling) == word => break *n,
                    Some(_) => slot = slot.wrapping_add(1),
                }
            };
            let term = &mut terms[n as usize];
            if term.seen > 0 && term.last == place {
                return;
            }
            put_number(&mut term.postings, place - term.last);
            term.last = place;
            term.seen += 1;
            count += 1;
        });
        if by_text {
            keys.push((whole.key(), place));
        }
        count
    }

    /// The piece; `end` is where the stretch ends.
    pub(crate) fn finish(mut self, end: u64, fingerprint: u64) -> Vec<u8> {
        self.keys.sort_unstable();
        for (id, place) in &self.kills {
            let from = self.keys.partition_point(|(key, _)| key < id);
            let same = self.keys[from..].iter().take_while(|(key, at)| key == id && at < place);
            same.for_each(|(_, at)| self.words[*at as usize] = 0);
        }
        let mut kills: Vec<u64> = self.kills.iter().map(|(id, _)| *id).collect();
        kills.sort_unstable();
        kills.dedup();
        let (heads, blocks, postings) = dictionary(&mut self.terms, &self.spelling);
        let header = Header {
            start: self.start,
            end,
            lines: self.words.len() as u64,
            keys: self.keys.len() as u64,
            kills: kills.len() as u64,
            heads: heads.len() as u64,
            blocks: blocks.len() as u64,
            postings: postings.len() as u64,
            fingerprint,
        };
        let mut bytes = Vec::with_capacity(
            self.words.len() * (1 + ROW)
                + self.keys.len() * ROW
                + kills.len() * KILL
                + heads.len()
                + blocks.len()
                + postings.len()
                + super::layout::HEADER,
        );
        bytes.extend(header.to_bytes());
        bytes.extend(&self.words);
        bytes.extend(&self.records);
        for (key, place) in &self.keys {
            bytes.extend(key.to_le_bytes());
            bytes.extend(place.to_le_bytes());
        }
        kills.iter().for_each(|id| bytes.extend(id.to_le_bytes()));
        bytes.extend(&heads);
        bytes.extend(&blocks);
        bytes.extend(&postings);
        bytes
    }
}

impl Term {
    fn spelling<'a>(&self, all: &'a str) -> &'a str {
        &all[self.at as usize..self.at as usize + usize::from(self.length)]
    }
}

/// The heads, the blocks and the postings of all words.
fn dictionary(terms: &mut [Term], spelling: &str) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    terms.sort_unstable_by(|a, b| a.spelling(spelling).cmp(b.spelling(spelling)));
    let (mut heads, mut blocks, mut postings) = (Vec::new(), Vec::new(), Vec::new());
    let mut block_at = None;
    let mut before = "";
    for term in terms {
        let word = term.spelling(spelling);
        if block_at.is_none_or(|at| blocks.len() - at >= BLOCK) {
            block_at = Some(blocks.len());
            heads.extend((blocks.len() as u32).to_le_bytes());
            heads.push(term.length);
            heads.extend(word.as_bytes());
            blocks.extend((postings.len() as u32).to_le_bytes());
            before = "";
        }
        let shared = before.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        blocks.push(shared as u8);
        blocks.push((word.len() - shared) as u8);
        blocks.extend(&word.as_bytes()[shared..]);
        put_number(&mut blocks, term.seen);
        put_number(&mut blocks, term.postings.len() as u32);
        postings.append(&mut term.postings);
        before = word;
    }
    (heads, blocks, postings)
}
