//! A line as words: what was typed, and the form in which words are compared.

/// One word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Lower-case, without accents and sentence punctuation; never empty.
    pub(crate) norm: String,
    start: usize,
    end: usize,
}

/// A line and its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words<'a> {
    text: &'a str,
    words: Vec<Word>,
}

/// Longer lines are stories, not commands.
pub(crate) const MAX_WORDS: usize = 256;

impl<'a> Words<'a> {
    /// Splits a line; `expand` says what a contraction stands for. `None` when there are too many words.
    pub(crate) fn of(
        text: &'a str,
        expand: impl Fn(&str) -> Option<&'static [&'static str]>,
    ) -> Option<Self> {
        let text = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!' | '?' | '…'));
        let mut words = Vec::new();
        for (start, end) in chunks(text) {
            let piece = &text[start..end];
            let norm = normal(piece);
            if norm.is_empty() {
                continue;
            }
            match expand(&norm) {
                Some(parts) => push_expanded(&mut words, parts, text, start, end),
                None => words.push(Word { norm, start, end }),
            }
            if words.len() > MAX_WORDS {
                return None;
            }
        }
        Some(Words { text, words })
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn norm(&self, at: usize) -> &str {
        &self.words[at].norm
    }

    /// The words in the form in which they are compared.
    pub(crate) fn norms(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|w| w.norm.as_str())
    }

    /// One word as typed, with the punctuation around it.
    pub(crate) fn raw(&self, at: usize) -> &'a str {
        &self.text[self.words[at].start..self.words[at].end]
    }

    /// The text from one word up to another (exclusive), as typed.
    pub(crate) fn span(&self, from: usize, to: usize) -> &'a str {
        match (self.words.get(from), to.checked_sub(1).and_then(|last| self.words.get(last))) {
            (Some(first), Some(last)) if from < to => &self.text[first.start..last.end],
            _ => "",
        }
    }

    /// The line without some words at its ends.
    pub(crate) fn slice(&self, from: usize, to: usize) -> Words<'a> {
        Words { text: self.text, words: self.words[from..to].to_vec() }
    }
}

/// The form in which words are compared; empty for mere punctuation.
pub(crate) fn normal(piece: &str) -> String {
    let mut norm = String::with_capacity(piece.len());
    for c in piece.trim_matches(is_punctuation).chars() {
        if c.is_ascii() {
            norm.push(c.to_ascii_lowercase());
        } else {
            c.to_lowercase().for_each(|c| fold(c, &mut norm));
        }
    }
    norm
}

fn is_punctuation(c: char) -> bool {
    matches!(
        c,
        ',' | '.'
            | ';'
            | ':'
            | '!'
            | '?'
            | '"'
            | '\''
            | '('
            | ')'
            | '['
            | ']'
            | '…'
            | '„'
            | '“'
            | '”'
            | '‚'
            | '‘'
            | '’'
            | '«'
            | '»'
            | '¿'
            | '¡'
    )
}

/// Accents off: enough for the Latin letters of Western and Central Europe; other scripts stay as they are.
fn fold(c: char, out: &mut String) {
    let plain = match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'œ' => "oe",
        'ŕ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ț' => "t",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        '’' | '‘' => "'",
        '\u{300}'..='\u{36f}' => "",
        other => {
            out.push(other);
            return;
        }
    };
    out.push_str(plain);
}

/// Words between white space; a unit or sign at a number is a word of its own (`10%`, `$5`, `500g`).
fn chunks(text: &str) -> Vec<(usize, usize)> {
    let mut chunks = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (true, Some(from)) => {
                split_unit(text, from, at, &mut chunks);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    chunks
}

fn split_unit(text: &str, start: usize, end: usize, chunks: &mut Vec<(usize, usize)>) {
    let piece = &text[start..end];
    let sign = piece.chars().next().filter(|&c| is_sign(c)).map_or(0, char::len_utf8);
    let number: usize = piece[sign..]
        .char_indices()
        .find(|&(i, c)| !(c.is_ascii_digit() || matches!(c, '.' | ',') || (i == 0 && matches!(c, '-' | '+'))))
        .map_or(piece.len() - sign, |(i, _)| i);
    let has_digit = piece[sign..sign + number].bytes().any(|b| b.is_ascii_digit());
    if !has_digit {
        chunks.push((start, end));
        return;
    }
    let unit = piece[sign + number..].trim_end_matches(is_punctuation);
    let ordinal = matches!(unit, "st" | "nd" | "rd" | "th");
    let is_unit = !unit.is_empty()
        && !ordinal
        && (unit.chars().all(|c| is_sign(c) || c == '°')
            || unit.trim_start_matches('°').chars().all(char::is_alphabetic) && unit.chars().count() <= 4);
    if sign > 0 {
        chunks.push((start, start + sign));
    }
    if is_unit {
        chunks.push((start + sign, start + sign + number));
        chunks.push((start + sign + number, end));
    } else {
        chunks.push((start + sign, end));
    }
}

pub(crate) fn is_sign(c: char) -> bool {
    matches!(c, '%' | '$' | '€' | '£' | '¥')
}

fn push_expanded(words: &mut Vec<Word>, parts: &[&str], text: &str, start: usize, end: usize) {
    let middle = text[start..end].find(['\'', '’']).map_or(end, |i| start + i);
    for (i, part) in parts.iter().enumerate() {
        let (from, to) = if i == 0 { (start, middle) } else { (middle, end) };
        words.push(Word { norm: (*part).to_owned(), start: from, end: to });
    }
}
