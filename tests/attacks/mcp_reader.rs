//! What an MCP server says is read by a confined child: it costs the child, and never the service.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tameclaw_tests::eventually;
use tameclaw_tests::mcp::{install, python_is_missing, server};
use tameclaw_tests::world::{Program, World};

use crate::children::{below, confined, field};

/// By how much the memory that the service held at most may grow meanwhile, in KiB: one hostile page, once read, takes more.
const MOST_GROWN: u64 = 48 << 10;

/// The most memory that a process ever held, in KiB.
fn most_held(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    field(&status, "VmHWM:").trim_end_matches(" kB").parse().expect("a number")
}

/// A server whose answers the text of a file decides, installed; and that file.
fn moody(world: &World) -> PathBuf {
    let mood = world.outside().join("mood");
    fs::create_dir_all(&mood).expect("a folder");
    let more = format!("read = [{:?}]", mood.display().to_string());
    let folder = server(world, "hostile", &[mood.to_str().expect("a path")], &more);
    let text = mood.join("text");
    fs::write(&text, "good").expect("a file");
    install(world, &[folder.to_str().expect("a path"), "--risk", "count=low"]);
    text
}

/// A hostile answer fails one call with a reason, regardless of what it costs its reader; the service continues and did not grow.
#[test]
fn a_hostile_answer_fails_one_call_and_the_service_goes_on() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let mood = moody(&world);
    fs::write(world.home().profile_file(&world.profile()), "autonomy: full\n").expect("the profile");
    let mut service = world.start(Program::Admin, &["run"]);
    let call = || world.bot(&["tool", "run", "hostile.count", "--json", "{}"]);
    call().done().prints("call 1");
    let before = most_held(service.pid());
    let ways = [
        ("deep", "is not a JSON message"),
        ("no text", "is not a JSON message"),
        ("half", "is not a JSON message"),
        ("numbers", "is not a JSON message"),
        ("longer", "longer than 1048576 bytes"),
        ("dense", "they take more memory or processor time than the child that reads them has"),
    ];
    for (way, words) in ways {
        fs::write(&mood, way).expect("a file");
        let ran = call();
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.status != 0 && said.contains(words), "{way}: {}", ran.report());
        assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{way}: {}", ran.report());
    }
    // What is only long is cut, and of what is there twice the last counts, as before.
    fs::write(&mood, "huge").expect("a file");
    assert!(call().done().stdout.len() < 60 << 10);
    fs::write(&mood, "twice").expect("a file");
    call().done().prints("last");
    fs::write(&mood, "good").expect("a file");
    call().done().prints("call");
    assert!(service.runs());
    let grown = most_held(service.pid()) - before;
    assert!(grown < MOST_GROWN, "the service grew by {grown} KiB of {before}: it read what the server said");
}

/// Before a person is asked, the same.
#[test]
fn a_list_that_costs_too_much_is_refused_before_anybody_is_asked() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let mood = world.outside().join("mood");
    fs::create_dir_all(&mood).expect("a folder");
    fs::write(mood.join("text"), "dense").expect("a file");
    let more = format!("read = [{:?}]", mood.display().to_string());
    let folder = server(&world, "hostile", &[mood.to_str().expect("a path")], &more);
    let ran = world.admin(&["plugin", "install", folder.to_str().expect("a path")]).exited(1);
    ran.says("the server of `hostile`: its messages cannot be read: they take more memory or processor time");
}

/// While a conversation is open, its reader is confined: a table of calls, no capability, no way to gain any, no file but its
/// pipes, a root without a file.
#[test]
fn the_reader_of_a_conversation_is_confined_while_it_lasts() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let folder = server(&world, "mute", &[], "");
    install(&world, &[folder.to_str().expect("a path")]);
    let call = ["plugin", "try", "mute", "count", "--json", "{}", "--timeout", "60"];
    let service = world.start(Program::Admin, &call);
    let line = |pid: &u32| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let reads = |pid: &u32| line(pid).ends_with(b"\0child\0mcp\0");
    let reader = eventually(Duration::from_secs(20), "a confined child reads", || {
        below(service.pid()).into_iter().filter(reads).find_map(|pid| confined(pid, 0))
    });
    let status = fs::read_to_string(format!("/proc/{reader}/status")).expect("it runs");
    for (name, value) in [("Seccomp:", "2"), ("NoNewPrivs:", "1"), ("CapEff:", "0000000000000000")] {
        assert_eq!(field(&status, name), value, "{name}");
    }
    let limits = fs::read_to_string(format!("/proc/{reader}/limits")).expect("it runs");
    for (name, most) in [("Max address space", 256_u64 << 20), ("Max cpu time", 60), ("Max open files", 16)] {
        let limit = limits.lines().find_map(|line| line.strip_prefix(name)).expect("a line of each");
        assert_eq!(limit.split_whitespace().next(), Some(most.to_string().as_str()), "{name}");
    }
    for handle in fs::read_dir(format!("/proc/{reader}/fd")).expect("it runs").flatten() {
        let to = fs::read_link(handle.path()).unwrap_or_default();
        assert!(to.to_string_lossy().starts_with("pipe:"), "{handle:?} leads to {}", to.display());
    }
    drop(service);
    let gone = || (!PathBuf::from(format!("/proc/{reader}")).exists()).then_some(());
    eventually(Duration::from_secs(10), "the reader is gone", gone);
}
