//! Invariant 10: secrets never enter `mind`, a log, a record, an answer or a dump, regardless of how they came.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tameclaw_tests::login::{LoginServer, Manner, SAY_THE_KEY};
use tameclaw_tests::run::run;
use tameclaw_tests::world::{PATIENCE, Program, World};
use tameclaw_tests::{eventually, skip};

use crate::canary::Canary;
use crate::mind::Entered;

/// How a key comes to the bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Environment,
    File,
    Login,
}

/// A home whose bot has the canary for a key, and a server that takes it.
struct Scene {
    way: Way,
    canary: Canary,
    server: LoginServer,
    world: World,
    outputs: Vec<(String, Vec<u8>)>,
}

impl Scene {
    fn set(way: Way) -> Scene {
        // Nobody else's memory holds this text, and it stands in this program only in pieces.
        let text = ["cnry/0f3a", "+9c1e=", "never~in~mind"].concat();
        let canary = Canary::new(&text);
        let server = LoginServer::start(Manner { prefix: text.clone(), ..Manner::default() });
        let world = World::new();
        let more = match way {
            Way::Environment => "    api_key: \"${MODEL_KEY}\"\n",
            Way::File => "    api_key_file: work.key\n",
            Way::Login => "",
        };
        let settings = format!("providers:\n{}", server.provider(more));
        fs::write(world.home().bot_config(), settings).expect("the configuration can be written");
        let mut scene = Scene { way, canary, server, world, outputs: vec![] };
        match way {
            Way::Environment => scene.server.accept(scene.canary.text()),
            Way::File => {
                let file = scene.world.home().credentials().join("work.key");
                fs::write(&file, scene.canary.text()).expect("it can be written");
                fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
                scene.server.accept(scene.canary.text());
            }
            Way::Login => {
                let ran = scene.server.log_in(&scene.world, |address| address).done();
                scene.outputs.push(("login".to_owned(), ran.report().into_bytes()));
            }
        }
        scene
    }

    /// The program with the key where it belongs, telling all that it ever tells.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.world.command(Program::Bot, arguments);
        command.env("TAMECLAW_LOG", "debug");
        if self.way == Way::Environment {
            command.env("MODEL_KEY", self.canary.text());
        }
        command
    }

    /// Runs a verb to its end, however it ends, and keeps what it said.
    fn runs(&mut self, arguments: &[&str]) {
        let ran = run(self.command(arguments), b"", PATIENCE);
        self.outputs.push((arguments.join(" "), ran.report().into_bytes()));
    }

    /// The memory of `mind` has no trace of the key.
    #[track_caller]
    fn mind_is_clean(&self, bot: &Entered, when: &str) {
        let found = self.canary.within_memory_of(bot.mind());
        assert_eq!(found, None, "{:?}: the key is in the mind's memory {when}", self.way);
    }

    /// Neither a file nor an output has a trace of the key.
    #[track_caller]
    fn all_is_clean(&self) {
        let found = self.canary.beneath(self.world.outside(), &self.world.home().credentials());
        assert_eq!(found, None, "{:?}: the key was written to a file", self.way);
        for (what, output) in &self.outputs {
            let found = self.canary.within(output);
            assert_eq!(found, None, "{:?}: the key is in the output of {what}", self.way);
        }
    }
}

/// A key in each of its spellings is looked for in everything that the programs write, show, log and hold, after turns,
/// errors that repeat it, renewals and a crash; and it is found in `net`, so the search sees.
#[test]
fn a_key_gets_nowhere_whichever_way_it_came() {
    if !nix::unistd::geteuid().is_root() {
        return skip("only root can look into the memory of a process that is not dumpable");
    }
    for way in [Way::Environment, Way::File, Way::Login] {
        let mut scene = Scene::set(way);
        let command = scene.command(&["agent"]);
        let world = std::mem::replace(&mut scene.world, World::empty());
        let mut bot = Entered::start_as(world, command);
        scene.mind_is_clean(&bot, "before the first turn");
        scene.server.behave(|manner| manner.thinks = Duration::from_millis(600));
        bot.say_only("hello");
        eventually(Duration::from_secs(20), "the request is on its way", || {
            scene.server.seen().iter().any(|r| r.path.ends_with("/chat/completions")).then_some(())
        });
        scene.mind_is_clean(&bot, "while the model thinks");
        // The log of `net` may come between the pieces of the answer.
        bot.say("", "you.");
        scene.server.behave(|manner| manner.thinks = Duration::ZERO);
        let sent = scene.server.seen().into_iter().rfind(|r| r.path.ends_with("/chat/completions"));
        let sent = sent.and_then(|r| r.header("authorization").map(str::to_owned)).unwrap_or_default();
        assert!(sent.contains(scene.canary.text()), "{way:?}: the key goes out: {sent}");
        let in_net = scene.canary.within_memory_of(bot.net());
        assert_eq!(
            in_net,
            Some("plain"),
            "{way:?}: the process that needs the key has it, or this test sees nothing"
        );
        // Each line at a prompt that is there: what is typed ahead of two prompts may get lost.
        let settle = || std::thread::sleep(Duration::from_millis(500));
        settle();
        bot.say(SAY_THE_KEY, "turn_finished turn=2");
        settle();
        bot.say("remember that my dog is called Rex", "turn_finished turn=3");
        settle();
        bot.say("learn to tell leap years", "turn_finished turn=4");
        settle();
        scene.server.expire();
        let answer = if way == Way::Login { "you." } else { "key" };
        bot.say("hello again", answer);
        scene.mind_is_clean(&bot, "after turns, an echo and a refusal");
        for pid in [bot.mind(), bot.net()] {
            let limits = fs::read_to_string(format!("/proc/{pid}/limits")).expect("the process runs");
            let core =
                limits.lines().find(|line| line.starts_with("Max core file size")).expect("it is listed");
            assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"], "{core}");
        }
        let mind = Pid::from_raw(i32::try_from(bot.mind()).expect("it fits"));
        kill(mind, Signal::SIGABRT).expect("it can be signalled");
        scene.outputs.push(("the chat".to_owned(), bot.shown()));
        let (world, code) = bot.ended();
        assert_eq!(code, 128 + Signal::SIGABRT as i32);
        scene.world = world;
        if way != Way::Login {
            scene.server.accept(scene.canary.text());
        }
        for verb in [
            &["agent", "-m", SAY_THE_KEY][..],
            &["config", "show"],
            &["config", "validate"],
            &["login"],
            &["memory", "list", "--json"],
            &["proposal", "list", "--json"],
            &["tool", "list", "--json"],
            &["skill", "list", "--json"],
        ] {
            scene.runs(verb);
        }
        let (access, refresh) = scene.server.newest();
        scene.server.expire();
        let echo = format!("{{\"error\":\"{access}\",\"error_description\":\"you sent {refresh}\"}}");
        scene.server.behave(|manner| manner.fails = Some((400, echo)));
        scene.runs(&["agent", "-m", "hello"]);
        if way == Way::Login {
            scene.runs(&["logout", "work"]);
        }
        scene.all_is_clean();
    }
}

/// The search of the test above finds a key that is in a file and one that was printed.
#[test]
fn a_key_that_leaked_would_be_found() {
    let mut scene = Scene::set(Way::Environment);
    scene.all_is_clean();
    let lost = scene.world.home().profile(&scene.world.profile()).join("logs/lost");
    fs::write(&lost, base64_of(&format!("Bearer {}", scene.canary.text()))).expect("it can be written");
    let found = scene.canary.beneath(scene.world.outside(), &scene.world.home().credentials());
    assert_eq!(found, Some((lost, "base64")));
    scene.outputs.push(("a verb".to_owned(), scene.canary.text().bytes().rev().collect()));
    assert!(scene.outputs.iter().any(|(_, output)| scene.canary.within(output).is_some()));
}

/// A crash leaves no dump, regardless of the caller's limits; a program without our care would.
#[test]
fn a_crash_leaves_no_dump() {
    let scene = Scene::set(Way::File);
    let crash = |line: &str| {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]).current_dir(scene.world.outside());
        command.env("TAMECLAW_HOME", scene.world.home().root());
        command
    };
    let bot = Program::Bot.path();
    // The prompt waits for a line on a pipe that stays open.
    let line = format!("ulimit -c unlimited; exec {} agent", bot.display());
    let mut child = crash(&line)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    let pid = child.id();
    eventually(Duration::from_secs(20), "the bot is confined", || {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        status.lines().any(|line| line.starts_with("Seccomp:") && line.ends_with('2')).then_some(())
    });
    kill(Pid::from_raw(i32::try_from(pid).expect("it fits")), Signal::SIGABRT).expect("it can be signalled");
    let status = child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(Signal::SIGABRT as i32));
    assert!(!status.core_dumped(), "a dump was made");
    let control = crash("ulimit -c unlimited; kill -ABRT $$").status().expect("it runs");
    if !control.core_dumped() {
        skip("this system makes no dumps at all, so that none was made proves nothing");
    }
}

/// The credentials cannot even be seen by `mind`.
#[test]
fn mind_opens_no_credential() {
    let scene = Scene::set(Way::Login);
    let file = scene.world.home().credentials().join("work.login.json");
    let net_log = scene.world.home().net_logs(&scene.world.profile())[0].clone();
    let command = scene.command(&["agent"]);
    let bot = Entered::start_as(scene.world, command);
    bot.inside(bot.mind(), |mind| {
        for path in [&file, &net_log] {
            for flags in [libc::O_RDONLY, libc::O_WRONLY | libc::O_APPEND] {
                let outcome = mind.open(&path.display().to_string(), flags);
                assert!(outcome.is_refusal(), "{}: {outcome:?}", path.display());
            }
        }
    });
    let holds = |pid: u32| {
        let open = fs::read_dir(format!("/proc/{pid}/fd")).expect("the process runs").flatten();
        open.filter_map(|fd| fs::read_link(fd.path()).ok()).any(|path| path == net_log)
    };
    assert!(holds(bot.net()) && !holds(bot.mind()), "only net holds its log");
    bot.still_talks();
}

/// The process that has the network writes the logins and nothing else, and reads nothing of a profile.
#[test]
fn net_writes_the_credentials_and_nothing_else() {
    let scene = Scene::set(Way::Login);
    let home = scene.world.home();
    let profile = home.profile(&scene.world.profile());
    let command = scene.command(&["agent"]);
    let bot = Entered::start_as(scene.world, command);
    let open = |folder: &std::path::Path| folder.join("planted").display().to_string();
    bot.inside(bot.net(), |net| {
        for folder in
            [home.root(), &home.config(), &home.net(), home.data(), &profile, &profile.join("memory")]
        {
            let outcome = net.open(&open(folder), libc::O_CREAT | libc::O_WRONLY);
            assert!(outcome.is_refusal(), "{}: {outcome:?}", folder.display());
        }
        for file in [home.bot_config(), home.trust(), profile.join("memory")] {
            let outcome = net.open(&file.display().to_string(), libc::O_RDONLY);
            assert!(outcome.is_refusal(), "{}: {outcome:?}", file.display());
        }
        let outcome = net.open(&open(&home.credentials()), libc::O_CREAT | libc::O_WRONLY);
        assert!(outcome.is_success(), "a renewed login must find its place: {outcome:?}");
    });
    bot.still_talks();
}

fn base64_of(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}
