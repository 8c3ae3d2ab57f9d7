//! The four tiers through the shipped bot: what it says of itself, and what it refuses to start below.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;

use nix::unistd::{Uid, chown, geteuid};
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::skip;
use tameclaw_tests::world::{PATIENCE, Program, World};

/// A user that no list of the system need know.
pub(crate) const USER: u32 = 3_042_042;

/// Gives the home two users, as `init` does it; the bot's is [`USER`].
pub(crate) fn share(world: &World) {
    world.admin(&["init", "--bot-user", &USER.to_string()]).done();
}

/// Opens the test's own folder above the home, without which a user of its own reaches the home by handles only.
pub(crate) fn open_way(world: &World) {
    fs::set_permissions(world.outside(), fs::Permissions::from_mode(0o711))
        .expect("root changes what it likes");
}

fn configured(security: &str) -> World {
    let world = World::new();
    set(&world, security);
    world
}

fn set(world: &World, security: &str) {
    fs::write(world.home().bot_config(), format!("security: {{{security}}}\n")).expect("it can be written");
}

/// What the bot says of its isolation.
fn isolation(ran: &Ran) -> &str {
    let line = ran.stdout.lines().find(|line| line.trim_start().starts_with("isolation"));
    line.unwrap_or_else(|| panic!("nothing is said about isolation\n{}", ran.report())).trim()
}

fn whoami(world: &World) -> Ran {
    world.typed(Program::Bot, &["agent"], "/whoami\n/exit\n").done()
}

/// One user for both, Landlock: `process`, which is the default minimum.
#[test]
fn one_user_for_both_programs_is_process() {
    let world = configured("minimum_isolation: process");
    let ran = whoami(&world);
    assert!(isolation(&ran).starts_with("isolation process (Landlock"), "{}", ran.report());
    for (wanted, lacks) in [("namespace", "a user of its own"), ("full", "a user of its own")] {
        set(&world, &format!("minimum_isolation: {wanted}"));
        let refused = world.bot(&["agent", "-m", "hello"]).exited(3);
        refused
            .says(&format!("isolation `process` is less than `security.minimum_isolation: {wanted}`"))
            .says(lacks);
    }
}

/// One user for both, no Landlock: a mount namespace is made, and is still only `process`.
#[test]
fn a_mount_namespace_without_a_user_of_its_own_is_process() {
    let world = configured("landlock: off");
    let ran = whoami(&world).says("`security.landlock` is off");
    assert!(isolation(&ran).starts_with("isolation process (own mount namespace"), "{}", ran.report());
    set(&world, "landlock: off, minimum_isolation: namespace");
    world.bot(&["agent", "-m", "hello"]).exited(3).says("Hint: `security.landlock: on`; a user of its own");
}

/// Root starts the bot, which becomes another user: `full`, and the folders of the profile belong to that user.
#[test]
fn a_user_of_its_own_and_landlock_is_full() {
    let Some(world) = shared() else { return };
    set(&world, &format!("user: {USER}, minimum_isolation: full"));
    let ran = whoami(&world);
    assert!(
        isolation(&ran).starts_with(&format!("isolation full (user {USER}, Landlock")),
        "{}",
        ran.report()
    );
    world.bot(&["agent", "-m", "remember that my name is Ada"]).done();
    let memory = world.home().profile(&world.profile()).join("memory");
    for entry in fs::read_dir(memory).expect("there is a memory").flatten() {
        let data = entry.metadata().expect("it is there");
        assert_eq!((data.uid(), data.gid()), (USER, USER), "{}", entry.path().display());
    }
}

/// The two programs as two users still do their work: from a wish, over the admin's review, to a skill that is used.
#[test]
fn a_skill_is_learned_although_bot_and_admin_are_two_users() {
    let Some(world) = shared() else { return };
    if tameclaw_tests::skill::compiler_is_missing() {
        return;
    }
    set(&world, &format!("user: {USER}, minimum_isolation: full"));
    world.learn("learn to roll dice");
    let answer = world.ask("roll 3d1+2");
    assert!(answer.contains('5'), "{answer}");
}

/// The same without Landlock: `namespace`.
#[test]
fn a_user_of_its_own_and_a_mount_namespace_is_namespace() {
    let Some(world) = shared() else { return };
    set(&world, &format!("user: {USER}, landlock: off, minimum_isolation: namespace"));
    let ran = whoami(&world).says("`security.landlock` is off");
    let said = isolation(&ran);
    assert!(
        said.starts_with(&format!("isolation namespace (user {USER}, own mount namespace")),
        "{}",
        ran.report()
    );
    set(&world, &format!("user: {USER}, landlock: off, minimum_isolation: full"));
    let refused = world.bot(&["agent", "-m", "hello"]).exited(3);
    refused.says("isolation `namespace` is less than").says("file rules").hides("a user of its own");
}

/// An ordinary user, who may not mount, makes a user namespace to mount in.
#[test]
fn an_ordinary_user_makes_a_mount_namespace_too() {
    let Some(world) = shared() else { return };
    let mut command = as_user(&world, &["agent"]);
    set(&world, "landlock: off, minimum_isolation: namespace");
    command.env("TERM", "dumb");
    let ran = run(command, b"/whoami\n/exit\n", PATIENCE).done();
    assert!(isolation(&ran).starts_with("isolation namespace (own mount namespace"), "{}", ran.report());
}

/// Neither Landlock nor a mount namespace: `degraded`, which takes a word of the admin's and is reported loudly.
#[test]
fn without_any_wall_around_files_it_starts_only_if_told_so() {
    let world = World::new();
    let without = |security: &str| {
        set(&world, security);
        let bot = world.command(Program::Bot, &["agent"]);
        // In a user namespace of its own, in which no further one and no mount namespace can be made.
        let mut command = Command::new("unshare");
        let none = "echo 0 >/proc/sys/user/max_mnt_namespaces; echo 0 >/proc/sys/user/max_user_namespaces; exec \"$@\"";
        command.args(["--user", "--map-root-user", "sh", "-c", none, "sh"]);
        command.arg(bot.get_program()).args(bot.get_args());
        command.env_clear().envs(bot.get_envs().filter_map(|(name, value)| Some((name, value?))));
        run(command, b"/whoami\n/exit\n", PATIENCE)
    };
    let refused = without("landlock: off");
    if refused.stderr.contains("unshare:") {
        return skip("no user namespace can be made here, so none can be taken away");
    }
    refused
        .exited(3)
        .says("isolation `degraded` is less than")
        .says("a user namespace was refused")
        .says("Hint: ");
    let ran = without("landlock: off, minimum_isolation: degraded").done().says("ISOLATION IS DEGRADED");
    assert!(isolation(&ran).starts_with("isolation degraded (seccomp"), "{}", ran.report());
}

/// A read-only view that was made by the program that started the bot counts, if nothing but its folders can be written in it.
#[test]
fn a_mount_namespace_that_was_given_is_recognised() {
    let Some(world) = shared() else { return };
    set(&world, "landlock: off, minimum_isolation: namespace");
    let home = world.home();
    let own = [home.profile(&world.profile()), home.proposals(&world.profile())];
    let given = |also: Option<&Path>| {
        let mut script = String::from("set -e; mount --make-rprivate /;");
        let writable: Vec<&Path> = own.iter().map(AsRef::as_ref).chain(also).collect();
        for folder in &writable {
            script += &format!("mount --bind '{0}' '{0}';", folder.display());
        }
        for hidden in [home.admin(), home.credentials()] {
            script += &format!("mount -t tmpfs -o ro,mode=000 none '{}';", hidden.display());
        }
        // All but the kernel's own and what was bound above.
        script += "while read -r _ _ _ _ point _; do case \"$point\" in /proc|/sys|/dev|/dev/pts) continue;; esac; keep=;";
        for folder in &writable {
            script += &format!("[ \"$point\" = '{}' ] && keep=1;", folder.display());
        }
        script += "[ -n \"$keep\" ] || mount -o remount,bind,ro \"$point\"; done </proc/self/mountinfo; exec \"$@\"";
        let bot = as_user(&world, &["agent"]);
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", &script, "sh"]).arg(bot.get_program()).args(bot.get_args());
        command.env_clear().envs(bot.get_envs().filter_map(|(name, value)| Some((name, value?))));
        run(command, b"/whoami\n/exit\n", PATIENCE)
    };
    let ran = given(None).done();
    assert!(
        isolation(&ran).starts_with("isolation namespace (read-only mount namespace"),
        "{}",
        ran.report()
    );
    // One writable place too many, and the bot makes a view of its own.
    let other = world.outside().join("writable");
    fs::create_dir(&other).expect("a folder can be made");
    let ran = given(Some(&other)).done();
    assert!(isolation(&ran).starts_with("isolation namespace (own mount namespace"), "{}", ran.report());
    // The same if something of others is in sight.
    let others = home.data().join("profiles/other");
    fs::create_dir(&others).expect("a folder can be made");
    fs::write(others.join("memory"), "in sight").expect("a file can be written");
    chown(&others, Some(Uid::from_raw(USER)), None).expect("root gives away what it likes");
    fs::write(home.config().join("profiles/other.yaml"), "").expect("a file can be written");
    let ran = given(None).done();
    assert!(isolation(&ran).starts_with("isolation namespace (own mount namespace"), "{}", ran.report());
}

/// Who cannot be switched to is refused before anything else happens, with the key and the next step.
#[test]
fn a_user_that_cannot_be_switched_to_is_refused() {
    let Some(world) = shared() else { return };
    for (security, why) in [
        ("user: root", "`root` is root"),
        ("user: 0", "`0` is root"),
        ("user: no-such-user", "there is no user `no-such-user`"),
        ("user: 4242, group: no-such-group", "there is no group `no-such-group`"),
        ("user: 4242, group: root", "the group `root` is root's"),
    ] {
        set(&world, security);
        world.bot(&["agent", "-m", "hello"]).exited(3).says("security.user").says(why).says("Hint: ");
    }
    set(&world, "user: [4242]");
    world.bot(&["agent", "-m", "hello"]).exited(2).says("security.user").says("must be a name or a number");
    set(&world, "group: 4242");
    world.bot(&["agent", "-m", "hello"]).exited(2).says("security.group").says("without `user`");
    set(&world, "user: 4242");
    run(as_user(&world, &["agent", "-m", "hello"]), b"", PATIENCE).exited(3).says("only root can switch");
}

/// Folders that belong to yet another user, and a home that the user cannot read, are refused with the command that helps.
#[test]
fn folders_of_the_wrong_owner_are_refused() {
    if !geteuid().is_root() {
        return skip("only root can start the bot as another user");
    }
    let world = configured(&format!("user: {USER}"));
    let told = world.bot(&["agent", "-m", "hello"]).exited(3);
    told.says("config cannot be read by").says(&format!("`cl-admin init --bot-user {USER}`"));
    share(&world);
    let memory = world.home().profile(&world.profile()).join("memory");
    fs::write(memory.join("facts.jsonl"), "").expect("it can be written");
    chown(&memory, Some(Uid::from_raw(0)), None).expect("root gives away what it likes");
    let told = world.bot(&["agent", "-m", "hello"]).exited(3);
    told.says("belongs to the user 0").says(&format!("`cl-admin init --bot-user {USER}`"));
    share(&world);
    world.bot(&["agent", "-m", "hello"]).done();
    set(&world, "");
    let told = world.bot(&["agent", "-m", "hello"]).exited(3);
    told.says(&format!("belongs to the user {USER}")).says(&format!("`security.user: {USER}`"));
}

/// A home of which the bot may read its part; `None`, and a visible skip, where this cannot be had.
pub(crate) fn shared() -> Option<World> {
    if !geteuid().is_root() {
        skip("only root can start the bot as another user");
        return None;
    }
    let world = World::new();
    share(&world);
    Some(world)
}

/// The bot as the ordinary user to whom its folders belong.
pub(crate) fn as_user(world: &World, arguments: &[&str]) -> Command {
    open_way(world);
    let bot = world.command(Program::Bot, arguments);
    let mut command = Command::new("setpriv");
    let (user, group) = (format!("--reuid={USER}"), format!("--regid={USER}"));
    command.args([user.as_str(), group.as_str(), "--clear-groups", "--inh-caps=-all", "--"]);
    command.arg(bot.get_program()).args(bot.get_args()).current_dir(world.outside());
    command.env_clear().envs(bot.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}
