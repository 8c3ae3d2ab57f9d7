//! What the driver holds.

use std::sync::Mutex;

use ports::own::own_name;
use shared_types::described::Tool;
use shared_types::id::SkillName;

use super::ask;
use super::input::Lines;
use super::screen::Screen;
use super::used::Used;

/// The skill.
pub struct Cli {
    pub(super) name: SkillName,
    pub(super) lines: Mutex<Lines>,
    pub(super) screen: Screen,
    pub(super) used: Mutex<Used>,
    /// The talk about need, as the conversation has it.
    pub(super) after: Mutex<language::After>,
    /// The language of the last line that told one, by its code.
    pub(super) spoken: Mutex<Option<&'static str>>,
    pub(super) tools: Vec<Tool>,
}

impl Default for Cli {
    fn default() -> Self {
        Cli {
            name: own_name("cli"),
            lines: Mutex::default(),
            screen: Screen::default(),
            used: Mutex::default(),
            after: Mutex::default(),
            spoken: Mutex::default(),
            tools: vec![ask::tool()],
        }
    }
}
