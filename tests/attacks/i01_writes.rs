//! Invariant 1: `mind` writes only its profile's folders and its proposals folder.

use std::fs;
use std::os::unix::fs::symlink;

use tameclaw_tests::tracer::Outcome;
use tameclaw_tests::world::World;

use crate::mind::Entered;

const NEW: i32 = libc::O_CREAT | libc::O_WRONLY;

/// From inside a confined mind nothing outside its own folders can be created, changed, moved or removed.
#[test]
fn mind_writes_nothing_outside_its_own_folders() {
    let world = World::new();
    let outside = world.outside().join("outside");
    fs::create_dir(&outside).expect("a folder can be made");
    fs::write(outside.join("file"), "untouched").expect("a file can be written");
    let home = world.home();
    let other_profile = home.data().join("profiles/other");
    fs::create_dir_all(&other_profile).expect("a folder can be made");
    let bot = Entered::start(world);

    bot.inside(bot.mind(), |mind| {
        let folders = [
            home.root().to_owned(),
            home.config(),
            home.skills(),
            home.root().join("status"),
            home.admin(),
            home.data().to_owned(),
            home.all_proposals(),
            home.credentials(),
            other_profile.clone(),
            outside.clone(),
            "/tmp".into(),
            "/dev/shm".into(),
            "/etc".into(),
        ];
        for folder in folders {
            let path = folder.join("planted").display().to_string();
            let outcome = mind.open(&path, NEW);
            assert!(outcome.is_refusal(), "creating {path}: {outcome:?}");
        }
        let victim = outside.join("file").display().to_string();
        for flags in
            [libc::O_RDONLY, libc::O_WRONLY, libc::O_RDWR | libc::O_APPEND, libc::O_WRONLY | libc::O_TRUNC]
        {
            let outcome = mind.open(&victim, flags);
            assert!(outcome.is_refusal(), "opening {victim} with {flags:#o}: {outcome:?}");
        }
    });
    bot.inside(bot.mind(), |mind| {
        let manifest = mind.text(&home.manifest().display().to_string());
        let victim = mind.text(&outside.join("file").display().to_string());
        let planted = mind.text(&outside.join("planted").display().to_string());
        let at = libc::AT_FDCWD as u64;
        mind.refused("unlink", libc::SYS_unlinkat, &[at, victim, 0]);
        mind.refused("rename", libc::SYS_renameat2, &[at, victim, at, planted, 0]);
        mind.refused("mkdir", libc::SYS_mkdirat, &[at, planted, 0o700]);
        mind.refused("link", libc::SYS_linkat, &[at, victim, at, planted, 0]);
        mind.refused("symlink", libc::SYS_symlinkat, &[victim, at, planted]);
        mind.refused("mknod", libc::SYS_mknodat, &[at, planted, (libc::S_IFIFO | 0o600) as u64, 0]);
        mind.refused("truncate", libc::SYS_truncate, &[victim, 0]);
        mind.refused("chmod of the manifest", libc::SYS_fchmodat, &[at, manifest, 0o777]);
        mind.refused("chown of the manifest", libc::SYS_fchownat, &[at, manifest, 65534, 65534, 0]);
        mind.refused("unlink of the manifest", libc::SYS_unlinkat, &[at, manifest, 0]);
    });
    assert_eq!(fs::read_to_string(outside.join("file")).expect("it is there"), "untouched");
    assert_eq!(fs::read_dir(&outside).expect("it is there").count(), 1);
    bot.still_talks();
}

/// The rules are not so tight that nothing works: the mind's own folders take files.
#[test]
fn mind_writes_its_own_folders() {
    let world = World::new();
    let home = world.home();
    let profile = world.profile();
    let bot = Entered::start(world);
    bot.inside(bot.mind(), |mind| {
        for folder in [home.profile(&profile).join("workspace"), home.profile(&profile).join("memory")] {
            let path = folder.join("own").display().to_string();
            let outcome = mind.open(&path, NEW);
            assert!(outcome.is_success(), "creating {path}: {outcome:?}");
        }
    });
    bot.still_talks();
}

/// A link in an own folder leads nowhere outside.
#[test]
fn a_link_in_an_own_folder_leads_nowhere() {
    let world = World::new();
    let secret = world.outside().join("secret");
    fs::write(&secret, "do not read").expect("a file can be written");
    let workspace = world.home().profile(&world.profile()).join("workspace");
    let bot = Entered::start(world);
    symlink(&secret, workspace.join("link")).expect("a link can be made");
    bot.inside(bot.mind(), |mind| {
        for flags in [libc::O_RDONLY, libc::O_WRONLY] {
            let outcome = mind.open(&workspace.join("link").display().to_string(), flags);
            assert!(outcome.is_refusal(), "{outcome:?}");
        }
    });
    bot.still_talks();
}

/// The keys, the journal and the private parts of the admin cannot even be read.
#[test]
fn mind_reads_nothing_of_the_admin() {
    let world = World::new();
    let home = world.home();
    let bot = Entered::start(world);
    bot.inside(bot.mind(), |mind| {
        for path in [home.admin(), home.keys(), home.keys().join("manifest.key"), home.credentials()] {
            let outcome = mind.open(&path.display().to_string(), libc::O_RDONLY);
            assert!(outcome.is_refusal(), "{}: {outcome:?}", path.display());
        }
        for path in ["/etc/passwd", "/root", "/proc/1/environ", "/home"] {
            let outcome = mind.open(path, libc::O_RDONLY);
            assert!(!matches!(outcome, Outcome::Returned(0..)), "{path}: {outcome:?}");
        }
    });
    bot.still_talks();
}
