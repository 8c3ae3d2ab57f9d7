//! What turns a look at a repository into something else.

use shared_types::text::cut;

use super::flags::abbreviates;

/// Sub-commands that only read, regardless of the words that follow, unless they are named below.
const READ: &[&str] = &[
    "blame",
    "cat-file",
    "describe",
    "diff",
    "diff-tree",
    "grep",
    "log",
    "ls-files",
    "ls-tree",
    "merge-base",
    "name-rev",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-ref",
    "status",
    "version",
    "whatchanged",
];

/// Options before the sub-command that change nothing of what it starts.
const PLAIN: &[&str] =
    &["--no-pager", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects", "--version"];

/// Options by which a program is started or a file written.
const LONG: &[&str] = &[
    "config",
    "edit",
    "exec",
    "ext-diff",
    "extcmd",
    "filters",
    "gpg-sign",
    "open-files-in-pager",
    "output",
    "output-directory",
    "receive-pack",
    "recurse-submodules",
    "remote",
    "separate-git-dir",
    "show-signature",
    "sign",
    "signed",
    "template",
    "textconv",
    "tool",
    "upload-pack",
    "verify-signatures",
];

/// Why a line is more than what its pattern says; words before `covered` were granted as they are.
pub(super) fn turned(words: &[String], covered: usize) -> Option<String> {
    let mut at = 1;
    while let Some(option) = words.get(at).filter(|word| word.starts_with('-')) {
        if at >= covered && !PLAIN.contains(&option.as_str()) {
            return Some(format!("`{}` before the sub-command can start other programs", cut(option, 40)));
        }
        // A granted option may have its value in the next word; that one is granted too.
        at += 1 + usize::from(
            at + 1 < covered && matches!(option.as_str(), "-c" | "-C" | "--git-dir" | "--work-tree"),
        );
    }
    let sub = words.get(at)?.as_str();
    if at >= covered && !READ.contains(&sub) {
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
        return LONG.iter().any(|option| abbreviates(long, option));
    }
    let letters = match sub {
        "archive" | "bundle" | "format-patch" => "o",
        "bisect" => return word == "run",
        "clone" => "cu",
        "difftool" | "mergetool" => "xt",
        "fetch" | "ls-remote" | "pull" | "push" => "u",
        "grep" => "O",
        "rebase" => "xi",
        "submodule" => return word == "foreach",
        _ => return false,
    };
    word.starts_with('-') && word.contains(|c| letters.contains(c))
}
