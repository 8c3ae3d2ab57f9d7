//! The section `security`.

use confine::Tier;
use shared_types::settings::Section;

/// As whom the bot runs, and how well confined it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Security {
    /// The least isolation with which the bot starts.
    pub minimum_isolation: Tier,
    /// The user that the bot becomes when root starts it: a name or a number.
    pub user: Option<String>,
    /// The one group that it then has; without it, the user's own.
    pub group: Option<String>,
    /// Whether Landlock is used where the kernel has it.
    pub landlock: bool,
}

impl Security {
    /// Reads the section; faults stay in it.
    pub(super) fn of(section: &mut Section) -> Security {
        let (user, group) = (section.text("user"), section.text("group"));
        if group.is_some() && user.is_none() {
            section.fault("group", "has no meaning without `user`");
        }
        Security {
            minimum_isolation: section.word("minimum_isolation").parse().unwrap_or(Tier::Process),
            user,
            group,
            landlock: section.flag("landlock"),
        }
    }
}
