//! The chat at a terminal: what is typed, what is seen, and what a dumb terminal gets instead.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::calls::profile;
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_C, CTRL_D, Pty};
use tameclaw_tests::world::{Program, World};

use crate::settings::bot_asks;
use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(20);
/// The escape that begins every control sequence.
const ESCAPE: u8 = 0x1b;

/// A chat with a scripted model, at its first prompt.
fn chat(world: &World, model: &ModelServer, environment: &[(&str, &str)]) -> Pty {
    bot_asks(world, &model.url(), None);
    let mut command = world.command(Program::Bot, &["agent"]);
    command.envs(environment.iter().copied());
    let mut pty = Pty::start(command);
    pty.expect(PROMPT, SOON);
    pty
}

/// A model that answers `You said: ...` in one line.
fn echo() -> ModelServer {
    ModelServer::start(|chat| Reply::text(format!("You said: {}", chat.last().1.replace('\n', "|"))))
}

/// What the model got last, but for the search for facts in the background.
fn told(model: &ModelServer) -> String {
    let seen = model.seen();
    let chat = seen.iter().rfind(|chat| !chat.text().contains("You list what a person says"));
    chat.map(|chat| chat.last().1).unwrap_or_default()
}

/// The banner fits a small console, and leaving tells what was used.
#[test]
fn the_banner_is_short_and_the_end_tells_what_was_used() {
    let (world, model) = (World::new(), echo());
    bot_asks(&world, &model.url(), None);
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    let banner = pty.expect(PROMPT, SOON);
    assert!(banner.lines().count() <= 14 && banner.lines().all(|line| line.chars().count() < 80), "{banner}");
    for part in [
        "TameClaw ",
        "profile default",
        "scripted (scripted-1)",
        "reasoning",
        "memory     on",
        "isolation",
        "workspace  ",
        "profiles/default/workspace",
        "autonomy   supervised: ",
    ] {
        assert!(banner.contains(part), "{part} is missing in\n{banner}");
    }
    pty.line("hello");
    pty.expect("You said: hello", SOON);
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    pty.expect("goodbye: 1 turn", SOON);
    assert_eq!(pty.ended(SOON), 0);
}

/// Ctrl-C at the prompt says goodbye too, and where nothing was used nothing is printed.
#[test]
fn ctrl_c_at_the_prompt_says_goodbye() {
    let (world, model) = (World::new(), echo());
    let mut pty = chat(&world, &model, &[]);
    pty.keys(CTRL_C);
    pty.expect("(goodbye)", SOON);
    assert_eq!(pty.ended(SOON), 0);
}

/// While the model thinks there is a sign of life; Ctrl-C ends the turn, and the chat continues.
#[test]
fn ctrl_c_cancels_a_running_turn_and_the_chat_goes_on() {
    let world = World::new();
    let model = ModelServer::start(|_| Reply::Hang);
    let mut pty = chat(&world, &model, &[]);
    pty.line("tell me something");
    pty.expect("thinking 1 s", SOON);
    pty.keys(CTRL_C);
    pty.expect("(cancelled)", SOON);
    pty.expect(PROMPT, SOON);
    let raw = pty.screen.raw();
    let shown = String::from_utf8_lossy(&raw);
    let end = shown.rfind("thinking").expect("the sign was drawn");
    assert!(shown[end..].contains("\r\u{1b}[K"), "the sign is taken away: {:?}", &shown[end..]);
    model.follow(|_| Reply::text("Here I am."));
    pty.line("and now?");
    pty.expect("Here I am.", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("/exit");
    pty.expect("goodbye: 1 turn", SOON);
    assert_eq!(pty.ended(SOON), 0);
}

/// A line that ends in a backslash continues, a paste is one input and keeps its backslashes, and so is a block.
#[test]
fn several_lines_are_one_input() {
    let (world, model) = (World::new(), echo());
    let mut pty = chat(&world, &model, &[]);
    pty.line("one \\");
    pty.line("two");
    pty.expect("You said: one |two", SOON);
    pty.expect(PROMPT, SOON);
    // The terminal marks a paste only where it was asked to, before the first key.
    let raw = pty.screen.raw();
    let asked = String::from_utf8_lossy(&raw);
    assert!(asked.rfind("\u{1b}[?2004h") > asked.rfind("\u{1b}[?2004l"), "{asked:?}");
    pty.keys("\u{1b}[200~make \\\n  all\nnow\u{1b}[201~");
    pty.keys("\r");
    pty.expect("You said: make", SOON);
    assert_eq!(told(&model), "make \\\n  all\nnow");
    pty.expect(PROMPT, SOON);
    for line in ["\"\"\"", "a", "", "b", "\"\"\""] {
        pty.line(line);
    }
    pty.expect("You said: a||b", SOON);
    assert_eq!(told(&model), "a\n\nb");
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// What was typed can be had again in the next chat, and nobody else can read it.
#[test]
fn the_history_is_kept_for_the_profile_alone() {
    let (world, model) = (World::new(), echo());
    let mut pty = chat(&world, &model, &[]);
    pty.line("first thing");
    pty.expect("You said: first thing", SOON);
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
    let file = world.home().profile(&world.profile()).join("logs/history");
    let mode = fs::metadata(&file).expect("the history is there").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600, "{mode:o}");
    let mut pty = chat(&world, &model, &[]);
    pty.keys("\u{1b}[A");
    // A key that is pressed while a busy machine still draws the prompt can get lost.
    if pty.screen.wait_for(&["first thing"], SOON / 4).is_none() {
        pty.keys("\u{1b}[A");
        pty.expect("first thing", SOON);
    }
    pty.keys(" again\r");
    pty.expect("You said: first thing again", SOON);
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// The tabulator completes commands, and the names behind `/model`.
#[test]
fn commands_are_completed() {
    let (world, model) = (World::new(), echo());
    let mut pty = chat(&world, &model, &[]);
    // A key for itself: what comes before the prompt reads is a line typed ahead, and a tab in it completes nothing.
    pty.keys("/prop");
    pty.expect("/prop", SOON);
    pty.keys("\t");
    pty.expect("osals", SOON);
    pty.keys("\r");
    pty.expect("nothing was asked for yet", SOON);
    pty.expect(PROMPT, SOON);
    pty.keys("/model comp");
    pty.expect("/model comp", SOON);
    pty.keys("\t");
    pty.expect("anion", SOON);
    pty.keys(CTRL_C);
    assert_eq!(pty.ended(SOON), 0);
}

const MARKED_UP: &str = "# Title\nSome **bold** words and `code`, see [here](https://a.example/).\n- item";

/// Markdown has colours at a terminal.
#[test]
fn an_answer_has_colours_at_a_terminal() {
    let world = World::new();
    let model = ModelServer::start(|_| Reply::text(MARKED_UP));
    let mut pty = chat(&world, &model, &[]);
    pty.line("hello");
    let shown = pty.expect("- item", SOON);
    assert!(shown.contains("Title\nSome bold words and code, see here (https://a.example/)."), "{shown}");
    let raw = pty.screen.raw();
    let raw = String::from_utf8_lossy(&raw);
    assert!(raw.contains("\u{1b}[1mTitle\u{1b}[0m") && raw.contains("\u{1b}[1mbold\u{1b}[0m"), "{raw:?}");
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// A terminal that wants no escapes gets none, from the banner to the end, and one sentence while the model thinks.
#[test]
fn a_dumb_terminal_gets_no_escape_at_all() {
    for environment in [[("TERM", "dumb")], [("NO_COLOR", "1")]] {
        let world = World::new();
        let model = ModelServer::start(|_| {
            std::thread::sleep(Duration::from_millis(2600));
            Reply::text(format!("{MARKED_UP}\u{1b}[2J"))
        });
        let mut pty = chat(&world, &model, &environment);
        pty.line("hello");
        let shown = pty.expect("- item", SOON);
        assert!(
            shown.contains("# Title\nSome bold words and `code`, see here (https://a.example/)."),
            "{shown}"
        );
        assert_eq!(shown.matches("(thinking...)").count(), 1, "{shown}");
        pty.expect(PROMPT, SOON);
        model.follow(|_| Reply::Hang);
        // Typed one after the other, as a person does: the terminal itself edits these lines.
        pty.line("one \\");
        pty.expect(". ", SOON);
        pty.line("two");
        pty.expect("(thinking...)", SOON);
        assert_eq!(told(&model), "one \ntwo");
        pty.keys(CTRL_C);
        pty.expect("(cancelled)", SOON);
        pty.expect(PROMPT, SOON);
        pty.line("/clear");
        pty.expect("cannot be cleared", SOON);
        pty.expect(PROMPT, SOON);
        pty.keys(CTRL_D);
        pty.expect("goodbye: 1 turn", SOON);
        assert_eq!(pty.ended(SOON), 0, "{environment:?}");
        let raw = pty.screen.raw();
        assert!(!raw.contains(&ESCAPE), "{environment:?}: {:?}", String::from_utf8_lossy(&raw));
    }
}

/// Each command says something sensible, and what is not a command says what was meant.
#[test]
fn every_command_answers() {
    let (world, model) = (World::new(), echo());
    world.ask("learn to roll dice");
    let mut pty = chat(&world, &model, &[]);
    for (line, expected) in [
        ("/help", "/permissions"),
        ("/tools", "file_read"),
        ("/skills", "roll-dice (not yet): waits to be picked up by the admin service"),
        ("/memory", "nothing yet"),
        ("/proposals", "roll-dice (new): waits to be picked up"),
        ("/tokens", "nothing yet"),
        ("/whoami", "isolation"),
        ("/new", "a new conversation"),
        ("/approve roll-dice", "cl-admin review"),
        ("/hlep", "did you mean /help?"),
        ("//tmp", "You said: /tmp"),
        ("/tokens", "1 turn"),
        ("/policy", "max_tool_rounds"),
        ("/permissions", "user:output"),
        ("/model", "scripted-1"),
        ("/model companion", "companion"),
        ("/model nobody", "there is no provider `nobody`"),
        ("/model scripted tiny-2", "scripted"),
        ("/retry", "You said: /tmp"),
        ("/call time {\"zone\": \"utc\"}", "It is"),
    ] {
        pty.line(line);
        pty.expect(expected, SOON);
        pty.expect(PROMPT, SOON);
    }
    pty.line("/clear");
    eventually(SOON, "the screen is cleared", || {
        String::from_utf8_lossy(&pty.screen.raw()).contains("\u{1b}[H\u{1b}[2J").then_some(())
    });
    pty.line("/quit");
    assert_eq!(pty.ended(SOON), 0);
    let rows = world.bot(&["proposal", "list", "--json"]).done().json_rows();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["status"], "new", "nothing that was said has decided anything");
}

/// An answer is seen while it comes, and rendered whole in the end; a tool that is called in between is named.
#[test]
fn an_answer_is_seen_while_it_comes() {
    let pieces = ["The **first", "** part\n", "and the ", "second.\n"].map(str::to_owned);
    let model = ModelServer::start(move |_| Reply::Stream(pieces.to_vec(), Duration::from_millis(1_500)));
    let world = World::new();
    let mut pty = chat(&world, &model, &[]);
    pty.line("go on");
    pty.expect("part", SOON);
    let early = String::from_utf8_lossy(&pty.screen.raw()).into_owned();
    assert!(!early.contains("second."), "the end was shown before it came");
    pty.expect("second.", SOON);
    pty.expect(PROMPT, SOON);
    let raw = String::from_utf8_lossy(&pty.screen.raw()).into_owned();
    assert!(raw.contains("\u{1b}[1m") && !raw.contains("**"), "{raw:?}");
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// A line break that the server sends as a piece of its own separates paragraphs, and the answer is shown once.
#[test]
fn a_line_break_that_comes_alone_separates_paragraphs() {
    let pieces =
        ["\n", "First", ".", "\n\n", "- one", "\n", "- two\n", "\n", "Last."].map(str::to_owned).to_vec();
    let model = ModelServer::start(move |_| Reply::Stream(pieces.clone(), Duration::ZERO));
    let world = World::new();
    let mut pty = chat(&world, &model, &[("NO_COLOR", "1")]);
    pty.line("tell me");
    pty.expect("Last.", SOON);
    pty.expect(PROMPT, SOON);
    let seen = pty.screen.text().replace('\r', "");
    assert!(seen.contains("First.\n\n- one\n- two\n\nLast.\n"), "{seen}");
    assert!(!seen.contains("the answer that counts"), "{seen}");
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0);
}

/// What is streamed, what is printed beside it and what a command shows break between words, for the width of each answer.
#[test]
fn lines_break_between_words_at_the_width_that_the_window_has() {
    let words: Vec<String> = (10..90).map(|n| format!("word{n}")).collect();
    let long = "Donaudampfschiff".repeat(8);
    let text = format!("- {} {long} end.", words.join(" "));
    let pieces: Vec<String> = text.split_inclusive('0').map(str::to_owned).collect();
    let model = ModelServer::start(move |_| Reply::Stream(pieces.clone(), Duration::ZERO));
    let world = World::new();
    for environment in [&[][..], &[("TERM", "dumb")]] {
        let mut pty = chat(&world, &model, environment);
        for columns in [80, 41, 120] {
            pty.resize(24, columns);
            let from = pty.screen.text().len();
            pty.line("tell me");
            pty.expect("end.", SOON);
            pty.expect(PROMPT, SOON);
            let shown = pty.screen.text()[from..].replace('\r', "");
            for word in words.iter().chain([&long]) {
                assert!(shown.contains(word.as_str()), "{columns}: {word} is cut in\n{shown}");
            }
            let lines = || shown.lines().filter(|line| line.contains("word") && !line.contains(&long));
            assert!(lines().all(|line| line.chars().count() < usize::from(columns)), "{columns}:\n{shown}");
            assert!(lines().skip(1).all(|line| line.starts_with("  word")), "{columns}:\n{shown}");
            pty.line("/hlep");
            let told = pty.expect("as text)", SOON);
            assert!(columns != 41 || told.replace('\r', "").contains("did you mean\n/help?"), "{told}");
            pty.expect(PROMPT, SOON);
        }
        pty.line("exit");
        pty.expect("goodbye: 3 turns", SOON);
        assert_eq!(pty.ended(SOON), 0);
    }
}

/// Ctrl-C in the middle of an answer ends it, and what comes next is answered as ever.
#[test]
fn an_answer_that_is_coming_can_be_cancelled() {
    let endless: Vec<String> = (0..200).map(|n| format!("word{n} ")).collect();
    let model = ModelServer::start(move |_| Reply::Stream(endless.clone(), Duration::from_millis(100)));
    let world = World::new();
    let mut pty = chat(&world, &model, &[]);
    pty.line("talk");
    pty.expect("word3", SOON);
    pty.keys(CTRL_C);
    pty.expect("cancelled", SOON);
    pty.expect(PROMPT, SOON);
    model.follow(|_| Reply::text("here again"));
    pty.line("still there?");
    pty.expect("here again", SOON);
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// A stream that breaks before its first word is answered by the next provider, which is reported once.
#[test]
fn a_stream_that_breaks_without_a_word_is_answered_by_the_next_provider() {
    let model = ModelServer::start(|_| Reply::Broken(vec![]));
    let world = World::new();
    let mut pty = chat(&world, &model, &[]);
    pty.line("hello");
    let told = pty.expect("What can I do for you?", SOON);
    assert!(told.contains("companion answers in its place"), "who answers, and why, is told: {told}");
    pty.expect(PROMPT, SOON);
    pty.line("hello again");
    let told = pty.expect("What can I do for you?", SOON);
    assert!(!told.contains("in its place"), "and only once: {told}");
    pty.expect(PROMPT, SOON);
    // After its rest it is tried again.
    model.follow(|_| Reply::text("[at your service]"));
    std::thread::sleep(REST);
    pty.line("are you there?");
    pty.expect("[at your service]", SOON);
    pty.expect("scripted answers again", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("are you still there?");
    pty.expect("[at your service]", SOON);
    let told = pty.expect(PROMPT, SOON);
    assert!(!told.contains("answers again"), "{told}");
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}

/// How long a provider is left alone after its first failure, and a little.
const REST: Duration = Duration::from_millis(5_300);

/// What came of an answer before its stream broke is kept and marked; no second provider begins anew, and no call is made.
#[test]
fn a_stream_that_breaks_keeps_its_words_and_says_so() {
    let call = "<tool_call>{\"name\": \"file_write\", \"arguments\": {\"path\": \"a.txt\", \"content\": \"b\"}}</tool_call>";
    let pieces = vec!["I was about ".to_owned(), "to write.\n".to_owned(), call.to_owned()];
    let model = ModelServer::start(move |_| Reply::Broken(pieces.clone()));
    let world = World::new();
    profile(&world, "autonomy: full\ngrants: {files: {write: [\"**\"]}}\n");
    let mut pty = chat(&world, &model, &[]);
    pty.line("go on");
    let told = pty.expect("I was about to write.", SOON) + &pty.expect(PROMPT, SOON);
    assert!(told.contains("the answer broke off: scripted"), "{told}");
    assert!(!told.contains("tool_call") && !told.contains("begins anew"), "{told}");
    model.follow(|_| Reply::text("[whole]"));
    std::thread::sleep(REST);
    pty.line("and then?");
    pty.expect("[whole]", SOON);
    let asked = model.seen().pop().expect("the model was asked").text();
    assert!(asked.contains("I was about to write.\n\n[the answer broke off]"), "{asked}");
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
    let ran = world.bot(&["receipt", "list"]).done();
    assert!(!ran.stdout.contains("file_write"), "no part of a broken answer is a call: {}", ran.report());
    let kept = world.bot(&["memory", "search", "about to write"]).done();
    assert!(kept.stdout.contains("[the answer broke off]"), "{}", kept.report());

    model.follow(|_| Reply::Broken(vec!["only half".to_owned()]));
    let json = world.bot(&["-m", "go on", "--json"]).exited(1).json();
    assert_eq!((&json["reply"], &json["outcome"]), (&json!("only half"), &json!("failed")), "{json}");
    assert_eq!((&json["incomplete"], &json["exit"]), (&json!(true), &json!(1)), "{json}");
    assert!(json["broke_off"].as_str().is_some_and(|why| why.contains("scripted")), "{json}");
    world.bot(&["-m", "go on"]).exited(1).prints("only half").says("the answer broke off: scripted");
}

/// In a German profile the program's own words are German too: banner, commands, notices, and the end.
#[test]
fn a_german_profile_reads_the_programs_own_words_in_german() {
    let (world, model) = (World::new(), echo());
    bot_asks(&world, &model.url(), None);
    fs::write(world.home().profile_file(&world.profile()), "language: de\n").expect("it can be written");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    let banner = pty.expect(PROMPT, SOON);
    for part in [
        ": Profil default",
        "Modell ",
        "Können     cli",
        "Gedächtnis an; /memory zeigt",
        "supervised: gering läuft, mittel fragt, mehr Risiko ist verboten",
        "Befehle    keiner ist erlaubt, also läuft keiner",
        "/help zeigt die Befehle",
    ] {
        assert!(banner.contains(part), "{part} is missing in\n{banner}");
    }
    for (line, parts) in [
        ("/help", &["zeigt, was gemerkt ist", "Strg-C bricht die Antwort ab"][..]),
        ("/tools", &["gering, von clock"]),
        ("/policy", &["Risiko", "Hier startet kein Programm", "nur, was du getippt hast"]),
        ("/permissions", &["erlaubt", "Fähigkeit memory"]),
        ("/whoami", &["Profil default", "Sprache de", "Schutz "]),
        ("/memory", &["noch nichts"]),
        ("/hlep", &["den Befehl /hlep gibt es nicht; meintest du /help?"]),
        ("/login", &["keine Anmeldung: möglich bei keinem Anbieter"]),
        ("hallo", &["You said: hallo"]),
    ] {
        let before = pty.screen.text().len();
        pty.line(line);
        for part in parts {
            let is_shown = || pty.screen.text().get(before..)?.contains(part).then_some(());
            eventually(SOON, &format!("{line} shows `{part}`"), is_shown);
        }
    }
    pty.line("/exit");
    pty.expect("(auf Wiedersehen: 1 Runde, ", SOON);
    assert_eq!(pty.ended(SOON), 0);
}

/// The chat itself cannot log in: it tells the command that does, for each provider that has a login or for the one that is named.
#[test]
fn a_login_is_told_as_the_command_to_type() {
    let world = World::without_kit();
    let login = "{authorization_url: \"https://a.example/x\", token_url: \"https://a.example/y\", client_id: c, \
                 redirect_uri: \"http://127.0.0.1:8123/callback\"}";
    let provider = |name: &str, more: &str| {
        format!(
            "  - {{name: {name}, kind: openai-compatible, base_url: \"https://a.example/v1\", model: m{more}}}\n"
        )
    };
    let with_login = format!(", login: {login}");
    let text = format!(
        "providers:\n{}{}{}  - {{name: companion, kind: embedded}}\n",
        provider("first", &with_login),
        provider("second", &with_login),
        provider("plain", "")
    );
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
    let typed = |line: &str| world.typed(Program::Bot, &["agent"], line);
    typed("/login\n").done().says("type: cl-bot login first; cl-bot login second)");
    typed("/login second\n").done().says("type: cl-bot login second)");
    typed("/logout first\n").done().says("type: cl-bot logout first)");
    let _ = typed("/login plain\n")
        .says("no login: first, second can be logged in to")
        .hides("cl-bot login plain");
}
