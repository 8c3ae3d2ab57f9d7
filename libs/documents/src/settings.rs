//! A configuration, to be read key by key.

use shared_types::settings::Section;

/// Starts with a whole document; an empty one has every default, and one that cannot be read is a fault.
pub fn section(text: &str) -> Section {
    Section::document(crate::yaml::from_own(text))
}

/// A path that begins with `~/`, with the home folder of this process' user; none for any other.
pub fn expanded(path: &str) -> Option<String> {
    let home = std::env::var("HOME").ok().filter(|home| home.starts_with('/'))?;
    path.strip_prefix("~/").map(|rest| format!("{}/{rest}", home.trim_end_matches('/')))
}

#[cfg(test)]
mod tests;
