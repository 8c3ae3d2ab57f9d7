//! Why a backup is not restored into this place.

use std::path::PathBuf;

use documents::home_file::VERSION;
use documents::yaml::YamlError;
use shared_types::approvers::ChainError;
use shared_types::id::ProfileId;
use shared_types::text;

/// What keeps a backup from being restored here.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("the backup is of a home of version {0}; this program reads homes up to version {VERSION}")]
    Newer(u32),
    #[error("the approvers: {0}")]
    Approvers(YamlError),
    #[error("the approvers of the backup: {0}")]
    Chain(ChainError),
    #[error(
        "the approvers changed after this backup was made (the profile `{profile}` has seen it: {why}), and a restore does not undo \
         this change: use a later backup, or move {data} away"
    )]
    ApproversChanged { profile: ProfileId, why: ChainError, data: String },
    #[error(
        "the profile `{profile}` says it has seen the manifest {serial}, which cannot be: look at its memory/manifest_serial"
    )]
    SeenTooFar { profile: ProfileId, serial: u64 },
    #[error("the backup was exchanged while it was read")]
    Exchanged,
    #[error("the backup names the serial {named}, and its journal gives {found}: it was made by hand")]
    Serial { named: u64, found: u64 },
    #[error(
        "a restore of another backup into {} was cut off: run that one again, or remove all but `data/` there",
        .0.display()
    )]
    OtherCutOff(PathBuf),
    #[error(
        "{} is not empty ({} is there), and a restore replaces nothing: name an empty place by --home, or bring one profile back by \
         --profile ID",
        .home.display(),
        text::line(&.there.display().to_string())
    )]
    NotEmpty { home: PathBuf, there: PathBuf },
    #[error("the backup needs {} MB, and {} has {} MB free: make room first", mb(*.bytes), .place.display(), mb(*.free))]
    NoRoom { bytes: u64, place: PathBuf, free: u64 },
    #[error(
        "this backup holds no keys, so one of its approvers ({}) must sign a new key for the service: give the file of their \
         key by --approver-key FILE, or their name by --approver NAME where it is a passkey. Without any of these keys no skill of it can be decided on again: make a new home by \
         `cl-admin init`, bring each profile back by `cl-admin profile add ID` and `cl-admin restore FILE --profile ID`, and \
         ask for the skills again",
        .approvers.join(", ")
    )]
    NoKeys { approvers: Vec<String> },
    #[error("that key belongs to no approver of the backup; they are: {}", .approvers.join(", "))]
    KeyOfNobody { approvers: Vec<String> },
    #[error("the backup has nothing of `{profile}`; it has: {}", .there.join(", "))]
    NothingOf { profile: ProfileId, there: Vec<String> },
    #[error(
        "the profile `{profile}` was taken away at {at}, and a restore brings nothing back that was taken away: `cl-admin profile add \
         {profile} --audience WORD` first, then this again"
    )]
    TakenAway { profile: ProfileId, at: String },
    #[error(
        "the backup has no configuration of `{0}`: `cl-admin profile add {0} --audience WORD` first, then this again"
    )]
    NoConfiguration(ProfileId),
    #[error(
        "the profile `{profile}` has {files} files here, and a restore replaces nothing: `cl-admin profile erase {profile}` removes \
         them"
    )]
    HasFiles { profile: ProfileId, files: u64 },
    #[error("the backup changed while it was read: `cl-admin profile erase {0}` removes what it brought")]
    Changed(ProfileId),
}

fn mb(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}
