//! What the cleaning notices, and what it puts in the place of a secret.

use crate::verdict::Noticed;

/// What was noticed, each kind once.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Noticed>);

impl Notes {
    pub(super) fn add(&mut self, kind: Noticed) {
        if !self.0.contains(&kind) {
            self.0.push(kind);
        }
    }

    pub(super) fn into_noticed(self) -> Vec<Noticed> {
        self.0
    }
}

/// What stands in the place of a secret.
pub(super) const BLANK: &str = "[secret removed]";

pub(super) const CONTROL: Noticed = Noticed { id: "control-characters", says: "held control characters" };
pub(super) const INVISIBLE: Noticed =
    Noticed { id: "invisible-characters", says: "held characters without a shape" };
pub(super) const SECRET: Noticed = Noticed { id: "secret", says: "held a key or another secret" };
pub(super) const LEAK: Noticed =
    Noticed { id: "system-text", says: "repeated a long run of the system's own text" };
pub(super) const IMAGE: Noticed =
    Noticed { id: "image", says: "held an image that would have been fetched from a host" };
pub(super) const PRIVATE: Noticed = Noticed {
    id: "link-carries-private",
    says: "held a link that carries words of this conversation to a host",
};
pub(super) const CARRIES: Noticed =
    Noticed { id: "link-carries-data", says: "held a link that carries data to a host" };
pub(super) const DISGUISED: Noticed =
    Noticed { id: "link-disguised", says: "held a link that hides where it leads" };
