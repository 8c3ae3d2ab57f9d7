//! Patterns in fewer bytes: a byte beyond ASCII, or a sign below the space, stands for a few letters that often stand together.

/// The bytes that are symbols, in order: those beyond ASCII, and the signs below the space.
const SYMBOLS: [std::ops::RangeInclusive<u8>; 2] = [0x80..=u8::MAX, 1..=0x1f];
/// How many texts are found by one start, as in `packed.rs`.
const BLOCK: usize = 16;
/// What begins a pattern that is written as it is.
const PLAIN: u8 = 0;

/// Texts in symbols.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// The texts, one behind the other.
    pub(crate) bytes: Vec<u8>,
    pub(crate) lengths: Vec<u8>,
    /// Where the first of each block begins.
    pub(crate) starts: Vec<usize>,
    /// What each symbol stands for.
    pub(crate) symbols: Vec<String>,
}

/// Writes texts in symbols: again and again the pair of bytes that stands most often becomes one.
pub(crate) fn pack(texts: &[String]) -> Symbols {
    let mut packed: Vec<Vec<u8>> = texts.iter().map(|text| text.clone().into_bytes()).collect();
    let mut symbols: Vec<String> = Vec::new();
    let all = || SYMBOLS.into_iter().flatten();
    for symbol in all() {
        let mut counts = vec![0_u32; 1 << 16];
        for text in packed.iter().zip(texts).filter(|(_, text)| text.is_ascii()).map(|(packed, _)| packed) {
            text.windows(2).for_each(|two| counts[usize::from(two[0]) << 8 | usize::from(two[1])] += 1);
        }
        // Of those that stand as often the first, so that a build is repeated.
        let most = counts.iter().max().copied().unwrap_or_default();
        let Some(pair) = counts.iter().position(|count| *count == most && most > 2) else { break };
        let pair = [(pair >> 8) as u8, (pair & 255) as u8];
        let said = |byte: u8| match all().position(|symbol| symbol == byte) {
            Some(known) => symbols[known].clone(),
            None => char::from(byte).to_string(),
        };
        let stands_for = said(pair[0]) + &said(pair[1]);
        symbols.push(stands_for);
        for (packed, _) in packed.iter_mut().zip(texts).filter(|(_, text)| text.is_ascii()) {
            replace(packed, pair, symbol);
        }
    }
    let mut made = Symbols { symbols, ..Symbols::default() };
    for (number, (packed, text)) in packed.iter().zip(texts).enumerate() {
        let start = made.bytes.len();
        if number % BLOCK == 0 {
            made.starts.push(start);
        }
        if !text.is_ascii() {
            made.bytes.push(PLAIN);
        }
        made.bytes.extend(packed);
        let length = u8::try_from(made.bytes.len() - start);
        made.lengths.push(length.expect("a pattern has at most 255 bytes in symbols: write it as two"));
    }
    made
}

/// Puts a symbol in the place of each such pair.
fn replace(text: &mut Vec<u8>, pair: [u8; 2], symbol: u8) {
    let (mut from, mut to) = (0, 0);
    while from < text.len() {
        let is_pair = text[from..].starts_with(&pair);
        text[to] = if is_pair { symbol } else { text[from] };
        from += 1 + usize::from(is_pair);
        to += 1;
    }
    text.truncate(to);
}
