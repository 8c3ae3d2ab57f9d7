//! What a line means in the review's line mode.

use review::queue::Package;

/// The question at a package that is complete.
pub const PROMPT: &str = "[A]pprove [R]eject [V]iew [E]dit [T]ry [N]ote [S]kip [Q]uit [?]: ";
/// The question at a proposal that is held at a gate.
pub const PROMPT_AT_GATE: &str = "[A]pprove (let it go on) [R]eject [V]iew [T]ry [N]ote [S]kip [Q]uit [?]: ";

/// The question at an action.
pub const PROMPT_OF_ACTION: &str = "[A]pprove once, Al[W]ays for days, [R]eject [V]iew [S]kip [Q]uit [?]: ";

/// What a person wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Yes.
    Approve,
    /// Yes to an action, and to the same one for so many days.
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
    /// A note.
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

/// Reads a line. A yes stands alone on its line: a longer one that begins so is none.
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
pub fn help(package: &Package) -> String {
    let pages: Vec<&str> = package.pages.iter().map(|p| p.title).collect();
    let tools: Vec<&str> = package.tools.iter().map(|(name, _)| name.as_str()).collect();
    let tools = if tools.is_empty() { "none yet".to_owned() } else { tools.join(", ") };
    format!(
        "a            say yes to exactly what is shown (at a gate: let it go on one step)\n\
         w [DAYS]     say yes to this action, and to exactly the same one for 30 days or so many\n\
         f WHO        a yes gives it to these alone: everyone, child, teen, adult, work, profile:ID, with commas between\n\
         r [REASON]   say no\n\
         v [PAGE]     show the source, or a page: {}\n\
         e            edit the source in your editor; e from FILE takes a file\n\
         t [TOOL {{...}}] call a tool in the sandbox: {tools}\n\
         n [TEXT]     leave a note for whoever looks next\n\
         s, next      leave this one waiting and go on\n\
         q            end the review; what waits goes on waiting\n\
         An empty line decides nothing.",
        pages.join(", ")
    )
}

#[cfg(test)]
mod tests;
