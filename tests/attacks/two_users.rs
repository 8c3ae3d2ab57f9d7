//! Two users as a matter of course: what `init --bot-user` sets, what every start refuses, and the message that another user gets.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::unistd::geteuid;
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::skip;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::tiers::{USER, as_user, open_way};

/// The service's user, where that is not root; no list of the system need know it.
pub(crate) const SERVICE: u32 = 3_042_043;
/// Somebody else.
const OTHER: u32 = 3_042_044;
/// A group that Debian lists with a member who is not root: `daemon`.
const DAEMON: u32 = 1;

pub(crate) fn is_root() -> bool {
    let root = geteuid().is_root();
    if !root {
        skip("only root can start programs as two users");
    }
    root
}

/// A home of root's whose bot is [`USER`].
fn two_users() -> World {
    let world = World::new();
    world.admin(&["init", "--bot-user", &USER.to_string()]).done();
    open_way(&world);
    world
}

/// A program as a user of its own, with these further groups.
pub(crate) fn by(world: &World, user: u32, groups: &str, program: Program, arguments: &[&str]) -> Command {
    let like = world.command(program, arguments);
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={user}"), format!("--regid={user}"), "--inh-caps=-all".to_owned()]);
    command.arg(if groups.is_empty() { "--clear-groups".to_owned() } else { format!("--groups={groups}") });
    command.arg("--").arg(like.get_program()).args(like.get_args()).current_dir(world.outside());
    command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

pub(crate) fn owner(path: &Path) -> (u32, u32, u32) {
    let facts = fs::symlink_metadata(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    (facts.uid(), facts.gid(), facts.mode() & 0o7777)
}

/// Every file and folder below, itself included.
pub(crate) fn all(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    if folder.is_dir() {
        for entry in fs::read_dir(folder).expect("it can be listed").flatten() {
            found.extend(all(&entry.path()));
        }
    }
    found
}

#[track_caller]
pub(crate) fn doctor_is_content(ran: &Ran) {
    let files: Vec<_> = ran.json_rows().into_iter().filter(|row| row["what"] == "files").collect();
    assert!(files.iter().all(|row| row["health"] == "pass"), "{files:?}\n{}", ran.report());
}

/// One command gives each folder its owner, its group and its set-group bit; done again it changes nothing.
#[test]
fn one_command_sets_every_folder_and_doctor_agrees() {
    if !is_root() {
        return;
    }
    let world = two_users();
    let home = world.home();
    for part in [home.config(), home.skills(), home.root().join("status"), home.root().join("runs")] {
        for path in all(&part) {
            let (uid, gid, mode) = owner(&path);
            let wanted = if path.is_dir() { 0o2750 } else { 0o640 };
            assert_eq!((uid, gid, mode), (0, USER, wanted), "{}", path.display());
        }
    }
    for path in all(home.data()) {
        let of_the_bot = path.components().count() > home.data().components().count() + 1
            || path == home.credentials()
            || path == home.net();
        assert_eq!(owner(&path).0, if of_the_bot { USER } else { 0 }, "{}", path.display());
    }
    assert_eq!(owner(&home.profile(&world.profile())).2 & 0o077, 0, "a profile is its user's alone");
    for path in [home.admin(), home.keys()] {
        let (uid, _, mode) = owner(&path);
        assert_eq!((uid, mode & 0o077), (0, 0), "{}", path.display());
    }
    doctor_is_content(&world.admin(&["doctor", "--json"]));
    world.admin(&["init", "--bot-user", &USER.to_string()]).done().prints("are as they should be");
    world.admin(&["init"]).done().prints("are as they should be");
    // A folder that lost its bit is named with the one command that mends it.
    fs::set_permissions(home.root().join("status"), fs::Permissions::from_mode(0o750)).expect("root may");
    let ran = world.admin(&["doctor"]);
    ran.prints("lacks the set-group bit").prints(&format!("init --bot-user {USER}"));
}

/// Onboarding by the service's user leaves the chat to the bot's user: it names the command, says that something is left to do, and
/// opens no chat as the wrong user.
#[test]
fn onboarding_leaves_the_first_turn_to_the_bots_user() {
    if !is_root() {
        return;
    }
    let world = two_users();
    let before = all(world.home().data());
    let command = format!("Try the chat as its own user {USER}: sudo -u '#{USER}' cl-bot --home ");
    let ran =
        world.admin(&["onboard", "--yes", "--language", "en", "--no-install"]).exited(1).prints(&command);
    assert!(!ran.stdout.contains("A first turn"), "{}", ran.report());
    assert_eq!(all(world.home().data()), before, "no chat was opened");
    world.admin(&["onboard", "--yes", "--no-try", "--language", "en", "--no-install"]).done();
}

/// What the service makes later, with any mask, can be read by the bot: from a wish to a skill that answers.
#[test]
fn the_service_as_root_and_the_bot_as_another_user_learn_together() {
    if !is_root() {
        return;
    }
    let world = two_users();
    run(as_user(&world, &["agent", "-m", "learn to roll dice"]), b"", PATIENCE).done();
    let masked = |arguments: &[&str]| {
        let like = world.command(Program::Admin, arguments);
        let mut command = Command::new("sh");
        command.args(["-c", "umask 077; exec \"$@\"", "sh"]).arg(like.get_program()).args(like.get_args());
        command.current_dir(world.outside()).env_clear();
        command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
        run(command, b"", PATIENCE)
    };
    masked(&["run", "--once"]);
    let shown = run(as_user(&world, &["proposal", "list", "--json"]), b"", PATIENCE).done().json_rows();
    assert_ne!(shown[0]["status"], "new", "the mirror can be read: {shown:?}");
    masked(&["profile", "add", "anna", "--audience", "adult"]).done();
    assert_eq!(owner(&world.home().profile(&"anna".parse().expect("a name"))).0, USER);
    masked(&["estop"]).done();
    run(as_user(&world, &["tool", "run", "time", "--json", "{}"]), b"", PATIENCE).exited(3);
    masked(&["estop", "--clear"]).done();
    doctor_is_content(&world.admin(&["doctor", "--json"]));
    if tameclaw_tests::skill::compiler_is_missing() {
        return;
    }
    let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
    masked(&["approve", &id, "--yes"]).done();
    let ran = run(as_user(&world, &["agent", "-m", "roll 3d1+2"]), b"", PATIENCE).done();
    assert!(ran.stdout.contains('5'), "{}", ran.report());
    doctor_is_content(&world.admin(&["doctor", "--json"]));
}

/// A service that is not root says which commands root runs once, and with them both users do their work.
#[test]
fn a_service_of_its_own_user_names_what_root_runs_once() {
    if !is_root() {
        return;
    }
    let world = World::empty();
    open_way_outside(&world);
    chown(world.outside(), Some(SERVICE), Some(SERVICE)).expect("root may");
    let bot = USER.to_string();
    let admin = |arguments: &[&str]| run(by(&world, SERVICE, &bot, Program::Admin, arguments), b"", PATIENCE);
    let first = admin(&["init", "--bot-user", &bot]).exited(1).says("Run once as root");
    let commands: Vec<&str> = first.stderr.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    assert!(commands.iter().any(|line| line.starts_with("chown -hR ")), "{}", first.report());
    for line in &commands {
        assert!(
            Command::new("sh").args(["-c", line]).status().is_ok_and(|status| status.success()),
            "{line}"
        );
    }
    admin(&["init", "--bot-user", &bot]).done();
    let ran = run(by(&world, USER, "", Program::Bot, &["agent", "-m", "learn to roll dice"]), b"", PATIENCE);
    ran.done();
    admin(&["run", "--once"]);
    let rows = admin(&["list", "--json"]).done().json_rows();
    assert_eq!(rows.len(), 1, "the proposal of the bot's user was read: {rows:?}");
    let shown = run(by(&world, USER, "", Program::Bot, &["proposal", "list", "--json"]), b"", PATIENCE);
    assert_ne!(shown.done().json_rows()[0]["status"], "new", "the mirror can be read");
    let called = by(&world, USER, "", Program::Bot, &["tool", "run", "time", "--json", "{}"]);
    run(called, b"", PATIENCE).done();
    let verified = admin(&["audit", "verify"]).done();
    verified.prints("holds   the receipts of `default`: 1 record");
    doctor_is_content(&admin(&["doctor", "--json"]));
}

/// A home whose service and bot have a user each, made as an operator without packages makes it.
pub(crate) fn each_its_user(service: u32) -> World {
    let world = World::empty();
    open_way_outside(&world);
    chown(world.outside(), Some(service), Some(service)).expect("root may");
    let bot = USER.to_string();
    let init =
        || run(by(&world, service, &bot, Program::Admin, &["init", "--bot-user", &bot]), b"", PATIENCE);
    let first = init().exited(1);
    for line in first.stderr.lines().filter_map(|line| line.strip_prefix("    ")) {
        let done = Command::new("sh").args(["-c", line]).status();
        assert!(done.is_ok_and(|status| status.success()), "{line}");
    }
    init().done();
    world
}

/// The service's user may exchange what is in its home; root gives no file away by it.
#[test]
fn root_gives_nothing_away_in_a_home_of_another_user() {
    if !is_root() {
        return;
    }
    let world = each_its_user(SERVICE);
    let target = world.outside().join("of-root");
    fs::create_dir(&target).expect("a folder");
    chown(&target, Some(0), Some(0)).expect("root may");
    let data = world.home().data().to_owned();
    fs::rename(&data, data.with_file_name("moved")).expect("it can be moved");
    symlink(&target, &data).expect("a link");
    let before = owner(&target);
    let ran = world.admin(&["doctor", "--fix"]);
    assert!(ran.stdout.contains(&format!("belongs to the user {SERVICE}")), "{}", ran.report());
    assert_eq!(owner(&target), before);
    // The same in a home of root's own: the table of owners follows no link either.
    chown(world.home().config(), Some(0), Some(0)).expect("root may");
    world.admin(&["doctor", "--fix"]);
    assert_eq!(owner(&target), before);
}

/// What a person told the bot is opened by the bot's user alone; the service sees how much it is, since it guards the disk.
#[test]
fn a_service_of_its_own_user_counts_a_memory_and_opens_no_file_of_it() {
    if !is_root() {
        return;
    }
    let world = each_its_user(SERVICE);
    let bot = |arguments: &[&str]| run(by(&world, USER, "", Program::Bot, arguments), b"", PATIENCE).done();
    bot(&["agent", "-m", "my favourite colour is green"]);
    bot(&["tool", "run", "time", "--json", "{}"]);
    let by_service = |words: &[&str], path: &Path| {
        let mut command = Command::new("setpriv");
        command.args([
            format!("--reuid={SERVICE}"),
            format!("--regid={SERVICE}"),
            format!("--groups={USER}"),
        ]);
        command.arg("--").args(words).arg(path);
        command.output().expect("setpriv is there")
    };
    let profile = world.home().profile(&world.profile());
    let files: Vec<PathBuf> =
        all(&profile.join("memory")).into_iter().filter(|path| path.is_file()).collect();
    assert!(files.iter().any(|path| path.ends_with("conversations.jsonl")), "{files:?}");
    for path in &files {
        assert!(by_service(&["stat", "--"], path).status.success(), "counted: {}", path.display());
        let read = by_service(&["cat", "--"], path);
        assert!(!read.status.success() && read.stdout.is_empty(), "read: {}", path.display());
    }
    assert!(!by_service(&["ls", "--"], &world.home().credentials()).status.success(), "keys are not listed");
    let receipts = by_service(&["cat", "--"], &profile.join("logs/receipts.jsonl"));
    assert!(receipts.status.success() && !receipts.stdout.is_empty(), "the evidence is read");
    let doctor =
        || run(by(&world, SERVICE, &USER.to_string(), Program::Admin, &["doctor", "--json"]), b"", PATIENCE);
    doctor_is_content(&doctor());
    let open = profile.join("memory/conversations.jsonl");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o640)).expect("root may");
    doctor().prints("conversations.jsonl may be read by others (mode 640)");
}

/// Ends with the test.
struct Attending(std::process::Child);

impl Drop for Attending {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A service that may not become the bot's user has its schedules run by that user's runner, which obeys nobody else.
#[test]
fn a_schedule_runs_as_the_bots_user_by_a_runner_that_serves_nobody_else() {
    if !is_root() {
        return;
    }
    let (world, other) = (each_its_user(SERVICE), each_its_user(OTHER));
    let sockets = World::empty();
    open_way_outside(&sockets);
    let schedule = |world: &World, service: u32| {
        let text = "schedules: [{name: daily, profile: default, cron: \"0 7 * * *\", message: hello}]\n";
        fs::write(world.home().admin_config(), text).expect("root may");
        let mut command =
            by(world, service, &USER.to_string(), Program::Admin, &["schedule", "run", "daily"]);
        command.env("TAMECLAW_RUNNERS", sockets.outside());
        run(command, b"", PATIENCE)
    };
    schedule(&world, SERVICE).exited(1).prints("enable `tameclaw-bot@default.socket`");
    let path = sockets.outside().join("default.sock");
    let listener = UnixListener::bind(&path).expect("a socket can be made");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("root may");
    let mut attend = by(&world, USER, "", Program::Admin, &["attend", "default"]);
    let _attending =
        Attending(attend.stdin(OwnedFd::from(listener)).stderr(Stdio::null()).spawn().expect("it starts"));
    schedule(&world, SERVICE).done().prints("Hello");
    let log = world.home().profile(&world.profile()).join("memory/conversations.jsonl");
    assert_eq!(owner(&log).0, USER, "the bot's own user spoke");
    let refused = schedule(&other, OTHER).exited(1);
    refused.prints(&format!("the user {OTHER} is at the other end"));
    // Root itself may ask, but not for another home, and not in other words.
    let asked = |order: &str| {
        let mut stream = UnixStream::connect(&path).expect("it listens");
        stream.write_all(order.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    };
    let order = |home: &Path| {
        format!(
            "{}\n",
            serde_json::json!({"home": home, "what": {"message": {"text": "hi"}}, "limit_seconds": 60})
        )
    };
    assert!(asked(&order(other.home().root())).contains("is for the home"));
    assert!(asked("run /bin/sh\n").contains("not an order"));
    assert!(asked(&order(world.home().root())).contains("\"exit\":0"));
}

/// The self-test of a home with two users keeps everything out, and tells it in plain words where that is asked for.
#[test]
fn the_self_test_holds_with_two_users_and_is_told_in_plain_words() {
    if !is_root() || tameclaw_tests::skill::compiler_is_missing() {
        return;
    }
    let world = two_users();
    let ran = world.admin(&["selftest", "--redteam", "--show"]).done();
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("I own the chat program now"), "{}", ran.report());
    assert!(lines.len() > 70, "{}", ran.report());
    let last = lines[lines.len() - 1];
    assert!(last.contains("0 got through") && last.contains("0 could not be tried"), "{last}");
    for line in &lines[1..lines.len() - 1] {
        assert!(line.contains(": kept out, because "), "{line}");
    }
}

/// A user of the bot's who is root's, the service's own, or nobody is refused before anything is made.
#[test]
fn a_user_that_cannot_be_the_bots_is_refused() {
    let world = World::empty();
    for (name, why) in [("root", "is root"), ("no-such-user", "there is no user `no-such-user`")] {
        world.admin(&["init", "--bot-user", name]).exited(3).says(why);
        assert!(!world.home().root().exists(), "{name}");
    }
    world.admin(&["init", "--bot-group", "x"]).exited(2);
}

/// A home, its configuration or the service's folder that a group or everybody may change is refused by both programs,
/// with the path, its owner and mode, and the command that mends it.
#[test]
fn a_home_that_a_group_may_write_is_refused_by_both_programs() {
    if !is_root() {
        return;
    }
    let world = World::new();
    let home = world.home();
    let of_both = [
        home.root().to_owned(),
        home.config(),
        home.bot_config(),
        home.profile_files(),
        home.profile_file(&world.profile()),
        home.skills(),
        world.outside().to_owned(),
    ];
    let of_the_service = [
        home.admin(),
        home.admin_config(),
        home.keys(),
        home.keys().join("manifest.key"),
        home.journal(),
        home.own_heads(),
    ];
    let refused = |path: &Path, programs: &[Program], who: &str| {
        for program in programs {
            let arguments: &[&str] =
                if *program == Program::Bot { &["agent", "-m", "hi"] } else { &["list"] };
            let ran = world.typed(*program, arguments, "").exited(3).says(who).says("owner 0, mode 0");
            let said = ran.stderr.clone();
            ran.says(&path.display().to_string());
            let hint = said
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("hint: ").map(|_| line[6..].to_owned()));
            let hint = hint.unwrap_or_else(|| panic!("no command is named: {said}"));
            if programs.last() == Some(program) {
                assert!(Command::new("sh").args(["-c", &hint]).status().is_ok_and(|s| s.success()), "{hint}");
                world.typed(*program, arguments, "").done();
            }
        }
    };
    let both = [Program::Bot, Program::Admin];
    for (paths, programs) in [(&of_both[..], &both[..]), (&of_the_service[..], &both[1..])] {
        for path in paths {
            let (_, gid, mode) = owner(path);
            let change = |gid, mode| {
                chown(path, None, Some(gid)).expect("root may");
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("root may");
            };
            change(DAEMON, mode | 0o020);
            refused(path, programs, "the group 1");
            change(gid, mode | 0o002);
            refused(path, programs, "everybody");
            // A group in which nobody is but root.
            change(0, mode | 0o020);
            for program in programs {
                let arguments: &[&str] =
                    if *program == Program::Bot { &["agent", "-m", "hi"] } else { &["list"] };
                world.typed(*program, arguments, "").done();
            }
            change(gid, mode);
        }
    }
    chown(home.bot_config(), Some(OTHER), None).expect("root may");
    for program in both {
        let arguments: &[&str] = if program == Program::Bot { &["agent", "-m", "hi"] } else { &["list"] };
        world.typed(program, arguments, "").exited(3).says(&format!("the user {OTHER}")).says("chown -h 0");
    }
}

/// The bot's own user may change nothing that it believes, and neither may its group.
#[test]
fn what_the_bots_user_could_change_is_not_believed() {
    if !is_root() {
        return;
    }
    let world = two_users();
    let path = world.home().profile_file(&world.profile());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o660)).expect("root may");
    run(as_user(&world, &["agent", "-m", "hi"]), b"", PATIENCE)
        .exited(3)
        .says("which this system does not list");
    world.admin(&["list"]).exited(3);
    world.admin(&["init", "--bot-user", &USER.to_string()]).exited(3);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("root may");
    run(as_user(&world, &["agent", "-m", "hi"]), b"", PATIENCE).done();
}

/// Another user of the family reads that the home is closed to them, to whom it is open, and what opens it.
#[test]
fn another_user_of_the_family_has_no_permission() {
    if !is_root() {
        return;
    }
    let world = two_users();
    let told = run(by(&world, OTHER, "", Program::Bot, &["agent", "-m", "hi"]), b"", PATIENCE).exited(3);
    told.says("no permission")
        .says(&format!("the group `{USER}`"))
        .says(&format!("you are `{OTHER}`"))
        .says(&format!("usermod -aG {USER} {OTHER}"))
        .says("open.users")
        .hides("not a home yet");
    let told = run(by(&world, OTHER, "", Program::Admin, &["list"]), b"", PATIENCE).exited(3);
    told.says("no permission").says("run it as `root`").hides("there is no home");
    for verb in ["init", "up", "doctor", "status"] {
        let told = run(by(&world, OTHER, "", Program::Admin, &[verb]), b"", PATIENCE).exited(3);
        told.says("no permission").says("run it as `root`").hides("EACCES").hides("cannot be trusted");
    }
    // In the group the home opens; which user the bot is, the configuration says.
    let told = run(by(&world, OTHER, &USER.to_string(), Program::Bot, &["agent", "-m", "hi"]), b"", PATIENCE);
    told.exited(3).says("security.user").says(&format!("sudo -u {USER} cl-bot"));
}

/// Names that the bot chose reach a shell as data: each command that doctor shows mends that one file and does nothing else.
#[test]
fn the_commands_that_doctor_shows_are_safe_for_a_shell() {
    let world = World::new();
    let folder = world.home().credentials();
    let names = [
        "a;touch pwned",
        "b'$(touch pwned)'",
        "c\ntouch pwned\n",
        "-rf",
        "d\u{202e}e",
        "`touch pwned`",
        "f\u{9b}2J",
    ];
    for name in names {
        let path = folder.join(name);
        fs::write(&path, "").expect("it is ours");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o602)).expect("it is ours");
    }
    let ran = world.admin(&["doctor"]).exited(1);
    let unsafe_one = ran.stdout.chars().find(|c| *c != '\n' && shared_types::text::is_unsafe(*c));
    assert_eq!(unsafe_one, None, "{}", ran.report());
    let commands: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("-> "))
        .filter(|command| command.contains("o-w"))
        .collect();
    assert_eq!(commands.len(), names.len(), "{}", ran.report());
    for command in commands {
        let mut shell = Command::new("sh");
        let done =
            shell.args(["-c", command]).current_dir(world.outside()).status().expect("there is a shell");
        assert!(done.success(), "{command}");
    }
    for name in names {
        assert_eq!(owner(&folder.join(name)).2, 0o600, "{}", name.escape_debug());
    }
    assert_eq!(
        fs::read_dir(&folder).expect("it can be listed").count(),
        names.len(),
        "nothing else was made"
    );
    assert!(!world.outside().join("pwned").exists(), "a name was taken for a command");
}

pub(crate) fn open_way_outside(world: &World) {
    fs::set_permissions(world.outside(), fs::Permissions::from_mode(0o711)).expect("root may");
}
