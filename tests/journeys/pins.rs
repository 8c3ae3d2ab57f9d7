//! A person has a lamp switched and a button read: wishes, skills, and the service that has the chip.

use std::path::Path;

use tameclaw_tests::eventually;
use tameclaw_tests::pins::{self, Counter, Pins, WISH};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

/// Where nothing has pins, the chat says what to set up, and the service does not take the chat's word for it.
#[test]
fn a_wish_for_a_pin_is_refused_where_there_is_no_chip() {
    if Path::new("/dev/gpiochip0").exists() {
        return tameclaw_tests::skip("this machine has a GPIO chip");
    }
    let world = World::without_kit();
    for line in [WISH, "learn to read the button on pin 4", "lerne, die Lampe an Pin 17 zu schalten"] {
        let _ = world.bot(&["agent", "-m", line]).prints("docs/guides/pins.md");
    }
    // A lamp without a pin is none of this machine.
    let _ = world
        .bot(&["agent", "-m", "learn to switch the lamp in the kitchen"])
        .prints("not connected to lights");
    assert!(world.list().is_empty(), "nothing is written down");
    let path = world.home().system_profile();
    let profile = std::fs::read_to_string(&path).expect("a home has a profile");
    std::fs::write(&path, profile.replace("- text", "- text\n- gpio")).expect("it can be written");
    world.ask(WISH);
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert!(row["status"] == "rejected" && row.to_string().contains("docs/guides/pins.md"), "{row}");
}

/// The whole way: the wish, the review in a parent's words, and only after the yes a connection. The lamp is on while the conversation
/// lasts, and off once the emergency stop is set; cleared, it can be switched again.
#[test]
fn from_a_wish_to_a_switched_lamp() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let (pins, counter) = (Pins::start(&world), Counter::start());
    pins::name(&world, &counter.socket(), "");
    world.admin(&["run", "--once"]).done();
    assert!(world.ask(WISH).contains("switch-lamp"), "the wish is written down");
    world.admin(&["run", "--once"]).done();
    let id = world.newest()["id"].as_str().expect("it has an id").to_owned();
    let _ = world
        .admin(&["show", &id])
        .prints("switch what is wired to the pins (such as a lamp or a lock)")
        .prints("template pins (line=lamp (pin 17))");
    let _ = world.bot(&["agent", "-m", "turn the lamp on"]);
    assert_eq!(counter.came(), 0, "nobody said yes");
    world.admin(&["approve", &id, "--yes"]).done();
    // Without a service the answer says what to start.
    pins::name(&world, &world.outside().join("none.sock"), "autonomy: full\n");
    let told = world.bot(&["agent", "-m", "turn the lamp on"]).answered();
    assert!(told.stderr.contains("none.sock") && told.stdout.contains("cl-pins serve"), "{}", told.report());
    // Switching is asked about, as everything that is done in the room; `full` takes the review's yes for it.
    pins::name(&world, &pins.socket(), "");
    let _ = world.bot(&["agent", "-m", "turn the lamp on"]).exited(3).prints("may switch pins");
    assert!(!pins.switched("lamp").contains(&true));
    pins::name(&world, &pins.socket(), "autonomy: full\n");
    let _ = world.bot(&["agent", "-m", "turn the lamp on"]).answered().prints("lamp (pin 17) is on.");
    eventually(PATIENCE, "the lamp is off after the conversation", || {
        pins.switched("lamp").ends_with(&[true, false]).then_some(())
    });
    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    chat.line("turn the lamp on");
    chat.expect("lamp (pin 17) is on.", PATIENCE);
    assert!(pins.is_on("lamp"));
    world.bot(&["estop"]).done();
    eventually(PATIENCE, "the lamp is off", || (!pins.is_on("lamp")).then_some(()));
    chat.line("turn the lamp on");
    chat.expect("estop --clear", PATIENCE);
    assert!(!pins.is_on("lamp"));
    world.bot(&["estop", "--clear"]).done();
    chat.line("turn the lamp on");
    chat.expect("lamp (pin 17) is on.", PATIENCE);
    eventually(PATIENCE, "the lamp is on", || pins.is_on("lamp").then_some(()));
    // The stop of the whole home counts as well.
    world.admin(&["estop"]).done();
    eventually(PATIENCE, "the lamp is off", || (!pins.is_on("lamp")).then_some(()));
    world.admin(&["estop", "--clear"]).done();
    world.admin(&["skill", "remove", "switch-lamp-pin-17", "--reason", "it is day"]).done();
    pins::name(&world, &counter.socket(), "");
    let _ = world.bot(&["agent", "-m", "turn the lamp on"]);
    assert_eq!(counter.came(), 0, "the skill is gone");
}

/// A button is read and waited for.
#[test]
fn a_button_is_read_and_waited_for() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let pins = Pins::start(&world);
    pins::name(&world, &pins.socket(), "");
    world.admin(&["run", "--once"]).done();
    world.learn("learn to read the button on pin 4");
    let _ = world.bot(&["agent", "-m", "is the button pressed?"]).answered().prints("button (pin 4) is off.");
    pins.change("button", true);
    let _ = world.bot(&["agent", "-m", "is the button pressed?"]).answered().prints("button (pin 4) is on.");
    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    chat.line("wait for the button");
    std::thread::sleep(std::time::Duration::from_secs(3));
    pins.change("button", false);
    chat.expect("button (pin 4)", PATIENCE);
}
