//! Speech as samples: 16,000 a second, one channel, 16 bits. No files and no devices: the caller has them.
//!
//! - [`wav`]: the samples of a WAV file, and back
//! - [`Utterances`]: where an utterance begins and ends in a stream of samples
#![forbid(unsafe_code)]

mod utterances;
pub mod wav;

pub use utterances::{Heard, Utterances};

/// Samples a second.
pub const RATE: u32 = 16_000;
/// The longest utterance, in seconds.
pub const LONGEST_SECONDS: usize = 30;
/// The longest utterance, in samples.
pub const LONGEST: usize = LONGEST_SECONDS * RATE as usize;

/// Samples of bytes, least significant byte first; half a sample at the end is left out.
pub fn samples(bytes: &[u8]) -> impl Iterator<Item = i16> {
    bytes.as_chunks::<2>().0.iter().map(|pair| i16::from_le_bytes(*pair))
}

/// The bytes of samples, least significant byte first.
pub fn bytes(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}
