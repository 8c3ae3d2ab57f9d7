//! The country of the help lines.

use base::home::Home;
use documents::yaml;
use serde_json::Value;

use super::look::Look;

/// The configured country.
pub(super) fn named(home: &Home) -> Option<String> {
    let text = std::fs::read_to_string(home.bot_config()).ok()?;
    let value: Value = yaml::from_own(&text).ok()?;
    value.pointer("/help_lines/region").and_then(Value::as_str).map(str::to_owned)
}

/// Whether a person in need is shown the numbers of one country.
pub(super) fn region(home: &Home) -> Look {
    match named(home) {
        Some(code) => Look::pass("region", format!("help lines of `{code}`")),
        None => Look::warn(
            "region",
            "a person in need is shown the help lines of every country",
            "`help_lines.region` in config/default.yaml names yours; `cl-admin onboard` asks for it",
        ),
    }
}
