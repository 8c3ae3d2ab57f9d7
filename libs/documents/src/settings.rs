//! A configuration, to be read key by key.

use shared_types::settings::Section;

/// Starts with a whole document; an empty one has every default, and one that cannot be read is a fault.
pub fn section(text: &str) -> Section {
    Section::document(crate::yaml::from_own(text))
}

#[cfg(test)]
mod tests;
