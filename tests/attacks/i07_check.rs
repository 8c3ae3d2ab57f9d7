//! Invariant 7: `cl-admin proposal check` takes what a harmless author writes and refuses what a hostile one does.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tameclaw_tests::world::{World, workspace};

/// The fixtures of a kind, each named after what is special in it.
fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = workspace().join("tests/fixtures/proposals").join(kind);
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .expect("there are fixtures")
        .map(|e| e.expect("it can be listed").path())
        .collect();
    found.sort();
    found
}

/// Checks files in one run, and hands out what is said of each.
fn check(world: &World, files: &[PathBuf], exit: i32) -> Vec<Value> {
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    let mut arguments = vec!["proposal", "check", "--json"];
    arguments.extend(names.iter().map(String::as_str));
    world.admin(&arguments).exited(exit).json_rows()
}

#[test]
fn every_harmless_fixture_is_taken() {
    let world = World::empty();
    let files = fixtures("valid");
    let rows = check(&world, &files, 0);
    assert!(files.len() >= 12 && rows.len() == files.len());
    for row in rows {
        assert_eq!(row["valid"], true, "{row}");
    }
}

#[test]
fn every_hostile_fixture_is_refused_with_its_reason() {
    let world = World::empty();
    let files = fixtures("invalid");
    let rows = check(&world, &files, 3);
    assert!(files.len() >= 40 && rows.len() == files.len());
    for row in rows {
        let faults = row["faults"].as_array().expect("a list of faults");
        assert_eq!(row["valid"], false, "{row}");
        assert!(!faults.is_empty() && faults.iter().all(|f| f["message"] != ""), "{row}");
    }
}

/// Anything that is not a plain file of text is refused by the check too, and a file that is not there is a mistake of the
/// caller's.
#[test]
fn the_check_opens_files_as_the_intake_does() {
    let world = World::empty();
    let good = fixtures("valid").remove(0);
    let at = |name: &str| world.outside().join(name);
    std::os::unix::fs::symlink(&good, at("link.yaml")).expect("a link can be made");
    fs::copy(&good, at("once.yaml")).expect("a file can be copied");
    fs::hard_link(at("once.yaml"), at("twice.yaml")).expect("a link can be made");
    nix::unistd::mkfifo(&at("pipe.yaml"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe can be made");
    fs::create_dir(at("folder.yaml")).expect("a folder can be made");
    fs::File::create(at("sparse.yaml")).and_then(|f| f.set_len(1 << 40)).expect("a file can be made");
    let odd = ["link.yaml", "twice.yaml", "pipe.yaml", "folder.yaml", "sparse.yaml"].map(at);
    for row in check(&world, &odd, 3) {
        assert_eq!(row["valid"], false, "{row}");
    }
    world.admin(&["proposal", "check", "nowhere.yaml"]).exited(1).says("nowhere.yaml");
}
