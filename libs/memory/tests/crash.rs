//! What was acknowledged survives: kills at any moment, two writers at once, a full disk.

#![expect(clippy::unwrap_used, reason = "a failed step of a test ends it")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use memory::{Disk, Fact, Jsonl, Record, Store, Stored, Turn};

/// Tells a child of this test program what it is to do: backend, folder, first number.
const TASK: &str = "MEMORY_TEST_WRITER";
/// The appends over all kills.
const APPENDS: u64 = 10_000;
/// The kills.
const KILLS: u64 = 25;

fn backends() -> Vec<&'static str> {
    if cfg!(feature = "sqlite") { vec!["jsonl", "sqlite"] } else { vec!["jsonl"] }
}

/// A folder in memory where there is one: what a process was killed after writing outlives it there as on a disk, and
/// ten thousand syncs take no time.
fn folder() -> tempfile::TempDir {
    let shared = Path::new("/dev/shm");
    if shared.is_dir() { tempfile::tempdir_in(shared) } else { tempfile::tempdir() }.unwrap()
}

fn open(backend: &str, folder: &Path) -> Box<dyn Store> {
    match backend {
        #[cfg(feature = "sqlite")]
        "sqlite" => Box::new(memory::Sqlite::new(Disk::new(folder))),
        _ => Box::new(Jsonl::new(Disk::new(folder))),
    }
}

fn fact(number: u64) -> Fact {
    Fact { id: format!("f{number}"), text: format!("number {number} is remembered"), ..Fact::default() }
}

fn turn(number: u64) -> Turn {
    Turn {
        conversation_id: format!("c{}", number / 10),
        turn_id: format!("t{number}"),
        role: "user".to_owned(),
        content: format!("number {number} was said"),
        ..Turn::default()
    }
}

/// One record in five is a fact.
fn write(memory: &dyn Store, number: u64) -> Result<(), memory::Error> {
    if number.is_multiple_of(5) {
        memory.add_fact(fact(number)).map(|_| ())
    } else {
        memory.add_turns(&[turn(number)])
    }
}

/// Not a test of its own: what a child of the tests below does. It writes and prints each number that was accepted.
#[test]
fn writes_for_another_test() {
    let Ok(task) = std::env::var(TASK) else { return };
    let parts: Vec<&str> = task.split('|').collect();
    let [backend, folder, first, count] = parts[..] else { panic!("{task}") };
    let (first, count): (u64, u64) = (first.parse().unwrap(), count.parse().unwrap());
    let memory = open(backend, Path::new(folder));
    // The test harness holds what is printed in its own way back; a pipe of the test's own does not.
    let mut told = std::fs::OpenOptions::new().append(true).open("/dev/stderr").unwrap();
    for number in first..first + count {
        write(&*memory, number).unwrap();
        told.write_all(format!("{number}\n").as_bytes()).unwrap();
    }
}

fn child(backend: &str, folder: &Path, first: u64, count: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writes_for_another_test", "--nocapture"])
        .env(TASK, format!("{backend}|{}|{first}|{count}", folder.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The numbers that a child acknowledged, until it ends: on its own, or killed some time after a number of them.
fn acknowledged(child: &mut Child, kill: Option<(u64, Duration)>) -> Vec<u64> {
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut numbers = Vec::new();
    for line in lines.map_while(Result::ok) {
        numbers.extend(line.parse::<u64>());
        if let Some((after, wait)) = kill
            && numbers.len() as u64 == after
        {
            std::thread::sleep(wait);
            child.kill().unwrap();
        }
    }
    numbers
}

/// Every record that is there, by an export, each checked to be whole.
fn numbers(memory: &dyn Store) -> Vec<u64> {
    let mut exported = Vec::new();
    memory.export(&mut exported).unwrap();
    let text = String::from_utf8(exported).unwrap();
    let mut numbers: Vec<u64> = text
        .lines()
        .map(|line| match Record::parse(line.as_bytes()).unwrap() {
            Record::Fact(f) => {
                let number = f.id[1..].parse().unwrap();
                assert_eq!(f.text, fact(number).text);
                number
            }
            Record::Turn(t) => {
                let number = t.turn_id[1..].parse().unwrap();
                assert_eq!(t, turn(number));
                number
            }
        })
        .collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn kills_at_any_moment_lose_nothing_that_was_acknowledged() {
    for backend in backends() {
        let folder = folder();
        let mut told = Vec::new();
        let mut first = 0;
        let mut kills = 0;
        while first < APPENDS {
            // At no round number of records and no round moment after it.
            let kill = (kills < KILLS)
                .then(|| (100 + kills * 7_919 % 280, Duration::from_micros(kills * 1_013 % 900)));
            // A writer that is far ahead of its reader must not do the work of those after it.
            let count = if kill.is_some() { APPENDS / KILLS } else { APPENDS - first };
            let mut writer = child(backend, folder.path(), first, count);
            let these = acknowledged(&mut writer, kill);
            kills += u64::from(kill.is_some());
            writer.wait().unwrap();
            // The next one begins behind what may have been written without having been acknowledged.
            first = these.last().map_or(first, |last| last + 1) + 1;
            told.extend(these);
        }
        let memory = open(backend, folder.path());
        let there = numbers(&*memory);
        let lost: Vec<&u64> = told.iter().filter(|n| there.binary_search(n).is_err()).collect();
        assert_eq!(lost, Vec::<&u64>::new(), "{backend}");
        let more = there.len() - told.len();
        assert!(more as u64 <= kills, "{backend}: {more} records that nobody acknowledged");
        assert!(told.len() as u64 > APPENDS - 2 * KILLS - 2, "{backend}: {}", told.len());
        let last = *told.last().unwrap();
        assert!(!memory.search_turns(&last.to_string(), 3).unwrap().is_empty() || last.is_multiple_of(5));
        assert_eq!(kills, KILLS, "{backend}: all kills happened before the work was done");
    }
}

#[test]
fn two_writers_at_once_keep_every_record_whole() {
    for backend in backends() {
        let folder = folder();
        let mut writers: Vec<Child> =
            (0..2).map(|n| child(backend, folder.path(), n * 10_000, 600)).collect();
        let told: Vec<u64> = writers.iter_mut().flat_map(|w| acknowledged(w, None)).collect();
        for mut writer in writers {
            assert!(writer.wait().unwrap().success(), "{backend}");
        }
        assert_eq!(told.len(), 1_200, "{backend}");
        assert_eq!(numbers(&*open(backend, folder.path())), told, "{backend}");
    }
}

#[test]
fn of_two_writers_at_once_each_replaces_what_the_other_wrote() {
    for backend in backends() {
        let folder = folder();
        let write = |writer: &str| {
            let memory = open(backend, folder.path());
            let keep = |n: u32| {
                let id = format!("{writer}{n}");
                let text = format!("my cat is called {id}");
                memory.add_fact(Fact { id, text, ..Fact::default() }).unwrap()
            };
            (0..200).map(keep).collect::<Vec<Stored>>()
        };
        let stored = std::thread::scope(|scope| {
            let writers = ["a", "b"].map(|writer| scope.spawn(move || write(writer)));
            writers.map(|writer| writer.join().unwrap()).concat()
        });
        let old = |stored: &Stored| match stored {
            Stored::Replaced(old) => Some(old.id.clone()),
            _ => None,
        };
        let replaced: BTreeSet<String> = stored.iter().filter_map(old).collect();
        // All but the first one replaced another, no two of them the same.
        assert_eq!(replaced.len(), stored.len() - 1, "{backend}");
        assert_eq!(open(backend, folder.path()).facts(999).unwrap().len(), 1, "{backend}");
    }
}

#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    use nix::mount::{MntFlags, MsFlags, mount, umount2};
    for backend in backends() {
        let folder = tempfile::tempdir().unwrap();
        let made = mount(
            Some("tmpfs"),
            folder.path(),
            Some("tmpfs"),
            MsFlags::MS_NOSUID | MsFlags::MS_NODEV,
            Some("size=512k"),
        );
        if let Err(errno) = made {
            eprintln!("SKIPPED: a small file system cannot be mounted here ({errno}); run as root");
            return;
        }
        let _unmount = Unmount(folder.path());
        let memory = open(backend, folder.path());
        let mut told = Vec::new();
        let refused = loop {
            let number = told.len() as u64;
            assert!(number < 100_000, "the disk never gets full");
            match write(&*memory, number) {
                Ok(()) => told.push(number),
                Err(error) => break error.to_string(),
            }
        };
        assert!(refused.contains("space") || refused.contains("full"), "{backend}: {refused}");
        let there = numbers(&*memory);
        assert!(told.iter().all(|n| there.contains(n)), "{backend}");
        assert!(there.len() <= told.len() + 1, "{backend}");
        // What was refused is not there in part either: another process sees the same.
        assert_eq!(numbers(&*open(backend, folder.path())), there, "{backend}");
        drop(memory);
        // As soon as there is room, everything continues.
        mount(Some("tmpfs"), folder.path(), None::<&str>, MsFlags::MS_REMOUNT, Some("size=2m")).unwrap();
        write(&*open(backend, folder.path()), 999_998).unwrap();
    }

    struct Unmount<'a>(&'a Path);
    impl Drop for Unmount<'_> {
        fn drop(&mut self) {
            let _ = umount2(self.0, MntFlags::MNT_DETACH);
        }
    }
}
