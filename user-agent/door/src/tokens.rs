//! Who may ask: tokens of the profile's file, of which only digests are kept.

use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use bot_base::paths::Folder;
use documents::profile_file::DoorToken;
use sha2::{Digest, Sha256};
use shared_types::home::Home;
use shared_types::id::ProfileId;
use user_agent::start::profiles;

use crate::frames::LONGEST_TOKEN;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The person of the profile, or what they marked as their own.
    Person,
    /// Any other program: what it sends was typed by nobody.
    Program,
}

/// The tokens of a profile, as its file has them at this moment.
pub struct Tokens {
    home: Home,
    profile: ProfileId,
    /// Whether the socket is one that this user alone can reach: whoever comes there needs no token.
    is_own: bool,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    stamp: Option<(SystemTime, u64)>,
    tokens: Vec<DoorToken>,
}

impl Tokens {
    /// The tokens of a profile; nothing is read before somebody asks.
    pub fn of(home: Home, profile: ProfileId, is_own: bool) -> Tokens {
        Tokens { home, profile, is_own, known: Mutex::default() }
    }

    /// Judges a request by its token; `None` where it may not ask. A file that changed is read again, and one that cannot be
    /// read holds no token.
    pub fn judge(&self, token: Option<&str>, config: &Folder) -> Option<Caller> {
        match token {
            None => self.is_own.then_some(Caller::Person),
            Some(token) if token.len() > LONGEST_TOKEN => None,
            Some(token) => {
                let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
                self.tokens(config)
                    .iter()
                    .find(|known| known.digest == digest)
                    .map(|known| if known.person { Caller::Person } else { Caller::Program })
            }
        }
    }

    fn tokens(&self, config: &Folder) -> Vec<DoorToken> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = config.stamp(&format!("profiles/{}.yaml", self.profile));
        if stamp.is_none() || stamp != known.stamp {
            let read = profiles::read(&self.home, &self.profile, config);
            let tokens = read.map(|settings| settings.door.tokens).unwrap_or_default();
            *known = Known { stamp, tokens };
        }
        known.tokens.clone()
    }
}
