//! Speech in a conversation by voice, as a learned skill with `audio:read` or `audio:write` reaches it.
//!
//! There is such a conversation in `cl-bot voice` alone. Its ear and its mouth are services that were connected before the
//! confinement, and only for a profile with an approved skill that holds the tokens.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use shared_types::capability::Token;
use shared_types::id::SkillName;

/// The longest text that a skill has spoken at once, in bytes.
const MOST_BYTES: usize = 500;
/// The longest time for which a skill listens at once, in seconds.
const MOST_SECONDS: i64 = 30;
/// The texts that a skill has spoken in a minute.
const MOST_SAID: usize = 20;
/// How often a skill listens in a minute.
const MOST_HEARD: usize = 10;
/// The time for which the two above count.
const MINUTE: Duration = Duration::from_secs(60);

/// Why a skill is not spoken for, or hears nothing.
#[derive(Debug, thiserror::Error)]
pub enum NoVoice {
    /// The token was not granted.
    #[error("{0} was not granted")]
    NotGranted(Token),
    /// This conversation is written.
    #[error("nothing speaks or hears here: start `cl-bot voice`")]
    Written,
    /// The text is empty or too long.
    #[error("a text that is spoken has 1 to {MOST_BYTES} bytes")]
    Length,
    /// The time is too short or too long.
    #[error("a skill listens for 1 to {MOST_SECONDS} seconds")]
    Seconds,
    /// That was too often.
    #[error("a skill speaks at most {MOST_SAID} times a minute, and listens at most {MOST_HEARD} times")]
    TooOften,
    /// Another skill listens.
    #[error("another skill listens now")]
    Taken,
    /// The service failed.
    #[error("the voice service has failed")]
    Failed,
}

/// A conversation by voice.
pub trait Voice: Send + Sync {
    /// Has a text of a skill spoken.
    ///
    /// # Errors
    /// The service failed.
    fn say(&self, skill: &SkillName, text: &str) -> Result<(), NoVoice>;

    /// Waits for what somebody says next; nothing where nothing was understood in time.
    ///
    /// # Errors
    /// Another skill listens.
    fn listen(
        &self,
        skill: &SkillName,
        at_most: Duration,
        cancel: &AtomicBool,
    ) -> Result<Option<String>, NoVoice>;
}

/// The right to speak, to hear, or both.
pub struct Audio {
    voice: Option<Arc<dyn Voice>>,
    skill: SkillName,
    hears: bool,
    speaks: bool,
    said: Mutex<VecDeque<Instant>>,
    heard: Mutex<VecDeque<Instant>>,
}

impl Audio {
    pub(crate) fn new(voice: Option<Arc<dyn Voice>>, skill: SkillName, hears: bool, speaks: bool) -> Audio {
        Audio { voice, skill, hears, speaks, said: Mutex::default(), heard: Mutex::default() }
    }

    /// What this handle can do.
    pub fn rights(&self) -> [(&'static str, bool); 2] {
        [("listen", self.hears), ("say", self.speaks)]
    }

    /// Has a text spoken, with `audio:write`.
    ///
    /// # Errors
    /// See [`NoVoice`].
    pub fn say(&self, text: &str) -> Result<(), NoVoice> {
        if !self.speaks {
            return Err(NoVoice::NotGranted(Token::AudioWrite));
        }
        let voice = self.voice.as_ref().ok_or(NoVoice::Written)?;
        if text.trim().is_empty() || text.len() > MOST_BYTES {
            return Err(NoVoice::Length);
        }
        if !count(&self.said, MOST_SAID) {
            return Err(NoVoice::TooOften);
        }
        voice.say(&self.skill, text)
    }

    /// Waits for what somebody says, with `audio:read`.
    ///
    /// # Errors
    /// See [`NoVoice`].
    pub fn listen(&self, seconds: i64, cancel: &AtomicBool) -> Result<Option<String>, NoVoice> {
        if !self.hears {
            return Err(NoVoice::NotGranted(Token::AudioRead));
        }
        let voice = self.voice.as_ref().ok_or(NoVoice::Written)?;
        let at_most = match u64::try_from(seconds) {
            Ok(seconds @ 1..) if seconds <= MOST_SECONDS as u64 => Duration::from_secs(seconds),
            _ => return Err(NoVoice::Seconds),
        };
        if !count(&self.heard, MOST_HEARD) {
            return Err(NoVoice::TooOften);
        }
        voice.listen(&self.skill, at_most, cancel)
    }
}

/// Counts one more, where fewer than `most` were in the last minute; false where it is one too many.
pub(crate) fn count(times: &Mutex<VecDeque<Instant>>, most: usize) -> bool {
    let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
    times.retain(|time| time.elapsed() < MINUTE);
    if times.len() >= most {
        return false;
    }
    times.push_back(Instant::now());
    true
}

#[cfg(test)]
mod tests;
