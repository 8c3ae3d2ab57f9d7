//! An answer as it is spoken.

use pulldown_cmark::{Event, Options, Parser, TagEnd};

use crate::messenger::parts;

/// The longest text that is spoken at once, in bytes; with what a cut adds it is below the 2,000 of `cl-mouth`.
const LONGEST: usize = 1_900;
/// The most parts of one answer: half an hour.
const MOST_PARTS: usize = 16;

/// The parts of an answer, one after the other, without the signs of Markdown.
pub(super) fn parts(answer: &str) -> Vec<String> {
    let text = plain(answer);
    let edge = |text: &str| (text.len() > LONGEST).then(|| text.floor_char_boundary(LONGEST));
    let mut parts = parts::cut(&text, MOST_PARTS, edge, &['\n', ' ']);
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
