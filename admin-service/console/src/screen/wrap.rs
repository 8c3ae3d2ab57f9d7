//! Lines become rows of the screen: wrapped, never cut, each with a margin that says where it comes from.

use ratatui::style::Style;
use ratatui::text::{Line as Row, Span as Piece};
use review::pages::line::{Line, Origin, Tone};

use super::look::Look;

/// The margin's columns.
pub const MARGIN: usize = 2;

/// A row of the screen and the line that it belongs to.
#[derive(Debug, Clone)]
pub struct Wrapped {
    /// Which line.
    pub line: usize,
    /// Whether it is the line's last row.
    pub ends: bool,
    /// What is drawn.
    pub row: Row<'static>,
}

/// One line as styled pieces.
pub type Pieces = Vec<(String, Style)>;

/// One character as a person counts them, its columns, and how it looks.
type Cell = (String, usize, Style);

/// The pieces of a line, by their tones.
pub fn pieces(line: &Line, look: Look) -> Pieces {
    line.spans.iter().map(|span| (span.text.clone(), look.tone(span.tone))).collect()
}

/// Wraps one line to a width; `number` is which line it is.
pub fn wrap(line: &Line, pieces: &Pieces, number: usize, width: u16) -> Vec<Wrapped> {
    let room = usize::from(width).saturating_sub(MARGIN).max(8);
    let cells: Vec<Cell> = pieces.iter().flat_map(|(text, style)| cells(text, *style)).collect();
    let hang = hang(line, room);
    let (first, further) = margins(line);
    let mut rows = vec![];
    let mut rest = cells.as_slice();
    loop {
        let indent = if rows.is_empty() { 0 } else { hang };
        let taken = fitting(rest, room - indent, line.origin != Origin::Code);
        let (now, later) = rest.split_at(taken);
        let margin = if rows.is_empty() { first } else { further };
        let mut row = vec![Piece::raw(margin), Piece::raw(" ".repeat(indent))];
        row.extend(joined(now));
        rows.push(Wrapped { line: number, ends: later.is_empty(), row: Row::from(row) });
        rest = later;
        if rest.is_empty() {
            return rows;
        }
    }
}

/// What stands at the left of a line's first row, and of its others.
fn margins(line: &Line) -> (&'static str, &'static str) {
    let worst = line.spans.iter().map(|span| span.tone).find(|t| matches!(t, Tone::Bad | Tone::Caution));
    match (line.origin, worst) {
        (Origin::Words, _) => ("| ", "| "),
        (Origin::Code, _) => ("  ", "> "),
        (Origin::Facts, Some(Tone::Bad)) => ("!!", "  "),
        (Origin::Facts, Some(_)) => ("! ", "  "),
        (Origin::Facts, None) => ("  ", "  "),
    }
}

/// How far the further rows of a line stand in: below what follows its label.
fn hang(line: &Line, room: usize) -> usize {
    match line.spans.as_slice() {
        [label, _, ..] if label.tone == Tone::Quiet => {
            let width = Piece::raw(label.text.as_str()).width();
            if width * 2 <= room { width } else { 0 }
        }
        _ => 0,
    }
}

fn cells(text: &str, style: Style) -> Vec<Cell> {
    let piece = Piece::styled(text.to_owned(), style);
    let cells = piece.styled_graphemes(Style::new());
    cells.map(|g| (g.symbol.to_owned(), Piece::raw(g.symbol).width(), style)).collect()
}

/// How many cells the row takes; words stay whole where they can.
fn fitting(cells: &[Cell], room: usize, by_words: bool) -> usize {
    let mut width = 0;
    let fits = cells.iter().take_while(|(_, w, _)| {
        width += w;
        width <= room
    });
    let fits = fits.count().max(1).min(cells.len());
    if fits == cells.len() || !by_words {
        return fits;
    }
    match cells[..fits].iter().rposition(|(symbol, ..)| symbol == " ") {
        Some(at) if at * 2 > fits => at + 1,
        _ => fits,
    }
}

/// Neighbours that look alike as one piece.
fn joined(cells: &[Cell]) -> Vec<Piece<'static>> {
    let mut pieces: Vec<Piece<'static>> = vec![];
    for (symbol, _, style) in cells {
        match pieces.last_mut() {
            Some(last) if last.style == *style => last.content.to_mut().push_str(symbol),
            _ => pieces.push(Piece::styled(symbol.clone(), *style)),
        }
    }
    pieces
}

#[cfg(test)]
mod tests;
