//! A thousand proposals at once: how long until each is settled or waits, what the service holds meanwhile, and whether a
//! chat beside it notices.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use shared_types::id::ProposalId;

use crate::homes::Place;
use crate::programs::Programs;
use crate::table::{Row, Table};
use crate::time::{self, Spent};

/// Dropped at once.
const PROPOSALS: usize = 1_000;
/// How long the flood is looked at.
const MINUTE: Duration = Duration::from_secs(60);
/// Turns of the chat that are measured while nothing happens.
const TURNS: usize = 11;

/// The row of the table.
pub(crate) fn flood(programs: &Programs, table: &mut Table) {
    let place = Place::new(programs);
    // The service is a child as well, so nobody may wait for all of them.
    let turn = || {
        time::of(|| {
            let ended = quiet(&mut place.bot(&["agent", "-m", "hi"])).status();
            assert!(ended.is_ok_and(|status| status.success()), "a turn is answered");
        })
    };
    let idle: Vec<Spent> = (0..TURNS).map(|_| turn()).collect();
    let mut service = place.admin(&["run"]);
    let mut service = quiet(&mut service).spawn().expect("the service starts");
    let start = Instant::now();
    for n in 0..PROPOSALS {
        drop_one(&place, n);
    }
    let (mut busy, mut settled, mut peak) = (Vec::new(), None, 0);
    while start.elapsed() < MINUTE {
        busy.push(turn());
        peak = peak.max(high_water(service.id()));
        if settled.is_none() && all_settled_or_waiting(&place) {
            settled = Some(start.elapsed());
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    let still = all_settled_or_waiting(&place);
    // It is this program's own child.
    let _ = service.kill();
    let _ = service.wait();
    let wall = |runs: &[Spent]| {
        let mut times: Vec<f64> = runs.iter().map(|run| run.wall.as_secs_f64() * 1000.0).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    let when =
        settled.map_or("not within a minute".to_owned(), |t| format!("after {:.1} s", t.as_secs_f64()));
    let note = format!(
        "settled, waiting or at work {when}, at the end {still}; a turn takes {:.1} times as long as before",
        wall(&busy) / wall(&idle).max(0.001)
    );
    table.add(Row::new("1,000 proposals at once", "<= 60 s, chat unaffected").peaks(&[peak]).note(&note));
    table.add(Row::baseline("a turn of the chat meanwhile").spent(&busy));
    table.add(Row::baseline("the same with nothing to do").spent(&idle));
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn drop_one(place: &Place<'_>, n: usize) {
    let id = ProposalId::generate();
    let text = format!(
        "proposal:\n  id: {id}\n  kind: skill\n  name: leap-years-{n}\n  description: Tells leap years\n  \
         capabilities: []\n  user_context: learn to tell leap years\n  profile_id: default\n"
    );
    let profile = "default".parse().expect("`default` is a profile name");
    let folder = place.home().proposals(&profile);
    let hidden = folder.join(".being-written");
    fs::write(&hidden, text)
        .and_then(|()| fs::rename(&hidden, folder.join(format!("leap-years-{n}-{id}.yaml"))))
        .expect("a proposal can be written");
}

/// Whether every proposal is settled, waits for something, or is one of the few that are at work.
fn all_settled_or_waiting(place: &Place<'_>) -> bool {
    const AT_WORK: usize = 8;
    let rows = place.proposals();
    let names: BTreeSet<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
    let moves = |row: &&Value| {
        row["waits_for"].is_null() && !matches!(row["status"].as_str(), Some("accepted" | "rejected"))
    };
    names.len() == PROPOSALS && rows.iter().filter(moves).count() <= AT_WORK
}

/// The peak of a process' resident memory so far, in KiB.
fn high_water(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
