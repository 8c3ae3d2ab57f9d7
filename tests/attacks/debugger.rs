//! An owned process by a debugger's means, in the time before the walls stand.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::unistd::{Gid, Uid, chown, geteuid};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::skip;
use tameclaw_tests::world::{Program, World};

use crate::tiers::{USER, open_way, share};

const SOON: Duration = Duration::from_secs(60);
const PIN: &str = "735104";

/// A command as the bot's own user, who has no power besides.
fn as_user(program: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("setpriv");
    let (user, group) = (format!("--reuid={USER}"), format!("--regid={USER}"));
    command.args([user.as_str(), group.as_str(), "--clear-groups", "--inh-caps=-all", "--"]);
    command.arg(program).args(arguments).env_clear();
    command
}

/// Whether a program of the bot's user can open a file of a process.
fn opens(pid: u32, file: &str) -> bool {
    let line = format!("exec 3< /proc/{pid}/{file}");
    let status = as_user(Path::new("/bin/sh"), &["-c", &line]).stderr(Stdio::null()).status();
    status.expect("a shell runs").success()
}

fn give(path: &Path) {
    chown(path, Some(Uid::from_raw(USER)), Some(Gid::from_raw(USER))).expect("root gives away what it likes");
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("it can be listed").flatten() {
            give(&entry.path());
        }
    }
}

/// While the chat waits for a PIN no wall stands yet: already then no program of the same user reads the key in its environment
/// or its memory, or attaches to it, which asks for the same right.
#[test]
fn nobody_attaches_to_a_chat_that_still_asks_for_its_pin() {
    if !geteuid().is_root() {
        return skip("only root can start programs as another user");
    }
    let world = World::new();
    let pin = world.outside().join("pin");
    fs::write(&pin, PIN).expect("it can be written");
    fs::set_permissions(&pin, fs::Permissions::from_mode(0o600)).expect("a mode");
    let file = pin.display().to_string();
    world.admin(&["profile", "add", "anna", "--audience", "adult", "--pin-file", &file]).done();
    share(&world);
    let home = world.home();
    for folder in [home.data().join("profiles/anna"), home.all_proposals().join("anna")] {
        give(&folder);
    }
    open_way(&world);
    let mut command = as_user(&Program::Bot.path(), &["agent", "--profile", "anna"]);
    command.env("TAMECLAW_HOME", home.root()).env("MODEL_KEY", "a key that nobody reads");
    command.current_dir(world.outside());
    let mut pty = Pty::start(command);
    pty.expect("PIN", SOON);
    let bot = pty.pid();
    // The same attack on a process without our care, so that what is refused below is refused for that reason.
    let mut free = as_user(Path::new("/bin/sleep"), &["60"]).spawn().expect("it starts");
    tameclaw_tests::eventually(SOON, "the free process can be read", || {
        opens(free.id(), "environ").then_some(())
    });
    free.kill().and_then(|()| free.wait()).expect("it ends");
    for file in ["environ", "mem", "maps", "fd/0"] {
        assert!(!opens(bot, file), "/proc/PID/{file} of the chat was opened before its walls stood");
    }
    pty.line(PIN);
    pty.expect(">", SOON);
    for file in ["environ", "mem", "maps", "fd/0"] {
        assert!(!opens(bot, file), "/proc/PID/{file} of the chat was opened");
    }
}
