//! Classes of words, by which an index finds the patterns that a line may match. The build script includes this file.

/// A pattern without two classes of which a line must have one.
pub(crate) const ANY: [u8; 2] = [255, 255];

/// The classes that words are divided into.
pub(crate) const CLASSES: usize = 256;

/// The class of a folded word, from 0.
pub(crate) fn class(word: &str) -> usize {
    (hash(word) >> 24) as usize
}

/// The hash of a word: FNV-1a.
pub(crate) fn hash(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
