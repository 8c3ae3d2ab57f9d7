//! What built-in skills write in their sources: names, events, patterns.

use std::fmt::Display;

use shared_types::id::{EventType, SkillName};
use shared_types::schema::Parameters;

/// Sentence patterns that stand in the source, by language.
pub fn phrases(patterns: &[(&str, &str)]) -> Vec<(String, String)> {
    patterns.iter().map(|(language, pattern)| ((*language).to_owned(), (*pattern).to_owned())).collect()
}

/// Parameters whose schema stands in the source as JSON, with values in the places of some names: a tenth of the bytes that calls
/// for the same value take in the program.
pub fn parameters(schema: &str, named: &[(&str, &dyn Display)]) -> Parameters {
    let filled =
        |schema: String, (name, value): &(&str, &dyn Display)| schema.replace(name, &value.to_string());
    let schema = named.iter().fold(schema.to_owned(), filled);
    let schema =
        serde_json::from_slice(schema.as_bytes()).expect("the schemas of the built-in tools are JSON");
    Parameters::parse(schema).expect("the parameters of the built-in tools are within the subset")
}

/// A name that stands in the source.
pub fn own_name(name: &'static str) -> SkillName {
    name.parse().expect("the names of the built-in skills are well-formed")
}

/// Event types that stand in the source.
pub fn core_events(types: &[&'static str]) -> Vec<EventType> {
    types.iter().map(|t| t.parse().expect("the core event types are well-formed")).collect()
}
