//! Patterns of file names, expanded where the program starts: in the workspace.

use glob::MatchOptions;

use super::super::plan::Word;

/// The most names that one pattern becomes.
const MOST: usize = 4_096;

/// The words with patterns expanded; one that fits nothing stays as it is, as in a shell.
pub(super) fn expanded(words: &[Word]) -> Vec<String> {
    const AS_IN_A_SHELL: MatchOptions = MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let mut all = vec![];
    for (at, word) in words.iter().enumerate() {
        // The name of the program is never a pattern: what runs is what was judged.
        let found = (word.glob && at > 0).then(|| glob::glob_with(&word.text, AS_IN_A_SHELL).ok()).flatten();
        let mut names: Vec<String> = found
            .into_iter()
            .flatten()
            .filter_map(Result::ok)
            .take(MOST)
            .filter_map(|path| path.to_str().map(harmless))
            .collect();
        names.sort();
        if names.is_empty() { all.push(word.text.clone()) } else { all.append(&mut names) }
    }
    all
}

/// A file's name that could pass for an option is written as the path that it is.
fn harmless(name: &str) -> String {
    if name.starts_with('-') { format!("./{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests;
