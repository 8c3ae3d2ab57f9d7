//! Invariants 1, 2 and 10 against both processes of the shipped bot, behind each wall that it can have.
//!
//! The rows are tried first in a process that nothing confines: what it may not do either would prove nothing.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use tameclaw_tests::eventually;
use tameclaw_tests::tracer::Outcome;
use tameclaw_tests::world::{Program, World};

use crate::mind::{Entered, Inside};
use crate::table::{self, Scene, attack, barred};
use crate::{calls, files};

/// A process without confinement gets through with all that is tried on files.
#[test]
fn an_unconfined_process_does_to_files_what_is_tried() {
    table::control(files::FILES);
    table::control(files::KEYS);
    table::control(files::PROFILE);
}

/// A process without confinement gets through, or is heard, with all calls that are tried.
#[test]
fn an_unconfined_process_makes_the_calls_that_are_tried() {
    table::control(calls::CALLS);
    table::control(calls::NETWORK);
    table::control(calls::LISTENING);
    table::control(calls::TERMINAL);
}

/// Both processes, their files governed by Landlock.
#[test]
fn landlock_and_the_table_of_calls_refuse_both_processes_everything() {
    every_row("");
}

/// Both processes, their files governed by a view of the file system in which nothing else is.
#[test]
fn a_mount_namespace_and_the_table_of_calls_refuse_both_processes_everything() {
    every_row("security: {landlock: off}\n");
}

/// Both processes under a user of their own.
#[test]
fn another_user_is_refused_everything_too() {
    if !nix::unistd::geteuid().is_root() {
        return tameclaw_tests::skip("only root can start the bot as another user");
    }
    every_row(&format!("security: {{user: {}, minimum_isolation: full}}\n", crate::tiers::USER));
}

fn every_row(security: &str) {
    let world = World::new();
    if security.contains("user:") {
        crate::tiers::share(&world);
        crate::tiers::open_way(&world);
    }
    fs::write(world.home().bot_config(), format!("{NETWORK}{security}")).expect("it can be written");
    let mut command = world.command(Program::Bot, &["agent"]);
    if security.contains("user:") {
        // Groups of root's, which must be left behind.
        let bot = command;
        command = Command::new("setpriv");
        command.args(["--groups=0,7", "--"]).arg(bot.get_program()).args(bot.get_args());
        command.env_clear().envs(bot.get_envs().filter_map(|(name, value)| Some((name, value?))));
    }
    let bot = Entered::start_as(world, command);
    // Planted now: what is there at the start is a matter of the tiers.
    let mut scene = Scene::set(bot.world());
    let (mind, net) = (bot.mind(), bot.net());
    let user = if security.contains("user:") { crate::tiers::USER } else { nix::unistd::geteuid().as_raw() };
    stripped(mind, user);
    stripped(net, user);
    scene.peer = Some(net);
    attack(mind, files::FILES, &scene, barred);
    attack(mind, files::KEYS, &scene, barred);
    for rows in [calls::CALLS, calls::NETWORK, calls::LISTENING] {
        attack(mind, rows, &scene, Outcome::is_refusal);
    }
    scene.peer = Some(mind);
    attack(net, files::FILES, &scene, barred);
    attack(net, files::PROFILE, &scene, barred);
    for rows in [calls::CALLS, calls::LISTENING, calls::TERMINAL] {
        attack(net, rows, &scene, Outcome::is_refusal);
    }
    bot.inside(mind, |inside| {
        let own = scene.workspace().join("own").display().to_string();
        let made = inside.open(&own, libc::O_CREAT | libc::O_WRONLY);
        assert!(made.is_success(), "its own folder is what mind is for: {made:?}");
    });
    bot.inside(net, |inside| {
        let socket = inside.call(libc::SYS_socket, &[libc::AF_INET as u64, libc::SOCK_STREAM as u64, 0]);
        assert!(socket.is_success(), "the network is what net is for: {socket:?}");
    });
    bot.still_talks();
}

/// What the kernel says of a process that has nothing left to lose.
fn stripped(pid: u32, user: u32) {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let of = |name: &str| -> Vec<&str> {
        let line = status.lines().find_map(|line| line.strip_prefix(&format!("{name}:")));
        line.unwrap_or_else(|| panic!("{name} is not told: {status}")).split_whitespace().collect()
    };
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
        assert_eq!(of(set), ["0000000000000000"], "{set}");
    }
    if nix::unistd::geteuid().is_root() {
        // Only root could empty it; without it, no new privilege can be gained all the same.
        assert_eq!(of("CapBnd"), ["0000000000000000"]);
    }
    assert_eq!((of("NoNewPrivs"), of("Seccomp")), (vec!["1"], vec!["2"]));
    let own = user.to_string();
    for ids in ["Uid", "Gid"] {
        // Real, effective, saved, for files.
        assert!(of(ids).iter().all(|id| *id == own), "{ids}: {:?}", of(ids));
    }
    assert_eq!(of("Groups").iter().filter(|group| **group != own).count(), 0, "{:?}", of("Groups"));
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).expect("it runs");
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).expect("it is told");
    assert_eq!(core.split_whitespace().filter(|word| *word == "0").count(), 2, "{core}");
}

/// `net` ends with `mind`, however that ends and under any user: nobody would be left to watch it.
#[test]
fn net_ends_when_mind_is_killed() {
    let world = World::new();
    let mut security = String::new();
    if nix::unistd::geteuid().is_root() {
        crate::tiers::share(&world);
        security = format!("security: {{user: {}}}\n", crate::tiers::USER);
    }
    fs::write(world.home().bot_config(), format!("{NETWORK}{security}")).expect("it can be written");
    let mut command = world.command(Program::Bot, &["agent"]);
    // Without a terminal, whose end would be a signal of its own.
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut mind = command.spawn().expect("the bot starts");
    let children = format!("/proc/{0}/task/{0}/children", mind.id());
    let net = eventually(Duration::from_secs(20), "both are confined", || {
        let net = fs::read_to_string(&children).ok()?.trim().parse::<u32>().ok()?;
        [net, mind.id()].iter().all(|pid| status_of(*pid).contains("Seccomp:\t2")).then_some(net)
    });
    // Held by a tracer, it cannot notice on its own that the other end of its socket is closed.
    let held = Inside::of(net);
    mind.kill().expect("it runs");
    mind.wait().expect("it was started here");
    match held {
        Ok(_held) => eventually(Duration::from_secs(10), "net has ended", || {
            let status = status_of(net);
            (status.is_empty() || status.contains("State:\tZ")).then_some(())
        }),
        Err(reason) => tameclaw_tests::skip(&reason),
    }
}

fn status_of(pid: u32) -> String {
    fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default()
}

pub(crate) const NETWORK: &str = "providers:\n  - {name: far, kind: openai-compatible, base_url: 'https://model.example.org/v1', model: m}\n  - {name: companion, kind: embedded}\n";
