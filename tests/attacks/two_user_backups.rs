//! Backups of a home that belongs to the service's user, made by root, who becomes that user before it reads a byte of the home.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use tameclaw_tests::backup::{IDENTITY, RECIPIENT};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::{Background, Ran, run};
use tameclaw_tests::world::{PATIENCE, Program, World};
use tameclaw_tests::{session_key, skip};

use crate::tiers::USER;
use crate::two_users::{
    SERVICE, all, by, doctor_is_content, each_its_user, is_root, open_way_outside, owner,
};

fn as_bot(world: &World, arguments: &[&str]) -> Ran {
    run(by(world, USER, "", Program::Bot, arguments), b"", PATIENCE)
}

fn as_service(world: &World, arguments: &[&str]) -> Ran {
    run(by(world, SERVICE, &USER.to_string(), Program::Admin, arguments), b"", PATIENCE)
}

/// A home with a user each, whose bot knows a name.
fn with_a_memory() -> World {
    let world = each_its_user(SERVICE);
    as_bot(&world, &["agent", "-m", "remember that my name is Anna"]).done();
    world
}

/// A folder that only root opens.
fn of_root() -> World {
    let world = World::empty();
    fs::set_permissions(world.outside(), fs::Permissions::from_mode(0o700)).expect("root may");
    world
}

/// An empty place for a home of the service's user, which the bot's user may enter.
fn empty_place() -> World {
    let world = World::empty();
    open_way_outside(&world);
    let root = world.home().root().to_owned();
    fs::create_dir(&root).expect("a folder can be made");
    chown(&root, Some(SERVICE), Some(USER)).expect("root may");
    fs::set_permissions(&root, fs::Permissions::from_mode(0o2750)).expect("root may");
    world
}

/// A place where there is no folder for the home yet, in one of the service's that gives its group to nothing.
fn missing_place() -> World {
    let world = World::empty();
    open_way_outside(&world);
    let above = world.home().root().parent().expect("a folder above the home").to_owned();
    chown(&above, Some(SERVICE), Some(USER)).expect("root may");
    fs::set_permissions(&above, fs::Permissions::from_mode(0o755)).expect("root may");
    world
}

/// Backs up as root, plain, into root's own folder.
fn backed_up(world: &World, place: &World) -> (PathBuf, Ran) {
    let file = place.outside().join("home.tar");
    let ran = world.admin(&["backup", &file.display().to_string(), "--plain"]);
    (file, ran)
}

fn names(backup: &Path) -> Vec<String> {
    let listed = Command::new("tar").arg("-tf").arg(backup).output().expect("tar runs");
    String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect()
}

fn holds(backup: &Path, word: &str) -> bool {
    fs::read(backup).expect("a backup").windows(word.len()).any(|part| part == word.as_bytes())
}

/// Root backs up what neither user could alone, into a folder that only root opens; in an empty place everything comes back to
/// its owner, and the bot remembers.
#[test]
fn root_backs_up_a_memory_and_restores_it_to_its_owner() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let passphrase = place.secret_file("passphrase", "correct horse battery");
    let file = place.outside().join("home.tar.age").display().to_string();
    let words = ["backup", &file, "--with-keys", "--passphrase-file", &passphrase];
    let ran = world.admin(&words).done();
    assert!(!ran.stderr.contains("not in the backup"), "{}", ran.report());
    assert_eq!(owner(Path::new(&file)), (0, 0, 0o600), "root's alone");
    world.admin(&["backup", &file, "--verify", "--passphrase-file", &passphrase]).done();
    let last = world.home().admin().join("last_backup.json");
    assert_eq!(owner(&last).0, SERVICE, "what is written in the home is the owner's");
    for path in all(world.home().root()) {
        assert!([SERVICE, USER].contains(&owner(&path).0), "{} belongs to root", path.display());
    }
    for fresh in [empty_place(), missing_place()] {
        fresh.admin(&["restore", &file, "--yes", "--passphrase-file", &passphrase]).done();
        for path in all(fresh.home().root()) {
            assert!([SERVICE, USER].contains(&owner(&path).0), "{} belongs to root", path.display());
        }
        let profile = fresh.home().profile(&fresh.profile());
        assert_eq!(owner(&profile), (USER, USER, 0o2750));
        assert_eq!(owner(&profile.join("memory/facts.jsonl")).0, USER);
        assert_eq!(owner(&profile.join("memory/facts.jsonl")).2 & 0o077, 0, "a memory is the bot's alone");
        assert_eq!(owner(profile.parent().expect("a folder")), (SERVICE, USER, 0o2750), "closed again");
        doctor_is_content(&as_service(&fresh, &["doctor", "--json"]));
        as_bot(&fresh, &["agent", "-m", "what is my name?"]).done().prints("Anna");
        as_service(&fresh, &["audit", "verify"]).done();
    }
}

/// Root reads no approver's key that the service could exchange for another file of root's: its copy would be the service's.
#[test]
fn root_takes_no_key_that_another_user_could_exchange() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let (file, ran) = backed_up(&world, &place);
    ran.done();
    let fresh = empty_place();
    let restore = |key: &Path| {
        let (file, key) = (file.display().to_string(), key.display().to_string());
        fresh.admin(&["restore", &file, "--approver-key", &key, "--yes"])
    };
    let key = world.home().keys().join("approver-owner.key");
    restore(&key).exited(3).says("root reads no key that another user could exchange");
    assert!(!fresh.home().root().join("config").exists(), "nothing is restored");
    let own = place.outside().join("key");
    fs::copy(&key, &own).expect("root may");
    restore(&own).done();
    as_bot(&fresh, &["agent", "-m", "what is my name?"]).done().prints("Anna");
}

/// What the service's user alone backs up lacks the memories; it says so, and ends with 1.
#[test]
fn a_backup_by_the_service_alone_lacks_the_memories_and_says_so() {
    if !is_root() {
        return;
    }
    let world = with_a_memory();
    let file = world.outside().join("home.tar");
    let ran = as_service(&world, &["backup", &file.display().to_string(), "--plain"]).exited(1);
    ran.says("the memory of the profiles is not in this backup").says("run it as root");
    let memory = "data/profiles/default/memory/facts.jsonl";
    assert!(names(&file).iter().all(|name| name != memory), "root's backup has it: {memory}");
}

/// One profile comes back by root, and goes for good; both through the users whose the files are.
#[test]
fn root_brings_one_profile_back_and_erases_it() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let (file, ran) = backed_up(&world, &place);
    ran.done();
    let other = each_its_user(SERVICE);
    let file = file.display().to_string();
    let erase = ["profile", "erase", "default", "--yes"];
    as_service(&other, &erase).exited(3).says("run this as root");
    other.admin(&["restore", &file, "--profile", "default", "--yes"]).done();
    as_bot(&other, &["agent", "-m", "what is my name?"]).done().prints("Anna");
    doctor_is_content(&as_service(&other, &["doctor", "--json"]));
    other.admin(&erase).done().prints("removed");
    assert!(!other.home().profile(&other.profile()).join("memory/facts.jsonl").exists());
    // It comes back with folders that the bot's user makes itself.
    other.admin(&["restore", &file, "--profile", "default", "--yes"]).done();
    as_bot(&other, &["agent", "-m", "what is my name?"]).done().prints("Anna");
    other.admin(&["migrate"]).done().prints("has the present version");
    for path in all(other.home().root()) {
        assert!([SERVICE, USER].contains(&owner(&path).0), "{} belongs to root", path.display());
    }
}

/// A folder of root's keeps the newest backups, although the process that makes them is root no more.
#[test]
fn a_folder_of_roots_keeps_the_newest_backups_of_another_users_home() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let folder = place.outside().display().to_string();
    for _ in 0..3 {
        world.admin(&["backup", &folder, "--plain", "--keep", "2"]).done();
    }
    let left: Vec<PathBuf> =
        fs::read_dir(place.outside()).expect("a folder").flatten().map(|e| e.path()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.iter().all(|path| owner(path) == (0, 0, 0o600)), "{left:?}");
    // One that fails leaves nothing behind.
    fs::write(world.home().journal(), "no journal\n").expect("root may");
    assert_ne!(world.admin(&["backup", &folder, "--plain", "--keep", "2"]).status, 0);
    assert_eq!(fs::read_dir(place.outside()).expect("a folder").count(), 2);
}

/// A service that may not read the memories makes no backups that lack them: it refuses to start, and names the line for root.
#[test]
fn a_service_that_reads_no_memory_names_roots_line_instead_of_backing_up() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let folder = place.outside().join("backups");
    fs::create_dir(&folder).expect("a folder");
    let backups = format!(
        "backups: {{folder: {}, zone: Pacific/Chatham, with_keys: true, recipients: [{RECIPIENT}]}}\n",
        folder.display()
    );
    let config = world.home().admin_config();
    fs::write(&config, fs::read_to_string(&config).expect("root may") + &backups).expect("root may");
    let ran = as_service(&world, &["run"]).exited(3).says("root has to make the backups");
    let ran = ran.says("instead of Pacific/Chatham, since cron knows no other");
    let line = ran
        .stderr
        .split_once(" root cl-admin ")
        .expect("a line for cron")
        .1
        .lines()
        .next()
        .expect("a line")
        .to_owned();
    world.admin(&line.split_whitespace().collect::<Vec<_>>()).done().prints("encrypted, with keys");
    let made = fs::read_dir(&folder).expect("a folder").next().expect("a file").expect("a name").path();
    let identity = place.secret_file("identity", IDENTITY);
    let ran =
        world.admin(&["backup", &made.display().to_string(), "--verify", "--identity", &identity]).done();
    assert!(!ran.stderr.contains("not in the backup"), "{}", ran.report());
    as_service(&world, &["status", "--json"]).done().prints(&made.display().to_string());
}

/// What keeps root's job from beginning, such as a disk that is away, is noted by the owner of the home, as nobody reads its mail.
#[test]
fn a_job_of_roots_that_cannot_begin_is_noted_in_the_home() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let folder = place.outside().join("away");
    let backup = || world.admin(&["backup", &folder.display().to_string(), "--plain", "--keep", "2"]);
    backup().exited(2).says("is not a folder");
    as_service(&world, &["status"]).done().prints("ALARM").prints("is not a folder");
    let noted = fs::metadata(world.home().admin().join("last_backup.json")).expect("it is noted");
    assert_eq!(noted.uid(), SERVICE);
    fs::create_dir(&folder).expect("a folder");
    backup().done();
    as_service(&world, &["status"]).done().hides("ALARM");
}

/// Tells another thread to end, however this one does.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The bot's user plants links to root's files and to the service's keys, pipes, and names beyond all bounds, and swaps folders
/// while it is read: nothing comes along that it could not read itself, and nothing is changed.
#[test]
fn what_the_bots_user_plants_brings_nothing_of_root_or_the_service() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let secret = place.secret_file("secret", "Zebrafink-of-root");
    let keys = fs::read_to_string(world.home().keys().join("manifest.key")).expect("root may");
    let key = keys.lines().nth(1).expect("a key has two lines").to_owned();
    let workspace = world.home().profile(&world.profile()).join("workspace");
    symlink(&secret, workspace.join("link")).expect("a link");
    symlink(world.home().keys(), workspace.join("keys")).expect("a link");
    fs::hard_link(&secret, workspace.join("second")).expect("a second name");
    mkfifo(&workspace.join("pipe"), Mode::from_bits_truncate(0o600)).expect("a pipe");
    let mut deep = workspace.join("deep");
    for _ in 0..12 {
        fs::create_dir(&deep).expect("a folder");
        deep = deep.join("n".repeat(250));
    }
    let of_root = workspace.join("of-root");
    fs::create_dir(&of_root).expect("a folder");
    fs::write(of_root.join("diary"), "Zebrafink-closed").expect("a file");
    fs::set_permissions(of_root.join("diary"), fs::Permissions::from_mode(0o600)).expect("root may");
    let folder = workspace.join("swapped");
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                let _ = fs::remove_file(&folder);
                let _ = fs::create_dir(&folder);
                let _ = fs::write(folder.join("a"), "harmless");
                let _ = fs::remove_dir_all(&folder);
                let _ = symlink(place.outside(), &folder);
            }
        });
        // A failed assertion must end the other thread too.
        let _ends = Ends(&ended);
        for _ in 0..4 {
            let (file, ran) = backed_up(&world, &place);
            let ran = ran
                .exited(1)
                .says("error: data/profiles/default/workspace/of-root/diary is not in the backup");
            for mark in ["Zebrafink-of-root", "Zebrafink-closed", &key] {
                assert!(!holds(&file, mark), "{mark}: {}", ran.report());
            }
            ran.says("workspace/link").says("workspace/keys").says("workspace/second").says("workspace/pipe");
            assert!(names(&file).iter().any(|name| name.ends_with("memory/facts.jsonl")));
        }
    });
    assert_eq!(fs::read_to_string(&secret).expect("root may"), "Zebrafink-of-root");
}

/// The service's user leads the names that root is given elsewhere: root follows no link to write, and acts as nobody whom root
/// did not put beside the service.
#[test]
fn what_the_services_user_exchanges_leads_root_nowhere() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    // A link in the place of the folder for backups.
    let lure = world.outside().join("backups");
    symlink(place.outside(), &lure).expect("a link");
    lchown(&lure, Some(SERVICE), Some(SERVICE)).expect("root may");
    let before = fs::read_dir(place.outside()).expect("a folder").count();
    world
        .admin(&["backup", &lure.display().to_string(), "--plain"])
        .exited(3)
        .says("links of other users are not followed");
    let below = lure.join("home.tar").display().to_string();
    world.admin(&["backup", &below, "--plain"]).exited(3).says("links of other users are not followed");
    assert_eq!(fs::read_dir(place.outside()).expect("a folder").count(), before);
    // Another user as the bot's, in the configuration that the service writes.
    let config = world.home().bot_config();
    let text = fs::read_to_string(&config).expect("root may");
    let other = USER + 7;
    fs::write(&config, text.replace(&USER.to_string(), &other.to_string())).expect("root may");
    let data = world.home().data().to_owned();
    fs::rename(&data, data.with_file_name("moved")).expect("it can be moved");
    let diary = world.outside().join("of-another/profiles/default/memory");
    fs::create_dir_all(&diary).expect("a folder");
    fs::write(diary.join("facts.jsonl"), "Zebrafink-of-another\n").expect("a file");
    for path in all(&world.outside().join("of-another")) {
        chown(&path, Some(other), Some(other)).expect("root may");
        let mode = if path.is_dir() { 0o700 } else { 0o600 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("root may");
    }
    symlink(world.outside().join("of-another"), &data).expect("a link");
    let (file, ran) = backed_up(&world, &place);
    assert!(!file.exists(), "{}", ran.report());
    ran.exited(3).says(&format!("the configuration names `{other}`"));
    world.admin(&["profile", "erase", "default", "--yes"]);
    assert!(diary.join("facts.jsonl").exists(), "nothing was removed");
}

/// A link of the service's user in the place of a backup leads root to no other home's backup, whose memories would go to this
/// home's users; a link of root's own is followed.
#[test]
fn a_link_of_the_services_user_brings_no_other_homes_backup() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let passphrase = place.secret_file("passphrase", "correct horse battery");
    let file = place.outside().join("home.tar.age");
    let shown = file.display().to_string();
    world.admin(&["backup", &shown, "--with-keys", "--passphrase-file", &passphrase]).done();
    let fresh = empty_place();
    let restore = |file: &Path| {
        let file = file.display().to_string();
        fresh.admin(&["restore", &file, "--yes", "--passphrase-file", &passphrase])
    };
    let (lure, way) = (fresh.outside().join("home.tar.age"), fresh.outside().join("backups"));
    for (link, to) in [(&lure, file.as_path()), (&way, place.outside())] {
        symlink(to, link).expect("a link");
        lchown(link, Some(SERVICE), Some(SERVICE)).expect("root may");
    }
    // A link of root's that leads over one of the service's.
    let over = place.outside().join("over");
    symlink(&way, &over).expect("a link");
    for named in [&lure, &way.join("home.tar.age"), &over.join("home.tar.age")] {
        restore(named).exited(3).says(&format!("leads over a link of user {SERVICE}"));
        let named = named.display().to_string();
        fresh.admin(&["backup", &named, "--verify", "--passphrase-file", &passphrase]).exited(3);
    }
    assert!(!fresh.home().root().join("config").exists(), "nothing is restored");
    let own = place.outside().join("newest");
    symlink(&file, &own).expect("a link");
    restore(&own).done();
    as_bot(&fresh, &["agent", "-m", "what is my name?"]).done().prints("Anna");
}

/// The service's user has `data` lead to other files of the bot's user: the child, who has that user's rights, does not go there.
/// A link of root's is a place that the operator chose.
#[test]
fn a_link_in_the_place_of_data_leads_the_child_nowhere() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let (data, other) = (world.home().data().to_owned(), world.outside().join("of-the-bot"));
    let diary = other.join("profiles/default/memory");
    fs::create_dir_all(&diary).expect("a folder");
    fs::write(diary.join("facts.jsonl"), "Zebrafink-elsewhere\n").expect("a file");
    for path in all(&other) {
        chown(&path, Some(USER), Some(USER)).expect("root may");
    }
    let moved = data.with_file_name("moved");
    fs::rename(&data, &moved).expect("it can be moved");
    let lead = |to: &Path, by: u32| {
        let _ = fs::remove_file(&data);
        symlink(to, &data).expect("a link");
        lchown(&data, Some(by), Some(by)).expect("root may");
    };
    lead(&other, SERVICE);
    let (file, ran) = backed_up(&world, &place);
    assert!(!file.exists(), "{}", ran.report());
    ran.exited(1).says(&format!("leads over a link of user {SERVICE}")).says("TAMECLAW_DATA_DIR");
    world.admin(&["profile", "erase", "default", "--yes"]).exited(1);
    assert!(diary.join("facts.jsonl").exists(), "nothing was removed");
    // Somewhere else in the home, where no other one will look.
    fs::rename(&moved, world.outside().join("disk")).expect("it can be moved");
    lead(&world.outside().join("disk"), 0);
    let (file, ran) = backed_up(&world, &place);
    ran.done();
    assert!(names(&file).iter().any(|name| name.ends_with("memory/facts.jsonl")));
}

/// A command in a view of the file system where these lists of users and groups are the system's.
fn listed(world: &World, command: &Command) -> Command {
    let lists = [
        (
            "passwd",
            format!(
                "root:x:0:0::/root:/bin/sh\nservice:x:{SERVICE}:{SERVICE}::/:/bin/sh\nbot:x:{USER}:{USER}::/:/bin/sh\n"
            ),
        ),
        (
            "group",
            format!("root:x:0:\nservice:x:{SERVICE}:\nbot:x:{USER}:service\nfurther:x:{FURTHER}:service\n"),
        ),
    ];
    let mut listed = Command::new("unshare");
    let mounted =
        "mount --bind \"$1\" /etc/passwd && mount --bind \"$2\" /etc/group && shift 2 && exec \"$@\"";
    listed.args(["--mount", "sh", "-c", mounted, "sh"]);
    for (name, text) in lists {
        let path = world.outside().join(name);
        fs::write(&path, text).expect("a file");
        listed.arg(path);
    }
    listed.arg(command.get_program()).args(command.get_args()).current_dir(world.outside());
    listed.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    listed
}

/// A further group of the service's user, where the system lists both.
const FURTHER: u32 = 3_042_099;

/// While root works as the owner of a home, it has that user's groups and no other, no way to a new privilege, and none of the keys
/// that root's session holds; whether the system lists that user or not.
#[test]
fn root_as_the_owner_keeps_nothing_of_its_session() {
    if !is_root() {
        return;
    }
    let (world, place) = (with_a_memory(), of_root());
    let passphrase = place.secret_file("passphrase", "correct horse battery");
    let file = place.outside().join("home.tar.age").display().to_string();
    world.admin(&["backup", &file, "--with-keys", "--passphrase-file", &passphrase]).done();
    for is_listed in [false, true] {
        let fresh = empty_place();
        let mut command =
            fresh.command(Program::Admin, &["restore", &file, "--passphrase-file", &passphrase]);
        if is_listed {
            command = listed(&place, &command);
        }
        session_key::put(&mut command);
        let mut asked = Pty::start(command);
        asked.expect("Restore? [y/N]", PATIENCE);
        let status = fs::read_to_string(format!("/proc/{}/status", asked.pid())).expect("it runs");
        let line = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let groups: Vec<String> =
            [USER, FURTHER][..1 + usize::from(is_listed)].iter().map(u32::to_string).collect();
        assert_eq!(line("Uid:"), vec![SERVICE.to_string(); 4], "{status}");
        assert_eq!(line("Groups:"), groups, "the groups of the owner alone: {status}");
        assert_eq!(line("NoNewPrivs:"), ["1"], "{status}");
        assert_eq!(line("CapPrm:"), ["0000000000000000"], "{status}");
        // A process that stays root's finds the key, where the system has keys.
        let mut sleeper = Command::new("sleep");
        session_key::put(sleeper.arg("600"));
        let control = Background::start(sleeper);
        match (session_key::is_found_by(control.pid()), session_key::is_found_by(asked.pid())) {
            (Ok(true), found) => assert_eq!(found, Ok(false), "a key of root's session"),
            (other, _) => skip(&format!("no key can be put into a session here: {other:?}")),
        }
        control.signal(Signal::SIGKILL);
        asked.line("n");
        asked.ended(PATIENCE);
    }
}

/// Any other verb names the user and the command, and not `chown`, which would take the home from its owner.
#[test]
fn root_is_told_the_command_as_the_owner_of_the_home() {
    if !is_root() {
        return;
    }
    let world = each_its_user(SERVICE);
    let ran = world.admin(&["list", "--json"]).exited(3);
    let place = world.home().root().display().to_string();
    let ran =
        ran.says(&format!("run it as `{SERVICE}`: sudo -u '#{SERVICE}' cl-admin --home {place} list --json"));
    assert!(!ran.stderr.contains("chown"), "{}", ran.report());
    let ran = world.admin(&["doctor"]);
    assert!(!ran.stdout.contains("chown -h 0"), "{}", ran.report());
    ran.prints(&format!("sudo -u '#{SERVICE}' cl-admin"));
    let facts = fs::metadata(world.home().config()).expect("it is there");
    assert_eq!((facts.uid(), facts.gid()), (SERVICE, USER));
}
