//! Labels in a row that breaks where the window ends: buttons and the names of pages.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line as Row, Span as Piece};

use super::look::Look;

/// Buttons; the one with the focus is marked, not only coloured.
pub fn buttons(labels: &[&str], focus: Option<usize>, width: u16, look: Look) -> Vec<Row<'static>> {
    let piece = |(i, label): (usize, &&str)| match focus == Some(i) {
        true => Piece::styled(format!("[>{label}<]"), look.bar()),
        false => Piece::raw(format!("[ {label} ]")),
    };
    flow(labels.iter().enumerate().map(piece), width)
}

/// The names of pages with their numbers; the open one stands in brackets.
pub fn tabs(titles: &[&str], open: usize, width: u16, look: Look) -> Vec<Row<'static>> {
    let piece = |(i, title): (usize, &&str)| match open == i {
        true => Piece::styled(format!("[{} {title}]", i + 1), look.bar()),
        false => Piece::raw(format!(" {} {title} ", i + 1)),
    };
    flow(titles.iter().enumerate().map(piece), width)
}

/// Draws rows from the top of an area.
pub fn draw(rows: &[Row<'_>], area: Rect, buffer: &mut Buffer) {
    for (y, row) in (area.top()..area.bottom()).zip(rows) {
        buffer.set_line(area.left(), y, row, area.width);
    }
}

fn flow(pieces: impl Iterator<Item = Piece<'static>>, width: u16) -> Vec<Row<'static>> {
    let mut rows: Vec<Row<'static>> = vec![];
    for piece in pieces {
        match rows.last_mut() {
            Some(row) if row.width() + 1 + piece.width() <= usize::from(width) => {
                row.push_span(Piece::raw(" "));
                row.push_span(piece);
            }
            _ => rows.push(Row::from(piece)),
        }
    }
    rows
}

#[cfg(test)]
mod tests;
