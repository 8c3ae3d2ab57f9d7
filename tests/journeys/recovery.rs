//! What `docs/RECOVERY.md` promises: a home backed up while it runs, verified, restored, migrated; a profile erased.

use std::fs;
use std::path::Path;
use std::process::Command;

use nix::sys::signal::Signal;
use tameclaw_tests::backup::{IDENTITY, OTHER_IDENTITY, PASSPHRASE, RECIPIENT};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

fn holds(file: &Path, text: &str) -> bool {
    let bytes = fs::read(file).expect("a file");
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

/// A card breaks: the backup with keys makes the home again, and nothing has to be set anew.
#[test]
fn a_home_comes_back_from_a_backup_with_keys_and_answers() {
    let world = World::without_kit();
    world.ask("remember that my name is Anna");
    let backup = world.back_up("home.tar.age", &["--with-keys"]);
    assert!(!holds(&backup, "Anna"), "a backup is encrypted");
    let passphrase = world.secret_file("passphrase", PASSPHRASE);
    let file = backup.display().to_string();
    let verified = world.admin(&["backup", &file, "--verify", "--passphrase-file", &passphrase]).done();
    verified.prints("holds ").prints("with keys");
    let fresh = World::empty();
    fresh.restore(&backup, &[]).done().prints("restored a home");
    assert!(fresh.serial() > world.serial(), "the manifest is signed above what was seen");
    assert!(fresh.ask("what is my name?").contains("Anna"));
    fresh.bot(&["receipt", "verify"]).done();
    fresh.admin(&["audit", "verify"]).done();
    fresh.admin(&["run", "--once"]).done();
    // The place is not empty any more.
    fresh.restore(&backup, &[]).exited(3).says("is not empty");
}

/// Without keys in it, an approver signs a new key for the service; what counts as a key is set again by hand.
#[test]
fn a_backup_without_keys_needs_an_approver_and_holds_no_secret() {
    let world = World::without_kit();
    let pin = world.secret_file("pin", "4711-0815");
    world.admin(&["profile", "add", "anna", "--audience", "adult", "--pin-file", &pin]).done();
    let secret = world.secret_file("secret", "topsecretvalue");
    world.admin(&["secret", "set", "KEY", "--for", "example.org", "--file", &secret]).done();
    fs::write(world.home().credentials().join("local.key"), "loginsecretvalue").expect("it can be written");
    let plain = world.back_up_plain("plain.tar");
    let own = fs::read_to_string(world.home().keys().join("manifest.key")).expect("a key");
    let own = own.lines().nth(1).expect("a line").to_owned();
    let profile =
        fs::read_to_string(world.home().profile_file(&"anna".parse().expect("a name"))).expect("a profile");
    let pin = profile.split_once("$argon2id$").expect("a PIN's hash").1;
    let pin = pin.split(['"', '\'', '\n']).next().expect("a hash").to_owned();
    for text in ["topsecretvalue", "loginsecretvalue", pin.as_str(), own.as_str()] {
        assert!(!holds(&plain, text), "it holds `{text}`");
    }
    let key = world.home().keys().join("approver-owner.key").display().to_string();
    let fresh = World::empty();
    fresh.restore_plain(&plain, &[]).exited(3).says("--approver-key").says("owner");
    assert!(!fresh.home().root().exists(), "nothing was made");
    let other = World::without_kit();
    let stranger = other.home().keys().join("approver-owner.key").display().to_string();
    fresh.restore_plain(&plain, &["--approver-key", &stranger]).exited(3).says("no approver of the backup");
    assert!(!fresh.home().root().exists(), "nothing was made");
    fresh.restore_plain(&plain, &["--approver-key", &key]).done().prints("set again");
    let trust = |world: &World| fs::read_to_string(world.home().trust()).expect("a key");
    assert_ne!(trust(&fresh), trust(&world), "the service has a key of its own");
    fresh.ask("what time is it?");
    fresh.admin(&["audit", "verify"]).done();
    let journal = fs::read_to_string(fresh.home().journal()).expect("a journal");
    assert!(journal.contains("replace-key"), "the approver's word is on record");
    let list = fresh.admin(&["profile", "list", "--json"]).done().json_rows();
    assert!(list.iter().all(|row| row["pin"] == false), "{list:?}");
}

/// With a service running, and a skill that was learned.
#[test]
fn a_skill_comes_back_from_a_backup_that_was_made_while_the_service_ran() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_skill("learn to roll dice");
    let service = world.start(Program::Admin, &["run"]);
    let backup = world.back_up("home.tar.age", &["--with-keys"]);
    service.signal(Signal::SIGTERM);
    service.ended(PATIENCE).done();
    let fresh = World::empty();
    fresh.restore(&backup, &[]).done().prints("roll-dice version 1");
    assert!(fresh.ask("roll 3d1+2").contains('5'));
    fresh.admin(&["skill", "verify"]).done();
}

/// One person's data goes into a home that stands; what is there is not replaced.
#[test]
fn one_profile_comes_back_into_a_home_that_stands() {
    let world = World::without_kit();
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    let bot =
        |world: &World, line: &str| world.bot(&["--profile", "anna", "agent", "-m", line]).done().stdout;
    bot(&world, "remember that my dog is Rex");
    fs::write(world.home().profile(&"anna".parse().expect("a name")).join("workspace/a.txt"), "bread")
        .expect("a file");
    let backup = world.back_up("home.tar.age", &[]);
    world.restore(&backup, &["--profile", "anna"]).exited(3).says("files here");
    world.restore(&backup, &["--profile", "nobody"]).exited(1).says("default");
    let other = World::without_kit();
    let trust = fs::read(other.home().trust()).expect("a key");
    other.restore(&backup, &["--profile", "anna"]).done().prints("is back");
    assert!(bot(&other, "what is my dog?").contains("Rex"));
    let anna = other.home().profile(&"anna".parse().expect("a name"));
    assert_eq!(fs::read_to_string(anna.join("workspace/a.txt")).expect("a file"), "bread");
    assert_eq!(fs::read(other.home().trust()).expect("a key"), trust, "the home keeps its keys");
    other.admin(&["audit", "verify"]).done();
}

/// Erased is erased: the data, the configuration and the heads go, no alarm follows, and a restore brings nothing back
/// automatically.
#[test]
fn a_profile_that_was_erased_is_gone_and_stays_so() {
    let world = World::without_kit();
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    world.bot(&["--profile", "anna", "agent", "-m", "remember that my dog is Rex"]).done();
    world.bot(&["--profile", "anna", "agent", "-m", "what time is it?"]).done();
    world.admin(&["run", "--once"]).done();
    let backup = world.back_up("home.tar.age", &[]);
    world.admin(&["profile", "erase", "anna"]).exited(2).says("--yes");
    let anna = "anna".parse().expect("a name");
    assert!(world.home().profile(&anna).join("memory/facts.jsonl").exists(), "not before a yes");
    world.admin(&["profile", "erase", "anna", "--yes"]).done().prints("the journal").prints("removed ");
    assert!(!world.home().profile(&anna).join("memory").exists());
    assert!(!world.home().profile_file(&anna).exists());
    world.admin(&["run", "--once"]).done();
    world.admin(&["audit", "verify"]).done();
    world.admin(&["profile", "erase", "anna", "--yes"]).exited(1).says("no profile");
    world.restore(&backup, &["--profile", "anna"]).exited(3).says("taken away");
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    world.restore(&backup, &["--profile", "anna"]).done();
    assert!(
        world.bot(&["--profile", "anna", "agent", "-m", "what is my dog?"]).done().stdout.contains("Rex")
    );
}

/// In a folder the newest backups are kept.
#[test]
fn a_folder_keeps_the_newest_backups() {
    let world = World::without_kit();
    let folder = world.outside().join("backups");
    fs::create_dir(&folder).expect("a folder can be made");
    let place = folder.display().to_string();
    for _ in 0..3 {
        world.admin(&["backup", &place, "--plain", "--keep", "2"]).done().hides("note:");
    }
    let names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|e| e.expect("a name").file_name().display().to_string())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("tameclaw-") && name.ends_with("Z.tar")), "{names:?}");
    world.admin(&["backup", &folder.join("x.tar").display().to_string(), "--plain", "--keep", "2"]).exited(2);
    let within = world.home().admin().display().to_string();
    world.admin(&["backup", &within, "--plain"]).exited(2).says("within the home");
    let earlier = folder.join("tameclaw-2026-01-02T03-04-05-678Z.tar");
    fs::write(&earlier, "of no home").expect("it can be written");
    let told = world.admin(&["backup", &place, "--plain", "--keep", "1"]).done();
    told.says("1 file(s) in the folder have names of an earlier release");
    assert!(earlier.exists() && fs::read_dir(&folder).expect("a folder").count() == 2);
}

/// What makes a backup for a public key cannot open it; the identity that belongs to the key can, and nothing else.
#[test]
fn a_backup_for_a_public_key_comes_back_by_its_identity() {
    let world = World::without_kit();
    world.ask("remember that my name is Anna");
    let file = world.outside().join("home.tar.age").display().to_string();
    world.admin(&["backup", &file, "--recipient", "age1qqqq"]).exited(2).says("--recipient");
    world.admin(&["backup", &file, "--recipient", RECIPIENT, "--plain"]).exited(2);
    world
        .admin(&["backup", &file, "--recipient", RECIPIENT, "--with-keys"])
        .done()
        .prints("encrypted, with keys");
    assert!(!holds(Path::new(&file), "Anna"), "a backup is encrypted");
    let identity = world.secret_file("identity", &format!("# created by hand\n{IDENTITY}\n"));
    let stranger = world.secret_file("stranger", OTHER_IDENTITY);
    let passphrase = world.secret_file("passphrase", PASSPHRASE);
    let verify = |option: &str, path: &str| world.admin(&["backup", &file, "--verify", option, path]);
    verify("--identity", &identity).done().prints("with keys");
    verify("--identity", &stranger).exited(3).says("none of the identities opens");
    verify("--identity", &passphrase).exited(2).says("passphrase: it holds no identity");
    verify("--passphrase-file", &passphrase).exited(3).says("give --identity FILE");
    world.admin(&["backup", &file, "--verify"]).exited(3).says("give --identity FILE");
    let fresh = World::empty();
    fresh
        .admin(&["restore", &file, "--yes", "--identity", &stranger])
        .exited(3)
        .says("none of the identities");
    assert!(!fresh.home().root().exists(), "nothing was made");
    let ran = fresh.admin(&["restore", &file, "--yes", "--identity", &identity]).done();
    ran.prints("for a public key: anyone who could write the file could have changed it");
    assert!(fresh.ask("what is my name?").contains("Anna"));
    fresh.admin(&["audit", "verify"]).done();
    let sealed = world.back_up("sealed.age", &[]).display().to_string();
    world
        .admin(&["backup", &sealed, "--verify", "--identity", &identity])
        .exited(3)
        .says("--passphrase-file");
    let plain = world.back_up_plain("plain.tar").display().to_string();
    world.admin(&["backup", &plain, "--verify", "--identity", &identity]).exited(3).says("not encrypted");
}

/// Two homes share a folder: neither removes a backup of the other's, nor one of an earlier release, whose name has no home.
#[test]
fn a_home_removes_no_other_homes_backup() {
    let (world, other) = (World::without_kit(), World::without_kit());
    let folder = world.outside().join("backups");
    fs::create_dir(&folder).expect("a folder can be made");
    let place = folder.display().to_string();
    let earlier = folder.join("tameclaw-2026-01-02T03-04-05-678Z.tar");
    fs::write(&earlier, "of an earlier release").expect("it can be written");
    let back_up = |world: &World| world.admin(&["backup", &place, "--plain", "--keep", "1"]).done();
    back_up(&world);
    back_up(&other).hides("removed ");
    back_up(&world).prints("removed ");
    assert!(earlier.exists());
    let backups: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|e| e.expect("a name").path()).collect();
    assert_eq!(backups.len(), 3, "{backups:?}");
}

/// A home from before there was a version file is used as it is, and migrated once.
#[test]
fn a_home_without_a_version_is_read_and_migrated() {
    let world = World::without_kit();
    let file = world.home().config().join("home.yaml");
    assert_eq!(fs::read_to_string(&file).expect("init writes it"), "version: 1\n");
    world.admin(&["migrate"]).done().prints("present version");
    fs::remove_file(&file).expect("it can be removed");
    world.ask("what time is it?");
    world.admin(&["list"]).done();
    world.admin(&["migrate", "--dry-run"]).done().prints("would do: writes config/home.yaml");
    assert!(!file.exists());
    world.admin(&["migrate"]).done().prints("done: ");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "version: 1\n");
    world.admin(&["migrate"]).done().prints("present version");
}

/// Homes of each released version, as that version left them; `tests/fixtures/homes/README.md` says how they were made.
#[test]
fn a_home_of_each_released_version_opens() {
    let folder = workspace().join("tests/fixtures/homes");
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("there are homes").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|end| end != "gz") {
            continue;
        }
        let world = World::empty();
        fs::create_dir(world.home().root()).expect("a folder can be made");
        let root = world.home().root().to_owned();
        let mut tar = Command::new("tar");
        tar.args(["-xz", "--no-same-owner", "--preserve-permissions", "-f"]).arg(&path).arg("-C").arg(root);
        assert!(tar.status().is_ok_and(|status| status.success()), "{}", path.display());
        assert!(world.ask("what is my name?").contains("Anna"), "{}", path.display());
        world.bot(&["receipt", "verify"]).done();
        world.admin(&["migrate"]).done();
        world.admin(&["run", "--once"]).done();
        world.admin(&["audit", "verify"]).done();
        world.admin(&["list"]).done().prints("roll-dice");
        assert!(world.ask("roll 3d1+2").contains('5'), "{}", path.display());
        seen += 1;
    }
    assert!(seen > 1, "only {seen} homes were found");
}

/// Evidence for an office: every record and no word of a person.
#[test]
fn evidence_is_exported_as_csv_and_as_syslog() {
    let world = World::without_kit();
    world.ask("learn to roll dice");
    world.admin(&["run", "--once"]);
    let records = durable::verify(&world.home().journal()).expect("it holds").0;
    let csv = world.admin(&["audit", "export", "--csv"]).done().hides("learn to").stdout;
    let mut lines = csv.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with("at,seq,record,")), "{csv}");
    assert!(lines.clone().count() as u64 >= records, "{csv}");
    assert!(lines.all(|line| line.starts_with('"') && line.matches("\",\"").count() == 11), "{csv}");
    assert!(csv.contains("\"taken\"") && csv.contains("\"roll-dice\"") && !csv.contains("learn to"), "{csv}");
    let syslog = world.admin(&["audit", "export", "--syslog"]).done().stdout;
    assert!(
        syslog.lines().all(|line| line.starts_with("<110>1 ")) && !syslog.contains("learn to"),
        "{syslog}"
    );
    world.admin(&["audit", "export"]).exited(2).says("--csv|--syslog");
    world.admin(&["audit", "export", "--csv", "--syslog"]).exited(2);
}
