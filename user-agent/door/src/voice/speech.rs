//! An answer as it is spoken.

use pulldown_cmark::{Event, Options, Parser, TagEnd};

use crate::messenger::parts;

/// The longest text that is spoken at once, in bytes; with what a cut adds it is below the 2,000 of `cl-mouth`.
const LONGEST: usize = 1_900;
/// The most parts of one answer: half an hour.
const MOST_PARTS: usize = 16;

/// The parts of an answer, one after the other, without the signs of Markdown; each is one sentence where it `may_end` early.
pub(super) fn parts(answer: &str, may_end: bool) -> Vec<String> {
    let text = plain(answer);
    if may_end {
        return sentences(&text)
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .flat_map(cut)
            .take(MOST_PARTS * MOST_PARTS)
            .collect();
    }
    cut(&text)
}

/// The sentences of a text, each with its mark.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ends = |(at, mark): (usize, char)| {
            let end = at + mark.len_utf8();
            let is_end =
                mark == '\n' || ".!?:".contains(mark) && rest[end..].starts_with(char::is_whitespace);
            is_end.then_some(end)
        };
        let end = rest.char_indices().find_map(ends).unwrap_or(rest.len());
        let (sentence, after) = rest.split_at(end);
        rest = after;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// The parts of a text that are spoken at once.
fn cut(text: &str) -> Vec<String> {
    let edge = |text: &str| (text.len() > LONGEST).then(|| text.floor_char_boundary(LONGEST));
    let mut parts = parts::cut(text, MOST_PARTS, edge, &['\n', ' ']);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The words of Markdown: no signs of headings, lists, emphasis, code and tables, no HTML, and no addresses of links.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(words) | Event::Code(words) => text.push_str(&words),
            Event::SoftBreak => text.push(' '),
            Event::HardBreak | Event::Rule => end(&mut text, "\n"),
            Event::End(TagEnd::TableCell) => end(&mut text, ", "),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::CodeBlock
                | TagEnd::TableHead
                | TagEnd::TableRow,
            ) => end(&mut text, "\n"),
            _ => {}
        }
    }
    text.trim().to_owned()
}

/// Ends a piece of text, once.
fn end(text: &mut String, mark: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(mark);
    }
}

#[cfg(test)]
mod tests;
