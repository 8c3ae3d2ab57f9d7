//! The newest change of the approvers that any profile of this home has seen. It is in a folder of the bot's that `mind`
//! cannot reach, so a new profile believes no other list than the profiles before it.

use bot_base::error::Error;
use bot_base::owned::{hand_over, own};
use bot_base::paths::Folder;
use confine::User;
use ports::verified::{APPROVERS_SEEN, Signed};
use shared_types::approvers::SeenChain;
use shared_types::home::Home;

/// The folder, beneath `data/`: [`Home::credentials`].
const FOLDER: &str = "credentials";

/// What was seen last; nothing in a home in which no profile was started yet.
///
/// # Errors
/// A file that cannot be read, or that says something else.
pub fn read(home: &Home) -> Result<Option<SeenChain>, Error> {
    let Ok(folder) = Folder::root(home.data()).and_then(|data| data.folder(FOLDER)) else { return Ok(None) };
    let text = match folder.read_text(APPROVERS_SEEN, 128) {
        Ok(text) => text,
        Err(e) if e.is_missing() => return Ok(None),
        Err(e) => return Err(e.into()),
    };
    text.parse().map(Some).map_err(|()| Error::Integrity {
        path: home.credentials().join(APPROVERS_SEEN),
        what: "it does not say which list of approvers was seen last".to_owned(),
    })
}

/// Remembers a list that is newer than `seen`. Where nothing can be written, the profile's own start says so.
///
/// # Errors
/// A folder or a file that belongs to somebody else, and cannot be handed over to the user as whom the bot will run.
pub fn remember(
    home: &Home,
    seen: Option<&SeenChain>,
    signed: &Signed,
    user: Option<&User>,
) -> Result<(), Error> {
    let present = signed.approvers().seen();
    if seen.is_some_and(|seen| seen.serial >= present.serial) {
        return Ok(());
    }
    // Beneath the handle of `data/`: root follows no link that stands in its place.
    let Ok(folder) = Folder::root(home.data()).and_then(|data| data.make_folder(FOLDER)) else {
        return Ok(());
    };
    own(&folder, &[APPROVERS_SEEN], user)?;
    if folder.replace_or_overwrite(APPROVERS_SEEN, format!("{present}\n").as_bytes()).is_ok() {
        hand_over(&folder.file(APPROVERS_SEEN)?, &home.credentials().join(APPROVERS_SEEN), user)?;
    }
    Ok(())
}
