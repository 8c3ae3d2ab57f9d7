//! Attacks on `folders:`: the configuration opens one folder to a profile, and nothing else comes with it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};
use tameclaw_tests::calls::{ask, caller, profile, told};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::run::run;
use tameclaw_tests::world::{PATIENCE, World};

use crate::mind::Entered;
use crate::tiers::{USER, open_way, share};

const SECRET: &str = "the-secret-of-somebody-else";
/// Either wall around files.
const WALLS: [&str; 2] = ["on", "off"];

/// A home whose profile does all without asking, and a folder beside it that can be opened, with a secret outside of both.
fn world() -> (World, PathBuf) {
    let world = World::new();
    profile(&world, "autonomy: full\ngrants: {files: {read: [\"**\"], write: [\"**\"]}}\n");
    fs::write(world.outside().join("secret"), SECRET).expect("a file");
    let plans = world.outside().join("plans");
    fs::create_dir_all(plans.join("deep/private")).expect("a folder");
    for (name, text) in [
        ("a.txt", "the first plan"),
        ("deep/b.txt", "the second plan"),
        ("deep/private/c.txt", "the third plan"),
        (".hidden", "a hidden plan"),
    ] {
        fs::write(plans.join(name), text).expect("a file");
    }
    (world, plans)
}

/// The key `folders` with one entry, and which wall is to stand.
fn opened(folder: &Path, more: &str, landlock: &str) -> String {
    let path = folder.display();
    format!(
        "folders:\n- {{path: \"{path}/**\", profiles: [default]{more}}}\nsecurity: {{landlock: {landlock}}}\n"
    )
}

fn reads(path: String) -> (&'static str, Value) {
    ("file_read", json!({"path": path}))
}

/// What the tools give of an opened folder: its tree, and neither links, second names, hidden names nor anything beside it.
#[test]
fn an_opened_folder_leads_nowhere_else_behind_either_wall() {
    for landlock in WALLS {
        let (world, plans) = world();
        let secret = world.outside().join("secret");
        symlink(&secret, plans.join("link")).expect("a link");
        symlink(world.outside(), plans.join("way")).expect("a link");
        fs::hard_link(&secret, plans.join("second")).expect("a second name");
        let at = |name: &str| format!("{}/{name}", plans.display());
        let calls = [
            ("file_list", json!({})),
            ("file_list", json!({"path": plans.display().to_string(), "depth": 3})),
            reads(at("deep/b.txt")),
            ("file_search", json!({"query": "third", "path": plans.display().to_string()})),
            reads(at("link")),
            reads(at("way/secret")),
            reads(at("second")),
            reads(at("../secret")),
            reads(at(".hidden")),
            reads(secret.display().to_string()),
            reads(format!("{}-beside/a.txt", plans.display())),
            ("file_write", json!({"path": at("a.txt"), "content": "planted"})),
        ];
        let (heard, ran) = told(&world, &calls, &opened(&plans, "", landlock));
        let found: Vec<(usize, &str)> = vec![
            (0, "another folder, read only"),
            (1, "deep/private/c.txt  14 bytes"),
            (2, "the second plan"),
            (3, "deep/private/c.txt:1: the third plan"),
            (4, "path-link"),
            (5, "path-link"),
            (6, "path-link"),
            (7, "has `..` in it"),
            (8, "has a hidden name"),
            (9, "is an absolute path"),
            (10, "is an absolute path"),
            (11, "may only be read by this profile"),
        ];
        assert_eq!(heard.len(), calls.len(), "{}", ran.report());
        for (number, text) in found {
            assert!(heard[number].contains(text), "{landlock} {:?}: {}", calls[number], heard[number]);
        }
        assert!(heard.iter().all(|text| !text.contains(SECRET)), "{heard:?}");
        assert!(!heard[1].contains(".hidden") && !heard[1].contains("link/"), "{}", heard[1]);
        assert_eq!(fs::read_to_string(plans.join("a.txt")).expect("it is there"), "the first plan");
    }
}

/// The system itself opens the tree to `mind` and nothing beside it: a read-only one is not written by any call. `net` gets none of it.
#[test]
fn the_kernel_opens_exactly_the_folder_and_a_read_only_one_takes_no_change() {
    for (landlock, writes) in [("on", false), ("off", false), ("on", true), ("off", true)] {
        let (world, plans) = world();
        let access = if writes { ", access: write" } else { "" };
        let text = format!(
            "providers:\n- {{name: far, kind: openai-compatible, base_url: \"http://127.0.0.1:9/v1\", model: m}}\n{}",
            opened(&plans, access, landlock)
        );
        fs::write(world.home().bot_config(), text).expect("the configuration can be written");
        let beside = world.outside().join("secret").display().to_string();
        let bot = Entered::start(world);
        let at = |name: &str| plans.join(name).display().to_string();
        bot.inside(bot.mind(), |mind| {
            assert!(mind.open(&at("deep/b.txt"), libc::O_RDONLY).is_success(), "{landlock}: it may be read");
            assert!(!mind.open(&beside, libc::O_RDONLY).is_success(), "{landlock}: {beside} was opened");
            for (name, flags) in [
                ("a.txt", libc::O_WRONLY),
                ("a.txt", libc::O_RDWR | libc::O_APPEND),
                ("planted", libc::O_CREAT | libc::O_WRONLY),
            ] {
                let outcome = mind.open(&at(name), flags);
                assert_eq!(outcome.is_success(), writes, "{landlock} {name} {flags:#o}: {outcome:?}");
            }
            let gone = mind.text(&at("deep/b.txt"));
            let removed = mind.call(libc::SYS_unlinkat, &[libc::AT_FDCWD as u64, gone, 0]);
            assert_eq!(removed.is_success(), writes, "{landlock}: removing it: {removed:?}");
        });
        bot.inside(bot.net(), |net| {
            let outcome = net.open(&at("a.txt"), libc::O_RDONLY);
            assert!(!outcome.is_success(), "{landlock}: net opened it: {outcome:?}");
        });
        bot.still_talks();
    }
}

/// A folder that takes the place of the opened one after the start is not the opened one.
#[test]
fn a_folder_swapped_after_the_start_is_not_reached() {
    for landlock in WALLS {
        let (world, plans) = world();
        let elsewhere = world.outside().join("elsewhere");
        fs::create_dir(&elsewhere).expect("a folder");
        fs::write(elsewhere.join("a.txt"), SECRET).expect("a file");
        let (from, heard) = (plans.clone(), Arc::new(std::sync::Mutex::new(String::new())));
        let kept = Arc::clone(&heard);
        let model = ModelServer::start(move |chat| {
            let messages = chat.body["messages"].as_array().cloned().unwrap_or_default();
            if let Some(told) = messages.iter().find(|message| message["role"] == "tool") {
                *kept.lock().expect("no script panics") =
                    told["content"].as_str().unwrap_or_default().to_owned();
                return Reply::text("that is all");
            }
            // The bot has started: it asks.
            fs::rename(&from, from.with_extension("moved")).expect("it can be moved");
            symlink(&elsewhere, &from).expect("a link");
            Reply::Calls(vec![(
                "file_read".to_owned(),
                json!({"path": from.join("a.txt").display().to_string()}),
            )])
        });
        ask(&world, &model, &opened(&plans, "", landlock));
        let ran = world.bot(&["-m", "please go"]);
        let heard = heard.lock().expect("no script panics").clone();
        assert_eq!(heard, "the first plan", "{landlock}: {}", ran.report());
    }
}

/// What the profile forbids is forbidden there too: by pattern, by path, and as a whole.
#[test]
fn forbidden_paths_hold_in_an_opened_folder() {
    let (world, plans) = world();
    let forbid = |paths: &str| {
        profile(&world, &format!("autonomy: full\ngrants: {{forbidden_paths: [{paths}]}}\n"));
    };
    let at = |name: &str| format!("{}/{name}", plans.display());
    let calls = [
        ("file_list", json!({"path": plans.display().to_string(), "depth": 4})),
        reads(at("deep/private/c.txt")),
        ("file_search", json!({"query": "plan", "path": plans.display().to_string()})),
        ("file_write", json!({"path": at("deep/private/new.txt"), "content": "planted"})),
    ];
    for paths in ["\"**/private/**\"".to_owned(), format!("\"{}\"", at("deep/private"))] {
        forbid(&paths);
        let (heard, _) = told(&world, &calls, &opened(&plans, ", access: write", "on"));
        assert!(!heard[0].contains("c.txt") && heard[0].contains("b.txt"), "{paths}: {}", heard[0]);
        assert!(heard[1].contains("grants.forbidden_paths"), "{paths}: {}", heard[1]);
        assert!(
            heard[2].contains("second plan") && !heard[2].contains("third plan"),
            "{paths}: {}",
            heard[2]
        );
        assert!(heard[3].contains("grants.forbidden_paths"), "{paths}: {}", heard[3]);
    }
    assert!(!plans.join("deep/private/new.txt").exists());
    forbid(&format!("\"{}\"", world.outside().display()));
    let (heard, ran) = told(&world, &[reads(at("a.txt"))], &opened(&plans, "", "on"));
    assert!(heard[0].contains("is an absolute path"), "{heard:?}");
    ran.says("is forbidden by grants.forbidden_paths of the profile");
}

/// `~/` is one folder everywhere in the configuration, the home of the user who owns it: not what `HOME` says to the program
/// that happens to read it.
#[test]
fn a_forbidden_home_folder_is_the_one_that_is_opened_whatever_home_says() {
    if !nix::unistd::geteuid().is_root() {
        return tameclaw_tests::skip("only root can have another list of users");
    }
    let (world, plans) = world();
    let users = world.outside().join("users");
    fs::write(&users, format!("root:x:0:0::{}:/bin/sh\n", world.outside().display())).expect("a file");
    let calls = ["deep/b.txt", "deep/private/c.txt"].map(|name| reads(format!("{}/{name}", plans.display())));
    let asked = |forbidden: &str, opened: &str| {
        profile(&world, &format!("autonomy: full\ngrants: {{forbidden_paths: [\"{forbidden}\"]}}\n"));
        let calls = calls.iter().map(|(tool, args)| ((*tool).to_owned(), args.clone())).collect();
        let (model, heard) = caller(calls);
        ask(&world, &model, &format!("folders: [{{path: \"{opened}/**\", profiles: [default]}}]"));
        let bot = world.command(tameclaw_tests::world::Program::Bot, &["-m", "please go"]);
        let mut command = Command::new("unshare");
        let mounted = "mount --bind \"$1\" /etc/passwd && shift && exec \"$@\"";
        command.args(["--mount", "sh", "-c", mounted, "sh"]).arg(&users);
        command.arg(bot.get_program()).args(bot.get_args()).current_dir(world.outside());
        command.env_clear().envs(bot.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("HOME", "/nowhere");
        let ran = run(command, b"", PATIENCE);
        (heard.lock().expect("no script panics").clone(), ran)
    };
    for (forbidden, opened) in [
        ("~/plans/deep/private", plans.display().to_string()),
        ("~root/plans/deep/private", plans.display().to_string()),
        (&format!("{}/deep/private", plans.display()), "~/plans".to_owned()),
        ("~/plans/deep/private", "~root/plans".to_owned()),
    ] {
        let (heard, ran) = asked(forbidden, &opened);
        if ["unshare:", "mount:"].iter().any(|word| ran.stderr.contains(word)) {
            return tameclaw_tests::skip("nothing can be mounted here");
        }
        assert!(heard[0].contains("the second plan"), "{forbidden} {opened}: {heard:?}\n{}", ran.report());
        assert!(heard[1].contains("grants.forbidden_paths"), "{forbidden} {opened}: {heard:?}");
    }
    asked("~nobody-here/x", "~/plans").1.exited(2).says("names the home folder of `nobody-here`");
}

/// Another profile gets nothing, a minor's profile writes only where the entry says so, and nobody writes unasked in `readonly`.
#[test]
fn only_the_named_profile_gets_the_folder_and_a_minor_reads_it() {
    let (world, plans) = world();
    let at = |name: &str| format!("{}/{name}", plans.display());
    let write = |name: &str| ("file_write", json!({"path": at(name), "content": "written"}));
    let entry = opened(&plans, ", access: write", "on");
    let others = entry.replace("[default]", "[anna]");
    let (heard, _) = told(&world, &[reads(at("a.txt")), ("file_list", json!({})), write("new.txt")], &others);
    assert!(
        heard[0].contains("is an absolute path") && heard[2].contains("is an absolute path"),
        "{heard:?}"
    );
    assert!(!heard[1].contains("plans"), "{}", heard[1]);

    let (heard, ran) = told(&world, &[write("new.txt")], &entry);
    assert!(plans.join("new.txt").exists(), "{heard:?} {}", ran.report());

    fs::write(world.outside().join("words"), "correct horse battery staple\n").expect("a file");
    fs::set_permissions(world.outside().join("words"), fs::Permissions::from_mode(0o600)).expect("a mode");
    let words = world.outside().join("words").display().to_string();
    world.admin(&["approver", "passphrase", "--passphrase-file", &words]).done();
    profile(&world, "audience: child\nautonomy: full\ngrants: {files: {read: [\"**\"], write: [\"**\"]}}\n");
    let (heard, ran) = told(&world, &[reads(at("a.txt")), write("by-a-child.txt")], &entry);
    assert_eq!(heard.len(), 2, "{}", ran.report());
    assert!(heard[0].contains("the first plan"), "{heard:?}");
    assert!(heard[1].contains("may only be read by this profile"), "{heard:?}");
    let plainly = opened(&plans, ", access: write, minors_write: true", "on");
    let (heard, _) = told(&world, &[write("by-a-child.txt")], &plainly);
    assert!(!heard[0].contains("may only be read"), "{heard:?}");
}

/// Places that must not be opened are faults of the configuration, or left out with a warning; then they are absolute paths like any other.
#[test]
fn a_place_that_must_not_be_opened_is_not() {
    let (world, plans) = world();
    for (path, why) in [
        ("/**", "is a whole disk"),
        ("~/**", "is a whole disk"),
        ("/home/anna/.ssh/**", "a hidden folder"),
        ("/srv/../etc/**", "`..`"),
        ("/srv/plans/*", "does not end in /**"),
    ] {
        let text = format!("folders:\n- {{path: \"{path}\", profiles: [default]}}\n");
        fs::write(world.home().bot_config(), text).expect("the configuration can be written");
        world.bot(&["config", "validate"]).exited(2).says("folders[0].path").says(why);
        world.bot(&["-m", "hello"]).exited(2);
    }
    symlink(&plans, world.outside().join("way")).expect("a link");
    let open = world.outside().join("open");
    fs::create_dir_all(open.join("below")).expect("a folder");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("a mode");
    let home = world.home();
    let below = |name: &str| world.outside().join(name);
    for (folder, why) in [
        ("/etc/ssl".into(), "belongs to the system (/etc)"),
        ("/proc/self".into(), "belongs to the system (/proc)"),
        ("/root".into(), "holds /root whole"),
        (home.root().to_owned(), "is the home of TameClaw"),
        (home.keys(), "is the home of TameClaw"),
        (home.profile(&"other".parse().expect("a name")), "is the home of TameClaw"),
        (world.outside().to_owned(), "is the home of TameClaw"),
        (below("way"), "is a link"),
        (below("way/deep"), "is a link"),
        (below("gone"), "is missing"),
        (below("secret"), "is not a folder"),
        (below("open"), "may be changed by everybody"),
        (below("open/below"), "may be changed by everybody"),
    ] {
        let (heard, ran) = told(
            &world,
            &[("file_list", json!({"path": folder}))],
            &opened(&folder, ", access: write", "on"),
        );
        assert!(
            heard.first().is_some_and(|told| told.contains("is an absolute path")),
            "{folder:?}: {heard:?}"
        );
        ran.says("left out: ").says(why);
    }
}

/// Two users: a folder that is closed to the bot's user stays closed although root starts the bot, and is opened once it has the right.
#[test]
fn the_bots_user_must_have_the_right_itself() {
    if !nix::unistd::geteuid().is_root() {
        return tameclaw_tests::skip("only root can make two users");
    }
    for landlock in WALLS {
        let (world, plans) = world();
        share(&world);
        open_way(&world);
        fs::set_permissions(&plans, fs::Permissions::from_mode(0o700)).expect("a mode");
        let path = plans.join("a.txt").display().to_string();
        let more = opened(&plans, "", landlock).replace("{landlock", &format!("{{user: {USER}, landlock"));
        let closed = world.command(tameclaw_tests::world::Program::Bot, &["-m", "please go"]);
        let (model, heard) = caller(vec![("file_read".to_owned(), json!({"path": path}))]);
        ask(&world, &model, &more);
        tameclaw_tests::run::run(closed, b"", tameclaw_tests::world::PATIENCE).says("is closed to the user");
        assert!(heard.lock().expect("no script panics")[0].contains("is an absolute path"));
        world.admin(&["doctor"]).prints("is closed to the bot's user");
        fs::set_permissions(&plans, fs::Permissions::from_mode(0o755)).expect("a mode");
        let (heard, ran) = told(&world, &[reads(path.clone())], &more);
        assert_eq!(heard, ["the first plan"], "{landlock}: {}", ran.report());
        // An open folder in one that is closed: a view of the file system would show it.
        let above = world.outside().join("closed");
        fs::create_dir(&above).expect("a folder");
        fs::set_permissions(&above, fs::Permissions::from_mode(0o700)).expect("a mode");
        let below = above.join("plans");
        fs::rename(&plans, &below).expect("it can be moved");
        let more = opened(&below, "", landlock).replace("{landlock", &format!("{{user: {USER}, landlock"));
        let path = below.join("a.txt").display().to_string();
        let (heard, ran) = told(&world, &[reads(path)], &more);
        assert!(heard[0].contains("is an absolute path"), "{landlock}: {heard:?}");
        ran.says(&format!("is closed to the user {USER}"));
    }
}

/// What is open is shown where the rights are shown.
#[test]
fn the_permissions_name_the_folder() {
    let (world, plans) = world();
    fs::write(world.home().bot_config(), opened(&plans, "", "on")).expect("the configuration can be written");
    let folder = plans.display().to_string();
    let bot = tameclaw_tests::world::Program::Bot;
    let shown = world.typed(bot, &["agent"], "/permissions\n/exit\n").done();
    assert!(shown.stdout.contains(&folder) && shown.stdout.contains("read"), "{}", shown.report());
    world.admin(&["profile", "list"]).done().prints(&folder);
    world.admin(&["doctor"]).prints(&folder);
}
