//! Text that is safe to show on a terminal or a page.

/// Whether a character could make shown text differ from what it is: controls, bidirectional controls, and characters
/// without a shape of their own (Unicode 16.0, general categories Cc and Cf, the line separators, and the noncharacters,
/// which YAML refuses besides).
///
/// Newline and tab count as unsafe here; the callers that allow them say so.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || u32::from(c) & 0xFFFE == 0xFFFE
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FDD0}'..='\u{FDEF}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a character may not stand in a proposal: as [`is_unsafe`], but the two joiners that some scripts and emoji
/// need are let through (they are stripped when shown).
pub fn is_refused(c: char) -> bool {
    is_unsafe(c) && !matches!(c, '\u{200C}' | '\u{200D}')
}

/// One line: every unsafe character becomes a visible `\u{..}`; newlines become spaces.
pub fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => shown.push(' '),
            '\r' => {}
            c if is_unsafe(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// Several lines: as [`line`], but newlines stay and a tab becomes four spaces.
pub fn block(text: &str) -> String {
    text.lines().map(|l| line(&l.replace('\t', "    "))).collect::<Vec<_>>().join("\n")
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

#[cfg(test)]
mod tests;
