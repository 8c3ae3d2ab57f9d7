//! Endurance: turns, wishes, decisions and restarts under trouble, for as long as `TAMECLAW_SOAK_SECONDS` says (8 by default).
//!
//! In every round the assistant learns a fact, asked for an earlier one, and calls a learned skill; every few rounds something
//! goes wrong: a killed program, a full disk, half a record at the end of the journal, a model server that goes away. At the end
//! everything that was acknowledged is still there, every chain verifies, and the service holds no more than at the beginning.
//! The samples and a picture of them are written to `target/soak/`.

mod samples;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use tameclaw_tests::disk::Disk;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::run::Background;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

use samples::Samples;

/// The name of the variable that says how long it runs, in seconds.
const SECONDS: &str = "TAMECLAW_SOAK_SECONDS";
/// The number of rounds between two troubles.
const QUIET_ROUNDS: usize = 3;

/// A trouble and its name.
type Trouble = (&'static str, fn(&mut Soak));

/// What is done to the programs in turn.
const TROUBLES: &[Trouble] = &[
    ("the service is killed", Soak::kill_service),
    ("a chat is killed", Soak::kill_chat),
    ("half a record ends the journal", Soak::tear_journal),
    ("the disk is full", Soak::fill_disk),
    ("the model server goes away", Soak::lose_model),
];

struct Soak {
    world: World,
    disk: Option<Disk>,
    service: Option<Background>,
    /// The numbers of the facts that were acknowledged.
    facts: Vec<usize>,
    /// The ids of the proposals that were decided, with the status that was answered.
    decided: Vec<(String, &'static str)>,
    /// The turns that ended well.
    turns: usize,
    round: usize,
}

impl Soak {
    fn new() -> Soak {
        let world = World::empty();
        let disk = Disk::for_home(&world, 256);
        world.admin(&["init"]).done();
        tameclaw_tests::skill::lay_kit(&world);
        let admin = "poll_interval_seconds: 1\nflood: {burst: 10000, per_minute: 10000, profile_burst: 10000, \
                     profile_per_minute: 10000}\nbudgets: {proposals: 1000000}\nschedules:\n  \
                     - {name: tick, profile: default, cron: \"* * * * *\", message: \"what is 2 + 3?\"}\n";
        fs::write(world.home().admin_config(), admin).expect("it can be written");
        world.learn("learn to roll dice");
        let mut soak =
            Soak { world, disk, service: None, facts: vec![], decided: vec![], turns: 0, round: 0 };
        soak.start_service();
        soak
    }

    fn start_service(&mut self) {
        let service = self.world.start(Program::Admin, &["run", "--headless"]);
        service.stderr.expect("serving", PATIENCE);
        self.service = Some(service);
    }

    fn service(&mut self) -> &mut Background {
        let service = self.service.as_mut().expect("the service was started");
        assert!(service.runs(), "the service ended by itself: {}", service.stderr.text());
        service
    }

    /// A turn that must end well; answers what was said.
    fn turn(&mut self, line: &str) -> String {
        let answer = self.world.ask(line);
        self.turns += 1;
        answer
    }

    fn round(&mut self) {
        let number = self.round;
        self.turn(&format!("remember that the code of box {number} is {}", code(number)));
        self.facts.push(number);
        // Any earlier fact; the step is a prime, so that all have their turn.
        let asked = self.facts[(number * 7_919) % self.facts.len()];
        let answer = self.turn(&format!("what is the code of box {asked}?"));
        assert!(answer.contains(&code(asked)), "box {asked} is forgotten: {answer}");
        assert!(self.turn("roll 1d1").contains('1'), "the learned skill answers");
        if number.is_multiple_of(4) {
            self.wish();
        }
        self.round += 1;
    }

    /// A wish that nobody can fulfil without a model, and a person's no.
    fn wish(&mut self) {
        self.turn(&format!("learn to name the moons of planet number {}", self.round));
        let id = tameclaw_tests::eventually(PATIENCE, "the wish is on record", || {
            let waits = |row: &&serde_json::Value| row["status"] != "rejected" && row["status"] != "accepted";
            self.world.list().iter().find(waits).and_then(|row| row["id"].as_str().map(str::to_owned))
        });
        self.world.admin(&["reject", &id, "--reason", "not now"]).done();
        self.decided.push((id, "rejected"));
    }

    fn kill_service(&mut self) {
        self.service().signal(Signal::SIGKILL);
        self.service.take().expect("it was started").ended(PATIENCE);
        self.start_service();
    }

    fn kill_chat(&mut self) {
        let line = format!("remember that the code of the lost box {} is 0", self.round);
        let chat = self.world.start(Program::Bot, &["agent", "-m", &line]);
        std::thread::sleep(Duration::from_millis((self.round as u64 * 13) % 60));
        chat.signal(Signal::SIGKILL);
        chat.ended(PATIENCE);
    }

    fn tear_journal(&mut self) {
        self.service().signal(Signal::SIGTERM);
        self.service.take().expect("it was started").ended(PATIENCE).done();
        let journal = self.world.home().journal();
        let mut file = OpenOptions::new().append(true).open(journal).expect("a journal");
        file.write_all(b"{\"at\":\"2999-").expect("it can be written");
        drop(file);
        self.start_service();
    }

    fn fill_disk(&mut self) {
        let Some(disk) = &self.disk else { return };
        disk.fill();
        self.world.bot(&["agent", "-m", "what is 2 + 3?"]).answered();
        self.world.bot(&["agent", "-m", "remember that the code of the full box is 0"]).answered();
        disk.make_room();
    }

    fn lose_model(&mut self) {
        let path = self.world.home().bot_config();
        let before = fs::read(&path).expect("a configuration");
        let server = ModelServer::start(|_| Reply::text("The model says hello."));
        let local = format!(
            "providers:\n  - {{name: local, kind: openai-compatible, base_url: \"{}\", model: m}}\n  \
             - {{name: companion, kind: embedded}}\n",
            server.url()
        );
        fs::write(&path, local).expect("it can be written");
        let answer = self.turn("tell me something about the sea");
        assert!(answer.contains("The model says hello."), "{answer}");
        drop(server);
        let answer = self.turn("what is 2 + 3?");
        assert!(answer.contains('5'), "the companion answers in its place: {answer}");
        fs::write(&path, before).expect("it can be written");
    }

    /// Everything that was acknowledged is there, and every chain verifies.
    fn nothing_is_lost(&self) {
        let exported = self.world.bot(&["memory", "export"]).done().stdout;
        for number in &self.facts {
            assert!(exported.contains(&code(*number)), "the code of box {number} is lost");
        }
        let rows = self.world.list();
        for (id, status) in &self.decided {
            let row = rows.iter().find(|row| row["id"] == id.as_str());
            assert!(row.is_some_and(|row| row["status"] == *status), "the decision on {id} is lost: {row:?}");
        }
        self.world.bot(&["receipt", "verify"]).done();
        self.world.admin(&["audit", "verify"]).done();
        self.world.admin(&["skill", "verify"]).done();
        durable::verify(&self.world.home().journal()).expect("the journal holds");
    }
}

/// A text that stands in no other line.
fn code(number: usize) -> String {
    format!("zq{}x", number * 37 + 1_000)
}

#[test]
fn nothing_is_lost_and_nothing_grows() {
    if compiler_is_missing() {
        return;
    }
    let said = std::env::var(SECONDS).ok();
    let seconds = said.map_or(8, |text| text.parse().expect("TAMECLAW_SOAK_SECONDS is a whole number"));
    let mut soak = Soak::new();
    let mut samples = Samples::default();
    let start = Instant::now();
    let mut troubles = TROUBLES.iter().cycle();
    // Each trouble at least once, however slow the machine is.
    while start.elapsed() < Duration::from_secs(seconds) || soak.round < QUIET_ROUNDS * TROUBLES.len() {
        let began = Instant::now();
        soak.round();
        let latency = began.elapsed();
        let pid = soak.service().pid();
        samples.take(start.elapsed(), pid, latency, soak.world.home().root());
        if soak.round.is_multiple_of(QUIET_ROUNDS) {
            let (name, trouble) = troubles.next().expect("a cycle has no end");
            eprintln!("soak: round {}: {name}", soak.round);
            trouble(&mut soak);
        }
    }
    soak.nothing_is_lost();
    samples.write(&workspace().join("target/soak"));
    eprintln!(
        "soak: {} turns, {} facts, {} decisions; {}",
        soak.turns,
        soak.facts.len(),
        soak.decided.len(),
        samples.words()
    );
    samples.nothing_grew();
}
