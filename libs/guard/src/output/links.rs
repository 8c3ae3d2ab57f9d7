//! Links and images: where they lead is shown, and what they carry is looked at.

use super::carried::Private;
use super::notes::{CARRIES, DISGUISED, IMAGE, Notes, PRIVATE};
use super::secrets;

/// The longest text and the longest address of a Markdown link, in bytes.
const LONGEST_TEXT: usize = 400;
const LONGEST_ADDRESS: usize = 2_048;

/// The longest query and fragment that a link to any host may have, in bytes.
const LONGEST_QUERY: usize = 64;

/// From this length on a piece of an address without words is taken for data, in bytes.
const LONG_PIECE: usize = 32;

/// What the addresses of an answer are compared with.
#[derive(Debug)]
pub(super) struct Known {
    /// Hosts that the person named, in small letters.
    pub(super) hosts: Vec<String>,
    /// What no address may carry.
    pub(super) private: Private,
}

/// What stands at the beginning of a text.
pub(super) enum Construct {
    /// It cannot be known yet.
    Open,
    /// No link.
    Nothing,
    /// A link or image of this number of bytes.
    Link { length: usize, image: bool, text: (usize, usize), address: (usize, usize) },
}

/// Reads `[text](address)` or `![text](address)` at the beginning; `done` when nothing follows any more.
pub(super) fn read(rest: &str, done: bool) -> Construct {
    let open = if done { Construct::Nothing } else { Construct::Open };
    let image = rest.starts_with('!');
    let from = usize::from(image);
    match rest.as_bytes().get(from) {
        None => return open,
        Some(b'[') => {}
        Some(_) => return Construct::Nothing,
    }
    let from = from + 1;
    let Some(length) = closing(&rest[from..], b'[', b']', LONGEST_TEXT) else {
        return if rest.len() - from > LONGEST_TEXT || rest[from..].contains("\n\n") {
            Construct::Nothing
        } else {
            open
        };
    };
    let text = (from, from + length);
    let from = text.1 + 1;
    match rest.as_bytes().get(from) {
        None => return open,
        Some(b'(') => {}
        Some(_) => return Construct::Nothing,
    }
    let from = from + 1;
    let Some(length) = closing(&rest[from..], b'(', b')', LONGEST_ADDRESS) else {
        return if rest.len() - from > LONGEST_ADDRESS || rest[from..].contains("\n\n") {
            Construct::Nothing
        } else {
            open
        };
    };
    let address = (from, from + length);
    // Code such as `a[i](x)` is not a link, but an image is fetched from anywhere.
    if image || scheme(rest[address.0..address.1].trim().trim_start_matches('<')).is_some() {
        Construct::Link { length: address.1 + 1, image, text, address }
    } else {
        Construct::Nothing
    }
}

/// What is shown for a link or image.
pub(super) fn shown(text: &str, address: &str, image: bool, known: &Known, notes: &mut Notes) -> String {
    let text = words(text);
    let address = address.trim().split_ascii_whitespace().next().unwrap_or_default();
    let address = address.trim_start_matches('<').trim_end_matches('>');
    if image {
        notes.add(IMAGE);
        return match host(address) {
            Some(host) => format!("[image: {text}] ({host})"),
            None => format!("[image: {text}]"),
        };
    }
    let address = url(address, known, notes);
    if text == address { text } else { format!("{text} ({address})") }
}

/// An address as it may be shown: whole, or the host alone with the reason.
pub(super) fn url(address: &str, known: &Known, notes: &mut Notes) -> String {
    if !matches!(scheme(address), Some("http" | "https" | "ftp" | "mailto" | "tel" | "")) {
        notes.add(DISGUISED);
        return "[link removed: it holds a program or data]".to_owned();
    }
    let Some(host) = host(address) else {
        let recipient = address.split_once(':').map_or(address, |(_, recipient)| recipient);
        if known.private.is_in_recipient(recipient) {
            notes.add(PRIVATE);
            return "[address removed: it carries words of a file, page or memory]".to_owned();
        }
        return words(address);
    };
    if authority(address).contains('@') {
        notes.add(DISGUISED);
        return format!("[link to {host} removed: it hides where it leads]");
    }
    let named =
        |name: &String| host == *name || host.strip_suffix(name.as_str()).is_some_and(|h| h.ends_with('.'));
    if known.private.is_in(address) {
        notes.add(PRIVATE);
        let host = registered(&host);
        return format!("[link to {host} removed: it carries words of a file, page or memory]");
    }
    if !known.hosts.iter().any(named) && carries(address) {
        notes.add(CARRIES);
        return format!("[link to {host} removed: it carries data]");
    }
    words(address)
}

/// The length of an address that begins the text; none if it does not begin with one. `Err` when more is needed.
pub(super) fn bare(rest: &str, done: bool) -> Result<Option<usize>, ()> {
    if !begins(rest, done)? {
        return Ok(None);
    }
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '`' | '\'' | ')' | ']' | '}' | '|');
    let end = rest.find(ends).or(done.then_some(rest.len()));
    let end = end.unwrap_or(rest.len());
    if end == rest.len() && !done && end < LONGEST_ADDRESS {
        return Err(());
    }
    let mut end = end.min(LONGEST_ADDRESS);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    let address = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
    Ok(Some(address.len().max(SCHEMES[0].len().min(end))))
}

/// Whether an address begins the text. `Err` when more is needed.
pub(super) fn begins(rest: &str, done: bool) -> Result<bool, ()> {
    let is = |scheme: &&str| rest.get(..scheme.len()).is_some_and(|r| r.eq_ignore_ascii_case(scheme));
    let could = |scheme: &&str| {
        rest.len() < scheme.len() && scheme.get(..rest.len()).is_some_and(|s| s.eq_ignore_ascii_case(rest))
    };
    match SCHEMES.iter().any(is) {
        false if !done && SCHEMES.iter().any(could) => Err(()),
        is => Ok(is),
    }
}

/// Beginnings of addresses that terminals and pages make active.
const SCHEMES: [&str; 6] = ["http://", "https://", "ftp://", "javascript:", "data:text/", "file://"];

/// A text with every key in it blanked.
fn words(text: &str) -> String {
    text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ',' | '&' | '/'))
        .map(secrets::blank)
        .collect()
}

/// The length up to the bracket that closes the text.
fn closing(text: &str, open: u8, close: u8, most: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().take(most + 1) {
        if byte == open {
            depth += 1;
        } else if byte == close {
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        } else if byte == b'\n' && text.as_bytes().get(at + 1) == Some(&b'\n') {
            return None;
        }
    }
    None
}

/// The scheme; the empty one for `//host` and `www.`.
fn scheme(address: &str) -> Option<&'static str> {
    if address.starts_with("//") || address.get(..4).is_some_and(|a| a.eq_ignore_ascii_case("www.")) {
        return Some("");
    }
    let (scheme, _) = address.split_once(':')?;
    let known = ["http", "https", "ftp", "mailto", "tel"];
    let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    let known = known.into_iter().find(|known| known.eq_ignore_ascii_case(scheme));
    known.or(valid.then_some("other"))
}

fn authority(address: &str) -> &str {
    let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#', '\\']).next().unwrap_or_default()
}

fn host(address: &str) -> Option<String> {
    let with_host =
        address.contains("//") || address.get(..4).is_some_and(|a| a.eq_ignore_ascii_case("www."));
    let host = authority(address).rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().to_lowercase();
    (with_host && !host.is_empty()).then(|| shared_types::text::cut(&host, 100))
}

/// The end of a host's name that says whose it is: what stands before it can carry something too.
fn registered(host: &str) -> String {
    let labels: Vec<&str> = host.split('.').collect();
    let is_name = host.contains(|c: char| c.is_alphabetic());
    labels[if is_name { labels.len().saturating_sub(2) } else { 0 }..].join(".")
}

/// Whether an address carries more than a reader needs to find a page.
fn carries(address: &str) -> bool {
    let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
    let query = rest.find(['?', '#']).map_or("", |at| &rest[at + 1..]);
    let mut pieces = rest.split(['/', '?', '#', '&', '=', ';', '.', ':']);
    query.len() > LONGEST_QUERY || pieces.any(|piece| piece.len() >= LONG_PIECE && !reads_like_words(piece))
}

/// Whether a long piece of an address is a title with dashes, as in most blogs, and no data.
fn reads_like_words(piece: &str) -> bool {
    let words: Vec<&str> = piece.split(['-', '_', '+', ',']).filter(|w| !w.is_empty()).collect();
    words.len() >= 3 && words.iter().all(|word| word.len() <= 20)
}
