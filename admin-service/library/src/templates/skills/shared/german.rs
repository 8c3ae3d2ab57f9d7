/// Whether the person's line is German: it has a word that English has not.
fn german(call: &Call) -> bool {
    let line = lower(call.line());
    let mut words = line.split(|c| !matches!(c, '0'..='9' | 'a'..='z' | 'ß'..='ö' | 'ø'..='ž'));
    words.any(|word| GERMAN.contains(&word))
}
