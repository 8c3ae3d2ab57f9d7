//! What a slot takes, by the JSON Schema of its parameter.

use std::ops::Range;

use serde_json::{Value, json};

use crate::words::{Words, is_sign};
use crate::{fold, languages};

/// What a slot takes.
#[derive(Debug, Clone, PartialEq)]
pub enum SlotKind {
    /// Any words.
    Text,
    /// One word with a dot or a slash within: `a.txt`, `notes/a`.
    FileName,
    /// One word with `://` within, or `www.` before it.
    Page,
    /// One word with a digit within: `9913`, `B-12`.
    Figure,
    /// One word with a capital letter before small ones: `Margaret`.
    Name,
    /// A day of the year that has a name: `Christmas Eve`.
    Feast,
    Number {
        /// Whether only a whole one.
        whole: bool,
        /// Whether it is written `2,5` and `1.000`.
        decimal_comma: bool,
    },
    /// One of these: the words in the form in which they are compared, and the value as the schema spells it.
    Choice(Vec<(Vec<String>, Value)>),
    /// Yes or no.
    Boolean,
    /// Several, divided by commas or by `and`.
    List {
        /// What each of them is.
        item: Box<SlotKind>,
    },
}

/// The kinds of the slots of a phrase, by the schema of the parameters; `None` when a slot has no parameter of its name.
pub fn kinds(schema: &Value, slots: &[String], decimal_comma: bool) -> Option<Vec<SlotKind>> {
    slots.iter().map(|slot| kind(schema.get("properties")?.get(slot)?, decimal_comma)).collect()
}

/// The value that a whole line is for a parameter, by its schema; JSON stands for itself where the words are not one. A text is the
/// line as it was typed.
pub fn value(schema: &Value, line: &str, decimal_comma: bool) -> Option<Value> {
    let slot = kind(schema, decimal_comma);
    if slot == Some(SlotKind::Text) {
        return Some(Value::from(line));
    }
    let json = serde_json::from_slice::<Value>(line.as_bytes()).ok();
    let words = || {
        let words = Words::spaced(line, fold::word);
        slot?.value(&words, 0..words.len())
    };
    json.clone().filter(|json| json.is_array() || json.is_object()).or_else(words).or(json)
}

fn kind(schema: &Value, decimal_comma: bool) -> Option<SlotKind> {
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
        let spelled = |value: &Value| match value {
            Value::String(s) => s.clone(),
            other => other.to_string(),
        };
        let choices = allowed
            .iter()
            .map(|v| {
                (spelled(v).split_whitespace().map(fold::word).filter(|w| !w.is_empty()).collect(), v.clone())
            })
            .filter(|(words, _): &(Vec<String>, Value)| !words.is_empty());
        return Some(SlotKind::Choice(choices.collect()));
    }
    match schema.get("type").and_then(Value::as_str)? {
        "string" => Some(SlotKind::Text),
        "integer" => Some(SlotKind::Number { whole: true, decimal_comma }),
        "number" => Some(SlotKind::Number { whole: false, decimal_comma }),
        "boolean" => Some(SlotKind::Boolean),
        "array" => match kind(schema.get("items")?, decimal_comma)? {
            SlotKind::List { .. } => None,
            item => Some(SlotKind::List { item: Box::new(item) }),
        },
        _ => None,
    }
}

impl SlotKind {
    /// The most words that it takes.
    pub(crate) fn longest(&self) -> usize {
        match self {
            SlotKind::Text => usize::MAX,
            // A currency sign may stand before the number, a sign after it.
            SlotKind::Number { .. } => 3,
            SlotKind::Choice(choices) => choices.iter().map(|(words, _)| words.len()).max().unwrap_or(0),
            SlotKind::Boolean | SlotKind::FileName | SlotKind::Page | SlotKind::Figure | SlotKind::Name => 1,
            SlotKind::Feast => 4,
            SlotKind::List { .. } => 32,
        }
    }

    /// Whether it takes these words.
    pub(crate) fn takes(&self, line: &Words<'_>, words: Range<usize>) -> bool {
        matches!(self, SlotKind::Text) || self.value(line, words).is_some()
    }

    /// The value of these words, if they are one.
    pub fn value(&self, line: &Words<'_>, words: Range<usize>) -> Option<Value> {
        let (from, to) = (words.start, words.end);
        match self {
            SlotKind::Text => Some(said(line, words)).filter(|t| !t.is_empty()).map(Value::from),
            SlotKind::FileName => {
                let name = said(line, words);
                let inner = name.trim_matches(|c: char| !c.is_alphanumeric());
                // What leads out of a folder is meant as a file, and refused as one.
                let leads =
                    ["../", "./", "~/"].iter().any(|begin| name.starts_with(begin)) && !inner.is_empty();
                // `139.50` is an amount.
                let is_file = (inner.contains(['.', '/']) || leads) && name.contains(char::is_alphabetic);
                (to - from == 1 && is_file && !is_page(name)).then(|| Value::from(name))
            }
            SlotKind::Page => {
                let name = said(line, words);
                (to - from == 1 && is_page(name)).then(|| Value::from(name))
            }
            SlotKind::Figure => {
                let word = said(line, words);
                (to - from == 1 && word.contains(|c: char| c.is_ascii_digit())).then(|| Value::from(word))
            }
            SlotKind::Name => {
                let word = said(line, words);
                let is_name = word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase);
                (to - from == 1 && is_name).then(|| Value::from(word))
            }
            SlotKind::Feast => {
                let named: Vec<&str> = (from..to).map(|at| line.norm(at)).collect();
                crate::languages::feast(&named.join(" ")).map(|_| Value::from(said(line, words)))
            }
            SlotKind::Number { whole, decimal_comma } => {
                let only_sign = |at: usize| line.norm(at).chars().all(is_sign);
                let at = match to - from {
                    1 => from,
                    2 if only_sign(from) => from + 1,
                    2 if only_sign(from + 1) => from,
                    3 if only_sign(from) && only_sign(from + 2) => from + 1,
                    _ => return None,
                };
                number(line.raw(at), *whole, *decimal_comma)
            }
            SlotKind::Choice(choices) => {
                let words = choices.iter().find(|(words, _)| {
                    words.len() == to - from && (from..to).all(|at| line.norm(at) == words[at - from])
                });
                words.map(|(_, value)| value.clone())
            }
            SlotKind::Boolean => {
                languages::boolean(line.norm(from)).filter(|_| to - from == 1).map(Value::from)
            }
            SlotKind::List { item } => list(item, line, from, to),
        }
    }
}

/// Whether a word names a page of the web.
fn is_page(word: &str) -> bool {
    word.contains("://") || word.starts_with("www.")
}

/// The text of these words as typed, without the comma that divides it from the next word, and without quotes around the
/// whole.
pub(crate) fn said<'a>(line: &Words<'a>, words: Range<usize>) -> &'a str {
    let span = line.typed(words).trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':'));
    for (open, close) in [('"', '"'), ('\'', '\''), ('“', '”'), ('„', '“'), ('‘', '’'), ('«', '»')]
    {
        let inner = span.strip_prefix(open).and_then(|s| s.strip_suffix(close));
        if let Some(inner) = inner.filter(|i| !i.trim().is_empty() && !i.contains([open, close])) {
            return inner.trim();
        }
    }
    span
}

fn list(item: &SlotKind, line: &Words<'_>, from: usize, to: usize) -> Option<Value> {
    let mut values = Vec::new();
    let mut start = from;
    for at in from..to {
        let divides = languages::is_and(line.norm(at));
        let ends = divides || line.raw(at).ends_with([',', ';']) || at + 1 == to;
        if ends {
            let end = if divides { at } else { at + 1 };
            if start < end {
                values.push(item.value(line, start..end)?);
            }
            start = at + 1;
        }
    }
    (!values.is_empty()).then_some(Value::Array(values))
}

/// Reads `4`, `2.5`, `1,000`, in German also `2,5` and `1.000`, and small numbers in words.
fn number(raw: &str, whole: bool, decimal_comma: bool) -> Option<Value> {
    let raw = raw
        .trim_start_matches(['(', '"', '\'', '„', '“', '#'])
        .trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    if let Some(n) = languages::number_word(&fold::word(raw)) {
        return Some(json!(n));
    }
    let (sign, digits) = match raw.strip_prefix(['-', '−']) {
        Some(rest) => ("-", rest),
        None => ("", raw.strip_prefix('+').unwrap_or(raw)),
    };
    let plain = sign.to_owned() + &undivided(digits, decimal_comma)?;
    if let Ok(n) = plain.parse::<i64>() {
        return Some(json!(n));
    }
    if whole {
        return None;
    }
    plain.parse::<f64>().ok().filter(|n| n.is_finite()).map(|n| json!(n))
}

/// The digits with a point before the fraction and nothing between thousands.
pub(crate) fn undivided(digits: &str, decimal_comma: bool) -> Option<String> {
    let fits = digits.len() <= 40
        && digits.bytes().any(|b| b.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',');
    if !fits {
        return None;
    }
    let grouped = |s: &str, by: char| {
        let mut groups = s.split(by);
        groups.next().is_some_and(|g| (1..=3).contains(&g.len())) && groups.all(|g| g.len() == 3)
    };
    let (point, divider) = match (digits.rfind('.'), digits.rfind(',')) {
        (None, None) => return Some(digits.to_owned()),
        (Some(dot), Some(comma)) => {
            if dot > comma {
                ('.', ',')
            } else {
                (',', '.')
            }
        }
        (Some(_), None) => {
            if digits.matches('.').count() > 1 || decimal_comma && grouped(digits, '.') {
                (',', '.')
            } else {
                ('.', ',')
            }
        }
        (None, Some(_)) => {
            if digits.matches(',').count() > 1 || !decimal_comma && grouped(digits, ',') {
                ('.', ',')
            } else {
                (',', '.')
            }
        }
    };
    let (int, fraction) = digits.split_once(point).unwrap_or((digits, ""));
    if fraction.contains([point, divider]) || int.contains(divider) && !grouped(int, divider) {
        return None;
    }
    let int: String = int.chars().filter(|&c| c != divider).collect();
    let int = if int.is_empty() { "0" } else { &int };
    Some(if fraction.is_empty() { int.to_owned() } else { format!("{int}.{fraction}") })
}
