//! The dictionary of English as a text: PocketSphinx gets the words of a list, and not all 134,000, which would take it 18 MB.

use std::fs;
use std::io;
use std::path::Path;

/// Words with their sounds.
#[derive(Debug)]
pub(crate) struct Dictionary {
    text: String,
    /// Where the lines begin, in the order of their words.
    lines: Vec<u32>,
}

impl Dictionary {
    /// Reads a file with a word and its sounds in each line, as in `read R EH D`; another way to say a word is `read(2) R IY D`.
    ///
    /// # Errors
    /// The file cannot be read, is not text, or has 4 GiB.
    pub fn read(path: &Path) -> io::Result<Dictionary> {
        Dictionary::of(fs::read_to_string(path)?).ok_or_else(|| io::ErrorKind::FileTooLarge.into())
    }

    fn of(text: String) -> Option<Dictionary> {
        u32::try_from(text.len()).ok()?;
        let mut lines = Vec::with_capacity(text.len() / 24);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            lines.push(u32::try_from(at).ok()?);
            at += line.len();
        }
        lines.sort_by_key(|at| word(&text, *at));
        Some(Dictionary { text, lines })
    }

    /// Each way to say a word: its name, and its sounds. None where the dictionary does not have the word.
    pub fn sounds(&self, wanted: &str) -> impl Iterator<Item = (&str, &str)> {
        let named = |at: u32| word(&self.text, at);
        let first = self.lines.partition_point(|at| named(*at) < (wanted, ""));
        let same = self.lines[first..].iter().take_while(move |at| named(**at).0 == wanted);
        same.filter_map(|at| line(&self.text, *at).split_once(' '))
            .map(|(name, sounds)| (name, sounds.trim()))
    }

    /// Whether it has a word.
    pub fn has(&self, word: &str) -> bool {
        self.sounds(word).next().is_some()
    }
}

/// The word of the line that begins there, and which way to say it: nothing for the first.
fn word(text: &str, at: u32) -> (&str, &str) {
    let name = line(text, at).split(' ').next().unwrap_or_default();
    name.split_once('(').unwrap_or((name, ""))
}

fn line(text: &str, at: u32) -> &str {
    let rest = text.get(at as usize..).unwrap_or_default();
    rest.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
