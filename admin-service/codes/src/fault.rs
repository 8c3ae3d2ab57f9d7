//! Why a one-time code does not count.

use std::path::PathBuf;

use base::error::Error;
use shared_types::id::ApproverId;
use shared_types::signature::SignatureError;

/// A one-time code, or a change of who needs them, that is refused.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// Wrong codes came before; the next try has to wait.
    #[error("{wrong} wrong one-time codes for `{approver}`: the next try is in {left} s")]
    Pause {
        /// Whose codes.
        approver: ApproverId,
        /// The wrong codes in a row.
        wrong: u32,
        /// The seconds until the next try.
        left: u64,
    },
    /// The approver needs a code and gave none.
    #[error("`{0}` needs a one-time code for every yes: give it by --code")]
    Missing(ApproverId),
    /// The code was used before.
    #[error(
        "that one-time code was used already: wait for the next one (or this machine's clock was set back)"
    )]
    Used,
    /// The code does not belong to this moment.
    #[error("that is not the one-time code of `{0}` now; nothing was decided")]
    Wrong(ApproverId),
    /// The approver needs codes already.
    #[error("`{0}` has one-time codes already: `cl-admin approver totp remove` comes first")]
    SetAlready(ApproverId),
    /// The code does not belong to the new secret.
    #[error("that is not the code of the new secret now; is the clock right on both devices?")]
    NotOfTheSecret,
    /// The approver needs no codes.
    #[error("`{0}` has no one-time codes")]
    None(ApproverId),
    /// The signature does not hold.
    #[error("the signature of `{by}`: {why}")]
    Signature {
        /// Who is said to have signed.
        by: ApproverId,
        /// What does not hold.
        why: SignatureError,
    },
    /// The secret cannot be used.
    #[error(
        "the secret of the one-time codes of `{approver}` cannot be used ({why}); put {} back from a backup, or let another \
         approver end the need: `cl-admin approver totp remove {approver} --approver OTHER`",
        path.display()
    )]
    NoSecret {
        /// Whose codes.
        approver: ApproverId,
        /// Where the secret is kept.
        path: PathBuf,
        /// Why it cannot be read.
        why: Box<Error>,
    },
}

impl From<CodeError> for Error {
    fn from(why: CodeError) -> Error {
        Error::refused(why)
    }
}
