//! The file that names the lines.

use std::collections::HashSet;
use std::path::PathBuf;

use documents::settings::section;
use pin_protocol::{LONGEST_NAME, MOST_LINES, is_name};
use shared_types::proposal::Fault;
use shared_types::settings::{Key, Kind, NEEDED, Section, key, number, word};

/// The longest debouncing, in milliseconds.
const MOST_DEBOUNCE: u64 = 1_000;
/// The most changes of a line in a second that a file may allow.
const MOST_CHANGES: u64 = 100;

static KEYS: &[Key] = &[key(
    "lines",
    Kind::List { keys: LINE, default: "[]", most: MOST_LINES },
    "The lines that are opened; nothing else of a chip is.",
)];

static LINE: &[Key] = &[
    key("name", NEEDED, "how skills call it"),
    key("chip", Kind::Text { default: Some("/dev/gpiochip0"), needed: None }, "the chip's device"),
    key(
        "offset",
        Kind::Number { default: None, least: 0, most: 4_095, unit: "th line" },
        "its number on the chip",
    ),
    key("direction", Kind::Word { default: "", allowed: &["in", "out"], needed: true }, "in or out"),
    key("pull", word("as-is", &["as-is", "up", "down", "none"]), "the resistor of the chip, for an input"),
    key("active_low", Kind::Flag(false), "whether it is on while its voltage is low"),
    key(
        "debounce",
        number(0, 0, MOST_DEBOUNCE, "milliseconds"),
        "how long an input must be steady before it has changed",
    ),
    key("safe", Kind::Switch(false), "the level of an output where nobody switches it"),
    key(
        "most_changes",
        number(5, 1, MOST_CHANGES, "changes a second"),
        "how often an output is switched at most",
    ),
];

/// The resistor of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pull {
    /// As the chip has it.
    AsIs,
    /// To the voltage.
    Up,
    /// To ground.
    Down,
    /// Neither.
    None,
}

/// Which way a line goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Direction {
    /// It is read.
    In {
        /// Its resistor.
        pull: Pull,
        /// How long it must be steady, in milliseconds.
        debounce: u64,
    },
    /// It is switched.
    Out {
        /// Its level where nobody switches it.
        safe: bool,
        /// How often it is switched in a second, at most.
        most_changes: usize,
    },
}

/// One line, as the file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// How clients call it.
    pub name: String,
    /// The device of its chip.
    pub chip: PathBuf,
    /// Its number there.
    pub offset: u32,
    /// Which way it goes.
    pub direction: Direction,
    /// Whether it is on while its voltage is low.
    pub active_low: bool,
}

/// Reads the file's text.
///
/// # Errors
/// Every fault in one pass.
pub fn parse(text: &str) -> Result<Vec<Line>, Vec<Fault>> {
    let mut top = section(KEYS, text);
    let (mut lines, mut names, mut places) = (Vec::new(), HashSet::new(), HashSet::new());
    for mut entry in top.sections("lines") {
        let line = line(&mut entry);
        if !names.insert(line.name.clone()) {
            entry.fault("name", format!("{:?} names two lines", line.name));
        }
        if !places.insert((line.chip.clone(), line.offset)) {
            entry.fault("offset", "another line has this number on the same chip");
        }
        top.close(entry);
        lines.push(line);
    }
    if lines.is_empty() && !top.has("lines") {
        top.fault("lines", "names no line");
    }
    let faults = top.finish();
    if faults.is_empty() { Ok(lines) } else { Err(faults) }
}

fn line(entry: &mut Section) -> Line {
    let name = entry.text("name").unwrap_or_default();
    if !is_name(&name) || name.contains(' ') {
        let why = format!("a name has 1 to {LONGEST_NAME} letters, digits, `-` and `_`");
        entry.fault("name", why);
    }
    let chip = entry.text("chip").unwrap_or_default();
    if !chip.starts_with("/dev/") || chip.contains("..") {
        entry.fault("chip", "a chip is a device, as in /dev/gpiochip0");
    }
    let offset = entry.optional_number("offset");
    if offset.is_none() && !entry.has("offset") {
        entry.fault("offset", "missing: the number of the line on its chip, as `gpioinfo` shows it");
    }
    const BOTH: [&str; 5] = ["name", "chip", "offset", "direction", "active_low"];
    let direction = match entry.word("direction") {
        "out" => {
            entry.only(&[&BOTH[..], &["safe", "most_changes"]].concat(), "an output");
            let most_changes = usize::try_from(entry.number("most_changes")).unwrap_or(1);
            Direction::Out { safe: entry.flag("safe"), most_changes }
        }
        _ => {
            entry.only(&[&BOTH[..], &["pull", "debounce"]].concat(), "an input");
            let pull = match entry.word("pull") {
                "up" => Pull::Up,
                "down" => Pull::Down,
                "none" => Pull::None,
                _ => Pull::AsIs,
            };
            Direction::In { pull, debounce: entry.number("debounce") }
        }
    };
    let offset = offset.and_then(|offset| u32::try_from(offset).ok()).unwrap_or_default();
    Line { name, chip: chip.into(), offset, direction, active_low: entry.flag("active_low") }
}

#[cfg(test)]
mod tests;
