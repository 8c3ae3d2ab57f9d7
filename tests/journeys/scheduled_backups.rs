//! The running service backs its home up at the times of the configuration, keeps as many as are wanted, and says what failed.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tameclaw_tests::backup::{IDENTITY, RECIPIENT};
use tameclaw_tests::eventually;
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::world::{PATIENCE, Program, World};

const SOON: Duration = Duration::from_secs(100);
/// Times of a schedule that do not come while a test runs: each 29th of February.
const RARE: &str = "0 3 29 2 *";

/// A home whose service backs up into a folder beside it.
fn backed_up(more: &str) -> (World, PathBuf) {
    let world = World::without_kit();
    world.ask("remember that my name is Anna");
    let folder = world.outside().join("backups");
    fs::create_dir(&folder).expect("a folder can be made");
    configure(&world, &format!("folder: {}, {more}", folder.display()));
    (world, folder)
}

fn configure(world: &World, backups: &str) {
    fs::write(world.home().admin_config(), section(backups)).expect("it can be written");
}

/// The section of the configuration; its times are [`RARE`] where it says none.
fn section(backups: &str) -> String {
    let times = if backups.contains("cron: ") { String::new() } else { format!("cron: \"{RARE}\", ") };
    format!("backups: {{{times}{backups}}}\n")
}

/// Has the service believe that it saw to its times long ago.
fn missed(world: &World, cron: &str) {
    let seen = json!({"times": format!("{cron} UTC"), "base": 0, "tries": 0});
    fs::write(world.home().admin().join("backup_times.json"), seen.to_string()).expect("it can be written");
}

/// Has the last backup be of long ago, so that two times of the schedule have passed since.
fn age_the_last(world: &World) {
    let path = world.home().admin().join("last_backup.json");
    let mut last: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    last["at"] = "2016-01-02T03:00:00Z".into();
    fs::write(&path, last.to_string()).expect("it can be written");
}

/// What the service notes of the times that it saw to.
fn seen(world: &World) -> Value {
    let seen = fs::read(world.home().admin().join("backup_times.json")).expect("a file");
    serde_json::from_slice(&seen).expect("JSON")
}

/// Has the pause after a failure be over; answers how many seconds it had.
fn pause_is_over(world: &World) -> i64 {
    let mut noted = seen(world);
    let (base, again) = (noted["base"].as_i64().expect("a time"), noted["again"].as_i64().expect("a time"));
    noted["again"] = base.into();
    fs::write(world.home().admin().join("backup_times.json"), noted.to_string()).expect("it can be written");
    again - base
}

fn files(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a name").file_name());
    names.map(|name| name.into_string().expect("text")).collect()
}

fn status(world: &World) -> Value {
    world.admin(&["status", "--json"]).done().json()
}

/// Starts the service and ends it once the outcome of a backup is another than before; answers the status then.
fn one_run(world: &World) -> Value {
    let outcome = || {
        let status = status(world);
        json!([status["backup"]["at"], status["backup_failed"]["at"]])
    };
    let before = outcome();
    let service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "a backup is made", || (outcome() != before).then_some(()));
    service.signal(Signal::SIGTERM);
    service.ended(PATIENCE).done();
    status(world)
}

/// The first comes by the clock while the service answers, the others were missed while it did not run: each is made up for once,
/// the newest stay, and a home comes back from one.
#[test]
fn the_service_backs_up_at_its_times_and_the_newest_stay() {
    let (world, folder) =
        backed_up(&format!("cron: \"* * * * *\", keep: 2, with_keys: true, recipients: [{RECIPIENT}]"));
    let service = world.start(Program::Admin, &["run"]);
    let first =
        eventually(SOON, "the time comes", || status(&world)["backup"]["file"].as_str().map(str::to_owned));
    service.signal(Signal::SIGTERM);
    service.ended(PATIENCE).done();
    assert_eq!(files(&folder).len(), 1);
    for _ in 0..2 {
        missed(&world, "* * * * *");
        one_run(&world);
    }
    let kept = files(&folder);
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(!PathBuf::from(&first).exists(), "the oldest went");
    world.admin(&["doctor"]).prints("pass  backups").prints("the last of");
    let last = status(&world)["backup"]["file"].as_str().expect("a file").to_owned();
    let identity = world.secret_file("identity", IDENTITY);
    let fresh = World::empty();
    fresh.admin(&["restore", &last, "--yes", "--identity", &identity]).done();
    assert!(fresh.ask("what is my name?").contains("Anna"));
    assert!(!fresh.home().admin().join("last_backup.json").exists(), "a restored home was not backed up yet");
}

/// A base in the future, as a clock that was ahead leaves it, begins now; nothing is made at once, and nothing waits for that future.
#[test]
fn a_clock_that_was_ahead_costs_no_backup() {
    let (world, folder) = backed_up("plain: true");
    let path = world.home().admin().join("backup_times.json");
    let ahead = json!({"times": format!("{RARE} UTC"), "base": 4_000_000_000_u64, "tries": 0});
    fs::write(&path, ahead.to_string()).expect("it can be written");
    let service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "it begins now", || {
        let seen: Value = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        (seen["base"].as_u64()? < 4_000_000_000).then_some(())
    });
    service.signal(Signal::SIGTERM);
    service.ended(PATIENCE).done();
    assert!(files(&folder).is_empty());
}

/// What can never work is refused at the start, with the key or the file.
#[test]
fn what_can_never_work_is_refused_at_the_start() {
    let (world, folder) = backed_up("plain: true");
    let shown = folder.display();
    let refused = |backups: &str, code: i32, why: &str| {
        configure(&world, backups);
        world.admin(&["run"]).exited(code).says(why);
    };
    refused("folder: backups, plain: true", 2, "backups.folder: `backups` is not an absolute path");
    refused(&format!("folder: {shown}"), 2, "backups.recipients: missing");
    refused(&format!("folder: {shown}, recipients: [age1YOUR_PUBLIC_KEY]"), 2, "is not a public key of age");
    refused(
        &format!("folder: {shown}, plain: true, with_keys: true"),
        2,
        "backups.with_keys: keys are backed up encrypted only",
    );
    let within = world.home().admin().join("backups");
    refused(&format!("folder: {}, plain: true", within.display()), 2, "within the home");
    let file = world.secret_file("passphrase", "correct horse battery");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("a mode");
    refused(&format!("folder: {shown}, passphrase_file: {file}"), 3, "other users may read it");
    world.admin(&["doctor"]).exited(1).prints("fail  backups").prints("other users may read it");
    let short = world.secret_file("short", "horse");
    refused(&format!("folder: {shown}, passphrase_file: {short}"), 2, "short");
    assert!(files(&folder).is_empty());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a mode");
    configure(&world, &format!("folder: {shown}, passphrase_file: {file}"));
    missed(&world, RARE);
    let last = one_run(&world)["backup"]["file"].as_str().expect("a file").to_owned();
    world.admin(&["backup", &last, "--verify", "--passphrase-file", &file]).done();
}

/// A failure is shown by the status and the doctor until a backup stands.
#[test]
fn a_failure_is_told_until_a_backup_stands() {
    let (world, folder) = backed_up("plain: true");
    fs::remove_dir(&folder).expect("it can be removed");
    missed(&world, RARE);
    let failed = one_run(&world);
    assert!(failed["backup"].is_null(), "{failed}");
    assert!(
        failed["backup_failed"]["why"].as_str().is_some_and(|why| why.contains("is missing")),
        "{failed}"
    );
    assert!(failed["alarms"][0].as_str().is_some_and(|alarm| alarm.contains("is missing")), "{failed}");
    world.admin(&["status"]).done().prints("ALARM").prints("is missing");
    world.admin(&["doctor"]).exited(1).prints("fail  backups").prints("No such file").prints("is missing");
    fs::create_dir(&folder).expect("a folder can be made");
    missed(&world, RARE);
    let made = one_run(&world);
    assert!(
        made["backup_failed"].is_null() && made["alarms"].as_array().is_some_and(Vec::is_empty),
        "{made}"
    );
    age_the_last(&world);
    assert!(
        status(&world)["alarms"][0].as_str().is_some_and(|alarm| alarm.contains("two times of the schedule"))
    );
    world.admin(&["doctor"]).exited(1).prints("two times of the schedule");
}

/// One that failed is tried again after 10 minutes, 1 hour and 3 hours, by a service that was started anew as well, and then no more
/// before its next time.
#[test]
fn a_backup_that_failed_is_tried_again_before_its_next_time() {
    let (world, folder) = backed_up("plain: true");
    fs::remove_dir(&folder).expect("it can be removed");
    missed(&world, RARE);
    for pause in [600, 3_600, 10_800] {
        let failed = one_run(&world);
        assert!(!failed["backup_failed"].is_null(), "{failed}");
        assert_eq!(pause_is_over(&world), pause);
    }
    one_run(&world);
    assert!(seen(&world)["again"].is_null(), "{}", seen(&world));
    missed(&world, RARE);
    one_run(&world);
    fs::create_dir(&folder).expect("a folder can be made");
    pause_is_over(&world);
    let made = one_run(&world);
    assert!(made["backup_failed"].is_null() && files(&folder).len() == 1, "{made}");
    assert_eq!((&seen(&world)["failures"], &seen(&world)["again"]), (&json!(0), &Value::Null));
}

/// A bot that keeps a file of its memory out of each backup costs no older one, and fills no disk.
#[test]
fn of_backups_that_lack_something_the_newest_alone_stays() {
    let (world, folder) = backed_up("plain: true, keep: 1");
    missed(&world, RARE);
    one_run(&world);
    let whole = files(&folder);
    let facts = world.home().profile(&world.profile()).join("memory/facts.jsonl");
    let away = world.outside().join("facts");
    fs::rename(&facts, &away).expect("it can be moved");
    symlink(&away, &facts).expect("a link can be made");
    for _ in 0..2 {
        missed(&world, RARE);
        let status = one_run(&world);
        assert!(
            status["backup_failed"]["why"].as_str().is_some_and(|why| why.contains("facts.jsonl")),
            "{status}"
        );
        assert_eq!(files(&folder).len(), 2);
        assert!(files(&folder).is_superset(&whole), "the whole one stays");
    }
    fs::rename(&away, &facts).expect("it can be moved");
    missed(&world, RARE);
    one_run(&world);
    assert_eq!(files(&folder).len(), 1);
    assert!(files(&folder).is_disjoint(&whole));
}

/// A backup that waits for a lock of the bot's holds neither requests nor the end of the service. One that ends with the service is
/// made up for; one that ends with it twice by force is given up until its next time.
#[test]
fn a_backup_holds_nothing_up_and_is_begun_twice_at_most() {
    let (world, folder) = backed_up("plain: true");
    let lock = world.home().profile(&world.profile()).join("memory/receipts.lock");
    let lock = fs::File::create(lock).expect("a file can be made");
    lock.lock().expect("nobody else has locked it");
    let tries = || seen(&world)["tries"].as_u64().expect("a number");
    let begun = |count: u64| eventually(SOON, "it begins", || (tries() == count).then_some(()));
    missed(&world, RARE);
    let service = world.start(Program::Admin, &["run"]);
    begun(1);
    service.signal(Signal::SIGTERM);
    service.ended(PATIENCE).done();
    assert!(status(&world)["backup_failed"].is_null(), "that the service ends is no failure");
    assert_eq!(tries(), 0, "it counts as not begun");
    for count in [1, 2] {
        let service = world.start(Program::Admin, &["run"]);
        begun(count);
        service.signal(Signal::SIGKILL);
        service.ended(PATIENCE);
    }
    let given_up = one_run(&world);
    assert!(
        given_up["backup_failed"]["why"].as_str().is_some_and(|why| why.contains("cut off")),
        "{given_up}"
    );
    // The service answers while a backup waits.
    missed(&world, RARE);
    let service = world.start(Program::Admin, &["run"]);
    begun(1);
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    service.signal(Signal::SIGTERM);
    service.ended(PATIENCE).done();
    drop(lock);
    missed(&world, RARE);
    one_run(&world);
    let left = files(&folder);
    assert!(left.len() == 1 && left.iter().all(|name| name.ends_with("Z.tar")), "{left:?}");
}

/// A webhook in the configuration beside these backups, and what it gets.
fn hooked(world: &World, backups: &str) -> (Server, Receiver<String>) {
    let (posted, kept) = mpsc::channel();
    let posted = Mutex::new(posted);
    let inbox = Server::start(move |request| {
        let told = String::from_utf8_lossy(&request.body).into_owned();
        posted.lock().expect("no server panics").send(told).expect("the test listens");
        Response::Proper { status: 200, kind: "text/plain", body: "".into() }
    });
    let notifiers = format!(
        "digest_minutes: 0\nnotifiers:\n  - {{name: hook, kind: webhook, url: \"http://127.0.0.1:{}/\"}}\n",
        inbox.port()
    );
    let configured = section(backups) + &notifiers;
    fs::write(world.home().admin_config(), configured).expect("it can be written");
    (inbox, kept)
}

/// A notifier tells that a backup failed, without the reason and once, until one is whole again.
#[test]
fn a_notifier_tells_once_that_a_backup_failed() {
    let (world, folder) = backed_up("plain: true");
    fs::remove_dir(&folder).expect("it can be removed");
    let (_inbox, kept) = hooked(&world, &format!("folder: {}, plain: true", folder.display()));
    missed(&world, RARE);
    let service = world.start(Program::Admin, &["run"]);
    let told: Value = serde_json::from_str(&kept.recv_timeout(SOON).expect("it is told")).expect("JSON");
    assert_eq!(
        (&told["event"], &told["next"]),
        (&json!("backup-failed"), &json!("cl-admin status")),
        "{told}"
    );
    assert!(!told.to_string().contains("missing"), "{told}");
    let noted = world.home().admin().join("notified/hook.json");
    eventually(SOON, "it is noted as told", || noted.exists().then_some(()));
    service.signal(Signal::SIGTERM);
    service.ended(PATIENCE).done();
    pause_is_over(&world);
    one_run(&world);
    missed(&world, RARE);
    one_run(&world);
    world.admin(&["run", "--once"]).done();
    assert_eq!(kept.try_recv().ok(), None, "a further failure in a row is not told again");
}

/// Where two times of the schedule passed without an attempt, the notifiers tell it once, as the status and the doctor do.
#[test]
fn a_notifier_tells_once_that_the_backups_have_stopped() {
    let (world, folder) = backed_up("plain: true");
    let file = world.back_up_plain("by_hand.tar");
    let (_inbox, kept) = hooked(&world, &format!("folder: {}, plain: true", folder.display()));
    world.admin(&["run", "--once"]).done();
    assert_eq!(kept.try_recv().ok(), None, "{} is new", file.display());
    age_the_last(&world);
    world.admin(&["run", "--once"]).done();
    let told: Value = serde_json::from_str(&kept.try_recv().expect("it is told")).expect("JSON");
    assert_eq!(
        (&told["event"], &told["next"]),
        (&json!("backups-stopped"), &json!("cl-admin status")),
        "{told}"
    );
    world.admin(&["status"]).done().prints("ALARM").prints("two times of the");
    world.admin(&["run", "--once"]).done();
    assert_eq!(kept.try_recv().ok(), None, "once");
}
