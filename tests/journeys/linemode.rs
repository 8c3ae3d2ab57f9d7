//! The review in line mode: the powers of the full screen, for pipes, dumb terminals and screen readers.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::Ran;
use tameclaw_tests::world::{Program, World};

use crate::desk::waiting;
use crate::ten_minutes::Minutes;

const SOON: Duration = Duration::from_secs(60);

fn typed(world: &World, lines: &str) -> Ran {
    world.typed(Program::Admin, &["review"], lines).done()
}

/// Every power but the yes, over a pipe; none of it decides anything.
#[test]
fn a_pipe_can_look_try_note_and_edit() {
    let Some((world, id)) = waiting() else { return };
    let ran = typed(
        &world,
        "\n?\nv\nv summary\nv diff\nv transcript\nv nothing\nt roll {\"dice\": \"3d1\"}\nt\n{\"dice\": \"2d1\"}\n\
         t roll nonsense\nn look at the phrases\nv notes\na now\nyes\ne\ns\n",
    );
    let ran = ran
        .prints("an empty line decides nothing")
        .prints("e from FILE takes a file")
        .prints("impl skill_sdk::Skill for Skill")
        .prints("no version of this skill is installed")
        .prints("attempt 1: template dice")
        .prints("there is no page `nothing`; there are summary, trial, facts, words, diff, source, transcript, history")
        .prints("units of fuel")
        .prints("are not JSON")
        .prints("the note is kept")
        .prints("`a now` is not one of them")
        .prints("`yes` is not one of them")
        .prints("an editor needs a terminal")
        .prints("1 left waiting");
    // Nothing was cut: the whole source and the whole transcript stand there.
    let source = world.admin(&["show", &id, "--page", "source"]).done().stdout;
    for line in source.lines().filter(|line| line.contains("fn ")) {
        assert!(ran.stdout.contains(line.trim_end()), "`{line}` is missing\n{}", ran.report());
    }
    assert_eq!(world.newest()["status"], "human-review");
    // The note is shown to the person who comes next.
    typed(&world, "q\n").prints("look at the phrases");

    let file = world.outside().join("edited.rs");
    let shown = world.admin(&["show", &id, "--json"]).done().json();
    let source = shown["source"].as_str().expect("a source");
    fs::write(&file, format!("{source}\npub fn seven() -> u8 {{ 7 }}\n")).expect("a file");
    typed(&world, "e from edited.rs\n").prints("attempt 2");
    assert_eq!(world.newest()["status"], "agent-review");
    world.admin(&["run", "--once"]).done();
    typed(&world, "r\n\nr ?\nq\n").prints("a rejection needs a reason in words");
    assert_eq!(world.newest()["status"], "human-review");
    typed(&world, "r\nno dice today\n")
        .prints("reason, which")
        .prints("is rejected")
        .prints("cl-admin reopen");
    assert_eq!(world.newest()["status"], "rejected");
}

/// To whom a skill goes is chosen before the yes, and the second question repeats it.
#[test]
fn a_yes_on_lines_is_for_those_who_were_named() {
    let Some((world, _)) = waiting() else { return };
    world.admin(&["profile", "add", "ben", "--audience", "work"]).done();
    typed(&world, "for nobody\nfor profile:anna\nf work\na\ny\nq\n")
        .prints("names nobody")
        .prints("there is no profile `anna`; existing profiles: ben default")
        .prints("a yes gives it to: work")
        .prints("goes to     work")
        .prints("is installed");
    world.admin(&["skill", "list"]).done().prints("for: work");
}

/// A yes is asked for twice, and the second time it says what it comes to and what was not looked at.
#[test]
fn a_yes_on_lines_is_asked_for_twice() {
    let Some((world, _)) = waiting() else { return };
    for no in ["a\n", "a\n\n", "a\nn\n", "a\na\n"] {
        let ran = typed(&world, no).prints("APPROVE? This is what a yes installs").prints("Yes? [y/N]");
        assert!(!ran.stdout.contains("is installed"), "`{no}`: {}", ran.report());
        assert_eq!(world.newest()["status"], "human-review", "`{no}`");
    }
    let ran =
        typed(&world, "v\na\ny\n").prints("you have not opened the page `transcript`").prints("is installed");
    assert!(!ran.stdout.contains("not opened the page `source`"), "{}", ran.report());
    assert_eq!(world.newest()["status"], "accepted");
}

/// The editor gets a file of its own that nobody else opens, and its end brings the package to agent-review.
#[test]
fn a_person_edits_in_their_own_editor() {
    let Some((world, id)) = waiting() else { return };
    let editor = world.outside().join("my-editor");
    let script = "#!/bin/sh\nstat -c '%a %n' \"$2\" \"$(dirname \"$2\")\" > seen\n[ \"$1\" = --more ] || exit 1\n\
                  echo 'pub fn seven() -> u8 { 7 }' >> \"$2\"\n";
    fs::write(&editor, script).expect("a script");
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    let start = |editor: &str| {
        let mut command = world.command(Program::Admin, &["review"]);
        command.env("EDITOR", editor).env("TERM", "dumb");
        let mut pty = Pty::start(command);
        pty.expect("[A]pprove", SOON);
        pty
    };
    for (broken, told) in
        [("/no/such/editor", "/no/such/editor"), ("false", "nothing was handed in"), ("true", "unchanged")]
    {
        let mut pty = start(broken);
        pty.line("e");
        pty.expect(told, SOON);
        pty.expect("[A]pprove", SOON);
        pty.line("q");
        pty.ended(SOON);
        assert_eq!(world.newest()["status"], "human-review", "{broken}");
    }
    let mut pty = start(&format!("{} --more", editor.display()));
    pty.line("e");
    pty.expect("attempt 2", SOON);
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    let seen = fs::read_to_string(world.outside().join("seen")).expect("the editor ran");
    let modes: Vec<&str> = seen.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(modes, ["600", "700"], "{seen}");
    let left = fs::read_dir(world.home().admin()).expect("the folder").flatten();
    let left: Vec<_> = left.filter(|e| e.file_name().to_string_lossy().starts_with("edit-")).collect();
    assert!(left.is_empty(), "left behind: {left:?}");
    assert_eq!(world.admin(&["show", &id, "--json"]).done().json()["status"], "agent-review");
}

/// What is held at a gate stands in the queue, and a yes there lets it continue by one step only.
#[test]
fn the_line_mode_opens_a_gate() {
    let world = World::new();
    fs::write(world.home().admin_config(), "gates: {new_to_discovered: human}\n").expect("it can be written");
    world.ask("learn to roll dice");
    world.admin(&["run", "--once"]).done();
    let once = typed(&world, "a\n").prints("LET IT CONTINUE?");
    assert!(!once.stdout.contains("continues: it is"), "{}", once.report());
    typed(&world, "a\ny\n").prints("GATE").prints("let it continue").prints("continues: it is in discovered");
    assert_eq!(world.newest()["status"], "discovered");
}

/// The pages, the questions and the answers in every language that there is; the facts are the same.
#[test]
fn the_review_speaks_the_language_of_the_configuration() {
    let Some((world, id)) = waiting() else { return };
    let path = world.home().admin_config();
    for code in ["en", "de"] {
        fs::write(&path, format!("language: {code}\n")).expect("it can be written");
        let mut minutes = Minutes::of(&world);
        let page = world.admin(&["show", &id, "--page", "summary"]).done().stdout;
        let (page, _) = page.trim_end().rsplit_once('\n').expect("the digest stands last");
        minutes.shows("show --page summary", page);
        for page in ["words", "diff", "trial", "facts", "source", "transcript", "history"] {
            let shown = world.admin(&["show", &id, "--page", page]).done().stdout;
            // Below their first lines stand times, digests, figures of the machine and its compiler.
            let lines = match page {
                "words" | "diff" => shown.lines().count() - 1,
                "history" => 4,
                _ => 5,
            };
            let shown: Vec<&str> = shown.lines().take(lines).collect();
            minutes.shows(&format!("show --page {page}"), &shown.join("\n"));
        }
        let ran = typed(&world, "?\nfoo\n\nv foo\na\nn\nr\n?\nf anna,\nt nothing\nn\n\ns\n");
        let (_, after) = ran.stdout.split_once("[Q]").expect("the question stands there");
        minutes.shows("review", after);
        minutes.are(&format!("review.{code}.txt"));
    }
    fs::write(&path, "language: xx\n").expect("it can be written");
    world.admin(&["run", "--once"]).exited(2).says("`xx` is not one of en, de");
}

/// On a narrow terminal the letters of the answers stand whole, each in its brackets.
#[test]
fn the_question_of_a_narrow_terminal_breaks_no_word() {
    let Some((world, _)) = waiting() else { return };
    let mut command = world.command(Program::Admin, &["review"]);
    command.env("TERM", "dumb");
    let mut pty = Pty::start_of(command, 10, 40);
    pty.expect("[?]: ", SOON);
    let screen = pty.sees(10, 40).contents();
    for word in ["[A]pprove", "[R]eject", "[V]iew", "[E]dit", "[T]ry", "[N]ote", "[S]kip", "[Q]uit"] {
        assert!(screen.contains(word), "`{word}` is broken in\n{screen}");
    }
    pty.line("q");
    assert_eq!(pty.ended(SOON), 0);
}
