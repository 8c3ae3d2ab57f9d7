//! Words become numbers, letter by letter.

/// The hash of no letters.
pub(crate) const EMPTY: u32 = 0x811C_9DC5;

/// The hash with one more letter.
pub(crate) fn with(hash: u32, letter: char) -> u32 {
    (hash ^ letter as u32).wrapping_mul(0x0100_0193)
}

/// The key under which a word is in the table.
pub(crate) fn key(hash: u32) -> u32 {
    let mixed = (hash ^ (hash >> 15)).wrapping_mul(0x2C1B_3C6D);
    mixed ^ (mixed >> 13)
}

/// What one letter adds to a key that does not see the order of the letters.
pub(crate) const fn unordered(letter: char) -> u32 {
    let mixed = (letter as u32).wrapping_mul(0x9E37_79B1);
    (mixed ^ (mixed >> 16)).wrapping_mul(0x85EB_CA6B)
}

/// The key of a word whose inner letters may be swapped.
pub(crate) fn scrambled(first: char, sum: u32, last: char, letters: u32) -> u32 {
    let ends = with(with(with(EMPTY, first), last), char::from((letters % 64) as u8));
    key(ends ^ sum.wrapping_mul(0xC2B2_AE35))
}
