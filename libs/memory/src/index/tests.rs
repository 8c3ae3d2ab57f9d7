use std::collections::BTreeMap;
use std::fs;

use language::terms::{self, distinct};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::chain::{Chain, UNIT_LINES};
use super::search::{best, holding_all};
use super::segment::{Block, Bytes, Segment};
use crate::files::{Disk, Files};
use crate::rank;
use crate::shape::Shape;

/// A log of lines and its folder.
struct Log {
    folder: tempfile::TempDir,
}

impl Log {
    fn of(lines: &[String]) -> Log {
        let log = Log { folder: tempfile::tempdir().unwrap() };
        log.write(lines);
        log
    }

    fn write(&self, lines: &[String]) {
        let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
        fs::write(self.folder.path().join("facts.jsonl"), text).unwrap();
    }

    fn files(&self) -> Disk {
        Disk::new(self.folder.path())
    }

    fn with<T>(&self, extend: bool, look: impl FnOnce(&Chain<'_>) -> T) -> T {
        let files = self.files();
        let file = files.open("facts.jsonl").unwrap().unwrap();
        let end = file.metadata().unwrap().len();
        let mut chain = Chain::discover(&files, "facts.jsonl", Shape::Facts, &file, end).unwrap();
        if extend {
            chain.extend(&|_, _| {}).unwrap();
        }
        chain.complete().unwrap();
        look(&chain)
    }

    /// The numbers of the best lines, with their scores.
    fn best(&self, query: &str, limit: usize) -> Vec<(u64, f32)> {
        self.with(false, |chain| {
            let hits = best(&chain.segments, &terms::query(query), limit).unwrap();
            hits.iter().map(|h| (chain.segments[h.segment].first + h.line, h.score)).collect()
        })
    }

    fn pieces(&self) -> Vec<String> {
        let mut names = self.files().index_names().unwrap();
        names.sort();
        names
    }
}

fn fact(id: u64, text: &str) -> String {
    json!({"id": id.to_string(), "text": text}).to_string()
}

/// The same ranking, by reading every line and comparing every word.
fn naive(lines: &[String], query: &str, limit: usize) -> Vec<(u64, f32)> {
    let records: Vec<Value> = lines.iter().map(|l| serde_json::from_str(l).unwrap_or(Value::Null)).collect();
    let words: Vec<Vec<String>> =
        records.iter().map(|r| r["text"].as_str().map(|t| distinct(t, 4096)).unwrap_or_default()).collect();
    let mut live: BTreeMap<usize, &str> = BTreeMap::new();
    for (n, record) in records.iter().enumerate() {
        for key in ["forgets", "replaces"] {
            live.retain(|_, id| record[key].as_str() != Some(id));
        }
        if let (Some(id), true) = (record["id"].as_str(), record["text"].is_string()) {
            live.insert(n, id);
        }
    }
    let terms = terms::query(query);
    let seen = |term: &String| words.iter().flatten().filter(|w| rank::alike(term, w)).count() as u64;
    let total = lines.len() as u64;
    let weights: Vec<f32> = terms.iter().map(|t| rank::weight(seen(t), total)).collect();
    let mut hits = Vec::new();
    for n in live.keys() {
        let mut sum = 0.0;
        for (term, weight) in terms.iter().zip(&weights) {
            let gain = words[*n].iter().filter(|w| rank::alike(term, w));
            sum += gain.map(|w| weight * rank::factor(w == term)).fold(0.0, f32::max);
        }
        if sum > 0.0 {
            let count = words[*n].len().clamp(1, 255) as u8;
            hits.push((*n as u64, rank::score(sum, count, *n as u64, total)));
        }
    }
    hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    hits.truncate(limit);
    hits
}

/// A word of a small vocabulary, so that words repeat and begin alike.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]{1,2}",
        "(garten|gärten|gartens|gardening|garde|gard|house|houses|housing|the|is)",
        "[猫犬我的]{1,3}",
        "(Кот|коты|СОБАКА|собаки)",
    ]
}

fn lines(most: usize) -> impl Strategy<Value = Vec<String>> {
    let text = proptest::collection::vec(word(), 0..7).prop_map(|words| words.join(" "));
    let line = (text, 0..40u64, proptest::option::weighted(0.2, 0..40u64), 0..12u8);
    proptest::collection::vec(line, 1..most).prop_map(|lines| {
        let line = |(text, id, old, kind): (String, u64, Option<u64>, u8)| match (kind, old) {
            (0, Some(old)) => json!({"forgets": old.to_string()}).to_string(),
            (1, _) => "{torn".to_owned(),
            (_, Some(old)) => {
                json!({"id": id.to_string(), "text": text, "replaces": old.to_string()}).to_string()
            }
            _ => fact(id, &text),
        };
        lines.into_iter().map(line).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_index_finds_what_comparing_everything_finds(lines in lines(700), query in "(garten|houses|house|gard|猫|我的|кот|собака|a|ab|b| ){1,6}", limit in 1usize..20) {
        let log = Log::of(&lines);
        let expected = naive(&lines, &query, limit);
        prop_assert_eq!(&log.best(&query, limit), &expected, "in memory");
        log.with(true, |_| ());
        prop_assert_eq!(log.pieces().len() as u64, lines.len() as u64 / UNIT_LINES);
        prop_assert_eq!(&log.best(&query, limit), &expected, "from files");
    }

    #[test]
    fn what_holds_every_word_is_found_and_nothing_else(lines in lines(400), query in "(garten|house|猫|a){1} (house|ab|кот)") {
        let log = Log::of(&lines);
        let terms = terms::query(&query);
        let found = log.with(false, |chain| holding_all(&chain.segments, &terms, 9999).unwrap().iter().map(|h| chain.segments[h.segment].first + h.line).collect::<Vec<_>>());
        let mut expected = naive(&lines, &query, 9999);
        expected.retain(|(n, _)| {
            let words = distinct(serde_json::from_str::<Value>(&lines[*n as usize]).unwrap()["text"].as_str().unwrap(), 99);
            terms.iter().all(|t| words.iter().any(|w| rank::alike(t, w)))
        });
        let mut expected: Vec<u64> = expected.into_iter().map(|(n, _)| n).collect();
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn whatever_bytes_an_index_has_nothing_worse_than_an_error_comes_of_it(
        lines in lines(300),
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut lines = lines;
        lines.resize(UNIT_LINES as usize, fact(77, "padding of garten"));
        let log = Log::of(&lines);
        log.with(true, |_| ());
        let path = log.folder.path().join("index").join(&log.pieces()[0]);
        let mut bytes = fs::read(&path).unwrap();
        let header = super::layout::HEADER;
        for (at, byte) in flips {
            let place = header + at.index(bytes.len() - header);
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            let length = cut.index(bytes.len());
            bytes.truncate(length);
        }
        // With its header as it was, every table and the dictionary are hostile; the header has a sum of its own.
        if let Some(segment) = Segment::open(Bytes::Memory(bytes.clone()), 0).unwrap() {
            let mut words = Vec::new();
            let _ = segment.words(&mut words);
            for line in 0..segment.lines() {
                let _ = segment.record(line);
            }
            for key in [0, 1, u64::MAX / 2, u64::MAX] {
                let _ = segment.find(key);
                let _ = segment.kills(key);
            }
            for term in ["garten", "a", "猫", "zzzz", "house"] {
                let mut entries = Vec::new();
                let _ = segment.alike(term, &mut Block::default(), |entry, _| entries.push(entry));
                for entry in entries {
                    let _ = segment.postings(&entry, &mut Vec::new(), |_| ());
                }
            }
            let segments = [segment];
            let _ = best(&segments, &terms::query("garten house 猫"), 5);
        }
        fs::write(&path, &bytes).unwrap();
        let memory = crate::Jsonl::new(log.files());
        let texts: Vec<String> = lines.iter().filter_map(|l| serde_json::from_str::<Value>(l).ok()?["text"].as_str().map(str::to_owned)).collect();
        for fact in crate::Recall::search_facts(&memory, "garten house", 5).unwrap_or_default() {
            prop_assert!(texts.contains(&fact.text), "only what stands in the log is answered");
        }
    }

    #[test]
    fn any_bytes_are_opened_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(Segment::open(Bytes::Memory(bytes), 0).unwrap().is_none());
    }
}

#[test]
fn pieces_grow_as_the_log_grows_and_small_ones_give_way_to_large_ones() {
    let log = Log::of(&[]);
    let all: Vec<String> =
        (0..UNIT_LINES * 33 + 5).map(|n| fact(n, &format!("number {n} is word{}", n % 97))).collect();
    for units in [1, 2, 15, 16, 17, 32, 33] {
        let lines = (units * UNIT_LINES + 5) as usize;
        log.write(&all[..lines]);
        log.with(true, |chain| {
            assert_eq!(chain.segments.iter().map(Segment::lines).sum::<u64>(), lines as u64);
        });
        assert_eq!(log.pieces().len() as u64, units / 16 + units % 16, "{units}: {:?}", log.pieces());
    }
    assert_eq!(log.best("word50", 3), naive(&all, "word50", 3));
    assert_eq!(log.pieces(), ["facts.jsonl.1.32", "facts.jsonl.16.0", "facts.jsonl.16.1"]);
    // Made at once from the whole log, the pieces are the same byte for byte.
    let again = Log::of(&all);
    again.with(true, |_| ());
    assert_eq!(again.pieces(), log.pieces());
    for name in log.pieces() {
        let read = |log: &Log| fs::read(log.folder.path().join("index").join(&name)).unwrap();
        assert!(read(&log) == read(&again), "{name}");
    }
}

#[test]
fn an_index_of_another_log_does_not_count() {
    let lines: Vec<String> = (0..600).map(|n| fact(n, "green tea")).collect();
    let log = Log::of(&lines);
    log.with(true, |_| ());
    let other: Vec<String> = (0..600).map(|n| fact(n, "black tea")).collect();
    log.write(&other);
    assert_eq!(log.best("green", 3), []);
    assert_eq!(log.best("black", 3), naive(&other, "black", 3));
    // A shorter log than the index knows.
    log.write(&other[..100]);
    assert_eq!(log.best("black", 3), naive(&other[..100], "black", 3));
}

#[test]
fn a_line_that_is_too_long_is_passed_over_and_the_next_is_found() {
    let long = fact(1, &"x".repeat(shared_types::memory::MAX_LINE + 100));
    let log = Log::of(&[fact(0, "green tea"), long, fact(2, "green apples")]);
    assert_eq!(log.best("green", 5).iter().map(|h| h.0).collect::<Vec<_>>(), [2, 0]);
    assert_eq!(log.best("xxxx", 5), []);
}
