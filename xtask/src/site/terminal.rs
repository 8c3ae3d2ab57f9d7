//! A recorded terminal becomes pictures: a frame for each block of the record, as SVG whose text stays text.

use std::fmt::Write as _;

/// The columns of a terminal.
const COLUMNS: usize = 80;
/// Points that a column is wide.
const CELL: usize = 8;
/// Points that a line is high.
const LINE: usize = 17;
/// Points that stay free around the text.
const EDGE: usize = 12;

/// Light, and dark where the reader's system is. The names are long since a picture within a page shares the page's names.
const STYLE: &str = "\
.terminal-ground{fill:#f6f8fa;stroke:#c8d0d9}\
.terminal-line{fill:#1f2731;font:13px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;white-space:pre}\
.terminal-typed{font-weight:bold}\
@media (prefers-color-scheme:dark){.terminal-ground{fill:#161b22;stroke:#3a434e}.terminal-line{fill:#dfe5ec}}";

/// One block of a record: what was done, and what stood on the screen then.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    pub(crate) title: &'a str,
    lines: Vec<&'a str>,
}

/// The blocks of a record. Each begins with `=== ` and its title; empty lines at its end are left out.
pub(crate) fn frames(record: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for line in record.lines().map(str::trim_end) {
        match (line.strip_prefix("=== "), frames.last_mut()) {
            (Some(title), _) => frames.push(Frame { title, lines: Vec::new() }),
            (None, Some(frame)) => frame.lines.push(line),
            (None, None) if line.is_empty() => {}
            (None, None) => frames.push(Frame { title: "a terminal", lines: vec![line] }),
        }
    }
    for frame in &mut frames {
        let used = frame.lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        frame.lines.truncate(used);
    }
    frames
}

impl Frame<'_> {
    /// The picture. It has no empty line, so that it can stand within a page of Markdown.
    pub(crate) fn svg(&self) -> String {
        let rows: Vec<String> = self.lines.iter().flat_map(|line| rows(line)).collect();
        let mut svg = String::new();
        self.write(&mut svg, &rows).expect("a string takes every text");
        svg
    }

    fn write(&self, svg: &mut String, rows: &[String]) -> std::fmt::Result {
        let (width, height) = (COLUMNS * CELL + 2 * EDGE, rows.len().max(1) * LINE + 2 * EDGE);
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             style=\"max-width:100%;height:auto\">"
        )?;
        writeln!(svg, "<title>{}</title>", escaped(self.title))?;
        writeln!(svg, "<desc>A terminal with {} lines, as the programs wrote them.</desc>", rows.len())?;
        writeln!(svg, "<style>{STYLE}</style>")?;
        let (inner_width, inner_height) = (width - 1, height - 1);
        writeln!(
            svg,
            "<rect class=\"terminal-ground\" x=\"0.5\" y=\"0.5\" width=\"{inner_width}\" height=\"{inner_height}\" \
             rx=\"6\"/>"
        )?;
        for (number, row) in rows.iter().enumerate().filter(|(_, row)| !row.trim().is_empty()) {
            let text = row.trim();
            let x = EDGE + (row.chars().count() - row.trim_start().chars().count()) * CELL;
            // The base line of a letter is four points above the end of its line.
            let y = EDGE + (number + 1) * LINE - 4;
            // Columns stay columns in every font.
            let length = text.chars().count() * CELL;
            let typed = if row.starts_with("> ") { " terminal-typed" } else { "" };
            writeln!(
                svg,
                "<text class=\"terminal-line{typed}\" x=\"{x}\" y=\"{y}\" textLength=\"{length}\" \
                 xml:space=\"preserve\">{}</text>",
                escaped(text)
            )?;
        }
        writeln!(svg, "</svg>")
    }
}

/// The rows of a line: what is longer than the terminal is wide continues in the next row, as there.
fn rows(line: &str) -> Vec<String> {
    let letters: Vec<char> = line.chars().collect();
    match letters.is_empty() {
        true => vec![String::new()],
        false => letters.chunks(COLUMNS).map(|row| row.iter().collect()).collect(),
    }
}

/// A text as XML has it. A control character, which XML does not take, is shown as the sign for an unknown one.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
