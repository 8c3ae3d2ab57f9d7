//! Invariant 7: an attacker who owns the bot's process owns its folder of proposals, and gets nothing out of that.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};
use nix::unistd::{geteuid, mkfifo};
use serde_json::Value;
use tameclaw_tests::world::{Program, World};

use crate::i07_intake::{id, proposal};

/// A home without a compiler: what is taken in goes no further, so that a pass is quick.
fn world() -> World {
    let world = World::new();
    set(&world, "compiler: /nowhere/rustc\n");
    world
}

/// Writes the admin's configuration.
pub(crate) fn set(world: &World, text: &str) {
    fs::write(world.home().admin_config(), text).expect("the configuration can be written");
}

/// The bot's folder of proposals.
pub(crate) fn spool(world: &World) -> PathBuf {
    world.home().proposals(&world.profile())
}

/// Writes a proposal of that name as the bot would.
pub(crate) fn wish(world: &World, name: &str) -> String {
    let id = id();
    let text = proposal(&id, Some(("name: leap-years", &format!("name: {name}"))));
    fs::write(spool(world).join(format!("{name}-{id}.yaml")), text).expect("a file can be written");
    id
}

fn pass(world: &World) -> Vec<Value> {
    world.admin(&["run", "--once"]).done();
    world.list()
}

/// What the list says of a file that was refused.
fn reason(rows: &[Value], file: &str) -> String {
    let row = rows.iter().find(|row| row["name"] == file).unwrap_or_else(|| panic!("{file} in {rows:?}"));
    assert_eq!(row["status"], "rejected", "{row}");
    row["reason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn everything_but_a_plain_file_is_refused_by_its_kind_and_nothing_blocks() {
    let world = world();
    let at = |name: &str| spool(&world).join(name);
    fs::create_dir(world.outside().join("elsewhere")).expect("a folder can be made");
    fs::write(world.outside().join("wish.yaml"), proposal(&id(), None)).expect("a file can be written");
    mkfifo(&at("pipe.yaml"), Mode::S_IRWXU).expect("a pipe can be made");
    let _socket = UnixListener::bind(at("socket.yaml")).expect("a socket can be made");
    fs::create_dir(at("folder.yaml")).expect("a folder can be made");
    symlink(world.outside().join("wish.yaml"), at("link.yaml")).expect("a link can be made");
    symlink(world.outside().join("elsewhere"), at("link-to-folder.yaml")).expect("a link can be made");
    fs::hard_link(world.outside().join("wish.yaml"), at("hard-link.yaml")).expect("a link can be made");
    File::create(at("sparse.yaml")).and_then(|file| file.set_len(1 << 40)).expect("a file can be made");
    let mut kinds = vec![
        ("pipe.yaml", "is not a regular file"),
        ("socket.yaml", "is not a regular file"),
        ("folder.yaml", "is not a regular file"),
        ("link.yaml", "is a link"),
        ("link-to-folder.yaml", "is a link"),
        ("hard-link.yaml", "hard link"),
        ("sparse.yaml", "more than 65536 bytes"),
    ];
    let device = (SFlag::S_IFCHR, Mode::S_IRWXU, makedev(1, 5));
    if geteuid().is_root() && mknod(&at("device.yaml"), device.0, device.1, device.2).is_ok() {
        kinds.push(("device.yaml", "is not a regular file"));
    }
    fs::write(at("closed.yaml"), proposal(&id(), None)).expect("a file can be written");
    fs::set_permissions(at("closed.yaml"), fs::Permissions::from_mode(0o0)).expect("a mode can be set");
    if !geteuid().is_root() {
        kinds.push(("closed.yaml", "may not open it"));
    }
    let start = Instant::now();
    let rows = pass(&world);
    assert!(start.elapsed() < Duration::from_secs(20), "nothing of it blocks");
    for (file, expected) in kinds {
        assert!(reason(&rows, file).contains(expected), "{file}: {}", reason(&rows, file));
    }
}

/// A write lease must not hold the service up; when its holder has let go, the proposal is taken in.
#[test]
fn a_write_lease_holds_nobody_up_and_costs_the_proposal_only_time() {
    let world = world();
    let leased = wish(&world, "leased");
    let other = wish(&world, "other");
    let file = spool(&world).join(format!("leased-{leased}.yaml"));
    let script = "use Fcntl; $SIG{IO}='IGNORE'; open(my $f,'+<',$ARGV[0]) or die; \
                  fcntl($f,1024,1) or die \"$!\"; $|=1; print \"held\\n\"; sleep 60";
    let holder = Command::new("perl").args(["-e", script]).arg(&file).stdout(Stdio::piped()).spawn();
    let Ok(mut holder) = holder else {
        eprintln!("skipped: no perl to hold a lease with");
        return;
    };
    let mut held = [0; 5];
    std::io::Read::read_exact(holder.stdout.as_mut().expect("stdout is piped"), &mut held).expect("a lease");
    let start = Instant::now();
    let ran = world.admin(&["run", "--once"]).done().says("lease");
    assert!(start.elapsed() < Duration::from_secs(20), "{}", ran.report());
    let rows = world.list();
    assert!(rows.iter().any(|row| row["id"] == *other), "{rows:?}");
    assert!(rows.iter().any(|row| row["id"].is_null() && row["waits_for"] == "room"), "{rows:?}");
    holder.kill().and_then(|()| holder.wait()).expect("the holder ends");
    assert!(pass(&world).iter().any(|row| row["id"] == *leased));
}

#[test]
fn a_folder_that_was_swapped_for_a_link_leads_nowhere() {
    let world = world();
    wish(&world, "before");
    pass(&world);
    let folder = spool(&world);
    let elsewhere = world.outside().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder can be made");
    let hidden = id();
    fs::write(elsewhere.join(format!("leap-years-{hidden}.yaml")), proposal(&hidden, None)).expect("a file");
    fs::rename(&folder, world.outside().join("moved")).expect("a folder can be moved");
    symlink(&elsewhere, &folder).expect("a link can be made");
    let rows = pass(&world);
    assert!(rows.iter().all(|row| row["id"] != *hidden), "{rows:?}");
    // A true folder in the same place is just a folder with other files.
    fs::remove_file(&folder).expect("a link can be removed");
    fs::rename(&elsewhere, &folder).expect("a folder can be moved");
    assert!(pass(&world).iter().any(|row| row["id"] == *hidden));
}

#[test]
fn a_proposal_in_another_profiles_folder_counts_for_nobody() {
    let world = world();
    let foreign = world.home().all_proposals().join("parent");
    fs::create_dir(&foreign).expect("a folder can be made");
    let id = id();
    fs::write(foreign.join("leap.yaml"), proposal(&id, None)).expect("a file can be written");
    let rows = pass(&world);
    assert!(reason(&rows, "leap.yaml").contains("is in the folder of `parent`"), "{rows:?}");
}

/// Swaps a name between a proposal, a link to a secret and a pipe as fast as it can, while the service reads.
#[test]
fn a_file_that_is_swapped_while_it_is_opened_gives_nothing_away() {
    let world = world();
    let folder = spool(&world);
    let secret = world.outside().join("secret");
    fs::write(&secret, "proposal: the-secret-of-the-admin\n").expect("a file can be written");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (mut round, at) = (0_u32, |name: &str| folder.join(name));
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                round += 1;
                let _ = fs::write(at(".a"), proposal(&id(), None));
                let _ = symlink(&secret, at(".b"));
                let _ = mkfifo(&at(".c"), Mode::S_IRWXU);
                for hidden in [".a", ".b", ".c"] {
                    let _ = fs::rename(at(hidden), at(&format!("swapped-{}.yaml", round % 8)));
                }
            }
        });
        for _ in 0..5 {
            world.admin(&["run", "--once"]).done().hides("the-secret-of-the-admin");
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    world.admin(&["list"]).done().hides("the-secret-of-the-admin");
}

/// What is read is what was there at one moment, and at most the cap of it, however fast the file grows.
#[test]
fn a_file_that_grows_while_it_is_read_is_read_once() {
    let world = world();
    let path = spool(&world).join("growing.yaml");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = File::create(&path).expect("a file can be made");
            for _ in 0..200_000 {
                if stop.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
                file.write_all(&[b'#'; 512]).expect("a file can be written");
            }
        });
        let rows = pass(&world);
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(rows.iter().filter(|row| row["name"] == "growing.yaml").count(), 1, "{rows:?}");
    });
    assert_eq!(pass(&world).len(), 1, "and it is not looked at again");
}

#[test]
fn names_of_any_bytes_are_kept_apart_and_shown_harmlessly() {
    let world = world();
    let names: [&[u8]; 6] = [
        b"line\nbreak.yaml",
        b"line break.yaml",
        b"\x1b]0;owned\x07.yaml",
        b"not-\xff-text.yaml",
        b"not-\xfe-text.yaml",
        "\u{202e}lmay.yaml".as_bytes(),
    ];
    for name in names {
        fs::write(spool(&world).join(OsStr::from_bytes(name)), "no proposal").expect("a file can be written");
    }
    let ran = world.admin(&["run", "--once"]).done();
    let listed = world.admin(&["list"]).done();
    for text in [&ran.stderr, &listed.stdout] {
        assert!(!text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
    }
    let mut shown: Vec<Value> = world.list().iter().map(|row| row["name"].clone()).collect();
    shown.sort_by_key(Value::to_string);
    shown.dedup();
    assert_eq!(shown.len(), names.len(), "{shown:?}");
    assert_eq!(pass(&world).len(), names.len(), "none of them is looked at twice");
}

#[test]
fn a_change_after_the_file_was_taken_in_is_noted_once_and_ignored() {
    let world = world();
    let taken = wish(&world, "steady");
    let path = spool(&world).join(format!("steady-{taken}.yaml"));
    pass(&world);
    let journal = || fs::read_to_string(world.home().journal()).expect("there is a journal");
    // Touched and not changed.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode can be set");
    pass(&world);
    assert_eq!(journal().matches("\"record\":\"changed\"").count(), 0);
    let text = fs::read_to_string(&path).expect("it can be read");
    fs::write(&path, text.replace("capabilities: []", "capabilities: [memory:read]"))
        .expect("it can be written");
    world.admin(&["run", "--once"]).done().says("was changed after it was taken in");
    fs::write(&path, "anything").expect("it can be written");
    pass(&world);
    assert_eq!(journal().matches("\"record\":\"changed\"").count(), 1, "once");
    world.admin(&["show", &taken]).done().hides("memory:read").prints("its file was changed after");
}

#[test]
fn a_proposal_is_withdrawn_by_a_file_of_its_name_and_by_nobody_elses() {
    let world = world();
    let (gone, kept) = (wish(&world, "gone"), wish(&world, "kept"));
    pass(&world);
    File::create(spool(&world).join(format!("gone-{gone}.withdrawn"))).expect("a file can be made");
    symlink("/nowhere", spool(&world).join(format!("kept-{kept}.withdrawn"))).expect("a link can be made");
    let rows = pass(&world);
    let row = |id: &str| rows.iter().find(|row| row["id"] == id).expect("it is listed");
    assert_eq!((&row(&gone)["status"], &row(&gone)["reason"]), (&"rejected".into(), &"withdrawn".into()));
    assert_ne!(row(&kept)["status"], "rejected");
}

/// Twenty thousand files at once: a pass stays short and small, and nothing is lost.
#[test]
fn very_many_files_cost_a_pass_little() {
    let world = world();
    flood(&world, 20_000, Duration::from_secs(20));
}

/// The same with a million files, which takes minutes to make and to clean away.
#[test]
#[ignore = "a million files take minutes and a million inodes"]
fn a_million_files_cost_a_pass_little() {
    let world = world();
    flood(&world, 1_000_000, Duration::from_secs(60));
}

fn flood(world: &World, count: usize, limit: Duration) {
    for n in 0..count {
        File::create(spool(world).join(format!("flood-{n}.yaml"))).expect("a file can be made");
    }
    let good = world.home().all_proposals().join("quiet");
    fs::create_dir(&good).expect("a folder can be made");
    let wished = id();
    let text = proposal(&wished, Some(("profile_id: default", "profile_id: quiet")));
    fs::write(good.join("leap.yaml"), text).expect("a file can be written");
    let start = Instant::now();
    let peak = peak(world);
    assert!(start.elapsed() < limit, "{:?}", start.elapsed());
    assert!(peak < 48 << 10, "{peak} KiB at the peak");
    let rows = world.list();
    assert!(rows.iter().any(|row| row["id"] == *wished), "the other profile's turn comes in the same pass");
    let looked_at = rows.iter().filter(|row| row["status"] == "rejected").count();
    // The burst, and what comes back while the pass runs.
    assert!((1..=120).contains(&looked_at), "{looked_at}");
    world.admin(&["list"]).done().prints("files of proposals wait for their turn");
}

/// Runs a pass and hands out the peak of its memory, in KiB.
fn peak(world: &World) -> u64 {
    let mut ran = world.start(Program::Admin, &["run", "--once"]);
    let mut peak = 0;
    while ran.runs() {
        let status = fs::read_to_string(format!("/proc/{}/status", ran.pid())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(peak);
        std::thread::sleep(Duration::from_millis(5));
    }
    ran.ended(Duration::from_secs(60)).done();
    peak
}
