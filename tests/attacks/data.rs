//! What is below `data/` is the bot's: an attacker who owns the bot exchanges it while the service opens it, and gets nothing.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::{geteuid, mkfifo};
use serde_json::Value;
use shared_types::id::ProfileId;
use tameclaw_tests::action::Ask;
use tameclaw_tests::eventually;
use tameclaw_tests::swap::while_swapped;
use tameclaw_tests::world::{Program, World};

use crate::i07_files::set;

const SOON: Duration = Duration::from_secs(30);
/// The user of the bot where root runs the test.
const BOT: u32 = 54_321;

fn profile(name: &str) -> ProfileId {
    name.parse().expect("a name")
}

fn ended(shown: &Value) -> &str {
    shown["result"]["ended"].as_str().unwrap_or_default()
}

/// Every text below a folder.
fn texts(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let text = |path: PathBuf| match path.is_dir() {
        true => texts(&path),
        false => String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned(),
    };
    entries.map(|entry| text(entry.path())).collect()
}

/// The stop of a profile counts by its presence. Its words are the bot's, or those of the file that it links to.
#[test]
fn the_text_of_a_bots_stop_file_reaches_nobody() {
    let world = World::new();
    set(&world, "flood: {burst: 500, profile_burst: 500}\n");
    world.allow("autonomy: full\ngrants: {commands: ['true']}\n");
    let stop = world.home().profile_stop(&world.profile());
    fs::write(&stop, "words-of-the-bot\n").expect("a file can be written");
    let shown = world.act(&Ask::line("true"));
    assert_eq!(ended(&shown), "not run: the emergency stop of this profile holds", "{shown}");

    let key = fs::read_dir(world.home().keys()).expect("keys").flatten().next().expect("a key").path();
    let secret = fs::read_to_string(&key).expect("the test may read it");
    let secret = secret.lines().last().expect("a key has lines");
    let link = stop.with_file_name("link");
    symlink(&key, &link).expect("a link can be made");
    let asks: Vec<Ask<'_>> = (0..100).map(|_| Ask::line("true")).collect();
    let shown = while_swapped(&stop, &link, || world.acts(&asks));
    for shown in &shown {
        assert!(ended(shown).starts_with("not run: the emergency stop of this profile holds"), "{shown}");
    }
    let told = [texts(&world.home().root().join("status")), texts(&world.home().config())].concat();
    assert!(told.contains("emergency stop"), "the mirror says why nothing ran");
    for words in [secret, "words-of-the-bot"] {
        assert!(!told.contains(words), "`{words}` came out");
    }
}

/// Pipes where the service expects files and folders, each in a profile of its own.
#[test]
fn pipes_below_data_block_nobody_and_the_service_ends_when_it_is_told_to() {
    let places = [
        "stop",
        "workspace",
        "workspace/sops",
        "workspace/sops/hello/sop.toml",
        "logs",
        "logs/receipts.jsonl",
        "logs/chat.lock",
        "memory",
        "memory/conversations.jsonl",
    ];
    let world = World::new();
    let names: Vec<String> = (0..places.len()).map(|n| format!("p{n}")).collect();
    let schedule = |name: &String| {
        format!("  - {{name: {name}, profile: {name}, cron: \"* * * * *\", workflow: hello}}\n")
    };
    set(&world, &format!("schedules:\n{}", names.iter().map(schedule).collect::<String>()));
    let grants = "autonomy: full\ngrants: {commands: ['true', cat]}\n";
    world.allow(grants);
    fs::write(world.workspace("in.txt"), "read").expect("a file can be written");
    for (name, place) in names.iter().zip(places) {
        world.allow_of(name, grants);
        let path = world.home().profile(&profile(name)).join(place);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder can be made");
        mkfifo(&path, Mode::S_IRWXU).expect("a pipe can be made");
        world.wants(&Ask::line("true").of(name));
    }
    let proposals = world.home().all_proposals().join("piped");
    mkfifo(&proposals, Mode::S_IRWXU).expect("a pipe can be made");

    let service = world.start(Program::Admin, &["run"]);
    let begun = Instant::now();
    let id = world.wants(&Ask::line("cat in.txt"));
    eventually(SOON, "an action of another profile is done", || {
        world.mirror(&id).contains("stdout: read").then_some(())
    });
    for words in [&["list"][..], &["schedule", "list"], &["skill", "list"]] {
        world.admin(words).done();
    }
    // What else doctor finds depends on the machine.
    let ran = world.admin(&["doctor"]);
    assert!([0, 1].contains(&ran.status), "{}", ran.report());
    world.admin(&["audit", "verify"]).exited(4);
    world.admin(&["schedule", "run", "p1"]).hides("is done");
    assert!(begun.elapsed() < 2 * SOON, "nothing of it waits for a writer");
    let begun = Instant::now();
    service.signal(Signal::SIGTERM);
    service.ended(SOON);
    assert!(begun.elapsed() < Duration::from_secs(10), "it ends within seconds");
}

/// A profile keeps its data when it is removed. Links that the bot puts there meanwhile give nothing away later.
#[test]
fn a_profile_that_is_made_again_gives_the_bot_no_folder_of_the_admins() {
    if !geteuid().is_root() {
        tameclaw_tests::skip("only root gives folders away");
        return;
    }
    let world = World::new();
    let home = world.home();
    chown(home.profile(&world.profile()), Some(BOT), Some(BOT)).expect("root may");
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    world.admin(&["profile", "remove", "anna"]).done();
    let memory = home.profile(&profile("anna")).join("memory");
    fs::remove_dir(&memory).expect("it is empty");
    symlink(home.admin(), &memory).expect("a link can be made");
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).exited(1).says("memory is");
    assert_eq!(fs::metadata(home.admin()).expect("it is there").uid(), 0, "admin/ was given to the bot");
    let logs = home.logs(&world.profile());
    fs::remove_dir(&logs).expect("it is empty");
    symlink(home.keys(), &logs).expect("a link can be made");
    world.admin(&["init"]).exited(1).says("logs is");
    assert_eq!(fs::metadata(home.keys()).expect("it is there").uid(), 0, "the keys were given to the bot");
}

/// The example plugin in a folder of the test's own, with a folder `inner`.
fn plugin(world: &World) -> PathBuf {
    let folder = world.outside().join("source");
    let example = crate::plugins::word_count();
    let copied = std::process::Command::new("cp").arg("-r").arg(example).arg(&folder).status();
    assert!(copied.is_ok_and(|status| status.success()));
    fs::create_dir(folder.join("inner")).expect("a folder can be made");
    fs::write(folder.join("inner/notes.txt"), "harmless").expect("a file can be written");
    folder
}

/// The maker of a plugin exchanges a folder for a link to the admin's keys while root copies it.
#[test]
fn a_folder_of_a_plugin_that_is_exchanged_for_a_link_copies_no_key() {
    let world = World::new();
    let folder = plugin(&world);
    let link = world.outside().join("link");
    symlink(world.home().keys(), &link).expect("a link can be made");
    let path = folder.to_str().expect("a path").to_owned();
    while_swapped(&folder.join("inner"), &link, || {
        let mut pages = 0;
        // On until the folder itself was copied at least once.
        for run in 0..200 {
            if run >= 20 && pages > 0 {
                break;
            }
            // The page names every file that was copied; a folder that is a link at that moment is refused.
            let ran = world.admin(&["plugin", "install", &path]);
            assert!([1, 3].contains(&ran.status), "{}", ran.report());
            let ran = ran.hides("approver-owner.key").hides("manifest.key");
            pages += usize::from(ran.stdout.contains("inner/notes.txt"));
        }
        assert!(pages > 0, "the folder was a link each time");
    });
}

/// Who installs a plugin reads the names of its files, and a folder that others may change is not copied at all.
#[test]
fn a_plugins_page_names_its_files_and_a_folder_that_others_may_write_is_refused() {
    let world = World::new();
    let folder = plugin(&world);
    let path = folder.to_str().expect("a path").to_owned();
    let install = || world.admin(&["plugin", "install", &path]).exited(3);
    install()
        .prints("    plugin.toml  ")
        .prints("    inner/notes.txt  8 bytes  sha256 ")
        .hides(" more: look");
    for n in 0..120 {
        fs::write(folder.join(format!("inner/{n}")), "x").expect("a file can be written");
    }
    install().prints("    plugin.toml  ").prints(" more: look at the folder itself");
    let inner = folder.join("inner");
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o757)).expect("a mode can be set");
    install().says("inner may be written by everybody (mode 757)").says("chmod -R go-w");
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).expect("a mode can be set");
    install();
    if geteuid().is_root() {
        chown(&inner, Some(BOT), Some(BOT)).expect("root may");
        install().says(&format!("inner may be written by user {BOT} (mode 755)")).says("cp -r");
        chown(&inner, Some(0), Some(0)).expect("root may");
        chown(world.outside(), Some(BOT), Some(BOT)).expect("root may");
        install().says(&format!("may be changed by the user {BOT}"));
    }
}
