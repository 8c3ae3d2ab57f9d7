//! The name of a file beneath the folder of credentials.

use std::fmt;
use std::str::FromStr;

/// 1 to 64 characters, letters, digits, `-`, `_`, `.`, not hidden, and none of the names that logins use.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CredentialName(String);

/// A text that does not name such a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be the name of a file in the credentials folder: 1 to 64 letters, digits, `-`, `_`, `.`, with no dot in front, \
     and not ending in `{LOGIN}` or `{LOCK}`, which belong to logins"
)]
pub struct NotACredentialName;

const LOGIN: &str = ".login.json";
const LOCK: &str = ".login.lock";

impl CredentialName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CredentialName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for CredentialName {
    type Err = NotACredentialName;

    fn from_str(s: &str) -> Result<Self, NotACredentialName> {
        let fits = (1..=64).contains(&s.len())
            && !s.starts_with('.')
            && !s.ends_with(LOGIN)
            && !s.ends_with(LOCK)
            && s.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        if fits { Ok(CredentialName(s.to_owned())) } else { Err(NotACredentialName) }
    }
}

#[cfg(test)]
mod tests;
