//! How attempted calls are put on record.

use serde_json::{Value, json};
use shared_types::settings::Section;

/// How attempted calls are put on record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Receipts {
    /// Whether each receipt carries a code made with a key that the bot's own user alone can read.
    pub hmac: bool,
}

impl Receipts {
    pub(super) fn of(section: &mut Section) -> Receipts {
        Receipts { hmac: section.flag("hmac", false) }
    }

    pub(super) fn as_json(self) -> Value {
        json!({"hmac": self.hmac})
    }
}
