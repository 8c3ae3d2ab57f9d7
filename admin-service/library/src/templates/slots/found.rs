//! What a slot found.

/// The value, and further values by their names.
pub(in crate::templates) struct Found {
    pub(in crate::templates) value: String,
    pub(in crate::templates) parts: Vec<(&'static str, String)>,
}

impl From<String> for Found {
    fn from(value: String) -> Found {
        Found { value, parts: Vec::new() }
    }
}
