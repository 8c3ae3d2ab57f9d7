//! Wishes of a household that the service's own library fulfils: from the wish to an answer in the chat.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

/// Insists that a line is answered by a failure that holds a text.
#[track_caller]
fn refuses(world: &World, line: &str, part: &str) {
    let ran = world.bot(&["agent", "-m", line]).exited(1);
    assert!(ran.report().contains(part), "{line}: {part}\n{}", ran.report());
}

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Dentist\r\n\
    DTSTART;VALUE=DATE:20300131\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Choir\r\nDTSTART:20200101T190000\r\n\
    RRULE:FREQ=DAILY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

/// The folder of a learned skill in the workspace.
fn folder_of(world: &World, name: &str) -> PathBuf {
    world.home().profile(&world.profile()).join("workspace").join(name)
}

/// A chat without such a skill offers to learn it, and the wish asks to read files and nothing else. The skill then reads the
/// calendar that a person puts into its folder, in both languages, and refuses what is no calendar.
#[test]
fn a_calendar_file_is_read() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    for (line, offer) in [
        ("what is on my calendar tomorrow?", "Shall I ask to learn to read my calendar?"),
        ("was steht morgen in meinem Kalender?", "meinen Kalender zu lesen?"),
        ("was steht morgen an?", "meinen Kalender zu lesen?"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(offer), "{line}: {said}");
    }
    world.learn("learn to read my calendar");
    let has = |line: &str, part: &str| {
        let said = world.ask(line);
        assert!(said.contains(part), "{line}: {said}");
    };
    has(
        "what is on my calendar tomorrow?",
        "put calendar.ics into the folder read-calendar of the workspace",
    );
    let file = folder_of(&world, "read-calendar").join("calendar.ics");
    fs::write(&file, CALENDAR).expect("the file can be written");
    has("what is on tomorrow?", "19:00: Choir");
    has(
        "what is on my calendar on 2030-01-31?",
        "On Thursday, 2030-01-31:\n- all day: Dentist\n- 19:00: Choir",
    );
    has("was steht morgen an?", "19:00: Choir");
    has("was steht am 31.1.2030 an?", "Am Donnerstag, 31.1.2030:\n- ganztägig: Dentist\n- 19:00: Choir");
    fs::write(&file, "dear diary").expect("the file can be written");
    refuses(&world, "what is on tomorrow?", "is not a calendar file");
    fs::write(&file, vec![b'x'; 5 << 20]).expect("the file can be written");
    refuses(&world, "what is on tomorrow?", "the file has more than 131072 bytes");
    fs::remove_file(&file).expect("the file can be removed");
    let beyond = world.outside().join("other.ics");
    fs::write(&beyond, CALENDAR).expect("the file can be written");
    std::os::unix::fs::symlink(&beyond, &file).expect("a link can be made");
    has("what is on tomorrow?", "There is no calendar file yet");
}

const FEED: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Village Herald</title>\
    <item><title>Tom &amp; Anna open a bakery</title></item><item><title>The bridge is closed</title></item></channel></rss>";

/// A wish for news that names no feed is answered with an example and writes nothing. With an address the proposal names that one
/// host; the skill lists the feed's titles in both languages, follows it nowhere else, and refuses what is no feed.
#[test]
fn the_titles_of_a_feed_are_read() {
    if compiler_is_missing() {
        return;
    }
    let xml = |body: &str| Response::Proper { status: 200, kind: "text/xml", body: body.into() };
    let asked = Arc::new(AtomicBool::new(false));
    let notes = asked.clone();
    let other = Server::start(move |_| {
        notes.store(true, Ordering::SeqCst);
        xml(FEED)
    });
    let answer = Arc::new(Mutex::new(xml(FEED)));
    let served = answer.clone();
    let server = Server::start(move |_| served.lock().expect("no answer panics").clone());
    let serve = |response: Response| *answer.lock().expect("no answer panics") = response;
    let world = World::new();
    fs::write(
        world.home().bot_config(),
        format!("network: {{local: [\"{}\", \"{}\"]}}\n", server.host(), other.host()),
    )
    .expect("the configuration can be written");
    let written = || fs::read_dir(world.home().proposals(&world.profile())).expect("the folder").count();
    for (line, part) in [
        ("what's in the news?", "learn to read the news from https://example.org/feed.xml"),
        (
            "was gibt es in den Nachrichten?",
            "lerne, die Nachrichten von https://example.org/feed.xml zu lesen",
        ),
        (
            "learn to read the news",
            "Name one, such as: learn to read the news from https://example.org/feed.xml",
        ),
        ("lerne, die Nachrichten zu lesen", "Nenn eine, zum Beispiel: lerne, die Nachrichten von"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(part), "{line}: {said}");
    }
    assert_eq!(written(), 0);
    world.learn(&format!("learn to read the news from http://{}/feed.xml", server.host()));
    let has = |line: &str, part: &str| {
        let said = world.ask(line);
        assert!(said.contains(part), "{line}: {said}");
    };
    let titles = "Village Herald:\n- Tom & Anna open a bakery\n- The bridge is closed";
    has("what's in the news?", &format!("The newest titles of {titles}"));
    has("was gibt es in den Nachrichten?", &format!("Die neuesten Titel von {titles}"));
    serve(xml("<!doctype html><html><title>Sold</title></html>"));
    refuses(&world, "what's in the news?", "is not a feed");
    serve(xml(&"x".repeat(5 << 20)));
    refuses(&world, "what's in the news?", "I can't get");
    let moved =
        format!("HTTP/1.1 302 Found\r\nLocation: http://{}/\r\nContent-Length: 0\r\n\r\n", other.host());
    serve(Response::Bytes(moved.into_bytes()));
    refuses(&world, "what's in the news?", "I can't get");
    assert!(!asked.load(Ordering::SeqCst), "the skill's one host leads to no other");
}
