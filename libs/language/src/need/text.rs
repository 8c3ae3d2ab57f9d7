//! A text as words, sentences and lines, as the rules and the score read it. The build script includes this file.

use std::ops::ControlFlow;

use crate::fold;
use crate::squeeze::squeeze;

/// The longest word that is compared, in bytes; what follows is left away.
const MAX_WORD: usize = 40;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// A word in the form in which it is compared.
    Word(&'a str),
    /// A sentence ends.
    Sentence,
    /// A line ends, and with it a sentence.
    Line,
}

/// Gives the parts of a text until it is enough.
pub(crate) fn parts(text: &str, mut give: impl FnMut(Part<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut splitter = Splitter::default();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            // A hesitation does not end the sentence: `i want... to die`.
            '.' if letters.next_if_eq(&'.').is_some() => {
                while letters.next_if_eq(&'.').is_some() {}
                splitter.end(&mut give)?;
            }
            '.' | '!' | '?' | ';' | '\n' => {
                splitter.end(&mut give)?;
                give(if c == '\n' { Part::Line } else { Part::Sentence })?;
            }
            _ => {
                let mut flow = ControlFlow::Continue(());
                fold::each(c, |part| {
                    if flow.is_continue() {
                        flow = splitter.part(part, &mut give);
                    }
                });
                flow?;
            }
        }
    }
    splitter.end(&mut give)?;
    give(Part::Line)
}

/// Makes words of letters.
#[derive(Default)]
struct Splitter {
    word: String,
    squeezed: String,
}

impl Splitter {
    fn part(&mut self, c: char, give: &mut impl FnMut(Part<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if c.is_alphanumeric() {
            if self.word.len() < MAX_WORD {
                self.word.push(c);
            }
        } else if !matches!(c, '\'' | '`') {
            return self.end(give);
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, give: &mut impl FnMut(Part<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.word.is_empty() {
            return ControlFlow::Continue(());
        }
        squeeze(&self.word, &mut self.squeezed);
        self.word.clear();
        give(Part::Word(&self.squeezed))
    }
}
