//! The services by which the profile's person talks.

use std::path::PathBuf;

use serde::Serialize;
use shared_types::settings::Section;
use shared_types::text::cut;

/// The channel; `cl-bot voice` reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Voice {
    /// The socket file of the service that understands speech.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ear: Option<PathBuf>,
    /// The socket file of the service that speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mouth: Option<PathBuf>,
    /// The words that a sentence begins with, in lower case; without them every sentence is acted on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wake: Option<String>,
    /// The line of the pins that is on while the person is heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push: Option<String>,
    /// How loud the answers are, in percent; without it, as the mouth makes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<u64>,
    /// The most seconds that an answer is spoken; without it, half an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_answer: Option<u64>,
    /// Whether it holds for a child or a teenager as well.
    pub minors: bool,
}

impl Voice {
    /// Whether nothing is said about it.
    pub fn is_unsaid(&self) -> bool {
        *self == Voice::default()
    }

    pub(super) fn read(section: &mut Section) -> Voice {
        let (ear, mouth) = (absolute(section, "ear"), absolute(section, "mouth"));
        let (wake, push) = (wake(section), section.text("push"));
        let (volume, longest_answer) =
            (section.optional_number("volume"), section.optional_number("longest_answer"));
        Voice { ear, mouth, wake, push, volume, longest_answer, minors: section.flag("minors") }
    }
}

/// The most words that wake it.
const MOST_WAKING: usize = 3;

fn wake(section: &mut Section) -> Option<String> {
    let text = section.text("wake")?.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let fits = (1..=MOST_WAKING).contains(&words.len()) && words.concat().chars().all(char::is_alphabetic);
    if !fits || text.len() > 60 {
        section.fault(
            "wake",
            format!("{:?} is not allowed; allowed: one to three words of letters", cut(&text, 80)),
        );
        return None;
    }
    Some(words.join(" "))
}

/// A path that does not depend on where the program starts.
pub(super) fn absolute(section: &mut Section, key: &str) -> Option<PathBuf> {
    let path = section.text(key)?;
    if path.starts_with('/') {
        return Some(PathBuf::from(path));
    }
    section.fault(key, format!("{:?} is not an absolute path", cut(&path, 80)));
    None
}

#[cfg(test)]
mod tests;
