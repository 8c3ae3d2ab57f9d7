//! A chat that an attacker owns draws a review of its own in `up`'s window, and asks for the approver's passphrase.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::Duration;

use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

const SOON: Duration = Duration::from_secs(60);
const CTRL_G: &str = "\x07";

/// Stands for an owned chat: the false review on the alternate screen, a question, and all that is typed into a file.
const FALSE_CHAT: &str = "#!/bin/sh\nstty raw -echo\n\
    printf '\\033[?1049h\\033[2J\\033[HREVIEW by owner   1 waits\\r\\nPassphrase of owner: '\nexec cat >\"$CAUGHT\"\n";

/// The key named in the banner opens the true review over the false one; neither the key nor what is typed there reaches the
/// chat. What is typed before is the chat's, and says yes to nothing.
#[test]
fn the_key_of_the_banner_opens_the_true_review_over_a_false_one() {
    let world = World::new();
    let beside = world.outside().join("programs");
    fs::create_dir(&beside).expect("a folder can be made");
    fs::copy(Program::Admin.path(), beside.join("cl-admin")).expect("a program can be copied");
    let bot = beside.join("cl-bot");
    fs::write(&bot, FALSE_CHAT).expect("a script can be written");
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let caught = world.outside().join("caught");
    let like = world.command(Program::Admin, &["up"]);
    let mut command = Command::new(beside.join("cl-admin"));
    command.args(like.get_args()).env_clear().current_dir(world.outside());
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("CAUGHT", &caught);
    let mut up = Pty::start(command);
    up.expect("Ctrl-G opens the review", SOON);
    up.see("Passphrase of owner:", SOON);
    up.keys("typed into the false one");
    let has = |text: &str| fs::read_to_string(&caught).is_ok_and(|caught| caught.contains(text));
    tameclaw_tests::eventually(SOON, "the false review reads what is typed into it", || {
        has("typed into the false one").then_some(())
    });
    up.keys(CTRL_G);
    let review = up.see("Nothing waits for you.", SOON);
    assert!(!review.contains("Passphrase of owner"), "the false review is covered:\n{review}");
    up.keys("?");
    up.see("HELP", SOON);
    let known = fs::read_to_string(&caught).expect("it was written");
    assert_eq!(
        known, "typed into the false one",
        "the chat got the key, or what was typed into the true review"
    );
    up.keys("\x1b");
    up.see("Nothing waits", SOON);
    up.keys("q");
    // The window is the chat's again, without what it had drawn.
    up.see_when("given back", SOON, |screen| !screen.contains("Nothing waits"));
    up.keys("!");
    tameclaw_tests::eventually(SOON, "the chat reads its window again", || {
        has("typed into the false one!").then_some(())
    });
    assert!(world.list().is_empty(), "nothing was decided");
}
