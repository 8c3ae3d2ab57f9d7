//! The bare `cl-admin`: the service with a prompt beside it.

use std::time::Duration;

use tameclaw_tests::eventually;
use tameclaw_tests::pty::{CTRL_C, CTRL_D, Pty};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

const SOON: Duration = Duration::from_secs(60);
const PROMPT: &str = "cl-admin> ";

fn at_prompt(world: &World) -> Pty {
    let mut pty = Pty::start(world.command(Program::Admin, &[]));
    pty.expect(PROMPT, SOON);
    pty
}

/// Whether a service serves the home.
fn serves(world: &World) -> bool {
    world.admin(&["run", "--once"]).status != 0
}

/// Wish, news above the prompt, a look, a yes, and the end of both.
#[test]
fn a_person_works_at_the_prompt_while_the_service_runs() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let mut pty = at_prompt(&world);
    assert!(serves(&world), "the prompt started no service");
    // A line that is being typed survives what the service says meanwhile.
    pty.keys("lis");
    world.ask("learn to roll dice");
    pty.expect("is ready for a person", PATIENCE);
    pty.line("t");
    pty.expect("human-review", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("show roll-dice --page summary");
    pty.expect("GRANTED", SOON);
    pty.expect(PROMPT, SOON);

    // Neither a cleared line nor an empty answer decides anything.
    pty.keys("approve roll-dice --yes");
    pty.keys(CTRL_C);
    pty.expect(PROMPT, SOON);
    pty.line("");
    pty.expect(PROMPT, SOON);
    pty.line("approve roll-dice");
    pty.expect("Approve? [y/N]", SOON);
    pty.line("");
    pty.expect("not approved", SOON);
    pty.expect(PROMPT, SOON);
    assert_eq!(world.newest()["status"], "human-review");

    for (line, told) in [
        ("frobnicate", "is not one of list show"),
        ("approve", "required"),
        ("show \"dice", "not closed"),
        ("list --home /elsewhere", "for the command line"),
        ("reject roll-dice ?", "a rejection needs a reason"),
        ("help", "Tab completes"),
    ] {
        pty.line(line);
        pty.expect(told, SOON);
        pty.expect(PROMPT, SOON);
    }
    pty.line("reject roll-dice");
    pty.expect("reason, which", SOON);
    pty.line("");
    pty.expect("a rejection needs a reason", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("approve roll-dice");
    pty.expect("Approve? [y/N]", SOON);
    pty.line("y");
    pty.expect("is installed", SOON);
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    pty.expect("the service is stopped", SOON);
    assert_eq!(pty.ended(SOON), 0);
    assert!(!serves(&world), "the service was left behind");
    assert_eq!(world.newest()["status"], "accepted");
}

/// A service that runs already is used and left running; a signal ends the prompt and the service that it started.
#[test]
fn the_prompt_ends_the_service_that_it_started_and_no_other() {
    let world = World::new();
    let service = world.start(Program::Admin, &["run"]);
    assert!(service.stderr.wait_for(&["serving"], SOON).is_some(), "the service does not start");
    let mut pty = at_prompt(&world);
    pty.line("list");
    pty.expect("no proposals", SOON);
    pty.line("quit");
    pty.expect("the service continues", SOON);
    assert_eq!(pty.ended(SOON), 0);
    assert!(serves(&world), "somebody else's service was ended");
    drop(service);

    let mut pty = at_prompt(&world);
    assert!(serves(&world));
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(i32::try_from(pty.pid()).expect("an id")),
        nix::sys::signal::Signal::SIGTERM,
    )
    .expect("it runs");
    pty.expect("the service is stopped", SOON);
    pty.ended(SOON);
    assert!(!serves(&world), "the service was left behind");
}

/// Without a terminal there is no prompt: the service runs until it is stopped, regardless of stdin.
#[test]
fn without_a_terminal_the_bare_program_is_the_service() {
    let world = World::new();
    let service = world.start(Program::Admin, &[]);
    assert!(service.stderr.wait_for(&["serving"], SOON).is_some(), "the service does not start");
    assert!(serves(&world));
    drop(service);
    World::empty().admin(&[]).exited(1).says("init");
}

/// In a window that did not start the service, `q` says that the service continues, and it does.
#[test]
fn q_says_the_truth_in_a_second_window() {
    let world = World::new();
    let _service = world.start(Program::Admin, &["run"]);
    let socket = world.home().admin().join("service.sock");
    eventually(PATIENCE, "the service listens", || socket.exists().then_some(()));
    let mut pty = Pty::start(world.command(Program::Admin, &["up"]));
    pty.expect("/help shows", PATIENCE);
    pty.line("/exit");
    pty.expect("[q] leave; the service continues", PATIENCE);
    pty.keys("q");
    assert_eq!(pty.ended(PATIENCE), 0, "{}", pty.screen.tail());
    assert!(serves(&world));
}
