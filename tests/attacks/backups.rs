//! A backup that was tampered with, or is older than what was seen, brings nothing; one that is cut off replaces nothing.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::unistd::geteuid;
use serde_json::{Value, json};
use shared_types::id::Digest;
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::skip;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::children::without_any_wall;
use crate::forge;
use crate::tiers::{USER, as_user, open_way};
use crate::two_users::{all, by, open_way_outside};

/// One file of a container, as bytes.
struct Entry {
    name: String,
    kind: u8,
    /// What its header says of its size.
    size: Option<u64>,
    content: Vec<u8>,
}

fn file(name: &str, content: &[u8]) -> Entry {
    Entry { name: name.to_owned(), kind: b'0', size: None, content: content.to_owned() }
}

/// A container of these entries, by hand: the code for backups cannot write it.
fn container(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Entry { name, kind, size, content } in entries {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        let octal = |value: u64, width: usize| format!("{value:0width$o}\0");
        let size = size.unwrap_or(content.len() as u64);
        for (at, text) in
            [(100, octal(0o600, 7)), (108, octal(0, 7)), (116, octal(0, 7)), (136, octal(0, 11))]
        {
            header[at..at + text.len()].copy_from_slice(text.as_bytes());
        }
        // Sizes above 8 GiB are written in base 256.
        if size < 1 << 33 {
            header[124..136].copy_from_slice(octal(size, 11).as_bytes());
        } else {
            header[124] = 0x80;
            header[128..136].copy_from_slice(&size.to_be_bytes());
        }
        header[156] = *kind;
        header[257..265].copy_from_slice(b"ustar  \0");
        header[148..156].fill(b' ');
        let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// The header of a plain backup, which comes first.
fn header_of(backup: &Path) -> Value {
    let bytes = fs::read(backup).expect("a backup");
    let size = std::str::from_utf8(&bytes[124..135]).expect("a number");
    let size = usize::from_str_radix(size, 8).expect("a number");
    serde_json::from_slice(&bytes[512..512 + size]).expect("JSON")
}

/// A backup of these files with a true index and signature, by the key of the home itself.
fn signed(world: &World, header: &Value, entries: Vec<Entry>) -> PathBuf {
    let listed: Vec<Value> = entries
        .iter()
        .map(|e| json!({"name": e.name, "size": e.content.len(), "sha256": Digest::of(&e.content)}))
        .collect();
    let index = json!({"header": header, "files": listed, "skipped": []}).to_string();
    let signature = forge::sign(&forge::admin_key(world), &index);
    let mut all = vec![file("backup.json", header.to_string().as_bytes())];
    all.extend(entries);
    all.push(file("index.json", index.as_bytes()));
    all.push(file("index.json.sig", signature.as_bytes()));
    let path = world.outside().join("made.tar");
    fs::write(&path, container(&all)).expect("it can be written");
    path
}

fn owner_key(world: &World) -> String {
    world.home().keys().join("approver-owner.key").display().to_string()
}

/// Any one changed byte, and any missing end, is noticed before anything is written.
#[test]
fn a_backup_of_which_a_byte_was_changed_or_the_end_is_missing_brings_nothing() {
    let world = World::without_kit();
    world.ask("remember that my name is Anna");
    let key = owner_key(&world);
    let (plain, sealed) = (world.back_up_plain("plain.tar"), world.back_up("sealed.age", &["--with-keys"]));
    let fresh = World::empty();
    let bad = fresh.outside().join("bad");
    let refused = |bytes: &[u8], is_plain: bool, what: &str| {
        fs::write(&bad, bytes).expect("it can be written");
        let ran = match is_plain {
            true => fresh.restore_plain(&bad, &["--approver-key", &key]),
            false => fresh.restore(&bad, &[]),
        };
        assert!([3, 4].contains(&ran.status), "{what}: {}", ran.report());
        assert!(!fresh.home().root().exists(), "{what}: nothing was made");
    };
    for (backup, is_plain, count) in [(&plain, true, 24), (&sealed, false, 5)] {
        let whole = fs::read(backup).expect("a backup");
        for step in 0..count {
            let place = whole.len() * step / count;
            let mut changed = whole.clone();
            // The padding of a plain container says nothing.
            let Some(place) = (place..whole.len()).find(|at| !is_plain || whole[*at] != 0) else { continue };
            changed[place] ^= 1;
            // Owner, group and time of an entry are not used, and its own sum covers them; any change breaks that sum.
            refused(&changed, is_plain, &format!("byte {place}, plain: {is_plain}"));
        }
        for length in
            [0, 1, 511, 512, whole.len() / 3, whole.len() / 2, whole.len() - 3000, whole.len() - 600]
        {
            refused(
                &whole[..length.min(whole.len() - 1)],
                is_plain,
                &format!("cut at {length}, plain: {is_plain}"),
            );
        }
        let mut longer = whole.clone();
        longer.extend_from_slice(b"more");
        refused(&longer, is_plain, "something follows");
    }
}

/// A wrong passphrase opens nothing, and a short one is refused when the backup is made.
#[test]
fn another_passphrase_opens_nothing() {
    let world = World::without_kit();
    let backup = world.back_up("sealed.age", &[]).display().to_string();
    let wrong = world.secret_file("wrong", "wrong horse battery");
    world
        .admin(&["backup", &backup, "--verify", "--passphrase-file", &wrong])
        .exited(3)
        .says("does not open");
    let fresh = World::empty();
    fresh.admin(&["restore", &backup, "--yes", "--passphrase-file", &wrong]).exited(3).says("does not open");
    assert!(!fresh.home().root().exists());
    let short = world.secret_file("short", "short");
    let place = world.outside().join("x").display().to_string();
    world.admin(&["backup", &place, "--passphrase-file", &short]).exited(2).says("at least");
    world.admin(&["backup", &place]).exited(3).says("--passphrase-file");
    world.admin(&["backup", &place, "--plain", "--with-keys"]).exited(2);
    assert!(!Path::new(&place).exists());
    // Nobody slips a plain one in where an encrypted one was.
    let plain = world.back_up_plain("plain.tar");
    fresh.restore(&plain, &[]).exited(3).says("is not encrypted");
}

/// Links, devices, folders, names that lead elsewhere, names twice, and sizes beyond all limits are refused even if the home's own
/// key has signed the index.
#[test]
fn an_entry_that_is_no_file_of_a_home_is_refused() {
    let world = World::without_kit();
    let header = header_of(&world.back_up_plain("plain.tar"));
    let key = owner_key(&world);
    let of_kind = |kind: u8| Entry { kind, ..file("config/default.yaml", b"") };
    let of_size = |size: u64| Entry { size: Some(size), ..file("config/default.yaml", b"") };
    let cases: Vec<(Vec<Entry>, &str)> = vec![
        (vec![of_kind(b'1')], "a hard link"),
        (vec![of_kind(b'2')], "a symbolic link"),
        (vec![of_kind(b'3')], "a device"),
        (vec![of_kind(b'4')], "a device"),
        (vec![of_kind(b'5')], "a folder"),
        (vec![of_kind(b'6')], "a pipe"),
        (vec![of_kind(b'x')], "another kind"),
        (vec![file("../outside", b"x")], "no place in a home"),
        (vec![file("/tmp/outside", b"x")], "no place in a home"),
        (vec![file("config/../../outside", b"x")], "no place in a home"),
        (vec![file("data/profiles/default/workspace/../../../../outside", b"x")], "no place in a home"),
        (vec![file("admin/service.lock", b"x")], "made anew"),
        (vec![file("config/default.yaml", b""), file("config/default.yaml", b"")], "twice"),
        (vec![of_size(9 << 30)], "bytes in one file"),
        (vec![of_size(u64::MAX >> 1)], "cannot be read"),
        (vec![Entry { kind: b'L', size: Some(1 << 30), ..file("x", b"") }], "bytes in a name"),
    ];
    for (entries, why) in cases {
        let backup = signed(&world, &header, entries);
        let fresh = World::empty();
        let ran = fresh.restore_plain(&backup, &["--approver-key", &key]);
        assert!([3, 4].contains(&ran.status), "{why}: {}", ran.report());
        if why != "cannot be read" {
            ran.says(why);
        }
        assert!(!fresh.home().root().exists() && !fresh.outside().join("outside").exists(), "{why}");
    }
}

/// A header that names another serial than its journal gives, or a format or a home of the future, is refused.
#[test]
fn a_fake_that_names_another_serial_or_version_is_refused() {
    let world = World::without_kit();
    let header = header_of(&world.back_up_plain("plain.tar"));
    let key = owner_key(&world);
    let journal = fs::read(world.home().journal()).expect("a journal");
    let head = fs::read(world.home().journal_head()).expect("a head");
    let approvers = fs::read(world.home().approvers()).expect("approvers");
    let trust = fs::read(world.home().trust()).expect("a key");
    for (field, value, code, why) in [
        ("serial", json!(1_000_000), 4, "its journal gives"),
        ("format", json!(2), 3, "format 2"),
        ("home", json!(2), 3, "version 2"),
    ] {
        let mut changed = header.clone();
        changed[field] = value;
        let entries = vec![
            file("admin/heads/journal", &head),
            file("admin/journal/journal.jsonl", &journal),
            file("config/approvers.yaml", &approvers),
            file("config/trust.pub", &trust),
        ];
        let backup = signed(&world, &changed, entries);
        let fresh = World::empty();
        fresh.restore_plain(&backup, &["--approver-key", &key]).exited(code).says(why);
        fresh.bot(&["agent", "-m", "hello"]).exited(if field == "serial" { 3 } else { 1 });
    }
}

/// What was removed after the backup stays removed, where the bot's data still tells of it.
#[test]
fn a_skill_that_was_removed_after_the_backup_does_not_come_back() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_skill("learn to roll dice");
    assert!(world.ask("roll 3d1+2").contains('5'));
    let backup = world.back_up("sealed.age", &["--with-keys"]);
    world.admin(&["skill", "remove", "roll-dice", "--reason", "it must go"]).done();
    world.ask("what time is it?");
    let seen = world.serial();
    world.lose_all_but_data();
    world.restore(&backup, &[]).done().prints("not active: roll-dice").prints("kept the data of `default`");
    assert!(world.serial() > seen, "the manifest is above the one that was seen");
    let ran = world.bot(&["agent", "-m", "roll 3d1+2"]).done();
    assert!(!ran.stdout.contains('5'), "{}", ran.report());
    world.admin(&["audit", "verify"]);
}

/// An approver who was removed after the backup stays removed.
#[test]
fn an_approver_who_was_removed_after_the_backup_does_not_come_back() {
    let world = World::without_kit();
    let pair = minisign::KeyPair::generate_unencrypted_keypair().expect("a key can be made");
    world.admin(&["approver", "add", "ben", "--public-key", &pair.pk.to_base64()]).done();
    let backup = world.back_up("sealed.age", &["--with-keys"]);
    world.admin(&["approver", "remove", "ben"]).done();
    world.ask("what time is it?");
    world.lose_all_but_data();
    world.restore(&backup, &[]).exited(3).says("the approvers changed after this backup");
    assert!(!world.home().config().exists(), "nothing was left");
    // With a later one it goes.
}

/// The bot writes what it has seen: a number beyond all reason neither raises the serial nor stops anything silently.
#[test]
fn a_serial_that_the_bot_made_up_is_not_believed() {
    let world = World::without_kit();
    world.ask("what time is it?");
    let backup = world.back_up("sealed.age", &["--with-keys"]);
    let seen = world.home().profile(&world.profile()).join("memory/manifest_serial");
    fs::write(&seen, format!("{}\n", u64::MAX)).expect("it can be written");
    world.lose_all_but_data();
    world.restore(&backup, &[]).exited(3).says("which cannot be");
    fs::write(&seen, "1\n").expect("it can be written");
    world.restore(&backup, &[]).done();
    world.ask("what time is it?");
}

/// Both programs refuse a home of the future, and one into which a restore was cut off.
#[test]
fn a_newer_home_and_half_a_restore_are_refused_by_both_programs() {
    let world = World::without_kit();
    let file = world.home().config().join("home.yaml");
    let digest = "ab".repeat(32);
    for (text, why) in [
        ("version: 2\nlayout: later\n".to_owned(), "this home has version 2"),
        (format!("version: 1\nrestoring:\n  backup: {digest}\n"), "was interrupted"),
        ("version: none\n".to_owned(), "is not valid"),
    ] {
        fs::write(&file, &text).expect("it can be written");
        for arguments in [&["agent", "-m", "hello"][..], &["memory", "list"], &["config", "validate"]] {
            world.bot(arguments).exited(3).says(why).says("Hint: ");
        }
        for arguments in
            [&["list"][..], &["run", "--once"], &["init"], &["backup", "/tmp/never-made", "--plain"]]
        {
            world.admin(arguments).exited(3).says(why).says("hint: ");
        }
        assert_eq!(fs::read_to_string(&file).expect("a file"), text, "nothing was changed");
    }
}

/// Killed behind any block, the old backup stands, and what was left is removed by the next run.
#[test]
fn a_backup_that_is_killed_replaces_nothing() {
    let world = World::without_kit();
    world.ask("remember that my name is Anna");
    let old = world.back_up_plain("home.tar");
    let before = fs::read(&old).expect("a backup");
    let place = old.display().to_string();
    let blocks = before.len() / 512;
    for limit in [1, blocks / 4, blocks / 2, blocks - 12, blocks - 4] {
        let like = world.command(Program::Admin, &["backup", &place, "--plain"]);
        let mut command = Command::new("prlimit");
        // The system kills who writes beyond it.
        command
            .arg(format!("--fsize={}", limit * 512))
            .arg("--core=0")
            .arg(like.get_program())
            .args(like.get_args());
        command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.current_dir(world.outside());
        let ran = run(command, b"", PATIENCE);
        assert_ne!(ran.status, 0, "{}", ran.report());
        assert!(fs::read(&old).expect("it stands") == before, "cut behind block {limit}");
    }
    world.admin(&["backup", &place, "--verify"]).done();
    world.admin(&["backup", &place, "--plain"]).done();
    let left: Vec<_> = fs::read_dir(world.outside())
        .expect("a folder")
        .filter_map(|entry| entry.expect("a name").file_name().into_string().ok())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A restore that is killed leaves a home that neither program uses, and is done again.
#[test]
fn a_restore_that_is_killed_is_done_again() {
    let world = World::without_kit();
    world.ask("remember that my name is Anna");
    let large = world.home().profile(&world.profile()).join("workspace/large.bin");
    fs::write(&large, vec![7; 300_000]).expect("a file can be written");
    let backup = world.back_up_plain("home.tar").display().to_string();
    let key = owner_key(&world);
    let fresh = World::empty();
    let arguments = ["restore", &backup, "--yes", "--approver-key", &key];
    let like = fresh.command(Program::Admin, &arguments);
    let mut command = Command::new("prlimit");
    command.arg("--fsize=100000").arg("--core=0").arg(like.get_program()).args(like.get_args());
    command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(fresh.outside());
    assert_ne!(run(command, b"", PATIENCE).status, 0);
    fresh.bot(&["agent", "-m", "hello"]).exited(3).says("interrupted");
    fresh.admin(&["init"]).exited(3).says("interrupted");
    // Another backup does not continue where this one was.
    world.ask("remember that my dog is Rex");
    let other = world.back_up_plain("other.tar");
    fresh.restore_plain(&other, &["--approver-key", &key]).exited(3).says("another backup");
    fresh.admin(&arguments).done();
    assert!(fresh.ask("what is my name?").contains("Anna"));
    let restored = fresh.home().profile(&fresh.profile()).join("workspace/large.bin");
    assert_eq!(fs::read(restored).expect("it is there"), vec![7; 300_000]);
}

/// One that was cut off before it had looked at `data/` looks at it when it is run again.
#[test]
fn a_restore_that_was_cut_off_before_it_looked_keeps_what_is_there() {
    let world = World::without_kit();
    let key = fs::read_to_string(owner_key(&world)).expect("a key");
    let key = world.secret_file("owner.key", &key);
    let backup = world.back_up_plain("home.tar");
    world.ask("remember that my name is Anna");
    world.lose_all_but_data();
    let index = Command::new("tar").arg("-xOf").arg(&backup).arg("index.json").output().expect("tar runs");
    let mark = format!("version: 1\nrestoring:\n  backup: {}\n", Digest::of(&index.stdout));
    fs::create_dir(world.home().config()).expect("a folder");
    fs::write(world.home().config().join("home.yaml"), mark).expect("it can be written");
    world.restore_plain(&backup, &["--approver-key", &key]).done().prints("kept the data of `default`");
    assert!(world.ask("what is my name?").contains("Anna"));
}

/// A full disk: the old backup stands, and nothing is left of the new one.
#[test]
fn a_full_disk_leaves_the_old_backup() {
    let world = World::without_kit();
    let disk = world.outside().join("disk");
    fs::create_dir(&disk).expect("a folder can be made");
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&disk).output();
    if !mount.is_ok_and(|output| output.status.success()) {
        return skip("nothing can be mounted here");
    }
    let old = disk.join("home.tar");
    fs::write(&old, "the old one").expect("it can be written");
    fs::write(world.home().profile(&world.profile()).join("workspace/a.bin"), vec![1; 400_000])
        .expect("a file");
    let ran = world.admin(&["backup", &old.display().to_string(), "--plain"]);
    let names: Vec<_> =
        fs::read_dir(&disk).expect("a folder").map(|e| e.expect("a name").file_name()).collect();
    let kept = fs::read_to_string(&old);
    let _ = Command::new("umount").arg("--lazy").arg(&disk).output();
    ran.exited(1).says("the disk is full");
    assert_eq!(kept.expect("it stands"), "the old one");
    assert_eq!(names, ["home.tar"]);
}

/// Links in the bot's folders lead nowhere: a backup holds nothing but what is there.
#[test]
fn a_link_of_the_bots_brings_nothing_into_a_backup() {
    let world = World::without_kit();
    let workspace = world.home().profile(&world.profile()).join("workspace");
    let mark = "Zebrafink-outside";
    fs::write(world.outside().join("secret.txt"), mark).expect("it can be written");
    symlink(world.outside().join("secret.txt"), workspace.join("link")).expect("a link can be made");
    symlink(world.home().keys(), workspace.join("keys")).expect("a link can be made");
    fs::hard_link(world.outside().join("secret.txt"), workspace.join("second")).expect("a link can be made");
    let ran =
        world.admin(&["backup", &world.outside().join("home.tar").display().to_string(), "--plain"]).done();
    let ran = ran.says("workspace/link").says("workspace/keys").says("workspace/second");
    let bytes = fs::read(world.outside().join("home.tar")).expect("a backup");
    assert!(!bytes.windows(mark.len()).any(|part| part == mark.as_bytes()), "{}", ran.report());
}

/// A home whose bot knows a name, with one backup in a folder.
fn with_one_backup() -> (World, PathBuf) {
    let world = World::without_kit();
    world.ask("remember that my name is Anna");
    let folder = world.outside().join("backups");
    fs::create_dir(&folder).expect("a folder can be made");
    keep_one(&world, &folder).done();
    (world, folder)
}

fn keep_one(world: &World, folder: &Path) -> Ran {
    world.admin(&["backup", &folder.display().to_string(), "--plain", "--keep", "1"])
}

/// A memory that is locked is not in the backup. Then it ends with 1, and the older backup that has it stays.
#[test]
fn a_memory_that_is_locked_costs_no_older_backup() {
    let (world, folder) = with_one_backup();
    let memory = world.home().profile(&world.profile()).join("memory");
    let lock = fs::File::create(memory.join("receipts.lock")).expect("a file can be made");
    lock.lock().expect("nobody else has locked it");
    keep_one(&world, &folder).exited(1).says("/memory is not in the backup").says("locked");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2, "the older backup is gone");
}

/// A bot that puts a link in the place of its memory, so that no backup has it, costs no older backup.
#[test]
fn a_memory_of_another_kind_costs_no_older_backup() {
    let (world, folder) = with_one_backup();
    let facts = world.home().profile(&world.profile()).join("memory/facts.jsonl");
    fs::rename(&facts, world.outside().join("facts")).expect("it can be moved");
    symlink(world.outside().join("facts"), &facts).expect("a link can be made");
    keep_one(&world, &folder).exited(1).says("memory/facts.jsonl is not in the backup").says("is a link");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2, "the older backup is gone");
}

/// More links than a backup names do not hide that a memory is one.
#[test]
fn many_links_hide_no_memory_that_is_missing() {
    let (world, folder) = with_one_backup();
    let profile = world.home().profile(&world.profile());
    (0..10_000).for_each(|at| {
        symlink("/nowhere", profile.join(format!("logs/{at}"))).expect("a link can be made");
    });
    fs::rename(profile.join("memory/facts.jsonl"), world.outside().join("facts")).expect("it can be moved");
    symlink(world.outside().join("facts"), profile.join("memory/facts.jsonl")).expect("a link can be made");
    keep_one(&world, &folder)
        .exited(1)
        .says("memory/facts.jsonl is not in the backup")
        .says("more than 10000");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2, "the older backup is gone");
}

/// A chain of receipts is in the backup as a whole, however many files it has.
#[test]
fn every_file_of_a_long_chain_of_receipts_is_in_the_backup() {
    let world = World::without_kit();
    let logs = world.home().profile(&world.profile()).join("logs");
    for name in ["receipts.lock", "receipts.jsonl"] {
        fs::write(logs.join(name), "").expect("it can be written");
    }
    (1..=1_100).for_each(|number| {
        fs::write(logs.join(format!("receipts.{number}.jsonl")), "{}\n").expect("it can be written");
    });
    let backup = fs::read(world.back_up_plain("home.tar")).expect("a backup");
    // The index names each in quotes.
    let listed = String::from_utf8_lossy(&backup).matches("\"data/profiles/default/logs/receipts.").count();
    assert_eq!(listed, 1_101);
}

/// One file that cannot be read ends no backup: all others are in it, the file is named, and the older backup stays.
#[test]
fn a_file_that_cannot_be_read_is_named_and_costs_no_older_backup() {
    let world = World::without_kit();
    let folder = world.outside().join("backups");
    fs::create_dir(&folder).expect("a folder can be made");
    let workspace = world.home().profile(&world.profile()).join("workspace");
    fs::write(workspace.join("a.txt"), "Zebrafink").expect("it can be written");
    fs::write(workspace.join("closed.txt"), "closed").expect("it can be written");
    fs::write(workspace.join("z.txt"), "Zebrafink-last").expect("it can be written");
    if geteuid().is_root() {
        // Root reads files of every mode: somebody else owns this home.
        open_way_outside(&world);
        all(world.outside()).iter().for_each(|path| lchown(path, Some(USER), Some(USER)).expect("root may"));
    }
    let place = folder.display().to_string();
    let arguments = ["backup", &place, "--plain", "--keep", "1"];
    let backup = || match geteuid().is_root() {
        true => run(by(&world, USER, "", Program::Admin, &arguments), b"", PATIENCE),
        false => world.admin(&arguments),
    };
    backup().done();
    fs::set_permissions(workspace.join("closed.txt"), fs::Permissions::from_mode(0o000)).expect("a mode");
    backup().exited(1).says("error: data/profiles/default/workspace/closed.txt is not in the backup");
    let backups: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|e| e.expect("a name").path()).collect();
    assert_eq!(backups.len(), 2, "the older backup is gone");
    for backup in &backups {
        let bytes = fs::read(backup).expect("a backup");
        assert!(bytes.windows(14).any(|part| part == b"Zebrafink-last"), "what comes after it is in it");
    }
}

/// A signed head that cannot be read is named, as a restore needs it.
#[test]
fn a_signed_head_that_cannot_be_read_is_named() {
    let world = World::without_kit();
    let file = world.outside().join("home.tar").display().to_string();
    fs::create_dir(world.home().own_heads().join("default.receipts")).expect("a folder can be made");
    let ran = world.admin(&["backup", &file, "--plain"]).exited(1);
    ran.says("error: admin/heads/default.receipts is not in the backup: is not a regular file");
}

/// A line of a person in need is on no disk, so no backup holds it.
#[test]
fn a_backup_holds_no_line_of_a_person_in_need() {
    let world = World::without_kit();
    let mark = "Zebrafink";
    world.bot(&["agent", "-m", &format!("ich will sterben, {mark}")]).answered();
    world.ask("remember that my name is Anna");
    let bytes = fs::read(world.back_up_plain("home.tar")).expect("a backup");
    assert!(bytes.windows(4).any(|part| part == b"Anna"), "other lines are in it");
    assert!(!bytes.windows(mark.len()).any(|part| part.eq_ignore_ascii_case(mark.as_bytes())));
}

/// Two users: what is the bot's is read and written by a child that is the bot's user, and every owner is right afterwards.
#[test]
fn with_two_users_a_child_of_the_bots_user_reads_and_writes_its_data() {
    if !geteuid().is_root() {
        return skip("only root can start programs as two users");
    }
    let world = World::without_kit();
    world.admin(&["init", "--bot-user", &USER.to_string()]).done();
    open_way(&world);
    run(as_user(&world, &["agent", "-m", "remember that my name is Anna"]), b"", PATIENCE).done();
    let backup = world.back_up("sealed.age", &["--with-keys"]);
    let fresh = World::empty();
    open_way(&fresh);
    fresh.restore(&backup, &[]).done();
    let profile = fresh.home().profile(&fresh.profile());
    for path in [profile.join("memory/facts.jsonl"), profile.join("memory"), profile.clone()] {
        assert_eq!(fs::metadata(&path).expect("it is there").uid(), USER, "{}", path.display());
    }
    assert_eq!(fs::metadata(fresh.home().data()).expect("it is there").uid(), 0);
    let ran = run(as_user(&fresh, &["agent", "-m", "what is my name?"]), b"", PATIENCE).done();
    ran.prints("Anna");
    let files = fresh.admin(&["doctor", "--json"]).json_rows();
    assert!(
        files.iter().filter(|row| row["what"] == "files").all(|row| row["health"] == "pass"),
        "{files:?}"
    );
    fresh.admin(&["profile", "erase", "default", "--yes"]).done();
    assert!(!profile.join("memory").exists());
}

/// What is written to a file in pieces can be written by no other user: the mode is the owner's alone from the first byte.
#[test]
fn a_backup_is_readable_by_its_owner_alone() {
    let world = World::without_kit();
    let backup = world.back_up_plain("home.tar");
    assert_eq!(fs::metadata(&backup).expect("it is there").mode() & 0o777, 0o600);
    let mut other = fs::File::create(world.outside().join("loose.tar")).expect("a file can be made");
    other.write_all(b"x").expect("it can be written");
    let loose = world.outside().join("loose.tar").display().to_string();
    world.admin(&["backup", &loose, "--plain"]).done();
    assert_eq!(fs::metadata(&loose).expect("it is there").mode() & 0o777, 0o600);
}

/// A second name of the home is the home: a backup that is lost with it is not one.
#[test]
fn a_backup_goes_to_no_second_name_of_the_home() {
    let world = World::new();
    let second = world.outside().join("second");
    fs::create_dir(&second).expect("a folder");
    let place = second.join("status/home.tar").display().to_string();
    let admin = world.command(Program::Admin, &["backup", &place, "--plain"]);
    let mut command = Command::new("unshare");
    let mounted = "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"";
    command.args(["--mount", "sh", "-c", mounted, "sh"]).args([world.home().root(), &second]);
    command.arg(admin.get_program()).args(admin.get_args()).current_dir(world.outside());
    command.env_clear().envs(admin.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = run(command, b"", PATIENCE);
    if ["unshare:", "mount:"].iter().any(|word| ran.stderr.contains(word)) {
        return skip("nothing can be mounted here");
    }
    ran.exited(2).says("is within the home");
    assert!(!world.home().root().join("status/home.tar").exists());
}

/// Where no wall stands around the child that reads the bot's files, it reads none, unless the configuration lets the bot do without
/// walls; then the backup says so.
#[test]
fn a_child_without_walls_reads_nothing_unless_the_configuration_says_so() {
    let world = World::new();
    let file = world.outside().join("home.tar");
    let words = ["backup", &file.display().to_string(), "--plain"];
    let refused = run(without_any_wall(&world, &words), b"", PATIENCE);
    if refused.stderr.contains("unshare:") {
        return skip("no user namespace can be made here, so none can be taken away");
    }
    refused.exited(1).says("file access is not confined").says("`cl-admin doctor`");
    assert!(!file.exists());
    fs::write(world.home().bot_config(), "security: {minimum_isolation: degraded}\n").expect("a file");
    let ran = run(without_any_wall(&world, &words), b"", PATIENCE);
    ran.done().says("note: the bot's files: ").says("file access is not confined");
    assert!(file.exists());
}
