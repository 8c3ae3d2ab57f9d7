//! The one plain sentence of what a skill lets the assistant do, and of what it can never do.
//!
//! It is made from what was derived and granted, never from what anybody says. "Never" stands only for what the walls keep
//! out: a host function that is not linked cannot be called.

use shared_types::capability::{Token, TokenSet};
use shared_types::id::{EventType, HostName, SecretName};
use shared_types::manifest::Learned;
use shared_types::proposal::Scope;

use super::report::Report;
use super::words::{Words, label};

/// All that was granted.
#[derive(Debug, Clone, Copy)]
pub struct Powers<'a> {
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

/// The sentence, in the reader's language.
pub fn sentence(words: Words, powers: &Powers<'_>) -> String {
    let joined = |items: &[String]| list(items, words.say("and"));
    let mut can: Vec<String> = powers.tokens.iter().map(|token| granted(words, token, powers)).collect();
    let reaches_network =
        powers.tokens.contains(Token::NetworkRead) || powers.tokens.contains(Token::NetworkWrite);
    if reaches_network && !powers.secrets.is_empty() {
        can.push(words.fill("can-secrets", &[("secrets", &joined(&texts(powers.secrets)))]));
    }
    if !powers.handles.is_empty() {
        can.push(words.fill("can-handle", &[("events", &joined(&texts(powers.handles)))]));
    }
    if !powers.emits.is_empty() {
        can.push(words.fill("can-emit", &[("events", &joined(&texts(powers.emits)))]));
    }
    let first = match can.is_empty() {
        true => words.say("can-nothing").to_owned(),
        false => words.fill("can", &[("powers", &joined(&can))]),
    };
    let mut never: Vec<String> =
        kept_out(powers.tokens).into_iter().map(|(_, name)| words.say(name).to_owned()).collect();
    never.push(words.say("never-program").to_owned());
    let never = list(&never, words.say("or"));
    // Whom its events reach may hold what it lacks.
    let second = match powers.emits.is_empty() {
        true => words.fill("never", &[("powers", &never)]),
        false => words.fill("never-itself", &[("powers", &never)]),
    };
    format!("{first} {second}")
}

/// What a token lets it do.
fn granted(words: Words, token: Token, powers: &Powers<'_>) -> String {
    match (token, powers.memory, powers.files) {
        (Token::UserInput, ..) => words.say("can-ask").to_owned(),
        (Token::UserOutput, ..) => words.say("can-show").to_owned(),
        (Token::MemoryRead, Scope::Own, _) => words.say("can-read-notes").to_owned(),
        (Token::MemoryRead, Scope::Profile, _) => words.say("can-read-memory").to_owned(),
        (Token::MemoryWrite, ..) => words.say("can-keep-notes").to_owned(),
        (Token::LlmCall, ..) => words.say("can-ask-model").to_owned(),
        (Token::FileRead, _, Scope::Own) => words.say("can-read-own-files").to_owned(),
        (Token::FileRead, _, Scope::Profile) => words.say("can-read-files").to_owned(),
        (Token::FileWrite, _, Scope::Own) => words.say("can-write-own-files").to_owned(),
        (Token::FileWrite, _, Scope::Profile) => words.say("can-change-files").to_owned(),
        (Token::AudioRead, ..) => words.say("can-listen").to_owned(),
        (Token::AudioWrite, ..) => words.say("can-play").to_owned(),
        (Token::GpioRead, ..) => words.say("can-read-pins").to_owned(),
        (Token::GpioWrite, ..) => words.say("can-switch-pins").to_owned(),
        (Token::NetworkRead, ..) => {
            words.fill("can-fetch", &[("hosts", &hosts(words, powers.network, FROM))])
        }
        (Token::NetworkWrite, ..) => words.fill("can-send", &[("hosts", &hosts(words, powers.network, TO))]),
    }
}

/// The names of the words for some hosts and for none, with the preposition that goes with each.
type HostWords = [&'static str; 2];
const FROM: HostWords = [label("from-hosts"), label("from-no-host")];
const TO: HostWords = [label("to-hosts"), label("to-no-host")];

fn hosts(words: Words, hosts: &[HostName], [some, none]: HostWords) -> String {
    match hosts {
        [] => words.say(none).to_owned(),
        hosts => words.fill(some, &[("hosts", &list(&texts(hosts), words.say("and")))]),
    }
}

/// What the walls keep out: the tokens that are not there, each at most once, and the name of the words for it.
///
/// One half of the network brings a way out and an answer back, so there is no "never" for the other half.
fn kept_out(tokens: &TokenSet) -> Vec<(Vec<Token>, &'static str)> {
    use Token::{
        AudioRead, AudioWrite, FileRead, FileWrite, GpioRead, GpioWrite, LlmCall, MemoryRead, MemoryWrite,
        NetworkRead, NetworkWrite, UserInput, UserOutput,
    };
    let pairs = [
        (
            MemoryRead,
            MemoryWrite,
            [label("never-memory"), label("never-read-notes"), label("never-keep-notes")],
        ),
        (FileRead, FileWrite, [label("never-files"), label("never-read-files"), label("never-write-files")]),
        (AudioRead, AudioWrite, [label("never-audio"), label("never-listen"), label("never-play")]),
        (GpioRead, GpioWrite, [label("never-pins"), label("never-read-pins"), label("never-switch-pins")]),
        (UserInput, UserOutput, [label("never-talk"), label("never-ask"), label("never-show")]),
    ];
    let mut out = vec![];
    if !tokens.contains(NetworkRead) && !tokens.contains(NetworkWrite) {
        let name = match tokens.contains(LlmCall) {
            true => label("never-network-else"),
            false => label("never-network"),
        };
        out.push((vec![NetworkRead, NetworkWrite], name));
    }
    if !tokens.contains(LlmCall) {
        out.push((vec![LlmCall], label("never-model")));
    }
    for (first, second, [both, only_first, only_second]) in pairs {
        match (tokens.contains(first), tokens.contains(second)) {
            (true, true) => {}
            (false, false) => out.push((vec![first, second], both)),
            (false, true) => out.push((vec![first], only_first)),
            (true, false) => out.push((vec![second], only_second)),
        }
    }
    out
}

fn texts<T: std::fmt::Display>(items: &[T]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
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
