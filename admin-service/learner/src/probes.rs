//! Plausible inputs that no example showed: built like the examples, from their own pieces and a few others.

use std::collections::BTreeSet;

use crate::pair::Pair;

/// How many probes are made.
const MOST: usize = 240;
/// Numbers that stand in for another one.
const NUMBERS: &[&str] = &[
    "40", "7", "3", "12", "58", "19", "90", "88", "100", "5", "10", "11", "21", "44", "94", "365", "999",
    "402", "1994", "2024", "1001", "3600", "31", "1", "2", "50", "99", "10000", "123456",
];
/// Words that stand in for another one.
const WORDS: &[&str] =
    &["lemon", "bird", "winter", "an", "elephant", "sky", "dress", "queue", "box", "city", "mmm"];

/// A piece of a text: digits, letters, or anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Digits,
    Letters,
    Other,
}

fn sort_of(letter: char) -> Sort {
    match letter {
        c if c.is_ascii_digit() => Sort::Digits,
        c if c.is_alphabetic() => Sort::Letters,
        _ => Sort::Other,
    }
}

/// The pieces of a text.
fn pieces(text: &str) -> Vec<(Sort, String)> {
    let mut found: Vec<(Sort, String)> = Vec::new();
    for letter in text.chars() {
        let sort = sort_of(letter);
        match found.last_mut() {
            Some((same, piece)) if *same == sort => piece.push(letter),
            _ => found.push((sort, letter.to_string())),
        }
    }
    found
}

/// The frame of a text: which pieces it has, without their letters and digits.
fn frame(pieces: &[(Sort, String)]) -> String {
    let one = |(sort, piece): &(Sort, String)| {
        match sort {
            Sort::Digits => "0",
            Sort::Letters => "a",
            Sort::Other => piece.as_str(),
        }
        .to_owned()
    };
    pieces.iter().map(one).collect()
}

/// The frame of a text, by which similar pairs are recognised.
pub(crate) fn frame_of(text: &str) -> String {
    frame(&pieces(text))
}

/// Inputs that are built as those of the pairs, in the order in which they are asked about.
pub(crate) fn like(pairs: &[Pair]) -> Vec<String> {
    let taken: Vec<Vec<(Sort, String)>> = pairs.iter().map(|pair| pieces(&pair.input)).collect();
    let in_all = |piece: &(Sort, String)| taken.iter().all(|pieces| pieces.contains(piece));
    let known: BTreeSet<&str> = pairs.iter().map(|pair| pair.input.as_str()).collect();
    let mut found: Vec<String> = Vec::new();
    // The places in turn, so that a bound cuts none of the examples off.
    let longest = taken.iter().map(Vec::len).max().unwrap_or_default();
    for place in 0..longest {
        for base in &taken {
            let Some(piece) = base.get(place).filter(|piece| piece.0 != Sort::Other && !in_all(piece)) else {
                continue;
            };
            for other in instead(piece, &of_place(place, base, &taken)) {
                let mut changed = base.clone();
                changed[place].1 = other;
                let text: String = changed.into_iter().map(|(_, piece)| piece).collect();
                if !known.contains(text.as_str()) && !found.contains(&text) {
                    found.push(text);
                }
            }
        }
    }
    // With very many, only every n-th one.
    let step = found.len().div_ceil(MOST).max(1);
    found.into_iter().step_by(step).collect()
}

/// Inputs with one word fewer or more than any example has.
pub(crate) fn of_other_lengths(pairs: &[Pair]) -> Vec<String> {
    let words = |pair: &Pair| pair.input.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = pairs.iter().map(words).collect();
    let mut found = Vec::new();
    for (at, own) in all.iter().enumerate() {
        let next = &all[(at + 1) % all.len()];
        if own.len() > 1 {
            found.push(own[..own.len() - 1].join(" "));
            found.push(own[1..].join(" "));
        }
        found.push([own.as_slice(), &next[..1.min(next.len())]].concat().join(" "));
        found.push([&next[..1.min(next.len())], own.as_slice()].concat().join(" "));
    }
    found
}

/// The pieces that stand at a place of the examples with the same frame, or all pieces where no other one has it.
fn of_place<'a>(
    place: usize,
    base: &[(Sort, String)],
    taken: &'a [Vec<(Sort, String)>],
) -> Vec<&'a (Sort, String)> {
    let own = frame(base);
    let same: Vec<&(Sort, String)> =
        taken.iter().filter(|other| frame(other) == own).filter_map(|other| other.get(place)).collect();
    if same.len() > 1 { same } else { taken.iter().flatten().collect() }
}

/// What may stand in place of a piece.
fn instead(piece: &(Sort, String), of_place: &[&(Sort, String)]) -> Vec<String> {
    let (sort, own) = piece;
    let same = || of_place.iter().filter(|(other, _)| other == sort).map(|(_, text)| text);
    let lengths: BTreeSet<usize> = same().map(|text| text.chars().count()).collect();
    let (least, most) = (lengths.first().copied().unwrap_or(1), lengths.last().copied().unwrap_or(1));
    match sort {
        Sort::Digits => {
            let leads = same().any(|text| text.starts_with('0'));
            let largest = same().filter_map(|text| text.parse::<u64>().ok()).max().unwrap_or_default();
            // What counts months, days, hours or minutes in all examples does not go beyond.
            let is_of_a_date = leads && largest <= 59;
            let fits = |text: &&&str| {
                let value: u64 = text.parse().unwrap_or_default();
                (least..=most).contains(&text.len()) && (!is_of_a_date || value <= largest)
            };
            let mut found: Vec<String> = NUMBERS.iter().filter(fits).map(|text| (*text).to_owned()).collect();
            if leads && least > 1 {
                found.push(format!("{:0>least$}", 3));
            }
            found.retain(|text| text != own);
            found
        }
        Sort::Letters => {
            let mut found: Vec<String> = same().filter(|text| *text != own).cloned().collect();
            let dressed = WORDS.iter().map(|word| dressed(word, own));
            let fits = |text: &String| text.len() + 2 >= least && text.len() <= most + 3;
            found.extend(dressed.filter(fits));
            found
        }
        Sort::Other => vec![],
    }
}

/// A word in small letters, capitals, or with a capital first, as another one is written.
fn dressed(word: &str, like: &str) -> String {
    let mut letters = like.chars();
    let first = letters.next().is_some_and(char::is_uppercase);
    let rest = letters.next().is_some_and(char::is_uppercase);
    match (first, rest) {
        (true, true) => word.to_uppercase(),
        (true, false) => word[..1].to_uppercase() + &word[1..],
        _ => word.to_owned(),
    }
}
