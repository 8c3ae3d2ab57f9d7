//! Requests about the door of a profile.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};
use shared_types::id::{Digest, DoorTokenName, ProfileId};

/// What a verb may ask about the door of a profile.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "door", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Asked {
    /// A token is to come.
    AddToken {
        /// The profile.
        profile: ProfileId,
        /// The token's name.
        name: DoorTokenName,
        /// The digest of its text.
        sha256: Digest,
        /// Whether what comes with it counts as typed by the profile's person.
        #[serde(default)]
        person: bool,
    },
    /// A token is to go.
    RemoveToken {
        /// The profile.
        profile: ProfileId,
        /// The token's name.
        name: DoorTokenName,
    },
    /// It gets another address.
    Listen {
        /// The profile.
        profile: ProfileId,
        /// The address; without one, a socket file.
        address: Option<SocketAddr>,
    },
}
