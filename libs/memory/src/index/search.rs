//! The best records over all pieces of an index.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::io;

use super::segment::{Block, Entry, Segment};
use crate::rank;

/// A record that fits a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    pub(crate) score: f32,
    /// The piece.
    pub(crate) segment: usize,
    /// The line within it.
    pub(crate) line: u64,
}

impl Eq for Hit {}

impl Ord for Hit {
    fn cmp(&self, other: &Hit) -> Ordering {
        self.score.total_cmp(&other.score).then((self.segment, self.line).cmp(&(other.segment, other.line)))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Hit) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A word of a piece that is alike to a word of the query.
struct Match {
    segment: u32,
    term: u32,
    exact: bool,
    entry: Entry,
}

/// The records that fit best, the best first, at most `limit`.
pub(crate) fn best(segments: &[Segment], terms: &[String], limit: usize) -> io::Result<Vec<Hit>> {
    if terms.is_empty() || limit == 0 {
        return Ok(vec![]);
    }
    let total: u64 = segments.iter().map(Segment::lines).sum();
    let (matches, weights) = matches(segments, terms, total)?;
    let mut room = Room::default();
    let mut best: BinaryHeap<Reverse<Hit>> = BinaryHeap::new();
    for group in matches.chunk_by(|a, b| a.segment == b.segment) {
        let n = group[0].segment as usize;
        let segment = &segments[n];
        room.sums(segment, group, &weights)?;
        segment.words(&mut room.words)?;
        for (line, (sum, words)) in room.sums.iter().zip(&room.words).enumerate() {
            if *sum <= 0.0 || *words == 0 {
                continue;
            }
            let line = line as u64;
            let hit = Hit { score: rank::score(*sum, *words, segment.first + line, total), segment: n, line };
            let full = best.len() >= limit;
            if full && best.peek().is_some_and(|least| hit <= least.0) {
                continue;
            }
            if is_dead(segments, n, line)? {
                continue;
            }
            if full {
                best.pop();
            }
            best.push(Reverse(hit));
        }
    }
    Ok(best.into_sorted_vec().into_iter().map(|hit| hit.0).collect())
}

/// The records that hold every word of a query, oldest first.
pub(crate) fn holding_all(segments: &[Segment], terms: &[String], limit: usize) -> io::Result<Vec<Hit>> {
    let (matches, _) = matches(segments, terms, 1)?;
    let ones = vec![1.0; terms.len()];
    let mut room = Room::default();
    let mut found = Vec::new();
    for group in matches.chunk_by(|a, b| a.segment == b.segment) {
        let n = group[0].segment as usize;
        room.count = true;
        room.sums(&segments[n], group, &ones)?;
        segments[n].words(&mut room.words)?;
        for (line, (sum, words)) in room.sums.iter().zip(&room.words).enumerate() {
            // Each word of the query was counted once.
            if *sum as usize == terms.len() && *words > 0 && !is_dead(segments, n, line as u64)? {
                found.push(Hit { score: *sum, segment: n, line: line as u64 });
                if found.len() == limit {
                    return Ok(found);
                }
            }
        }
    }
    Ok(found)
}

/// Whether a later piece ends a record. What its own piece knows stands in its number of words.
pub(crate) fn is_dead(segments: &[Segment], n: usize, line: u64) -> io::Result<bool> {
    if segments[n + 1..].iter().all(|s| s.header.kills == 0) {
        return Ok(false);
    }
    let (_, id) = segments[n].record(line)?;
    for later in &segments[n + 1..] {
        if later.kills(id)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn matches(segments: &[Segment], terms: &[String], total: u64) -> io::Result<(Vec<Match>, Vec<f32>)> {
    let mut found = Vec::new();
    let mut seen = vec![0u64; terms.len()];
    let mut block = Block::default();
    for (n, segment) in segments.iter().enumerate() {
        for (t, term) in terms.iter().enumerate() {
            segment.alike(term, &mut block, |entry, exact| {
                seen[t] += u64::from(entry.seen);
                found.push(Match { segment: n as u32, term: t as u32, exact, entry });
            })?;
        }
    }
    Ok((found, seen.into_iter().map(|seen| rank::weight(seen, total)).collect()))
}

/// What is used again from piece to piece.
#[derive(Default)]
struct Room {
    sums: Vec<f32>,
    gains: Vec<f32>,
    touched: Vec<u32>,
    postings: Vec<u8>,
    words: Vec<u8>,
    /// Every shared word counts one, however alike.
    count: bool,
}

impl Room {
    fn sums(&mut self, segment: &Segment, group: &[Match], weights: &[f32]) -> io::Result<()> {
        let lines = segment.lines() as usize;
        self.sums.clear();
        self.sums.resize(lines, 0.0);
        self.gains.resize(lines.max(self.gains.len()), 0.0);
        for alike in group.chunk_by(|a, b| a.term == b.term) {
            let weight = weights[alike[0].term as usize];
            let gain = |m: &Match| if self.count { 1.0 } else { weight * rank::factor(m.exact) };
            if let [only] = alike {
                let (gain, sums) = (gain(only), &mut self.sums);
                segment.postings(&only.entry, &mut self.postings, |line| sums[line] += gain)?;
                continue;
            }
            // Of several alike words in one record the best counts.
            for one in alike {
                let gain = gain(one);
                let (gains, touched) = (&mut self.gains, &mut self.touched);
                segment.postings(&one.entry, &mut self.postings, |line| {
                    if gains[line] == 0.0 {
                        touched.push(line as u32);
                    }
                    gains[line] = gains[line].max(gain);
                })?;
            }
            for line in self.touched.drain(..) {
                self.sums[line as usize] += std::mem::take(&mut self.gains[line as usize]);
            }
        }
        Ok(())
    }
}
