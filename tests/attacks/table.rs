//! Attacks as rows: a call, why it must be refused, and what an unconfined process would get for it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use shared_types::home::Home;
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::Background;
use tameclaw_tests::tracer::Outcome;
use tameclaw_tests::world::World;
use tameclaw_tests::{eventually, skip};

use crate::mind::Inside;

/// One attack.
#[derive(Clone, Copy)]
pub(crate) struct Attack {
    /// What is tried.
    pub(crate) what: &'static str,
    /// What it would be good for.
    pub(crate) why: &'static str,
    /// What a process without confinement gets.
    pub(crate) free: Free,
    /// The call, or the calls of which the last counts.
    pub(crate) call: fn(&mut Inside, &Scene) -> Outcome,
}

/// What a process without confinement gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Free {
    /// The call succeeds.
    Succeeds,
    /// The call is heard: it fails for its arguments or for what this kernel lacks, not for want of permission.
    IsHeard,
}

/// What an attack aims at.
pub(crate) struct Scene {
    /// The home of the attacked bot.
    pub(crate) home: Home,
    /// A folder of the same user, outside of the home, with a `file` and a folder `linked` that `link` in the own folder
    /// leads to.
    pub(crate) outside: PathBuf,
    /// A process of the same user.
    pub(crate) victim: Background,
    /// The other process of the bot, where there is one.
    pub(crate) peer: Option<u32>,
}

impl Scene {
    /// Plants what there is to steal and to break.
    pub(crate) fn set(world: &World) -> Scene {
        let outside = world.outside().join("outside");
        fs::create_dir_all(&outside).expect("a folder can be made");
        fs::write(outside.join("file"), "untouched").expect("a file can be written");
        let home = world.home();
        let other = home.data().join("profiles/other/memory");
        for folder in [&other, &home.data().join("proposals/other"), &home.credentials()] {
            fs::create_dir_all(folder).expect("a folder can be made");
            fs::write(folder.join("secret"), "do not read").expect("a file can be written");
        }
        let own = home.profile(&world.profile()).join("workspace");
        fs::create_dir_all(&own).expect("a folder can be made");
        let _ = fs::remove_file(own.join("link"));
        std::os::unix::fs::symlink(&outside, own.join("link")).expect("a link can be made");
        let mut sleep = Command::new("sleep");
        sleep.arg("600");
        let victim = Background::start(sleep);
        Scene { home, outside, victim, peer: None }
    }

    /// The workspace, which the bot may write.
    pub(crate) fn workspace(&self) -> PathBuf {
        self.home.data().join("profiles/default/workspace")
    }

    /// Where the victim's stack begins.
    pub(crate) fn victims_memory(&self) -> u64 {
        let maps = fs::read_to_string(format!("/proc/{}/maps", self.victim.pid())).expect("the victim runs");
        let stack = maps.lines().find(|line| line.contains("[stack]")).expect("it has a stack");
        let end = stack.split(['-', ' ']).nth(1).expect("a line of maps begins with a range");
        u64::from_str_radix(end, 16).expect("addresses are hexadecimal") - 64
    }
}

/// How a refusal looks: a wall says no, or there is nothing to be seen behind it.
pub(crate) fn barred(outcome: Outcome) -> bool {
    let errors = [libc::EPERM, libc::EACCES, libc::ENOENT, libc::EROFS, libc::EXDEV, libc::ELOOP];
    errors.iter().any(|errno| outcome == Outcome::Returned(-i64::from(*errno)))
}

/// Runs every row in a process that nothing confines, and insists that it gets there.
pub(crate) fn control(rows: &[Attack]) {
    let world = World::new();
    let scene = Scene::set(&world);
    let mut command = Command::new("sleep");
    command.arg("600").current_dir(world.outside());
    let free = Pty::start(command);
    let at = PathBuf::from(format!("/proc/{}", free.pid()));
    eventually(Duration::from_secs(10), "the free process sleeps", || {
        fs::read_to_string(at.join("comm")).ok().filter(|name| name.trim() == "sleep").map(drop)
    });
    let mut short = Vec::new();
    for row in rows {
        let outcome = match Inside::of(free.pid()) {
            Ok(mut inside) => (row.call)(&mut inside, &scene),
            Err(reason) => return skip(&reason),
        };
        let got = match row.free {
            Free::Succeeds => outcome.is_success(),
            Free::IsHeard => !outcome.is_refusal(),
        };
        if !got {
            short.push(format!("{}: {outcome:?}", row.what));
        }
    }
    assert!(short.is_empty(), "these prove nothing, since nobody may do them:\n{}", short.join("\n"));
}

/// Runs every row inside a confined process, and insists that it is refused.
pub(crate) fn attack(pid: u32, rows: &[Attack], scene: &Scene, refused: fn(Outcome) -> bool) {
    let mut open = Vec::new();
    for row in rows {
        match Inside::of(pid) {
            Ok(mut inside) => {
                let outcome = (row.call)(&mut inside, scene);
                if !refused(outcome) {
                    open.push(format!("{} ({}): {outcome:?}", row.what, row.why));
                }
            }
            Err(reason) => return skip(&reason),
        }
    }
    assert!(open.is_empty(), "not refused:\n{}", open.join("\n"));
    let file = fs::read_to_string(scene.outside.join("file")).expect("the file is still there");
    assert_eq!(file, "untouched");
    assert_eq!(fs::read_dir(&scene.outside).expect("the folder is still there").count(), 1);
}
