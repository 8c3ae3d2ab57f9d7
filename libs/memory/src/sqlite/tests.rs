use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::files::Disk;
use crate::store::testing::{self, fact, turn};

fn memory() -> (tempfile::TempDir, Sqlite<Disk>) {
    let folder = tempfile::tempdir().unwrap();
    let memory = Sqlite::new(Disk::new(folder.path()));
    (folder, memory)
}

#[test]
fn it_does_what_every_memory_does() {
    testing::everything(&|| {
        let (folder, memory) = memory();
        (folder, Box::new(memory))
    });
}

#[test]
fn it_is_one_file_that_nobody_else_reads() {
    let (folder, memory) = memory();
    memory.add_fact(fact("1", "I like tea")).unwrap();
    let names: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, [FILE]);
    assert_eq!(fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_link_in_the_place_of_the_file_is_not_followed() {
    let (folder, memory) = memory();
    let outside = folder.path().join("outside");
    fs::write(&outside, "").unwrap();
    symlink(&outside, folder.path().join(FILE)).unwrap();
    assert!(memory.add_fact(fact("1", "I like tea")).is_err());
    assert_eq!(fs::read(&outside).unwrap(), b"");
}

#[test]
fn a_file_that_is_no_memory_is_an_error_and_stays_as_it_is() {
    let (folder, memory) = memory();
    let path = folder.path().join(FILE);
    fs::write(&path, "this is no database, and long enough to be looked at as one".repeat(20)).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(memory.facts(9).is_err());
    assert!(memory.add_fact(fact("1", "I like tea")).is_err());
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn tables_of_a_later_version_are_refused_by_name() {
    let (folder, memory) = memory();
    memory.facts(1).unwrap();
    Connection::open(folder.path().join(FILE)).unwrap().pragma_update(None, "user_version", 9).unwrap();
    let error = Sqlite::new(Disk::new(folder.path())).facts(1).unwrap_err().to_string();
    assert!(error.contains("version 9"), "{error}");
}

#[test]
fn what_is_forgotten_is_overwritten_in_the_file() {
    let (folder, memory) = memory();
    memory.add_fact(fact("1", "my safe opens with sesamstrasse")).unwrap();
    memory.add_turns(&[turn("c", "sesamstrasse again")]).unwrap();
    let holds = || {
        let bytes = fs::read(folder.path().join(FILE)).unwrap();
        bytes.windows(12).any(|w| w.eq_ignore_ascii_case(b"sesamstrasse"))
    };
    assert!(holds());
    memory.clear().unwrap();
    assert!(!holds());
}

/// The workspace's `.cargo/config.toml` leaves it out; a build from elsewhere would bring it back.
#[test]
fn it_loads_no_library_at_run_time() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    let options = "SELECT count(*) FROM pragma_compile_options WHERE compile_options = 'OMIT_LOAD_EXTENSION'";
    assert_eq!(connection.query_row(options, [], |row| row.get(0)), Ok(1));
}
