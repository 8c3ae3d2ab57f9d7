//! What is never done, regardless of who asks.

use shared_types::text::cut;

use super::finding::Finding;
use super::names::base;
use super::rules::Rules;
use super::tables::{DESTRUCTIVE, ENDINGS, has};

/// Programs that never run, beside the configured ones.
pub const FORBIDDEN: [&str; 5] = ["rm", "shutdown", "reboot", "mkfs", "dd"];

/// Whether an argument vector is never started, judged on its own and not by what it would start.
pub(super) fn blocked(program: &str, rest: &[String], configured: &[String]) -> Option<Finding> {
    let name = base(program);
    let shown = cut(program, 60);
    let forbidden =
        || Some(Finding::blocked("forbidden-command", format!("`{shown}` is a forbidden command")));
    let destructive = |what: &str| Some(Finding::blocked("destructive", format!("`{shown}` {what}")));
    if FORBIDDEN.contains(&name.as_str()) || configured.iter().any(|entry| is_meant(entry, &name, rest)) {
        return forbidden();
    }
    if has(DESTRUCTIVE, &name) || name.starts_with("mkfs") {
        return destructive("wipes a disk, or ends the machine");
    }
    match name.as_str() {
        "init" if rest.iter().any(|w| matches!(w.as_str(), "0" | "1" | "6" | "s" | "S")) => {
            destructive("would end the machine")
        }
        "systemctl" | "loginctl" | "machinectl" if rest.iter().any(|word| is_an_ending(word)) => {
            destructive("would end the machine or its services")
        }
        "chown" | "chgrp" if is_recursive(rest) => destructive("would change the owner of whole folders"),
        "chmod" if is_recursive(rest) && rest.iter().any(|w| opens_to_all(w) || leaves(w)) => {
            destructive("would open whole folders to everybody, or folders outside")
        }
        "find" | "gfind" if rest.iter().any(|word| word == "-delete") => {
            destructive("-delete removes everything that it finds")
        }
        "cp" | "install" | "ln" | "mv" | "sponge" | "tee" | "truncate"
            if rest.iter().any(|word| is_a_device(word.rsplit('=').next().unwrap_or(word))) =>
        {
            destructive("would write into a device or kernel file")
        }
        _ => None,
    }
}

/// Whether a path names a device or a file by which the kernel is ordered to do something.
pub(super) fn is_a_device(path: &str) -> bool {
    const HARMLESS: &[&str] =
        &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/zero", "/dev/full"];
    let path = normal(path);
    let beneath = |folder: &str| path == folder || path.starts_with(&format!("{folder}/"));
    (beneath("/dev") && !HARMLESS.contains(&path.as_str())) || beneath("/sys") || beneath("/proc")
}

/// Whether an argument names something in a folder that no command is given, by the rules of the profile or on its own.
pub(super) fn is_a_forbidden_path(word: &str, rules: &Rules<'_>) -> bool {
    const FOLDERS: &[&str] = &["/etc", "/sys", "/boot", "/proc", "/root"];
    const NAMES: &[&str] = &[".ssh", ".gnupg", ".aws", ".netrc"];
    let part = |text: &str| {
        let path = normal(text);
        let secret = path.split('/').any(|name| NAMES.contains(&name));
        secret
            || is_a_device(&path)
            || rules.forbids(&path)
            || FOLDERS.iter().any(|f| path == *f || path.starts_with(&format!("{f}/")))
    };
    // `--file=/etc/x`, `-f/etc/x`, `@/etc/x`.
    let attached = word.find('/').map_or(word, |at| &word[at..]);
    part(word)
        || (word.starts_with(['-', '@', '+']) && part(attached))
        || word.split(['=', ':', ',']).any(part)
}

/// Whether a word holds a relative path that climbs above the folder in which it begins, at any point of its way: what
/// is there is outside, regardless of what the rest of the path names.
pub(super) fn climbs_out(word: &str) -> bool {
    let climbs = |path: &str| {
        let mut depth = 0_usize;
        !path.starts_with('/')
            && path.split('/').any(|name| match name {
                "" | "." => false,
                ".." if depth == 0 => true,
                ".." => {
                    depth -= 1;
                    false
                }
                _ => {
                    depth += 1;
                    false
                }
            })
    };
    // `-f../x` and `@../x`: the path begins behind the option's letter or the sign.
    let attached = word.find("..").filter(|_| word.starts_with(['-', '@', '+']));
    word.split(['=', ':', ',']).any(climbs) || attached.is_some_and(|at| climbs(&word[at..]))
}

/// A path without `.`, `..` and doubled `/`, as far as text can tell.
fn normal(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            part => kept.push(part),
        }
    }
    format!("{}{}", if path.starts_with('/') { "/" } else { "" }, kept.join("/"))
}

/// Whether a path leads out of the folder that it begins in, or names a hidden file there, by which programs are steered.
pub(super) fn leaves_or_hides(path: &str) -> bool {
    path.starts_with('/') || path.split('/').any(|name| name.starts_with('.') && name != ".")
}

fn is_meant(entry: &str, name: &str, rest: &[String]) -> bool {
    let mut parts = entry.split_whitespace();
    parts.next().is_some_and(|program| base(program) == name)
        && parts.clone().count() <= rest.len()
        && parts.zip(rest).all(|(part, word)| part == word)
}

fn is_an_ending(word: &str) -> bool {
    let word = word.to_lowercase();
    let name = word.strip_suffix(".target").unwrap_or(&word);
    has(ENDINGS, name) || matches!(name, "runlevel0" | "runlevel1" | "runlevel6" | "ctrl-alt-del")
}

/// `-R` in any cluster, `--recursive` in any abbreviation.
fn is_recursive(words: &[String]) -> bool {
    words.iter().any(|word| match word.strip_prefix("--") {
        Some(long) => long.len() >= 3 && "recursive".starts_with(long),
        None => word.starts_with('-') && word.contains('R'),
    })
}

fn opens_to_all(mode: &str) -> bool {
    let octal = mode.len() >= 3 && mode.bytes().all(|b| (b'0'..=b'7').contains(&b));
    let symbolic = mode.split(',').any(|part| {
        let who = part.split(['+', '=']).next().unwrap_or_default();
        part.contains(['+', '=']) && part.contains('w') && (who.is_empty() || who.contains(['o', 'a']))
    });
    symbolic || (octal && mode.ends_with(['2', '3', '6', '7']))
}

fn leaves(word: &str) -> bool {
    word.starts_with(['/', '~']) || word == "*" || word.split('/').any(|part| part == "..")
}
