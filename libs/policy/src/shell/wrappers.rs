//! Programs that do nothing but start another: what they start, when their options are understood.

use super::names::base;
use super::tables::{HARMLESS_VARIABLES, READERS, WRAPPERS, Wrapper, has};

/// What a wrapper would start.
pub(super) struct Opened {
    /// At which word the other program is named; there is such a word.
    pub(super) at: usize,
    /// Why it is high regardless of the other program.
    pub(super) raises: Option<&'static str>,
}

/// Whether what stands behind a program's known words can be anything without doing harm.
pub(super) fn is_a_reader(base: &str) -> bool {
    has(READERS, base)
}

/// Whether a program is a wrapper.
pub(super) fn is_one(name: &str) -> bool {
    WRAPPERS.iter().any(|row| has(row.names, name))
}

/// What a wrapper would start; `None` for any other program, and for a wrapper that starts nothing.
pub(super) fn open(name: &str, words: &[String]) -> Option<Opened> {
    let row = WRAPPERS.iter().find(|row| has(row.names, name))?;
    let (mut at, understood) = options(row, words);
    let mut raises = (!understood).then_some("an option that is not known here");
    if row.assigns {
        while let Some((variable, _)) = words.get(at).and_then(|word| word.split_once('=')) {
            if !(has(HARMLESS_VARIABLES, variable) || variable.starts_with("LC_")) {
                raises = raises.or(Some("a variable can change what a program starts"));
            }
            at += 1;
        }
    }
    at += row.operands;
    let Some(program) = words.get(at) else {
        // Nothing is left to be started, unless an option that is not known here hid it.
        return raises.map(|why| Opened { at: words.len() - 1, raises: Some(why) });
    };
    if row.adds && !is_a_reader(&base(program)) {
        raises = raises.or(Some("it adds arguments that nobody has seen"));
    }
    Some(Opened { at, raises })
}

/// Where the options end, and whether all of them were understood.
fn options(row: &Wrapper, words: &[String]) -> (usize, bool) {
    let mut at = 1;
    let mut understood = true;
    while let Some(word) = words.get(at) {
        if word == "--" {
            return (at + 1, understood);
        }
        let Some(option) = word.strip_prefix('-') else { break };
        let mut takes_next = false;
        if let Some(long) = option.strip_prefix('-') {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            let valued = has(row.long_valued, name);
            understood &= valued || has(row.long, name);
            takes_next = valued && value.is_none();
        } else {
            // A `-` of its own is `-i` to `env`, and nothing to the others.
            understood &= !option.is_empty() || row.assigns;
            for (place, letter) in option.char_indices() {
                if row.valued.contains(letter) {
                    takes_next = place + letter.len_utf8() == option.len();
                    break;
                }
                understood &= row.flags.contains(letter);
            }
        }
        at += 1 + usize::from(takes_next);
    }
    (at.min(words.len()), understood)
}
