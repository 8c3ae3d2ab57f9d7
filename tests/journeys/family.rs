//! A day of a family, and what each person hears: three profiles, school, a quiet time that begins in an open chat, a time that comes
//! while the service is away, kills, and a clock that jumps. The whole stands in `tests/snapshots/family.txt`, for people to read.

use std::fs;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::Value;
use shared_types::id::ProfileId;
use tameclaw_tests::digest::{has_passphrase, told, until};
use tameclaw_tests::eventually;
use tameclaw_tests::limits::limit;
use tameclaw_tests::pty::{CTRL_D, Pty};
use tameclaw_tests::world::{Program, World};

use crate::notifiers::{Inbox, configure};
use crate::reminders::kill_it;
use crate::ten_minutes::Minutes;

const SOON: Duration = Duration::from_secs(100);
const EVERYBODY: [&str; 3] = ["anna", "ben", "default"];
/// What a chat begins its own words with, when it speaks first.
const FIRST: [&str; 6] = [
    "(reminder: ",
    "(Erinnerung: ",
    "(while you were away, ",
    "(während du weg warst, ",
    "(the schedule `",
    "(der Zeitplan „",
];
/// What each person hears: each text once, and nobody else. A bare number would be found in a time of day too.
const TEXTS: [(&str, &str); 12] = [
    ("the time is up", "anna"),
    ("pack the recorder", "anna"),
    ("call Omar", "anna"),
    ("put the bins out", "anna"),
    ("das Fahrrad", "ben"),
    ("die Blockflöte", "ben"),
    ("den Turnbeutel", "ben"),
    ("7 × 8 = 56", "ben"),
    ("take the bread out", "default"),
    ("pay the school trip", "default"),
    ("6 × 7 = 42", "default"),
    ("tell Anna's teacher", "default"),
];

fn id(name: &str) -> ProfileId {
    name.parse().expect("a name")
}

/// What a family types and hears.
struct Day<'a> {
    world: &'a World,
    seen: Minutes<'a>,
    /// What happens now, and its lines so far.
    now: (&'static str, String),
    /// Who heard what.
    heard: Vec<(&'static str, String)>,
}

impl Day<'_> {
    fn begins(&mut self, what: &'static str) {
        let (before, lines) = std::mem::replace(&mut self.now, (what, String::new()));
        if !lines.is_empty() {
            self.seen.shows(before, &lines);
        }
    }

    fn notes(&mut self, line: &str) {
        self.now.1.push_str(line);
        self.now.1.push('\n');
    }

    /// A line of a person, without an open chat.
    #[track_caller]
    fn says(&mut self, who: &str, line: &str, answer: &str) {
        let said = self.world.bot(&["--profile", who, "-m", line]).report();
        assert!(said.contains(answer), "{who}: {line}: {said}");
        self.notes(&format!("{who} types: {line}"));
    }

    fn chat(&self, who: &str) -> Pty {
        let command = self.world.command(Program::Bot, &["--profile", who, "agent"]);
        // Wide, so that no sentence is wrapped.
        let mut pty = Pty::start_of(command, 24, 300);
        pty.expect("> ", SOON);
        pty
    }

    /// A line of a person in an open chat.
    #[track_caller]
    fn types(&mut self, who: &str, pty: &mut Pty, line: &str, answer: &str) {
        pty.line(line);
        pty.expect(answer, SOON);
        pty.expect("> ", SOON);
        let words = line.split(' ').map(|word| if word.parse::<u64>().is_ok() { "N" } else { word });
        self.notes(&format!("{who} types: {}", words.collect::<Vec<_>>().join(" ")));
    }

    /// A chat is over: what it told its person of its own accord, sorted, since the day of the week decides which is due first.
    fn over(&mut self, who: &'static str, pty: &Pty) -> usize {
        let text = pty.screen.to_end();
        let first = |text: &str| FIRST.iter().filter_map(|mark| text.find(mark)).min();
        let (mut rest, mut sentences) = (text.as_str(), vec![]);
        while let Some(at) = first(rest) {
            let (one, more) = rest[at + 1..].split_once(")\n").unwrap_or((&rest[at + 1..], ""));
            sentences.push(one.split_whitespace().collect::<Vec<_>>().join(" "));
            rest = more;
        }
        sentences.sort_by_key(|sentence| without_time(sentence));
        if sentences.is_empty() {
            self.notes(&format!("{who} hears nothing"));
        }
        let count = sentences.len();
        for sentence in sentences {
            self.notes(&format!("{who} hears: {}", without_time(&sentence)));
            self.heard.push((who, sentence));
        }
        count
    }

    fn leaves(&mut self, who: &'static str, mut pty: Pty) -> usize {
        pty.keys(CTRL_D);
        assert_eq!(pty.ended(SOON), 0, "{who}: {}", pty.screen.tail());
        self.over(who, &pty)
    }

    fn is_killed(&mut self, who: &'static str, mut pty: Pty) -> usize {
        kill_it(&mut pty);
        self.over(who, &pty)
    }

    /// A chat that is opened and left again.
    fn looks_in(&mut self, who: &'static str) -> usize {
        let pty = self.chat(who);
        std::thread::sleep(Duration::from_secs(1));
        self.leaves(who, pty)
    }
}

/// A sentence without its moment.
fn without_time(sentence: &str) -> String {
    match (sentence.split_once(", "), sentence.rsplit_once(": ")) {
        (Some((what, _)), Some((_, text))) => format!("{what}, WHEN: {text}"),
        _ => sentence.to_owned(),
    }
}

/// Quiet hours between these minutes from now, as lines below `talk`.
fn quiet(hours: &[(i64, i64)]) -> String {
    let now = Timestamp::now();
    let at = |minutes: i64| (now + minutes.minutes()).to_zoned(TimeZone::UTC).strftime("%H:%M").to_string();
    let hours: Vec<String> =
        hours.iter().map(|(from, until)| format!("\"{}-{}\"", at(*from), at(*until))).collect();
    format!("  quiet_hours: [{}]\n  time_zone: UTC\n", hours.join(", "))
}

/// A minute that begins at least a hundred seconds from now: as an expression of times, and its beginning.
fn minute() -> (String, Timestamp) {
    let at = Timestamp::now() + 160.seconds();
    let at = Timestamp::from_second(at.as_second() / 60 * 60).expect("a moment");
    let utc = at.to_zoned(TimeZone::UTC);
    (format!("{} {} {} {} *", utc.minute(), utc.hour(), utc.day(), utc.month()), at)
}

/// For a profile's reminders the clock jumps ahead by so many days, or back.
fn jumps(world: &World, who: &str, days: i64) {
    let path = world.home().profile(&id(who)).join("memory/reminders.jsonl");
    let text = fs::read_to_string(&path).expect("they are kept");
    let mut moments = String::new();
    let moved = text.lines().map(|line| {
        let mut one: Value = serde_json::from_str(line).expect("a reminder");
        let due = one["due"].as_i64().expect("a moment") - days * 24 * 60 * 60;
        one["due"] = due.into();
        moments.push_str(&format!("{due}\n"));
        format!("{one}\n")
    });
    fs::write(&path, moved.collect::<String>()).expect("it can be written");
    fs::write(world.home().due(&id(who)), moments).expect("it can be written");
}

/// Each person hears their own reminders and answers, once, and nothing of another's; children hear none in quiet hours; the
/// notifiers say that something is due and no word of it.
#[test]
fn in_a_day_of_a_family_each_person_hears_their_own_once_and_never_in_quiet_hours() {
    let (hook, ntfy) = (Inbox::start(&[204]), Inbox::start(&[200]));
    let world = World::new();
    has_passphrase(&world);
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    world.admin(&["profile", "add", "ben", "--audience", "child", "--language", "de"]).done();
    let (anna, ben) = ("audience: child\n", "audience: child\nlanguage: de\n");
    let (cron, time) = minute();
    let schedule = |name: &str, who: &str, message: &str| {
        format!("  - {{name: {name}, profile: {who}, cron: \"{cron}\", zone: UTC, message: \"{message}\"}}\n")
    };
    configure(
        &world,
        &format!(
            "digest_minutes: 0\nschedules:\n{}{}notifiers:\n  - {{name: hook, kind: webhook, url: \"http://{}/hook\"}}\n  \
             - {{name: phone, kind: ntfy, url: \"http://{}/family\"}}\n",
            schedule("shopping", "default", "what is 6 * 7?"),
            schedule("homework", "ben", "was ist 7 * 8?"),
            hook.server.host(),
            ntfy.server.host(),
        ),
    );
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    let seen = Minutes::of(&world);
    let mut day = Day { world: &world, seen, now: ("breakfast", String::new()), heard: vec![] };
    day.says("anna", "remind me tomorrow at 4pm to call Omar", "at 16:00: call Omar");
    day.says("anna", "every Monday remind me to put the bins out", "every Monday at 09:00");
    day.says("ben", "erinnere mich morgen um 16 Uhr an die Blockflöte", "um 16:00: die Blockflöte");
    day.says("ben", "erinnere mich jeden Montag an den Turnbeutel", "jeden Montag um 09:00");
    day.says("ben", "merk dir, dass Omar in der Ulmenstraße wohnt", "");
    day.says("default", "remind me tomorrow at 5pm to pay the school trip", "at 17:00");
    day.says("default", "remind me tomorrow at 5pm to pay the school trip", "is set already");
    day.says("default", "remind me in 2 seconds to take the bread out", "I will remind you");

    day.begins("a timer, and a chat that is killed");
    let mut pty = day.chat("anna");
    day.types("anna", &mut pty, "set a timer for 2 seconds", "I will remind you");
    pty.expect("reminder: the time is up", SOON);
    day.types("anna", &mut pty, "remind me in 5 seconds to pack the recorder", "I will remind you");
    assert_eq!(day.is_killed("anna", pty), 1);

    day.begins("school: Anna's quiet hours hold, and Ben's begin in his open chat");
    limit(&world, &id("anna"), &quiet(&[(-60, 60), (600, 660)]), anna);
    let begins = time.to_zoned(TimeZone::UTC).strftime("%H:%M").to_string();
    let ends = (time + 120.minutes()).to_zoned(TimeZone::UTC).strftime("%H:%M").to_string();
    let hours = format!("  quiet_hours: \"{begins}-{ends}\"\n  time_zone: UTC\n");
    limit(&world, &id("ben"), &hours, ben);
    let mut bens = day.chat("ben");
    let left = time.duration_since(Timestamp::now()).as_secs() + 4;
    let line = format!("erinnere mich in {left} Sekunden an das Fahrrad");
    day.types("ben", &mut bens, &line, "Ich erinnere dich");
    day.says("anna", "tell me a joke", "It is quiet time now");
    day.says("anna", "I want to kill myself", "988");
    assert_eq!(day.looks_in("anna"), 0);
    service.signal(nix::sys::signal::Signal::SIGKILL);
    service.ended(SOON);
    assert!(Timestamp::now() < time, "this machine is too slow for the test");
    until(time + 6.seconds());
    assert_eq!(day.leaves("ben", bens), 0);

    day.begins("the service comes back after a scheduled time");
    let service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "the runs are over", || (told(&world, "ended").len() == 2).then_some(()));
    let titles = || -> Vec<String> {
        let seen = ntfy.seen();
        seen.iter().filter_map(|request| request.header("title")).map(str::to_owned).collect()
    };
    let is_told = |what: &str| titles().iter().any(|title| title.contains(what));
    eventually(SOON, "the parent's reminder is told", || {
        is_told("a reminder is due (default)").then_some(())
    });
    eventually(SOON, "the runs are told", || {
        (is_told("run ended (default)") && is_told("run ended (ben)")).then_some(())
    });
    // Two more looks of the notifiers: the children's reminders are due, and their hours are quiet.
    std::thread::sleep(Duration::from_secs(61));
    assert_eq!(day.looks_in("ben"), 0);
    let mut pty = day.chat("default");
    pty.expect("6 × 7 = 42", SOON);
    day.types("default", &mut pty, "remind me in 2 seconds to tell Anna's teacher", "I will remind you");
    pty.expect("reminder: tell Anna's teacher", SOON);
    assert_eq!(day.is_killed("default", pty), 3);
    assert_eq!(day.looks_in("default"), 0);
    drop(service);

    day.begins("home again");
    limit(&world, &id("anna"), &quiet(&[(-180, -120), (600, 660)]), anna);
    limit(&world, &id("ben"), &quiet(&[(-180, -120), (600, 660)]), ben);
    assert_eq!(day.looks_in("anna"), 1);
    assert_eq!(day.looks_in("ben"), 2);

    day.begins("the clock jumps ahead by eight days");
    for (who, count) in [("anna", 2), ("ben", 2), ("default", 1)] {
        jumps(&world, who, 8);
        assert_eq!(day.looks_in(who), count, "{who}");
    }

    day.begins("and back by two");
    for who in EVERYBODY {
        jumps(&world, who, -2);
        assert_eq!(day.looks_in(who), 0, "{who}");
    }
    let weekly = |who: &str| world.bot(&["--profile", who, "-m", "what reminders do I have?"]).done().stdout;
    assert!(weekly("anna").contains("every Monday at 09:00: put the bins out"), "{}", weekly("anna"));
    assert!(!world.ask("where does Omar live?").contains("Ulmen"), "a fact of another profile");

    for (text, who) in TEXTS {
        let heard: Vec<&str> =
            day.heard.iter().filter(|(_, said)| said.contains(text)).map(|(by, _)| *by).collect();
        assert_eq!(heard, [who], "{text}");
    }
    assert_eq!(day.heard.len(), TEXTS.len(), "{:?}", day.heard);

    day.begins("the notifiers");
    let mut notices: Vec<String> = vec![];
    for request in hook.seen() {
        let body: Value = serde_json::from_slice(&request.body).expect("it is JSON");
        let of = |notice: &Value, key: &str| notice[key].as_str().unwrap_or_default().to_owned();
        let listed = body["proposals"].as_array().expect("a list");
        notices.extend(
            listed.iter().map(|notice| format!("{} of {}", of(notice, "kind"), of(notice, "profile"))),
        );
    }
    notices.sort();
    assert_eq!(notices, ["reminder of default", "schedule of ben", "schedule of default"]);
    notices.iter().for_each(|notice| day.notes(&format!("they say: {notice}")));
    let bodies = [hook.seen(), ntfy.seen()].concat();
    let bodies = bodies.iter().map(|request| String::from_utf8_lossy(&request.body).into_owned());
    for text in bodies.chain(titles()) {
        for word in
            ["recorder", "Omar", "bins", "Fahrrad", "flöte", "Turn", "bread", "trip", "teacher", "kill"]
        {
            assert!(!text.contains(word), "`{word}`: {text}");
        }
    }
    day.begins("the end");
    day.seen.are("family.txt");
}
