//! The list of controls: for each the source change that cuts it, and the tests that must notice.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::inventory::Inventory;

/// The path of the list, from the root of the workspace.
pub const LIST: &str = "xtask/cuts.toml";

/// One control.
#[derive(Debug, Clone)]
pub struct Cut {
    /// What must hold, in plain words; unique.
    pub control: String,
    /// The changes: one, or several where one alone leaves a second wall standing.
    pub edits: Vec<Edit>,
    /// The full names of the tests that must fail.
    pub tests: Vec<String>,
}

/// One change of one file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The file, from the root of the workspace.
    pub file: PathBuf,
    /// The function within which the anchor stands.
    pub function: Option<String>,
    /// The source that is replaced; without it, the whole body of the function.
    pub find: Option<String>,
    /// The source that takes its place.
    pub replace: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    cut: Vec<Row>,
}

/// A control as it is written down: the first change stands beside its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    control: String,
    file: PathBuf,
    function: Option<String>,
    find: Option<String>,
    replace: String,
    #[serde(default)]
    also: Vec<Edit>,
    tests: Vec<String>,
}

impl From<Row> for Cut {
    fn from(row: Row) -> Cut {
        let first = Edit { file: row.file, function: row.function, find: row.find, replace: row.replace };
        let edits = [first].into_iter().chain(row.also).collect();
        // A crate is often called by its package's name.
        let full = |name: String| match name.split_once("::") {
            Some((program, path)) => format!("{}::{path}", program.replace('-', "_")),
            None => name,
        };
        Cut { control: row.control, edits, tests: row.tests.into_iter().map(full).collect() }
    }
}

/// Why an anchor does not name one place.
#[derive(Debug, PartialEq, Eq)]
pub enum AnchorError {
    /// The function does not exist.
    NoFunction(String),
    /// Several functions have this name.
    Functions(String, usize),
    /// The source text is not there.
    NotFound(String),
    /// The source text is there more than once.
    Found(String, usize),
    /// Neither a function nor a source text is named.
    Nothing,
    /// The replacement is what stands there already.
    Same,
}

impl fmt::Display for AnchorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnchorError::NoFunction(name) => write!(f, "there is no function `{name}`"),
            AnchorError::Functions(name, times) => write!(f, "{times} functions are named `{name}`"),
            AnchorError::NotFound(text) => write!(f, "the anchor was not found: {}", first_line(text)),
            AnchorError::Found(text, times) => {
                write!(f, "the anchor stands there {times} times: {}", first_line(text))
            }
            AnchorError::Nothing => f.write_str("neither `function` nor `find` is given"),
            AnchorError::Same => f.write_str("the replacement changes nothing"),
        }
    }
}

impl std::error::Error for AnchorError {}

fn first_line(text: &str) -> &str {
    text.trim_start().lines().next().unwrap_or_default()
}

/// Parses the text of a list.
pub fn parse(text: &str) -> Result<Vec<Cut>, toml::de::Error> {
    toml::from_str::<List>(text).map(|list| list.cut.into_iter().map(Cut::from).collect())
}

/// Reads the list of the workspace at `root`.
pub fn read(root: &Path) -> io::Result<Vec<Cut>> {
    let text = fs::read_to_string(root.join(LIST))?;
    parse(&text).map_err(io::Error::other)
}

impl Cut {
    /// Whether a person's word on the command line means this control: what stands before its colon, or a part of it.
    pub fn is_meant_by(&self, word: &str) -> bool {
        let label = self.control.split(':').next().unwrap_or_default();
        label.eq_ignore_ascii_case(word)
            || (word.len() > 3 && self.control.to_lowercase().contains(&word.to_lowercase()))
    }
}

impl Edit {
    /// The text with the control cut.
    pub fn apply(&self, text: &str) -> Result<String, AnchorError> {
        let scope = match &self.function {
            Some(name) => function(text, name)?,
            None => 0..text.len(),
        };
        let within = &text[scope.clone()];
        let (start, end) = match &self.find {
            Some(find) => {
                let times = within.matches(find.as_str()).count();
                match times {
                    0 => return Err(AnchorError::NotFound(find.clone())),
                    1 => {}
                    _ => return Err(AnchorError::Found(find.clone(), times)),
                }
                let at = scope.start + within.find(find.as_str()).expect("it was counted");
                (at, at + find.len())
            }
            None if self.function.is_some() => body(text, scope),
            None => return Err(AnchorError::Nothing),
        };
        if text[start..end] == self.replace {
            return Err(AnchorError::Same);
        }
        Ok(format!("{}{}{}", &text[..start], self.replace, &text[end..]))
    }
}

/// The lines of the one function of this name; the source is formatted, so its end stands below its beginning.
fn function(text: &str, name: &str) -> Result<std::ops::Range<usize>, AnchorError> {
    let begins = |line: &str| {
        let named = line.split_once("fn ").filter(|(before, _)| !before.contains(['/', '"', '{', '=']));
        named.and_then(|(_, rest)| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with(['(', '<']))
    };
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if begins(line)
            && let Some(length) = length_of(&text[at..])
        {
            found.push(at..at + length);
        }
        at += line.len();
    }
    match found.len() {
        0 => Err(AnchorError::NoFunction(name.to_owned())),
        1 => Ok(found.remove(0)),
        times => Err(AnchorError::Functions(name.to_owned(), times)),
    }
}

/// The length of the function with which a text begins; nothing for a declaration without a body.
fn length_of(text: &str) -> Option<usize> {
    let indent = &text[..text.len() - text.trim_start().len()];
    let mut length = 0;
    let mut has_body = false;
    for line in text.split_inclusive('\n') {
        length += line.len();
        let code = line.trim_end();
        if !has_body {
            if code.ends_with(';') {
                return None;
            }
            if code.contains('{') && code.ends_with('}') {
                return Some(length);
            }
            has_body = code.ends_with('{');
        } else if code.strip_prefix(indent) == Some("}") {
            return Some(length);
        }
    }
    None
}

/// What stands between the braces of a function.
fn body(text: &str, scope: std::ops::Range<usize>) -> (usize, usize) {
    let within = &text[scope.clone()];
    let mut at = 0;
    let mut open = within.len();
    for line in within.split_inclusive('\n') {
        if line.trim_end().ends_with('{') {
            open = at + line.trim_end().len();
            break;
        }
        at += line.len();
    }
    let close = within.rfind('}').unwrap_or(within.len());
    let open = if open > close { within.find('{').map_or(close, |at| at + 1) } else { open };
    (scope.start + open, scope.start + close)
}

/// What is wrong with the list: anchors and names of tests, one fault a line.
pub fn faults(root: &Path, cuts: &[Cut], tests: &Inventory) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, cut) in cuts.iter().enumerate() {
        let mut fault = |what: String| faults.push(format!("{}: {what}", cut.control));
        if cuts[..number].iter().any(|earlier| earlier.control == cut.control) {
            fault("the list names this control twice".to_owned());
        }
        if cut.tests.is_empty() {
            fault("no test is named".to_owned());
        }
        for name in cut.tests.iter().filter(|name| tests.find(name).is_none()) {
            fault(format!("there is no test `{name}`"));
        }
        if let Err(error) = changed(root, cut) {
            fault(error.to_string());
        }
    }
    faults
}

/// The files of a cut as they are with it, each once; several changes of one file follow each other.
pub fn changed(root: &Path, cut: &Cut) -> io::Result<Vec<(PathBuf, String)>> {
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for edit in &cut.edits {
        let at = |error: &dyn fmt::Display| io::Error::other(format!("{}: {error}", edit.file.display()));
        let place = match files.iter().position(|(file, _)| *file == edit.file) {
            Some(place) => place,
            None => {
                let text = fs::read_to_string(root.join(&edit.file)).map_err(|error| at(&error))?;
                files.push((edit.file.clone(), text));
                files.len() - 1
            }
        };
        files[place].1 = edit.apply(&files[place].1).map_err(|error| at(&error))?;
    }
    Ok(files)
}

#[cfg(test)]
mod tests;
