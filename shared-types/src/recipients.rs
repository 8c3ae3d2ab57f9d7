//! To whom an approved skill goes.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::audience::{Audience, UnknownAudience};
use crate::id::{InvalidId, ProfileId};

/// The profiles that get a skill: every one, or those that are named, by audience or one by one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recipients(BTreeSet<Recipient>);

/// Profiles that get a skill: `child`, `teen`, `adult` or `work` for all of an audience, `profile:ID` for one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Recipient {
    /// Every profile of an audience.
    Audience(Audience),
    /// One profile.
    Profile(ProfileId),
}

/// The word for every profile.
const EVERYONE: &str = "everyone";
/// What stands before the id of a profile.
const PROFILE: &str = "profile:";

impl Recipients {
    /// Whether every profile gets the skill.
    pub fn is_everyone(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a profile gets the skill.
    pub fn include(&self, profile: &ProfileId, audience: Audience) -> bool {
        self.is_everyone()
            || self.0.iter().any(|recipient| match recipient {
                Recipient::Audience(named) => *named == audience,
                Recipient::Profile(named) => named == profile,
            })
    }

    /// The profiles that are named one by one.
    pub fn profiles(&self) -> impl Iterator<Item = &ProfileId> {
        self.0.iter().filter_map(|recipient| match recipient {
            Recipient::Profile(id) => Some(id),
            Recipient::Audience(_) => None,
        })
    }
}

impl From<Audience> for Recipients {
    fn from(audience: Audience) -> Recipients {
        Recipients(BTreeSet::from([Recipient::Audience(audience)]))
    }
}

impl From<ProfileId> for Recipients {
    fn from(id: ProfileId) -> Recipients {
        Recipients(BTreeSet::from([Recipient::Profile(id)]))
    }
}

/// A word that names no profiles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownRecipient {
    /// Neither an audience nor a profile.
    #[error("{0:?} names nobody: everyone, child, teen, adult, work or profile:ID, with commas between them")]
    Word(String),
    /// The id of a profile is malformed.
    #[error(transparent)]
    Profile(#[from] InvalidId),
}

impl FromStr for Recipients {
    type Err = UnknownRecipient;

    fn from_str(words: &str) -> Result<Self, UnknownRecipient> {
        if words == EVERYONE {
            return Ok(Recipients::default());
        }
        words
            .split(',')
            .map(|word| Recipient::try_from(word.trim().to_owned()))
            .collect::<Result<_, _>>()
            .map(Recipients)
    }
}

impl fmt::Display for Recipients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_everyone() {
            return f.pad(EVERYONE);
        }
        let words: Vec<String> = self.0.iter().cloned().map(String::from).collect();
        f.pad(&words.join(","))
    }
}

impl TryFrom<String> for Recipient {
    type Error = UnknownRecipient;

    fn try_from(word: String) -> Result<Self, UnknownRecipient> {
        match word.strip_prefix(PROFILE) {
            Some(id) => Ok(Recipient::Profile(id.parse()?)),
            None => word
                .parse()
                .map(Recipient::Audience)
                .map_err(|UnknownAudience(word)| UnknownRecipient::Word(word)),
        }
    }
}

impl From<Recipient> for String {
    fn from(recipient: Recipient) -> String {
        match recipient {
            Recipient::Audience(audience) => audience.as_str().to_owned(),
            Recipient::Profile(id) => format!("{PROFILE}{id}"),
        }
    }
}

#[cfg(test)]
mod tests;
