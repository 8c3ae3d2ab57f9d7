//! The pages of the review. What this program established is a list of facts; what others wrote is a box that says so; source
//! has numbers. The three never share an element.

use maud::{Markup, html};
use review::highlight::{Highlighter, Kind};
use review::pages::line::{Line, Origin, Page, Span, Tone};
use shared_types::text::block;

use super::words::Words;

/// The page whose code is Rust as a whole; others show pieces of it.
const SOURCE: &str = "source";

/// One page, which can be folded.
pub(super) fn page(words: &Words, page: &Page, is_open: bool) -> Markup {
    // Behind the name a heading says who made the page.
    let (name, by) = match page.heading.split_once(" (") {
        Some((name, by)) => (name, by.trim_end_matches(')')),
        None if page.heading.is_empty() => (&*page.title, ""),
        None => (&*page.heading, ""),
    };
    html! {
        details class="page" id={ "page-" (page.title) } open[is_open] {
            summary {
                h2 { (block(name)) }
                @if !by.is_empty() { " " span class="hint" { (block(by)) } }
            }
            @for lines in page.lines.chunk_by(|one, next| one.origin == next.origin) {
                (of_one_origin(words, lines, page.title == SOURCE))
            }
        }
    }
}

/// Words of others, in their box.
pub(super) fn quoted(by: &str, text: &str) -> Markup {
    html! {
        div class="words" {
            p class="by" { (by) }
            div class="said plain" dir="auto" { (block(text)) }
        }
    }
}

/// The name of a tone's class.
pub(super) fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "as-is",
        Tone::Strong => "strong",
        Tone::Quiet => "quiet",
        Tone::Good => "good",
        Tone::Caution => "caution",
        Tone::Bad => "bad",
    }
}

/// Lines that follow each other and come from the same.
fn of_one_origin(words: &Words, lines: &[Line], is_source: bool) -> Markup {
    match lines.first().map(|line| line.origin) {
        Some(Origin::Facts) => facts(words, &parts(lines)),
        Some(Origin::Words) => said(words, &parts(lines)),
        Some(Origin::Code) => code(lines, is_source),
        None => html! {},
    }
}

/// What stands in lines of one origin.
enum Part<'a> {
    /// Labels, each with its value line by line.
    Entries(Vec<(&'a str, Vec<&'a [Span]>)>),
    /// Lines without a label.
    Texts(Vec<&'a [Span]>),
}

fn parts(lines: &[Line]) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = vec![];
    for line in lines {
        let (label, value) = labelled(line);
        match (label, parts.last_mut()) {
            (Some(""), Some(Part::Entries(entries))) => {
                if let Some((_, values)) = entries.last_mut() {
                    values.push(value);
                }
            }
            (Some(label), Some(Part::Entries(entries))) if !label.is_empty() => {
                entries.push((label, vec![value]));
            }
            (Some(label), _) if !label.is_empty() => parts.push(Part::Entries(vec![(label, vec![value])])),
            (_, Some(Part::Texts(texts))) => texts.push(value),
            (..) => parts.push(Part::Texts(vec![value])),
        }
    }
    parts
}

/// The label of a line, empty where the line continues the one before, and the rest of it.
fn labelled(line: &Line) -> (Option<&str>, &[Span]) {
    match line.spans.as_slice() {
        [label, value @ ..]
            if label.tone == Tone::Quiet && label.text.ends_with(' ') && !value.is_empty() =>
        {
            (Some(label.text.trim()), value)
        }
        spans => (None, spans),
    }
}

fn joined(spans: &[Span]) -> String {
    block(&spans.iter().map(|span| span.text.as_str()).collect::<String>())
}

/// What this program established.
fn facts(words: &Words, parts: &[Part<'_>]) -> Markup {
    html! {
        @for part in parts {
            @match part {
                Part::Entries(entries) => dl class="facts" {
                    @for (label, values) in entries {
                        dt { (block(label)) }
                        dd { @for value in values { p { (toned(words, value)) } } }
                    }
                },
                Part::Texts(texts) => @for text in texts.iter().filter(|text| !joined(text).is_empty()) {
                    p class="fact" { (toned(words, text)) }
                },
            }
        }
    }
}

/// Pieces in their tones. What is to be weighed says so in words, so that nobody needs to see the colour.
fn toned(words: &Words, spans: &[Span]) -> Markup {
    html! {
        @for span in spans {
            @match span.tone {
                Tone::Plain => (block(&span.text)),
                Tone::Bad => span class="bad" { span class="sign" { (words.bad) } " " (block(&span.text)) },
                Tone::Caution => span class="caution" {
                    span class="sign" { (words.caution) } " " (block(&span.text))
                },
                other => span class=(tone(other)) { (block(&span.text)) },
            }
        }
    }
}

/// What others wrote. It has no tones: those are for what this program says.
fn said(words: &Words, parts: &[Part<'_>]) -> Markup {
    let lines = |spans: &[&[Span]]| spans.iter().map(|spans| joined(spans)).collect::<Vec<_>>().join("\n");
    html! {
        div class="words" {
            p class="by" { (words.by_others) }
            @for part in parts {
                @match part {
                    Part::Entries(entries) => dl class="said" {
                        @for (label, values) in entries {
                            dt { (block(label)) }
                            dd class="plain" dir="auto" { (lines(values)) }
                        }
                    },
                    Part::Texts(texts) => div class="said plain" dir="auto" { (lines(texts)) },
                }
            }
        }
    }
}

/// Source with its numbers, or a difference of two.
fn code(lines: &[Line], is_source: bool) -> Markup {
    let mut highlighter = Highlighter::default();
    html! {
        pre class="code" {
            @for line in lines {
                @match line.spans.as_slice() {
                    [number, text] if is_source => span class="line" {
                        span class="number" { (number.text.trim()) }
                        @for (piece, kind) in highlighter.line(&block(&text.text)) {
                            @if kind == Kind::Plain { (piece) } @else { span class=(class(kind)) { (piece) } }
                        }
                        "\n"
                    },
                    spans => span class={ "line " (spans.first().map_or("", |span| tone(span.tone))) } {
                        (joined(spans)) "\n"
                    },
                }
            }
        }
    }
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Plain => "",
        Kind::Keyword => "keyword",
        Kind::Text => "string",
        Kind::Number => "digits",
        Kind::Type => "type",
        Kind::Comment => "comment",
    }
}

#[cfg(test)]
mod tests;
