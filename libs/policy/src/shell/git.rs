//! What turns a look at a repository into something else.

use shared_types::text::cut;

use super::flags::abbreviates_one;
use super::tables::{GIT_LETTERS, GIT_LONG, GIT_PLAIN, GIT_READERS, has};

/// Why a line is more than what its pattern says; words before `covered` were granted as they are.
pub(super) fn turned(words: &[String], covered: usize) -> Option<String> {
    let mut at = 1;
    while let Some(option) = words.get(at).filter(|word| word.starts_with('-')) {
        if at >= covered && !has(GIT_PLAIN, option) {
            return Some(format!("`{}` before the sub-command can start other programs", cut(option, 40)));
        }
        // A granted option may have its value in the next word; that one is granted too.
        at += 1 + usize::from(
            at + 1 < covered && matches!(option.as_str(), "-c" | "-C" | "--git-dir" | "--work-tree"),
        );
    }
    let sub = words.get(at)?.as_str();
    if at >= covered && !has(GIT_READERS, sub) {
        return Some(format!("`git {}` does more than read; a pattern must name it", cut(sub, 40)));
    }
    let rest = words.get(covered.max(at + 1)..).unwrap_or_default();
    let bad = rest.iter().find(|word| executes(sub, word))?;
    Some(format!("`{}` starts a program or writes a file", cut(bad, 60)))
}

fn executes(sub: &str, word: &str) -> bool {
    if word.contains("::") && word.contains("ext") {
        return true;
    }
    if let Some(long) = word.strip_prefix("--") {
        return abbreviates_one(long, GIT_LONG);
    }
    let row = || GIT_LETTERS.iter().find(|row| has(row.names, sub));
    match sub {
        "bisect" => word == "run",
        "submodule" => word == "foreach",
        _ => word.starts_with('-') && row().is_some_and(|row| word.contains(|c| row.short.contains(c))),
    }
}
