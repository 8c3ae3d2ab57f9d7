//! The bytes of a piece: a header, then tables of fixed width, then the dictionary, then the postings.
//!
//! | part | content |
//! |---|---|
//! | header | magic, the numbers of [`Header`], a fingerprint of the stretch, a hash of all that |
//! | words | one byte a line: how many words its record has, 0 where there is no record or it no longer counts |
//! | records | 12 bytes a line: where it begins (from the start of the stretch), the hash of its identifier |
//! | keys | 12 bytes each, sorted: hash, line |
//! | kills | 8 bytes each, sorted: identifiers of earlier records that no longer count |
//! | heads | of each block of the dictionary: its place, its first word |
//! | blocks | words in order, each as what differs from the one before, with the number and length of its postings |
//! | postings | lines, as differences |

use crate::hash::hash;

/// The length of a header.
pub(crate) const HEADER: usize = 96;
/// The width of a row of records and of keys.
pub(crate) const ROW: usize = 12;
/// The width of a row of kills.
pub(crate) const KILL: usize = 8;
/// The most lines of one piece.
pub(crate) const MAX_LINES: u64 = 65_536;
/// The largest piece that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// Changes whenever the layout, the folding or the ranking's words change: an index of another version is made anew.
const MAGIC: u64 = u64::from_le_bytes(*b"TCindex1");

/// What a piece is about and how long its parts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    /// Where the stretch begins in the log.
    pub(crate) start: u64,
    /// Where it ends.
    pub(crate) end: u64,
    pub(crate) lines: u64,
    pub(crate) keys: u64,
    pub(crate) kills: u64,
    pub(crate) heads: u64,
    pub(crate) blocks: u64,
    pub(crate) postings: u64,
    /// Of the stretch's first and last bytes.
    pub(crate) fingerprint: u64,
}

impl Header {
    pub(crate) fn to_bytes(self) -> [u8; HEADER] {
        let numbers = [
            MAGIC,
            self.start,
            self.end,
            self.lines,
            self.keys,
            self.kills,
            self.heads,
            self.blocks,
            self.postings,
            self.fingerprint,
        ];
        let mut bytes = [0; HEADER];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let sum = hash(&bytes[..HEADER - 8]);
        bytes[HEADER - 8..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header and checks that it fits a file of `length` bytes.
    pub(crate) fn parse(bytes: &[u8; HEADER], length: u64) -> Option<Header> {
        let number = |n: usize| u64::from_le_bytes(bytes[n * 8..n * 8 + 8].try_into().expect("eight bytes"));
        if number(0) != MAGIC || number(HEADER / 8 - 1) != hash(&bytes[..HEADER - 8]) {
            return None;
        }
        let header = Header {
            start: number(1),
            end: number(2),
            lines: number(3),
            keys: number(4),
            kills: number(5),
            heads: number(6),
            blocks: number(7),
            postings: number(8),
            fingerprint: number(9),
        };
        let fits = header.start < header.end
            && (1..=MAX_LINES).contains(&header.lines)
            && length <= MAX_BYTES
            && header.total() == Some(length);
        fits.then_some(header)
    }

    fn total(&self) -> Option<u64> {
        let rows = self.keys.checked_mul(ROW as u64)?.checked_add(self.kills.checked_mul(KILL as u64)?)?;
        let texts = self.heads.checked_add(self.blocks)?.checked_add(self.postings)?;
        (HEADER as u64 + self.lines * (1 + ROW as u64)).checked_add(rows)?.checked_add(texts)
    }

    pub(crate) fn words_at(&self) -> u64 {
        HEADER as u64
    }
    pub(crate) fn records_at(&self) -> u64 {
        self.words_at() + self.lines
    }
    pub(crate) fn keys_at(&self) -> u64 {
        self.records_at() + self.lines * ROW as u64
    }
    pub(crate) fn kills_at(&self) -> u64 {
        self.keys_at() + self.keys * ROW as u64
    }
    pub(crate) fn heads_at(&self) -> u64 {
        self.kills_at() + self.kills * KILL as u64
    }
    pub(crate) fn blocks_at(&self) -> u64 {
        self.heads_at() + self.heads
    }
    pub(crate) fn postings_at(&self) -> u64 {
        self.blocks_at() + self.blocks
    }
}

/// Writes a number in as few bytes as it needs.
pub(crate) fn put_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads such a number; `None` where the bytes end, or hold more than 32 bits.
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for shift in [0, 7, 14, 21, 28] {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if shift == 28 && *byte > 0x0f {
            return None;
        }
        number |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
