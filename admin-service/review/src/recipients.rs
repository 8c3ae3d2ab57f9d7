//! To whom a yes can give a skill.

use base::error::Error;
use base::home::Home;
use base::profiles;
use shared_types::id::ProfileId;
use shared_types::recipients::Recipients;

/// A profile that the home does not have.
#[derive(Debug, thiserror::Error)]
#[error("there is no profile `{unknown}`; existing profiles: {}", .known.join(" "))]
struct NoProfile {
    unknown: ProfileId,
    known: Vec<String>,
}

/// Refuses recipients of which one is a profile that the home does not have: nobody would get anything by that.
///
/// # Errors
/// The first unknown profile, or profiles that cannot be listed.
pub fn known(home: &Home, recipients: &Recipients) -> Result<(), Error> {
    let known: Vec<ProfileId> = profiles::list(home)?.into_iter().map(|listed| listed.id).collect();
    if let Some(unknown) = recipients.profiles().find(|id| !known.contains(id)) {
        let known = known.iter().map(ToString::to_string).collect();
        return Err(Error::usage(NoProfile { unknown: unknown.clone(), known }));
    }
    Ok(())
}

/// Those to whom it goes by default, everyone, and each audience and profile of the home; the first alone in a home with one
/// profile.
///
/// # Errors
/// Profiles that cannot be listed.
pub fn choices(home: &Home, by_itself: &Recipients) -> Result<Vec<Recipients>, Error> {
    let listed = profiles::list(home)?;
    let mut choices = vec![by_itself.clone()];
    if listed.len() > 1 {
        let audiences = listed.iter().filter_map(|listed| listed.settings.as_ref().ok());
        let audiences = audiences.map(|settings| Recipients::from(settings.audience));
        let one_by_one = listed.iter().map(|listed| Recipients::from(listed.id.clone()));
        for choice in std::iter::once(Recipients::default()).chain(audiences).chain(one_by_one) {
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        }
    }
    Ok(choices)
}
