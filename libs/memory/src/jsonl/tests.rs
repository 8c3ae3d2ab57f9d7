use std::fs;
use std::sync::Arc;

use super::*;
use crate::files::Disk;
use crate::store::testing::{self, fact, turn};

fn memory() -> (tempfile::TempDir, Jsonl<Disk>) {
    let folder = tempfile::tempdir().unwrap();
    let memory = Jsonl::new(Disk::new(folder.path()));
    (folder, memory)
}

#[test]
fn it_does_what_every_memory_does() {
    testing::everything(&|| {
        let (folder, memory) = memory();
        (folder, Box::new(memory))
    });
}

/// Wherever a correction is cut off, the old fact or the new one is there, and never both.
#[test]
fn a_correction_is_one_line() {
    let (folder, memory) = memory();
    memory.add_fact(fact("1", "my cat is called Tom")).unwrap();
    memory.add_fact(fact("2", "I like tea")).unwrap();
    let path = folder.path().join(FACTS);
    let before = fs::read(&path).unwrap();
    memory.correct("2", fact("3", "my cat is called Tim")).unwrap();
    let after = fs::read(&path).unwrap();
    for end in before.len()..=after.len() {
        fs::write(&path, &after[..end]).unwrap();
        let facts = Jsonl::new(Disk::new(folder.path())).facts(9).unwrap();
        let has = |id: &str| facts.iter().any(|fact| fact.id == id);
        assert_ne!(has("2"), has("3"), "cut off after {} bytes", end - before.len());
        assert!(has("1") || has("3"), "cut off after {} bytes", end - before.len());
    }
}

/// Whether or not a line was read with the one before it.
#[test]
fn lines_are_the_same_in_every_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FACTS);
    let lengths = (0..90).map(|n| match n {
        40 => 300_000,
        n if n % 11 == 0 => 0,
        n => n * 97 % 3_000,
    });
    let lines: Vec<String> = lengths.map(|length| "x".repeat(length)).collect();
    fs::write(&path, lines.join("\n") + "\n" + "torn").unwrap();
    let mut start = 0;
    let starts = lines.iter().map(|line| {
        start += line.len() as u64 + 1;
        start - line.len() as u64 - 1
    });
    let places: Vec<(u64, &String)> = starts.zip(&lines).collect();
    let (upwards, downwards) = ((0..90).collect::<Vec<usize>>(), (0..90).rev().collect());
    let spread = (0..400).map(|n| n * 37 % 90).collect();
    for order in [upwards, downwards, spread] {
        let log = File::open(&path).unwrap();
        let mut near = Near::of(&log);
        for n in order {
            let (place, line) = places[n];
            assert!(near.at(place).unwrap() == line.as_bytes(), "line {n}");
        }
        assert!(near.at(start).is_err(), "a line without its newline is not one");
        assert_eq!(
            near.at(places[1].0).unwrap(),
            places[1].1.as_bytes(),
            "and the next one is read all the same"
        );
    }
}

#[test]
fn a_torn_last_line_is_passed_over_and_gone_after_the_next_write() {
    let (folder, memory) = memory();
    memory.add_fact(fact("1", "I like tea")).unwrap();
    let path = folder.path().join(FACTS);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"id\":\"2\",\"text\":\"half a li");
    fs::write(&path, &text).unwrap();
    assert_eq!(memory.facts(9).unwrap().len(), 1);
    memory.add_fact(fact("3", "I like coffee")).unwrap();
    let texts: Vec<String> = memory.facts(9).unwrap().into_iter().map(|f| f.text).collect();
    assert_eq!(texts, ["I like tea", "I like coffee"]);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
}

#[test]
fn lines_that_are_no_records_are_passed_over() {
    let (folder, memory) = memory();
    let lines = "nonsense\n[]\n{\"id\":7,\"text\":\"tea\"}\n\n{\"id\":\"1\",\"text\":\"green tea\"}\n\u{0}\n";
    fs::write(folder.path().join(FACTS), lines).unwrap();
    assert_eq!(memory.search_facts("tea", 9).unwrap().len(), 1);
    assert_eq!(memory.facts(9).unwrap().len(), 1);
}

#[test]
fn a_stale_piece_is_noticed_by_the_records_that_it_points_to() {
    let (folder, memory) = memory();
    let turns: Vec<Turn> = (0..300).map(|n| turn(&format!("c{n:03}"), "green tea")).collect();
    memory.add_turns(&turns).unwrap();
    let path = folder.path().join(CONVERSATIONS);
    // Same length, same ends, other records in between: only reading them shows it.
    let text = fs::read_to_string(&path).unwrap();
    let (c8, c9) = ("\"c200\"", "\"c999\"");
    fs::write(&path, text.replace(c8, c9)).unwrap();
    let found = memory.conversation("c200", 9).unwrap();
    assert_eq!(found, []);
    assert_eq!(memory.conversation("c999", 9).unwrap().len(), 1);
}

#[test]
fn several_conversations_at_once_are_the_same_as_one_by_one() {
    let (_folder, memory) = memory();
    assert_eq!(memory.each_conversation(&["c1", "c2"], 9).unwrap(), [[], []]);
    let turns: Vec<Turn> = (0..300).map(|n| turn(&format!("c{}", n % 20), "green tea")).collect();
    memory.add_turns(&turns).unwrap();
    let ids = ["c19", "nobody", "c2"];
    let one_by_one: Vec<_> = ids.iter().map(|id| memory.conversation(id, 9).unwrap()).collect();
    assert_eq!(memory.each_conversation(&ids, 9).unwrap(), one_by_one);
    assert_eq!(one_by_one.iter().map(Vec::len).collect::<Vec<_>>(), [9, 0, 9]);
}

#[test]
fn an_index_that_is_away_is_made_again_and_tells_how_far_it_is() {
    let (folder, memory) = memory();
    let turns: Vec<Turn> =
        (0..9000).map(|n| turn(&format!("c{}", n / 10), &format!("line {n} about green tea"))).collect();
    memory.add_turns(&turns).unwrap();
    fs::remove_dir_all(folder.path().join("index")).unwrap();
    let told = Arc::new(std::sync::Mutex::new(vec![]));
    let theirs = told.clone();
    let memory = Jsonl::new(Disk::new(folder.path()))
        .telling(Box::new(move |done, all| theirs.lock().unwrap().push((done, all))));
    let found = memory.search_turns("8999", 3).unwrap();
    assert_eq!(found[0].content, "line 8999 about green tea");
    let told = told.lock().unwrap();
    assert!(told.last().is_some_and(|(done, all)| done > &0 && done <= all), "{told:?}");
}

#[test]
fn a_writer_that_is_held_up_says_so() {
    let (folder, memory) = memory();
    let held = Disk::new(folder.path()).open_log("lock").unwrap();
    held.lock().unwrap();
    let waited = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| memory.add_fact(fact("1", "I like tea")));
        std::thread::sleep(Duration::from_millis(50));
        assert!(!waiting.is_finished());
        held.unlock().unwrap();
        waiting.join().unwrap()
    });
    assert_eq!(waited.unwrap(), Stored::New);
}

#[test]
fn emptying_removes_the_index_too() {
    let (folder, memory) = memory();
    let turns: Vec<Turn> = (0..600).map(|n| turn("c", &format!("green tea {n}"))).collect();
    memory.add_turns(&turns).unwrap();
    let pieces = || Disk::new(folder.path()).index_names().unwrap();
    assert_eq!(pieces().len(), 2);
    memory.clear().unwrap();
    assert_eq!(pieces(), Vec::<String>::new());
    assert_eq!(fs::read(folder.path().join(CONVERSATIONS)).unwrap(), b"");
}

#[test]
fn what_is_forgotten_is_gone_from_the_file() {
    let (folder, memory) = memory();
    memory.add_fact(fact("1", "my safe opens with sesame")).unwrap();
    memory.add_fact(fact("2", "I like tea")).unwrap();
    let turns: Vec<Turn> = (0..700).map(|n| turn(if n % 2 == 0 { "a" } else { "b" }, "sesame")).collect();
    memory.add_turns(&turns).unwrap();
    assert!(memory.forget("1", "now").unwrap());
    assert!(memory.forget("a", "now").unwrap());
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((read(FACTS).matches("sesame").count(), read(FACTS).lines().count()), (0, 1));
    assert_eq!(read(CONVERSATIONS).lines().count(), 350);
    assert_eq!(memory.facts(9).unwrap()[0].text, "I like tea");
    assert_eq!(memory.search_turns("sesame", 999).unwrap().len(), 350);
    assert_eq!(memory.conversation("a", 9).unwrap(), []);
}

/// A process that was killed while it wrote a log anew leaves a copy under a hidden name; what is forgotten is gone from there too.
#[test]
fn a_copy_that_a_killed_process_left_goes_with_what_is_forgotten() {
    type Forget = fn(&Jsonl<Disk>);
    let forgets: [Forget; 3] = [
        |memory| memory.clear().unwrap(),
        |memory| assert!(memory.forget("1", "now").unwrap()),
        |memory| {
            let before = "2026-01-01T00:00:00Z".parse().unwrap();
            assert!(memory.forget_before(before, &mut |_| {}).unwrap().is_none());
        },
    ];
    for forget in forgets {
        let (folder, memory) = memory();
        memory.add_fact(testing::fact("1", "I like tea")).unwrap();
        let left = folder.path().join(".facts.jsonl.4711.0.tmp");
        let others = [".facts.jsonl.mine", ".manifest_serial.4711.0.tmp", ".my.facts.jsonl.4711.0.tmp"];
        for name in others.iter().map(|name| folder.path().join(name)).chain([left.clone()]) {
            std::fs::write(name, "tea").unwrap();
        }
        forget(&memory);
        assert!(!left.exists());
        assert!(others.iter().all(|name| folder.path().join(name).exists()), "another's file went too");
    }
}
