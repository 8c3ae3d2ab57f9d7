//! Weeks of children that end soon, and what the journal tells of them.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::time::Duration;

use jiff::{Timestamp, ToSpan};
use serde_json::Value;

use crate::world::World;

/// A home with an approver's passphrase and the profiles of these children.
#[track_caller]
pub fn with_children(children: &[&str]) -> World {
    let world = World::new();
    has_passphrase(&world);
    for name in children {
        world.admin(&["profile", "add", name, "--audience", "child"]).done();
    }
    world
}

/// Puts the approver's key under a passphrase, as a minor's profile needs it.
#[track_caller]
pub fn has_passphrase(world: &World) {
    let file = world.outside().join("passphrase");
    let mut options = OpenOptions::new();
    let opened = options.write(true).create_new(true).mode(0o600).open(&file);
    opened.and_then(|mut file| file.write_all(b"correct horse battery\n")).expect("it can be written");
    world.admin(&["approver", "passphrase", "--passphrase-file", &file.display().to_string()]).done();
}

/// Counts the weeks of these profiles, and has them end at least a hundred seconds and at most a hundred and sixty from now; answers
/// when. More lines of the configuration follow.
#[track_caller]
pub fn ends_soon(world: &World, profiles: &str, more: &str) -> Timestamp {
    let end = Timestamp::now() + 160.seconds();
    let end = Timestamp::from_second(end.as_second() / 60 * 60).expect("a moment");
    let zoned = end.to_zoned(jiff::tz::TimeZone::UTC);
    let day = zoned.strftime("%A").to_string().to_lowercase();
    let time = zoned.strftime("%H:%M");
    let text = format!("weekly_digest: {{profiles: [{profiles}], day: {day}, time: \"{time}\"}}\n{more}");
    fs::write(world.home().admin_config(), text).expect("the configuration can be written");
    end
}

/// The records of schedules and digests of a kind.
#[track_caller]
pub fn told(world: &World, kind: &str) -> Vec<Value> {
    let walk = durable::replay(&world.home().journal()).expect("a home has a journal");
    let records = walk.map(|record| record.expect("the chain holds").1);
    records.filter(|r: &Value| r["record"] == "schedule" && r["told"] == kind).collect()
}

/// Sleeps until a moment is over.
pub fn until(end: Timestamp) {
    let left = (end + 1.second()).duration_since(Timestamp::now());
    std::thread::sleep(Duration::try_from(left).unwrap_or_default());
}
