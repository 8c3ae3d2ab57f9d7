//! Fills a template: the only place where a proposal's text enters source, and it enters as an escaped literal.
//!
//! A template is Rust. Within its string literals `@tool` and `@tool.param` stand for the names offered, `@word` for a
//! plain word, and a literal that is nothing but `@text` for any text. Outside of literals nothing is inserted.
//! `// @if a|!b` .. `// @end` keeps lines for tools, parameters and switches; `// @include name a b` brings shared code,
//! with its parts `a` and `b`.
//! A line of a description that names a parameter which is not offered is left out.

use std::collections::{BTreeMap, BTreeSet};

use super::offer::Offer;

/// What a template is filled with.
pub(super) struct Fills<'a> {
    /// The tools and parameters.
    pub(super) offer: &'a Offer,
    /// Parts to keep.
    pub(super) switches: &'a BTreeSet<String>,
    /// Texts for literals that hold nothing else.
    pub(super) texts: &'a BTreeMap<String, String>,
    /// Plain words.
    pub(super) words: &'a BTreeMap<String, String>,
    /// Code that templates include, by its name.
    pub(super) shared: &'a BTreeMap<String, String>,
}

/// Fills a template.
pub(super) fn fill(template: &str, fills: &Fills<'_>) -> String {
    let mut out = String::with_capacity(template.len());
    fill_lines(template, fills, &mut out);
    out
}

fn fill_lines(template: &str, fills: &Fills<'_>, out: &mut String) {
    // For each open `@if`: whether its lines are kept.
    let mut kept: Vec<bool> = Vec::new();
    for line in template.lines() {
        let directive = line.trim_start().strip_prefix("// @");
        if let Some(condition) = directive.and_then(|d| d.strip_prefix("if ")) {
            kept.push(condition.split('|').any(|key| fills.holds(key)));
        } else if directive == Some("end") {
            kept.pop();
        } else if kept.contains(&false) {
        } else if let Some(names) = directive.and_then(|d| d.strip_prefix("include ")) {
            let mut names = names.split(' ');
            let template = names.next().and_then(|name| fills.shared.get(name)).map_or("", String::as_str);
            let switches = fills.switches.iter().cloned().chain(names.map(str::to_owned)).collect();
            fill_lines(template, &Fills { switches: &switches, ..*fills }, out);
        } else if let Some(line) = fills.line(line) {
            out.push_str(&line);
            out.push('\n');
        }
    }
}

impl Fills<'_> {
    fn holds(&self, key: &str) -> bool {
        match key.strip_prefix('!') {
            Some(key) => !self.holds(key),
            None => self.switches.contains(key) || self.offer.has(key),
        }
    }

    /// One line with its literals filled; nothing if it describes what is not offered.
    fn line(&self, line: &str) -> Option<String> {
        let describes = [".param(", ".phrase(", ".example("].iter().any(|s| line.trim_start().starts_with(s));
        let mut out = String::with_capacity(line.len());
        for (is_literal, piece) in pieces(line) {
            if is_literal {
                out.push_str(&self.literal(piece, describes)?);
            } else {
                out.push_str(piece);
            }
        }
        Some(match self.kind(line) {
            Some((from, to)) => out.replacen(from, to, 1),
            None => out,
        })
    }

    /// The constructor of a parameter whose kind the proposal chose.
    fn kind(&self, line: &str) -> Option<(&'static str, &'static str)> {
        let rest = line.trim_start().strip_prefix(".param(")?;
        let from = KINDS.into_iter().find(|kind| rest.starts_with(kind))?;
        let key = rest[from.len()..].strip_prefix("\"@")?.split('"').next()?;
        Some((from, self.offer.constructor(key)?))
    }

    /// The content of a literal, filled; nothing if it names what is not offered and `describes` something.
    fn literal(&self, content: &str, describes: bool) -> Option<String> {
        if let Some(text) = content.strip_prefix('@').and_then(|key| self.texts.get(key)) {
            return Some(escaped(text));
        }
        let mut out = String::new();
        let mut rest = content;
        while let Some(at) = rest.find('@') {
            out.push_str(&rest[..at]);
            let key: &str = rest[at + 1..]
                .split_once(|c: char| !(c.is_ascii_lowercase() || c == '_' || c == '.'))
                .map_or(&rest[at + 1..], |(key, _)| key);
            rest = &rest[at + 1 + key.len()..];
            match self.words.get(key).map(String::as_str).or_else(|| self.offer.name(key)) {
                Some(name) => out.push_str(&escaped(name)),
                None if describes => return None,
                None => out.push_str(key.rsplit('.').next().unwrap_or(key)),
            }
        }
        out.push_str(rest);
        Some(out)
    }
}

const KINDS: [&str; 3] = ["Param::text(", "Param::int(", "Param::number("];

/// The line as code and contents of string literals, in turns; a template's literals end on their line.
fn pieces(line: &str) -> Vec<(bool, &str)> {
    let mut pieces = Vec::new();
    let (mut start, mut inside, mut skip) = (0, false, false);
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let is_char = !inside && at > 0 && bytes[at - 1] == b'\'' && bytes.get(at + 1) == Some(&b'\'');
        match byte {
            _ if skip => skip = false,
            b'\\' if inside => skip = true,
            b'"' if !is_char => {
                // The quotation marks belong to the code.
                let end = if inside { at } else { at + 1 };
                pieces.push((inside, &line[start..end]));
                (start, inside) = (end, !inside);
            }
            _ => {}
        }
    }
    pieces.push((false, &line[start..]));
    pieces
}

/// Text as the content of a Rust string literal: what is not plainly visible is written out.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() && !shared_types::text::is_unsafe(c) => out.push(c),
            '°' | '€' | '£' | '²' | '·' | '×' | '÷' | '–' | '…' => out.push(c),
            c => out.extend(c.escape_unicode()),
        }
    }
    out
}
