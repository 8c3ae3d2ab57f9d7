//! What a person typed: which words a call may repeat without a question, and what of it is private towards a host.
//!
//! Each word excuses one call in a conversation. Two kinds of lines excuse nothing towards a host, and are private towards
//! it, unless the person named the host in the same line: lines after which content from outside came (it could ask for
//! them), and lines that look like a secret ([`secret`]).

use std::collections::{BTreeMap, BTreeSet};

pub mod secret;

/// What a person typed in one conversation, line by line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed {
    lines: Vec<Line>,
    /// Every composed word that was ever typed, in the one spelling of a page's address.
    ever: BTreeSet<String>,
}

/// One line, and what of it was not used yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Line {
    /// Words of letters and digits, case-folded.
    words: BTreeMap<String, usize>,
    /// What has other signs in it (addresses, paths, figures with a point): it counts as a whole or not at all.
    whole: BTreeMap<String, usize>,
    /// The hosts that it names.
    hosts: BTreeSet<String>,
    /// Whether it may be sent to those hosts alone.
    private: bool,
}

/// Signs around a word that belong to the sentence.
const AROUND: &[char] = &[
    '"', '\'', '(', ')', '<', '>', '[', ']', '{', '}', ',', ';', ':', '!', '?', '.', '`', '\u{2018}',
    '\u{2019}', '\u{201C}', '\u{201D}', '\u{201E}',
];
/// The most signs around one word, in bytes: more could carry something.
const MOST_AROUND: usize = 6;

impl Typed {
    /// Takes in a line that the person typed.
    pub fn line(&mut self, text: &str) {
        let mut line = Line { private: secret::looks_secret(text), ..Line::default() };
        for token in text.split_whitespace().map(bare) {
            if is_composed(token) {
                *line.whole.entry(token.to_owned()).or_default() += 1;
                self.ever.insert(page(token));
                continue;
            }
            for word in words(token) {
                *line.words.entry(word).or_default() += 1;
            }
        }
        line.hosts = pieces(text).filter_map(host_of).collect();
        self.lines.push(line);
    }

    /// Notes that content from outside came: what was typed so far is private.
    pub fn outside_came(&mut self) {
        self.lines.iter_mut().for_each(|line| line.private = true);
    }

    /// Lets nothing that was typed so far excuse a call any more; what is private stays so.
    pub fn retire(&mut self) {
        for line in &mut self.lines {
            line.words.values_mut().chain(line.whole.values_mut()).for_each(|times| *times = 0);
        }
    }

    /// Whether something that the person typed is private towards a destination.
    pub fn is_private_to(&self, to: &str) -> bool {
        self.lines.iter().any(|line| line.private && !line.names(to))
    }

    /// Whether these texts together are made of words only that were typed, are not private towards the destination, and
    /// excused no call before; none more often than it was typed. They may be put in another order, and say no more.
    pub fn covers<'a>(&self, to: &str, texts: impl IntoIterator<Item = &'a str>) -> bool {
        self.taken(to, texts).is_some()
    }

    /// Uses up the words of a call that they excused, or to which the person said yes.
    pub fn use_up<'a>(&mut self, to: &str, texts: impl IntoIterator<Item = &'a str> + Clone) {
        if let Some(left) = self.taken(to, texts.clone()) {
            self.lines = left;
            return;
        }
        // Not all of them were typed: those that were are used up all the same.
        for token in texts.into_iter().flat_map(str::split_whitespace).map(bare) {
            take_token(&mut self.lines, |_| true, token);
        }
    }

    /// Whether an address was ever typed as it stands.
    pub fn has_whole(&self, token: &str) -> bool {
        self.ever.contains(&page(bare(token)))
    }

    /// Whether an address was typed as it stands and not used yet.
    pub fn has_left(&self, token: &str) -> bool {
        let token = bare(token);
        self.lines.iter().any(|line| line.whole.get(token).is_some_and(|times| *times > 0))
    }

    /// The words of these texts that the person never typed, each once, in their order.
    pub fn strange<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let known: BTreeSet<&String> = self.lines.iter().flat_map(|line| line.words.keys()).collect();
        let mut strange = Vec::new();
        for token in texts.into_iter().flat_map(str::split_whitespace).map(bare) {
            let typed = match is_composed(token) {
                true => self.has_whole(token),
                false => words(token).all(|word| known.contains(&word)),
            };
            if !typed && !token.is_empty() && !strange.iter().any(|other| other == token) {
                strange.push(token.to_owned());
            }
        }
        strange
    }

    /// What is left of the lines once these texts are taken; none where something is missing.
    fn taken<'a>(&self, to: &str, texts: impl IntoIterator<Item = &'a str>) -> Option<Vec<Line>> {
        let mut left = self.lines.clone();
        let usable = |line: &Line| !line.private || line.names(to);
        let all = texts.into_iter().all(|text| {
            // Blanks could be counted as well.
            let even = text.chars().filter(|c| c.is_whitespace()).all(|c| matches!(c, ' ' | '\n'));
            even && !["   ", "\n\n\n", " \n", "\n "].iter().any(|run| text.contains(run))
                && text.split_whitespace().all(|token| {
                    let inner = bare(token);
                    token.len() - inner.len() <= MOST_AROUND && take_token(&mut left, usable, inner)
                })
        });
        all.then_some(left)
    }
}

impl Line {
    /// Whether it names every host of a destination.
    fn names(&self, to: &str) -> bool {
        to.split(", ").all(|part| self.hosts.contains(&without_port(&part.to_lowercase())))
    }
}

/// Takes one token from the lines that may be used; words of it that are there go, whether all are or not.
fn take_token(lines: &mut [Line], usable: impl Fn(&Line) -> bool, token: &str) -> bool {
    let mut take = |of: fn(&mut Line) -> &mut BTreeMap<String, usize>, word: &str| {
        lines.iter_mut().filter(|line| usable(line)).any(|line| spend(of(line), word))
    };
    match is_composed(token) {
        true => take(|line| &mut line.whole, token),
        false => words(token).fold(true, |all, word| take(|line| &mut line.words, &word) & all),
    }
}

/// What of these texts looks like an address (of a page, a mailbox, an account): where data would go beside the destination
/// that the tool itself has.
pub fn addresses<'a>(texts: impl IntoIterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    texts.into_iter().flat_map(str::split_whitespace).map(bare).filter(|token| is_address(token))
}

/// The addresses of pages that a text names, each in the one spelling by which they are compared.
pub fn pages_named(text: &str) -> impl Iterator<Item = String> {
    pieces(text).filter(|piece| host_of(piece).is_some()).map(page)
}

/// The one spelling of a page's address: without `https://` and a `/` at its end.
pub fn page(address: &str) -> String {
    let address = address.strip_prefix("https://").unwrap_or(address);
    address.trim_end_matches('/').to_owned()
}

/// The host that an address leads to, without the port of its scheme; none for what is not an address of a page.
pub fn host_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let authority = rest.split(['/', '?', '#', '\\']).next()?.to_lowercase();
    let host = without_port(&authority);
    // Without a scheme, a point in it makes a host.
    let named = host.trim_matches('.').contains('.') && host.starts_with(|c: char| c.is_alphanumeric());
    let is_host = !scheme.is_empty() || named;
    (is_host && !host.is_empty() && !host.contains('@')).then_some(host)
}

fn without_port(host: &str) -> String {
    let plain = host.strip_suffix(":443").or_else(|| host.strip_suffix(":80")).unwrap_or(host);
    plain.to_owned()
}

/// The pieces of a text between blanks, quotes and brackets, without the signs of the sentence.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|')
    };
    text.split(ends).map(bare).filter(|piece| !piece.is_empty())
}

fn is_address(token: &str) -> bool {
    let digits = token.chars().filter(char::is_ascii_digit).count();
    let signs = token.chars().filter(|c| c.is_alphanumeric()).count();
    // A name with a point in it, an `@`, a scheme; or a number as long as that of an account or a telephone.
    let pointed = token.trim_matches('.').contains('.') && token.contains(char::is_alphabetic);
    let named = token.contains("://") || token.contains('@') || pointed;
    named || (digits >= 6 && signs >= 10)
}

fn spend(left: &mut BTreeMap<String, usize>, word: &str) -> bool {
    match left.get_mut(word) {
        Some(times) if *times > 0 => {
            *times -= 1;
            true
        }
        _ => false,
    }
}

fn bare(token: &str) -> &str {
    token.trim_matches(AROUND)
}

/// Whether something stands between letters and digits that is more than a hyphen or an apostrophe.
fn is_composed(token: &str) -> bool {
    token.chars().any(|c| !c.is_alphanumeric() && !matches!(c, '-' | '\'' | '\u{2019}'))
}

fn words(token: &str) -> impl Iterator<Item = String> {
    token.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests;
