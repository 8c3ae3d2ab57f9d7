//! Invariant 9 on a disk without a byte left: the journal continues, a person can decide, and nothing is lost.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;
use tameclaw_tests::disk::Disk;
use tameclaw_tests::eventually;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

fn row(world: &World, name: &str) -> Value {
    let rows = world.list();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}: {rows:?}")).clone()
}

/// The wish of one proposal in the folder of another; the bot itself could not write it on a full disk.
fn wished(world: &World) -> PathBuf {
    let folder = world.home().proposals(&world.profile());
    let found = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    found.max().expect("there is a wish")
}

fn room(path: &Path) -> u64 {
    let disk = nix::sys::statvfs::statvfs(path).expect("a disk");
    disk.blocks_available() * disk.fragment_size()
}

/// With the service running: a yes and a no are carried out at once, and what cannot continue says that it waits for room.
#[test]
fn a_person_decides_on_a_full_disk_and_what_waits_for_room_goes_on_by_itself() {
    if compiler_is_missing() {
        return;
    }
    let world = World::empty();
    let Some(disk) = Disk::for_home(&world, 48) else { return };
    world.admin(&["init"]).done();
    world.ask("learn to roll dice");
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    world.ask("learn to convert temperatures");
    let late = wished(&world);
    let kept = fs::read(&late).expect("the wish");
    fs::write(world.home().admin_config(), "poll_interval_seconds: 1\n").expect("it can be written");

    let journal = fs::metadata(world.home().journal()).expect("a journal");
    assert!(journal.blocks() * 512 >= journal.len() + (1 << 20), "room for what comes next is taken ahead");
    disk.fill();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["waits for room"], PATIENCE).expect("it says what it waits for");
    assert_eq!(room(disk.path()), 0);

    let before = durable::verify(&world.home().journal()).expect("it holds").0;
    world.admin(&["approve", "roll-dice", "--yes"]).done().prints("is installed");
    world.admin(&["reject", "tell-leap-years", "--reason", "not now"]).done().prints("is rejected");
    assert_eq!(row(&world, "roll-dice")["status"], "accepted");
    assert_eq!(row(&world, "tell-leap-years")["status"], "rejected");
    assert!(durable::verify(&world.home().journal()).expect("it holds").0 >= before + 4);
    assert!(world.home().skills().join("roll-dice/1/skill.wasm").is_file());
    for name in ["roll-dice", "tell-leap-years"] {
        let id = row(&world, name)["id"].as_str().expect("an id").to_owned();
        let folder = world.home().status(&world.profile());
        let mirror = fs::read_dir(folder)
            .expect("mirrors")
            .map(|entry| entry.expect("an entry").path())
            .find(|path| path.to_string_lossy().contains(&id))
            .expect("it is mirrored");
        let status = row(&world, name)["status"].as_str().expect("a status").to_owned();
        assert!(fs::read_to_string(mirror).expect("a mirror").contains(&format!("\nstatus: {status}\n")));
    }
    assert_eq!(fs::read(&late).expect("the wish"), kept, "nothing is lost");

    disk.make_room();
    eventually(PATIENCE, "the late wish goes on by itself", || {
        world.list().iter().find(|row| row["status"] == "human-review").cloned()
    });
    eventually(Duration::from_secs(20), "the room is kept again", || {
        fs::metadata(world.home().reserve()).ok().filter(|reserve| reserve.len() == 4 << 20)
    });
    service.signal(Signal::SIGTERM);
    service.ended(PATIENCE).done();
    world.bot(&["config", "validate"]).done();
}

/// Without a service, the verbs do it themselves, the start on a full disk included.
#[test]
fn a_verb_decides_on_a_full_disk_by_itself() {
    if compiler_is_missing() {
        return;
    }
    let world = World::empty();
    let Some(disk) = Disk::for_home(&world, 48) else { return };
    world.admin(&["init"]).done();
    world.ask("learn to roll dice");
    world.admin(&["run", "--once"]).done();
    disk.fill();
    world.admin(&["approve", "roll-dice", "--yes"]).done().prints("is installed");
    assert_eq!(row(&world, "roll-dice")["status"], "accepted");
    world.admin(&["list"]).done();
    durable::verify(&world.home().journal()).expect("it holds");
}

/// A chat that begins on a full disk answers what needs no disk, and says what it could not keep. A home on a read-only
/// file system counts as full.
#[test]
fn a_chat_on_a_full_or_read_only_disk_answers_and_says_what_is_not_kept() {
    let world = World::empty();
    let Some(disk) = Disk::for_home(&world, 48) else { return };
    world.admin(&["init"]).done();
    disk.fill();
    let asked = |line: &str| world.bot(&["agent", "-m", line]);
    let ran =
        asked("what time is it?").done().prints("It is").says("the disk is full, so nothing new is kept");
    let ran = ran.says("a call of a tool has no receipt: the disk is full").hides("receipts.jsonl");
    let _ = ran.says("could not be remembered").hides("os error");
    asked("remember that my name is Anna").exited(1).prints("the disk is full").hides("os error");
    asked("learn to roll dice").exited(1).prints("could not be written").prints("the disk is full");
    world.bot(&["memory", "list"]).done();
    disk.make_room();
    asked("remember that my name is Anna").done();
    asked("what is my name?").done().prints("Anna").hides("the disk is full");

    let remounted = Command::new("mount").args(["-o", "remount,ro"]).arg(disk.path()).status();
    assert!(remounted.is_ok_and(|status| status.success()));
    fs::write(disk.path().join("one-more"), "x").expect_err("nothing can be written");
    asked("what is my name?").done().prints("Anna").says("the file system is read-only").hides("os error");
    world.admin(&["run", "--once"]).exited(1).says("the file system is read-only").hides("os error");
}

/// A newer signed list is remembered on a full disk too: its serial needs no more room than the one before.
#[test]
fn the_highest_serial_is_kept_on_a_full_disk() {
    let world = World::empty();
    let Some(disk) = Disk::for_home(&world, 48) else { return };
    world.admin(&["init"]).done();
    world.ask("what time is it?");
    let seen = world.home().profile(&world.profile()).join("memory/manifest_serial");
    let serial = fs::read_to_string(&seen).expect("the serial was seen");
    fs::write(&seen, "0\n").expect("there is room");
    disk.fill();
    world.ask("what time is it?");
    assert_eq!(fs::read_to_string(&seen).expect("it is still there"), serial);
}

/// What only tells the time continues without a receipt, and says so; the chain is whole, and continues once there is room.
#[test]
fn a_receipt_that_finds_no_room_is_told_and_breaks_no_chain() {
    let world = World::empty();
    let Some(disk) = Disk::for_home(&world, 48) else { return };
    world.admin(&["init"]).done();
    world.ask("what time is it?");
    // The log has taken room for a hundred ahead, which is given back here; its last page may have room for a few.
    let log = world.home().profile(&world.profile()).join("logs/receipts.jsonl");
    let log = OpenOptions::new().write(true).open(log).expect("a log");
    let length = log.metadata().expect("its facts").len();
    log.set_len(length + 1).and_then(|()| log.set_len(length)).expect("it can be cut");
    disk.fill();
    let mut kept = 1;
    let told = (0..12).any(|_| {
        let ran = world.bot(&["agent", "-m", "what time is it?"]);
        let told = ran.stderr.contains("a call of a tool has no receipt");
        kept += u64::from(!told);
        told
    });
    assert!(told, "the log cannot go on without room");
    disk.make_room();
    world.bot(&["receipt", "verify"]).done().prints("hold");
    world.ask("what time is it?");
    world.bot(&["receipt", "verify"]).done().prints(&format!("{} receipts hold", kept + 1));
}
