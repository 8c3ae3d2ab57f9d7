//! Paths in command lines that a person copies into a shell: one word, regardless of what the name holds.

use std::path::Path;

use shared_types::text::is_unsafe;

/// A path as one word of a POSIX shell; `None` for one that cannot be shown as it is, such as a name with a newline, an
/// invisible character or bytes that are not text.
pub fn word(path: &Path) -> Option<String> {
    // A name that begins with a dash would be an option.
    match path.to_str()? {
        text if text.starts_with('-') => argument(&format!("./{text}")),
        text => argument(text),
    }
}

/// An argument as one word of a POSIX shell, an option as an option; `None` as for [`word`].
pub fn argument(text: &str) -> Option<String> {
    if text.is_empty() || text.chars().any(is_unsafe) {
        return None;
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%=".contains(c);
    Some(if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) })
}

/// A command on one file or folder. A name that cannot be shown is reached by its number within the nearest folder that
/// can: no shell reads it.
///
/// `command` is what stands before the path, such as `chmod o-w`.
pub fn command(command: &str, path: &Path, inode: u64) -> String {
    if let Some(word) = word(path) {
        return format!("{command} -- {word}");
    }
    let shown = path.ancestors().skip(1).find_map(|folder| Some((folder, word(folder)?)));
    let Some((folder, word)) = shown else {
        return format!("find . -xdev -inum {inode} -exec {command} -- '{{}}' ';'");
    };
    let depth = if path.parent() == Some(folder) { " -mindepth 1 -maxdepth 1" } else { "" };
    format!("find {word} -xdev{depth} -inum {inode} -exec {command} -- '{{}}' ';'")
}

/// A path in a sentence: as it is, with what cannot be shown as escapes.
pub fn shown(path: &Path) -> String {
    shared_types::text::line(&path.to_string_lossy())
}

#[cfg(test)]
mod tests;
