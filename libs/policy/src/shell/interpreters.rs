//! Programs that run what their arguments, a file or their input tells them.

use super::tables::{OTHERS, SCRIPTS, SHELLS, STARTERS, has};

/// Whether a program is a shell.
pub(super) fn is_a_shell(base: &str) -> bool {
    has(SHELLS, without_version(base))
}

/// Whether a program runs a script that it reads.
pub(super) fn runs_scripts(base: &str) -> bool {
    has(SCRIPTS, without_version(base))
}

/// Whether a program runs what it reads.
pub(super) fn runs_its_input(base: &str) -> bool {
    is_a_shell(base) || runs_scripts(base) || matches!(base, "." | "source" | "eval")
}

/// Whether a program runs its input in a language of its own.
pub(super) fn is_one(base: &str) -> bool {
    runs_scripts(base) || has(OTHERS, base) || has(OTHERS, without_version(base))
}

/// Whether a program starts others, shells and the loader of programs included.
pub(super) fn starts_others(base: &str) -> bool {
    is_a_shell(base) || has(STARTERS, base) || base.starts_with("ld-") || base.starts_with("ld.so")
}

/// `python3.12` and `lua-5.4` without their versions.
fn without_version(base: &str) -> &str {
    let name = base.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    if name.is_empty() { base } else { name }
}
