//! The walls of everything that the service starts, by both ways of laying them on, as root and as an ordinary user.
//!
//! A kernel without Landlock is one in which its calls are not known; everything else is the shipped program's own doing.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::signal::Signal;
use nix::unistd::geteuid;
use serde_json::{Value, json};
use tameclaw_tests::action::Ask;
use tameclaw_tests::run::{Background, Kept, Ran, hand_over, run};
use tameclaw_tests::world::{PATIENCE, Program, World};
use tameclaw_tests::{eventually, landlock, skip};

use crate::tiers::{USER, open_way};

/// One way of laying walls on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    landlock: bool,
    pub(crate) root: bool,
}

/// Every way that this machine offers to these tests.
pub(crate) fn ways() -> Vec<Way> {
    let users: &[bool] = if geteuid().is_root() { &[true, false] } else { &[false] };
    users.iter().flat_map(|root| [true, false].map(|landlock| Way { landlock, root: *root })).collect()
}

impl Way {
    /// `cl-admin` with these words, on such a kernel and as such a user.
    pub(crate) fn command(self, world: &World, words: &[&str]) -> Command {
        let mut command = world.command(Program::Admin, words);
        if !self.root && geteuid().is_root() {
            open_way(world);
            command = as_user(&command);
        }
        if !self.landlock {
            landlock::hide(&mut command);
        }
        command
    }

    /// What a child gets, as the program itself says; `None`, visibly, where it has no root of its own.
    pub(crate) fn walls(self, world: &World) -> Option<Value> {
        let walls = run(self.command(world, &["child", "walls"]), b"", PATIENCE).done().json();
        assert_eq!(walls["lacks"], Value::Null, "{self:?}: {walls}");
        if walls["view"] != true {
            skip(&format!("{self:?}: a root of its own is refused here: {walls}"));
            return None;
        }
        let held = walls["held"].as_str().expect("it is a text");
        assert_eq!(held.contains("Landlock"), self.landlock && landlock::is_there(), "{held}");
        Some(walls)
    }
}

fn as_user(other: &Command) -> Command {
    let mut command = Command::new("setpriv");
    let (user, group) = (format!("--reuid={USER}"), format!("--regid={USER}"));
    command.args([user.as_str(), group.as_str(), "--clear-groups", "--inh-caps=-all", "--"]);
    command.arg(other.get_program()).args(other.get_args());
    command.env_clear().envs(other.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = other.get_current_dir() {
        command.current_dir(folder);
    }
    command
}

/// Runs a program where the compiler runs, with one folder to write.
fn jailed(way: Way, world: &World, work: &Path, line: &str) -> Ran {
    let system = ["/usr", "/lib", "/lib64", "/bin"].map(PathBuf::from);
    let execute: Vec<PathBuf> = system.into_iter().filter(|path| path.exists()).collect();
    let jail = json!({
        "execute": execute, "read": [], "write": work, "memory": 1_u64 << 30, "cpu_seconds": 10,
        "program": "/bin/bash", "args": ["-c", line],
    });
    let mut command = way.command(world, &["child", "compile"]);
    hand_over(&mut command, jail.to_string().as_bytes());
    run(command, b"", PATIENCE)
}

/// What runs in a jail finds no foreign file and no foreign process, and cannot make what a wall does not know.
#[test]
fn what_runs_in_a_jail_finds_nothing_foreign_by_either_wall() {
    for way in ways() {
        let world = World::new();
        let Some(_) = way.walls(&world) else { continue };
        let work = world.outside().join("work");
        fs::create_dir(&work).expect("a folder can be made");
        let mut victim = Command::new("sleep");
        victim.arg("600");
        if !way.root && geteuid().is_root() {
            chown(&work, Some(USER), Some(USER)).expect("root gives away what it likes");
            victim = as_user(&victim);
        }
        let mut victim = Background::start(victim);
        let sh = |line: String| jailed(way, &world, &work, &line);
        let own = work.display();
        assert_eq!(sh("echo runs".into()).done().stdout, "runs\n", "{way:?}");
        sh(format!("echo x > {own}/own && mkdir {own}/folder && mv {own}/own {own}/folder/")).done();
        let (home, pid) = (world.home(), victim.pid());
        for (what, line) in [
            ("sees the admin's folder", format!("[ -e {} ]", home.admin().display())),
            ("sees a key", format!("[ -e {} ]", home.keys().join("manifest.key").display())),
            ("sees users", "[ -e /etc/passwd ]".to_owned()),
            ("sees root's home", "[ -e /root ]".to_owned()),
            ("sees a process outside", format!("[ -e /proc/{pid} ]")),
            ("sees the machine's settings", "[ -e /proc/sys ]".to_owned()),
            ("sees the machine's command line", "[ -e /proc/cmdline ]".to_owned()),
            ("makes a file at the root", "echo x > /new".to_owned()),
            ("makes a file beside its folder", format!("echo x > {own}-other")),
            ("makes a link", format!("ln -s /etc/passwd {own}/link")),
            ("makes a pipe", format!("mkfifo {own}/pipe")),
            ("makes a device", format!("mknod {own}/device c 1 3")),
            ("truncates a program", "truncate -s 0 /usr/bin/env".to_owned()),
            ("runs what it wrote", format!("cp /bin/true {own}/mine && {own}/mine")),
            ("signals a process outside", format!("kill -0 {pid}")),
            ("ends a process outside", format!("kill -9 {pid}")),
            ("sees its parent", "[ $PPID -gt 0 ]".to_owned()),
            ("makes a user namespace", "unshare --user true".to_owned()),
            ("mounts", format!("mount -t tmpfs none {own}")),
        ] {
            let ran = sh(format!("if {line} 2>/dev/null; then echo HAD; fi"));
            assert!(!ran.stdout.contains("HAD"), "{way:?}: {what}: {}", ran.report());
        }
        assert!(victim.runs(), "{way:?}");
    }
}

/// What reads hostile bytes has a root without a file in it, and shares no namespace with anybody.
#[test]
fn a_child_that_reads_hostile_bytes_has_a_world_of_its_own_by_either_wall() {
    for way in ways() {
        let world = World::new();
        let Some(_) = way.walls(&world) else { continue };
        for job in ["parse", "scan", "strip", "inspect", "arguments", "mcp"] {
            let mut command = way.command(&world, &["child", job]);
            let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            let child = Kept(child.expect("the program starts"));
            let pid = eventually(Duration::from_secs(20), "the child is confined", || {
                confined(child.0.id(), u32::from(!way.landlock))
            });
            for kind in ["mnt", "pid", "net", "ipc", "uts"] {
                let of = |process: &str| fs::read_link(format!("/proc/{process}/ns/{kind}"));
                let (its, ours) = (of(&pid.to_string()), of("self"));
                assert_ne!(its.expect("it runs"), ours.expect("it runs"), "{way:?}: {job}: {kind}");
            }
            assert_eq!(tree(&format!("/proc/{pid}/root").into()), ["dev", "dev/null"], "{way:?}: {job}");
            let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
            for (name, value) in
                [("CapEff:", NONE), ("CapPrm:", NONE), ("CapInh:", NONE), ("NoNewPrivs:", "1")]
            {
                assert_eq!(field(&status, name), value, "{way:?}: {job}: {name}");
            }
        }
    }
}

/// No capability.
const NONE: &str = "0000000000000000";

/// Everything in a folder, by its path in it.
fn tree(folder: &PathBuf) -> Vec<String> {
    let mut found = vec![];
    let mut left = vec![folder.clone()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(next).expect("it can be listed").flatten() {
            let path = entry.path();
            found.push(path.strip_prefix(folder).expect("it is beneath").display().to_string());
            if path.is_dir() {
                left.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The process that has laid its table of calls on: this one or one below it, where this many filters were there before.
pub(crate) fn confined(above: u32, before: u32) -> Option<u32> {
    let before = before + filters(&fs::read_to_string("/proc/self/status").unwrap_or_default());
    below(above).into_iter().chain([above]).find(|pid| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        filters(&status) > before
    })
}

/// How many filters of system calls a process has.
fn filters(status: &str) -> u32 {
    field(status, "Seccomp_filters:").parse().unwrap_or(0)
}

pub(crate) fn field<'a>(status: &'a str, name: &str) -> &'a str {
    status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).unwrap_or_default()
}

/// The processes that a process started, and those that they started.
pub(crate) fn below(above: u32) -> BTreeSet<u32> {
    let threads = fs::read_dir(format!("/proc/{above}/task")).into_iter().flatten().flatten();
    let children =
        threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    let children = children.collect::<String>();
    let own: Vec<u32> = children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    own.iter().flat_map(|pid| below(*pid)).chain(own.iter().copied()).collect()
}

/// Nothing of a jailed tree outlives `kill -9` of the program that started it.
#[test]
fn nothing_of_a_jail_outlives_a_kill_of_the_service_by_either_wall() {
    for way in ways() {
        let world = World::new();
        let Some(_) = way.walls(&world) else { continue };
        let work = world.outside().join("work");
        fs::create_dir(&work).expect("a folder can be made");
        if !way.root && geteuid().is_root() {
            chown(&work, Some(USER), Some(USER)).expect("root gives away what it likes");
        }
        let system = ["/usr", "/lib", "/lib64", "/bin"].map(PathBuf::from);
        let execute: Vec<PathBuf> = system.into_iter().filter(|path| path.exists()).collect();
        // Ten minutes, and a fraction that no other process has in its command line.
        let mark = format!("600.{:07}", std::process::id());
        // A descendant whose parent has ended, as a daemon makes itself.
        let jail = json!({
            "execute": execute, "read": [], "write": work, "memory": 1_u64 << 30, "cpu_seconds": 60,
            "program": "/bin/bash", "args": ["-c", format!("(sleep {mark} & sleep {mark} &) ; sleep {mark}")],
        });
        let mut command = way.command(&world, &["child", "compile"]);
        hand_over(&mut command, jail.to_string().as_bytes());
        let child = Background::start(command);
        let what = format!("{way:?}: the jail has descendants");
        eventually(Duration::from_secs(20), &what, || (sleepers(&mark) == 3).then_some(()));
        child.signal(Signal::SIGKILL);
        let what = format!("{way:?}: the descendants have ended");
        eventually(Duration::from_secs(10), &what, || (sleepers(&mark) == 0).then_some(()));
    }
}

/// How many processes sleep for this long.
fn sleepers(mark: &str) -> usize {
    let line = format!("sleep\0{mark}\0");
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|found| found == line.as_bytes()).count()
}

/// `cl-admin` on a kernel without Landlock that lets nobody make a namespace.
pub(crate) fn without_any_wall(world: &World, words: &[&str]) -> Command {
    let mut command = without_namespaces(world, words);
    landlock::hide(&mut command);
    command
}

/// `cl-admin` on a kernel that lets nobody make a namespace of files or users.
fn without_namespaces(world: &World, words: &[&str]) -> Command {
    without(&["mnt", "user"], world, words)
}

/// `cl-admin` on a kernel that lets nobody make a namespace of these kinds.
pub(crate) fn without(kinds: &[&str], world: &World, words: &[&str]) -> Command {
    let none = kinds.iter().map(|kind| format!("echo 0 >/proc/sys/user/max_{kind}_namespaces; "));
    let none = none.chain(["exec \"$@\"".to_owned()]).collect::<String>();
    let admin = world.command(Program::Admin, words);
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "sh", "-c", &none, "sh"]);
    command.arg(admin.get_program()).args(admin.get_args()).current_dir(world.outside());
    command.env_clear().envs(admin.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

/// Landlock opens what a rule opens and takes no part of it back: where a program gets no view of its own, a profile's command
/// does not start if something in the workspace is forbidden, and starts if nothing is.
#[test]
fn a_command_is_not_started_where_nothing_can_hide_what_the_profile_forbids() {
    if !landlock::is_there() {
        return skip("without Landlock and namespaces no command is started at all");
    }
    for (forbidden, starts) in [("", true), ("  forbidden_paths: [\"private/**\"]\n", false)] {
        let world = World::new();
        world.allow(&format!("autonomy: full\ngrants:\n  commands: [sh attack.sh]\n{forbidden}"));
        let diary = world.workspace("private/diary.txt");
        fs::create_dir_all(diary.parent().expect("a folder")).expect("a folder can be made");
        fs::write(diary, "dear diary\n").expect("a file can be written");
        fs::write(world.workspace("attack.sh"), "cat private/diary.txt\n").expect("a file can be written");
        let id = world.wants(&Ask::line("sh attack.sh"));
        let ran = run(without_namespaces(&world, &["run", "--once"]), b"", PATIENCE);
        if ran.stderr.contains("unshare:") {
            return skip("no user namespace can be made here, so none can be taken away");
        }
        let shown = world.shown(&id).to_string();
        assert_eq!(shown.contains("dear diary"), starts, "{shown}\n{}", ran.report());
        assert_eq!(shown.contains("cannot be hidden, since this system gives no view"), !starts, "{shown}");
    }
}

/// Where no child can be confined, nothing is read: the proposal waits, that is said once with the reason, the exit code says
/// so, and it continues automatically on a machine that can.
#[test]
fn a_proposal_waits_for_a_kernel_that_confines_and_is_then_read() {
    if tameclaw_tests::skill::compiler_is_missing() {
        return;
    }
    let world = World::new();
    world.ask("learn to roll dice");
    let ran = run(without_any_wall(&world, &["run", "--once"]), b"", PATIENCE);
    if ran.stderr.contains("unshare:") {
        return skip("no user namespace can be made here, so none can be taken away");
    }
    let ran = ran.exited(1).says("proposals wait: ").says("`cl-admin doctor` says what to do");
    assert_eq!(ran.stderr.matches("cannot be confined").count(), 1, "{}", ran.report());
    let listed = run(without_any_wall(&world, &["list", "--json"]), b"", PATIENCE).done().json_rows();
    let row = listed.first().expect("the file is listed");
    assert_eq!((row["id"].as_str(), row["waits_for"].as_str()), (None, Some("compiler")), "{row}");
    assert!(row["reason"].to_string().contains("no child can be confined"), "{row}");
    let left = fs::read_dir(world.home().proposals(&world.profile())).expect("the folder").count();
    assert_eq!(left, 1, "the proposal stays");
    world.admin(&["run", "--once"]).done();
    assert_eq!(world.newest()["waits_for"], "person");
}

/// doctor tells a machine that cannot confine the compiler from one that lacks it.
#[test]
fn doctor_tells_no_jail_from_no_compiler() {
    if tameclaw_tests::skill::compiler_is_missing() {
        return;
    }
    let world = World::new();
    let ran = run(without_any_wall(&world, &["doctor", "--json"]), b"", PATIENCE);
    if ran.stderr.contains("unshare:") {
        return skip("no user namespace can be made here, so none can be taken away");
    }
    let look = |rows: &[Value], what: &str| {
        rows.iter().find(|row| row["what"] == what).unwrap_or_else(|| panic!("no look at {what}")).clone()
    };
    let rows = ran.exited(1).json_rows();
    let (children, compiler) = (look(&rows, "children"), look(&rows, "compiler"));
    assert_eq!((children["health"].as_str(), compiler["health"].as_str()), (Some("fail"), Some("fail")));
    let words = children["words"].to_string();
    assert!(words.contains("no Landlock") && words.contains("a mount namespace"), "{words}");
    let next = compiler["next"].to_string();
    assert!(!next.contains("apt-get") && !next.contains("rustup") && next.contains("children"), "{next}");
    assert!(compiler["words"].to_string().contains("rustc 1."), "{compiler}");

    fs::write(world.home().admin_config(), "compiler: /no/such/rustc\n").expect("it can be written");
    let rows = world.admin(&["doctor", "--json"]).exited(1).json_rows();
    assert_eq!(look(&rows, "children")["health"], "pass", "{rows:?}");
    let compiler = look(&rows, "compiler");
    assert!(compiler["next"].to_string().contains("apt-get"), "{compiler}");
}
