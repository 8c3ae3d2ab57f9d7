//! What an address carries of what is private: words of memories, files and pages, plain or encoded.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::needles::Needles;

/// The shortest word that counts, in characters: of letters alone, and with a digit in it.
const SHORTEST: usize = 5;
const SHORTEST_WITH_DIGIT: usize = 4;

/// From this length on a word counts within a longer one too, in characters.
const DISTINCT: usize = 7;

/// The longest word that is looked for; of a longer one its beginning is, in characters.
const LONGEST: usize = 40;

/// An address that is longer is not looked through: it carries something, in bytes.
const LONGEST_ADDRESS: usize = 512;

/// Words that are in many addresses and therefore say nothing.
const USUAL: &[&str] = &[
    "about",
    "archive",
    "article",
    "articles",
    "author",
    "blogs",
    "category",
    "content",
    "default",
    "download",
    "downloads",
    "files",
    "https",
    "images",
    "index",
    "latest",
    "login",
    "media",
    "pages",
    "posts",
    "public",
    "query",
    "search",
    "static",
    "title",
    "topic",
    "topics",
    "users",
    "version",
    "watch",
];

/// Four digits that are more likely a year.
const YEARS: std::ops::RangeInclusive<u32> = 1900..=2099;

/// How much is looked at, in bytes: the newest texts count.
const MOST_BYTES: usize = 512 * 1024;

/// How often an address is decoded, one encoding within the other.
const MOST_LAYERS: usize = 3;

/// What may not be carried, made ready once for all links of an answer.
#[derive(Debug, Default)]
pub(super) struct Private {
    words: HashSet<String>,
    /// The texts in which an address may stand: it was named, and not made up.
    naming: Vec<String>,
}

impl Private {
    pub(super) fn new(needles: &Needles) -> Private {
        let mut left = MOST_BYTES;
        let newest = needles.private.iter().rev().take_while(|text| {
            let fits = text.len() <= left;
            left = left.saturating_sub(text.len());
            fits
        });
        let newest: Vec<&String> = newest.collect();
        let mut words: HashSet<String> = newest.iter().flat_map(|text| counting(text)).collect();
        let said = needles.typed.last().map(String::as_str).unwrap_or_default();
        for word in counting(said).filter(|word| !has_digit(word)) {
            words.remove(&word);
        }
        let naming = newest.into_iter().chain(&needles.typed).cloned().collect();
        Private { words, naming }
    }

    /// Whether an address carries a word of what is private. One that a text names, or the person typed, carries none.
    pub(super) fn is_in(&self, address: &str) -> bool {
        self.is_among(address, || free(address))
    }

    /// The same for what follows `mailto:` or `tel:`, of which only the registered name of a mail's host is not free.
    pub(super) fn is_in_recipient(&self, recipient: &str) -> bool {
        self.is_among(recipient, || match recipient.split_once('@') {
            Some((name, host)) => [free(host), vec![name.to_owned()]].concat(),
            None => vec![recipient.to_owned()],
        })
    }

    fn is_among(&self, address: &str, free: impl FnOnce() -> Vec<String>) -> bool {
        let named = || self.naming.iter().any(|text| text.contains(address));
        let carries = || {
            address.len() > LONGEST_ADDRESS || carried(free()).iter().any(|word| self.words.contains(word))
        };
        !self.words.is_empty() && !named() && carries()
    }
}

/// The words of a text that count, in small letters.
fn counting(text: &str) -> impl Iterator<Item = String> {
    let counts = |word: &String| match has_digit(word) {
        true => {
            let year = word.len() == 4 && word.parse().is_ok_and(|year: u32| YEARS.contains(&year));
            word.chars().count() >= SHORTEST_WITH_DIGIT && !year
        }
        false => word.chars().count() >= SHORTEST && !USUAL.contains(&word.as_str()),
    };
    words(text).map(|word| word.chars().take(LONGEST).collect()).filter(counts)
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(|word| word.chars().flat_map(char::to_lowercase).collect())
}

/// The parts of an address that say more than who is asked.
fn free(address: &str) -> Vec<String> {
    let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    // The registered name says who is asked; what stands before it can say more.
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    let labels: Vec<&str> = name.split('.').collect();
    vec![labels[..labels.len().saturating_sub(2)].join("."), port.to_owned(), path.to_owned()]
}

/// Every word that these parts could carry: what stands in them, decoded, squeezed, and the parts of long words.
fn carried(mut layer: Vec<String>) -> HashSet<String> {
    let mut found = HashSet::new();
    for _ in 0..=MOST_LAYERS {
        for text in &layer {
            // Letters one by one, with signs between them.
            let squeezed: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            for word in words(text).chain(words(&squeezed)) {
                parts(&word, &mut found);
                found.insert(word);
            }
        }
        layer = layer.iter().flat_map(|text| decoded(text)).collect();
    }
    found
}

/// The parts of a word that could be a distinct word on their own, backwards too.
fn parts(word: &str, found: &mut HashSet<String>) {
    let letters: Vec<char> = word.chars().collect();
    let backwards: Vec<char> = letters.iter().rev().copied().collect();
    for letters in [&letters, &backwards] {
        for from in 0..letters.len() {
            for length in DISTINCT..=LONGEST.min(letters.len() - from) {
                found.insert(letters[from..from + length].iter().collect());
            }
        }
        // A run of digits counts within a longer word too.
        for run in letters.split(|c| !c.is_ascii_digit()).filter(|run| run.len() >= SHORTEST_WITH_DIGIT) {
            found.insert(run.iter().collect());
        }
    }
    found.insert(backwards.into_iter().collect());
}

/// What a text of an address stands for where it, or a piece of it, is encoded.
fn decoded(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let plain = unquoted(text);
    if plain != text {
        found.push(plain);
    }
    for piece in text.split(['/', '?', '#', '&', '=', ';', '.', ':']).filter(|piece| piece.len() >= 6) {
        let bytes = URL_SAFE_NO_PAD.decode(piece).or_else(|_| STANDARD_NO_PAD.decode(piece));
        let texts = [bytes.ok(), hex(piece)].into_iter().flatten();
        found.extend(texts.filter_map(|bytes| String::from_utf8(bytes).ok()));
    }
    found
}

fn hex(piece: &str) -> Option<Vec<u8>> {
    let digits = piece.strip_prefix("0x").unwrap_or(piece);
    let pairs = digits.len().is_multiple_of(2).then(|| digits.as_bytes().chunks(2))?;
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

fn unquoted(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}
