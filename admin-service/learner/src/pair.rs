//! The examples.

/// A text, and what is to be made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The text.
    pub input: String,
    /// What is to be made of it.
    pub output: String,
}

impl Pair {
    /// A pair without blanks at the ends of its texts.
    pub fn new(input: &str, output: &str) -> Pair {
        Pair { input: input.trim().to_owned(), output: output.trim().to_owned() }
    }
}
