//! A profile's workspace, memory and receipts are in one place, and that place can be moved as a whole.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::skip;
use tameclaw_tests::world::{PATIENCE, Program, World};

#[test]
fn a_part_of_a_profile_lies_nowhere_else_and_the_refusal_names_what_can_be_moved() {
    let world = World::without_kit();
    for (key, text, next) in [
        ("workspace_dir", "workspace_dir: /srv/tameclaw\n", "`folders` with `access: write`"),
        ("memory.path", "memory: {path: /srv/tameclaw}\n", "mount the disk there"),
        ("receipts.path", "receipts: {path: /srv/tameclaw}\n", "set TAMECLAW_DATA_DIR"),
    ] {
        fs::write(world.home().bot_config(), text).expect("it can be written");
        for words in [&["config", "validate"][..], &["-m", "hi"]] {
            world.bot(words).exited(2).says(&format!("{key}: is not read")).says(next);
        }
        world.bot(&["config", "explain", key]).done().prints("Not allowed").prints(next);
        assert!(!Path::new("/srv/tameclaw").exists());
    }
    fs::write(world.home().bot_config(), "workspace_dirs: /srv\n").expect("it can be written");
    let ran = world.bot(&["config", "validate"]).exited(2).says("unknown");
    assert!(!ran.stderr.contains(" workspace_dir "), "a key that is not read is no way out: {}", ran.stderr);
    fs::write(world.home().bot_config(), "").expect("it can be written");
    let shown = world.bot(&["config", "show"]).done().stdout;
    assert!(!shown.contains("workspace_dir") && !shown.contains("\"path\""), "{shown}");
}

/// What is done with a home whose `data/` is elsewhere: a talk, a file that is written by a tool, receipts, a backup, an erasure.
fn goes_about(world: &World, data: &Path, on: &dyn Fn(Program, &[&str]) -> Ran) {
    let profile = world.home().profile_file(&world.profile());
    fs::write(&profile, "autonomy: full\ngrants: {files: {read: [\"**\"], write: [\"**\"]}}\n")
        .expect("a file");
    on(Program::Bot, &["-m", "remember that my cat is called Xanthippe"]).done();
    let call = json!({"path": "plan.txt", "content": "the plan of Friday"}).to_string();
    on(Program::Bot, &["tool", "run", "file_write", "--json", &call]).done();
    on(Program::Bot, &["receipt", "verify"]).done();
    let of_default = data.join("profiles/default");
    let holds = |file: &str, word: &str| {
        let text = fs::read_to_string(of_default.join(file)).unwrap_or_default();
        assert!(text.contains(word), "{file}: {text}");
    };
    holds("workspace/plan.txt", "the plan of Friday");
    holds("memory/facts.jsonl", "Xanthippe");
    holds("logs/receipts.jsonl", "file_write");
    on(Program::Admin, &["status"]).done();
    let file = world.outside().join("backup.tar").display().to_string();
    on(Program::Admin, &["backup", &file, "--plain"]).done();
    on(Program::Admin, &["backup", &file, "--verify"]).done();
    let bytes = fs::read(&file).expect("the backup");
    for word in ["the plan of Friday", "Xanthippe"] {
        assert!(
            bytes.windows(word.len()).any(|window| window == word.as_bytes()),
            "{word} is not in the backup"
        );
    }
    on(Program::Admin, &["profile", "erase", "default", "--yes"]).done();
    let left = crate::profiles::files_with(&of_default, "Friday");
    assert!(left.is_empty() && !of_default.join("memory/facts.jsonl").exists(), "{left:?}");
}

#[test]
fn all_of_data_lies_elsewhere_by_the_variable() {
    let world = World::empty();
    let data = world.outside().join("elsewhere");
    let on = |program: Program, words: &[&str]| {
        let mut command = world.command(program, words);
        command.env("TAMECLAW_DATA_DIR", &data);
        run(command, b"", PATIENCE)
    };
    on(Program::Admin, &["init"]).done();
    goes_about(&world, &data, &on);
    assert!(!world.home().data().exists(), "the home has a second place for it");
}

/// Another disk that is mounted at `data/`, behind either wall.
#[test]
fn all_of_data_lies_on_a_disk_that_is_mounted_there() {
    for landlock in ["on", "off"] {
        let world = World::without_kit();
        let (disk, data) = (world.outside().join("disk"), world.home().data().to_owned());
        fs::rename(&data, &disk).and_then(|()| fs::create_dir(&data)).expect("the data is moved");
        fs::write(world.home().bot_config(), format!("security: {{landlock: {landlock}}}\n"))
            .expect("a file");
        let on = |program: Program, words: &[&str]| {
            let inner = world.command(program, words);
            let mut command = Command::new("unshare");
            let mounted = "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"";
            command.args(["--mount", "sh", "-c", mounted, "sh"]).args([&disk, &data]);
            command.arg(inner.get_program()).args(inner.get_args()).current_dir(world.outside());
            command.env_clear().envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
            run(command, b"", PATIENCE)
        };
        let tried = on(Program::Bot, &["memory", "list"]);
        if ["unshare:", "mount:"].iter().any(|word| tried.stderr.contains(word)) {
            return skip("nothing can be mounted here");
        }
        goes_about(&world, &disk, &on);
        assert_eq!(
            fs::read_dir(&data).expect("the mount point").count(),
            0,
            "something lies beneath the disk"
        );
    }
}
