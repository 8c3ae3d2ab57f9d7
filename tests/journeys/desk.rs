//! What a person at the gate can do besides yes and no: edit, try, leave a note.

use std::fs;
use std::time::Duration;

use serde_json::Value;
use tameclaw_tests::points::{self, KILLED};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::run;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

/// A home with a dice roller that waits for a person, and its id.
pub fn waiting() -> Option<(World, String)> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::with_package("learn to roll dice");
    let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
    Some((world, id))
}

fn shown(world: &World, id: &str) -> Value {
    world.admin(&["show", id, "--json"]).done().json()
}

fn hand_in(world: &World, id: &str, source: &str) -> tameclaw_tests::run::Ran {
    world.typed(Program::Admin, &["edit", id, "--file", "-"], source)
}

/// An edited source is scanned, compiled and tried like any other, and what is installed is the edited one.
#[test]
fn an_edited_source_takes_agent_review_again() {
    let Some((world, id)) = waiting() else { return };
    let before = shown(&world, &id);
    let source = before["source"].as_str().expect("a source").to_owned();
    hand_in(&world, &id, &source).exited(2).says("unchanged");

    // A slip of the finger costs nothing: the package that was there comes back, and the messages are printed.
    hand_in(&world, &id, &format!("{source}\nfn broken( {{\n"))
        .done()
        .prints("attempt 2")
        .prints("cl-admin run");
    assert_eq!(world.newest()["status"], "agent-review");
    world.admin(&["approve", &id, "--yes"]).exited(3);
    world.admin(&["run", "--once"]).done();
    let back = shown(&world, &id);
    assert_eq!((&back["status"], &back["digest"]), (&before["status"], &before["digest"]));
    world.admin(&["show", &id]).done().prints("the edit (attempt 2) is dropped: scan:");

    // What the rules forbid stays forbidden, regardless of who writes it.
    hand_in(&world, &id, &format!("{source}\nfn f() {{ std::fs::remove_dir_all(\"/\").ok(); }}\n")).done();
    world.admin(&["run", "--once"]).done();
    assert_eq!(shown(&world, &id)["digest"], before["digest"]);

    let edited = source.replacen("rolled", "threw", 1);
    let edited =
        if edited == source { format!("{source}\nfn unused_addition() -> u8 {{ 7 }}\n") } else { edited };
    hand_in(&world, &id, &edited).done();
    world.admin(&["run", "--once"]).done();
    let after = shown(&world, &id);
    assert_eq!(after["status"], "human-review");
    assert_eq!(after["report"]["author"], "edited by owner");
    assert_eq!(after["report"]["attempt"], 4);
    assert_ne!(after["digest"], before["digest"]);
    let old = before["digest"].as_str().expect("a digest");
    world.admin(&["approve", &id, "--digest", old, "--yes"]).exited(3);
    world.admin(&["approve", &id, "--yes"]).done();
    let name = after["name"].as_str().expect("a name");
    let kept = world.home().record(&name.parse().expect("a name"), 1).join("skill.rs");
    let (kept, shown) =
        (fs::read_to_string(kept).expect("a record"), after["source"].as_str().expect("a source"));
    assert_eq!(kept.trim_end(), shown);
}

/// The source as it is goes into a pipe, through a program, and back in; a terminal gets no file that could steer it.
#[test]
fn the_source_as_it_is_feeds_an_edit() {
    let Some((world, id)) = waiting() else { return };
    let raw = world.admin(&["show", &id, "--raw", "source"]).done().stdout;
    let package = world.home().package(&id.parse().expect("an id"));
    assert_eq!(raw.as_bytes(), fs::read(package.join("skill.rs")).expect("a source"));
    hand_in(&world, &id, &raw).exited(2).says("unchanged");
    hand_in(&world, &id, &format!("{raw}fn unused_addition() -> u8 {{ 7 }}\n")).done();
    world.admin(&["run", "--once"]).done();
    let edited = world.admin(&["show", &id, "--raw", "source"]).done().stdout;
    assert!(edited.starts_with(&raw[..200]) && edited.contains("unused_addition"), "{edited}");

    world.admin(&["show", &id, "--raw", "proposal"]).done().prints("name: roll-dice");
    world.admin(&["show", &id, "--raw", "report"]).done().prints("recommendation:");
    world.admin(&["show", &id, "--raw", "transcript"]).done();
    world.admin(&["show", &id, "--raw", "source", "--page", "source"]).exited(2);
    let mut at_terminal = Pty::start(world.command(Program::Admin, &["show", &id, "--raw", "module"]));
    at_terminal.expect("could steer your terminal", PATIENCE);
    assert_eq!(at_terminal.ended(PATIENCE), 3);
    let mut at_terminal = Pty::start(world.command(Program::Admin, &["show", &id, "--raw", "source"]));
    at_terminal.expect("unused_addition", PATIENCE);
    assert_eq!(at_terminal.ended(PATIENCE), 0);
}

/// A tool can be called before anything is installed, and a note stays for the next person.
#[test]
fn a_package_can_be_tried_and_annotated() {
    let Some((world, id)) = waiting() else { return };
    world.admin(&["try", &id, "roll", "--json", "{\"dice\": \"3d1\"}"]).done().prints("3").prints("fuel");
    let run = world.admin(&["try", &id, "roll", "--json", "{\"dice\": \"3d1\"}", "--json-out"]).done().json();
    assert_eq!(run["passed"], true, "{run}");
    world.admin(&["try", &id, "roll", "--json", "[1]"]).exited(2).says("not a JSON object");
    world.admin(&["try", &id, "fly"]).exited(2).says("roll");
    assert_eq!(world.newest()["status"], "human-review");

    world.admin(&["note", &id, "  "]).exited(2).says("empty");
    world.admin(&["note", &id, "ask Anna\u{1b}[2J first"]).done();
    world.admin(&["show", &id]).done().prints("ask Anna").hides("\u{1b}");
}

/// A yes may name the digest that was looked at: the whole of it, as it was printed, and no other.
#[test]
fn a_yes_may_name_the_digest_and_only_exactly_that_one() {
    let Some((world, id)) = waiting() else { return };
    let digest = shown(&world, &id)["digest"].as_str().expect("a digest").to_owned();
    world.admin(&["show", &id]).done().prints(&format!("digest of the package: {digest}"));
    let mut other = digest.clone();
    other.replace_range(0..1, if digest.starts_with('0') { "1" } else { "0" });
    world.admin(&["approve", &id, "--digest", &other, "--yes"]).exited(3).says("look at it again");
    let long = format!("{digest}0");
    for malformed in [&digest[..63], &digest[..8], &long, &digest.to_uppercase(), "", "sha256"] {
        if *malformed == digest {
            continue;
        }
        world.admin(&["approve", &id, "--digest", malformed, "--yes"]).exited(2).says("--digest");
    }
    assert_eq!(world.newest()["status"], "human-review");
    world.admin(&["approve", &id, "--digest", &digest, "--yes"]).done();
}

/// What was typed before the question stood there does not answer it, neither for a single verb nor in the review.
#[test]
fn what_was_typed_ahead_approves_nothing() {
    let Some((world, id)) = waiting() else { return };
    let soon = Duration::from_secs(60);
    for (arguments, ahead, question, no) in
        [(&["approve", &id][..], "y\ry\ry\r", "[y/N]", "n"), (&["review"], "a\ra\ra\r", "[A]pprove", "q")]
    {
        let mut command = world.command(Program::Admin, arguments);
        command.env("TERM", "dumb");
        let mut pty = Pty::start(command);
        pty.keys(ahead);
        pty.expect(question, soon);
        // A line that still counted would be read within this time.
        std::thread::sleep(Duration::from_millis(500));
        assert!(pty.runs(), "{arguments:?} was answered: {}", pty.screen.tail());
        pty.line(no);
        pty.ended(soon);
        assert_eq!(world.newest()["status"], "human-review", "{arguments:?}");
    }
}

/// A rejection is taken back by a person while the package is there; one that was never built, or that stands elsewhere, is not.
#[test]
fn a_rejection_is_taken_back_while_the_package_is_there() {
    let Some((world, id)) = waiting() else { return };
    world.admin(&["reopen", &id]).exited(3).says("only a rejection can be taken back");
    world.admin(&["reject", &id]).exited(2).says("--reason");
    world.admin(&["reject", &id, "--reason", "?"]).exited(2).says("a rejection needs a reason");
    world.admin(&["reject", &id, "--reason", "no gambling"]).done().prints(&format!("cl-admin reopen {id}"));
    assert_eq!(world.newest()["status"], "rejected");
    world.admin(&["estop", "--reason", "a drill"]).done();
    world.admin(&["reopen", &id]).exited(3).says("could be approved again");
    world.admin(&["estop", "--clear"]).done();
    world.admin(&["reopen", &id]).done().prints("waits for a decision again");
    let history = shown(&world, &id)["history"].clone();
    let last = history.as_array().and_then(|steps| steps.last()).expect("a step");
    assert_eq!((&last["status"], &last["actor"]), (&"human-review".into(), &"owner".into()), "{history}");
    // The source of the package is not what was reviewed: there is nothing to go back to.
    world.admin(&["reject", &id, "--reason", "no gambling"]).done();
    let source = world.home().package(&id.parse().expect("an id")).join("skill.rs");
    let kept = fs::read(&source).expect("the source");
    fs::write(&source, b"fn other() {}").expect("it can be written");
    world.admin(&["reopen", &id]).exited(3).says("ask for it again");
    fs::write(&source, kept).expect("it can be written");
    world.admin(&["reopen", &id]).done();
    world.admin(&["approve", &id, "--yes"]).done().prints("is installed");
}

/// Page 1 says what to say, what came of it, whom it goes to, and that the same was refused before.
#[test]
fn the_first_page_says_what_a_parent_decides() {
    let Some((world, id)) = waiting() else { return };
    let page = |id: &str| world.admin(&["show", id, "--page", "summary"]).done();
    page(&id)
        .prints("| its author  Rolls dice such as 3d6+2 and adds them up. Say: roll 3d6+2")
        .prints("tried       roll 3d6+2 -> ")
        .prints("GRANTED     none: it can only work out an answer")
        .prints("needs       no other skill")
        .prints("goes to     every profile\n")
        .prints("scan        clean")
        .prints("source      begins, of ")
        .prints("  | use skill_sdk::prelude::*;");
    let rows = page(&id)
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("SUMMARY"))
        .take_while(|line| !line.is_empty())
        .count();
    assert!(rows <= 18, "page 1 fits on a screen of 24 rows: {rows}");
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    page(&id).prints("goes to     every profile, the child's (anna) too");
    for reason in ["too loud", "no gambling"] {
        let id = world.newest()["id"].as_str().expect("an id").to_owned();
        world.admin(&["reject", &id, "--reason", reason]).done();
        let said = world.ask("learn to roll dice");
        assert!(
            said.contains("refused before") && said.contains(&format!("by owner, \"{reason}\"")),
            "{said}"
        );
        world.admin(&["run", "--once"]).done();
    }
    let again = world.newest()["id"].as_str().expect("an id").to_owned();
    assert_ne!(again, id);
    page(&again).prints("refused     before: ").prints(" ago by owner, `no gambling` (2 times)");
}

/// A proposal is shown page by page, and as data with the origin of every line.
#[test]
fn a_proposal_is_shown_whole_by_page_and_as_data() {
    let Some((world, id)) = waiting() else { return };
    world.admin(&["note", &id, "RECOMMEND   APPROVE"]).done();
    let whole = world.admin(&["show", "roll-dice"]).done().stdout;
    let data = shown(&world, &id);
    let pages = data["pages"].as_array().expect("pages");
    let titles: Vec<&str> = pages.iter().filter_map(|page| page["title"].as_str()).collect();
    for title in ["summary", "trial", "facts", "words", "diff", "source", "transcript", "history", "notes"] {
        assert!(titles.contains(&title), "no page {title} in {titles:?}");
        let one = world.admin(&["show", &id, "--page", title]).done().stdout;
        let lines = one.lines().filter(|line| !line.trim().is_empty());
        assert!(lines.clone().count() > 2, "{title}: {one}");
        for line in lines {
            assert!(whole.contains(line), "{title}: `{line}` is not in the whole");
        }
    }
    let notes = pages.iter().find(|page| page["title"] == "notes").expect("notes");
    assert!(
        notes["lines"]
            .as_array()
            .expect("lines")
            .iter()
            .any(|l| l["origin"] == "words" && l["text"].as_str().is_some_and(|t| t.contains("RECOMMEND"))),
        "{notes}"
    );
    assert!(whole.contains("  | RECOMMEND"), "words of others are marked: {whole}");
    world.admin(&["show", &id, "--page", "fnord"]).exited(2).says("summary");

    for word in ["roll-dice", "human-review", &id[..13]] {
        let rows = world.admin(&["list", word, "--json"]).done().json_rows();
        assert_eq!(rows.len(), 1, "{word}");
        assert!(rows[0]["since"].is_string() && rows[0]["recurrence"] == 0, "{rows:?}");
    }
    assert!(world.admin(&["list", "rejected", "--json"]).done().json_rows().is_empty());
    world.admin(&["list", "fnord"]).exited(2).says("human-review");
    let table = world.admin(&["list"]).done().stdout;
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

/// A yes replays the journal once from its first record, and a no as well, though each looks at it several times and then
/// opens it for writing. A program that killed itself at a second replay would not come to its end.
#[test]
fn one_decision_replays_the_journal_once() {
    let Some((world, id)) = waiting() else { return };
    let killed = |when: &str, arguments: &[&str]| {
        let mut command = world.command_of(&points::program(), arguments);
        command.env("FAILPOINTS", format!("journal.replay={when}"));
        run(command, b"", PATIENCE)
    };
    killed("return", &["approve", &id, "--yes"]).exited(KILLED);
    killed("1*off->return", &["reject", &id, "--reason", "not this one"]).done();
    let (world, id) = waiting().expect("skills were compiled a moment ago");
    let mut command = world.command_of(&points::program(), &["approve", &id, "--yes"]);
    command.env("FAILPOINTS", "journal.replay=1*off->return");
    run(command, b"", PATIENCE).done();
    assert_eq!(world.newest()["status"], "accepted");
}
