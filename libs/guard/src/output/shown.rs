//! Characters without a safe shape: controls are shown, invisible ones are dropped.

use super::notes::{CONTROL, INVISIBLE, Notes};
use crate::chars;

/// The piece with nothing in it that a terminal would obey or an eye would miss.
pub(super) fn safe(piece: &str, notes: &mut Notes) -> String {
    let mut shown = String::with_capacity(piece.len());
    for c in piece.chars() {
        match c {
            '\n' | ' '..='~' => shown.push(c),
            '\t' => shown.push_str("    "),
            '\r' => {}
            c if c.is_control() => {
                notes.add(CONTROL);
                shown.extend(c.escape_unicode());
            }
            c if shared_types::text::is_unsafe(c) => {
                if !chars::is_joiner(c) {
                    notes.add(INVISIBLE);
                }
            }
            c => shown.push(c),
        }
    }
    shown
}
