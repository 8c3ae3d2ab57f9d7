//! Mutations of a corpus: what a parser's author did not think of is mostly close to what he did think of.

/// Something a few steps away from the seeds; the same `origin` always leads to the same neighbour.
pub(super) fn neighbour(seeds: &[Vec<u8>], origin: &[u8], longest: usize) -> Vec<u8> {
    let mut chance = Chance::of(origin);
    let mut bytes = chance.pick(seeds).cloned().unwrap_or_default();
    // Mostly one step, so that most of what made the seed valid stays.
    let steps = [1, 1, 1, 2, 2, 3, 5, 12][chance.below(8)];
    for _ in 0..steps {
        step(&mut bytes, seeds, &mut chance);
        bytes.truncate(longest);
    }
    bytes
}

fn step(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], chance: &mut Chance) {
    let at = chance.below(bytes.len() + 1);
    match chance.below(10) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << chance.below(8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = chance.next() as u8;
            }
        }
        2 | 3 => {
            let token = TOKENS[chance.below(TOKENS.len())];
            bytes.splice(at..at, token.iter().copied());
        }
        4 => {
            let end = chance.end(at, bytes.len());
            bytes.drain(at..end);
        }
        // Again and again: depth, length and number are what limits are made for.
        5 => {
            let end = chance.end(at, bytes.len());
            let times = [1, 2, 16, 200][chance.below(4)];
            let part = bytes[at..end].repeat(times);
            bytes.splice(at..at, part);
        }
        // A piece of another seed in place of one of this.
        6 => {
            let end = chance.end(at, bytes.len());
            let other = chance.pick(seeds).cloned().unwrap_or_default();
            let from = chance.below(other.len() + 1);
            let to = chance.end(from, other.len());
            bytes.splice(at..end, other[from..to].iter().copied());
        }
        // A word of a seed in place of a word of this: keys and values change places.
        7 => {
            let other = chance.pick(seeds).cloned().unwrap_or_default();
            let (from, to) = word(&other, chance.below(other.len() + 1));
            let (start, end) = word(bytes, at);
            bytes.splice(start..end, other[from..to].iter().copied());
        }
        // A length field that lies.
        8 => {
            let lie = [0u32, 1, 0x7fff_ffff, u32::MAX, bytes.len() as u32][chance.below(5)];
            for (place, byte) in bytes.iter_mut().skip(at).zip(lie.to_le_bytes()) {
                *place = byte;
            }
        }
        _ => bytes.truncate(at),
    }
}

/// The word around a place, or nothing at it.
fn word(bytes: &[u8], at: usize) -> (usize, usize) {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || b"_-:.".contains(b);
    let start = bytes[..at].iter().rposition(|b| !is_word(b)).map_or(0, |n| n + 1);
    let end = bytes[at..].iter().position(|b| !is_word(b)).map_or(bytes.len(), |n| at + n);
    (start, end)
}

/// What has tripped parsers before.
const TOKENS: [&[u8]; 48] = [
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b"  ",
    b"\"",
    b"'",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"{}",
    b"[]",
    b":",
    b": ",
    b",",
    b"- ",
    b"|\n",
    b"&a ",
    b"*a",
    b"<<: ",
    b"\n---\n",
    b"...\n",
    b"!!binary ",
    b"%YAML 1.1\n",
    b"null",
    b"true",
    b"-1",
    b"0",
    b"1e999",
    b"18446744073709551616",
    b"-9223372036854775809",
    b"0x10",
    b".inf",
    b"\\u0000",
    b"\\ud800",
    b"\x1b[2J",
    b"\xff",
    b"\xed\xa0\x80",
    "\u{202e}".as_bytes(),
    "\u{200d}".as_bytes(),
    "\u{feff}".as_bytes(),
    "\u{1f600}".as_bytes(),
    "\u{c4}".as_bytes(),
    "\u{fffe}".as_bytes(),
    "\u{85}".as_bytes(),
];

/// Choices that depend on nothing but where they began (SplitMix64 over an FNV-1a hash).
struct Chance(u64);

impl Chance {
    fn of(origin: &[u8]) -> Chance {
        let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Chance(origin.iter().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        if of.is_empty() { None } else { of.get(self.below(of.len())) }
    }

    /// An end after `from`: mostly near, sometimes anywhere.
    fn end(&mut self, from: usize, length: usize) -> usize {
        let room = length - from;
        let most = if self.below(4) == 0 { room } else { room.min(24) };
        from + self.below(most + 1)
    }
}

#[test]
fn a_neighbour_depends_on_its_origin_alone_and_differs_from_its_seed() {
    let seeds = vec![b"name: cli\ncapabilities: [user:input]\n".to_vec(), b"a: 1\n".to_vec()];
    let mut different = 0;
    for n in 0u32..500 {
        let found = neighbour(&seeds, &n.to_le_bytes(), 4096);
        assert_eq!(found, neighbour(&seeds, &n.to_le_bytes(), 4096));
        assert!(found.len() <= 4096);
        different += usize::from(!seeds.contains(&found));
    }
    assert!(different > 400, "{different} of 500 are not their seed");
}
