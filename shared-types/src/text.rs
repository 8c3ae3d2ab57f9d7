//! Text that is safe to show on a terminal or a page.

use unicode_normalization::char::is_combining_mark;

/// Characters that could make shown text differ from what it is, beside the controls: first, last, and why. Sorted.
///
/// Marks that stand above, below or beside their letter are absent: Vietnamese, Hindi, Arabic, Hebrew and Thai need them.
const UNSAFE: [(char, char, &str); 27] = [
    ('\u{AD}', '\u{AD}', "a soft hyphen, which is invisible within a line"),
    ('\u{334}', '\u{338}', "tildes, strokes and slashes that are drawn through the letter before them"),
    ('\u{34F}', '\u{34F}', "the invisible grapheme joiner"),
    ('\u{488}', '\u{489}', "Cyrillic signs for numbers, drawn around and over the letter"),
    ('\u{61C}', '\u{61C}', "an invisible mark that changes the direction of the text"),
    ('\u{115F}', '\u{1160}', "invisible fillers of Hangul"),
    ('\u{17B4}', '\u{17B5}', "invisible vowels of Khmer, which Unicode advises against"),
    ('\u{180E}', '\u{180E}', "the invisible Mongolian vowel separator"),
    ('\u{1ABE}', '\u{1ABE}', "parentheses that are drawn over the letter"),
    ('\u{200B}', '\u{200F}', "invisible spaces, joiners and direction marks"),
    ('\u{2028}', '\u{202E}', "line separators, and overrides of the text's direction"),
    ('\u{2060}', '\u{206F}', "invisible operators, and isolates of the text's direction"),
    ('\u{20D2}', '\u{20D3}', "vertical lines that are drawn through the letter"),
    ('\u{20D8}', '\u{20DA}', "rings that are drawn over the letter"),
    ('\u{20DD}', '\u{20E0}', "shapes around the letter, one of which crosses it out"),
    ('\u{20E2}', '\u{20E2}', "a screen that is drawn around and over the letter"),
    // U+20E3 is missing: it is the keycap of emoji such as 1 in a box, and the digit stays readable.
    ('\u{20E4}', '\u{20E6}', "a triangle, a slash and strokes that are drawn over the letter"),
    ('\u{20EA}', '\u{20EB}', "an arrow and double slashes that are drawn through the letter"),
    ('\u{3164}', '\u{3164}', "an invisible filler of Hangul"),
    ('\u{A670}', '\u{A672}', "Cyrillic signs for numbers, drawn around and over the letter"),
    ('\u{FDD0}', '\u{FDEF}', "noncharacters, which YAML refuses besides"),
    ('\u{FEFF}', '\u{FEFF}', "the invisible byte order mark"),
    ('\u{FFA0}', '\u{FFA0}', "an invisible filler of Hangul"),
    ('\u{FFF0}', '\u{FFFB}', "reserved invisible characters, and the marks of annotations"),
    ('\u{1BCA0}', '\u{1BCA3}', "invisible controls of shorthand"),
    ('\u{1D173}', '\u{1D17A}', "invisible controls of musical notation"),
    ('\u{E0000}', '\u{E0FFF}', "invisible tags and selectors"),
];

/// The most marks on one letter that [`line`] shows: more of them climb over the lines above and below.
const MARKS: usize = 8;

/// Whether a character could make shown text differ from what it is: controls, what changes the direction, what has no
/// shape of its own, and what is drawn over its neighbour (Unicode 16.0). See [`reason`].
///
/// Newline and tab count as unsafe here; the callers that allow them say so.
pub fn is_unsafe(c: char) -> bool {
    reason(c).is_some()
}

/// Why a character is unsafe to show; `None` for one that is safe.
pub fn reason(c: char) -> Option<&'static str> {
    if c.is_control() {
        return Some("a control character");
    }
    if c < UNSAFE[0].0 {
        return None;
    }
    if u32::from(c) & 0xFFFE == 0xFFFE {
        return Some("a noncharacter, which YAML refuses besides");
    }
    let at = UNSAFE.partition_point(|(_, last, _)| *last < c);
    UNSAFE.get(at).filter(|(first, _, _)| *first <= c).map(|(_, _, why)| *why)
}

/// Whether a character may not stand in a proposal: as [`is_unsafe`], but the two joiners that some scripts and emoji
/// need are let through (they are stripped when shown).
pub fn is_refused(c: char) -> bool {
    is_unsafe(c) && !matches!(c, '\u{200C}' | '\u{200D}')
}

/// One line: every unsafe character becomes a visible `\u{..}`, and so does each mark beyond the eighth on one letter;
/// newlines become spaces.
pub fn line(text: &str) -> String {
    Pieces { between: " ", tab: " ", marks: 0 }.show(text)
}

/// Several lines: as [`line`], but newlines stay and a tab becomes four spaces.
pub fn block(text: &str) -> String {
    Pieces::default().show(text.strip_suffix('\n').unwrap_or(text))
}

/// Several lines that come in pieces, cut anywhere: joined they are what [`block`] makes of the whole, with the newline at
/// its end.
#[derive(Debug)]
pub struct Pieces {
    between: &'static str,
    tab: &'static str,
    /// How many marks the last letter has so far.
    marks: usize,
}

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces { between: "\n", tab: "    ", marks: 0 }
    }
}

impl Pieces {
    /// The next piece, safe to show.
    pub fn show(&mut self, piece: &str) -> String {
        let mut shown = String::with_capacity(piece.len());
        for c in piece.chars().filter(|c| *c != '\r') {
            self.marks = if is_combining_mark(c) { self.marks + 1 } else { 0 };
            match c {
                c if self.marks > MARKS => shown.extend(c.escape_unicode()),
                '\n' => shown.push_str(self.between),
                '\t' => shown.push_str(self.tab),
                c if is_unsafe(c) => shown.extend(c.escape_unicode()),
                c => shown.push(c),
            }
        }
        shown
    }
}

/// At most `limit` characters of one line; a cut is always said.
pub fn cut(text: &str, limit: usize) -> String {
    let shown = line(text);
    let total = shown.chars().count();
    if total <= limit {
        return shown;
    }
    let head: String = shown.chars().take(limit).collect();
    format!("{head} [... {} more characters]", total - limit)
}

/// The known word that was meant by a slip of the finger: at most half of what was typed may differ.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips = (typed.chars().count() / 2).min(3);
    let known = known.into_iter().map(|known| (distance(typed, known), known));
    known.filter(|(distance, _)| *distance <= slips).min().map(|(_, known)| known)
}

/// How many letters must be changed, added or taken away (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
