//! The language of comments and documents: plain technical English.

use std::fs;

use tameclaw_tests::world::workspace;

use crate::tree::{files_below, sources};

/// What is not written, and what to write in its place.
const DIALECT: [(&str, &str); 16] = [
    ("whoever", "anyone who, the person who, a program that"),
    ("whatever", "anything that, regardless of"),
    ("is told", "learns, reads, gets a message"),
    ("are told", "learn, read, get a message"),
    ("was told", "learned, got a message"),
    ("were told", "learned, got a message"),
    ("found wanting", "fails the check"),
    ("no such", "does not exist, is unknown"),
    ("lies in", "is in, is stored in"),
    ("lie in", "are in, are stored in"),
    ("lies at", "is at"),
    ("goes on", "continues"),
    ("go on", "continue"),
    ("by itself", "automatically, alone"),
    ("is no", "is not a"),
    ("are no", "are not"),
];

/// What may follow: `is no longer`, `is no more than`; `no such file` is what the system says. And `there is no` is English.
const LAWFUL: [&str; 6] = ["longer", "more", "less", "later", "file", "process"];

/// Each place of a text where the dialect is written: the number of its line, and what to write in its place. A phrase may be broken
/// over two lines.
fn dialect(lines: &[(usize, &str)]) -> Vec<(usize, String)> {
    let (mut words, mut numbers) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        for word in line.split_whitespace() {
            words.push(word.to_lowercase());
            numbers.push(*number);
        }
    }
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut found = Vec::new();
    for at in 0..words.len() {
        for (phrase, instead) in DIALECT {
            let parts: Vec<&str> = phrase.split(' ').collect();
            let Some(window) = words.get(at..at + parts.len()) else { continue };
            // Words of a name in code, as `is_told`, are one word; a quotation or a sentence's end between two words parts them.
            let is_whole = window[..parts.len() - 1].iter().all(|word| word.ends_with(char::is_alphanumeric));
            let next = words.get(at + parts.len()).map(|word| bare(word)).unwrap_or_default();
            let is_negation = phrase.ends_with(" no");
            let of_there = at > 0 && bare(&words[at - 1]) == "there";
            let is_lawful = LAWFUL.contains(&next.as_str()) || is_negation && (of_there || next.is_empty());
            let is_near = numbers[at + parts.len() - 1] - numbers[at] <= 1;
            let is_said = window.iter().zip(&parts).all(|(word, part)| bare(word) == **part);
            let ends = is_negation && !window[parts.len() - 1].ends_with("no");
            if is_said && is_near && is_whole && !is_lawful && !ends {
                found.push((numbers[at], format!("`{phrase}`: {instead}")));
            }
        }
    }
    found
}

/// Fails with every place.
#[track_caller]
fn assert_plain(found: Vec<String>) {
    assert!(found.is_empty(), "{} places are not in plain words:\n{}", found.len(), found.join("\n"));
}

#[test]
fn comments_are_in_plain_words() {
    let mut found = Vec::new();
    for source in sources() {
        let comment = |(number, line): (usize, &'static str)| {
            let line = line.trim_start().strip_prefix("//")?;
            Some((number + 1, line.trim_start_matches(['/', '!'])))
        };
        let text: &'static str = source.text.leak();
        let lines: Vec<(usize, &str)> = text.lines().enumerate().filter_map(comment).collect();
        assert!(source.path != "shared-types/src/lib.rs" || lines.len() > 3, "no comment was found");
        found.extend(
            dialect(&lines).into_iter().map(|(number, what)| format!("{}:{number}: {what}", source.path)),
        );
    }
    assert_plain(found);
}

#[test]
fn documents_are_in_plain_words() {
    let mut found = Vec::new();
    for path in files_below(workspace()) {
        let name = path.strip_prefix(workspace()).expect("it was found there").display().to_string();
        // What was said at the time of a release stays, personas speak to a model, and what a program printed is quoted in blocks.
        if !name.ends_with(".md")
            || name == "CHANGELOG.md"
            || name.starts_with("config/")
            || name.contains("/fixtures/")
        {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a document is UTF-8");
        let mut in_block = false;
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
            } else if !in_block {
                lines.push((number + 1, line));
            }
        }
        found.extend(dialect(&lines).into_iter().map(|(number, what)| format!("{name}:{number}: {what}")));
    }
    assert_plain(found);
}

#[test]
fn the_dialect_is_seen_over_two_lines_and_a_name_of_code_is_not_one() {
    let of = |text: &str| {
        let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
        dialect(&lines).into_iter().map(|(number, _)| number).collect::<Vec<_>>()
    };
    assert_eq!(of("The person is\ntold of it."), [0]);
    assert_eq!(of("Whoever reads of no such thing reads `no such file`."), [0, 0]);
    assert_eq!(of("It is\n\ntold."), [0_usize; 0]);
    assert_eq!(
        of("This is no longer so. The answer is no. It is no. There is no more, and there are no others."),
        [0_usize; 0]
    );
    assert_eq!(of("`is_told`, `by_itself`; \"is\" told"), [0_usize; 0]);
}
