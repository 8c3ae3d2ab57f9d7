//! What a profile's tools may reach: patterns of paths, hosts and commands; what no pattern names is denied.

use std::fmt;

use glob::{MatchOptions, Pattern};
use serde::{Serialize, Serializer};

use crate::id::HostName;
use crate::settings::Section;
use crate::text::cut;

/// The most patterns of one list.
pub const MAX_PATTERNS: usize = 200;

/// What a profile's tools may reach.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Grants {
    /// Files of the workspace.
    pub files: FileGrants,
    /// Hosts that may be asked.
    pub hosts: Vec<HostPattern>,
    /// Commands, by their first words: these are medium, every other is high.
    pub commands: Vec<CommandPattern>,
    /// Commands that never run, beside those that no configuration allows: a program, or a program and its first words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forbidden_commands: Vec<String>,
    /// Folders outside of the workspace that no command may name, beside those that are always forbidden.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forbidden_folders: Vec<String>,
}

/// Files of the workspace, by their paths beneath it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FileGrants {
    /// What may be read and listed.
    pub read: Vec<PathPattern>,
    /// What may be written.
    pub write: Vec<PathPattern>,
    /// What may be neither read nor written, regardless of the other patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<PathPattern>,
}

/// A pattern of paths beneath a folder: `*` within one name, `**` over any number of folders, `?`, `[a-z]`.
#[derive(Clone, PartialEq, Eq)]
pub struct PathPattern(Pattern);

/// One host, or every host beneath a domain: `example.org`, `127.0.0.1:8080`, `*.example.org`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    host: HostName,
    beneath: bool,
}

/// The first words of a command: `git status` covers `git status --short`, and neither `git push` nor `gitk`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPattern(Vec<String>);

/// A text that is not a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a {what}; allowed: {allowed}")]
pub struct PatternError {
    given: String,
    what: &'static str,
    allowed: &'static str,
}

impl Grants {
    /// Reads the section `grants`; an absent key grants nothing. The forbidden paths come with their variables replaced.
    pub fn read(section: &mut Section, forbidden_paths: &[String]) -> Grants {
        let mut below = section.section("files");
        let mut files = FileGrants {
            read: list(&mut below, "read", PathPattern::parse),
            write: list(&mut below, "write", PathPattern::parse),
            forbidden: Vec::new(),
        };
        section.close(below);
        let mut forbidden_folders = Vec::new();
        for path in parsed(section, "forbidden_paths", forbidden_paths, ForbiddenPath::parse) {
            match path {
                ForbiddenPath::Inside(pattern) => files.forbidden.push(pattern),
                ForbiddenPath::Outside(folder) => forbidden_folders.push(folder),
            }
        }
        let forbidden_commands = list(section, "forbidden_commands", CommandPattern::parse);
        Grants {
            forbidden_commands: forbidden_commands.iter().map(ToString::to_string).collect(),
            forbidden_folders,
            files,
            hosts: list(section, "hosts", HostPattern::parse),
            commands: list(section, "commands", CommandPattern::parse),
        }
    }

    /// What a new profile is granted: its own workspace, and nothing else.
    pub fn of_new_profile() -> Grants {
        let all = || PathPattern::parse("**").into_iter().collect();
        Grants { files: FileGrants { read: all(), write: all(), forbidden: vec![] }, ..Grants::default() }
    }

    /// Whether nothing is granted.
    pub fn is_empty(&self) -> bool {
        *self == Grants::default()
    }

    /// Whether a host, with its port if it is not the usual one, may be asked.
    pub fn reaches(&self, host: &HostName) -> bool {
        self.hosts.iter().any(|pattern| pattern.matches(host))
    }
}

impl FileGrants {
    /// Whether a path beneath the workspace may be read.
    pub fn may_read(&self, path: &str) -> bool {
        !self.forbids(path) && self.read.iter().any(|pattern| pattern.matches(path))
    }

    /// Whether a folder beneath the workspace may be listed: something in it could be read.
    pub fn may_list(&self, folder: &str) -> bool {
        match folder {
            "" => !self.read.is_empty(),
            _ if self.forbids(folder) => false,
            _ => self.read.iter().any(|pattern| pattern.leads_into(folder)),
        }
    }

    /// Whether a path beneath the workspace may be written.
    pub fn may_write(&self, path: &str) -> bool {
        !self.forbids(path) && self.write.iter().any(|pattern| pattern.matches(path))
    }

    /// Whether a path beneath the workspace is forbidden: on its own, or with a folder above it.
    pub fn forbids(&self, path: &str) -> bool {
        self.forbidden.iter().any(|pattern| pattern.covers(path))
    }

    /// What a further folder grants, which `names` spell: the whole tree but hidden names, without what the profile forbids. Its
    /// patterns hold there as in the workspace. Without `writes` nothing is written. `None`: all of it is forbidden.
    pub fn of_further(names: &[&str], writes: bool, grants: &Grants) -> Option<FileGrants> {
        if grants
            .forbidden_folders
            .iter()
            .any(|folder| names.iter().any(|name| beneath(name, folder).is_some()))
        {
            return None;
        }
        let all = || PathPattern::parse("**").into_iter().collect();
        let below = |folder: &String| {
            let rest = names.iter().find_map(|name| beneath(folder, name))?;
            PathPattern::parse(&Pattern::escape(rest.trim_start_matches('/'))).ok()
        };
        let forbidden = grants.files.forbidden.iter().cloned();
        Some(FileGrants {
            read: all(),
            write: if writes { all() } else { vec![] },
            forbidden: forbidden.chain(grants.forbidden_folders.iter().filter_map(below)).collect(),
        })
    }
}

/// What of a path is beneath a folder, by their texts: empty for the folder itself, else from the next `/` on.
pub fn beneath<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

impl PathPattern {
    /// Reads a pattern: relative, without `..`.
    ///
    /// # Errors
    /// A text that is not a pattern.
    pub fn parse(text: &str) -> Result<PathPattern, PatternError> {
        let error = || PatternError {
            given: cut(text, 80),
            what: "pattern of paths",
            allowed: "paths beneath the workspace with `*`, `**`, `?`, `[a-z]`, as in notes/**",
        };
        let plain = !text.is_empty()
            && text.len() <= 400
            && !text.starts_with('/')
            && !text.split('/').any(|part| matches!(part, "" | "." | ".."))
            && !text.chars().any(crate::text::is_unsafe);
        Pattern::new(text).ok().filter(|_| plain).map(PathPattern).ok_or_else(error)
    }

    /// Whether it covers a path; hidden names must be named by the pattern.
    pub fn matches(&self, path: &str) -> bool {
        self.0.matches_with(path, STRICT)
    }

    /// Whether it covers a path, a folder above it, or all that is in it. Hidden names count as others: this forbids.
    fn covers(&self, path: &str) -> bool {
        let whole = self.0.as_str().strip_suffix("/**") == Some(path);
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        whole || ends.into_iter().any(|end| self.0.matches_with(&path[..end], FORBIDDING))
    }

    /// Whether it covers a folder, or could cover something in it.
    fn leads_into(&self, folder: &str) -> bool {
        let mut parts = self.0.as_str().split('/');
        for name in folder.split('/') {
            match parts.next() {
                None => return false,
                // It covers everything below except hidden names: the whole pattern decides about those.
                Some("**") => {
                    return !name.starts_with('.') && !folder.contains("/.") || self.matches(folder);
                }
                Some(part) => {
                    if !Pattern::new(part).is_ok_and(|part| part.matches_with(name, STRICT)) {
                        return false;
                    }
                }
            }
        }
        parts.next().is_some() || self.matches(folder)
    }
}

/// Case counts, `*` stays within one name, and a hidden name must be named.
const STRICT: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// As [`STRICT`], with hidden names.
const FORBIDDING: MatchOptions = MatchOptions { require_literal_leading_dot: false, ..STRICT };

/// A path that is forbidden: a pattern beneath the workspace, or a folder outside of it.
enum ForbiddenPath {
    Inside(PathPattern),
    Outside(String),
}

impl ForbiddenPath {
    fn parse(text: &str) -> Result<ForbiddenPath, PatternError> {
        let folder =
            text.strip_prefix("~/").or_else(|| text.strip_prefix('/')).map(|rest| rest.trim_end_matches('/'));
        // `~anna/x` is not a name beneath the workspace.
        if folder.is_none() && !text.starts_with('~') {
            return PathPattern::parse(text).map(ForbiddenPath::Inside);
        }
        let plain = text.len() <= 400
            && folder.is_some_and(|folder| {
                !folder.split('/').any(|part| matches!(part, "" | "." | ".."))
                    && !folder.contains(['*', '?', '['])
            })
            && !text.chars().any(crate::text::is_unsafe);
        match plain {
            true => Ok(ForbiddenPath::Outside(text.trim_end_matches('/').to_owned())),
            false => Err(PatternError {
                given: cut(text, 80),
                what: "forbidden path",
                allowed: "a pattern beneath the workspace as in private/**, or a folder such as /srv/private or ~/private",
            }),
        }
    }
}

impl HostPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A text that is not a pattern.
    pub fn parse(text: &str) -> Result<HostPattern, PatternError> {
        let error = || PatternError {
            given: cut(text, 80),
            what: "pattern of hosts",
            allowed: "example.org, example.org:8443, *.example.org",
        };
        let (host, beneath) = match text.strip_prefix("*.") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let host: HostName = host.parse().map_err(|_| error())?;
        // `*.org` would be half the world.
        if beneath && !host.as_str().contains('.') { Err(error()) } else { Ok(HostPattern { host, beneath }) }
    }

    /// Whether it covers a host.
    pub fn matches(&self, host: &HostName) -> bool {
        match self.beneath {
            false => self.host == *host,
            true => {
                let above = host.as_str().strip_suffix(self.host.as_str());
                above.is_some_and(|above| above.len() > 1 && above.ends_with('.'))
            }
        }
    }

    /// The host, where the pattern is exactly one.
    pub fn exact(&self) -> Option<&HostName> {
        (!self.beneath).then_some(&self.host)
    }
}

impl CommandPattern {
    /// Reads a pattern: plain words, no blanks or signs of a shell in them.
    ///
    /// # Errors
    /// A text that is not a pattern.
    pub fn parse(text: &str) -> Result<CommandPattern, PatternError> {
        let error = || PatternError {
            given: cut(text, 80),
            what: "command",
            allowed: "a program and the words that it begins with, as in `git status`",
        };
        let plain = |word: &str| {
            word.bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'+' | b'/' | b'='))
        };
        let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
        let fits = !words.is_empty() && text.len() <= 400 && words.iter().all(|word| plain(word));
        if fits { Ok(CommandPattern(words)) } else { Err(error()) }
    }

    /// Whether an argument vector begins with its words.
    pub fn matches(&self, argv: &[String]) -> bool {
        argv.len() >= self.0.len() && argv.iter().zip(&self.0).all(|(a, b)| a == b)
    }

    /// Its words.
    pub fn words(&self) -> &[String] {
        &self.0
    }
}

fn list<T>(section: &mut Section, key: &str, parse: impl Fn(&str) -> Result<T, PatternError>) -> Vec<T> {
    parsed(section, key, &section.texts(key), parse)
}

fn parsed<T>(
    section: &mut Section,
    key: &str,
    texts: &[String],
    parse: impl Fn(&str) -> Result<T, PatternError>,
) -> Vec<T> {
    if texts.len() > MAX_PATTERNS {
        section.fault(key, format!("more than {MAX_PATTERNS} patterns"));
    }
    let mut patterns = Vec::new();
    for text in texts {
        match parse(text) {
            Ok(pattern) => patterns.push(pattern),
            Err(e) => section.fault(key, e.to_string()),
        }
    }
    patterns
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl fmt::Debug for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PathPattern({self})")
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.beneath { "*." } else { "" }, self.host)
    }
}

impl fmt::Display for CommandPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

impl Serialize for PathPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for HostPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for CommandPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests;
