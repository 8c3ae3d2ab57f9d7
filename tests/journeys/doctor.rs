//! The doctor: a good home has nothing that fails, and each thing that is broken is one line with what helps.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::Value;
use tameclaw_tests::run::Ran;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

fn looks(ran: &Ran) -> Vec<Value> {
    ran.json_rows()
}

/// Insists on a line with this word of health about this, which holds these words, and a remedy with those.
#[track_caller]
fn has(ran: &Ran, health: &str, what: &str, words: &str, next: &str) {
    let holds = |look: &Value, key: &str, part: &str| look[key].as_str().unwrap_or_default().contains(part);
    let fits = |look: &Value| {
        look["what"] == what
            && look["health"] == health
            && holds(look, "words", words)
            && holds(look, "next", next)
    };
    assert!(
        looks(ran).iter().any(fits),
        "no `{health} {what}` with `{words}` and `{next}`\n{}",
        ran.report()
    );
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it can be set");
}

/// Replaces a file's content; answers what puts it back.
fn replaced(path: &Path, text: impl AsRef<[u8]>) -> Box<dyn FnOnce()> {
    let before = fs::read(path).expect("it can be read");
    fs::write(path, text).expect("it can be written");
    let path = path.to_owned();
    Box::new(move || fs::write(path, before).expect("it can be put back"))
}

/// Changes a mode; answers what puts it back.
fn opened(path: &Path, mode: u32) -> Box<dyn FnOnce()> {
    let before = fs::metadata(path).expect("it is there").permissions();
    chmod(path, mode);
    let path = path.to_owned();
    Box::new(move || fs::set_permissions(path, before).expect("it can be put back"))
}

/// Moves something away; answers what puts it back.
fn missing(path: &Path) -> Box<dyn FnOnce()> {
    let away = path.with_extension("away");
    let away = std::env::temp_dir().join(format!(
        "{}-{}",
        std::process::id(),
        away.file_name().expect("a name").to_string_lossy()
    ));
    fs::rename(path, &away).expect("it can be moved");
    let path = path.to_owned();
    Box::new(move || fs::rename(away, path).expect("it can be put back"))
}

#[test]
fn a_good_home_has_nothing_that_fails_and_a_changed_module_is_found() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_skill("learn to roll dice");
    let ran = world.admin(&["doctor", "--json"]).done();
    assert!(looks(&ran).iter().all(|look| look["health"] != "fail"), "{}", ran.report());
    has(&ran, "pass", "compiler", "makes a module in its jail", "");
    has(&ran, "pass", "skills", "1 installed", "");
    has(&ran, "warn", "keys", "no passphrase", "approver passphrase");
    has(&ran, "pass", "reserve", "KiB are kept", "");
    has(&ran, "pass", "halt", "may run", "");
    for what in ["home", "files", "disk", "journal", "manifest", "mirror", "approvers", "keys", "profiles"] {
        has(&ran, "pass", what, "", "");
    }
    fs::write(world.home().halt(), "data/ is over its limit").expect("it can be written");
    let ran = world.admin(&["doctor", "--json"]).exited(1);
    has(&ran, "fail", "halt", "data/ is over its limit", "data_limit");
    fs::remove_file(world.home().halt()).expect("it can be removed");
    fs::remove_file(world.home().reserve()).expect("it can be removed");
    let ran = world.admin(&["doctor", "--json"]).done();
    has(&ran, "warn", "reserve", "No such file", "run --once");
    world.admin(&["run", "--once"]).done();
    let module = world.home().module(&"roll-dice".parse().expect("a name"), 1);
    let back = replaced(&module, b"something else");
    let ran = world.admin(&["doctor", "--json"]).exited(1);
    has(&ran, "fail", "skills", "leaves roll-dice out", "skill.wasm");
    back();
    world.admin(&["doctor"]).done().prints("pass  skills").hides("fail ");
}

#[test]
fn each_thing_that_is_broken_is_one_line_with_what_helps() {
    let world = World::new();
    let home = world.home();
    // Without a compiler each look is quick; that is the first thing that is reported.
    let config = fs::read_to_string(home.admin_config()).expect("a configuration");
    fs::write(home.admin_config(), config.replace("compiler: auto", "compiler: /nowhere/rustc"))
        .expect("written");
    world.ask("learn to roll dice");
    world.admin(&["run", "--once"]).done();
    let doctor = || world.admin(&["doctor", "--json"]).exited(1);
    let first = doctor();
    has(&first, "fail", "compiler", "/nowhere/rustc", "install");
    let failing = |ran: &Ran| looks(ran).iter().filter(|look| look["health"] == "fail").count();
    assert_eq!(failing(&first), 1, "{}", first.report());

    let key = home.keys().join("approver-owner.key");
    let bot_config = fs::read_to_string(home.bot_config()).expect("a configuration");
    let isolation =
        |tier: &str| bot_config.replace("minimum_isolation: process", &format!("minimum_isolation: {tier}"));
    let journal = fs::read_to_string(home.journal()).expect("a journal");
    let public = minisign_key();
    let manifest = fs::read_to_string(home.manifest()).expect("a manifest");
    let mirror = fs::read_dir(home.status(&world.profile()))
        .expect("a mirror")
        .next()
        .expect("one")
        .expect("it")
        .path();
    let admin_yaml = fs::read_to_string(home.admin_config()).expect("a configuration");
    let list = format!("approvers: [{{id: owner, public_key: \"{public}\"}}]\n");
    type Break<'a> = (Box<dyn Fn() -> Box<dyn FnOnce()> + 'a>, &'a str, &'a str, &'a str);
    let breaks: Vec<Break> = vec![
        (Box::new(|| opened(&home.config(), 0o777)), "files", "everybody (mode 777)", "chmod o-w"),
        (
            Box::new(|| opened(&home.manifest(), 0o666)),
            "files",
            "skills_manifest.yaml may be written",
            "chmod o-w",
        ),
        (Box::new(|| opened(&home.admin(), 0o755)), "files", "may be read by others", "chmod go="),
        (Box::new(|| opened(&home.keys(), 0o750)), "files", "keys may be read by others", "chmod go="),
        (
            Box::new(|| opened(&home.profile(&world.profile()), 0o777)),
            "files",
            "profiles/default may be written",
            "chmod o-w",
        ),
        (Box::new(|| opened(&key, 0o644)), "keys", "approver-owner.key may be read", "chmod 600"),
        (Box::new(|| missing(&home.skills())), "files", "skills is missing", "cl-admin init"),
        (Box::new(|| missing(&home.net())), "files", "net is missing", "cl-admin init"),
        (Box::new(|| missing(&home.keys().join("manifest.key"))), "keys", "manifest.key", "backup"),
        (Box::new(|| missing(&home.journal())), "journal", "journal", "backup"),
        (
            Box::new(|| replaced(&home.journal(), journal.replacen("owner", "ownes", 1))),
            "journal",
            "hash",
            "backup",
        ),
        (
            Box::new(|| replaced(&home.manifest(), manifest.replacen("\"serial\": 1", "\"serial\": 9", 1))),
            "manifest",
            "signature",
            "run --once",
        ),
        (
            Box::new(|| missing(&home.manifest_signature())),
            "manifest",
            "skills_manifest.yaml.sig",
            "run --once",
        ),
        (Box::new(|| replaced(&home.trust(), &public)), "keys", "does not fit", "backup"),
        (
            Box::new(|| replaced(&home.approvers(), "approvers: {")),
            "approvers",
            "approvers.yaml",
            "run --once",
        ),
        (Box::new(|| replaced(&home.approvers(), &list)), "approvers", "not signed", "approver seal"),
        (Box::new(|| missing(&home.approvers())), "approvers", "approvers.yaml", "run --once"),
        (Box::new(|| replaced(&home.admin_config(), "max_repairs: lots\n")), "config", "max_repairs", "edit"),
        (
            Box::new(|| replaced(&home.bot_config(), isolation("full"))),
            "isolation",
            "asks for `full`",
            "security.user",
        ),
        (
            Box::new(|| replaced(&home.bot_config(), isolation("none"))),
            "isolation",
            "is not a tier",
            "config validate",
        ),
        (
            Box::new(|| replaced(&home.profile_file(&world.profile()), "audience: everyone\n")),
            "profiles",
            "default cannot be opened",
            "config validate",
        ),
        (Box::new(|| replaced(&mirror, "status: accepted\n")), "mirror", "roll-dice", "run --once"),
        (Box::new(|| linked(&home.config().join("odd.yaml"))), "files", "is a link", "rm "),
        (
            Box::new(|| from_tomorrow(&home.journal())),
            "clock",
            "before the journal's last record",
            "set the clock",
        ),
        (
            Box::new(|| replaced(&home.admin_config(), unreachable(&admin_yaml))),
            "models",
            "is not reached",
            "start the server",
        ),
    ];
    for (broken, what, words, next) in breaks {
        let back = broken();
        let ran = world.admin(&["doctor", "--json", "--online"]).exited(1);
        back();
        has(&ran, "fail", what, words, next);
    }
    let pending = home.keys().join("totp-owner.new");
    fs::write(&pending, "x").expect("written");
    chmod(&pending, 0o600);
    has(&doctor(), "warn", "leftovers", "nobody confirmed", "--confirm");
    fs::remove_file(&pending).expect("removed");
    let last = doctor();
    assert_eq!(failing(&last), 1, "something stayed broken: {}", last.report());
}

/// A folder that is not a home at all, or one where nothing is of the right kind, is reported and never a crash.
#[test]
fn a_home_in_ruins_is_told_and_no_crash() {
    let world = World::empty();
    world.admin(&["doctor"]).exited(1).prints("fail  home").prints("cl-admin init");
    let world = World::new();
    let home = world.home();
    for path in [
        home.journal(),
        home.approvers(),
        home.manifest(),
        home.bot_config(),
        home.admin_config(),
        home.trust(),
    ] {
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("a folder in its place");
    }
    fs::remove_dir_all(home.keys()).expect("removed");
    fs::write(home.keys(), "no folder").expect("written");
    let ran = world.admin(&["doctor"]).exited(1).hides("panicked");
    assert!(ran.stdout.matches("fail ").count() >= 6, "{}", ran.report());
    assert!(
        ran.stdout.lines().all(|l| ["pass ", "warn ", "fail ", "     "].contains(&&l[..5])),
        "{}",
        ran.report()
    );
}

fn linked(path: &Path) -> Box<dyn FnOnce()> {
    symlink("/etc/hostname", path).expect("a link");
    let path = path.to_owned();
    Box::new(move || fs::remove_file(path).expect("removed"))
}

/// A journal whose last record is of a day that has not come.
fn from_tomorrow(path: &Path) -> Box<dyn FnOnce()> {
    let before = fs::read(path).expect("it can be read");
    let mut log = durable::ChainedLog::open(path).expect("a chain");
    let record =
        serde_json::json!({"at": "2999-01-01T00:00:00.000Z", "record": "profile-removed", "id": "anna"});
    log.append(&record).expect("it can be appended");
    let path = path.to_owned();
    Box::new(move || fs::write(path, before).expect("it can be put back"))
}

/// A configuration with a model server where nobody listens.
fn unreachable(config: &str) -> String {
    config.replace("implementers: [templates]", "implementers: [nobody]").replace(
        "providers: []",
        "providers: [{name: nobody, kind: openai-compatible, base_url: \"http://127.0.0.1:9\", model: m}]",
    )
}

fn minisign_key() -> String {
    minisign::KeyPair::generate_unencrypted_keypair().expect("a key").pk.to_base64()
}

/// What is safe is put right, each thing with a line that says so; a key and what is signed are left to a backup.
#[test]
fn fix_puts_right_what_is_safe_and_says_each_thing() {
    let world = World::without_kit();
    let home = world.home();
    let config = fs::read_to_string(home.admin_config()).expect("a configuration");
    fs::write(home.admin_config(), config.replace("compiler: auto", "compiler: /nowhere/rustc"))
        .expect("written");
    chmod(&home.config(), 0o777);
    chmod(&home.keys(), 0o755);
    fs::remove_dir_all(home.net()).expect("it can be removed");
    fs::remove_file(home.persona()).expect("it can be removed");
    fs::remove_dir_all(home.skills()).expect("it can be removed");
    fs::write(home.admin().join("service.sock"), "").expect("it can be written");
    let (manifest_key, journal) = (home.keys().join("manifest.key"), home.journal());
    let (key, records) = (fs::read(&manifest_key).expect("a key"), fs::read(&journal).expect("a journal"));
    fs::remove_file(&manifest_key).expect("it can be removed");
    fs::remove_file(&journal).expect("it can be removed");
    let looked = world.admin(&["doctor", "--json"]).exited(1);
    assert!(
        looks(&looked).iter().all(|look| look["health"] != "fixed"),
        "it only looks\n{}",
        looked.report()
    );
    assert!(!home.net().exists());
    let mut command = world.command(tameclaw_tests::world::Program::Admin, &["doctor", "--fix", "--json"]);
    command.env("LANG", "de_CH.UTF-8");
    let ran = tameclaw_tests::run::run(command, b"", tameclaw_tests::world::PATIENCE).exited(1);
    has(&ran, "fixed", "files", "put right: ", "");
    has(&ran, "fixed", "files", "net", "");
    has(&ran, "fixed", "files", "skills", "");
    has(&ran, "fixed", "leftovers", "socket", "");
    has(&ran, "fixed", "region", "ch", "");
    has(&ran, "fixed", "files", "persona.default.md", "");
    has(&ran, "fail", "keys", "manifest.key", "backup");
    has(&ran, "fail", "journal", "is missing", "backup");
    has(&ran, "fail", "compiler", "/nowhere/rustc", "install");
    assert!(!manifest_key.exists() && !journal.exists(), "no key and no record is made");
    assert!(fs::read_to_string(home.bot_config()).expect("it").contains("  region: ch\n"));
    fs::write(&manifest_key, key).expect("it can be put back");
    chmod(&manifest_key, 0o600);
    fs::write(&journal, records).expect("it can be put back");
    chmod(&journal, 0o600);
    let again = world.admin(&["doctor", "--fix", "--json"]).exited(1);
    has(&again, "pass", "files", "right owner and mode", "");
    assert!(looks(&again).iter().all(|look| look["health"] != "fixed"), "nothing twice\n{}", again.report());
    World::empty().admin(&["doctor", "--fix"]).exited(1).says("there is no home");
}

/// While a service runs, its socket is not a leftover.
#[test]
fn fix_leaves_the_socket_of_a_service_that_runs() {
    let world = World::without_kit();
    let _service = world.start(tameclaw_tests::world::Program::Admin, &["run"]);
    let socket = world.home().admin().join("service.sock");
    tameclaw_tests::eventually(std::time::Duration::from_secs(60), "the service runs", || {
        socket.exists().then_some(())
    });
    let _ = world.admin(&["doctor", "--fix", "--json"]);
    assert!(socket.exists());
    world.admin(&["list"]).done();
}

/// A configuration with a fault opens no folder, and its line says so.
#[test]
fn a_faulty_configuration_opens_no_folder() {
    let world = World::without_kit();
    fs::write(world.home().bot_config(), "folders: [/srv/plans/**]\n").expect("it can be written");
    let rows = world.admin(&["doctor", "--json"]).exited(1).json_rows();
    let row = rows.iter().find(|row| row["what"] == "folders").expect("a line");
    assert_eq!(row["health"], "fail", "{row}");
    assert!(row["words"].to_string().contains("folders[0]: must be a mapping"), "{row}");
}
