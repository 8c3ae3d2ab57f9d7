//! Words that differ by a slip of the finger.

/// Whether two words that begin alike differ in one letter, or in the order of two.
pub(crate) fn is_near(a: &[u8], b: &[u8]) -> bool {
    if a[0] != b[0] || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let alike = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[alike..], &b[alike..]);
    match (a, b) {
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([a1, a2, a @ ..], [b1, b2, b @ ..]) if a1 == b2 && a2 == b1 && a == b => true,
        ([_, rest @ ..], b) if rest == b => true,
        (a, [_, rest @ ..]) => rest == a,
        (_, []) => a.is_empty(),
    }
}
