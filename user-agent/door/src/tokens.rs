//! Who may ask: tokens of the profile's file, of which only digests are kept, and sessions of who knows the profile's PIN.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bot_base::paths::Folder;
use documents::pin::PinHash;
use documents::profile_file::DoorToken;
use serde::Serialize;
use sha2::{Digest, Sha256};
use shared_types::home::Home;
use shared_types::id::ProfileId;
use shared_types::secret::Secret;
use user_agent::start::entry::tries::Tried;
use user_agent::start::profiles;

use crate::frames::{LONGEST_TOKEN, Refusal};
use crate::guesses::{Fault, Guesses, Marks};

/// How long a session lasts after it was used last.
const IDLE: Duration = Duration::from_secs(12 * 60 * 60);
/// The most sessions at a time; the one that was used least lately makes room.
const MOST_SESSIONS: usize = 64;
/// The longest PIN that is looked at, in bytes.
const LONGEST_PIN: usize = 200;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The person of the profile, or what they marked as their own.
    Person,
    /// Any other program: what it sends was typed by nobody.
    Program,
}

/// What a right PIN opens.
#[derive(Debug, Serialize)]
pub struct Entered {
    session: String,
    /// By this the browser is known at its next log-in.
    browser: String,
}

/// The tokens of a profile, as its file has them at this moment, and its sessions.
pub struct Tokens {
    home: Home,
    profile: ProfileId,
    /// Who comes without a token; nobody may where there is none.
    bare: Option<Caller>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    stamp: Option<(SystemTime, u64)>,
    tokens: Vec<DoorToken>,
    pin: Option<PinHash>,
    /// The browsers in which the PIN was right.
    browsers: Marks,
    /// When each was used last.
    sessions: HashMap<[u8; 32], Instant>,
}

impl Tokens {
    /// The tokens of a profile, and who comes without one; nothing is read before somebody asks.
    pub fn of(home: Home, profile: ProfileId, bare: Option<Caller>) -> Tokens {
        Tokens { home, profile, bare, known: Mutex::default() }
    }

    /// Judges a request by its token; `None` where it may not ask.
    pub fn judge(&self, token: Option<&str>, config: &Folder) -> Option<Caller> {
        match token {
            None => self.bare,
            Some(token) if token.len() > LONGEST_TOKEN => None,
            Some(token) => {
                let (digest, mut known) = (digest(token), self.known(config));
                if known.uses_session(&digest, Instant::now()) {
                    return Some(Caller::Person);
                }
                let of_token =
                    |known: &DoorToken| if known.person { Caller::Person } else { Caller::Program };
                known.tokens.iter().find(|known| known.digest == digest).map(of_token)
            }
        }
    }

    /// Whether a PIN opens a session.
    pub fn asks_pin(&self, config: &Folder) -> bool {
        self.known(config).pin.is_some()
    }

    /// Opens a session for who knows the PIN. Wrong ones are counted, and the wait grows.
    ///
    /// # Errors
    /// No PIN is set, it is another one, or it is tried again too soon.
    pub fn open(
        &self,
        pin: &str,
        from: Option<&str>,
        browser: Option<&str>,
        (config, logs): (&Folder, &Folder),
    ) -> Result<Entered, (Refusal, String)> {
        let Some(hash) = self.known(config).pin.clone() else {
            return Err((Refusal::Forbidden, "this profile has no PIN; a token opens it".to_owned()));
        };
        let pin = Secret::new(pin.chars().take(LONGEST_PIN).collect());
        let from = from.and_then(|text| text.parse().ok());
        let browser = browser.filter(|browser| browser.len() <= LONGEST_TOKEN);
        let guesses = Guesses::of(logs, &hash);
        let tried = guesses.try_once(from, browser, || hash.is_of(&pin)).map_err(|fault| match fault {
            Fault::Later { .. } | Fault::Crowded { .. } => (Refusal::Later, fault.to_string()),
            fault => (Refusal::Failed, fault.to_string()),
        })?;
        match tried {
            Tried::Wrong => {
                Err((Refusal::Unauthorized, format!("that is not the PIN of `{}`", self.profile)))
            }
            Tried::Right => {
                let failed = |why: &dyn Display| (Refusal::Failed, why.to_string());
                let session = random().map_err(|e| failed(&e))?;
                let browser = match browser.filter(|browser| guesses.knows(browser)) {
                    Some(known) => known.to_owned(),
                    None => random().map_err(|e| failed(&e))?,
                };
                let mut known = self.known(config);
                if known.pin.as_ref() != Some(&hash) {
                    return Err((Refusal::Unauthorized, "the PIN was changed meanwhile".to_owned()));
                }
                guesses.remember(&browser).map_err(|fault| failed(&fault))?;
                known.keep_session(digest(&session), Instant::now());
                Ok(Entered { session, browser })
            }
        }
    }

    /// Whether the PIN was right in this browser before.
    pub fn knows_browser(&self, browser: &str, config: &Folder, logs: &Folder) -> bool {
        let mut known = self.known(config);
        let Some(hash) = known.pin.clone() else { return false };
        browser.len() <= LONGEST_TOKEN && Guesses::of(logs, &hash).knows_by(browser, &mut known.browsers)
    }

    /// Ends a session.
    pub fn leave(&self, session: &str) {
        self.lock().sessions.remove(&digest(session));
    }

    /// What holds now. A file that changed is read again, and one that cannot be read holds no token; another PIN ends the
    /// sessions of the one before.
    fn known(&self, config: &Folder) -> MutexGuard<'_, Known> {
        let mut known = self.lock();
        let stamp = config.stamp(&format!("profiles/{}.yaml", self.profile));
        if stamp.is_none() || stamp != known.stamp {
            let read = profiles::read(&self.home, &self.profile, config);
            let (tokens, pin) = read.map(|read| (read.door.tokens, read.open.pin)).unwrap_or_default();
            if pin != known.pin {
                known.sessions.clear();
            }
            (known.stamp, known.tokens, known.pin) = (stamp, tokens, pin);
        }
        known
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn uses_session(&mut self, digest: &[u8; 32], now: Instant) -> bool {
        self.sessions.retain(|_, last| now.saturating_duration_since(*last) < IDLE);
        self.sessions.get_mut(digest).map(|last| *last = now).is_some()
    }

    fn keep_session(&mut self, digest: [u8; 32], now: Instant) {
        let oldest = self.sessions.iter().min_by_key(|(_, last)| **last).map(|(digest, _)| *digest);
        if let Some(oldest) = oldest.filter(|_| self.sessions.len() >= MOST_SESSIONS) {
            self.sessions.remove(&oldest);
        }
        self.sessions.insert(digest, now);
    }
}

/// What nobody guesses, as a text.
fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests;
