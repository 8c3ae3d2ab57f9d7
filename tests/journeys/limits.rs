//! A profile whose person talks a limited number of minutes and tokens a day, and not in quiet hours.

use std::fs;
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::eventually;
use tameclaw_tests::limits::{limit, quiet_now, set, spent, zone_at_midnight};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_D, Pty};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World};

use crate::notifiers::{Inbox, configure};
use crate::settings::bot_asks;
use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(60);
const QUIET: &str = "It is quiet time now";
const OVER: &str = "all the time that we have for talking today";

fn echo() -> ModelServer {
    ModelServer::start(|chat| Reply::text(format!("You said: {}", chat.last().1)))
}

/// In quiet hours a line is answered with one sentence in the person's language. No model is asked, nothing is proposed and nothing
/// is kept; a person in need gets the help lines, commands answer, and reminders are listed and cancelled.
#[test]
fn in_quiet_hours_a_line_gets_one_sentence_and_need_its_help_lines() {
    let (world, model) = (World::new(), echo());
    world.ask("remind me tomorrow at 6pm to water the plants");
    bot_asks(&world, &model.url(), None);
    limit(&world, &world.profile(), &quiet_now(), "");
    let told = world.bot(&["-m", "tell me a story about Zebrafink"]).exited(3).prints(QUIET);
    assert_eq!(told.stdout.lines().count(), 1, "{}", told.report());
    world.bot(&["-m", "erzähl mir eine Geschichte"]).exited(3).prints("Jetzt ist Ruhezeit");
    world.bot(&["-m", "learn to roll dice"]).exited(3).prints(QUIET);
    world.bot(&["-m", "remember that my cat is called Zebrafink"]).exited(3).prints(QUIET);
    world.bot(&["-m", "remind me tomorrow to call mum"]).exited(3).prints(QUIET);
    world.bot(&["-m", "I want to kill myself"]).done().prints("988");
    world.bot(&["-m", "what reminders do I have?"]).done().prints("water the plants");
    world.bot(&["-m", "cancel the reminder about the plants"]).done().prints("Cancelled");
    world.bot(&["-m", "/tokens"]).done().prints("quiet hours: ");
    assert!(model.seen().is_empty(), "a model was asked");
    assert!(world.list().is_empty(), "something was proposed");
    world.bot(&["memory", "list"]).done().hides("Zebrafink");
    // At a terminal the line enters no history, and the way out is as always.
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    pty.line("hello Zebrafink");
    pty.expect(QUIET, SOON);
    pty.line("/help");
    pty.expect("/tokens", SOON);
    pty.line("exit");
    assert_eq!(pty.ended(SOON), 0);
    let history = world.home().logs(&world.profile()).join("history");
    assert!(!fs::read_to_string(history).unwrap_or_default().contains("Zebrafink"));
    // The hours are over: the person is answered.
    limit(&world, &world.profile(), "  minutes_a_day: 60\n", "");
    world.bot(&["-m", "hello there"]).done().prints("You said: hello there");
}

/// Where it is midnight, a quiet time from the evening to the morning holds before and after it, and names its end.
#[test]
fn a_quiet_time_holds_over_midnight_by_the_clock_of_its_zone() {
    let world = World::new();
    let (zone, _) = zone_at_midnight();
    let hours = |hours: &str| {
        limit(&world, &world.profile(), &format!("  time_zone: {zone}\n  quiet_hours: {hours}\n"), "")
    };
    hours("\"21:30-02:15\"");
    world.bot(&["-m", "hello"]).exited(3).prints("02:15 on");
    hours("[\"12:00-13:00\", \"22:00-24:00\", \"0:00-3:45\"]");
    world.bot(&["-m", "hello"]).exited(3).prints("03:45 on");
    hours("\"02:15-21:30\"");
    world.bot(&["-m", "hello"]).done();
}

/// The minutes of the day: five before the end the person hears of it once, and then each line gets one sentence, in the next start
/// and after everything was forgotten, too.
#[test]
fn used_up_minutes_end_the_talk_and_few_are_announced_once() {
    let (world, model) = (World::new(), echo());
    bot_asks(&world, &model.url(), None);
    limit(&world, &world.profile(), "  minutes_a_day: 30\n", "");
    world.bot(&["-m", "hello"]).done().prints("You said");
    assert!((60..90).contains(&spent(&world)["seconds"].as_i64().expect("seconds")), "{}", spent(&world));
    world.bot(&["-m", "/tokens"]).done().prints("left today: 29 of 30 minutes of talk");
    world.admin(&["profile", "list"]).done().prints("left today: 29 of 30 minutes of talk");
    set(&world, "seconds", 25 * 60);
    world.bot(&["-m", "hello"]).done().says("5 min left to talk today");
    let told = world.bot(&["-m", "hello"]).done();
    assert!(!told.stderr.contains("left to talk"), "{}", told.report());
    limit(&world, &world.profile(), "  minutes_a_day: 1\n", "");
    set(&world, "seconds", 0);
    set(&world, "last", 0);
    set(&world, "told_minutes", false);
    world.bot(&["-m", "hello"]).done().says("less than a minute left to talk today");
    limit(&world, &world.profile(), "  minutes_a_day: 30\n", "");
    set(&world, "seconds", 30 * 60);
    let asked = model.seen().len();
    for line in ["hello", "forget everything"] {
        world.bot(&["-m", line]).exited(3).prints(OVER);
    }
    world.bot(&["memory", "clear", "--yes"]).done();
    world.bot(&["-m", "hello"]).exited(3).prints(OVER);
    world.bot(&["--conversation", "last", "-m", "hello"]).exited(3).prints(OVER);
    world.bot(&["-m", "I want to kill myself"]).done().prints("988");
    assert_eq!(model.seen().len(), asked, "a model was asked");
    let row = &world.admin(&["profile", "list", "--json"]).done().json_rows()[0]["talk"];
    assert_eq!((&row["minutes_a_day"], &row["minutes_left"]), (&json!(30), &json!(0)), "{row}");
    // One that is broken is named with the next step, and not shown as an unused day.
    let before = spent(&world);
    fs::write(world.home().spent(&world.profile()), "{}").expect("it can be written");
    world
        .admin(&["profile", "list"])
        .done()
        .prints("logs/spent is not an account of the day, so nobody is answered: move it away")
        .hides("left today");
    let row = &world.admin(&["profile", "list", "--json"]).done().json_rows()[0]["talk"];
    assert!(row["fault"].is_string() && row["minutes_left"].is_null(), "{row}");
    fs::write(world.home().spent(&world.profile()), before.to_string()).expect("it can be written");
    // The day after has its minutes.
    set(&world, "day", "2020-01-01");
    world.bot(&["-m", "hello"]).done().prints("You said");
}

/// What models read and write counts, as their servers say it; where a server does not, by the length.
#[test]
fn used_up_tokens_end_the_talk() {
    let (world, model) = (World::new(), echo());
    bot_asks(&world, &model.url(), None);
    limit(&world, &world.profile(), "  tokens_a_day: 45\n", "language: de\n");
    // Each answer of this server has 15.
    for _ in 0..2 {
        let told = world.bot(&["-m", "hallo du"]).done();
        assert!(!told.stderr.contains("Neun Zehntel"), "{}", told.report());
    }
    assert_eq!(spent(&world)["tokens"], 30);
    world.bot(&["-m", "hallo du"]).done().says("Neun Zehntel");
    let asked = model.seen().len();
    world.bot(&["-m", "hallo du"]).exited(3).prints("Womit ich heute nachdenken darf");
    world.bot(&["-m", "/tokens"]).done().prints("heute noch 0 von 45 Tokens");
    assert_eq!(model.seen().len(), asked, "a model was asked");
}

/// A reminder that is due in quiet hours is shown when they are over, by the chat and by the notifiers.
#[test]
fn a_reminder_waits_for_the_end_of_the_quiet_hours() {
    let hook = Inbox::start(&[204]);
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    world.ask("remind me in 1 second to stir the soup");
    limit(&world, &world.profile(), &quiet_now(), "");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    std::thread::sleep(Duration::from_secs(3));
    pty.line("hello");
    pty.expect(QUIET, SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
    assert!(!pty.screen.text().contains("stir the soup"), "{}", pty.screen.text());
    // Both profiles have one that no chat told; only of the profile that is not quiet the notifiers tell.
    let due = format!("{}\n", jiff::Timestamp::now().as_second() - 90);
    let anna = "anna".parse().expect("a valid name");
    world.bot(&["--profile", "anna", "-m", "hello"]).done();
    for profile in [&world.profile(), &anna] {
        fs::write(world.home().due(profile), &due).expect("it can be written");
    }
    let url = format!("http://{}/hook", hook.server.host());
    configure(&world, &format!("notifiers:\n  - {{name: hook, kind: webhook, url: \"{url}\"}}\n"));
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    eventually(SOON, "one is told", || (!hook.seen().is_empty()).then_some(()));
    std::thread::sleep(Duration::from_secs(2));
    let told: Vec<String> =
        hook.seen().iter().map(|request| String::from_utf8_lossy(&request.body).into_owned()).collect();
    assert!(told.len() == 1 && told[0].contains("anna") && !told[0].contains("default"), "{told:?}");
    drop(service);
    limit(&world, &world.profile(), "  minutes_a_day: 60\n", "");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect("stir the soup", SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// The note that a skill is ready for review is shown after the quiet hours, and neither in them nor when leaving.
#[test]
fn that_a_skill_is_ready_is_told_after_the_quiet_hours() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    limit(&world, &world.profile(), &quiet_now(), "");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    pty.line("hello");
    pty.expect(QUIET, SOON);
    std::thread::sleep(Duration::from_secs(2));
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
    assert!(!pty.screen.text().contains("is ready"), "{}", pty.screen.text());
    limit(&world, &world.profile(), "  minutes_a_day: 60\n", "");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect("roll-dice is ready", SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// A workflow whose schedule a person approved runs in quiet hours, and its answer is shown after them.
#[test]
fn a_scheduled_run_works_in_quiet_hours_and_is_told_after_them() {
    let world = World::new();
    let folder = world.home().profile(&world.profile()).join("workspace/sops/hello");
    fs::create_dir_all(&folder).expect("a folder");
    let text = "name = \"hello\"\ndescription = \"d\"\n[[steps]]\nid = \"sum\"\nkind = \"agent\"\nprompt = \"what is 12345 + 30000?\"\n";
    world.bot(&["-m", "hello"]).done();
    fs::write(folder.join("SOP.toml"), text).expect("a workflow");
    configure(
        &world,
        "schedules:\n  - {name: noon, profile: default, cron: \"0 7 29 2 *\", zone: UTC, workflow: hello}\n",
    );
    world.admin(&["schedule", "pin", "noon", "--yes"]).done();
    limit(&world, &world.profile(), &quiet_now(), "");
    world.bot(&["sop", "run", "hello"]).exited(3).says(QUIET);
    world.admin(&["schedule", "run", "noon"]).done().prints("42345");
    let told = world.bot(&["-m", "hello"]).exited(3);
    assert!(!told.report().contains("42345"), "{}", told.report());
    limit(&world, &world.profile(), "  minutes_a_day: 60\n", "");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect("42345", SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// What is wrong in the section is named with its key and what is allowed.
#[test]
fn wrong_limits_are_named_with_their_keys() {
    let world = World::new();
    limit(&world, &world.profile(), "  minutes_a_day: 2000\n  quiet_hours: 21-7\n  time_zone: Nowhere\n", "");
    let told = world.bot(&["config", "validate"]).exited(2);
    for fault in [
        "talk.minutes_a_day: must be a whole number from 1 to 1440",
        "talk.quiet_hours: \"21-7\" is not a time; allowed: \"HH:MM-HH:MM\"",
        "talk.time_zone: \"Nowhere\" is not a time zone",
    ] {
        assert!(told.stderr.contains(fault), "{}", told.report());
    }
    world.bot(&["-m", "hello"]).exited(2).says("talk.quiet_hours");
}
