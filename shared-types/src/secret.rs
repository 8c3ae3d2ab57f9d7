//! A value that cannot be printed.

use std::fmt;

/// A secret text; `Debug` and `Display` never show it, and it does not serialise.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret value.
    pub fn new(value: String) -> Self {
        Secret(value)
    }

    /// Hands out the value; every use of this word is a place to look at in a review.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        // Overwrites what it can without unsafe: the buffer is refilled before it is freed.
        let length = self.0.len();
        self.0.clear();
        self.0.extend(std::iter::repeat_n('\0', length));
        std::hint::black_box(&self.0);
    }
}
