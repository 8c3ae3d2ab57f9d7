//! What `find` would start or write for each file that it finds.

/// Something that it does for a file.
pub(super) enum Action<'a> {
    /// It starts this command.
    Starts(&'a [String]),
    /// It writes a file, by this option.
    Writes(&'a str),
}

/// Its actions, in the order of the words; `-delete` is found before.
pub(super) fn actions(words: &[String]) -> Vec<Action<'_>> {
    let mut actions = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        at += 1;
        match word.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let length = length(&words[at..]);
                actions.push(Action::Starts(&words[at..at + length]));
                at += length;
            }
            "-fprint" | "-fprint0" | "-fprintf" | "-fls" => actions.push(Action::Writes(word)),
            _ => {}
        }
    }
    actions
}

/// How many words belong to a command of `-exec`: up to a `;`, or a `+` behind `{}`.
fn length(words: &[String]) -> usize {
    let ends = |at: &usize| words[*at] == ";" || (words[*at] == "+" && *at > 0 && words[at - 1] == "{}");
    (0..words.len()).find(ends).unwrap_or(words.len())
}
