//! Where the content of a conversation comes from.

use serde::{Deserialize, Serialize};

/// What kinds of content a conversation, a record or an answer holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Content of the network, a plugin, a shell or a workspace file: somebody else may have written it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// Recalled memory that entered the prompt, or a workspace file: it is not meant for anyone else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

impl Provenance {
    /// Nothing but what the person typed.
    pub const NONE: Provenance = Provenance { outside: false, private: false };
    /// Somebody else's words.
    pub const OUTSIDE: Provenance = Provenance { outside: true, private: false };
    /// The person's own matters.
    pub const PRIVATE: Provenance = Provenance { outside: false, private: true };
    /// Both at once, as a file of the workspace is.
    pub const BOTH: Provenance = Provenance { outside: true, private: true };

    /// Whether both are there: what came from outside could then ask for what is private.
    pub fn is_mixed(self) -> bool {
        self.outside && self.private
    }

    /// Both together.
    #[must_use]
    pub fn with(self, more: Provenance) -> Provenance {
        Provenance { outside: self.outside || more.outside, private: self.private || more.private }
    }
}
