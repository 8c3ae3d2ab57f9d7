//! How often tools were called, and how often that failed, as the bot's own conversations say.
//!
//! The bot writes these records, so they are its word and nothing else rests on them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use base::home::Home;
use builder::workers::{self, Job};
use serde::{Deserialize, Serialize};
use shared_types::id::ProfileId;

/// What is read of each profile's conversations, from their end, in bytes.
const LAST: u64 = 8 << 20;
/// The most tools that are counted separately.
const MOST_TOOLS: usize = 2_000;

/// Calls of the tools of one skill.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// All of them.
    pub calls: u64,
    /// Those that failed.
    pub failures: u64,
}

#[derive(Deserialize)]
struct Turn {
    #[serde(default)]
    tool_calls: Vec<Call>,
    #[serde(default)]
    tool_results: Vec<CallResult>,
}

#[derive(Deserialize)]
struct Call {
    name: String,
}

#[derive(Deserialize)]
struct CallResult {
    #[serde(default)]
    failed: bool,
}

/// Counts calls by skill in lines of conversations; runs in a confined child. A line that is not a record counts nothing.
pub fn count(lines: &[u8]) -> BTreeMap<String, Calls> {
    let mut found: BTreeMap<String, Calls> = BTreeMap::new();
    for line in lines.split(|b| *b == b'\n') {
        let Ok(turn) = serde_json::from_slice::<Turn>(line) else { continue };
        for (at, call) in turn.tool_calls.iter().enumerate() {
            let Some((skill, _)) = call.name.split_once('.') else { continue };
            if !found.contains_key(skill) && found.len() >= MOST_TOOLS {
                continue;
            }
            let counted = found.entry(shared_types::text::cut(skill, 63)).or_default();
            counted.calls += 1;
            counted.failures += u64::from(turn.tool_results.get(at).is_some_and(|r| r.failed));
        }
    }
    found
}

/// Counts over all profiles; profiles that keep their memory in another form are left out.
pub fn of_home(home: &Home, cancel: &AtomicBool) -> BTreeMap<String, Calls> {
    let mut all: BTreeMap<String, Calls> = BTreeMap::new();
    for profile in base::home::profiles(home).unwrap_or_default() {
        let Some(lines) = last_lines(home, &profile) else { continue };
        let Ok(counted) = workers::run::<BTreeMap<String, Calls>>(Job::Tally, &lines, cancel) else {
            continue;
        };
        for (skill, calls) in counted {
            let sum = all.entry(skill).or_default();
            sum.calls += calls.calls;
            sum.failures += calls.failures;
        }
    }
    all
}

/// The end of a profile's conversations.
fn last_lines(home: &Home, profile: &ProfileId) -> Option<Vec<u8>> {
    home.profile(profile).join("memory/conversations.jsonl").file().ok()?.last(LAST).ok()
}
