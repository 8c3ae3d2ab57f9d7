//! A path as a tool is given it, made canonical or refused before anything is opened.

use ports::further::Further;
use shared_types::text::{cut, is_refused};
use shared_types::verdict::{Denial, Rule};

/// A path beneath the workspace or a further folder: no `.`, no `..`, no empty part; the empty one is that folder itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of its further folder, and that folder as the configuration spells it.
    further: Option<(usize, String)>,
    text: String,
}

/// The longest path, in bytes; the longest name is 255, as file systems have it.
const MAX_PATH: usize = 1_000;
/// The most folders above a file.
const MAX_DEPTH: usize = 16;

impl Place {
    /// Reads a path.
    ///
    /// # Errors
    /// One that leads out of the workspace, or that cannot be a name.
    pub(super) fn parse(given: &str, further: &[Further]) -> Result<Place, Denial> {
        let shown = cut(given, 80);
        let outside = |how: &str| {
            Err(Denial {
                rule: Rule::PathOutside,
                why: format!(
                    "`{shown}` {how}: only files of the workspace can be used, such as notes/todo.md; \"show my files\" \
                     lists them"
                ),
            })
        };
        let unfit = |how: &str| {
            Err(Denial { rule: Rule::PathName, why: format!("`{shown}` is not a path here: {how}") })
        };
        let found = further.iter().enumerate().find_map(|(number, folder)| {
            folder.beneath(given).map(|rest| (rest, (number, folder.spelled.clone())))
        });
        let (given, further) = match found {
            Some((rest, folder)) => (rest, Some(folder)),
            None if given.starts_with('/') => return outside("is an absolute path"),
            None if given == "~" || given.starts_with("~/") => return outside("leads to a home folder"),
            None => (given, None),
        };
        if given.chars().any(is_refused) {
            return unfit("control, invisible and direction-changing characters are not allowed in it");
        }
        let parts: Vec<&str> = given.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if parts.contains(&"..") {
            return outside("has `..` in it");
        }
        if given.len() > MAX_PATH || parts.len() > MAX_DEPTH + 1 || parts.iter().any(|part| part.len() > 255)
        {
            return unfit("at most 1000 bytes, 16 folders deep, and 255 bytes a name");
        }
        Ok(Place { further, text: parts.join("/") })
    }

    /// The place of a path beneath the same folder.
    pub(super) fn beside(&self, path: &str) -> Place {
        Place { text: path.to_owned(), ..self.clone() }
    }

    /// The number of its further folder.
    pub(super) fn further(&self) -> Option<usize> {
        self.further.as_ref().map(|(number, _)| *number)
    }

    /// The path with the name of its folder in front.
    pub(super) fn full(&self) -> String {
        match &self.further {
            None => self.text.clone(),
            Some((_, spelled)) if self.text.is_empty() => spelled.clone(),
            Some((_, spelled)) => format!("{spelled}/{}", self.text),
        }
    }

    /// The path beneath its folder.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The folders on the way, and the last name; nothing for the workspace itself.
    pub(super) fn split(&self) -> Option<(Vec<&str>, &str)> {
        let mut parts: Vec<&str> = self.text.split('/').collect();
        let last = parts.pop().filter(|last| !last.is_empty())?;
        Some((parts, last))
    }

    /// The path for a sentence.
    pub(super) fn shown(&self) -> String {
        let full = self.full();
        if full.is_empty() { "the workspace".to_owned() } else { format!("`{}`", cut(&full, 200)) }
    }
}
