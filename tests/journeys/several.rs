//! Several requests beside each other: pages of one answer, and a line beside the search for facts in the line before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tameclaw_tests::calls::{profile, told};
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::model::{Chat, ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

use crate::settings::bot_asks;
use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(60);
/// How long a server waits for what must come beside a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits until something is so, or no longer; whether it came to it.
fn wait(is_so: impl Fn() -> bool) -> bool {
    let end = Instant::now() + PATIENCE;
    while !is_so() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    is_so()
}

/// The server answers no page before all three are asked for.
#[test]
fn the_pages_of_one_answer_are_read_beside_each_other() {
    const PAGES: usize = 3;
    let (open, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (now, peak) = (Arc::clone(&open), Arc::clone(&most));
    let server = Server::start(move |request| {
        peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        wait(|| peak.load(Ordering::SeqCst) == PAGES);
        now.fetch_sub(1, Ordering::SeqCst);
        Response::Proper { status: 200, kind: "text/plain", body: format!("page {}", request.path).into() }
    });
    let (world, host) = (World::new(), server.host());
    profile(&world, &format!("autonomy: full\ngrants: {{hosts: [\"{host}\"]}}\n"));
    let calls: Vec<(&str, Value)> =
        (0..PAGES).map(|n| ("http_get", json!({"url": format!("http://{host}/{n}")}))).collect();
    let (heard, ran) = told(&world, &calls, &format!("network: {{local: [\"{host}\"]}}"));
    assert_eq!(most.load(Ordering::SeqCst), PAGES, "open at once: {}", ran.report());
    assert_eq!(heard.len(), PAGES, "{}", ran.report());
    for (n, heard) in heard.iter().enumerate() {
        assert!(heard.contains(&format!("page /{n}")), "each call gets its own page: {heard}");
    }
    world.bot(&["receipt", "verify"]).done();
    let kept = world.bot(&["receipt", "list"]).done().stdout;
    assert_eq!(kept.matches("http_get").count(), PAGES, "{kept}");
}

/// The model is still at the facts of the first line when the second one is answered.
#[test]
fn a_line_is_answered_while_a_model_looks_for_facts_in_the_line_before() {
    let (begun, go, over) =
        (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
    let (begins, may_end, ends) = (begun.clone(), go.clone(), over.clone());
    let model = ModelServer::start(move |chat: &Chat| {
        if !chat.text().contains("You list what a person says") {
            return Reply::text("[heard]");
        }
        begins.store(true, Ordering::SeqCst);
        wait(|| may_end.load(Ordering::SeqCst));
        ends.store(true, Ordering::SeqCst);
        Reply::text("[\"I live in Bern\"]")
    });
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    pty.line("I live in Bern");
    pty.expect("[heard]", SOON);
    assert!(wait(|| begun.load(Ordering::SeqCst)), "the line is looked at");
    pty.expect(PROMPT, SOON);
    pty.line("hello");
    pty.expect("[heard]", SOON);
    assert!(!over.load(Ordering::SeqCst), "the answer did not wait for the facts");
    go.store(true, Ordering::SeqCst);
    pty.expect(PROMPT, SOON);
    // A command that looks at what is kept waits for it.
    pty.line("/memory");
    pty.expect("I live in Bern", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0);
}

/// Ctrl-C ends the answer that is being given, and not what runs behind it.
#[test]
fn a_cancel_ends_the_answer_and_not_what_runs_behind_it() {
    let (begun, go) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
    let (begins, may_end) = (begun.clone(), go.clone());
    let model = ModelServer::start(move |chat: &Chat| {
        if chat.text().contains("You list what a person says") {
            begins.store(true, Ordering::SeqCst);
            wait(|| may_end.load(Ordering::SeqCst));
            // The rules would not find this.
            return Reply::text("[\"happily settled near Bern\"]");
        }
        match chat.last().1.contains("talk") {
            true => Reply::Stream(vec!["word ".to_owned(); 200], Duration::from_millis(100)),
            false => Reply::text("[heard]"),
        }
    });
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    pty.line("I am happily settled near Bern");
    pty.expect("[heard]", SOON);
    assert!(wait(|| begun.load(Ordering::SeqCst)), "the line is looked at");
    pty.expect(PROMPT, SOON);
    pty.line("talk");
    pty.expect("word word", SOON);
    pty.keys("\u{3}");
    pty.expect("cancelled", SOON);
    pty.expect(PROMPT, SOON);
    go.store(true, Ordering::SeqCst);
    pty.line("/memory");
    pty.expect("happily settled near Bern", SOON);
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0);
}
