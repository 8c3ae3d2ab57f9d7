//! Invariant 6 against somebody who has the disk and both keys of the admin: a chain that holds is not enough, each record
//! must be a move that its table lists.

use serde_json::{Value, json};
use tameclaw_tests::action::Ask;
use tameclaw_tests::world::World;

use crate::forge::{self, Forced, SignedBy};
use crate::i06_journal::{lived_in, refused};
use crate::stop_doors::records;

/// A module that nobody reviewed.
fn mallory() -> Forced<'static> {
    let described = forge::described(&[]);
    Forced { name: "mallory", module: b"\0asm", tokens: &[], signed_by: SignedBy::Admin, described }
}

fn id(world: &World, status: &str) -> String {
    let rows = world.list();
    let row = rows.iter().find(|row| row["status"] == status).unwrap_or_else(|| panic!("{status}: {rows:?}"));
    row["id"].as_str().expect("a row has an id").to_owned()
}

/// A record that no table of moves lists is refused at every replay, however well it is chained and signed.
#[test]
fn a_record_that_no_table_lists_is_refused_though_the_chain_and_its_head_hold() {
    let world = lived_in();
    world.allow("autonomy: full\ngrants: {commands: [echo]}\n");
    for ask in [Ask::line("echo hello"), Ask::shell("echo hello", "network: true"), Ask::line("rm -rf /")] {
        world.wants(&ask);
    }
    world.admin(&["run", "--once"]).done();
    let (wish, done) = (id(&world, "agent-review"), id(&world, "accepted"));
    let (waits, rejected) = (id(&world, "human-review"), id(&world, "rejected"));
    let entry = forge::entry(&world, &mallory());
    let taken = records(&world).into_iter().find(|r| r["record"] == "taken").expect("a wish was taken in");
    let signed = json!({"text": "{}", "signature": "x"});
    let moved = |from: &str, to: &str| json!({"record": "moved", "id": wish, "from": from, "to": to, "actor": "owner", "reason": null});
    let forgeries: [(Value, &str); 13] = [
        (moved("agent-review", "accepted"), "from agent-review to accepted"),
        (moved("human-review", "accepted"), "from agent-review to accepted"),
        (moved("agent-review", "removed"), "from agent-review to removed"),
        (json!({"record": "decided", "id": wish, "decision": signed}), "from agent-review to accepted"),
        (json!({"record": "installed", "id": wish, "entry": entry}), "from agent-review to accepted"),
        (json!({"record": "installed", "id": ID, "entry": entry}), "from nowhere to accepted"),
        (taken, "from agent-review to new"),
        (
            json!({"record": "edited", "id": wish, "by": "owner", "attempt": 2, "source_sha256": "0".repeat(64)}),
            "from agent-review to agent-review",
        ),
        (json!({"record": "sent-back", "id": wish, "by": "owner"}), "from agent-review to implementation"),
        (
            json!({"record": "action-decided", "id": rejected, "decision": signed}),
            "from rejected to accepted",
        ),
        (json!({"record": "action-started", "id": waits}), "from human-review to started"),
        (json!({"record": "action-started", "id": done}), "from done to started"),
        (
            json!({"record": "action-rejected", "id": done, "actor": "owner", "reason": "x"}),
            "from done to rejected",
        ),
    ];
    for (mut record, says) in forgeries {
        let copy = world.copy();
        record["at"] = json!("2026-02-07T14:30:00.000Z");
        let number = forge::append(&copy, &record);
        forge::sign_journal(&copy);
        refused(&copy, &record.to_string(), &format!("record {number}: "));
        refused(&copy, &record.to_string(), says);
    }
    // The same hands put a record there that the table lists: that is what the heads and keys are for, not the table.
    let copy = world.copy();
    let mut legal = moved("agent-review", "rejected");
    legal["at"] = json!("2026-02-07T14:30:00.000Z");
    forge::append(&copy, &legal);
    forge::sign_journal(&copy);
    copy.admin(&["list"]).done();
    // A rejection is not taken back where no package was ever reviewed.
    let mut unpackaged = moved("rejected", "human-review");
    unpackaged["at"] = json!("2026-02-07T14:30:00.000Z");
    forge::append(&copy, &unpackaged);
    forge::sign_journal(&copy);
    refused(&copy, &unpackaged.to_string(), "from rejected to human-review");
}

/// An identifier that nothing in a home has.
const ID: &str = "01930000-0000-7000-8000-000000000001";
