//! Lists the newest titles of one feed, RSS 2.0 or Atom.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The address of the feed; no other host may be asked.
const FEED: &str = "@feed";

/// The most titles that an answer lists.
const MOST: usize = 10;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@news", "Lists the newest titles of the news feed")
                .phrase("en", "what is [new] in the news [today|now]")
                .phrase("en", "what are the [latest|newest|current] news|headlines [today|now]")
                .phrase("en", "[show|tell|read|give] [me|us] [the] [latest|newest|current] news|headlines [of] [today] [please]")
                .phrase("en", "[is] [there] any news [today]")
                .phrase("de", "was gibt es [heute] [neues] in den nachrichten")
                .phrase("de", "was steht|ist [heute] in den nachrichten")
                .phrase("de", "was sind die [neuesten|aktuellen] nachrichten|schlagzeilen [von] [heute]")
                .phrase("de", "[zeig|zeige|lies|sag|nenn] [mir|uns] [mal|bitte] [die] [neuesten|neusten|aktuellen] nachrichten|schlagzeilen [vor|an] [bitte]")
                .example("what is in the news?")
                .example("was gibt es in den Nachrichten?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@news" => news(german(call)),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn news(german: bool) -> Answer {
    let accepted = [("accept", "application/rss+xml, application/atom+xml, application/xml, text/xml")];
    let answer = http::get(FEED, &accepted).and_then(|response| response.ok());
    let text = answer.map_err(|error| Refusal::failed(match german {
        false => format!("I can't get {}: {}.", FEED, error),
        true => format!("Ich bekomme {} nicht: {}.", FEED, error),
    }))?;
    let feed = read(&text).ok_or_else(|| Refusal::failed(match german {
        false => format!("What {} answers is not a feed: it is neither RSS nor Atom.", FEED),
        true => format!("Was {} antwortet, ist kein Feed: weder RSS noch Atom.", FEED),
    }))?;
    let name = if feed.name.is_empty() { FEED } else { &feed.name };
    Ok(match (feed.titles.is_empty(), german) {
        (true, false) => format!("{} has no entries.", name),
        (true, true) => format!("{} hat keine Einträge.", name),
        (false, false) => format!("The newest titles of {}:\n- {}", name, feed.titles.join("\n- ")),
        (false, true) => format!("Die neuesten Titel von {}:\n- {}", name, feed.titles.join("\n- ")),
    })
}

/// What is read of a feed.
#[derive(Default)]
struct Feed {
    name: String,
    /// In the order of the feed, which is from the newest.
    titles: Vec<String>,
}

/// The elements that may hold all others.
const ROOTS: &[&str] = &["rss", "feed", "rdf:RDF"];

/// Reads a feed; nothing where it is not well-formed, or no feed.
fn read(text: &str) -> Option<Feed> {
    let mut feed = Feed::default();
    let mut open: Vec<&str> = Vec::new();
    let mut words = String::new();
    let mut has_root = false;
    let mut rest = text.trim_start_matches('\u{feff}');
    while !rest.is_empty() {
        let (before, after) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        if open.is_empty() && !before.trim().is_empty() {
            return None;
        }
        if title(&open).is_some() {
            words += &decoded(before);
        }
        if after.is_empty() {
            break;
        }
        if let Some(inner) = after.strip_prefix("<!--") {
            rest = inner.split_once("-->")?.1;
        } else if let Some(inner) = after.strip_prefix("<![CDATA[") {
            let (data, behind) = inner.split_once("]]>")?;
            if title(&open).is_some() {
                words += data;
            }
            rest = behind;
        } else {
            let (tag, behind) = tag(after)?;
            rest = behind;
            if let Some(name) = tag.strip_prefix('/') {
                let ended = title(&open).filter(|found| found.at + 1 == open.len());
                if open.pop()? != name.trim_end() {
                    return None;
                }
                match ended {
                    Some(Title { is_entry: true, .. }) if feed.titles.len() < MOST => feed.titles.push(plain(&words)),
                    Some(Title { is_entry: false, .. }) if feed.name.is_empty() => feed.name = plain(&words),
                    _ => {}
                }
                if ended.is_some() {
                    words.clear();
                }
            } else if tag.starts_with('?') || tag.starts_with('!') {
                // A list of entities of its own is not read.
                if tag.contains('[') {
                    return None;
                }
            } else {
                let name = tag.split(|c: char| c.is_whitespace() || c == '/').next()?;
                if name.is_empty() || open.len() > 64 || open.is_empty() && (has_root || !ROOTS.contains(&name)) {
                    return None;
                }
                has_root = true;
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    Some(feed).filter(|_| has_root && open.is_empty())
}

/// A title that is being read.
#[derive(Clone, Copy)]
struct Title {
    /// Its place among the open elements.
    at: usize,
    /// Whether it is that of an entry, or that of the whole feed.
    is_entry: bool,
}

/// The title that contains the open elements.
fn title(open: &[&str]) -> Option<Title> {
    let at = open.iter().position(|name| *name == "title")?;
    match *open.get(at.checked_sub(1)?)? {
        "item" | "entry" => Some(Title { at, is_entry: true }),
        "channel" | "feed" => Some(Title { at, is_entry: false }),
        _ => None,
    }
}

/// What stands between `<` and the `>` that ends it, and what comes behind; a value may hold a `>`.
fn tag(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (_, Some(open)) if letter == open => quote = None,
            ('>', None) => return Some((text.get(1..at)?, text.get(at + 1..)?)),
            _ => {}
        }
    }
    None
}

/// A text whose entities are read; those that are unknown stay as they are.
fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out += before;
        // No entity has more letters.
        let name = after.split_once(';').map(|(name, _)| name).filter(|name| name.len() <= 8);
        match name.and_then(|name| Some((name, entity(name)?))) {
            Some((name, letter)) => {
                out.push(letter);
                rest = after.get(name.len() + 1..).unwrap_or("");
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "auml" => 'ä',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "Auml" => 'Ä',
        "Ouml" => 'Ö',
        "Uuml" => 'Ü',
        "szlig" => 'ß',
        _ => {
            let number = name.strip_prefix('#')?;
            let hex = number.strip_prefix(['x', 'X']);
            let code = hex.map_or_else(|| number.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
            char::from_u32(code?)?
        }
    })
}

/// A title on one line, without control characters and of at most 160 characters. Its HTML entities are read as well, as feeds
/// escape their titles twice.
fn plain(text: &str) -> String {
    let seen: String = decoded(text).chars().map(|letter| if is_hidden(letter) { ' ' } else { letter }).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(160).collect()
}

// @include hidden

// @include german

const GERMAN: &[&str] = &[
    "was", "gibt", "es", "nachrichten", "schlagzeilen", "neues", "neuesten", "aktuellen", "zeig", "zeige", "lies", "sag", "heute",
];
