//! What built-in skills write in their sources: names, events, patterns.

use shared_types::id::{EventType, SkillName};

/// Sentence patterns that stand in the source, by language.
pub fn phrases(patterns: &[(&str, &str)]) -> Vec<(String, String)> {
    patterns.iter().map(|(language, pattern)| ((*language).to_owned(), (*pattern).to_owned())).collect()
}

/// A name that stands in the source.
pub fn own_name(name: &'static str) -> SkillName {
    name.parse().expect("the names of the built-in skills are well-formed")
}

/// Event types that stand in the source.
pub fn core_events(types: &[&'static str]) -> Vec<EventType> {
    types.iter().map(|t| t.parse().expect("the core event types are well-formed")).collect()
}
