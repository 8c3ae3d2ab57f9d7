//! Tells an answer while it comes, without what may turn out to be a call.

use super::{Block, FENCE, FENCES, MARKS, Sign, begins_json, line_starts, next_sign};
use crate::provider::{Piece, Watch};
use crate::wire_names::WireNames;

/// Tells the pieces of an answer, but keeps back what may turn out to be a call.
pub(crate) struct Teller<'w, 'f> {
    watch: &'w mut Watch<'f>,
    /// The tools; where none is offered, nothing is kept back.
    names: &'w WireNames,
    /// The answer so far.
    text: String,
    /// How much of it was reported, in bytes.
    told: usize,
    /// Up to here there is no call.
    seen: usize,
    /// Whether the words of a line may begin at that place.
    at_line_start: bool,
    /// Whether that place is within a fence of code.
    in_code: bool,
    /// Whether everything is kept back until the end.
    stopped: bool,
}

/// What a fence holds, as far as it came.
enum Fence {
    /// It may hold a call.
    Unknown,
    Call,
    /// Code, and where it begins.
    Code(usize),
}

impl<'w, 'f> Teller<'w, 'f> {
    pub(crate) fn new(watch: &'w mut Watch<'f>, names: &'w WireNames) -> Self {
        Teller {
            watch,
            names,
            text: String::new(),
            told: 0,
            seen: 0,
            at_line_start: true,
            in_code: false,
            stopped: false,
        }
    }

    /// More of the text.
    pub(crate) fn text(&mut self, more: &str) {
        if more.is_empty() {
            return;
        }
        self.text.push_str(more);
        if self.names.is_empty() {
            self.told = self.text.len();
            return (self.watch)(Piece::Text(more));
        }
        if self.stopped {
            return;
        }
        let certain = self.certain();
        if certain > self.told {
            (self.watch)(Piece::Text(&self.text[self.told..certain]));
            self.told = certain;
        }
    }

    /// What was reported of the text so far.
    pub(crate) fn told(&self) -> &str {
        &self.text[..self.told]
    }

    /// The model began to call a tool.
    pub(crate) fn call(&mut self, name: &str) {
        (self.watch)(Piece::Call(name));
    }

    /// Tells what was kept back, or in its place the words and the calls that were found in it.
    pub(crate) fn finish(self, text: &str, calls_in_text: &[crate::ToolCall]) {
        let begun = !self.text[..self.told].trim().is_empty();
        let rest = match (calls_in_text.is_empty(), begun) {
            (true, _) => &self.text[self.told..],
            (false, false) => text,
            (false, true) => "",
        };
        if !rest.is_empty() {
            (self.watch)(Piece::Text(rest));
        }
        for call in calls_in_text {
            (self.watch)(Piece::Call(&call.name));
        }
    }

    /// Up to where the text is certainly no call.
    fn certain(&mut self) -> usize {
        loop {
            if self.in_code {
                let Some(end) = self.text[self.seen..].find(FENCE) else { return self.text.len() };
                self.see(self.seen + end + FENCE.len());
                self.in_code = false;
            }
            let Some((at, sign)) = next_sign(&self.text[self.seen..], self.at_line_start) else { break };
            let at = self.seen + at;
            match (sign, self.fence(at)) {
                (Sign::Fence, Fence::Code(begin)) => {
                    self.see(begin);
                    self.in_code = true;
                }
                (Sign::Fence, Fence::Unknown) => return at,
                _ => {
                    self.stopped = true;
                    return at;
                }
            }
        }
        self.see(self.text.len() - self.beginning());
        self.seen
    }

    /// Takes down that there is no call up to a place. Each byte is looked at once, however the answer is cut.
    fn see(&mut self, place: usize) {
        let new = &self.text[self.seen..place];
        let (is_new_line, line) = new.rsplit_once('\n').map_or((false, new), |(_, line)| (true, line));
        self.at_line_start = (is_new_line || self.at_line_start) && line.trim().is_empty();
        self.seen = place;
    }

    /// What the fence at a place holds.
    fn fence(&self, at: usize) -> Fence {
        let block = &self.text[at..];
        let Some((language, body)) = block.get(FENCE.len()..).and_then(|rest| rest.split_once('\n')) else {
            return Fence::Unknown;
        };
        let code = Fence::Code(at + block.len() - body.len());
        let inner = body.trim_start();
        let may_be = is_open(inner) || inner.starts_with('<') || begins_json(inner);
        if !FENCES.contains(&language.trim()) || !may_be {
            return code;
        }
        // It is read once, when it is whole.
        match body.contains(FENCE) {
            false => Fence::Unknown,
            true if Block::at(block, Sign::Fence, self.names).calls.is_some() => Fence::Call,
            true => code,
        }
    }

    /// How many bytes at the end may begin a sign.
    fn beginning(&self) -> usize {
        let text = &self.text[self.seen..];
        let partial = |open: &str| (1..open.len()).rev().find(|n| text.ends_with(&open[..*n])).unwrap_or(0);
        let mark = MARKS.iter().map(|(open, _)| partial(open)).max().unwrap_or(0);
        let mut lines = line_starts(text, self.at_line_start).map(|at| &text[at..]);
        let line = lines.find(|line| FENCE.starts_with(line) || is_open(line));
        mark.max(line.map_or(0, str::len))
    }
}

/// Whether a text ends before it shows whether it is an object, or a list of them.
fn is_open(text: &str) -> bool {
    let object = text.strip_prefix('[').unwrap_or(text).trim_start();
    object.strip_prefix('{').unwrap_or(object).trim_start().is_empty()
}
