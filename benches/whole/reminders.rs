//! A home with a thousand reminders, of which none is due, at rest.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use shared_types::id::ProfileId;

use crate::homes::Place;
use crate::memory::idle_together;
use crate::programs::Programs;
use crate::rows::PROMPT;
use crate::table::{Row, Table};

/// Profiles, each with as many reminders as one may have.
const PROFILES: usize = 20;
const EACH: usize = 50;
/// How long the programs are looked at. The notifiers and each chat look at the reminders every thirty seconds, so that one run in
/// three has such a look.
const RESTS: Duration = Duration::from_secs(10);
/// Runs.
const RUNS: usize = 5;

/// The service with all of them, and a chat of each profile.
pub(crate) fn reminders(programs: &Programs, table: &mut Table) {
    let place = Place::new(programs);
    let names: Vec<String> = (0..PROFILES).map(|at| format!("person-{at}")).collect();
    names.iter().for_each(|name| fill(&place, name));
    let of = |count: usize| format!("{count} reminders");
    let service = || idle_together(vec![place.admin(&["run"])], Some("serving"), "\x03", RESTS);
    let held: Vec<_> = (0..RUNS).map(|_| service()).collect();
    let row = Row::new("service at rest, twenty profiles", "0 ticks");
    table.add(row.held(&held).note(&of(PROFILES * EACH)));
    let chats = || {
        let chats = names.iter().map(|name| place.bot(&["--profile", name, "agent"])).collect();
        idle_together(chats, Some(PROMPT), "/exit\r", RESTS)
    };
    let held: Vec<_> = (0..RUNS).map(|_| chats()).collect();
    let row = Row::new("twenty chats at rest together", "0 ticks");
    table.add(row.held(&held).note(&of(PROFILES * EACH)));
}

/// Adds a profile, and as many reminders of a day to come as one may have.
fn fill(place: &Place<'_>, name: &str) {
    place.admin_says(&["profile", "add", name, "--audience", "adult"]);
    place.bot_says_as(name, "remind me in 3 days to water the plants");
    let profile: ProfileId = name.parse().expect("a profile's name");
    let file = place.home().profile(&profile).join("memory/reminders.jsonl");
    let one: Value =
        serde_json::from_str(fs::read_to_string(&file).expect("it is kept").trim()).expect("JSON");
    let due = one["due"].as_i64().expect("a moment");
    let rows = (1..=EACH).map(|id| json!({"id": id, "text": "water the plants", "due": due, "again": null}));
    fs::write(&file, rows.map(|row| format!("{row}\n")).collect::<String>()).expect("it can be written");
    let moments = format!("{due}\n").repeat(EACH);
    fs::write(place.home().due(&profile), moments).expect("it can be written");
}
