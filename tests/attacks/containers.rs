//! Both programs in containers, as `packaging/compose.yaml` says: the whole way works, and nothing else does.

use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::Signal;
use tameclaw_tests::container::Containers;
use tameclaw_tests::run::{Background, Kept, Ran, run};
use tameclaw_tests::skill::{compiler, compiler_is_missing};
use tameclaw_tests::world::PATIENCE;
use tameclaw_tests::{eventually, skip};

const HOME: &str = "/var/lib/tameclaw/home";

fn compiler_of_the_distribution_is_missing() -> bool {
    if compiler_is_missing() {
        return true;
    }
    let missing = compiler().is_some_and(|compiler| !compiler.of_the_distribution);
    if missing {
        skip("the containers have the distribution's compiler alone, and it is not installed");
    }
    missing
}

/// The newest proposal.
#[track_caller]
fn newest(containers: &Containers) -> serde_json::Value {
    let rows = containers.run("admin", &["list", "--json"]).done().json_rows();
    rows.into_iter().max_by_key(|row| row["id"].as_str().map(str::to_owned)).expect("there is a proposal")
}

/// From new volumes to a skill that answers, with read-only roots, no capability, and one writer for each folder.
#[test]
fn from_a_wish_to_a_skill_that_answers() {
    if compiler_of_the_distribution_is_missing() {
        return;
    }
    let Some(containers) = Containers::new().map(Containers::made) else { return };
    containers.run("bot", &["agent", "-m", "learn to roll dice"]).done();
    containers.run("admin", &["run", "--once"]);
    let row = newest(&containers);
    assert_eq!(row["status"], "human-review", "{row}");
    containers.run("admin", &["approve", row["id"].as_str().expect("an id"), "--yes"]).done();
    let answer = containers.run("bot", &["agent", "-m", "roll 3d1+2"]).done();
    assert!(answer.stdout.contains('5'), "{}", answer.report());
    containers.run("bot", &["agent", "-m", "what time is it in Tokyo"]).done().hides("don't know");
    // Started again, nothing is given away anew, and all is as it should be.
    containers.run("owners", &[]).done();
    containers.run("home", &[]).done().prints("are as they should be");
    let looked = containers.run("admin", &["doctor", "--json"]).json_rows();
    let failed: Vec<_> = looked.iter().filter(|row| row["health"] == "fail").collect();
    assert!(failed.is_empty(), "{failed:?}");
    let children = looked.iter().find(|row| row["what"] == "children").expect("doctor looks at the children");
    assert_eq!(children["health"], "pass", "the jail has a root of its own: {children}");
}

/// A further profile: its folders are made first, since the service may only read there.
#[test]
fn a_profile_is_added_though_the_service_only_reads_its_data() {
    let Some(containers) = Containers::new().map(Containers::made) else { return };
    containers.run("admin", &["profile", "add", "anna", "--audience", "adult"]).exited(1);
    containers.run("owners", &["anna"]).done();
    containers.run("admin", &["profile", "add", "anna", "--audience", "adult"]).done();
    containers.run("bot", &["agent", "--profile", "anna", "-m", "hi"]).done();
    for name in ["../x", "", "-rf", "a b", "$(x)"] {
        containers.run("owners", &[name]).exited(2).says("is not the name of a profile");
    }
}

/// What a process of a service may write. Each other place must be on a read-only mount: that modes refuse it too is not enough.
#[track_caller]
fn writes_only(containers: &Containers, service: &str, writable: &[&str]) {
    let folders = ["", "/config", "/skills", "/status", "/runs", "/secrets", "/certificates", "/admin"];
    let home = folders.map(|at| format!("{HOME}{at}"));
    let mut places: Vec<&str> = home.iter().map(String::as_str).collect();
    places.extend([
        "/",
        "/etc",
        "/usr",
        "/usr/local",
        "/var",
        "/var/lib",
        "/data",
        "/data/profiles/default/memory",
        "/tmp",
    ]);
    places.push("/sys/kernel");
    let script = format!(
        "for place in {}; do if [ ! -d $place ]; then echo \"$place: absent\"; continue; fi; \
         if said=$(LC_ALL=C mkdir $place/probe 2>&1); then echo \"$place: written\"; rmdir $place/probe; \
         else echo \"$place: ${{said##*: }}\"; fi; done",
        places.join(" ")
    );
    let ran = containers.shell(service, &script).done();
    for line in ran.stdout.lines() {
        let (place, what) = line.split_once(": ").unwrap_or_else(|| panic!("{}", ran.report()));
        let expected: &[&str] = match place {
            place if writable.contains(&place) => &["written"],
            // The service's: it may be passed, and the volume is the bot's.
            "/data" if service == "bot" => &["Permission denied"],
            place if place.ends_with("/admin") => &["absent"],
            _ => &["Read-only file system"],
        };
        assert!(expected.contains(&what), "{service}: {line}\n{}", ran.report());
    }
    assert_eq!(ran.stdout.lines().count(), places.len(), "{}", ran.report());
}

/// The chat writes its own data and nothing else, and the service's closed folder is not there at all. The service writes the
/// folders of the home and nothing else, and only reads what is the bot's.
#[test]
fn each_container_writes_its_own_folders_and_nothing_else() {
    let Some(containers) = Containers::new().map(Containers::made) else { return };
    writes_only(&containers, "bot", &["/data/profiles/default/memory", "/tmp"]);
    let read = containers.shell("bot", &format!("cat {HOME}/admin/keys/manifest.key"));
    read.exited(1).says("No such file");
    is_powerless(&containers.shell("bot", "cat /proc/self/status").done(), 65532);
    let folders = ["config", "skills", "status", "runs", "secrets", "certificates", "admin"]
        .map(|name| format!("{HOME}/{name}"));
    let mut writable: Vec<&str> = folders.iter().map(String::as_str).collect();
    writable.push("/tmp");
    writes_only(&containers, "admin", &writable);
    is_powerless(&containers.shell("admin", "cat /proc/self/status").done(), 65531);
}

/// No capability, none to be had, and another user.
#[track_caller]
fn is_powerless(ran: &Ran, user: u32) {
    let value = |name: &str| {
        let line = ran.stdout.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        line.unwrap_or_else(|| panic!("`{name}` is not told\n{}", ran.report())).to_owned()
    };
    for set in ["CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"] {
        assert_eq!(value(set), "0000000000000000", "{set}");
    }
    assert_eq!(value("NoNewPrivs:"), "1");
    assert!(value("Uid:").split_whitespace().all(|number| number == user.to_string()), "{}", ran.report());
}

/// Without the profile, on a kernel without Landlock, neither the chat nor a compiler is started, and it is said why. The profile
/// lets both make walls of their own.
#[test]
fn where_no_wall_can_be_had_nothing_is_started() {
    let Some(mut containers) = Containers::new().map(Containers::made) else { return };
    let chat = containers.typed("bot", &["agent"], "learn to roll dice\n/whoami\n/exit\n").done();
    if tameclaw_tests::landlock::is_there() {
        chat.prints("isolation full");
    }
    containers.without_landlock = true;
    containers.run("bot", &["agent", "-m", "hi"]).exited(3).says("isolation `degraded` is less than");
    let profile = containers.services.get_mut("admin").seccomp.take();
    assert!(profile.is_some(), "the service's container has a profile of its own");
    containers.run("admin", &["run", "--once"]).says("a child cannot be confined on this machine");
    assert_eq!(newest(&containers)["status"], "new", "it waits");
    let doctor = containers.run("admin", &["doctor"]).exited(1);
    doctor.prints("no child can be confined, so proposals, commands and plugins wait");
    containers.services.get_mut("bot").seccomp.clone_from(&profile);
    containers.typed("bot", &["agent"], "/whoami\n/exit\n").done().prints("isolation namespace");
    if !compiler_of_the_distribution_is_missing() {
        containers.services.get_mut("admin").seccomp = profile;
        containers.run("admin", &["run", "--once"]);
        assert_eq!(newest(&containers)["status"], "human-review");
    }
}

/// As the first process of its container each program ends by a signal, which the kernel keeps from one that does not catch it.
#[test]
fn each_program_ends_by_a_signal_as_the_first_process() {
    let Some(containers) = Containers::new().map(Containers::made) else { return };
    let (service, kill) = containers.prepared("admin", &["run"]);
    let service = Background::start(service);
    assert!(service.stderr.wait_for(&["\n"], PATIENCE).is_some(), "the service says that it runs");
    run(kill("TERM"), b"", PATIENCE).done();
    service.ended(Duration::from_secs(15)).done();
    for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
        let (mut chat, kill) = containers.prepared("bot", &["agent"]);
        // It waits for a person, who types nothing.
        let chat = chat.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut chat = Kept(chat.expect("it starts"));
        let ended = eventually(Duration::from_secs(15), "the chat ends by a signal", || {
            // Until it has started there is nobody to be signalled.
            let _ = kill(signal.as_str()).output();
            chat.0.try_wait().expect("a child can be waited for")
        });
        assert_eq!(ended.code(), Some(128 + signal as i32), "{signal}");
    }
}
