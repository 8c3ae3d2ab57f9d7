use bot_testing::{SendJson, World};
use models::Embedded;
use serde_json::json;
use shared_types::provenance::Provenance;

use super::*;

fn boot(world: &World) -> KernelContext {
    world.boot(world.built_in(&[])).unwrap().context_of("reasoning").unwrap()
}

fn asked(ctx: &KernelContext, payload: Value) -> Value {
    ctx.send(core::MEMORY_QUERY, payload).unwrap()
}

fn told(ctx: &KernelContext, payload: Value) -> Value {
    ctx.send(core::MEMORY_STORE, payload).unwrap()
}

fn texts(ctx: &KernelContext) -> Vec<String> {
    let facts = asked(ctx, json!({"what": "facts"}));
    facts.as_array().unwrap().iter().map(|f| f["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn facts_are_kept_with_their_provenance_and_found_by_words_and_by_identifier() {
    for backend in ["jsonl", "sqlite"] {
        let world =
            World::with(&format!("memory: {{backend: {backend}}}"), vec![Box::new(Embedded::default())]);
        let ctx = boot(&world);
        let stored = told(&ctx, json!({"what": "fact", "text": " I live in Bern ", "turn_id": "t1"}));
        assert_eq!((&stored["stored"], &stored["text"]), (&json!("new"), &json!("I live in Bern")));
        let found = asked(&ctx, json!({"what": "facts", "query": "BERN"}));
        let fact = &found[0];
        assert_eq!(fact["conversation_id"], json!(ctx.conversation()));
        assert_eq!(
            (&fact["said_by"], &fact["source"], &fact["turn_id"], &fact["outside"]),
            (&json!("person"), &json!("reasoning"), &json!("t1"), &json!(false))
        );
        let shown = asked(&ctx, json!({"what": "show", "id": stored["id"]}));
        assert_eq!(shown[0]["fact"]["text"], "I live in Bern");
        let moved = told(&ctx, json!({"what": "fact", "text": "I live in Basel"}));
        assert_eq!((&moved["stored"], &moved["replaced"]), (&json!("replaced"), &json!("I live in Bern")));
        assert_eq!(told(&ctx, json!({"what": "fact", "text": "i live in basel."}))["stored"], "known");
        assert_eq!(texts(&ctx), ["I live in Basel"]);
        assert_eq!(
            told(&ctx, json!({"what": "forget", "id": moved["id"]}))["forgotten"],
            json!(["I live in Basel"])
        );
        assert_eq!(texts(&ctx), Vec::<String>::new());
    }
}

#[test]
fn turns_are_kept_found_and_forgotten_by_conversation() {
    let world = World::new();
    let ctx = boot(&world);
    let turn = |id: &str, content: &str| json!({"conversation_id": id, "turn_id": "t", "timestamp": "2026-02-07T14:30:00Z", "role": "user", "content": content});
    let records = [turn("c1", "tell me of gardens"), turn("c2", "and of houses")];
    assert_eq!(told(&ctx, json!({"what": "turns", "records": records}))["stored"], 2);
    assert_eq!(asked(&ctx, json!({"what": "turns", "query": "garden"}))[0]["content"], "tell me of gardens");
    assert_eq!(asked(&ctx, json!({"what": "last"})), "c2");
    let list = asked(&ctx, json!({"what": "conversations"}));
    assert_eq!(list[0], json!({"id": "c2", "at": "2026-02-07T14:30:00Z", "first": "and of houses"}));
    let gone = told(&ctx, json!({"what": "forget", "id": "c2"}));
    assert_eq!(gone["forgotten"], json!(["the conversation of 2026-02-07T14:30:00Z"]));
    assert_eq!(asked(&ctx, json!({"what": "last"})), "c1");
    assert_eq!(told(&ctx, json!({"what": "clear"}))["cleared"], true);
    assert_eq!(asked(&ctx, json!({"what": "last"})), Value::Null);
}

#[test]
fn what_makes_no_sense_is_an_error_and_changes_nothing() {
    let world = World::new();
    let ctx = boot(&world);
    told(&ctx, json!({"what": "fact", "text": "I like tea"}));
    for payload in [
        json!({}),
        json!({"what": "everything"}),
        json!({"what": "fact", "text": " "}),
        json!({"what": "fact"}),
        json!({"what": "turns"}),
        json!({"what": "turns", "records": [{"role": "user"}]}),
        json!({"what": "extract"}),
    ] {
        assert!(told(&ctx, payload.clone())["error"].is_string(), "{payload}");
    }
    for payload in [json!({"what": "show"}), json!({"what": "conversation"}), json!({"what": "?"})] {
        assert!(asked(&ctx, payload.clone())["error"].is_string(), "{payload}");
    }
    assert_eq!(told(&ctx, json!({"what": "forget", "query": "the"}))["forgotten"], json!([]));
    assert_eq!(told(&ctx, json!({"what": "forget", "id": "nothing"}))["forgotten"], json!([]));
    assert_eq!(texts(&ctx), ["I like tea"]);
}

#[test]
fn who_does_not_speak_for_the_person_adds_outside_facts_and_no_more() {
    let world = World::new();
    let mut entries = world.built_in(&[]);
    let stranger = bot_testing::sender("stranger", &[core::MEMORY_STORE, core::MEMORY_QUERY]);
    entries.push(world.entry(stranger, &TokenSet::new()));
    let kernel = world.boot(entries).unwrap();
    let (talk, ctx) = (kernel.context_of("reasoning").unwrap(), kernel.context_of("stranger").unwrap());
    told(&talk, json!({"what": "fact", "text": "I live in Bern"}));
    for what in ["forget", "turns", "extract", "clear"] {
        let payload =
            json!({"what": what, "query": "Bern", "line": "I live in Rome", "records": [], "id": "x"});
        assert!(told(&ctx, payload)["error"].is_string(), "{what}");
    }
    told(&ctx, json!({"what": "fact", "text": "I live in Moscow", "said_by": "person", "outside": false}));
    let facts = asked(&talk, json!({"what": "facts"}));
    assert_eq!(texts(&talk), ["I live in Bern", "I live in Moscow"]);
    assert_eq!((&facts[1]["said_by"], &facts[1]["outside"]), (&json!("stranger"), &json!(true)));
}

#[test]
fn a_search_brings_what_is_private_and_outside_content_only_where_a_record_is_such() {
    let world = World::new();
    let ctx = boot(&world);
    told(&ctx, json!({"what": "fact", "text": "The Aardvark adapter lies in the blue box"}));
    told(&ctx, json!({"what": "fact", "text": "The zebra page says to send everything", "outside": true}));
    let earlier = json!({"conversation_id": "earlier", "turn_id": "t", "timestamp": "2026-01-02T03:04:05Z",
        "role": "user", "content": "I bought an Aardvark adapter"});
    told(&ctx, json!({"what": "turns", "records": [earlier]}));
    let own = ctx.tools().any(|tool| tool.full_name == "memory_search");
    assert!(own, "the conversation is offered it by its plain name");
    let memory = world.boot(world.built_in(&[])).unwrap().context_of("memory").unwrap();
    let args = json!({"query": "aardvark ADAPTER"});
    assert_eq!(search::weigh(&args, &memory).brings, Provenance::PRIVATE);
    let said = search::call(&args, "", &memory).unwrap();
    assert!(said.contains("blue box (you told me, ") && said.contains("(you, 2 January 2026)"), "{said}");
    assert_eq!(
        search::call(&json!({"query": "aardvark", "limit": 1}), "", &memory).unwrap().lines().count(),
        2
    );
    let args = json!({"query": "zebra"});
    assert_eq!(search::weigh(&args, &memory).brings, Provenance::BOTH);
    assert!(search::call(&args, "", &memory).unwrap().contains("from elsewhere"));
    assert!(
        search::call(&json!({"query": "giraffe"}), "", &memory).unwrap().contains("Nothing that I remember")
    );
}
