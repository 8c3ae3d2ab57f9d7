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
/// calendar that a person puts into its folder, in both languages, and refuses a file that is not a calendar.
#[test]
fn a_calendar_file_is_read() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    for (line, offer) in [
        ("what is on my calendar tomorrow?", "Shall I ask to learn to read your calendar?"),
        ("was steht morgen in meinem Kalender?", "deinen Kalender zu lesen?"),
        ("was steht morgen an?", "deinen Kalender zu lesen?"),
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
/// host; the skill lists the feed's titles in both languages, follows it nowhere else, and refuses a page that is not a feed.
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

/// The wish for the weather names the one host of the configured service. The skill asks it for the place of a line, and for that of
/// the wish where a line names none; it asks about no other day, and a service that fails is named.
#[test]
fn the_weather_comes_from_the_configured_service() {
    if compiler_is_missing() {
        return;
    }
    let paths = Arc::new(Mutex::new(Vec::new()));
    let notes = paths.clone();
    let server = Server::start(move |request| {
        notes.lock().expect("no answer panics").push(request.path.clone());
        let body = match request.path.as_str() {
            "/Oslo?format=3" => "Oslo: -3°C\n",
            "/New%20York?format=3" => "New York: +12°C\n",
            _ => return Response::Proper { status: 404, kind: "text/plain", body: "unknown".into() },
        };
        Response::Proper { status: 200, kind: "text/plain", body: body.into() }
    });
    let world = World::new();
    let host = server.host();
    fs::write(
        world.home().bot_config(),
        format!(
            "network: {{local: [\"{host}\"]}}\nservices: [{{topic: weather, host: \"{host}\", \
             url: \"http://{host}/{{place}}?format=3\", words: [weather, wetter]}}]\n"
        ),
    )
    .expect("the configuration can be written");
    world.learn("learn to tell me the weather in New York");
    let has = |line: &str, part: &str| {
        let said = world.ask(line);
        assert!(said.contains(part), "{line}: {said}");
    };
    has("what is the weather in Oslo?", &format!("{host} says: Oslo: -3°C"));
    has("wie ist das Wetter in Oslo?", &format!("{host} sagt: Oslo: -3°C"));
    has("how is the weather?", "New York: +12°C");
    refuses(&world, "what is the weather in Oslo tomorrow?", "I can't ask it about another day");
    assert_eq!(
        *paths.lock().expect("no answer panics"),
        ["/Oslo?format=3", "/Oslo?format=3", "/New%20York?format=3"]
    );
    refuses(&world, "what is the weather in Atlantis?", "the server answered with status 404");
    drop(server);
    refuses(&world, "what is the weather in Oslo?", &format!("I can't get the weather in Oslo from {host}"));
}

/// The wish to take turns names who takes them and asks for no right at all; the first of them has the day of the wish. A wish without
/// names waits and says what it lacks.
#[test]
fn a_family_takes_turns() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    world.learn("learn to tell whose turn it is to do the dishes: Anna, Ben and Carl");
    let today = world.ask("whose turn is it today?");
    let orders =
        ["Anna", "Ben", "Carl"].map(|name| today.starts_with(&format!("Today it is the turn of {name}")));
    // Around midnight of universal time the wish may be of the day before or after.
    assert!(orders.contains(&true), "{today}");
    assert!(today.contains("(do the dishes)"), "{today}");
    let tomorrow = world.ask("wer ist morgen dran?");
    let after = orders.iter().position(|order| *order).map(|at| ["Ben", "Carl", "Anna"][at]);
    assert!(after.is_some_and(|name| tomorrow.starts_with(&format!("Morgen ist {name} dran"))), "{tomorrow}");
}

/// A wish for music or for lights, which no skill can fulfil, names the plugin that it takes, and nothing is proposed; a direct order is
/// answered alike. In both languages.
#[test]
fn a_wish_for_music_or_lights_names_the_plugin_that_it_takes() {
    let world = World::new();
    for (line, part) in [
        ("learn to play music", "it takes a plugin of a music player"),
        ("lerne, Musik zu spielen", "ein Plugin für ein Abspielprogramm"),
        ("learn to switch on the lights", "it takes a plugin of their hub"),
        ("turn on the lights", "it takes a plugin of their hub"),
        ("lerne, das Licht einzuschalten", "ein Plugin für ihre Zentrale"),
        ("schalte das Licht ein", "ein Plugin für ihre Zentrale"),
    ] {
        let said = world.bot(&["agent", "-m", line]).report();
        assert!(said.contains(part), "{line}: {said}");
    }
    assert!(world.list().is_empty(), "nothing is proposed");
}
