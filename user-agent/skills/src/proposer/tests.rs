use bot_testing::{SendJson, World};
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn wish(world: &World, line: &str) -> String {
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let ctx = kernel.context_of("reasoning").unwrap();
    let payload = json!({"what": "wish", "wish": line.trim_start_matches("learn to "), "line": line});
    ctx.send(core::SKILL_PROPOSAL, payload).unwrap()["reply"].as_str().unwrap().to_owned()
}

const WEATHER: &str = "services: [{topic: weather, host: \"127.0.0.1:8080\", url: \"http://127.0.0.1:8080/now?q={place}\", \
                       words: [weather]}]";

fn companion() -> Vec<Box<dyn models::Provider>> {
    vec![Box::new(models::Embedded::default())]
}

#[test]
fn a_wish_for_the_network_names_the_configured_host_and_its_address() {
    let world = World::with(WEATHER, companion());
    let reply = wish(&world, "learn to tell the weather");
    assert!(reply.contains("network:read (127.0.0.1:8080)"), "{reply}");
    let document = documents::proposal::parse(&world.files("proposals")[0]).unwrap();
    assert_eq!(document.proposal.network[0].as_str(), "127.0.0.1:8080");
    assert!(document.proposal.rationale.contains("service: http://127.0.0.1:8080/now?q={place}"));
}

#[test]
fn the_shipped_configuration_names_a_service_for_the_weather() {
    let world = World::new();
    let reply = wish(&world, "learn to tell the weather");
    assert!(reply.contains("network:read (wttr.in)"), "{reply}");
}

#[test]
fn without_a_configured_host_nothing_is_written_and_the_person_is_told_where_to_name_one() {
    let world = World::with("services: []", companion());
    let reply = wish(&world, "learn to tell the weather");
    assert!(reply.contains("services") && reply.contains("weather"), "{reply}");
    assert!(world.files("proposals").is_empty());
}

#[test]
fn a_wish_for_news_names_the_host_of_its_address_and_no_other() {
    let world = World::with("services: []", companion());
    let reply = wish(&world, "learn to read the news from https://example.org/feed.xml");
    assert!(reply.contains("network:read (example.org)"), "{reply}");
    let proposal = documents::proposal::parse(&world.files("proposals")[0]).unwrap().proposal;
    let hosts: Vec<&str> = proposal.network.iter().map(|host| host.as_str()).collect();
    assert_eq!((hosts, proposal.name.as_str()), (vec!["example.org"], "read-news-exampleorg"));
}

#[test]
fn a_wish_for_news_without_a_plain_address_is_answered_with_an_example_and_writes_nothing() {
    let world = World::with("services: []", companion());
    for line in [
        "learn to read the news",
        "learn to read the news from example.org",
        "learn to read the news from https://user@example.org/feed.xml",
        "learn to read the news from https://exa_mple.org/feed.xml",
    ] {
        let reply = wish(&world, line);
        assert!(
            reply.contains("learn to read the news from https://example.org/feed.xml"),
            "{line}: {reply}"
        );
    }
    let reply = wish(&world, "learn to tell the weather from https://example.org/now");
    assert!(reply.contains("services"), "{reply}");
    assert!(world.files("proposals").is_empty());
}

#[test]
fn what_this_system_or_version_lacks_is_said_at_once_and_nothing_is_written() {
    let world = World::new();
    for (line, part) in [
        ("learn to tell a bedtime story", "docs/MODELS.md"),
        ("lerne, eine Geschichte zu erzählen", "Sprachmodell"),
        ("learn to control the GPIO pins", "no GPIO chip"),
        ("learn to switch the lamp on pin 17", "docs/guides/pins.md"),
        ("lerne, die Pins zu schalten", "keinen GPIO-Chip"),
        ("lerne, E-Mails zu schicken", "weder Mail"),
    ] {
        let reply = wish(&world, line);
        assert!(reply.contains(part), "{line}: {reply}");
        assert!(world.files("proposals").is_empty(), "{line}");
    }
}

#[test]
fn a_name_of_a_built_in_skill_gets_a_number() {
    let world = World::new();
    let reply = wish(&world, "learn to clock");
    assert!(reply.contains("clock-2"), "{reply}");
}

#[test]
fn hostile_wishes_become_valid_files_or_none() {
    let world = World::new();
    for line in [
        "learn to \u{202e}evil\u{1b}[31m",
        "learn to ../../etc/passwd",
        "learn to: {a: *b}",
        "learn to ß",
        "learn to 日本語",
        "learn to \u{fffe}\u{10ffff}",
    ] {
        wish(&world, line);
    }
    for text in world.files("proposals") {
        let document = documents::proposal::parse(&text).unwrap();
        assert!(!document.file_name().contains(".."), "{}", document.file_name());
    }
}

#[test]
fn the_mirror_tells_more_than_the_proposal() {
    let world = World::new();
    wish(&world, "learn to roll dice");
    let mut document = documents::proposal::parse(&world.files("proposals")[0]).unwrap();
    document.status = shared_types::status::Status::Rejected;
    let text = documents::yaml::to_string(&document).unwrap();
    world
        .services
        .status
        .as_ref()
        .unwrap()
        .create_new(&document.file_name(), text.as_bytes(), 0o600)
        .unwrap();
    let listed = outbox::list(&world.services.proposals, world.services.status.as_deref());
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].status, shared_types::status::Status::Rejected);
    // What was rejected may be asked for again; what a part of the program rejected nobody refused.
    let reply = wish(&world, "learn to roll dice");
    assert_eq!(world.files("proposals").len(), 2);
    assert!(!reply.contains("refused before"), "{reply}");
}

#[test]
fn a_proposal_is_found_by_its_id_the_beginning_of_it_or_its_name() {
    let world = World::new();
    wish(&world, "learn to roll dice");
    let listed = outbox::list(&world.services.proposals, None);
    let id = listed[0].proposal.id.to_string();
    for wanted in [id.as_str(), &id[..8], "roll-dice"] {
        assert!(outbox::find(&listed, wanted).is_some(), "{wanted}");
    }
    assert!(outbox::find(&listed, "0").is_none());
}

/// A model that gives these answers in turn.
fn drafted(line: &str, answers: &[&str]) -> Vec<String> {
    let script: Vec<_> = answers.iter().map(|text| json!({"text": text})).collect();
    let mock = models::Mock::new("scripted", &serde_json::to_string(&script).unwrap()).unwrap();
    let world = World::with("providers: [{name: scripted, kind: mock, model: x.yaml}]", vec![Box::new(mock)]);
    wish(&world, line);
    world.files("proposals")
}

#[test]
fn a_models_slips_are_respelled_or_left_out_and_noted() {
    let answer = r#"{"name": "Word_Counter", "description": "Counts\nwords", "capabilities": ["text:read", "memory:read"],
        "tools": [{"name": "count-words", "parameters": {"type": "object", "properties": {"theText": {"type": ["string", "null"], "format": "line"}},
        "required": ["theText", "other"], "title": "x"}, "examples": [{"args": {"theText": "a b"}, "expect": 2}, {"args": {"theText": 3}, "expect": "1"}]}],
        "requirements": {"system_capabilities": ["keyboard"]}, "rationale": "wanted"}"#;
    let files = drafted("learn to count words", &[answer]);
    let proposal = documents::proposal::parse(&files[0]).unwrap().proposal;
    assert_eq!(proposal.name.as_str(), "word-counter");
    assert_eq!(proposal.capabilities.to_string(), "memory:read");
    let tool = &proposal.tools[0];
    assert_eq!((tool.name.as_str(), tool.description.as_str()), ("count_words", "count words"));
    assert_eq!(tool.parameters.properties().map(|(name, _)| name).collect::<Vec<_>>(), ["the_text"]);
    assert_eq!((tool.examples.len(), tool.examples[0].expect.as_str()), (1, "2"));
    for note in ["left out: there is no token \"text:read\"", "\"keyboard\"", "an example of count_words"] {
        assert!(proposal.rationale.contains(note), "{}", proposal.rationale);
    }
    assert!(proposal.has_examples_of_a_model());
}

#[test]
fn the_example_of_the_instructions_is_no_answer_to_another_wish() {
    let files = drafted("learn to count words", &[draft::EXAMPLE, draft::EXAMPLE]);
    let proposal = documents::proposal::parse(&files[0]).unwrap().proposal;
    assert!(proposal.tools.is_empty() && !proposal.has_examples_of_a_model());
    // For its own wish it is one, as it stands.
    let files = drafted(draft::EXAMPLE_WISH, &[draft::EXAMPLE]);
    let proposal = documents::proposal::parse(&files[0]).unwrap().proposal;
    assert_eq!((proposal.name.as_str(), proposal.tools[0].examples.len()), ("bill-splitter", 2));
}

proptest! {
    // Each case boots a kernel and writes files.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_line_becomes_a_proposal_that_the_admin_takes(
        line in prop_oneof![any::<String>(), "learn to \\PC{0,40}", "\\PC{1900,2100}", "[\u{fffe}\u{feff}\u{85}\u{7f}:#{}&*|>%@` a]{0,30}"],
    ) {
        let world = World::new();
        wish(&world, &line);
        for text in world.files("proposals") {
            prop_assert!(documents::proposal::parse(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn any_answer_of_a_model_becomes_a_proposal_that_the_admin_takes(
        name in "[a-z-]{0,70}|\\PC{0,10}",
        description in any::<String>(),
        tokens in prop::collection::vec(prop_oneof![Just("memory:read"), Just("network:write"), Just("shell:run")], 0..4),
        rationale in any::<String>(),
        extra in any::<String>(),
    ) {
        let answer = json!({"name": name, "description": description, "capabilities": tokens, "rationale": rationale,
            "tools": [{"name": "go", "description": extra.as_str()}], "network": ["evil.example.org"], "id": extra});
        let script = serde_json::to_string(&json!([{"text": format!("Sure! {answer} Done.")}])).unwrap();
        let config = "providers: [{name: scripted, kind: mock, model: x.yaml}]";
        // What YAML cannot say is not a script.
        let Ok(mock) = models::Mock::new("scripted", &script) else { return Ok(()) };
        let world = World::with(config, vec![Box::new(mock)]);
        wish(&world, "learn to roll dice");
        let files = world.files("proposals");
        prop_assert_eq!(files.len(), 1);
        let document = documents::proposal::parse(&files[0]).unwrap();
        prop_assert!(document.proposal.network.is_empty(), "a host is the configuration's to name");
    }
}
