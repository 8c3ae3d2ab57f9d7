//! Attacks on the tools for files: a model that wants out of the workspace, and a workspace that was prepared for it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::{Value, json};
use tameclaw_tests::calls::{profile, told};
use tameclaw_tests::world::World;

const SECRET: &str = "the-secret-of-somebody-else";

/// A home with `autonomy: full`, so that nothing but the rules stands in the way, and a secret beside it.
fn world(read: &str, write: &str) -> (World, PathBuf) {
    let world = World::new();
    profile(&world, &format!("autonomy: full\ngrants: {{files: {{read: {read}, write: {write}}}}}\n"));
    fs::write(world.outside().join("secret"), SECRET).expect("a file");
    let folder = world.home().profile(&world.profile()).join("workspace");
    fs::create_dir_all(&folder).expect("the workspace can be made");
    (world, folder)
}

fn all(world: &World, tool: &str, paths: &[String], more: &Value) -> Vec<String> {
    let mut heard = Vec::new();
    // As many calls as one answer may hold.
    for some in paths.chunks(12) {
        let calls: Vec<(&str, Value)> = some
            .iter()
            .map(|path| {
                let mut args = more.clone();
                args["path"] = json!(path);
                (tool, args)
            })
            .collect();
        let (told, ran) = told(world, &calls, "");
        assert_eq!(told.len(), some.len(), "{}", ran.report());
        heard.extend(told);
    }
    heard
}

/// Regardless of a path's name, nothing outside is read, listed or written: /etc, keys, other folders of the home.
#[test]
fn no_path_leads_out_of_the_workspace() {
    let (world, folder) = world("[\"**\"]", "[\"**\"]");
    let outside = world.outside().join("secret").display().to_string();
    let climbing = format!("../../../../../{}", outside.trim_start_matches('/'));
    let paths: Vec<String> = [
        "/etc/passwd",
        "/etc/shadow",
        "/sys/kernel/notes",
        "/boot/config",
        "~/.ssh/id_rsa",
        "../memory/facts.jsonl",
        "../../../../config/trust.pub",
        "notes/../../secret",
        "..",
        "/proc/self/environ",
        "/dev/zero",
        "a\u{202e}b",
        "a\nb",
        "a\0b",
        &"x/".repeat(40),
        &"y".repeat(300),
        &outside,
        &climbing,
    ]
    .map(str::to_owned)
    .to_vec();
    for (tool, more) in
        [("file_read", json!({})), ("file_list", json!({})), ("file_write", json!({"content": "planted"}))]
    {
        for (path, told) in paths.iter().zip(all(&world, tool, &paths, &more)) {
            assert!(
                told.contains("only files of the workspace") || told.contains("is not a path here"),
                "{tool} {path:?}: {told}"
            );
            assert!(!told.contains(SECRET) && !told.contains("root:"), "{tool} {path:?}: {told}");
        }
    }
    assert_eq!(fs::read_to_string(&outside).expect("the secret"), SECRET);
    let left: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A workspace that somebody prepared with links, second names, pipes and sockets gives nothing away.
#[test]
fn links_second_names_and_devices_in_the_workspace_are_not_opened() {
    let (world, folder) = world("[\"**\"]", "[\"**\"]");
    let secret = world.outside().join("secret");
    symlink(&secret, folder.join("link")).expect("a link");
    symlink(world.outside(), folder.join("way")).expect("a link");
    symlink("/proc/self", folder.join("self")).expect("a link");
    fs::hard_link(&secret, folder.join("second")).expect("a hard link");
    nix::unistd::mkfifo(&folder.join("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket")).expect("a socket");
    let paths: Vec<String> =
        ["link", "way/secret", "self/environ", "second", "pipe", "socket"].map(str::to_owned).to_vec();
    for (tool, more) in [
        ("file_read", json!({})),
        ("file_write", json!({"content": "planted"})),
        ("file_write", json!({"content": "planted", "append": true})),
    ] {
        for (path, told) in paths.iter().zip(all(&world, tool, &paths, &more)) {
            assert!(
                told.contains("path-link") || told.contains("not a regular file"),
                "{tool} {path}: {told}"
            );
            assert!(!told.contains(SECRET), "{tool} {path}: {told}");
        }
    }
    let told = all(&world, "file_list", &["".to_owned(), "way".to_owned()], &json!({"depth": 8}));
    assert!(
        told[0].contains("link  (not a regular file: not opened)") && !told[0].contains("way/"),
        "{}",
        told[0]
    );
    assert!(told[1].contains("path-link"), "{}", told[1]);
    assert_eq!(fs::read_to_string(&secret).expect("the secret"), SECRET);
}

/// What no pattern names is denied, regardless of the spelling of its path; a listing shows none of it.
#[test]
fn a_pattern_covers_what_it_names_and_no_other_spelling_of_it() {
    let (world, folder) = world("[\"open/*.txt\"]", "[\"drafts/**\"]");
    for path in ["open/a.txt", "open/.hidden.txt", "open/deep/b.txt", "closed/c.txt"] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, SECRET).expect("a file");
    }
    let paths: Vec<String> = [
        "closed/c.txt",
        "./closed//c.txt",
        "open/deep/b.txt",
        "open/.hidden.txt",
        "OPEN/a.txt",
        "drafts/x.txt",
    ]
    .map(str::to_owned)
    .to_vec();
    for (path, told) in paths.iter().zip(all(&world, "file_read", &paths, &json!({}))) {
        assert!(told.contains("no grant covers") && !told.contains(SECRET), "{path}: {told}");
    }
    let told = all(
        &world,
        "file_list",
        &["".to_owned(), "open".to_owned(), "closed".to_owned()],
        &json!({"depth": 4}),
    );
    assert!(
        told[0].contains("open/a.txt") && !told[0].contains("closed") && !told[0].contains("b.txt"),
        "{}",
        told[0]
    );
    assert!(!told[1].contains(".hidden") && told[2].contains("no grant covers"), "{told:?}");
    let paths: Vec<String> =
        ["open/a.txt", "drafts/.git/hooks/x", "drafts", "new.txt"].map(str::to_owned).to_vec();
    for (path, told) in paths.iter().zip(all(&world, "file_write", &paths, &json!({"content": "x"}))) {
        assert!(told.contains("no grant covers"), "{path}: {told}");
    }
    assert_eq!(fs::read_to_string(folder.join("open/a.txt")).expect("the file"), SECRET);
    assert!(!folder.join("drafts").exists() && !folder.join("new.txt").exists());
}
