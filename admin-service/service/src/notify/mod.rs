//! Tells people that something waits for them; never what somebody else wrote, and never in the pipeline's way.
//!
//! - [`Digest`]: what may be sent: id, kind, profile, derived tokens, recommendation, and a link to the pages
//!   of the review
//! - one file per way: `cli`, `web` (webhook and ntfy), `email`
//! - `due`: whether a reminder is due that no chat told
//! - `sent`: what each notifier has told already, on the disk
//! - [`teller`]: when each of them tells, from a thread of its own

mod cli;
mod digest;
mod due;
#[cfg(feature = "email")]
mod email;
mod notifier;
mod sent;
pub mod teller;
#[cfg(test)]
mod tests;
mod web;

use base::config::{NotifierConfig, Telling, Way};
use base::home::Home;

pub use digest::{Digest, Notice};
pub use notifier::{Notifier, NotifyFault};

/// Makes a notifier; nothing is looked up or connected before the first message.
pub fn make(config: &NotifierConfig) -> Box<dyn Notifier> {
    let (name, timeout) = (config.name.clone(), config.timeout);
    match &config.way {
        Way::Cli => Box::new(cli::Cli::new(name)),
        Way::Webhook(post) => Box::new(web::Web::webhook(name, post.clone(), timeout)),
        Way::Ntfy(post) => Box::new(web::Web::ntfy(name, post.clone(), timeout)),
        #[cfg(feature = "email")]
        Way::Email(mail) => Box::new(email::Email::new(name, (**mail).clone(), timeout)),
    }
}

/// How one notifier stands, for a person who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub name: String,
    /// Its kind's spelling.
    pub kind: &'static str,
    /// When it last told something, in RFC 3339.
    pub told_at: Option<String>,
    /// Since when it fails, in RFC 3339, and why.
    pub fault: Option<(String, String)>,
}

/// How each configured notifier stands, as their ledgers say.
pub fn state(home: &Home, telling: &Telling) -> Vec<State> {
    let of = |config: &NotifierConfig| {
        let sent = sent::SentLog::read(home, &config.name);
        State {
            name: config.name.clone(),
            kind: config.way.kind(),
            told_at: sent.told_at().map(str::to_owned),
            fault: sent.fault(),
        }
    };
    telling.notifiers.iter().map(of).collect()
}
