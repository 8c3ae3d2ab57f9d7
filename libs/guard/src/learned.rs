//! Weights of words and pairs of words, learned from the lines in `dev/`: a weak sign where no rule has the words.
//!
//! `examples/train.rs` makes `weights.bin` from the lines with the same [`Signature`].

/// How many weights there are; several words may share one.
pub const BUCKETS: usize = 1 << BITS;

const BITS: u32 = 14;

/// The most words that a text may have: the weights were learned from requests, and say nothing of long documents.
const MOST_WORDS: usize = 160;

/// The fewest words that the weights say anything against: less is chance.
const FEWEST_WORDS: usize = 4;

/// The weights: the bias and the size of one unit, each in thousandths as two bytes, then a byte for each bucket.
static WEIGHTS: &[u8; 4 + BUCKETS] = include_bytes!("weights.bin");

/// The buckets of the words of a text and of its pairs of neighbours.
#[derive(Debug, Clone, Default)]
pub struct Signature {
    buckets: Vec<u16>,
    words: usize,
    last: u32,
}

impl Signature {
    /// Reads a text.
    #[must_use]
    pub fn of(text: &str) -> Signature {
        let mut signature = Signature::default();
        for key in crate::keys::of(text) {
            signature.word(key);
        }
        signature
    }

    /// The buckets, with repetitions, unless the text is too long or empty.
    #[must_use]
    pub fn buckets(&self) -> Option<&[u16]> {
        (1..=MOST_WORDS).contains(&self.words).then_some(&self.buckets)
    }

    pub(crate) fn word(&mut self, key: u32) {
        self.words += 1;
        if self.words > MOST_WORDS {
            return;
        }
        self.buckets.push(bucket(key));
        self.buckets.push(bucket(self.last.rotate_left(7) ^ key.wrapping_mul(0x85EB_CA6B)));
        self.last = key;
    }

    /// How much the words look like an attack, in thousandths of nats; below 0 they look harmless.
    pub(crate) fn evidence(&self) -> i32 {
        let Some(buckets) = self.buckets() else { return 0 };
        let [b0, b1, u0, u1, weights @ ..] = WEIGHTS;
        let sum: i32 =
            buckets.iter().map(|at| i32::from(i8::from_le_bytes([weights[usize::from(*at)]]))).sum();
        let unit = f64::from(i16::from_le_bytes([*u0, *u1])) / 1000.0;
        let bias = f64::from(i16::from_le_bytes([*b0, *b1])) / 1000.0;
        let count = u32::try_from(buckets.len()).expect("a short text");
        let sign = bias + f64::from(sum) * unit / f64::from(count + 1).sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "a small number of thousandths")]
        let thousandths = (sign * 1000.0) as i32;
        match thousandths {
            ..=0 => (thousandths / 3).max(LEAST),
            _ if self.words < FEWEST_WORDS => 0,
            _ => (thousandths - DOUBT).clamp(0, MOST),
        }
    }
}

/// How sure the weights must be before they say anything, how much they may say against a text, and how much for it.
const DOUBT: i32 = 300;
const MOST: i32 = 700;
const LEAST: i32 = -250;

fn bucket(key: u32) -> u16 {
    u16::try_from(key.wrapping_mul(0x9E37_79B1) >> (32 - BITS)).expect("14 bits")
}

#[cfg(test)]
mod tests;
