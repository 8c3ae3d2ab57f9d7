//! One piece of the index, read at the places that a question needs.

use std::cell::{OnceCell, RefCell};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::layout::{HEADER, Header, KILL, ROW, take_number};
use crate::rank;

/// How much of a table is read at once, in rows.
const NEAR: u64 = 256;
/// The most words of one piece that one word of a query is alike to.
const MAX_ALIKE: usize = 256;

/// Where the bytes of a piece are.
pub(crate) enum Bytes {
    File(File),
    Memory(Vec<u8>),
}

/// A piece.
pub(crate) struct Segment {
    pub(crate) header: Header,
    bytes: Bytes,
    /// The number of its first line in the log.
    pub(crate) first: u64,
    heads: OnceCell<Vec<u8>>,
    /// All kills, where they are few.
    kills: OnceCell<Vec<u8>>,
    /// The number of a line, and the rows of records from there on that were read with its own.
    rows: RefCell<(u64, Vec<u8>)>,
}

/// A word of a piece: how many records hold it, and where they are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) seen: u32,
    pub(crate) at: u32,
    pub(crate) length: u32,
}

/// One block of the dictionary, kept from word to word.
#[derive(Default)]
pub(crate) struct Block {
    /// The piece and the block.
    at: Option<(u64, u32)>,
    bytes: Vec<u8>,
}

impl Segment {
    /// Opens a piece; `None` for bytes that are not a piece.
    pub(crate) fn open(bytes: Bytes, first: u64) -> io::Result<Option<Segment>> {
        let length = match &bytes {
            Bytes::File(file) => file.metadata()?.len(),
            Bytes::Memory(bytes) => bytes.len() as u64,
        };
        if length < HEADER as u64 {
            return Ok(None);
        }
        let mut head = [0; HEADER];
        read(&bytes, 0, &mut head)?;
        let header = Header::parse(&head, length);
        Ok(header.map(|header| Segment {
            header,
            bytes,
            first,
            heads: OnceCell::new(),
            kills: OnceCell::new(),
            rows: RefCell::default(),
        }))
    }

    pub(crate) fn lines(&self) -> u64 {
        self.header.lines
    }

    /// How many words each record has; 0 where a line holds none that counts.
    pub(crate) fn words(&self, into: &mut Vec<u8>) -> io::Result<()> {
        into.resize(self.header.lines as usize, 0);
        read(&self.bytes, self.header.words_at(), into)
    }

    /// Where the record of a line begins in the log, and the hash of its identifier; 0 is not a hash.
    pub(crate) fn record(&self, line: u64) -> io::Result<(u64, u64)> {
        let (first, rows) = &mut *self.rows.borrow_mut();
        let known = |first: u64, rows: &[u8]| {
            let at = usize::try_from(line.checked_sub(first)?).ok()?.checked_mul(ROW)?;
            rows.get(at..)?.first_chunk::<ROW>().copied()
        };
        let row = match known(*first, rows) {
            Some(row) => row,
            None => {
                // Records are looked at upwards or downwards, so those around it come along.
                *first = line - line % NEAR;
                let count = NEAR.min(self.header.lines.saturating_sub(*first));
                rows.resize(count as usize * ROW, 0);
                read(&self.bytes, self.header.records_at() + *first * ROW as u64, rows)
                    .inspect_err(|_| rows.clear())?;
                known(*first, rows).ok_or_else(torn)?
            }
        };
        let (offset, id) = parse_row(&row);
        Ok((self.header.start + u64::from(offset), id))
    }

    /// The lines whose record has a key, in order.
    pub(crate) fn find(&self, key: u64) -> io::Result<Vec<u64>> {
        let rows =
            Table { bytes: &self.bytes, at: self.header.keys_at(), rows: self.header.keys, width: ROW };
        let mut found = Vec::new();
        let mut row = rows.first_not_below(key)?;
        while row < self.header.keys {
            let count = NEAR.min(self.header.keys - row);
            let part = rows.part(row, count)?;
            for entry in part.chunks_exact(ROW) {
                let (hash, line) = hash_and_line(entry);
                if hash != key {
                    return Ok(found);
                }
                if u64::from(line) < self.header.lines {
                    found.push(u64::from(line));
                }
            }
            row += count;
        }
        Ok(found)
    }

    /// Whether a line of this piece ends an earlier record.
    pub(crate) fn kills(&self, id: u64) -> io::Result<bool> {
        let count = self.header.kills;
        if count == 0 {
            return Ok(false);
        }
        let rows = Table { bytes: &self.bytes, at: self.header.kills_at(), rows: count, width: KILL };
        if count <= NEAR {
            if self.kills.get().is_none() {
                let _ = self.kills.set(rows.part(0, count)?);
            }
            let known = self.kills.get().map_or(&[][..], Vec::as_slice);
            return Ok(known.chunks_exact(KILL).any(|k| k == id.to_le_bytes()));
        }
        let row = rows.first_not_below(id)?;
        Ok(row < count && rows.part(row, 1)? == id.to_le_bytes())
    }

    /// Every word that is the term or alike; the flag says which.
    pub(crate) fn alike(
        &self,
        term: &str,
        block: &mut Block,
        mut found: impl FnMut(Entry, bool),
    ) -> io::Result<()> {
        let mut left = MAX_ALIKE;
        let longer = rank::is_stem(term);
        self.walk(term.as_bytes(), block, |word, entry| {
            if word == term.as_bytes() {
                found(entry, true);
            } else if !longer || !word.starts_with(term.as_bytes()) {
                return false;
            } else if std::str::from_utf8(word).is_ok_and(|word| rank::alike(term, word)) {
                found(entry, false);
                left -= 1;
            }
            left > 0
        })?;
        for stem in rank::stems(term) {
            self.walk(stem.as_bytes(), block, |word, entry| {
                if word == stem.as_bytes() {
                    found(entry, false);
                }
                false
            })?;
        }
        Ok(())
    }

    /// The lines of a word, in order.
    pub(crate) fn postings(
        &self,
        entry: &Entry,
        buffer: &mut Vec<u8>,
        mut line: impl FnMut(usize),
    ) -> io::Result<()> {
        let (at, length) = (u64::from(entry.at), u64::from(entry.length));
        if at + length > self.header.postings {
            return Err(torn());
        }
        buffer.resize(entry.length as usize, 0);
        read(&self.bytes, self.header.postings_at() + at, buffer)?;
        let (mut rest, mut place) = (buffer.as_slice(), 0u64);
        while !rest.is_empty() {
            place += match rest[0] {
                // Nearly all of them.
                byte @ 0..0x80 => {
                    rest = &rest[1..];
                    u64::from(byte)
                }
                _ => u64::from(take_number(&mut rest).ok_or_else(torn)?),
            };
            if place >= self.header.lines {
                return Err(torn());
            }
            line(place as usize);
        }
        Ok(())
    }

    /// Hands out the words from `from` on, in order, for as long as the visitor wants.
    fn walk(
        &self,
        from: &[u8],
        block: &mut Block,
        mut visit: impl FnMut(&[u8], Entry) -> bool,
    ) -> io::Result<()> {
        if self.heads.get().is_none() {
            let mut bytes = vec![0; self.header.heads as usize];
            read(&self.bytes, self.header.heads_at(), &mut bytes)?;
            let _ = self.heads.set(bytes);
        }
        let mut rest = self.heads.get().map_or(&[][..], Vec::as_slice);
        // The block before the first one that begins after `from`.
        let (mut current, mut next, mut after) = (None, None, rest);
        while let Some((at, word)) = take_head(&mut rest) {
            if current.is_some() && word > from {
                next = Some(at);
                break;
            }
            (current, after) = (Some(at), rest);
        }
        while let Some(at) = current {
            let end = next.map_or(self.header.blocks, u64::from);
            self.load(at, end, block)?;
            if !walk_block(&block.bytes, from, &mut visit).ok_or_else(torn)? {
                return Ok(());
            }
            // The head of the next block was read already, or there is none.
            current = take_head(&mut after).map(|(at, _)| at);
            let mut peek = after;
            next = take_head(&mut peek).map(|(at, _)| at);
        }
        Ok(())
    }

    fn load(&self, at: u32, end: u64, block: &mut Block) -> io::Result<()> {
        if block.at == Some((self.header.start, at)) {
            return Ok(());
        }
        block.at = None;
        let length = end.checked_sub(u64::from(at)).filter(|_| end <= self.header.blocks).ok_or_else(torn)?;
        block.bytes.resize(length as usize, 0);
        read(&self.bytes, self.header.blocks_at() + u64::from(at), &mut block.bytes)?;
        block.at = Some((self.header.start, at));
        Ok(())
    }
}

/// Walks over one block; `false` when the visitor has enough, `None` where the bytes make no sense.
fn walk_block(mut bytes: &[u8], from: &[u8], visit: &mut impl FnMut(&[u8], Entry) -> bool) -> Option<bool> {
    let (base, rest) = bytes.split_first_chunk::<4>()?;
    bytes = rest;
    let mut at = u32::from_le_bytes(*base);
    let mut word = [0u8; 256];
    let mut length = 0;
    while !bytes.is_empty() {
        let ([shared, own], rest) = bytes.split_first_chunk::<2>()?;
        let (shared, own) = (usize::from(*shared), usize::from(*own));
        let (letters, rest) = rest.split_at_checked(own)?;
        bytes = rest;
        if shared > length || shared + own > word.len() {
            return None;
        }
        word[shared..shared + own].copy_from_slice(letters);
        length = shared + own;
        let seen = take_number(&mut bytes)?;
        let size = take_number(&mut bytes)?;
        let entry = Entry { seen, at, length: size };
        at = at.checked_add(size)?;
        if &word[..length] >= from && !visit(&word[..length], entry) {
            return Some(false);
        }
    }
    Some(true)
}

fn take_head<'a>(bytes: &mut &'a [u8]) -> Option<(u32, &'a [u8])> {
    let (at, rest) = bytes.split_first_chunk::<4>()?;
    let (length, rest) = rest.split_first()?;
    let (word, rest) = rest.split_at_checked(usize::from(*length))?;
    *bytes = rest;
    Some((u32::from_le_bytes(*at), word))
}

/// Rows of one width, sorted by the hash with which they begin.
struct Table<'a> {
    bytes: &'a Bytes,
    at: u64,
    rows: u64,
    width: usize,
}

impl Table<'_> {
    fn part(&self, row: u64, count: u64) -> io::Result<Vec<u8>> {
        let mut part = vec![0; count as usize * self.width];
        read(self.bytes, self.at + row * self.width as u64, &mut part)?;
        Ok(part)
    }

    /// The first row whose hash is not below; hashes are spread evenly, so the place can be guessed.
    fn first_not_below(&self, hash: u64) -> io::Result<u64> {
        let (mut low, mut high) = (0, self.rows);
        let (mut least, mut most) = (0u64, u64::MAX);
        let mut guesses = 0;
        while high - low > NEAR {
            let spread = u128::from(most - least).max(1);
            let guess = u128::from(hash.saturating_sub(least)) * u128::from(high - low) / spread;
            // A guess that does not halve the rest is not better than the middle.
            let middle = if guesses < 3 { low + guess as u64 } else { low + (high - low) / 2 };
            guesses += 1;
            let from = middle.saturating_sub(NEAR / 2).clamp(low, high - NEAR);
            let part = self.part(from, NEAR)?;
            let (first, last) = (self.hash(&part, 0), self.hash(&part, NEAR - 1));
            if hash <= first {
                (high, most) = (from, first);
                if hash == first && from == low {
                    return Ok(low);
                }
            } else if hash > last {
                (low, least) = (from + NEAR, last);
            } else {
                return Ok(from + self.within(&part, hash));
            }
        }
        let part = self.part(low, high - low)?;
        Ok(low + self.within(&part, hash))
    }

    fn hash(&self, part: &[u8], row: u64) -> u64 {
        let at = row as usize * self.width;
        u64::from_le_bytes(part[at..at + 8].try_into().expect("eight bytes"))
    }

    fn within(&self, part: &[u8], hash: u64) -> u64 {
        part.chunks_exact(self.width).take_while(|row| self.hash(row, 0) < hash).count() as u64
    }
}

fn parse_row(row: &[u8; ROW]) -> (u32, u64) {
    let (offset, id) = row.split_first_chunk::<4>().expect("twelve bytes");
    (u32::from_le_bytes(*offset), u64::from_le_bytes(id.try_into().expect("eight bytes")))
}

fn hash_and_line(row: &[u8]) -> (u64, u32) {
    let (hash, line) = row.split_first_chunk::<8>().expect("twelve bytes");
    (u64::from_le_bytes(*hash), u32::from_le_bytes(line.try_into().expect("four bytes")))
}

fn read(bytes: &Bytes, at: u64, into: &mut [u8]) -> io::Result<()> {
    match bytes {
        Bytes::File(file) => file.read_exact_at(into, at),
        Bytes::Memory(bytes) => {
            let from = usize::try_from(at).map_err(|_| torn())?;
            let part = bytes.get(from..).and_then(|b| b.get(..into.len())).ok_or_else(torn)?;
            into.copy_from_slice(part);
            Ok(())
        }
    }
}

/// A piece whose bytes contradict each other.
fn torn() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the index contradicts itself")
}
