//! One form for what people write in different ways. The build script includes this file.

/// Removes what people write differently: doubled letters, and the `e` that stands for an umlaut.
pub(crate) fn squeeze(word: &str, squeezed: &mut String) {
    squeezed.clear();
    let mut last = None;
    let mut letters = word.chars().peekable();
    while let Some(c) = letters.next() {
        if last != Some(c) {
            squeezed.push(c);
        }
        last = Some(c);
        if matches!(c, 'a' | 'o' | 'u') && letters.peek() == Some(&'e') {
            letters.next();
        }
    }
}
