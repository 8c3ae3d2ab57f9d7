//! The notation of patterns: words, `{classes}`, `(this|or that)`, `..3` for up to three words between, `<3>` for the
//! same in either order, and `^` at the start for the beginning of a sentence.

/// One place of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// What stands there.
    pub(crate) what: What,
    /// How many words may stand between it and the place before.
    pub(crate) gap: u8,
}

/// What may stand in a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// A class by its name.
    Class(String),
    /// Alternatives, each a pattern of its own.
    OneOf(Vec<String>),
    /// A word in its written form, with its mark.
    Word(String),
}

/// A pattern, taken apart.
pub(crate) struct Parsed {
    /// Every order in which its places may stand.
    pub(crate) orders: Vec<Vec<Place>>,
    /// Whether it begins a sentence.
    pub(crate) starts: bool,
}

/// Takes a pattern apart.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut places: Vec<Place> = Vec::new();
    let mut gap = 0;
    let mut turn = None;
    let mut starts = false;
    for piece in pieces(text) {
        if piece == "^" {
            starts = true;
        } else if let Some(number) = piece.strip_prefix("..") {
            gap = number.parse().unwrap_or_else(|_| panic!("`{text}`: `{piece}` is not a gap"));
        } else if let Some(number) = piece.strip_prefix('<').and_then(|p| p.strip_suffix('>')) {
            gap = number.parse().unwrap_or_else(|_| panic!("`{text}`: `{piece}` is not a gap"));
            assert!(turn.is_none(), "`{text}`: only one place may turn");
            turn = Some(places.len());
        } else {
            let what = if let Some(name) = piece.strip_prefix('{') {
                What::Class(name.trim_end_matches('}').to_owned())
            } else if let Some(inner) = piece.strip_prefix('(') {
                What::OneOf(inner.trim_end_matches(')').split('|').map(|a| a.trim().to_owned()).collect())
            } else {
                What::Word(piece.to_owned())
            };
            places.push(Place { what, gap });
            gap = 0;
        }
    }
    assert!(!places.is_empty(), "`{text}` is not a pattern");
    let mut orders = vec![places.clone()];
    if let Some(at) = turn {
        let (front, back) = places.split_at(at);
        let mut turned = back.to_vec();
        turned.extend_from_slice(front);
        turned[back.len()].gap = back[0].gap;
        turned[0].gap = 0;
        orders.push(turned);
    }
    Parsed { orders, starts }
}

fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut depth, mut from) = (0, None);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if c.is_whitespace() && depth == 0 {
            if let Some(from) = from.take() {
                pieces.push(&text[from..at]);
            }
        } else if from.is_none() {
            from = Some(at);
        }
    }
    if let Some(from) = from {
        pieces.push(&text[from..]);
    }
    pieces
}
