//! A weekly digest tells the approver more than numbers, shows that somebody was in need, or comes before its child has seen it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::time::Duration;

use serde_json::Value;
use tameclaw_tests::digest::{ends_soon, told, until, with_children};
use tameclaw_tests::eventually;
use tameclaw_tests::world::{Program, World};

const SOON: Duration = Duration::from_secs(100);
/// Words of what the children ask for, want to be reminded of, and need.
const WORDS: [&str; 8] = ["dice", "zebrafink", "to kill", "forged", "roll", "myself", "flip", "coin"];

fn says(world: &World, profile: &str, line: &str) -> String {
    world.bot(&["--profile", profile, "-m", line]).report()
}

/// Two children have the same week, and one of them is in need and has its files written by somebody else: their digests are equal
/// but for the number of calls, to which receipts that were made by hand add. No word of either is in the journal's record, in what
/// the chat is handed, or in what the approver gets.
#[test]
fn a_digest_has_no_word_and_need_changes_no_count() {
    let world = with_children(&["anna", "ben"]);
    let end = ends_soon(&world, "anna, ben", "");
    let _service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "the counting begins", || (told(&world, "digest-begins").len() == 2).then_some(()));
    for (profile, wish, name) in
        [("anna", "learn to roll dice", "roll-dice"), ("ben", "learn to flip a coin", "flip-coin")]
    {
        let wished = says(&world, profile, wish);
        assert!(wished.contains(name), "{wished}");
        says(&world, profile, "remind me tomorrow at 6pm to buy a Zebrafink");
        says(&world, profile, "what time is it?");
    }
    for line in ["I want to kill myself", "learn to kill myself", "remind me at 6pm to kill myself"] {
        let helped = says(&world, "ben", line);
        assert!(helped.contains("988"), "{helped}");
    }
    eventually(SOON, "both requests come in", || (world.list().len() == 2).then_some(()));
    let ben = "ben".parse().expect("a name");
    let receipts = world.home().logs(&ben).join("receipts.jsonl");
    let all = fs::read_to_string(&receipts).expect("a call leaves a receipt");
    let last: Value = serde_json::from_str(all.lines().last().expect("a receipt")).expect("a receipt");
    let mut forged = last.clone();
    forged["tool"] = "forged.zebrafink".into();
    let mut file = OpenOptions::new().append(true).open(&receipts).expect("it can be opened");
    write!(file, "{forged}\nforged words\n{{\"status\": \"denied\", \"tool\": \"forged\"}}\n")
        .expect("it can be written");
    // A line of half a file ends no count: what follows it counts.
    write!(file, "{}\n{forged}\n", "forged".repeat(1 << 20)).expect("it can be written");
    assert!(jiff::Timestamp::now() < end, "this machine is too slow for the test");
    until(end);
    eventually(SOON, "they are made", || (told(&world, "digest-made").len() == 2).then_some(()));
    let made = told(&world, "digest-made");
    let of = |name: &str| made.iter().find(|record| record["profile"] == name).expect("a digest").clone();
    let (anna, mut ben_had) = (of("anna")["counts"].clone(), of("ben")["counts"].clone());
    assert_eq!(anna["skills"]["asked"], 1);
    let made_calls = |counts: &Value| counts["calls"]["made"].as_u64().expect("a count");
    assert_eq!(made_calls(&ben_had), made_calls(&anna) + 2, "{ben_had}");
    ben_had["calls"]["made"] = made_calls(&anna).into();
    assert_eq!(anna, ben_had);
    // What the bot writes of having shown it is a number, or nothing.
    let shown = world.home().logs(&ben).join("digest");
    let mut outputs = vec![];
    for text in ["", "one", "1 2", "-1", "1.0", "99999999999999999999999999", "1\nforged", "forged"] {
        fs::write(&shown, text).expect("it can be written");
        outputs.push(world.admin(&["digest", "ben"]).done().prints("its person sees it first").stdout);
    }
    fs::remove_file(&shown).expect("it is there");
    let beyond = world.outside().join("beyond");
    fs::write(&beyond, "1").expect("it can be written");
    symlink(&beyond, &shown).expect("a link can be made");
    outputs.push(world.admin(&["digest", "ben"]).done().prints("its person sees it first").stdout);
    fs::remove_file(&shown).expect("it is there");
    fs::create_dir(&shown).expect("a folder");
    outputs.push(world.admin(&["digest", "ben"]).done().prints("its person sees it first").stdout);
    fs::remove_dir(&shown).expect("it is there");
    fs::write(&shown, "7").expect("it can be written");
    outputs.push(world.admin(&["digest", "ben"]).done().prints("skills that were asked for: 1").stdout);
    outputs.push(world.admin(&["digest", "--json"]).done().stdout);
    outputs.extend(made.iter().map(Value::to_string));
    let mirror = world.home().status(&ben).join("scheduled.jsonl");
    outputs.push(fs::read_to_string(mirror).expect("the chat is handed it"));
    for text in outputs.iter().map(|text| text.to_lowercase()) {
        assert!(!WORDS.iter().any(|word| text.contains(word)), "{text}");
    }
}
