//! The package sources: the system's own, and Debian's backports of the same archive for kernels that the release lacks.

use std::fs;
use std::io;
use std::path::Path;

/// Writes the system's sources and, beside each, its backports into a folder.
pub(crate) fn write(folder: &Path) -> io::Result<()> {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let codename = release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .map(|word| word.trim_matches('"'));
    let parts =
        fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path());
    for path in parts.chain(["/etc/apt/sources.list".into()]) {
        let kind = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let (Some(name), Ok(text), "sources" | "list") =
            (path.file_stem(), fs::read_to_string(&path), kind.as_str())
        else {
            continue;
        };
        let name = name.to_string_lossy();
        fs::write(folder.join(format!("{name}.{kind}")), &text)?;
        if let Some(codename) = codename {
            fs::write(folder.join(format!("{name}-backports.{kind}")), backports(&text, codename))?;
        }
    }
    Ok(())
}

/// The same sources for the backports of a release, in either format; only those that name the release itself.
fn backports(text: &str, codename: &str) -> String {
    let suite = format!("{codename}-backports");
    let one_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let names = words.first() == Some(&"deb") && words.contains(&codename);
        names.then(|| {
            words
                .iter()
                .map(|word| if *word == codename { &suite } else { *word })
                .collect::<Vec<_>>()
                .join(" ")
        })
    };
    let stanza = |stanza: &str| {
        let field = |line: &str| {
            line.strip_prefix("Suites:")
                .is_some_and(|suites| suites.split_whitespace().any(|s| s == codename))
        };
        stanza.lines().any(field).then(|| {
            let lines = stanza
                .lines()
                .map(|line| if field(line) { format!("Suites: {suite}") } else { line.to_owned() });
            lines.collect::<Vec<_>>().join("\n") + "\n"
        })
    };
    let lines = text.lines().filter_map(one_line);
    let stanzas = text.split("\n\n").filter_map(stanza);
    lines.chain(stanzas).map(|source| source + "\n").collect()
}

#[cfg(test)]
mod tests;
