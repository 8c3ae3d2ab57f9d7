//! How things look on this terminal: with colour or without, with line drawing or plain.

use std::env;

use ratatui::style::{Color, Modifier, Style};
use review::pages::line::Tone;
use review::words::Words;

use review::highlight::Kind;

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub colour: bool,
    /// Characters beyond ASCII for lines; texts are shown as they are.
    pub drawing: bool,
    /// The language.
    pub words: Words,
}

impl Look {
    /// What the environment says of the terminal.
    pub fn of_environment() -> Look {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let term = env::var("TERM").unwrap_or_default();
        let one_colour = term.starts_with("vt") || term.ends_with("-m") || term.ends_with("-mono");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find(|name| is_set(name));
        let locale = locale.and_then(|name| env::var(name).ok()).unwrap_or_default().to_lowercase();
        Look {
            colour: !is_set("NO_COLOR") && !one_colour,
            drawing: locale.contains("utf-8") || locale.contains("utf8"),
            words: Words::DEFAULT,
        }
    }

    /// A tone; without colour each is distinguished by weight, and the margin shows it too.
    pub fn tone(self, tone: Tone) -> Style {
        let plain = Style::new();
        match (tone, self.colour) {
            (Tone::Plain, _) | (Tone::Good, false) => plain,
            (Tone::Strong, _) => plain.add_modifier(Modifier::BOLD),
            (Tone::Quiet, _) => plain.add_modifier(Modifier::DIM),
            (Tone::Good, true) => plain.fg(Color::Green),
            (Tone::Caution, true) => plain.fg(Color::Yellow).add_modifier(Modifier::BOLD),
            (Tone::Caution, false) => plain.add_modifier(Modifier::UNDERLINED),
            (Tone::Bad, true) => plain.fg(Color::Red).add_modifier(Modifier::BOLD),
            (Tone::Bad, false) => plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        }
    }

    /// A piece of source.
    pub fn code(self, kind: Kind) -> Style {
        let plain = Style::new();
        match (kind, self.colour) {
            (Kind::Keyword, true) => plain.fg(Color::Magenta),
            (Kind::Keyword, false) => plain.add_modifier(Modifier::BOLD),
            (Kind::Text, true) => plain.fg(Color::Green),
            (Kind::Text, false) => plain.add_modifier(Modifier::UNDERLINED),
            (Kind::Number | Kind::Type, true) => plain.fg(Color::Cyan),
            (Kind::Comment, _) => plain.add_modifier(Modifier::DIM),
            _ => plain,
        }
    }

    /// A bar over the whole width, and what has the focus.
    pub fn bar(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A line across the screen.
    pub fn rule(self, width: u16) -> String {
        if self.drawing { "\u{2500}" } else { "-" }.repeat(usize::from(width))
    }
}

#[cfg(test)]
mod tests;
