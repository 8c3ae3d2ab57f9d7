//! One function per figure, in the order of the table.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;
use tameclaw_tests::calls::caller;
use tameclaw_tests::eventually;
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::run::{Background, run};
use tameclaw_tests::skill;
use tameclaw_tests::world::PATIENCE;

use crate::doors::doors;
use crate::floods::flood;
use crate::homes::{Place, WISHES};
use crate::memory::{idle, peak};
use crate::programs::{Programs, clean};
use crate::reminders::reminders;
use crate::table::{Row, Table};
use crate::time;

/// Runs of what takes milliseconds.
const MANY: usize = 41;
/// Runs of what takes seconds.
const SOME: usize = 21;
/// The conversations of a home in use.
const TALKS: usize = 60;
/// The facts of a home that knows much: a new conversation looks at the newest thousand.
const FACTS: usize = 1_500;
/// Runs of what only waits.
const FEW: usize = 11;
/// A resident bot at its empty prompt, alone and with the process that has the network.
const AT_REST: &str = "< 7 MiB, 0 ticks";
const AT_REST_WITH_NET: &str = "< 9 MiB, 0 ticks";

pub(crate) const PROMPT: &str = "> ";

/// The name of a figure, and what measures it.
type Figure = (&'static str, fn(&Programs, &mut Table));

/// Every figure.
pub(crate) const ALL: [Figure; 14] = [
    ("version", version),
    ("turn", turn),
    ("resting", resting),
    ("door", door),
    ("doors", doors),
    ("skills", with_ten_skills),
    ("disk", on_disk),
    ("proposal", proposal),
    ("flood", flood),
    ("service", service),
    ("reminders", reminders),
    ("replay", replay),
    ("action", action),
    ("pages", pages),
];

fn version(programs: &Programs, table: &mut Table) {
    let ours = || clean(&programs.bot, &["--version"]);
    let rust = || clean(&programs.bare, &[]);
    let nothing = || clean("/bin/true", &[]);
    // One after the other, so that a busy moment falls on all alike.
    let mut spent = [const { Vec::new() }; 3];
    for _ in 0..MANY {
        for (runs, command) in spent.iter_mut().zip([ours(), rust(), nothing()]) {
            runs.push(time::run(command));
        }
    }
    let peaks = |command: &dyn Fn() -> std::process::Command| -> Vec<u64> {
        (0..SOME).map(|_| peak(&command())).collect()
    };
    table.add(Row::new("cl-bot --version", "< 1.5 ms, < 3 MiB").spent(&spent[0]).peaks(&peaks(&ours)));
    table.add(Row::baseline("a Rust program that does nothing").spent(&spent[1]).peaks(&peaks(&rust)));
    table.add(Row::baseline("/bin/true").spent(&spent[2]).peaks(&peaks(&nothing)));
}

fn turn(programs: &Programs, table: &mut Table) {
    let server = ModelServer::start(|_| Reply::text("Hello."));
    let fresh = Place::new(programs);
    fresh.ask_only(&server.url());
    let first = fresh.copy();
    assert!(first.bot_says("hi").contains("Hello."), "the answer of the server is the answer of the bot");
    let requests = server.seen();
    let bare_url = format!("{}/chat/completions", server.url());
    let ours = |place: &Place<'_>| place.bot(&["agent", "-m", "hi"]);
    let bare = || clean(&programs.bare, &[&bare_url]);
    let (mut spent, mut spent_bare) = (Vec::new(), Vec::new());
    for _ in 0..MANY {
        // A new home each time: nobody has said anything in it yet.
        let place = fresh.copy();
        spent.push(time::run(ours(&place)));
        spent_bare.push(time::run(bare()));
    }
    let peaks: Vec<u64> = (0..SOME).map(|_| peak(&ours(&fresh.copy()))).collect();
    let bare_peaks: Vec<u64> = (0..SOME).map(|_| peak(&bare())).collect();
    table.add(Row::new("one turn, first of a home", "< 4 ms, < 9 MiB").spent(&spent).peaks(&peaks));
    // What a person has after some weeks of use: a new conversation looks at the last fifty, and each of these says what it was about.
    let used = fresh.copy();
    for number in 0..TALKS {
        used.bot_says(&format!("what makes the tides of sea number {number} rise?"));
    }
    let again: Vec<_> = (0..MANY).map(|_| time::run(ours(&used))).collect();
    let again_peaks: Vec<u64> = (0..SOME).map(|_| peak(&ours(&used))).collect();
    table.add(Row::new("one turn, home in use", "< 4 ms, < 9 MiB").spent(&again).peaks(&again_peaks));
    let knowing = fresh.copy();
    knowing.remember(FACTS);
    let much: Vec<_> = (0..MANY).map(|_| time::run(ours(&knowing))).collect();
    table.add(Row::new("one turn, 1,500 facts", "< 5 ms more than the first of a home").spent(&much));
    table.add(Row::baseline("a bare tokio + reqwest POST").spent(&spent_bare).peaks(&bare_peaks));
    let body = requests.first().map_or(0, |chat| chat.request.body.len());
    let note = format!("{} request(s) for this turn", requests.len());
    table.add(Row::new("first request for \"hi\"", "< 2 KB").bytes(body as u64).note(&note));
}

fn resting(programs: &Programs, table: &mut Table) {
    let server = ModelServer::start(|_| Reply::text("Hello."));
    let mut runs = |place: &Place<'_>, figure: &str, aim: &str| {
        let held: Vec<_> = (0..FEW).map(|_| idle(place.bot(&["agent"]), Some(PROMPT), "/exit\r")).collect();
        table.add(Row::new(figure, aim).held(&held));
    };
    let fresh = Place::new(programs);
    runs(&fresh, "idle, companion only", AT_REST);
    fresh.ask_only(&server.url());
    runs(&fresh, "idle, with a model server", AT_REST_WITH_NET);
    let held: Vec<_> = (0..FEW).map(|_| idle(clean("/bin/cat", &[]), None, "\x04")).collect();
    table.add(Row::baseline("cat").held(&held));
}

/// What a door adds to a chat at rest, and how long a page of it is waited for while a line is being answered.
fn door(programs: &Programs, table: &mut Table) {
    let server = ModelServer::start(|_| Reply::Hang);
    let place = Place::new(programs);
    place.ask_only(&server.url());
    let serve = || place.bot(&["serve", "--listen", "127.0.0.1:0"]);
    let chat: Vec<_> = (0..FEW).map(|_| idle(place.bot(&["agent"]), Some(PROMPT), "/exit\r")).collect();
    let held: Vec<_> = (0..FEW).map(|_| idle(serve(), Some("listening at"), "\x03")).collect();
    table.add(Row::new("idle, a door with a model server", "0 ticks").held(&held));
    table.add(Row::new("what the door adds to an idle chat", "<= 3 MiB of Pss").beyond(&held, &chat));
    let token = place.admin_says(&["door", "add", "bench", "--person"]);
    let mut running = Background::start(serve());
    let address = running.said("it says where it listens", |said| {
        let (_, rest) = said.split_once("listening at http://")?;
        rest.split_once('\n').map(|(line, _)| line.trim().to_owned())
    });
    let send = |request: &str| {
        let mut connection = TcpStream::connect(&address).expect("the door accepts");
        connection.write_all(request.as_bytes()).expect("a request can be sent");
        connection
    };
    let (token, body) = (token.trim(), "{\"message\": \"think\"}");
    let head = format!("Host: {address}\r\nConnection: close\r\n");
    let _turn = send(&format!(
        "POST /chat HTTP/1.1\r\n{head}Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    eventually(PATIENCE, "the model is asked", || (!server.seen().is_empty()).then_some(()));
    let page = format!("GET / HTTP/1.1\r\n{head}Cookie: tameclaw_door_default={token}\r\n\r\n");
    let first_byte = || {
        let begun = Instant::now();
        let mut connection = send(&page);
        let mut first = [0];
        connection.read_exact(&mut first).expect("a page begins");
        let waited = begun.elapsed();
        let mut rest = String::new();
        connection.read_to_string(&mut rest).expect("a page ends");
        assert!(rest.starts_with("TTP/1.1 200 "), "the page of the chat is shown: {rest}");
        waited
    };
    let walls: Vec<Duration> = (0..MANY).map(|_| first_byte()).collect();
    table.add(Row::new("a page of the door beside a turn, first byte", "< 20 ms").walls(&walls));
}

fn with_ten_skills(programs: &Programs, table: &mut Table) {
    if skill::compiler().is_none() {
        table.add(Row::new("idle, ten skills", AT_REST).note("not measured: no compiler for skills"));
        return;
    }
    let server = ModelServer::start(|_| Reply::text("Hello."));
    let place = Place::new(programs);
    for wish in WISHES {
        place.bot_says(wish);
    }
    place.admin_says(&["run", "--once"]);
    place.approve_all();
    let learned = format!("{} skills", place.learned());
    let mut runs = |figure: &str, aim: &str| {
        let held: Vec<_> = (0..FEW).map(|_| idle(place.bot(&["agent"]), Some(PROMPT), "/exit\r")).collect();
        table.add(Row::new(figure, aim).held(&held).note(&learned));
    };
    runs("idle, ten skills, companion only", AT_REST);
    place.ask_only(&server.url());
    runs("idle, ten skills, with a model server", AT_REST_WITH_NET);
    let spent: Vec<_> = (0..MANY).map(|_| time::run(place.bot(&["agent", "-m", "hi"]))).collect();
    let peaks: Vec<u64> = (0..SOME).map(|_| peak(&place.bot(&["agent", "-m", "hi"]))).collect();
    table.add(Row::new("one turn, with ten skills", "").spent(&spent).peaks(&peaks));
}

fn on_disk(programs: &Programs, table: &mut Table) {
    for (name, path, aim) in [
        ("cl-bot", &programs.bot, "< 8 MB, < 10 MB with SQLite"),
        ("cl-door", &programs.door, ""),
        ("cl-admin", &programs.admin, ""),
        ("cl-review", &programs.review, ""),
    ] {
        let size = fs::metadata(path).map_or(0, |data| data.len());
        table.add(Row::new(&format!("{name} on disk"), aim).bytes(size));
    }
}

fn proposal(programs: &Programs, table: &mut Table) {
    let figure = || Row::new("proposal to human-review", "<= 2 s");
    if skill::compiler().is_none() {
        table.add(figure().note("not measured: no compiler for skills"));
        return;
    }
    let prepared = Place::new(programs);
    // Builds the library that every skill is compiled against; it is kept.
    prepared.propose(WISHES[0]);
    let source = include_str!("../../skill-sdk/examples/dice.rs");
    skill::compile(source);
    let (mut spent, mut nothing, mut compiler) = (Vec::new(), Vec::new(), Vec::new());
    for wish in WISHES[1..].iter().cycle().take(SOME) {
        let place = prepared.copy();
        nothing.push(time::run(place.admin(&["run", "--once"])));
        place.bot_says(wish);
        spent.push(time::run(place.admin(&["run", "--once"])));
        let waiting = place.proposals().iter().filter(|row| row["status"] == "human-review").count();
        assert_eq!(waiting, 2, "`{wish}` should wait for a person");
        compiler.push(time::of(|| drop(skill::compile(source))));
    }
    let slowest = spent.iter().map(|run| run.wall).max().unwrap_or_default();
    table.add(
        figure().spent(&spent).note(&format!("nine templates; slowest run {:.2} s", slowest.as_secs_f64())),
    );
    table.add(Row::baseline("the compiler alone, dice").spent(&compiler));
    table.add(Row::baseline("`run --once` with nothing to do").spent(&nothing));
}

/// The service at rest in a new home.
fn service(programs: &Programs, table: &mut Table) {
    let place = Place::new(programs);
    let held: Vec<_> = (0..FEW).map(|_| idle(place.admin(&["run"]), Some("serving"), "\x03")).collect();
    table.add(Row::new("service at rest", "<= 25 MB, 0 ticks").held(&held));
}

/// A verb that reads a journal of 100,000 records, every link verified.
fn replay(programs: &Programs, table: &mut Table) {
    let place = Place::new(programs);
    let records = place.fill_journal(100_000);
    let ask = || place.admin(&["list", "new"]);
    let spent: Vec<_> = (0..FEW).map(|_| time::run(ask())).collect();
    let peaks: Vec<u64> = (0..FEW).map(|_| peak(&ask())).collect();
    let length = fs::metadata(place.home().journal()).map_or(0, |data| data.len());
    let note = format!("{records} records, {} MB", length / 1_000_000);
    table.add(Row::new("replay of the journal", "<= 1 s").spent(&spent).peaks(&peaks).note(&note));
}

/// A command that runs without a question, from the line that asks for it to the answer: whole turns of one chat, each less
/// the time that the command took itself.
fn action(programs: &Programs, table: &mut Table) {
    let place = Place::new(programs);
    let profile = "default".parse().expect("`default` is a profile name");
    fs::write(place.home().profile_file(&profile), "autonomy: full\ngrants: {commands: [\"true\"]}\n")
        .expect("the profile's file can be written");
    let service = Background::start(place.admin(&["run"]));
    service.stderr.expect("serving", PATIENCE);
    let ran = run(place.bot(&["agent", "--json"]), "run true\n".repeat(MANY).as_bytes(), PATIENCE).done();
    let turns = ran.json_rows();
    assert_eq!(turns.len(), MANY, "each line is a turn\n{}", ran.report());
    let status = place.home().status(&profile);
    let mut own: Vec<(String, u64)> = fs::read_dir(&status)
        .expect("the mirror")
        .flatten()
        .map(|file| fs::read_to_string(file.path()).expect("the mirror of an action"))
        .filter_map(|text| documents::proposal::parse_mirror(&text).ok())
        .filter_map(|document| Some((document.proposal.id.to_string(), document.result?.ms)))
        .collect();
    // Identifiers rise with the time.
    own.sort();
    assert_eq!(own.len(), MANY, "each turn ran a command\n{}", ran.report());
    let beyond: Vec<Duration> = turns
        .iter()
        .zip(&own)
        .map(|(turn, (_, ms))| turn["seconds"].as_f64().unwrap_or(f64::NAN) - *ms as f64 / 1000.0)
        .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default())
        .collect();
    table.add(Row::new("`true` by the shell, a whole turn", "<= 15 ms beyond the command").walls(&beyond));
}

/// One answer of a model that reads three pages, each of which takes its server a second.
fn pages(programs: &Programs, table: &mut Table) {
    let server = Server::start(|_| {
        std::thread::sleep(Duration::from_secs(1));
        Response::Proper { status: 200, kind: "text/plain", body: "a page".into() }
    });
    let host = server.host();
    let urls: Vec<String> = (0..3).map(|n| format!("http://{host}/{n}")).collect();
    let calls = urls.iter().map(|url| ("http_get".to_owned(), json!({"url": url}))).collect();
    let (model, heard) = caller(calls);
    let place = Place::new(programs);
    place.ask_only(&model.url());
    let config = fs::read_to_string(place.home().bot_config()).expect("the configuration was written");
    fs::write(place.home().bot_config(), format!("{config}network: {{local: [\"{host}\"]}}\n"))
        .expect("the configuration can be written");
    let profile = "default".parse().expect("`default` is a profile name");
    fs::write(place.home().profile_file(&profile), format!("grants: {{hosts: [\"{host}\"]}}\n"))
        .expect("the profile's file can be written");
    let line = format!("please go {}", urls.join(" "));
    let mut spent = Vec::new();
    for _ in 0..FEW {
        // A new home each time: where the conversation holds something private, a third typed address waits for the others.
        let fresh = place.copy();
        spent.push(time::run(fresh.bot(&["agent", "-m", &line])));
    }
    let read = heard.lock().expect("no script panics").iter().filter(|told| told.contains("a page")).count();
    table.add(
        Row::new("three pages of 1 s, a whole turn", "<= 1.2 s").spent(&spent).note(&format!("{read} read")),
    );
}
