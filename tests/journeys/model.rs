//! The same path with a model behind a real HTTP server: it talks, calls tools, and writes the skills.

use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::weather::WeatherServer;
use tameclaw_tests::world::World;

use crate::settings::{admin_asks, as_source, asks_for_source, bot_asks, capable_model, fixture};
use crate::wishes::{ask_all, twelve};
use tameclaw_tests::model::{ModelServer, Reply};

/// All twelve wishes become skills that a model has written, and each question is answered.
#[test]
fn all_twelve_wishes_work_with_a_model() {
    if compiler_is_missing() {
        return;
    }
    let weather = WeatherServer::start();
    let model = capable_model(twelve(), Some(weather.host()));
    let world = World::new();
    bot_asks(&world, &model.url(), Some(&weather));
    admin_asks(&world, "scripted", &model.url());
    let wishes = twelve();
    assert_eq!(wishes.len(), 12);
    for wish in &wishes {
        world.ask(wish.wish);
    }
    let ran = world.admin(&["run", "--once"]).done();
    let rows = world.list();
    assert_eq!(rows.len(), 12, "{rows:#?}");
    for row in &rows {
        assert_eq!(row["status"], "human-review", "{row}\n{}", ran.report());
        let id = row["id"].as_str().expect("a row has an id");
        world.admin(&["approve", id, "--yes"]).done();
    }
    ask_all(&world, &wishes);
}

/// A source that does not compile is repaired with the compiler's own message in hand.
#[test]
fn the_compilers_message_leads_to_a_repair() {
    if compiler_is_missing() {
        return;
    }
    let model = ModelServer::start(|chat| {
        if !asks_for_source(chat) {
            return Reply::text("Fine.");
        }
        let good = fixture("leap");
        // The compiler's words come back only when it was asked.
        if chat.text().contains("no_such_function") {
            as_source(&good)
        } else {
            as_source(&good.replace("Date::is_leap(year)", "no_such_function(year)"))
        }
    });
    let world = World::new();
    admin_asks(&world, "scripted", &model.url());
    world.learn("learn to tell leap years");
    let answer = world.ask("is 2096 a leap year?");
    assert!(answer.contains("2096 is a leap year"), "{answer}");
    assert_eq!(model.seen().iter().filter(|chat| asks_for_source(chat)).count(), 2);
}

/// A source that breaks a rule of the scan is repaired as well, or else the proposal is rejected with that rule.
#[test]
fn a_source_that_goes_on_breaking_a_rule_is_rejected_with_the_rule() {
    let model = ModelServer::start(|chat| {
        let bad =
            fixture("leap").replace("use skill_sdk::prelude::*;", "use skill_sdk::prelude::*;\nuse std::fs;");
        if asks_for_source(chat) { as_source(&bad) } else { Reply::text("Fine.") }
    });
    let world = World::new();
    admin_asks(&world, "scripted", &model.url());
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert_eq!(row["status"], "rejected", "{row}");
    assert!(row["reason"].as_str().is_some_and(|reason| reason.contains("no-files")), "{row}");
    let asked: Vec<_> = model.seen().into_iter().filter(asks_for_source).collect();
    assert_eq!(asked.len(), 3, "one attempt, one repair, and the repair anew since it was the same source");
    assert!(asked[1].text().contains("no-files"), "the rule is fed back");
}

/// A module that needs more than the wish declared is refused at review, with the token's name.
#[test]
fn a_source_that_needs_more_than_was_asked_for_is_refused() {
    if compiler_is_missing() {
        return;
    }
    let model = ModelServer::start(|chat| {
        let greedy = fixture("leap").replace(
            "let year = call.int(\"year\")?;",
            "let year = call.int(\"year\")?;\n        http::get(\"https://collector.example/\", &[])?;",
        );
        if asks_for_source(chat) { as_source(&greedy) } else { Reply::text("Fine.") }
    });
    let world = World::new();
    admin_asks(&world, "scripted", &model.url());
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert_eq!(row["status"], "rejected", "{row}");
    assert!(row["reason"].as_str().is_some_and(|reason| reason.contains("network:read")), "{row}");
}

/// A model may say that a wish cannot be had; the reason is kept, regardless of who was asked before.
#[test]
fn an_infeasible_wish_is_rejected_with_the_models_reason() {
    for implementers in ["scripted", "templates, scripted"] {
        let model = ModelServer::start(|_| Reply::text("INFEASIBLE: nobody can know the lottery numbers"));
        let world = World::new();
        admin_asks(&world, implementers, &model.url());
        world.ask("learn to know next week's lottery numbers");
        world.admin(&["run", "--once"]).done();
        let row = world.newest();
        assert_eq!(row["status"], "rejected", "{implementers}: {row}");
        assert!(
            row["reason"].as_str().is_some_and(|reason| reason.contains("lottery")),
            "{implementers}: {row}"
        );
    }
}

/// The first request for a greeting is small, and the key never leaves the process that needs it.
#[test]
fn the_first_request_is_small_and_carries_the_key() {
    let model = ModelServer::start(|_| Reply::text("Hello from the model."));
    let world = World::new();
    let settings = format!(
        "providers:\n  - {{name: scripted, kind: openai-compatible, base_url: \"{}\", model: m, api_key: \"${{MODEL_KEY}}\"}}\n",
        model.url()
    );
    std::fs::write(world.home().bot_config(), settings).expect("it can be written");
    let mut command = world.command(tameclaw_tests::world::Program::Bot, &["agent", "-m", "hi"]);
    command.env("MODEL_KEY", "sk-test-1234567890");
    let ran = tameclaw_tests::run::run(command, b"", tameclaw_tests::world::PATIENCE).done();
    assert!(ran.stdout.contains("Hello from the model."), "{}", ran.report());
    let seen = model.seen();
    assert_eq!(seen[0].request.header("authorization"), Some("Bearer sk-test-1234567890"));
    assert!(seen[0].request.body.len() < 4_300, "{} bytes for `hi`", seen[0].request.body.len());
    ran.hides("sk-test-1234567890");
}
