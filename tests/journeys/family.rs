//! A day of a family, and what is told to whom: three profiles, school, quiet hours, a time that comes while the service is away, a
//! restart, and a clock that jumps.

use std::fs;
use std::time::Duration;

use jiff::{Timestamp, ToSpan};
use serde_json::Value;
use shared_types::id::ProfileId;
use tameclaw_tests::digest::{told, until, with_children};
use tameclaw_tests::eventually;
use tameclaw_tests::limits::{limit, quiet_now};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

use crate::notifiers::{Inbox, configure};
use crate::reminders::{kill_it, leave};

const SOON: Duration = Duration::from_secs(100);

fn chat(world: &World, profile: &str) -> Pty {
    let mut pty = Pty::start(world.command(Program::Bot, &["--profile", profile, "agent"]));
    pty.expect("> ", SOON);
    pty
}

fn says(world: &World, profile: &str, line: &str) -> String {
    world.bot(&["--profile", profile, "-m", line]).report()
}

/// A minute that begins at least ten seconds from now, as an expression of times, and its beginning.
fn minute() -> (String, Timestamp) {
    let at = Timestamp::now() + 70.seconds();
    let at = Timestamp::from_second(at.as_second() / 60 * 60).expect("a moment");
    let utc = at.to_zoned(jiff::tz::TimeZone::UTC);
    (format!("{} {} {} {} *", utc.minute(), utc.hour(), utc.day(), utc.month()), at)
}

/// Each person hears their own reminders, runs and answers, once, and nobody another's; the notifiers hear no word of any.
#[test]
fn in_a_day_of_a_family_each_person_hears_their_own() {
    let hook = Inbox::start(&[204]);
    let world = with_children(&["anna", "ben"]);
    let anna: ProfileId = "anna".parse().expect("a name");
    let (cron, time) = minute();
    configure(
        &world,
        &format!(
            "digest_minutes: 0\nschedules:\n  - {{name: shopping, profile: default, cron: \"{cron}\", zone: UTC, message: \"what is 6 * 7?\"}}\n\
             notifiers:\n  - {{name: hook, kind: webhook, url: \"http://{}/hook\"}}\n",
            hook.server.host()
        ),
    );
    // Breakfast: a reminder each, and a fact.
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    for (profile, line) in [
        ("anna", "remind me in 3 seconds to pack the recorder"),
        ("ben", "remind me tomorrow at 4pm to call Omar"),
        ("default", "remind me tomorrow at 5pm to pay the school trip"),
    ] {
        let said = says(&world, profile, line);
        assert!(said.contains("I will remind you"), "{profile}: {said}");
    }
    says(&world, "ben", "remember that Omar lives in Elm Street");
    // School: nobody talks with Anna's companion, and her reminder waits. A line of need is answered.
    limit(&world, &anna, &quiet_now(), "audience: child\n");
    let said = says(&world, "anna", "tell me a joke");
    assert!(said.contains("It is quiet time now"), "{said}");
    assert!(says(&world, "anna", "my dad hits me").contains("116 111"));
    std::thread::sleep(Duration::from_secs(3));
    let said = leave(chat(&world, "anna"));
    assert!(!said.contains("recorder"), "{said}");
    // The power fails before the parent's schedule comes; the service is back after it.
    service.signal(nix::sys::signal::Signal::SIGKILL);
    service.ended(SOON);
    assert!(Timestamp::now() < time, "this machine is too slow for the test");
    until(time);
    let service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "the run is over", || (told(&world, "ended").len() == 1).then_some(()));
    // Its answer comes to the parent alone, once, also when the chat is killed.
    let mut parent = chat(&world, "default");
    parent.expect("the schedule `shopping` answered", SOON);
    parent.expect("42", SOON);
    kill_it(&mut parent);
    // The clock jumps two days ahead, as on a board whose clock was wrong: what was due in between is told with its time.
    for profile in ["ben", "default"] {
        let path = world.home().profile(&profile.parse().expect("a name")).join("memory/reminders.jsonl");
        let mut one: Value =
            serde_json::from_str(fs::read_to_string(&path).expect("it is kept").trim()).expect("JSON");
        let due = one["due"].as_i64().expect("a moment");
        one["due"] = Value::from(due - 2 * 24 * 60 * 60);
        fs::write(&path, format!("{one}\n")).expect("it can be written");
    }
    let said = leave(chat(&world, "ben"));
    assert!(said.contains("while you were away") && said.contains("call Omar"), "{said}");
    assert!(
        !said.contains("school trip") && !said.contains("recorder") && !said.contains("shopping"),
        "{said}"
    );
    let said = leave(chat(&world, "default"));
    assert!(said.contains("pay the school trip"), "{said}");
    assert!(!said.contains("Omar") && !said.contains("recorder") && !said.contains("shopping"), "{said}");
    assert!(
        !says(&world, "default", "where does Omar live?").contains("Elm Street"),
        "a fact of another profile"
    );
    // Home again: the quiet time is over.
    limit(&world, &anna, "  minutes_a_day: 60\n", "audience: child\n");
    let said = leave(chat(&world, "anna"));
    assert!(said.contains("pack the recorder"), "{said}");
    for profile in ["anna", "ben", "default"] {
        let said = leave(chat(&world, profile));
        assert!(!said.contains("while you were away"), "{profile} hears nothing twice: {said}");
    }
    let heard = hook.seen().into_iter().map(|r| String::from_utf8_lossy(&r.body).into_owned());
    for body in heard.chain([service.stderr.text()]) {
        for word in ["recorder", "Omar", "trip", "hits", "42"] {
            assert!(!body.contains(&format!(" {word}")), "`{word}`: {body}");
        }
    }
}
