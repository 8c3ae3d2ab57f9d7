//! What a command line says to every verb.

use std::path::PathBuf;

use shared_types::id::ProfileId;

/// What a command line says to every verb.
#[derive(Debug, Clone)]
pub struct Options {
    pub home: Option<PathBuf>,
    pub profile: ProfileId,
    /// The file that holds the profile's PIN, for scripts.
    pub pin_file: Option<PathBuf>,
}
