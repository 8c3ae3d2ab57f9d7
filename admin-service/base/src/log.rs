//! Tells what happens, a line on stderr.

use crate::clock::now;

/// How it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Log {
    /// Not at all.
    Silent,
    /// For people.
    People,
    /// One JSON object a line, as `TAMECLAW_LOG=json` asks for.
    Json,
}

impl Log {
    /// As the environment asks for; `quiet` tells nothing.
    pub fn of_environment(quiet: bool) -> Log {
        let words = std::env::var("TAMECLAW_LOG").unwrap_or_default();
        match (quiet, words.split([',', ' ']).any(|word| word == "json")) {
            (true, _) => Log::Silent,
            (false, true) => Log::Json,
            (false, false) => Log::People,
        }
    }

    /// Tells something, under a name by which programs know it.
    pub fn tell(self, event: &str, line: &str) {
        let line = shared_types::text::line(line);
        match self {
            Log::Silent => {}
            Log::People => eprintln!("cl-admin: {line}"),
            Log::Json => {
                let told = serde_json::json!({"time": now(), "level": "info", "event": event, "text": line});
                eprintln!("{told}");
            }
        }
    }
}
