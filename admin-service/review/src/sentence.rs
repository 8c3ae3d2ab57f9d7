//! The one plain sentence of what a skill lets the assistant do, and of what it can never do.
//!
//! It is made from what was derived and granted, never from what anybody says. "Never" stands only for what the walls keep
//! out: a host function that is not linked cannot be called.

use shared_types::capability::{Token, TokenSet};
use shared_types::id::{EventType, HostName, SecretName};
use shared_types::manifest::Learned;
use shared_types::proposal::Scope;

use super::report::Report;

/// All that was granted.
#[derive(Debug, Clone, Copy)]
pub struct Powers<'a> {
    /// The tokens.
    pub tokens: &'a TokenSet,
    /// Hosts.
    pub network: &'a [HostName],
    /// Secrets, by name.
    pub secrets: &'a [SecretName],
    /// How far reading memory reaches.
    pub memory: Scope,
    /// How far files reach.
    pub files: Scope,
    /// Events that it may send.
    pub emits: &'a [EventType],
    /// Events that it receives.
    pub handles: &'a [EventType],
}

impl<'a> From<&'a Report> for Powers<'a> {
    fn from(r: &'a Report) -> Powers<'a> {
        Powers {
            tokens: &r.derived,
            network: &r.network,
            secrets: &r.secrets,
            memory: r.memory_scope,
            files: r.file_scope,
            emits: &r.emits_events,
            handles: &r.handles_events,
        }
    }
}

impl<'a> From<&'a Learned> for Powers<'a> {
    fn from(l: &'a Learned) -> Powers<'a> {
        Powers {
            tokens: &l.capabilities,
            network: &l.network,
            secrets: &l.secrets,
            memory: l.memory_scope,
            files: l.file_scope,
            emits: &l.emits_events,
            handles: &l.handles_events,
        }
    }
}

/// The sentence.
pub fn sentence(powers: &Powers<'_>) -> String {
    let mut can: Vec<String> = powers.tokens.iter().map(|token| granted(token, powers)).collect();
    let reaches_network =
        powers.tokens.contains(Token::NetworkRead) || powers.tokens.contains(Token::NetworkWrite);
    if reaches_network && !powers.secrets.is_empty() {
        can.push(format!("have {} put in for it, unseen", joined(powers.secrets)));
    }
    if !powers.handles.is_empty() {
        can.push(format!("be handed the events {}", joined(powers.handles)));
    }
    if !powers.emits.is_empty() {
        can.push(format!("send other skills the events {}", joined(powers.emits)));
    }
    let first = if can.is_empty() {
        "It can only work out an answer from what it is given.".to_owned()
    } else {
        format!("It can {}.", list(&can, "and"))
    };
    let mut never: Vec<String> = kept_out(powers.tokens).into_iter().map(|(_, words)| words).collect();
    never.push("start a program".into());
    // Whom its events reach may hold what it lacks.
    let itself = if powers.emits.is_empty() { "It" } else { "By itself it" };
    format!("{first} {itself} can never {}.", list(&never, "or"))
}

/// What a token lets it do.
fn granted(token: Token, powers: &Powers<'_>) -> String {
    let hosts = if powers.network.is_empty() { "no host".to_owned() } else { joined(powers.network) };
    match (token, powers.memory, powers.files) {
        (Token::UserInput, ..) => "ask you questions".into(),
        (Token::UserOutput, ..) => "show you messages of its own".into(),
        (Token::MemoryRead, Scope::Own, _) => {
            "read its own notes again (not what the assistant remembers about you)".into()
        }
        (Token::MemoryRead, Scope::Profile, _) => {
            "read everything that the assistant remembers about you".into()
        }
        (Token::MemoryWrite, ..) => "keep notes of its own".into(),
        (Token::LlmCall, ..) => "put questions to the language model that the chat uses".into(),
        (Token::FileRead, _, Scope::Own) => "read the files of its own folder".into(),
        (Token::FileRead, _, Scope::Profile) => "read every file of your workspace".into(),
        (Token::FileWrite, _, Scope::Own) => "write files into its own folder".into(),
        (Token::FileWrite, _, Scope::Profile) => "change every file of your workspace".into(),
        (Token::AudioRead, ..) => "listen through the microphone".into(),
        (Token::AudioWrite, ..) => "play sounds".into(),
        (Token::GpioRead, ..) => "read what is wired to the pins".into(),
        (Token::GpioWrite, ..) => "switch what is wired to the pins".into(),
        (Token::NetworkRead, ..) => {
            format!("fetch from {hosts} (an address that it fetches can carry words out)")
        }
        (Token::NetworkWrite, ..) => format!("send to {hosts} what it knows"),
    }
}

/// What the walls keep out: the tokens that are not there, each at most once.
///
/// One half of the network brings a way out and an answer back, so there is no "never" for the other half.
fn kept_out(tokens: &TokenSet) -> Vec<(Vec<Token>, String)> {
    use Token::{
        AudioRead, AudioWrite, FileRead, FileWrite, GpioRead, GpioWrite, LlmCall, MemoryRead, MemoryWrite,
        NetworkRead, NetworkWrite, UserInput, UserOutput,
    };
    let pairs: [(Token, Token, &str, &str, &str); 5] = [
        (MemoryRead, MemoryWrite, "remember anything", "read notes again", "keep notes"),
        (FileRead, FileWrite, "touch files", "read files", "write files"),
        (AudioRead, AudioWrite, "use microphone and speakers", "listen", "play sounds"),
        (GpioRead, GpioWrite, "use the pins", "read pins", "switch pins"),
        (
            UserInput,
            UserOutput,
            "ask you or show you anything beside its answers",
            "ask you questions",
            "show you messages of its own",
        ),
    ];
    let mut out: Vec<(Vec<Token>, String)> = vec![];
    if !tokens.contains(NetworkRead) && !tokens.contains(NetworkWrite) {
        let words = match tokens.contains(LlmCall) {
            true => "reach the network in any other way",
            false => "reach the network",
        };
        out.push((vec![NetworkRead, NetworkWrite], words.into()));
    }
    if !tokens.contains(LlmCall) {
        out.push((vec![LlmCall], "ask a language model".into()));
    }
    for (first, second, both, only_first, only_second) in pairs {
        match (tokens.contains(first), tokens.contains(second)) {
            (true, true) => {}
            (false, false) => out.push((vec![first, second], both.into())),
            (false, true) => out.push((vec![first], only_first.into())),
            (true, false) => out.push((vec![second], only_second.into())),
        }
    }
    out
}

fn joined<T: std::fmt::Display>(items: &[T]) -> String {
    list(&items.iter().map(ToString::to_string).collect::<Vec<_>>(), "and")
}

/// `a, b and c`.
fn list(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., tail] => format!("{} {last} {tail}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests;
