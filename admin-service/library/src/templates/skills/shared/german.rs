/// Whether the person's line is German: it has a word that English has not.
fn german(call: &Call) -> bool {
    let line = call.line().to_lowercase();
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    words.any(|word| GERMAN.contains(&word))
}
