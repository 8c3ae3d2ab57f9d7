//! The door under many at once: streams that are open together, and strangers who ask more than is answered.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::run::Background;

use crate::homes::Place;
use crate::programs::Programs;
use crate::table::{Row, Table};

/// Streams that are open at once.
const STREAMS: usize = 200;
/// The words of each answer.
const WORDS: usize = 20;
/// Requests of strangers in a second, by this many clients, for so long.
const STRANGERS: usize = 1_000;
const CLIENTS: usize = 20;
const LASTS: Duration = Duration::from_secs(10);

/// A door that runs, with a token of its person.
struct Open {
    address: String,
    token: String,
    _running: Background,
}

impl Open {
    fn of(place: &Place<'_>) -> Open {
        let token = place.admin_says(&["door", "add", "bench", "--person"]).trim().to_owned();
        let mut running = Background::start(place.bot(&["serve", "--listen", "127.0.0.1:0"]));
        let address = running.said("it says where it listens", |said| {
            let (_, rest) = said.split_once("listening at http://")?;
            rest.split_once('\n').map(|(line, _)| line.trim().to_owned())
        });
        Open { address, token, _running: running }
    }

    /// The request for a streamed answer.
    fn chat(&self) -> String {
        let body = "{\"message\": \"think\", \"stream\": true}";
        format!(
            "POST /chat HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        )
    }
}

/// Sends a request on a connection of its own; the answer, as far as it came.
fn asked(address: &str, request: &str) -> String {
    let mut answer = Vec::new();
    if let Ok(mut connection) = TcpStream::connect(address)
        && connection.write_all(request.as_bytes()).is_ok()
    {
        let _ = connection.read_to_end(&mut answer);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// The rows of the table.
pub(crate) fn doors(programs: &Programs, table: &mut Table) {
    let words: Vec<String> = (0..WORDS).map(|n| format!("w{n}. ")).collect();
    let told = words.clone();
    let server = ModelServer::start(move |_| Reply::Stream(told.clone(), Duration::from_millis(2)));
    let place = Place::new(programs);
    place.ask_only(&server.url());
    let door = Open::of(&place);
    streams(&door, &words, table);
    strangers(&door, table);
}

/// Streams that are open at once: how long until all ended, and how many lost a word or their last event.
fn streams(door: &Open, words: &[String], table: &mut Table) {
    let begun = Instant::now();
    let open: Vec<JoinHandle<String>> = (0..STREAMS)
        .map(|_| {
            let (address, request) = (door.address.clone(), door.chat());
            spawn(move || asked(&address, &request))
        })
        .collect();
    let answers: Vec<String> = open.into_iter().map(|one| one.join().unwrap_or_default()).collect();
    let took = begun.elapsed();
    let is_whole = |answer: &&String| {
        let ended = answer.matches("event: done").count() == 1 && !answer.contains("event: error");
        ended && words.iter().all(|word| answer.contains(word.trim()))
    };
    let lost = answers.len() - answers.iter().filter(is_whole).count();
    let note = format!("{lost} of {STREAMS} lost an event");
    table.add(
        Row::new("200 streams of the door at once, until all ended", "none loses one")
            .walls(&[took])
            .note(&note),
    );
}

/// A known caller beside strangers: how long each of its requests takes, and what became of theirs.
fn strangers(door: &Open, table: &mut Table) {
    let ends = Instant::now() + LASTS;
    let pause =
        Duration::from_secs(1) * u32::try_from(CLIENTS).unwrap_or(1) / u32::try_from(STRANGERS).unwrap_or(1);
    let request = format!("GET /status HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", door.address);
    let alone: Vec<Duration> = (0..20).map(|_| known(door)).collect();
    let clients: Vec<JoinHandle<(usize, usize)>> = (0..CLIENTS)
        .map(|_| {
            let (address, request) = (door.address.clone(), request.clone());
            spawn(move || {
                let (mut all, mut refused, mut next) = (0, 0, Instant::now());
                while Instant::now() < ends {
                    let answer = asked(&address, &request);
                    all += 1;
                    refused += usize::from(
                        answer.starts_with("HTTP/1.1 429 ") || answer.starts_with("HTTP/1.1 401 "),
                    );
                    next += pause;
                    sleep(next.saturating_duration_since(Instant::now()));
                }
                (all, refused)
            })
        })
        .collect();
    let mut beside = Vec::new();
    while Instant::now() < ends {
        beside.push(known(door));
        sleep(Duration::from_millis(100));
    }
    let sums = clients.into_iter().filter_map(|client| client.join().ok());
    let (all, refused) = sums.fold((0, 0), |(all, refused), (a, r)| (all + a, refused + r));
    let worst = beside.iter().max().copied().unwrap_or_default();
    let note = format!(
        "{} of {} requests a second refused; the slowest {:.1} ms",
        refused as u64 / LASTS.as_secs(),
        all as u64 / LASTS.as_secs(),
        worst.as_secs_f64() * 1000.0
    );
    table.add(
        Row::new("a known caller beside 1,000 strangers a second", "unharmed").walls(&beside).note(&note),
    );
    table.add(Row::baseline("the same without strangers").walls(&alone));
}

/// How long a request of the known caller takes.
fn known(door: &Open) -> Duration {
    let begun = Instant::now();
    let request = format!(
        "GET /status HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
        door.address, door.token
    );
    let answer = asked(&door.address, &request);
    assert!(answer.starts_with("HTTP/1.1 200 "), "a known caller is answered: {answer}");
    begun.elapsed()
}
