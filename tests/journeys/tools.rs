//! The built-in tools as a model and a person use them: files, pages, zones, the memory, a question.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::calls::{ask, caller, profile, told};
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

use crate::settings::bot_asks;

fn workspace(world: &World) -> PathBuf {
    let folder = world.home().profile(&world.profile()).join("workspace");
    fs::create_dir_all(&folder).expect("the workspace can be made");
    folder
}

/// A model lists and reads what is there; hidden names stay out, a long file comes in pieces, a binary one is reported as one.
#[test]
fn a_model_lists_and_reads_the_files_of_the_workspace() {
    let world = World::new();
    let folder = workspace(&world);
    fs::create_dir_all(folder.join("notes/.git")).expect("a folder");
    fs::write(folder.join("notes/todo.md"), "buy milk\n").expect("a file");
    fs::write(folder.join("notes/.git/config"), "hidden").expect("a file");
    fs::write(folder.join("long.txt"), "line\n".repeat(4_000)).expect("a file");
    fs::write(folder.join("photo.bin"), b"\x89PNG\0\0").expect("a file");
    let (told, ran) = told(
        &world,
        &[
            ("file_list", json!({"depth": 3})),
            ("file_read", json!({"path": "notes/todo.md"})),
            ("file_read", json!({"path": "long.txt", "offset": 19_990})),
            ("file_read", json!({"path": "long.txt"})),
            ("file_read", json!({"path": "photo.bin"})),
            ("file_read", json!({"path": "notes/.git/config"})),
            ("file_read", json!({"path": "no/such.txt"})),
            ("file_read", json!({"path": "a.txt", "mode": "rw"})),
        ],
        "",
    );
    ran.done().prints("that is all");
    assert!(told[0].contains("notes/todo.md  9 bytes") && told[0].contains("notes/\n"), "{}", told[0]);
    assert!(!told[0].contains(".git"), "{}", told[0]);
    assert!(told[1].contains("buy milk"), "{}", told[1]);
    assert!(
        told[2].contains("[bytes 19990 to 20000 of 20000 of `long.txt`; this is the end]"),
        "{}",
        told[2]
    );
    assert!(told[3].contains("more with offset 12288"), "{}", told[3]);
    assert!(told[4].contains("binary file of 6 bytes"), "{}", told[4]);
    assert!(told[5].contains("grants.files.read") && told[5].contains("hidden names"), "{}", told[5]);
    assert!(told[6].contains("there is no `no/such.txt`"), "{}", told[6]);
    assert!(told[7].contains("the arguments do not fit"), "{}", told[7]);
}

/// With a greeting a model is offered few tools and told the names of the others: its request is shorter than 2 KB. A call of
/// one that is only named is made, and from then on it is offered.
#[test]
fn a_greeting_is_a_short_request_and_a_tool_that_is_only_named_can_be_called() {
    let world = World::new();
    fs::write(workspace(&world).join("milk.txt"), "buy milk\n").expect("a file");
    let model = ModelServer::start(|chat| match chat.last().0.as_str() {
        "user" => Reply::call("file_list", json!({})),
        _ => Reply::text(format!("It told me: {}", chat.last().1)),
    });
    bot_asks(&world, &model.url(), None);
    world.bot(&["agent", "-m", "hi"]).done().prints("milk.txt");
    let seen = model.seen();
    assert!(seen[0].request.body.len() < 2_000, "{} bytes", seen[0].request.body.len());
    let tools: Vec<Vec<String>> = seen.iter().map(|chat| chat.tools()).collect();
    assert!(!tools[0].is_empty() && !tools[0].contains(&"file_list".to_owned()), "{tools:?}");
    assert!(seen[0].text().contains("file_list"), "it is named: {}", seen[0].text());
    assert_eq!(tools[1].last().map(String::as_str), Some("file_list"), "{tools:?}");
}

/// Writing asks; where nobody is there to say yes, nothing is written. Under `autonomy: full` it writes, parents included. What was its
/// owner's alone stays that when it is written again.
#[test]
fn a_write_needs_a_yes_or_the_word_of_the_profile() {
    let world = World::new();
    let folder = workspace(&world);
    fs::write(folder.join("old.txt"), "old").expect("a file");
    let calls = [
        ("file_write", json!({"path": "old.txt", "content": "new"})),
        ("file_write", json!({"path": "a/b/new.txt", "content": "one\n"})),
        ("file_write", json!({"path": "a/b/new.txt", "content": "two\n", "append": true})),
    ];
    fs::set_permissions(folder.join("old.txt"), fs::Permissions::from_mode(0o700))
        .expect("the mode can be set");
    let (refused, ran) = told(&world, &calls, "");
    ran.exited(3);
    assert!(refused.iter().all(|why| why.contains("not-approved")), "{refused:?}");
    assert_eq!(fs::read_to_string(folder.join("old.txt")).expect("the file"), "old");
    assert!(!folder.join("a").exists());
    profile(&world, "autonomy: full\ngrants: {files: {read: [\"**\"], write: [\"**\"]}}\n");
    let (done, ran) = told(&world, &calls, "");
    ran.done();
    assert!(done[2].contains("added 4 bytes to `a/b/new.txt`, which has 8 bytes now"), "{done:?}");
    assert_eq!(fs::read_to_string(folder.join("old.txt")).expect("the file"), "new");
    let mode = |name: &str| fs::metadata(folder.join(name)).expect("the file").permissions().mode() & 0o777;
    assert_eq!((mode("old.txt"), mode("a/b/new.txt")), (0o700, 0o640));
    assert_eq!(fs::read_to_string(folder.join("a/b/new.txt")).expect("the file"), "one\ntwo\n");
}

/// Without a model: words are looked for in the files that may be read, and a line is added after a yes.
#[test]
fn files_are_searched_and_a_line_is_added_by_a_sentence() {
    let world = World::new();
    let folder = workspace(&world);
    fs::create_dir_all(folder.join("house")).expect("a folder");
    fs::write(folder.join("house/repairs.txt"), "roof: 2019\ncall the plumber about the sink\n")
        .expect("a file");
    fs::write(folder.join(".hidden"), "the plumber's bill\n").expect("a file");
    fs::write(folder.join("photo.bin"), b"plumber\0\0").expect("a file");
    fs::write(folder.join("shopping.txt"), "milk").expect("a file");
    for line in ["where did i write about the plumber?", "durchsuche meine Dateien nach plumber sink"] {
        assert_eq!(world.ask(line).trim(), "house/repairs.txt:2: call the plumber about the sink", "{line}");
    }
    let said = world.ask("search my files for giraffe");
    assert_eq!(said.trim(), "No file that I may read has a line with giraffe.");

    let append = "append \"eggs and flour\" to shopping.txt";
    world.bot(&["agent", "-m", append]).exited(3).prints("needs a person's yes");
    assert_eq!(fs::read_to_string(folder.join("shopping.txt")).expect("the file"), "milk");
    profile(&world, "autonomy: full\ngrants: {files: {read: [\"**\"], write: [\"**\"]}}\n");
    for (line, said) in [
        (append, "added"),
        ("add a line to shopping.txt saying tea", "added"),
        ("häng \"Brot\" an shopping.txt", "5 Bytes an `shopping.txt` angehängt"),
        ("schreib \"hallo\" in gruss.txt", "5 Bytes in `gruss.txt` geschrieben"),
    ] {
        world.bot(&["agent", "-m", line]).done().prints(said);
    }
    let whole = fs::read_to_string(folder.join("shopping.txt")).expect("the file");
    assert_eq!(whole, "milk\neggs and flour\ntea\nBrot\n");
    profile(&world, "autonomy: full\ngrants: {files: {read: [\"**\"], write: []}}\n");
    world.bot(&["agent", "-m", append]).exited(3);
    assert_eq!(fs::read_to_string(folder.join("shopping.txt")).expect("the file"), whole);
}

/// Files in another encoding are read until that shows, so they count for the bounds of a search, which then says that there is more.
#[test]
fn a_search_counts_files_that_turn_out_not_to_be_text() {
    let world = World::new();
    let folder = workspace(&world);
    fs::create_dir_all(&folder).expect("a folder");
    for n in 0..20 {
        fs::write(folder.join(format!("{n}.txt")), vec![0xE9; 1 << 20]).expect("a file");
    }
    let said = world.ask("search my files for giraffe");
    assert!(said.contains("[cut here: there is more"), "{said}");
}

/// A profile's file from before there were grants grants nothing, and each denial says what a person can do.
#[test]
fn a_profile_without_grants_is_denied_with_the_next_step() {
    let world = World::new();
    profile(&world, "{}\n");
    fs::write(workspace(&world).join("a.txt"), "text").expect("a file");
    let calls = [
        ("file_list", json!({})),
        ("file_read", json!({"path": "a.txt"})),
        ("file_write", json!({"path": "a.txt", "content": "x"})),
        ("http_get", json!({"url": "https://example.org/"})),
    ];
    let (told, ran) = told(&world, &calls, "");
    ran.exited(3);
    for (told, key) in told.iter().zip(["files.read", "files.read", "files.write", "hosts"]) {
        assert!(told.contains(&format!("grants.{key} in config/profiles/default.yaml")), "{told}");
    }
}

/// The companion finds the tools by what a person says, in both languages, without a model.
#[test]
fn the_companion_lists_reads_and_tells_the_time_elsewhere() {
    let world = World::new();
    fs::write(workspace(&world).join("notes.txt"), "the cellar key is under the pot").expect("a file");
    let said = world.typed(
        Program::Bot,
        &["agent"],
        "list my files\nwhat is in notes.txt?\nzeig mir die datei notes.txt\nwhat time is it in zone Asia/Tokyo?\n\
         what time is it in zone Mars/Base?\nwhat is in there?\nread the file nothing.txt\n",
    );
    // What is not there fails, and of all turns of a pipe the worst exit code counts.
    let said = said.exited(1);
    assert!(said.stdout.contains("notes.txt  31 bytes"), "{}", said.report());
    assert_eq!(said.stdout.matches("under the pot").count(), 3, "{}", said.report());
    assert!(said.stdout.contains("(Asia/Tokyo, UTC+09:00)"), "{}", said.report());
    assert!(said.stdout.contains("I don't know the time in Mars/Base"), "{}", said.report());
    assert!(said.stdout.contains("there is no `nothing.txt`"), "{}", said.report());
}

/// A page of a granted host becomes text, over redirects within the grants; what it needs is reported where it is missing.
#[test]
fn a_page_of_a_granted_host_is_read_as_text() {
    let server = Server::start(|request| match request.path.as_str() {
        "/moved" => {
            Response::Bytes(b"HTTP/1.1 302 Found\r\nlocation: /page\r\ncontent-length: 0\r\n\r\n".to_vec())
        }
        "/page" => Response::Proper {
            status: 200,
            kind: "text/html; charset=iso-8859-1",
            body: b"<title>Caf\xe9</title><script>no()</script><p>Open <a href=/menu>today</a>".to_vec(),
        },
        "/data" => Response::Proper { status: 200, kind: "application/json", body: b"{\"a\": 1}".to_vec() },
        _ => Response::Proper { status: 404, kind: "text/plain", body: b"gone".to_vec() },
    });
    let host = server.host();
    let world = World::new();
    profile(&world, &format!("grants: {{hosts: [\"{host}\"]}}\n"));
    let url = |path: &str| json!({"url": format!("http://{host}{path}")});
    let calls = [
        ("http_get", url("/moved")),
        ("http_get", url("/data")),
        ("http_get", url("/missing")),
        ("http_get", json!({"url": "https://example.org/"})),
    ];
    let (heard, ran) = told(&world, &calls, &format!("network: {{local: [\"{host}\"]}}"));
    ran.done();
    assert!(heard[0].contains(&format!("http://{host}/page (HTTP 200, text/html)\n# Café")), "{}", heard[0]);
    assert!(heard[0].contains(&format!("Open today <http://{host}/menu>")), "{}", heard[0]);
    assert!(!heard[0].contains("no()"), "{}", heard[0]);
    assert!(heard[1].contains("{\"a\": 1}"), "{}", heard[1]);
    assert!(heard[2].contains("HTTP 404") && heard[2].contains("gone"), "{}", heard[2]);
    assert!(heard[3].contains("no grant names `example.org:443`"), "{}", heard[3]);
    // The log of what went through the network names each hop.
    let log = fs::read_to_string(&world.home().net_logs(&world.profile())[0]).expect("net keeps a log");
    assert_eq!(log.matches("\"by\":\"web\"").count(), 4, "{log}");
    assert!(!log.contains("/menu") && !log.contains("/moved"), "no path stands in it: {log}");

    // The companion asks no model, and net runs for the grant alone.
    fs::write(world.home().bot_config(), format!("network: {{local: [\"{host}\"]}}\n")).expect("written");
    let said = world.ask(&format!("fetch http://{host}/page"));
    assert!(said.contains("# Café") && said.contains("Open today"), "{said}");
}

/// A configured engine is searched by a model's call and by the companion, where the profile grants its host; without an engine
/// the tool does not exist, and an error is reported with the next step.
#[test]
fn a_search_engine_is_asked_and_its_answer_is_a_list() {
    let server = Server::start(|request| {
        let (status, body) = match request.path.as_str() {
            "/search?format=json&q=old+maps" => {
                let row = json!({"title": "Maps of <b>Bern</b>", "url": "https://maps.example/bern", "content": "From 1786 on"});
                (200, json!({"results": [row]}).to_string())
            }
            "/search?format=json&q=nothing" => (200, json!({"results": []}).to_string()),
            _ => (403, "no".to_owned()),
        };
        Response::Proper { status, kind: "application/json", body: body.into_bytes() }
    });
    let host = server.host();
    let world = World::new();
    let more =
        format!("network: {{local: [\"{host}\"]}}\nweb_search: {{engine: searxng, url: \"http://{host}\"}}");
    let search = |words: &str| {
        let (mut heard, _) = told(&world, &[("web_search", json!({"query": words}))], &more);
        heard.remove(0)
    };
    let missing = search("old maps");
    assert!(
        missing.contains(&format!("no grant names `{host}`, the host of the search engine")),
        "{missing}"
    );
    assert!(missing.contains("a person may add it under grants.hosts"), "{missing}");
    profile(&world, &format!("grants: {{hosts: [\"{host}\"]}}\n"));
    for (words, part) in [
        ("old maps", "1. Maps of Bern\n   https://maps.example/bern\n   From 1786 on"),
        ("nothing", "nothing was found for `nothing`"),
        ("forbidden", "`search.formats` of its settings must name `json`"),
    ] {
        let heard = search(words);
        assert!(heard.contains(part), "{heard}");
    }

    fs::write(world.home().bot_config(), &more).expect("written");
    for line in ["search the web for old maps", "look up old maps online", "suche im Internet nach old maps"]
    {
        let said = world.ask(line);
        assert!(said.contains("https://maps.example/bern"), "{line}: {said}");
    }
    assert!(world.bot(&["tool", "list"]).done().stdout.contains("web_search"));
    fs::write(world.home().bot_config(), "{}\n").expect("written");
    let listed = world.bot(&["tool", "list"]).done();
    assert!(!listed.stdout.contains("web_search"), "{}", listed.report());
}

/// What was said in an earlier conversation is found by its words.
#[test]
fn an_earlier_conversation_is_found_by_its_words() {
    let world = World::new();
    world.ask("remember that the Aardvark adapter lies in the blue box");
    let (heard, ran) = told(&world, &[("memory_search", json!({"query": "aardvark adapter"}))], "");
    ran.done();
    assert!(heard[0].contains("Aardvark adapter lies in the blue box"), "{heard:?}");
    fs::write(world.home().bot_config(), "{}\n").expect("written");
    let said = world.ask("search your memory for aardvark adapter");
    assert!(said.contains("blue box"), "{said}");
}

/// The model's own question comes under the assistant's name at a terminal, and fails at once where nobody is there.
#[test]
fn the_model_asks_the_person_under_the_assistants_name() {
    let world = World::new();
    let question = json!({"question": "Which colour do you like?"});
    let (heard, ran) = told(&world, &[("ask_user", question.clone())], "");
    ran.done();
    assert!(heard[0].contains("no one is here to answer"), "{heard:?}");

    let (model, heard) = caller(vec![("ask_user".to_owned(), question)]);
    ask(&world, &model, "");
    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    chat.expect("> ", Duration::from_secs(20));
    chat.line("please go");
    chat.expect("[assistant] Which colour do you like?", Duration::from_secs(20));
    chat.line("teal");
    chat.expect("that is all", Duration::from_secs(20));
    assert_eq!(*heard.lock().expect("no script panics"), ["teal"]);
}

/// `/call` uses a tool by its name: it asks for each parameter until the answer fits, no model is asked, the gate judges the call,
/// and `/retry` makes it once more.
#[test]
fn a_person_calls_a_tool_by_its_name_and_is_asked_for_what_it_needs() {
    const SOON: Duration = Duration::from_secs(20);
    let world = World::new();
    fs::write(workspace(&world).join("notes.txt"), "buy milk\n").expect("a file");
    let model = ModelServer::start(|_| Reply::text("the model was asked"));
    bot_asks(&world, &model.url(), None);
    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    chat.expect("> ", SOON);
    chat.line("/call file_read");
    for (question, answer) in [
        ("path> ", ""),
        ("`path` is text", "notes.txt"),
        ("limit> ", "many"),
        ("`limit` is a whole number", "0"),
        ("minimum is 1", ""),
        ("offset> ", ""),
    ] {
        chat.expect(question, SOON);
        if question.contains(' ') && !question.ends_with("> ") {
            chat.expect("> ", SOON);
        }
        chat.line(answer);
    }
    chat.expect("buy milk", SOON);
    chat.line("/retry");
    chat.expect("buy milk", SOON);
    chat.line("/call file_read {\"path\": \"../../secret\"}");
    chat.expect("That did not work", SOON);
    // What a tool does not take is not a wish to learn something.
    chat.line("/call time {\"zone\": \"Nowhere\"}");
    chat.expect("these arguments are not for this tool", SOON);
    chat.line("/call file_write {\"path\": \"a.txt\", \"content\": \"x\"}");
    chat.expect("file_write", SOON);
    chat.expect("[y/N]", SOON);
    chat.line("n");
    chat.expect("the person said no", SOON);
    chat.line("/quit");
    assert_eq!(chat.ended(SOON), 0);
    assert!(!workspace(&world).join("a.txt").exists(), "a no is a no");
    let asked: Vec<String> = model.seen().iter().map(|chat| chat.text()).collect();
    assert!(asked.is_empty(), "no model is asked: {asked:?}");
    let receipts = world.bot(&["receipt", "list", "--json"]).done().json_rows();
    assert!(receipts.len() >= 4, "{receipts:?}");
}

/// What a program gets of a call: whether it was made, its answer, and the receipt by which it can be found again.
#[test]
fn a_result_carries_metadata_and_the_id_of_its_receipt() {
    let world = World::without_kit();
    let run = |words: &[&str]| world.bot(&[&["tool", "run", "--result"], words].concat());
    let made = run(&["time", "--json", r#"{"zone": "local"}"#]).done().json();
    assert_eq!(
        (&made["success"], &made["error"], &made["denied"]),
        (&json!(true), &json!(null), &json!(false))
    );
    let told = made["output"].as_str().expect("an output");
    assert!(told.starts_with("It is") && told.contains("UTC+00:00") && told.ends_with(" UTC)"), "{told}");
    assert_eq!(made["metadata"]["tool"], "time");
    assert!(made["metadata"]["ms"].is_u64() && made["metadata"]["conversation_id"].is_string(), "{made}");
    let denied = run(&["file_read", "--json", r#"{"path": "../x"}"#]).exited(3).json();
    assert_eq!(
        (&denied["success"], &denied["output"], &denied["denied"]),
        (&json!(false), &json!(null), &json!(true))
    );
    let receipts = world.bot(&["receipt", "list", "--json"]).done().json_rows();
    for (result, status) in [(&made, "allowed"), (&denied, "denied")] {
        let receipt =
            receipts.iter().find(|receipt| receipt["id"] == result["receipt_id"]).expect("its receipt");
        assert_eq!(receipt["status"], status);
    }
    // The same in what is kept of a conversation.
    world.ask("what time is it?");
    let kept = world.home().profile(&world.profile()).join("memory/conversations.jsonl");
    let kept = fs::read_to_string(kept).expect("the conversation is kept");
    let rows = kept.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a record"));
    let ids: Vec<_> =
        rows.filter_map(|row| row["tool_results"][0]["receipt_id"].as_str().map(str::to_owned)).collect();
    let receipts = world.bot(&["receipt", "list", "--json"]).done().json_rows();
    assert!(ids.len() == 1 && receipts.iter().any(|receipt| receipt["id"] == ids[0].as_str()), "{ids:?}");
}
