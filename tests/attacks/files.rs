//! Attacks on files: what no process of the bot may reach, by any wall.

use tameclaw_tests::tracer::Outcome;

use crate::mind::Inside;
use crate::table::{Attack, Free, Scene};

const fn row(what: &'static str, why: &'static str, call: fn(&mut Inside, &Scene) -> Outcome) -> Attack {
    Attack { what, why, free: Free::Succeeds, call }
}

/// What neither process may read, make, change or remove. Those that break something come last.
pub(crate) const FILES: &[Attack] = &[
    row("reads a file outside", "whatever the user owns", |i, s| {
        i.open(&path(&s.outside, "file"), libc::O_RDONLY)
    }),
    row("reads a file of the system", "users, networks, versions", |i, _| {
        i.open("/etc/passwd", libc::O_RDONLY)
    }),
    row("reads the admin's folder", "journal, packages, keys", |i, s| {
        i.open(&s.home.admin().display().to_string(), libc::O_RDONLY | libc::O_DIRECTORY)
    }),
    row("reads the key that signs the manifest", "installs skills", |i, s| {
        i.open(&path(&s.home.keys(), "manifest.key"), libc::O_RDONLY)
    }),
    row("reads another profile", "another person's memories", |i, s| {
        i.open(&path(s.home.data(), "profiles/other/memory/secret"), libc::O_RDONLY)
    }),
    row("lists another profile", "another person's memories", |i, s| {
        i.open(&path(s.home.data(), "profiles/other"), libc::O_RDONLY | libc::O_DIRECTORY)
    }),
    row("reads another profile's wishes", "another person's wishes", |i, s| {
        i.open(&path(s.home.data(), "proposals/other/secret"), libc::O_RDONLY)
    }),
    row("reads through a link in its own folder", "whatever the link leads to", |i, s| {
        i.open(&path(&s.workspace(), "link/file"), libc::O_RDONLY)
    }),
    row("climbs out of an own folder", "the same by another name", |i, s| {
        i.open(&path(&s.workspace(), "../../../../../outside/file"), libc::O_RDONLY)
    }),
    row("climbs out of a descriptor that is open", "walls that stand by name only", descriptors),
    row("reads another process' memory", "keys", |i, s| proc(i, s.victim.pid(), "mem", libc::O_RDONLY)),
    row("writes another process' memory", "its power", |i, s| proc(i, s.victim.pid(), "mem", libc::O_RDWR)),
    row("reads another process' environment", "keys", |i, s| {
        proc(i, s.victim.pid(), "environ", libc::O_RDONLY)
    }),
    row("opens a file by the descriptor of another process", "past every path", |i, s| {
        proc(i, s.victim.pid(), "root", libc::O_RDONLY | libc::O_DIRECTORY)
    }),
    row("opens a terminal of its own", "terminals of others", |i, _| i.open("/dev/ptmx", libc::O_RDWR)),
    row("opens the kernel's memory map", "helps exploits", |i, _| i.open("/proc/kallsyms", libc::O_RDONLY)),
    row("changes a file outside", "whatever the user owns", |i, s| {
        i.open(&path(&s.outside, "file"), libc::O_WRONLY | libc::O_APPEND)
    }),
    row("changes the configuration", "its own rules", |i, s| {
        i.open(&s.home.bot_config().display().to_string(), libc::O_WRONLY)
    }),
    row("changes the manifest", "which skills there are", |i, s| {
        i.open(&s.home.manifest().display().to_string(), libc::O_RDWR)
    }),
    row("changes another profile", "another person's memories", |i, s| {
        i.open(&path(s.home.data(), "profiles/other/memory/secret"), libc::O_RDWR)
    }),
    row("makes a file in the home", "a file that somebody believes", |i, s| make(i, s.home.root())),
    row("makes a file in config/", "a profile, an approver", |i, s| make(i, &s.home.config())),
    row("makes a file in skills/", "a skill", |i, s| make(i, &s.home.skills())),
    row("makes a file in admin/", "an order to the admin", |i, s| make(i, &s.home.admin())),
    row("makes a file among the credentials", "another login", |i, s| make(i, &s.home.credentials())),
    row("makes a profile", "a place that nobody watches", |i, s| make(i, &s.home.data().join("profiles"))),
    row("makes a wish of another profile", "asks in another's name", |i, s| {
        make(i, &s.home.data().join("proposals/other"))
    }),
    row("makes a file in /tmp", "talks to others through it", |i, _| make(i, "/tmp".as_ref())),
    row("makes a file in /dev/shm", "talks to others through it", |i, _| make(i, "/dev/shm".as_ref())),
    row("makes a folder outside", "a place that nobody watches", |i, s| {
        let name = i.text(&path(&s.outside, "folder"));
        let made = i.call(libc::SYS_mkdirat, &[AT, name, 0o700]);
        i.call(libc::SYS_unlinkat, &[AT, name, libc::AT_REMOVEDIR as u64]);
        made
    }),
    row("makes a link out of an own folder", "leads the admin astray", |i, s| {
        let (to, from) = (i.text("/etc"), i.text(&path(&s.outside, "planted")));
        let made = i.call(libc::SYS_symlinkat, &[to, AT, from]);
        i.call(libc::SYS_unlinkat, &[AT, from, 0]);
        made
    }),
    row("gives a file outside a second name", "keeps what is removed", |i, s| {
        let (to, from) = (i.text(&path(&s.outside, "file")), i.text(&path(&s.outside, "planted")));
        let made = i.call(libc::SYS_linkat, &[AT, to, AT, from, 0]);
        i.call(libc::SYS_unlinkat, &[AT, from, 0]);
        made
    }),
    row("makes a pipe outside", "talks to others through it", |i, s| {
        let name = i.text(&path(&s.outside, "pipe"));
        let made = i.call(libc::SYS_mknodat, &[AT, name, u64::from(libc::S_IFIFO | 0o600), 0]);
        i.call(libc::SYS_unlinkat, &[AT, name, 0]);
        made
    }),
    row("moves a file of another profile to its own", "reads it there", |i, s| {
        let from = i.text(&path(s.home.data(), "profiles/other/memory/secret"));
        let to = i.text(&path(&s.workspace(), "stolen"));
        let moved = i.call(libc::SYS_renameat2, &[AT, from, AT, to, 0]);
        i.call(libc::SYS_renameat2, &[AT, to, AT, from, 0]);
        moved
    }),
    row("shortens a file outside", "destroys", |i, s| {
        let name = i.text(&path(&s.outside, "file"));
        i.call(libc::SYS_truncate, &[name, 9])
    }),
    row("opens the rights of the manifest", "lets others change it", |i, s| {
        let name = i.text(&s.home.manifest().display().to_string());
        i.call(libc::SYS_fchmodat, &[AT, name, 0o640])
    }),
    row("gives the manifest away", "lets others change it", |i, s| {
        let name = i.text(&s.home.manifest().display().to_string());
        i.call(libc::SYS_fchownat, &[AT, name, 0, 0, 0])
    }),
    row("removes a file of another profile", "destroys", |i, s| {
        let name = i.text(&path(s.home.data(), "proposals/other/secret"));
        i.call(libc::SYS_unlinkat, &[AT, name, 0])
    }),
    row("removes the manifest", "brings an older one back", |i, s| {
        let name = i.text(&s.home.manifest().display().to_string());
        i.call(libc::SYS_unlinkat, &[AT, name, 0])
    }),
];

/// What `mind` may not have, and `net` may: the keys.
pub(crate) const KEYS: &[Attack] = &[
    row("lists the credentials", "keys", |i, s| {
        i.open(&s.home.credentials().display().to_string(), libc::O_RDONLY | libc::O_DIRECTORY)
    }),
    row("reads a credential", "keys", |i, s| i.open(&path(&s.home.credentials(), "secret"), libc::O_RDONLY)),
    row("reads the memory of net", "keys", |i, s| proc(i, peer(s), "mem", libc::O_RDONLY)),
    row("reads the environment of net", "keys", |i, s| proc(i, peer(s), "environ", libc::O_RDONLY)),
];

/// What `net` may not have, and `mind` may: the profile.
pub(crate) const PROFILE: &[Attack] = &[
    row("lists the profile", "memories", |i, s| {
        i.open(&path(s.home.data(), "profiles/default/memory"), libc::O_RDONLY | libc::O_DIRECTORY)
    }),
    row("makes a file in the profile", "memories that never were", |i, s| make(i, &s.workspace())),
    row("reads the configuration again", "what the admin has set since", |i, s| {
        i.open(&s.home.bot_config().display().to_string(), libc::O_RDONLY)
    }),
    row("reads the memory of mind", "what is being said", |i, s| proc(i, peer(s), "mem", libc::O_RDONLY)),
];

/// Every folder that is open must lead nowhere but beneath the allowed ones.
fn descriptors(inside: &mut Inside, _: &Scene) -> Outcome {
    // One more for a process that has none: its own folder.
    inside.open(".", libc::O_RDONLY | libc::O_DIRECTORY);
    let up = inside.text("../../../../../../../../../../etc/passwd");
    let mut last = Outcome::Returned(-i64::from(libc::EACCES));
    for descriptor in 0..32_u64 {
        let outcome = inside.call(libc::SYS_openat, &[descriptor, up, libc::O_RDONLY as u64]);
        if outcome.is_success() {
            return outcome;
        }
        if ![libc::EBADF, libc::ENOTDIR].iter().any(|e| outcome == Outcome::Returned(-i64::from(*e))) {
            last = outcome;
        }
    }
    last
}

/// Makes a file, and takes it away again where that worked.
fn make(inside: &mut Inside, folder: &std::path::Path) -> Outcome {
    let name = folder.join("planted").display().to_string();
    let made = inside.open(&name, libc::O_CREAT | libc::O_EXCL | libc::O_WRONLY);
    if made.is_success() {
        let name = inside.text(&name);
        inside.call(libc::SYS_unlinkat, &[AT, name, 0]);
    }
    made
}

fn proc(inside: &mut Inside, pid: u32, file: &str, flags: i32) -> Outcome {
    inside.open(&format!("/proc/{pid}/{file}"), flags)
}

fn peer(scene: &Scene) -> u32 {
    scene.peer.unwrap_or(scene.victim.pid())
}

fn path(folder: &std::path::Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

const AT: u64 = libc::AT_FDCWD as u64;
