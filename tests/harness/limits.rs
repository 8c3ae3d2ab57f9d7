//! Limits of a profile's talk, and the account of its day, as tests set them.

use std::fs;
use std::path::PathBuf;

use jiff::{Timestamp, ToSpan, Zoned};
use serde_json::{Value, json};
use shared_types::id::ProfileId;

use crate::world::World;

/// A quiet time of two hours around this moment, with its zone, as lines below `talk`.
pub fn quiet_now() -> String {
    let now = Timestamp::now();
    let time = |at: Timestamp| at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%H:%M").to_string();
    let (from, until) = (now - 60.minutes(), now + 60.minutes());
    format!("  quiet_hours: \"{}-{}\"\n  time_zone: UTC\n", time(from), time(until))
}

/// A zone in which it is midnight at most an hour from now: its name, and the moment there.
pub fn zone_at_midnight() -> (String, Zoned) {
    let zones = (-14..=12).map(|hours: i32| match hours {
        0 => "Etc/GMT".to_owned(),
        hours => format!("Etc/GMT{hours:+}"),
    });
    let local = zones.map(|name| {
        let now = Timestamp::now().in_tz(&name).expect("a zone of the database");
        (name, now)
    });
    { local }.find(|(_, now)| matches!(now.hour(), 23 | 0)).expect("somewhere it is midnight")
}

/// Writes a profile's file with these lines below `talk`, and others after them.
#[track_caller]
pub fn limit(world: &World, profile: &ProfileId, talk: &str, more: &str) {
    let text = format!("talk:\n{talk}{more}grants: {{files: {{read: [\"**\"], write: [\"**\"]}}}}\n");
    fs::write(world.home().profile_file(profile), text).expect("a profile's file can be written");
}

/// The file of the day's account.
pub fn account(world: &World) -> PathBuf {
    world.home().spent(&world.profile())
}

/// What the account says.
#[track_caller]
pub fn spent(world: &World) -> Value {
    let text = fs::read_to_string(account(world)).expect("an account");
    serde_json::from_str(&text).expect("an account is JSON")
}

/// Changes a value of the account, as if the day had had it.
#[track_caller]
pub fn set(world: &World, key: &str, value: impl Into<Value>) {
    let mut account = spent(world);
    account[key] = value.into();
    fs::write(self::account(world), json!(account).to_string()).expect("it can be written");
}
