//! A broken rule, where, and the words of its message.

use std::borrow::Cow;

use proc_macro2::Span;
use serde::{Deserialize, Serialize};

use super::tables::Ban;

pub(super) const LONGEST_EXCERPT: usize = 120;

/// One breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The rule's identifier.
    pub rule: Cow<'static, str>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The source line, with characters that a terminal would obey or hide written out.
    pub excerpt: String,
    /// Why it matters.
    pub why: Cow<'static, str>,
    /// What to do instead.
    pub next: Cow<'static, str>,
}

impl Violation {
    /// The message about a source on which the scan's own process ended, with the reason.
    pub fn of_a_crash(reason: &str) -> Violation {
        let detail = format!("The scan of this source ended early ({reason}), so nothing vouches for it.");
        Breach { detail: Some(visible(&detail)), ..Breach::new(Ban::Scanner, 1, 1) }.explain("")
    }
}

/// A broken rule and where; the text around it is added last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Breach {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) ban: Ban,
    pub(super) detail: Option<String>,
}

impl Breach {
    pub(super) fn new(ban: Ban, line: usize, column: usize) -> Breach {
        Breach { line, column, ban, detail: None }
    }

    pub(super) fn at(ban: Ban, span: Span) -> Breach {
        let start = span.start();
        Breach::new(ban, start.line.max(1), start.column + 1)
    }

    pub(super) fn explain(self, source: &str) -> Violation {
        let rule = self.ban.rule();
        Violation {
            rule: rule.id.into(),
            line: self.line,
            column: self.column,
            excerpt: excerpt(source.split('\n').nth(self.line - 1).unwrap_or(""), self.column),
            why: self.detail.map_or(rule.why.into(), Cow::Owned),
            next: rule.next.into(),
        }
    }
}

/// The line, cut to a window around the column.
pub(super) fn excerpt(line: &str, column: usize) -> String {
    let before = column.saturating_sub(1).saturating_sub(LONGEST_EXCERPT / 2);
    let start = if line.chars().count() <= LONGEST_EXCERPT { 0 } else { before };
    let window: String = line.chars().skip(start).take(LONGEST_EXCERPT).collect();
    visible(window.trim()).chars().take(LONGEST_EXCERPT).collect()
}

/// Writes out what a terminal or page would obey or hide.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown.push(' '),
            c if c.is_control() || is_hidden(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// Characters that show nothing, reorder text, cover their neighbour, or carry hidden text.
pub(super) fn is_hidden(c: char) -> bool {
    !c.is_control() && shared_types::text::is_unsafe(c)
        || matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{8e2}' | '\u{feff}' | '\u{6dd}' | '\u{3164}' | '\u{ffa0}'
        | '\u{600}'..='\u{605}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1345f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}
