//! Programs that do nothing but start another: what they start, when their options are understood.

use super::names::base;

/// What a wrapper would start.
pub(super) struct Opened {
    /// At which word the other program is named; there is such a word.
    pub(super) at: usize,
    /// Why it is high regardless of the other program.
    pub(super) raises: Option<&'static str>,
}

/// How the options of a wrapper are read. What is not in here is not understood, and raises.
struct Row {
    names: &'static [&'static str],
    /// Options of one letter without a value.
    flags: &'static str,
    /// Options of one letter with a value, in the same word or the next.
    valued: &'static str,
    /// Long options, without a value or with it behind `=`.
    long: &'static [&'static str],
    /// Long options whose value may be the next word.
    long_valued: &'static [&'static str],
    /// How many words stand between the options and the command.
    operands: usize,
}

const NOTHING: Row = Row { names: &[], flags: "", valued: "", long: &[], long_valued: &[], operands: 0 };

const ROWS: &[Row] = &[
    Row {
        names: &["env", "genv"],
        flags: "i0v",
        valued: "u",
        long: &["ignore-environment", "null", "debug"],
        long_valued: &["unset"],
        ..NOTHING
    },
    Row {
        names: &["nice", "gnice"],
        flags: "0123456789",
        valued: "n",
        long_valued: &["adjustment"],
        ..NOTHING
    },
    Row {
        names: &["ionice"],
        flags: "t",
        valued: "cn",
        long: &["ignore"],
        long_valued: &["class", "classdata"],
        ..NOTHING
    },
    Row { names: &["nohup"], ..NOTHING },
    Row {
        names: &["timeout", "gtimeout"],
        flags: "vfp",
        valued: "ks",
        long: &["foreground", "preserve-status", "verbose"],
        long_valued: &["kill-after", "signal"],
        operands: 1,
    },
    Row {
        names: &["time", "gtime"],
        flags: "pvq",
        valued: "f",
        long: &["portability", "verbose", "quiet"],
        long_valued: &["format"],
        ..NOTHING
    },
    Row {
        names: &["stdbuf", "gstdbuf"],
        valued: "ioe",
        long_valued: &["input", "output", "error"],
        ..NOTHING
    },
    Row { names: &["setsid"], flags: "cfw", long: &["ctty", "fork", "wait"], ..NOTHING },
    Row {
        names: &["chrt"],
        flags: "bfior",
        long: &["batch", "fifo", "idle", "other", "rr"],
        operands: 1,
        ..NOTHING
    },
    Row { names: &["taskset"], flags: "c", long: &["cpu-list"], operands: 1, ..NOTHING },
    Row {
        names: &["xargs", "gxargs"],
        flags: "0rtx",
        valued: "ELPdns",
        long: &["null", "no-run-if-empty", "verbose", "exit"],
        long_valued: &["delimiter", "max-args", "max-procs", "max-chars"],
        ..NOTHING
    },
    Row { names: &["busybox", "toybox"], ..NOTHING },
];

/// Programs whose further arguments are nothing but names of what is read: no option of theirs starts or writes anything.
const READERS: &[&str] = &[
    "basename",
    "cat",
    "cut",
    "dirname",
    "du",
    "echo",
    "grep",
    "head",
    "ls",
    "md5sum",
    "sha256sum",
    "stat",
    "tail",
    "wc",
];

/// Variables that change how something is shown and nothing else.
const HARMLESS: &[&str] =
    &["CLICOLOR", "COLUMNS", "FORCE_COLOR", "LANG", "LANGUAGE", "LINES", "NO_COLOR", "TERM", "TZ"];

/// Whether what stands behind a program's known words can be anything without doing harm.
pub(super) fn is_a_reader(base: &str) -> bool {
    READERS.contains(&base)
}

/// Whether a program is a wrapper.
pub(super) fn is_one(name: &str) -> bool {
    ROWS.iter().any(|row| row.names.contains(&name))
}

/// What a wrapper would start; `None` for any other program, and for a wrapper that starts nothing.
pub(super) fn open(name: &str, words: &[String]) -> Option<Opened> {
    let row = ROWS.iter().find(|row| row.names.contains(&name))?;
    let (mut at, understood) = options(row, words);
    let mut raises = (!understood).then_some("an option that is not known here");
    if row.names[0] == "env" {
        while let Some((variable, _)) = words.get(at).and_then(|word| word.split_once('=')) {
            if !(HARMLESS.contains(&variable) || variable.starts_with("LC_")) {
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
    if row.names[0] == "xargs" && !is_a_reader(&base(program)) {
        raises = raises.or(Some("it adds arguments that nobody has seen"));
    }
    Some(Opened { at, raises })
}

/// Where the options end, and whether all of them were understood.
fn options(row: &Row, words: &[String]) -> (usize, bool) {
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
            let valued = row.long_valued.contains(&name);
            understood &= valued || row.long.contains(&name);
            takes_next = valued && value.is_none();
        } else {
            // A `-` of its own is `-i` to `env`, and nothing to the others.
            understood &= !option.is_empty() || row.names[0] == "env";
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
