//! Options that make a harmless program start others, write files or change the machine.

use shared_types::text::cut;

use super::destroy;
use super::tables::{FLAGS, Flags, NAMED, WRITERS, has};

/// Whether `given`, without its dashes, means one of the long options: GNU programs take any beginning of a name, and
/// some programs take a single dash.
pub(super) fn abbreviates_one(given: &str, options: &str) -> bool {
    let name = given.split('=').next().unwrap_or(given);
    !name.is_empty() && options.split_ascii_whitespace().any(|option| option.starts_with(name))
}

/// Why a program does more than its pattern says; words before `covered` were granted as they are. A `--` ends nothing
/// here, since the value of an option can look like one.
pub(super) fn turned(name: &str, words: &[String], covered: usize, patterned: bool) -> Option<String> {
    let rest = &words[covered..];
    let row = FLAGS.iter().find(|row| has(row.names, name));
    if let Some(word) = row.and_then(|row| rest.iter().find(|word| is_flagged(row, word))) {
        return Some(format!(
            "the option `{}` starts a program, or writes or sends something",
            cut(word, 40)
        ));
    }
    if has(WRITERS, name)
        && let Some(word) = rest.iter().find(|word| leaves(word))
    {
        return Some(format!(
            "`{}` lies outside the command's own folder, or is hidden there",
            cut(word, 60)
        ));
    }
    if has(NAMED, name) && covered < 2 && words.len() > 1 {
        return Some("its first word decides what it does; a pattern must name that word too".to_owned());
    }
    let operands = || rest.iter().filter(|word| !word.starts_with('-') || *word == "-").count();
    match name {
        "uniq" if patterned || operands() > 1 => Some("its second file would be written".to_owned()),
        "rsync" if rest.iter().any(|word| word.contains(':')) => {
            Some("a name with `:` is on another machine".to_owned())
        }
        "tar" | "gtar" | "bsdtar" => tar(words, covered, patterned),
        "curl" | "wget"
            if rest.iter().any(|word| word.to_lowercase().starts_with("file:") || word.contains('@')) =>
        {
            Some("it would send a file, or read one".to_owned())
        }
        "go" | "openssl" if rest.iter().any(|word| single_dashed(row, word)) => {
            Some("an option that starts a program or writes a file".to_owned())
        }
        "date" | "gdate" if rest.iter().any(|word| is_a_time(word)) => {
            Some("it would set the clock".to_owned())
        }
        "cargo" if rest.iter().any(|word| word.starts_with('+')) => {
            Some("`+` chooses another toolchain".to_owned())
        }
        "hostname" | "domainname" if operands() > 0 => Some("it would change the machine's name".to_owned()),
        _ => None,
    }
}

/// `MMDDhhmm` with a year and seconds, which `date` takes for the time to set.
fn is_a_time(word: &str) -> bool {
    word.len() >= 8 && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn is_flagged(row: &Flags, word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => abbreviates_one(long, row.long),
        None => word.starts_with('-') && word.contains(|c| row.short.contains(c)),
    }
}

/// Whether a word is one of the long options behind a single dash.
fn single_dashed(row: Option<&Flags>, word: &str) -> bool {
    let given = word.strip_prefix('-').unwrap_or_default();
    let name = given.split('=').next().unwrap_or(given);
    row.is_some_and(|row| has(row.long, name))
}

/// The first word may be a cluster without a dash, and a name with `:` is another machine's.
fn tar(words: &[String], covered: usize, patterned: bool) -> Option<String> {
    let first = words.get(1)?;
    if covered < 2 && !first.starts_with('-') && (patterned || first.contains(['I', 'F', 'P', 'C'])) {
        return Some("its letters can start a program or leave the folder".to_owned());
    }
    words[covered..]
        .iter()
        .any(|word| word.contains(':'))
        .then(|| "a name with `:` is on another machine".to_owned())
}

fn leaves(word: &str) -> bool {
    let attached = word.starts_with('-') && word.contains('/');
    attached || word.split(['=', ':']).any(destroy::leaves_or_hides)
}
