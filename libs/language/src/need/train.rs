//! The training of the score: a linear separator of lines of need and ordinary lines (a support vector machine with squared
//! losses, by dual coordinate descent). Additions, products, quotients and roots of `f32` are the same on every machine, so the
//! weights are. The build script includes this file.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::score::{CLASS_PLACES, KINDS, MOST, PLACES, Past, Where, Windows, both, entry, places};
use super::text::{Part, parts};
use crate::fold;
use crate::squeeze::squeeze;

/// How often each line is looked at.
const ROUNDS: usize = 15;
/// What a line on the wrong side costs: an ordinary one, and one of need.
const COSTS: [f32; 2] = [4.0, 8.0];
/// How far the largest weight is beyond what is kept of it, so that small ones are kept more exactly.
const BEYOND: f32 = 1.5;
/// The value of the bias in each window.
const BIAS: f32 = 0.5;

/// A line of a corpus.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// The language, by number.
    pub(crate) language: usize,
    /// Whether a person in need speaks, and of what if the corpus says so.
    pub(crate) need: Option<Option<usize>>,
    /// The file that it stands in.
    #[cfg(test)]
    pub(crate) file: String,
}

/// The lines of a language's corpora. A file is named after what it holds: ordinary lines, or lines of need of one kind or any.
pub(crate) fn corpora(folder: &Path, language: usize) -> Vec<Line> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let kind = ["emergency", "self-harm", "abuse"].iter().position(|kind| name.ends_with(kind));
        let need = (kind.is_some() || name.ends_with("need")).then_some(kind);
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        // The program answers each line of these lists rightly, or nearly each of those on the border; tests hold it.
        let times = if matches!(&*name, "need" | "ordinary") || name.starts_with("near-") { 2 } else { 1 };
        lines.extend(text.lines().flat_map(|line| std::iter::repeat_n(line, times)).map(|line| Line {
            text: line.to_owned(),
            language,
            need,
            #[cfg(test)]
            file: name.clone().into_owned(),
        }));
    }
    lines
}

/// The table of concepts: a concept a line, its name before its words; `*` ends a word's beginning.
pub(crate) fn concepts(file: &Path) -> Vec<u32> {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut entries = Vec::new();
    for (number, line) in (1..=u8::MAX).zip(lines) {
        let (_, words) = line.split_once(": ").unwrap_or_else(|| panic!("{}: {line}", file.display()));
        for word in words.split(' ') {
            let beginning = word.strip_suffix('*');
            let (mut folded, mut squeezed) = (String::new(), String::new());
            beginning.unwrap_or(word).chars().for_each(|c| fold::each(c, |part| folded.push(part)));
            folded.retain(char::is_alphanumeric);
            squeeze(&folded, &mut squeezed);
            entries.push(entry(&squeezed, beginning.is_some(), number));
        }
    }
    entries.sort_unstable();
    entries.dedup();
    entries
}

/// What training makes.
#[derive(Debug, Default)]
pub(crate) struct Trained {
    pub(crate) weights: Vec<u8>,
    pub(crate) scale: [f32; 2],
    pub(crate) classes: Vec<u8>,
    pub(crate) class_scales: Vec<[f32; 2]>,
}

/// Values at places, of length one.
type Vector = Vec<(usize, f32)>;

/// Trains a model on lines of some languages, by a table of concepts.
pub(crate) fn train(lines: &[Line], concepts: &[u32], languages: usize) -> Trained {
    let (mut all, mut classes) = (Vec::new(), Vec::new());
    for line in lines {
        for window in windows(line, concepts) {
            all.push((vector(&window, |_| true, &both), line.need.is_some()));
            classes.push((
                vector(&window, |at| matches!(at, Where::Word | Where::Run | Where::Concept), &|hash| {
                    [hash % CLASS_PLACES]
                }),
                line,
            ));
        }
    }
    let (weights, scale) = separate(&all, PLACES);
    let mut trained = Trained { weights, scale, ..Trained::default() };
    let mut output = |examples: Vec<(Vector, bool)>| {
        let (weights, scale) = separate(&examples, CLASS_PLACES);
        trained.classes.extend(weights);
        trained.class_scales.push(scale);
    };
    for kind in 0..KINDS {
        let known = classes.iter().filter_map(|(vector, line)| Some((vector, line.need??)));
        output(known.map(|(vector, of)| (vector.clone(), of == kind)).collect());
    }
    for language in 0..languages {
        output(classes.iter().map(|(vector, line)| (vector.clone(), line.language == language)).collect());
    }
    trained
}

/// The windows of a line that say what it is: of an ordinary line all, of one of need the last.
fn windows(line: &Line, concepts: &[u32]) -> Vec<Vec<(Where, usize)>> {
    let mut windows = Windows::default();
    let (mut open, mut past, mut found) = (Vec::<Vec<(Where, usize)>>::new(), Past::default(), Vec::new());
    let _ = parts(&line.text, |part| {
        if let Part::Word(word) = part {
            let mut of_word = Vec::new();
            places(concepts, &mut past, word, |at, place| of_word.push((at, place)));
            open.push(of_word);
        }
        let gone = windows.part(part, |from, to, _| {
            let words = open[from..to].iter().enumerate();
            let counts = |word: usize, at: Where| match at {
                Where::Start => word == 0,
                Where::End => word + 1 == to - from,
                at => at.reach() <= word,
            };
            let of_words = words.flat_map(|(n, of)| of.iter().copied().filter(move |(at, _)| counts(n, *at)));
            if line.need.is_some() && from == 0 {
                found.clear();
            }
            if line.need.is_none() || from == 0 {
                found.push(of_words.collect());
            }
        });
        open.drain(..gone);
        if open.is_empty() {
            past.clear();
        }
        ControlFlow::Continue(())
    });
    found
}

fn vector<const N: usize>(
    window: &[(Where, usize)],
    is_wanted: impl Fn(Where) -> bool,
    places_of: &dyn Fn(usize) -> [usize; N],
) -> Vector {
    let mut values = BTreeMap::<usize, i32>::new();
    let mut squares = 0;
    for (at, hash) in window.iter().filter(|(at, _)| is_wanted(*at)) {
        for place in places_of(*hash) {
            *values.entry(place).or_default() += at.value();
            squares += at.value() * at.value();
        }
    }
    let length = (squares.max(1) as f32).sqrt();
    values.into_iter().map(|(place, value)| (place, value as f32 / length)).collect()
}

/// The weights that separate the examples, two in a byte; the margin of a step, and that of no weight at all.
fn separate(examples: &[(Vector, bool)], size: usize) -> (Vec<u8>, [f32; 2]) {
    let squares: Vec<f32> =
        examples.iter().map(|(x, _)| BIAS * BIAS + x.iter().map(|(_, v)| v * v).sum::<f32>()).collect();
    let (mut weights, mut bias, mut pulls) = (vec![0_f32; size], 0_f32, vec![0_f32; examples.len()]);
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut random = 42_u64;
    for _ in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(at, (random >> 33) as usize % (at + 1));
        }
        for &at in &order {
            let (x, is_in) = &examples[at];
            let sign = if *is_in { 1.0 } else { -1.0 };
            let margin = bias * BIAS + x.iter().map(|(place, value)| weights[*place] * value).sum::<f32>();
            let slack = 0.5 / COSTS[usize::from(*is_in)];
            let pull =
                (pulls[at] - (sign * margin - 1.0 + slack * pulls[at]) / (squares[at] + slack)).max(0.0);
            let change = (pull - pulls[at]) * sign;
            pulls[at] = pull;
            bias += change * BIAS;
            x.iter().for_each(|(place, value)| weights[*place] += change * value);
        }
    }
    let most = weights.iter().fold(f32::MIN_POSITIVE, |most, weight| most.max(weight.abs()));
    let step = most / BEYOND / (MOST * MOST) as f32;
    let steps = |weight: f32| {
        let steps = ((weight.abs() / step).sqrt().round() as i32).min(MOST);
        (if weight < 0.0 { MOST - steps } else { MOST + steps }) as u8
    };
    let bytes = weights.chunks(2).map(|two| steps(two[0]) | steps(two[1]) << 4).collect();
    (bytes, [step, bias * BIAS])
}
