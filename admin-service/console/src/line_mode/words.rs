//! What a line means in the review's line mode.

use review::queue::Package;
use review::words::Words;

/// What a person wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Yes.
    Approve,
    /// Yes to an action, and to the same one for this many days.
    Always(Option<u16>),
    /// For whom a yes is, as it was typed.
    For(String),
    /// No, with the reason if it was given at once.
    Reject(Option<String>),
    /// A page, the source if none is named.
    View(Option<String>),
    /// An edit, in the editor or from a file.
    Edit(Option<String>),
    /// A call of a tool, with its arguments if they were given at once.
    Try(Option<String>),
    Note(Option<String>),
    /// The next package.
    Next,
    /// The end.
    Quit,
    /// What there is.
    Help,
    /// An empty line.
    Nothing,
    /// Anything else; its first word, safe to show.
    Unknown(String),
}

/// Reads a line. A yes stands alone on its line: a longer one that begins so is not a yes.
pub fn order(line: &str) -> Order {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
    let unknown = || Order::Unknown(shared_types::text::cut(line, 20));
    match (word.to_lowercase().as_str(), rest) {
        ("", _) => Order::Nothing,
        ("a" | "approve", None) => Order::Approve,
        ("w" | "always", None) => Order::Always(None),
        ("w" | "always", Some(days)) => {
            days.parse().map_or_else(|_| unknown(), |days| Order::Always(Some(days)))
        }
        ("f" | "for", Some(who)) => Order::For(who),
        ("r" | "reject", reason) => Order::Reject(reason),
        ("v" | "view", page) => Order::View(page),
        ("e" | "edit", None) => Order::Edit(None),
        ("e" | "edit", Some(rest)) => {
            let file = rest.strip_prefix("from ").unwrap_or(&rest).trim();
            Order::Edit(Some(file.to_owned()))
        }
        ("t" | "try", rest) => Order::Try(rest),
        ("n" | "note", text) => Order::Note(text),
        ("s" | "skip" | "next", None) => Order::Next,
        ("q" | "quit" | "exit", None) => Order::Quit,
        ("?" | "h" | "help", None) => Order::Help,
        _ => unknown(),
    }
}

/// What there is, with the names of this package's pages and tools.
pub fn help(words: Words, package: &Package) -> String {
    let pages: Vec<&str> = package.pages.iter().map(|p| p.title.as_ref()).collect();
    let tools: Vec<&str> = package.tools.iter().map(|(name, _)| name.as_str()).collect();
    let tools = if tools.is_empty() { words.say("none-yet").to_owned() } else { tools.join(", ") };
    words.fill("help", &[("pages", &pages.join(", ")), ("tools", &tools)])
}

#[cfg(test)]
mod tests;
