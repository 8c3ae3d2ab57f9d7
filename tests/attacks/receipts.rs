//! Who changes what is on record is found out, and who cannot write it is not served.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use tameclaw_tests::mapping::Mapping;
use tameclaw_tests::run::{Background, run};
use tameclaw_tests::world::{PATIENCE, Program, World};
use tameclaw_tests::{eventually, skip};

use crate::forge;

/// Five calls of the clock, each by a chat of its own, signed by the admin.
fn signed() -> World {
    let world = World::new();
    for _ in 0..5 {
        world.ask("what time is it?");
    }
    assert_eq!(lines(&world).len(), 5);
    world.admin(&["run", "--once"]).done();
    world
}

fn log(world: &World) -> PathBuf {
    world.home().logs(&world.profile()).join("receipts.jsonl")
}

fn lines(world: &World) -> Vec<String> {
    fs::read_to_string(log(world)).expect("receipts").lines().map(str::to_owned).collect()
}

fn write(path: &Path, lines: &[String]) {
    fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>())
        .expect("it can be written");
}

/// Insists that the admin raises an alarm, keeps the head that it signed, and that both programs name the place.
#[track_caller]
fn found_out(world: &World, what: &str, says: &str) {
    let head = world.home().own_heads().join("default.receipts");
    let before = fs::read(&head).expect("a head");
    let ran = world.admin(&["run", "--once"]).done();
    assert!(ran.stderr.contains("ALARM about the receipts of `default`"), "{what}\n{}", ran.report());
    assert!(ran.stderr.contains(says), "{what}: `{says}`\n{}", ran.report());
    assert_eq!(fs::read(&head).expect("a head"), before, "{what}: nothing is signed any more");
    let audit = world.admin(&["audit", "verify"]);
    assert_eq!(audit.status, 4, "{what}\n{}", audit.report());
    assert!(audit.stdout.contains("BROKEN  the receipts of `default`"), "{what}\n{}", audit.report());
    let verify = world.bot(&["receipt", "verify"]);
    assert_ne!(verify.status, 0, "{what}\n{}", verify.report());
    world.admin(&["list"]).done().says("ALARM");
}

#[test]
fn every_way_to_change_signed_receipts_raises_an_alarm_that_names_the_place() {
    let base = signed();
    let other = signed();
    let good = lines(&base);
    type Change<'a> = &'a (dyn Fn(&World, Vec<String>) + Sync);
    let set = |world: &World, lines: &[String]| write(&log(world), lines);
    let changes: [(&str, &str, Change<'_>); 10] = [
        ("a member is changed", "receipt 3 (receipts.jsonl, line 3)", &|world, mut all| {
            all[2] = all[2].replace("\"policy\"", "\"person\"");
            set(world, &all);
        }),
        ("two are swapped", "receipt 2", &|world, mut all| {
            all.swap(1, 2);
            set(world, &all);
        }),
        ("one is doubled", "receipt 4", &|world, mut all| {
            all.insert(3, all[2].clone());
            set(world, &all);
        }),
        ("the last two are gone", "receipt 4 (of 5 that were signed) is missing", &|world, mut all| {
            all.truncate(3);
            set(world, &all);
        }),
        ("the file is gone", "receipt 1 (of 5 that were signed) is missing", &|world, _| {
            fs::remove_file(log(world)).expect("it can be removed");
        }),
        ("another home's valid chain", "receipt 5 is not the one that was signed", &|world, _| {
            fs::copy(log(&other), log(world)).expect("it can be copied");
        }),
        ("garbage at the end", "receipt 6", &|world, mut all| {
            all.push("{\"receipt\":\"of mine\"}".to_owned());
            set(world, &all);
        }),
        ("a pipe in its place", "is not a regular file", &|world, _| {
            fs::remove_file(log(world)).expect("it can be removed");
            nix::unistd::mkfifo(&log(world), nix::sys::stat::Mode::S_IRWXU).expect("a pipe can be made");
        }),
        ("a link in its folder's place", "its folder was replaced by something else", &|world, _| {
            let (folder, away) = (world.home().logs(&world.profile()), world.outside().join("away"));
            fs::rename(&folder, &away).expect("it can be moved");
            symlink(&away, &folder).expect("a link can be made");
        }),
        ("a link in its place", "is a link", &|world, all| {
            let elsewhere = world.outside().join("elsewhere");
            write(&elsewhere, &all);
            fs::remove_file(log(world)).expect("it can be removed");
            symlink(&elsewhere, log(world)).expect("a link can be made");
        }),
    ];
    for (what, says, change) in changes {
        let world = base.copy();
        change(&world, good.clone());
        found_out(&world, what, says);
    }
    // The same beside a service that has signed one more: all at once, since each takes its seconds.
    std::thread::scope(|scope| {
        for (what, _, change) in changes {
            let base = &base;
            scope.spawn(move || {
                let (world, service) = watched(base);
                change(&world, lines(&world));
                let told = service.stderr.wait_for(&["ALARM about the receipts of `default`"], SOON);
                assert!(told.is_some(), "{what}: {}", service.stderr.text());
                let head = fs::read_to_string(world.home().own_heads().join("default.receipts"));
                assert!(head.expect("a head").contains("\"count\":6"), "{what}: nothing is signed any more");
            });
        }
    });
}

const SOON: Duration = Duration::from_secs(60);

/// A copy of a home with a service that has just signed the sixth receipt.
fn watched(base: &World) -> (World, Background) {
    let world = base.copy();
    fs::write(world.home().admin_config(), "compiler: /nowhere/rustc\naudit: {unreadable_seconds: 2}\n")
        .expect("it can be written");
    let service = forge::serving(&world);
    world.ask("what time is it?");
    let head = world.home().own_heads().join("default.receipts");
    eventually(SOON, "the sixth is signed", || {
        fs::read_to_string(&head).ok().filter(|text| text.contains("\"count\":6")).map(drop)
    });
    (world, service)
}

/// Receipts that nobody can read for a while, here by a lease, are an alarm: they might be changed meanwhile.
#[test]
fn receipts_that_stay_unreadable_are_an_alarm() {
    let (world, service) = watched(&signed());
    let script = "use Fcntl; $SIG{IO}='IGNORE'; open(my $f,'+<',$ARGV[0]) or die; \
                  for (1..500) { last if fcntl($f,1024,1); select(undef,undef,undef,.01) } seek($f,0,2); syswrite($f,\"mine\\n\"); $|=1; print \"held\\n\"; sleep 60";
    let holder = Command::new("perl").args(["-e", script]).arg(log(&world)).stdout(Stdio::piped()).spawn();
    let Ok(mut holder) = holder else { return skip("there is no perl to hold a lease with") };
    let told = service.stderr.wait_for(&["ALARM about the receipts of `default`"], SOON);
    let held = holder.try_wait().expect("it can be asked for").is_none();
    holder.kill().and_then(|()| holder.wait()).expect("the holder ends");
    let text = service.stderr.text();
    assert!(held && told.is_some() && text.contains("it cannot be read for"), "{text}");
    assert!(text.contains("its owner has a lease on it"), "{text}");
}

/// A receipt that was signed is changed through a mapping, on a file system that does not date the write: the running service
/// reads the whole chain again and again, and finds it.
#[test]
fn a_signed_receipt_that_is_changed_through_a_mapping_is_found_by_the_running_service() {
    let Ok(data) = tempfile::tempdir_in("/dev/shm") else { return skip("there is no /dev/shm") };
    let world = World::empty();
    let elsewhere = |program: Program, arguments: &[&str]| {
        let mut command = world.command(program, arguments);
        command.env("TAMECLAW_DATA_DIR", data.path());
        command
    };
    run(elsewhere(Program::Admin, &["init"]), b"", PATIENCE).done();
    fs::write(world.home().admin_config(), "compiler: /nowhere/rustc\n").expect("it can be written");
    let service = Background::start(elsewhere(Program::Admin, &["run"]));
    for _ in 0..2 {
        run(elsewhere(Program::Bot, &["agent", "-m", "what time is it?"]), b"", PATIENCE).done();
    }
    let head = world.home().own_heads().join("default.receipts");
    eventually(SOON, "both are signed", || {
        fs::read_to_string(&head).ok().filter(|text| text.contains("\"count\":2")).map(drop)
    });
    let file = data.path().join("profiles/default/logs/receipts.jsonl");
    let text = fs::read_to_string(&file).expect("receipts");
    let (mapping, at) = (Mapping::of(&file), text.find("policy").expect("who allowed it"));
    // The first write through the mapping sets the times, and changes nothing; the service has looked again by then.
    mapping.set(at, b'p');
    std::thread::sleep(Duration::from_secs(12));
    let before = fs::metadata(&file).expect("it is there");
    mapping.set(at, b'P');
    let after = fs::metadata(&file).expect("it is there");
    assert_eq!(
        (before.ctime(), before.ctime_nsec()),
        (after.ctime(), after.ctime_nsec()),
        "no time tells it"
    );
    let told = service.stderr.wait_for(&["ALARM about the receipts of `default`"], SOON);
    assert!(told.is_some(), "{}", service.stderr.text());
    service.stderr.expect("receipt 1 (receipts.jsonl, line 1)", SOON);
}

/// A file of terabytes, or of more than a file may have, is an alarm by its name; no acknowledgement reads it, and the service
/// answers and ends meanwhile as ever.
#[test]
fn a_file_of_terabytes_is_an_alarm_with_its_name_and_is_read_by_nobody() {
    let (world, service) = watched(&signed());
    let logs = world.home().logs(&world.profile());
    let sparse = |name: &str, length: u64| {
        let file = fs::File::create(logs.join(name)).expect("a file can be made");
        file.set_len(length).expect("it can be made long");
    };
    sparse("receipts.1.jsonl", 4 << 40);
    service.stderr.expect("receipts.1.jsonl", SOON);
    service.stderr.expect("a file of receipts has at most 33554432", SOON);
    for number in 2..60 {
        sparse(&format!("receipts.{number}.jsonl"), 1 << 30);
    }
    let begun = Instant::now();
    world.admin(&["audit", "acknowledge", "default", "--reason", "a try"]).exited(3).says("receipts.1.jsonl");
    world.admin(&["audit", "verify"]).exited(4).prints("a file of receipts has at most 33554432");
    world.bot(&["receipt", "verify"]).exited(4);
    assert!(begun.elapsed() < Duration::from_secs(20), "nobody reads it: {:?}", begun.elapsed());
    service.signal(Signal::SIGTERM);
    service.ended(Duration::from_secs(10));
}

/// An older head that is put back, and one of another chain, are not believed.
#[test]
fn a_head_that_is_put_back_or_anothers_is_found_out() {
    let world = signed();
    let published = world.home().published_heads().join("default.receipts");
    let older = fs::read(&published).expect("a head");
    world.ask("what time is it?");
    world.admin(&["run", "--once"]).done();
    let signed_last = head_of(&published, 6);
    fs::write(&published, &older).expect("it can be put back");
    world.admin(&["audit", "verify"]).exited(4).prints("is not the one that the admin signed last");
    world.admin(&["run", "--once"]).done();
    assert_eq!(head_of(&published, 6), signed_last, "the admin publishes its own again");
    world.admin(&["audit", "verify"]).done();
    // A power cut can leave an empty file: its content is not synced.
    fs::write(&published, "").expect("it can be emptied");
    world.admin(&["run", "--once"]).done();
    assert_eq!(head_of(&published, 6), signed_last, "the admin publishes its own again");

    let forged = fs::read_to_string(&published).expect("a head").replace("\"count\":6", "\"count\":5");
    fs::write(&published, &forged).expect("it can be written");
    world.bot(&["receipt", "verify"]).exited(4).prints("the signed head config/heads/default.receipts");
    fs::write(&published, fs::read(world.home().journal_head()).expect("a head")).expect("it can be written");
    world.bot(&["receipt", "verify"]).exited(4).prints("the signed head config/heads/default.receipts");
    // The admin's own copy is not believed blindly either.
    let own = world.home().own_heads().join("default.receipts");
    fs::write(&own, &forged).expect("it can be written");
    world.admin(&["run", "--once"]).done().says("ALARM about the receipts of `default`");
}

/// A power cut that tears the write of a head leaves the one before it, and nobody is alarmed; the next pass signs anew.
#[test]
fn a_head_whose_write_was_torn_is_signed_again_without_an_alarm() {
    let world = signed();
    let heads =
        [world.home().own_heads(), world.home().published_heads()].map(|f| f.join("default.receipts"));
    let inode = |path: &Path| fs::metadata(path).expect("a head").ino();
    let before = heads.each_ref().map(|path| inode(path));
    world.ask("what time is it?");
    world.admin(&["run", "--once"]).done();
    assert_eq!(heads.each_ref().map(|path| inode(path)), before, "a head is written over, in the same file");
    for path in &heads {
        let text = fs::read_to_string(path).expect("a head");
        let at = text.find("\"count\":6").expect("the second place holds the sixth");
        assert!(at >= 4096, "the head of before is left alone: {at}");
        fs::write(path, [&text.as_bytes()[..at], &vec![0xff; 8192 - at]].concat()).expect("it can be torn");
    }
    world.bot(&["receipt", "verify"]).done();
    let ran = world.admin(&["run", "--once"]).done();
    assert!(!ran.stderr.contains("ALARM"), "{}", ran.report());
    for path in &heads {
        head_of(path, 6);
    }
    world.admin(&["audit", "verify"]).done();
}

/// The signed line of a file of heads that goes up to `count`.
#[track_caller]
fn head_of(path: &Path, count: u64) -> String {
    let text = fs::read_to_string(path).expect("a head");
    let line = text.lines().find(|line| line.contains(&format!("\"count\":{count},")));
    line.unwrap_or_else(|| panic!("no head of {count}: {text}")).to_owned()
}

#[test]
fn chats_at_once_and_a_kill_leave_one_chain() {
    let world = World::new();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..3 {
                    world.ask("what time is it?");
                }
            });
        }
    });
    world.bot(&["receipt", "verify"]).done().prints("6 receipts hold");
    // One line after the other, and the program dies somewhere among them.
    let many = "what time is it?\n".repeat(100);
    let typed = world.outside().join("typed");
    fs::write(&typed, many).expect("it can be written");
    for pause in [40, 120] {
        let mut command = world.command(Program::Bot, &["agent"]);
        command.stdin(fs::File::open(&typed).expect("a file")).stdout(std::process::Stdio::null());
        let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(200 + pause));
        let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
        let _ = nix::sys::signal::kill(pid, Signal::SIGKILL);
        let _ = child.wait();
        world.bot(&["receipt", "verify"]).done().prints("receipts hold");
        world.ask("what time is it?");
    }
    let ran = world.admin(&["run", "--once"]).done();
    assert!(!ran.stderr.contains("ALARM"), "{}", ran.report());
    world.bot(&["receipt", "verify"]).done().prints("all of them are signed");
}

/// A line that was cut off by a power cut never counted; the next append removes it, and nobody is alarmed.
#[test]
fn a_torn_last_line_is_no_alarm() {
    let world = signed();
    let mut text = fs::read_to_string(log(&world)).expect("receipts");
    let torn = text[..200].to_owned();
    text.push_str(&torn);
    fs::write(log(&world), text).expect("it can be written");
    world.admin(&["run", "--once"]).done().hides("ALARM");
    world.bot(&["receipt", "verify"]).done().prints("a last line was cut off");
    world.ask("what time is it?");
    world.bot(&["receipt", "verify"]).done().prints("6 receipts hold").hides("cut off");
}
