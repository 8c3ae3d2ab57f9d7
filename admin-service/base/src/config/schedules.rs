//! `schedules:`, the times at which a profile's workflow or message runs.

use std::time::Duration;

use shared_types::id::{Digest, ProfileId, WorkflowName};
use shared_types::scheduled;
use shared_types::settings::Section;

use crate::config::times::Times;

/// The longest message, in characters.
const MAX_MESSAGE: usize = 2_000;

#[derive(Debug, Clone)]
pub struct Schedule {
    /// Its name; the names of workflows have the same form.
    pub name: WorkflowName,
    /// Whose conversation it is.
    pub profile: ProfileId,
    /// When.
    pub times: Times,
    /// What runs.
    pub what: What,
    /// What becomes of a time at which nothing could run.
    pub missed: Missed,
    /// How long one run may take.
    pub limit: Duration,
}

/// What a schedule runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A workflow; it runs only as the pinned text, by `sop_sha256` or else by `cl-admin schedule pin`.
    Workflow(WorkflowName, Option<Digest>),
    /// A message to the assistant.
    Message(String),
}

/// What becomes of times at which nothing could run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missed {
    /// They are reported and skipped.
    Skip,
    /// They are reported, and the last of them is made up for.
    Once,
}

/// Reads the list.
pub(super) fn read(top: &mut Section) -> Vec<Schedule> {
    let mut schedules: Vec<Schedule> = Vec::new();
    for mut below in top.sections("schedules") {
        if let Some(schedule) = one(&mut below) {
            if schedules.iter().any(|other| other.name == schedule.name) {
                below.fault("name", format!("`{}` is the name of an earlier schedule", schedule.name));
            }
            if schedule.name.as_str() == scheduled::DIGEST {
                below.fault("name", format!("`{}` is the name of the weekly digest", schedule.name));
            }
            schedules.push(schedule);
        }
        top.close(below);
    }
    schedules
}

fn one(below: &mut Section) -> Option<Schedule> {
    let name = parsed::<WorkflowName>(below, "name");
    let profile = parsed::<ProfileId>(below, "profile");
    let workflow = parsed::<WorkflowName>(below, "workflow");
    let sha256 = parsed::<Digest>(below, "sop_sha256");
    let message = below.text("message");
    if message.as_ref().is_some_and(|m| m.trim().is_empty() || m.chars().count() > MAX_MESSAGE) {
        below.fault("message", format!("must have 1 to {MAX_MESSAGE} characters"));
    }
    let what = match (workflow, message) {
        (Some(workflow), None) => Some(What::Workflow(workflow, sha256)),
        (None, Some(message)) => {
            if sha256.is_some() {
                below.fault("sop_sha256", "a message has no workflow that could be pinned");
            }
            Some(What::Message(message))
        }
        _ => {
            below.fault("workflow", "a schedule names either a `workflow` or a `message`");
            None
        }
    };
    let missed = match below.word("missed") {
        "once" => Missed::Once,
        _ => Missed::Skip,
    };
    let jitter = below.number("jitter_seconds");
    let limit = Duration::from_secs(below.number("limit_seconds"));
    let zone = below.text("zone").unwrap_or_default();
    let cron = below.text("cron");
    let name = name?;
    let times = match Times::new(&name, &cron?, &zone, jitter) {
        Ok(times) => times,
        Err((key, why)) => {
            below.fault(key, why);
            return None;
        }
    };
    Some(Schedule { name, profile: profile?, times, what: what?, missed, limit })
}

fn parsed<T: std::str::FromStr<Err = impl std::fmt::Display>>(below: &mut Section, key: &str) -> Option<T> {
    below.text(key)?.parse().map_err(|e| below.fault(key, format!("{e}"))).ok()
}
