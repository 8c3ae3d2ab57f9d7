//! Requests about the door of a profile.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use shared_types::id::{Digest, DoorTokenName, ProfileId};

/// What a verb may ask about the door of a profile.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "door", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Asked {
    /// A token is to come.
    AddToken {
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
        profile: ProfileId,
        /// The token's name.
        name: DoorTokenName,
    },
    /// It gets another address.
    Listen {
        profile: ProfileId,
        /// The address; without one, a socket file.
        address: Option<SocketAddr>,
        /// What becomes of its TLS.
        #[serde(default)]
        tls: Tls,
    },
}

/// What becomes of a door's TLS.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Tls {
    /// It stays as it is.
    #[default]
    Kept,
    /// It has none any more.
    Off,
    /// It has the certificate of these files.
    Given { certificate: PathBuf, key: PathBuf },
    /// It has a certificate that is made for it now.
    Made,
}
