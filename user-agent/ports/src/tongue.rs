//! What the program says about its own work, in the profile's language. The sources hold the English sentences; a language has one
//! file in `words/` with a line `English = translation` for each. A sentence without a line stays English.
//!
//! The sentences of the conversation are in `libs/language`.

/// The languages that have a file, by their codes.
const FILES: [(&str, &str); 1] = [("de", include_str!("../words/de.txt"))];

/// The language in which a profile is spoken to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tongue(&'static str);

impl Tongue {
    /// The language of the sources.
    pub const ENGLISH: Tongue = Tongue("");

    /// The language of a code; English where it has no file.
    pub fn of(code: Option<&str>) -> Tongue {
        let found = FILES.iter().find(|(known, _)| code == Some(*known));
        found.map_or(Tongue::ENGLISH, |(_, words)| Tongue(words))
    }

    /// The sentence in this language.
    pub fn say(self, english: &str) -> &str {
        let translated = |line: &'static str| line.strip_prefix(english)?.strip_prefix(" = ");
        self.0.lines().find_map(translated).unwrap_or(english)
    }
}

#[cfg(test)]
mod tests;
