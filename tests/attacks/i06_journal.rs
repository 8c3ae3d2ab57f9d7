//! Invariant 6: the journal is the truth, and tampering with it is found; the mirror is for readers only.

use std::fs;
use std::path::PathBuf;

use tameclaw_tests::run::Ran;
use tameclaw_tests::world::World;

/// A home whose journal holds a handful of records, made without a compiler.
pub(crate) fn lived_in() -> World {
    let world = World::new();
    fs::write(world.home().admin_config(), "compiler: /no/such/rustc\n").expect("it can be written");
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    assert!(lines(&world).len() >= 6, "{:?}", lines(&world));
    world
}

fn lines(world: &World) -> Vec<String> {
    let text = fs::read_to_string(world.home().journal()).expect("a home has a journal");
    text.lines().map(str::to_owned).collect()
}

fn write(world: &World, lines: &[String]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(world.home().journal(), text).expect("it can be written");
}

/// Insists that neither the service nor a verb works on such a journal, that it is said why, and that it stays as it is.
#[track_caller]
pub(crate) fn refused(world: &World, what: &str, says: &str) {
    let before = fs::read(world.home().journal()).expect("a journal");
    let tries: [&[&str]; 4] =
        [&["run", "--once"], &["list"], &["reject", "tell-leap-years", "--reason", "no"], &["init"]];
    for arguments in tries {
        let ran: Ran = world.admin(arguments);
        assert_eq!(ran.status, 4, "{what}: {}", ran.report());
        assert!(ran.stderr.contains("hint: put `admin/journal`"), "{what}: {}", ran.report());
        assert!(ran.stderr.contains(says), "{what}: `{says}` is not said\n{}", ran.report());
    }
    assert_eq!(
        fs::read(world.home().journal()).expect("a journal"),
        before,
        "{what}: it must not be touched"
    );
}

/// Each way of tampering is found, and the first bad record is named by its line.
#[test]
fn a_journal_that_was_tampered_with_is_refused_and_the_first_bad_record_named() {
    let world = lived_in();
    let good = lines(&world);
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut changed = good.clone();
        change(&mut changed);
        write(&world, &changed);
    };

    with(&|all| all[2] = all[2].replacen("\"at\":\"20", "\"at\":\"19", 1));
    assert_ne!(lines(&world)[2], good[2], "a byte was changed");
    refused(&world, "a changed byte", "line 3: its content does not have its hash");
    with(&|all| drop(all.remove(2)));
    refused(&world, "a removed record", "line 3: has number 4, but 3 comes next");
    with(&|all| all.swap(3, 4));
    refused(&world, "swapped records", "line 4: has number 5, but 4 comes next");
    with(&|all| all.insert(3, all[2].clone()));
    refused(&world, "a doubled record", "line 4: has number 3, but 4 comes next");
    with(&|all| all.insert(1, "{}".to_owned()));
    refused(&world, "a line that is no record", "line 2: not a record");
    with(&|all| all.truncate(4));
    refused(&world, "a shortened journal", "line 5: missing");
    with(&|all| all.clear());
    refused(&world, "an emptied journal", "line 1: missing");

    write(&world, &good);
    world.admin(&["list"]).done();
}

/// Records of another home, whose chain holds in itself, are not records of this one.
#[test]
fn a_journal_of_another_home_is_refused() {
    let (world, other) = (lived_in(), lived_in());
    let (good, foreign) = (lines(&world), lines(&other));
    let mut mixed = good.clone();
    mixed[4] = foreign[4].clone();
    write(&world, &mixed);
    refused(&world, "one foreign record", "line 5: does not name the record before it");
    write(&world, &foreign);
    refused(&world, "a foreign journal", "not the record that was signed");
    fs::copy(other.home().journal_head(), world.home().journal_head()).expect("it can be copied");
    refused(
        &world,
        "a foreign journal with its head",
        "the signature does not belong to these bytes and this key",
    );
}

/// A torn last line was never accepted: it is passed over by readers, cut off by the service, and nothing else is lost.
#[test]
fn a_torn_last_line_is_repaired() {
    let world = lived_in();
    let good = lines(&world);
    let mut torn = good.join("\n");
    torn.push_str("\n{\"seq\":99,\"previous_hash\":\"00");
    fs::write(world.home().journal(), torn).expect("it can be written");
    world.admin(&["list"]).done().prints("tell-leap-years");
    world.admin(&["run", "--once"]).done();
    assert_eq!(lines(&world)[..good.len()], good[..]);
    assert!(durable::verify(&world.home().journal()).expect("it holds").0 >= good.len() as u64);
}

/// The mirror decides nothing, regardless of what is written there, and says the truth again after the next start.
#[test]
fn a_forged_mirror_is_not_believed_and_is_written_again() {
    let world = lived_in();
    let truth = world.newest();
    let folder = world.home().status(&world.profile());
    let mirrors: Vec<PathBuf> = fs::read_dir(folder)
        .expect("there are mirrors")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    let [mirror] = mirrors.as_slice() else { panic!("one proposal has one mirror: {mirrors:?}") };
    let good = fs::read_to_string(mirror).expect("a mirror");
    assert!(good.contains("status: agent-review"), "{good}");
    let forgeries = [
        good.replace("status: agent-review", "status: accepted"),
        good.replace("status: agent-review", "status: human-review"),
        String::from("nonsense: ["),
        String::new(),
    ];
    for forged in forgeries {
        fs::write(mirror, &forged).expect("it can be written");
        assert_eq!(world.newest(), truth, "{forged}");
        world.admin(&["approve", "tell-leap-years", "--yes"]).exited(3);
        world.admin(&["run", "--once"]).done();
        assert_eq!(fs::read_to_string(mirror).expect("a mirror"), good, "{forged}");
        assert_eq!(world.newest(), truth, "{forged}");
    }
    fs::remove_file(mirror).expect("it can be removed");
    world.admin(&["run", "--once"]).done();
    assert_eq!(fs::read_to_string(mirror).expect("it is there again"), good);
}
