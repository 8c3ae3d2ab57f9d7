//! What is below `data/` is opened in one way only.
//!
//! In the admin it has no path: `Home` answers a `DataPath`, which no function of the standard library takes. So `File::open`,
//! `metadata`, `read_dir` and the rest do not compile there. What is left to look for is the way around that type.

use crate::sources::has_word;
use crate::tree::{Source, code_of, sources};

/// Where a place below `data/` becomes a path again, and why.
const UNGUARDED: &[(&str, &str)] = &[
    ("actions/src/plugins/jail.rs", "the folder beneath which a plugin's jail, a child, opens the workspace"),
    ("actions/src/plugins/prepare.rs", "`data/` itself, compared with a plugin's folder"),
    ("actions/src/plugins/run.rs", "the workspace for a plugin's jail"),
    ("actions/src/plugins/servers.rs", "the workspace for a server's jail"),
    ("actions/src/run.rs", "orders for the runner, a child, which opens them beneath the handle of `data/`"),
    ("backup/src/data/hands.rs", "orders for a child, which opens everything beneath the handle of `data/`"),
    ("backup/src/restore/mod.rs", "`data/` itself, compared with what is in an empty home"),
    ("base/src/home.rs", "where it is made"),
    (
        "base/src/layout/mod.rs",
        "the table of owners and modes, which is walked beneath the handle of `data/`",
    ),
    ("base/src/layout/verify.rs", "command lines that root copies, and the folders above `data/`"),
    (
        "cl-admin/src/commands/doctor/folders.rs",
        "where no further folder may lie: at `data/`, in it or above it; nothing of it is opened",
    ),
    (
        "cl-admin/src/commands/doctor/machine.rs",
        "free room on the disk of `data/` itself, whose parents are the admin's",
    ),
    ("redteam/src/owned.rs", "targets of the attacks of the self-test"),
    ("redteam/src/range.rs", "the throw-away home of the self-test, in which it plays the bot"),
];

/// Who may resolve names beneath a handle on its own, and why.
const RESOLVES: &[(&str, &str)] = &[
    ("libs/beneath/", "the one module"),
    ("libs/durable/src/whole.rs", "writes a new file beneath a handle that its caller holds"),
    ("user-agent/base/src/paths", "the bot in its own folders: it creates, renames and removes as well"),
    ("admin-service/actions/src/runner/files.rs", "a child that writes the streams of a command"),
    ("admin-service/base/src/layout/owner.rs", "asks who owns a home; it reads no content"),
    ("admin-service/backup/src/data/child.rs", "a child that is the bot's user, which writes and removes"),
    (
        "admin-service/base/src/scratch/",
        "folders that commands wrote: counted, put in order and removed by handle",
    ),
    ("libs/owners/", "looks through folders to judge and set owners and modes; it reads no content"),
    ("libs/confine/", "names of system calls in tables and probes"),
];

/// The admin's code without its unit tests, which play the bot.
fn admin() -> impl Iterator<Item = Source> {
    let is_test = |path: &str| path.ends_with("tests.rs") || path.contains("/tests/");
    sources().into_iter().filter(move |s| s.path.starts_with("admin-service/") && !is_test(&s.path))
}

#[test]
fn only_listed_files_of_the_admin_take_a_path_below_data_and_each_says_why() {
    let mut found: Vec<String> = admin()
        .filter(|source| has_word(&code_of(&source.text), "unguarded_path"))
        .map(|source| source.path.trim_start_matches("admin-service/").to_owned())
        .collect();
    found.sort();
    let listed: Vec<&str> = UNGUARDED.iter().map(|(file, _)| *file).collect();
    assert_eq!(found, listed, "open it with `DataPath`, or add the file with its reason");
}

#[test]
fn the_admin_knows_the_paths_of_a_home_through_one_type_only() {
    for Source { path, text } in admin() {
        let code = code_of(&text);
        let own = path == "admin-service/base/src/home.rs";
        assert!(own || !code.contains("shared_types::home"), "{path}: use `base::home::Home`");
        assert!(!text.contains("join(\"data"), "{path}: `data/` may lie elsewhere: use `Home::data`");
    }
}

#[test]
fn names_are_resolved_beneath_a_handle_in_one_library() {
    for Source { path, text } in sources() {
        let is_test = path.ends_with("tests.rs") || path.starts_with("tests/");
        if is_test || RESOLVES.iter().any(|(home, _)| path.starts_with(home)) {
            continue;
        }
        let code = code_of(&text);
        for word in ["openat2", "openat", "fstatat"] {
            assert!(!has_word(&code, word), "{path}: `{word}` belongs into libs/beneath");
        }
    }
}
