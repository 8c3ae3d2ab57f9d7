//! A line read in place: nothing is copied, and what is hashed are the line's own bytes.

use sha2::{Digest, Sha256};

use super::Receipt;

/// The parts of a line that a verification needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link<'a> {
    pub(crate) previous: &'a [u8],
    pub(crate) hash: &'a [u8],
    pub(crate) hmac: Option<&'a [u8]>,
}

/// What does not hold in a line, or between it and the one before.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    /// It is not the JSON of a receipt.
    #[error("not a receipt: {}", shared_types::text::cut(&.0.to_string(), 120))]
    Form(serde_json::Error),
    /// It is a receipt in another spelling.
    #[error("not a receipt in canonical JSON (RFC 8785)")]
    Spelling,
    /// Its content was changed.
    #[error("its content does not have its hash")]
    Hash,
    /// It follows another receipt.
    #[error("does not name the receipt before it: one of the two was changed, left out or put in")]
    Previous,
    /// Its seal is not the profile's.
    #[error("its hmac was not made with this profile's key")]
    Seal,
    /// It has no end within the longest line.
    #[error("longer than a receipt may be")]
    Long,
}

/// Reads a line without its newline; it must be the canonical JSON of a receipt that has its hash.
pub(crate) fn read(line: &[u8]) -> Result<Link<'_>, Flaw> {
    let mut at = Reader { line, at: 0, escaped: false };
    let parts = at.receipt().ok_or_else(|| why_not(line))?;
    if at.escaped {
        // A name with a quote in it, or one that is not ASCII: by way of the whole value, which is rare.
        let receipt: Receipt = serde_json::from_slice(line).map_err(|_| why_not(line))?;
        if receipt.line().as_bytes() != line {
            return Err(Flaw::Spelling);
        }
    }
    let mut sum = Sha256::new();
    sum.update(&line[..parts.before_hmac]);
    sum.update(&line[parts.after_hmac..parts.before_hash]);
    sum.update(&line[parts.after_hash..]);
    if !is_hex_of(parts.link.hash, &sum.finalize()) {
        return Err(Flaw::Hash);
    }
    Ok(parts.link)
}

/// What to say of a line that is not as it should be.
fn why_not(line: &[u8]) -> Flaw {
    serde_json::from_slice::<Receipt>(line).map_or_else(Flaw::Form, |_| Flaw::Spelling)
}

struct Reader<'a> {
    line: &'a [u8],
    at: usize,
    escaped: bool,
}

struct Parts<'a> {
    link: Link<'a>,
    before_hmac: usize,
    after_hmac: usize,
    before_hash: usize,
    after_hash: usize,
}

impl<'a> Reader<'a> {
    fn receipt(&mut self) -> Option<Parts<'a>> {
        self.word(b"{\"approved_by\":\"")?;
        self.text()?;
        self.word(b",\"args_hash\":\"")?;
        self.hash()?;
        self.word(b",\"conversation_id\":\"")?;
        self.text()?;
        let before_hmac = self.at;
        let hmac = match self.word(b",\"hmac\":\"") {
            Some(()) => Some(self.hash()?),
            None => None,
        };
        let after_hmac = self.at;
        self.word(b",\"id\":\"")?;
        self.text()?;
        if self.word(b",\"network\":\"").is_some() {
            self.text()?;
        }
        self.word(b",\"previous_hash\":\"")?;
        let previous = self.hash()?;
        let before_hash = self.at;
        self.word(b",\"receipt_hash\":\"")?;
        let hash = self.hash()?;
        let after_hash = self.at;
        self.word(b",\"result_hash\":\"")?;
        self.hash()?;
        self.word(b",\"risk\":\"")?;
        self.one_of(&[b"low\"", b"medium\"", b"high\"", b"blocked\""])?;
        self.word(b",\"status\":\"")?;
        self.one_of(&[b"allowed\"", b"denied\"", b"failed\""])?;
        self.word(b",\"timestamp\":\"")?;
        self.text()?;
        self.word(b",\"tool\":\"")?;
        self.text()?;
        self.word(b"}")?;
        let link = Link { previous, hash, hmac };
        let whole = self.at == self.line.len();
        whole.then_some(Parts { link, before_hmac, after_hmac, before_hash, after_hash })
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.line[self.at..].starts_with(word).then(|| self.at += word.len())
    }

    fn one_of(&mut self, words: &[&[u8]]) -> Option<()> {
        words.iter().find_map(|word| self.word(word))
    }

    /// 64 small hexadecimal digits and the closing quote.
    fn hash(&mut self) -> Option<&'a [u8]> {
        let digits = self.line.get(self.at..self.at + 64)?;
        if !digits.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        self.at += 64;
        self.word(b"\"").map(|()| digits)
    }

    /// A string up to its closing quote.
    fn text(&mut self) -> Option<()> {
        loop {
            let rest = &self.line[self.at..];
            let end = rest.iter().position(|b| matches!(b, b'"' | b'\\' | 0..=31 | 128..))?;
            self.at += end + 1;
            match rest[end] {
                b'"' => return Some(()),
                b'\\' => {
                    self.escaped = true;
                    self.at += 1;
                    if self.at > self.line.len() {
                        return None;
                    }
                }
                128.. => self.escaped = true,
                _ => return None,
            }
        }
    }
}

fn is_hex_of(hex: &[u8], bytes: &[u8]) -> bool {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let (pairs, rest) = hex.as_chunks::<2>();
    let same = |(pair, byte): (&[u8; 2], &u8)| {
        *pair == [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
    };
    rest.is_empty() && pairs.len() == bytes.len() && pairs.iter().zip(bytes).all(same)
}
