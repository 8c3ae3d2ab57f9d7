//! A command that the assistant wants run: judged here, run elsewhere, reported to the one who asked.
//!
//! The admin service is a stand-in that answers what a test says; what really runs is the business of `actions.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use shared_types::action::ActionResult;
use shared_types::proposal::{Document, HistoryEntry};
use shared_types::status::{Status, Wait};
use tameclaw_tests::eventually;
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

const SOON: Duration = Duration::from_secs(60);

/// Answers every new action by a document with another status; it ends with the value.
struct StandIn {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl StandIn {
    fn start(world: &World, answer: impl Fn(&mut Document) + Send + 'static) -> StandIn {
        let over = Arc::new(AtomicBool::new(false));
        let (home, profile, ended) = (world.home(), world.profile(), over.clone());
        let thread = std::thread::spawn(move || {
            let (proposals, status) = (home.proposals(&profile), home.status(&profile));
            let mut known = BTreeSet::new();
            while !ended.load(Ordering::Relaxed) {
                for entry in fs::read_dir(&proposals).expect("the proposals").flatten() {
                    let name = entry.file_name().into_string().expect("names are text");
                    if name.starts_with('.') || !name.ends_with(".yaml") || !known.insert(name.clone()) {
                        continue;
                    }
                    let text = fs::read_to_string(entry.path()).expect("a whole file");
                    let mut document =
                        documents::proposal::parse_wish(&text).expect("a wish that the admin takes");
                    answer(&mut document);
                    let moved = HistoryEntry {
                        timestamp: "2026-02-07T14:30:00Z".to_owned(),
                        status: document.status,
                        actor: "policy".to_owned(),
                        reason: None,
                    };
                    document.history.push(moved);
                    let text = documents::yaml::to_string(&document).expect("a document");
                    let hidden = status.join(format!(".{name}"));
                    fs::write(&hidden, text).expect("the mirror");
                    fs::rename(hidden, status.join(name)).expect("the mirror");
                }
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        StandIn { over, thread: Some(thread) }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || ended.is_none_or(|ended| ended.is_ok()), "the stand-in failed");
    }
}

fn world() -> World {
    let world = World::new();
    fs::write(world.home().profile_file(&world.profile()), "grants: {commands: [ls, sleep]}\n")
        .expect("the profile's file");
    world
}

/// What a person types reaches the command, and exit code and output come back; the list of proposals tells it later.
#[test]
fn a_command_is_run_by_the_admin_service_and_its_output_is_shown() {
    let world = world();
    let _admin = StandIn::start(&world, |document| {
        document.status = Status::Accepted;
        let stdout = "notes.txt\n".to_owned();
        document.result = Some(ActionResult { exit: Some(0), stdout, ms: 3, ..ActionResult::default() });
    });
    world.bot(&["agent", "-m", "run ls -l"]).done().prints("exit 0").prints("notes.txt");
    world.bot(&["agent", "-m", "führe ls notes aus"]).done().prints("notes.txt");
    let listed = world.bot(&["proposal", "list"]).done().prints("ran: exit 0: ls -l").stdout;
    let id = listed.split_whitespace().next().expect("an id").to_owned();
    world.bot(&["proposal", "show", &id]).done().prints("stdout:").prints("notes.txt");
}

/// What is high or blocked is refused at once: nothing is even asked for.
#[test]
fn a_command_that_no_grant_names_is_refused_in_the_bot() {
    let world = world();
    for (line, rule) in [("run cat secret", "[not-listed]"), ("run rm -rf notes", "[forbidden-command]")] {
        world.bot(&["agent", "-m", line]).prints(rule);
    }
    let asked = fs::read_dir(world.home().proposals(&world.profile())).expect("the folder").count();
    assert_eq!(asked, 0, "no proposal was written");
}

/// Nobody is there to run it: the wait ends with the next step.
#[test]
fn without_an_admin_service_one_is_told_how_to_start_it() {
    let world = world();
    fs::write(world.home().bot_config(), "limits: {action_wait_seconds: 1}\n").expect("the configuration");
    world.bot(&["agent", "-m", "run ls"]).prints("cl-admin run").prints("withdrawn");
}

/// At a terminal one sees for whom one waits, and Ctrl-C withdraws; the chat continues.
#[test]
fn whoever_waits_for_a_person_may_withdraw_with_ctrl_c() {
    let world = world();
    let _admin = StandIn::start(&world, |document| {
        document.status = Status::HumanReview;
        document.waits_for = Some(Wait::Person);
    });
    let mut pty = Pty::start(world.command(Program::Bot, &[]));
    pty.expect("> ", SOON);
    pty.line("run ls");
    pty.expect("waits for a person", SOON);
    pty.keys("\u{3}");
    eventually(SOON, "the action is withdrawn", || {
        let files = fs::read_dir(world.home().proposals(&world.profile())).ok()?;
        files.flatten().find(|file| file.file_name().to_string_lossy().ends_with(".withdrawn")).map(|_| ())
    });
    pty.expect("> ", SOON);
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0);
}

/// A workflow is started by a verb, and a command keeps every byte that was typed.
#[test]
fn a_workflow_is_named_with_its_verb_and_a_command_keeps_its_last_mark() {
    let world = World::without_kit();
    let asked = |line: &str| world.bot(&["agent", "-m", line]).exited(3);
    asked("run the morning workflow").prints("cl-bot sop run morning");
    asked("run echo hello.").prints("`echo hello.`");
}
