//! Words, keys, links and images, one after the other.

use super::carried::Private;
use super::links::{self, Construct, Known};
use super::needles::Needles;
use super::notes::{BLANK, Notes, SECRET};
use super::secrets;

/// The longest word that is waited for, in bytes.
const LONGEST_WORD: usize = 4_096;

/// The most bytes that a private key may have before what follows is shown again.
const LONGEST_KEY: usize = 32 * 1024;

/// The longest first line of a private key, in bytes.
const LONGEST_HEADER: usize = 80;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// Blanks keys and defuses links; holds back a word, link or key that has not ended.
#[derive(Debug)]
pub(super) struct Filter {
    known: Known,
    held: String,
    /// How many bytes of a private key have been left out, while in one.
    in_key: Option<usize>,
}

impl Filter {
    pub(super) fn new(needles: &Needles) -> Filter {
        let hosts = needles.hosts.iter().map(|host| host.to_lowercase()).collect();
        Filter { known: Known { hosts, private: Private::new(needles) }, held: String::new(), in_key: None }
    }

    pub(super) fn take(&mut self, text: &str, done: bool, notes: &mut Notes) -> String {
        self.held.push_str(text);
        let held = std::mem::take(&mut self.held);
        let mut given = String::with_capacity(held.len());
        let mut at = 0;
        while at < held.len() {
            let rest = &held[at..];
            let taken = match self.in_key {
                Some(left_out) => self.skip_key(rest, left_out, done),
                None => self.unit(rest, done, &mut given, notes),
            };
            match taken {
                Some(length) => at += length,
                None => break,
            }
        }
        self.held = held[at..].to_owned();
        given
    }

    /// Takes one unit off the beginning and gives what is shown for it; none when it may continue.
    fn unit(&mut self, rest: &str, done: bool, given: &mut String, notes: &mut Notes) -> Option<usize> {
        let first = rest.chars().next()?;
        if matches!(first, '!' | '[') {
            match links::read(rest, done) {
                Construct::Open => return None,
                Construct::Link { length, image, text, address } => {
                    let (text, address) = (&rest[text.0..text.1], &rest[address.0..address.1]);
                    given.push_str(&links::shown(text, address, image, &self.known, notes));
                    return Some(length);
                }
                Construct::Nothing => {}
            }
        }
        if first == '-' {
            if !done && rest.len() < BEGIN.len() && BEGIN.starts_with(rest) {
                return None;
            }
            if rest.starts_with(BEGIN) {
                let line = rest.find('\n').or(done.then_some(rest.len()));
                let line = line.unwrap_or(rest.len());
                if line == rest.len() && !done && line < LONGEST_HEADER + CLOSE.len() {
                    return None;
                }
                if let Some(end) = private_key(&rest[..line]) {
                    given.push_str(BLANK);
                    notes.add(SECRET);
                    self.in_key = Some(0);
                    return Some(end);
                }
            }
        }
        if is_end(first) || first == '-' {
            given.push(first);
            return Some(first.len_utf8());
        }
        if let Some(length) = links::bare(rest, done).ok()? {
            given.push_str(&links::url(&rest[..length], &self.known, notes));
            return Some(length);
        }
        let mut end = match rest.find(is_end) {
            Some(end) => end,
            None if done => rest.len(),
            None if rest.len() > LONGEST_WORD => rest.len(),
            None => return None,
        };
        end = end.min(LONGEST_WORD);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        // An address in the middle of a word is one all the same.
        for (at, _) in rest[..end].char_indices().skip(1).filter(|(_, c)| "hfjHFJ".contains(*c)) {
            if links::begins(&rest[at..], done).ok()? {
                end = at;
                break;
            }
        }
        let word = &rest[..end];
        let blanked = secrets::blank(word);
        if blanked != word {
            notes.add(SECRET);
        }
        given.push_str(&blanked);
        Some(word.len())
    }

    /// Leaves out what belongs to a private key.
    fn skip_key(&mut self, rest: &str, left_out: usize, done: bool) -> Option<usize> {
        if let Some(at) = rest.find(END) {
            let line = &rest[at + END.len()..];
            let close = line.find("-----").map(|close| close + 5);
            let newline = line.find('\n');
            let end = match (close, newline) {
                (Some(close), Some(newline)) => close.min(newline),
                (Some(close), None) => close,
                (None, Some(newline)) => newline,
                (None, None) if done || line.len() > LONGEST_HEADER => line.len().min(LONGEST_HEADER),
                (None, None) => return None,
            };
            let mut end = end.min(LONGEST_HEADER);
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            self.in_key = None;
            return Some(at + END.len() + end);
        }
        if done {
            return Some(rest.len());
        }
        // One character at a time, so that the limit falls on the same one however the text was cut.
        let c = rest.chars().next()?;
        if rest.len() < END.len() && END.starts_with(rest) {
            return None;
        }
        let left_out = left_out + c.len_utf8();
        self.in_key = (left_out < LONGEST_KEY).then_some(left_out);
        Some(c.len_utf8())
    }
}

/// The end of the first line of a private key.
const CLOSE: &str = "PRIVATE KEY-----";

/// The length of the first line of a private key, if it is one.
fn private_key(line: &str) -> Option<usize> {
    let at = line.find(CLOSE).filter(|at| *at <= LONGEST_HEADER)?;
    Some(at + CLOSE.len())
}

fn is_end(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '\'' | '=' | ',' | '(' | ')' | '[' | ']' | '<' | '>' | '{' | '}' | '|' | ';' | '`' | '!'
        )
}
