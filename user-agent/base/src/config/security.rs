//! The section `security`.

use confine::Tier;
use serde_json::{Value, json};
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
        let words = ["degraded", "process", "namespace", "full"];
        let minimum_isolation = section.word("minimum_isolation", "process", &words);
        let user = name(section, "user");
        let group = name(section, "group");
        if group.is_some() && user.is_none() {
            section.fault("group", "has no meaning without `user`");
        }
        Security {
            minimum_isolation: minimum_isolation.parse().unwrap_or(Tier::Process),
            user,
            group,
            landlock: switch(section, "landlock"),
        }
    }

    pub(super) fn as_json(&self) -> Value {
        json!({
            "minimum_isolation": self.minimum_isolation.to_string(),
            "user": self.user,
            "group": self.group,
            "landlock": if self.landlock { "on" } else { "off" },
        })
    }
}

/// A user or group as people write it: a name, or a bare number.
fn name(section: &mut Section, key: &'static str) -> Option<String> {
    match section.take(key)? {
        Value::String(name) if !name.is_empty() => Some(name),
        Value::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => {
            section.fault(key, "must be a name or a number");
            None
        }
    }
}

/// `on` or `off`, which some readers of YAML take for a truth value.
fn switch(section: &mut Section, key: &'static str) -> bool {
    match section.take(key) {
        None | Some(Value::Bool(true)) => true,
        Some(Value::Bool(false)) => false,
        Some(Value::String(word)) if word == "on" => true,
        Some(Value::String(word)) if word == "off" => false,
        Some(other) => {
            section.fault(key, format!("{other} is not allowed; allowed: on off"));
            true
        }
    }
}
