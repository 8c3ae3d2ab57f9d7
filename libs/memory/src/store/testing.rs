//! What every memory must do, regardless of what keeps it.

use tempfile::TempDir;

use super::*;
use shared_types::memory::Kind;

type Made = (TempDir, Box<dyn Store>);

pub(crate) fn fact(id: &str, text: &str) -> Fact {
    Fact {
        id: id.to_owned(),
        text: text.to_owned(),
        said_by: "person".to_owned(),
        at: "2026-02-07T14:30:00Z".to_owned(),
        source: "test".to_owned(),
        ..Fact::default()
    }
}

pub(crate) fn turn(conversation: &str, content: &str) -> Turn {
    Turn {
        conversation_id: conversation.to_owned(),
        turn_id: format!("t-{conversation}"),
        timestamp: "2026-02-07T14:30:00Z".to_owned(),
        role: "user".to_owned(),
        content: content.to_owned(),
        ..Turn::default()
    }
}

fn texts(facts: &[Fact]) -> Vec<&str> {
    facts.iter().map(|f| f.text.as_str()).collect()
}

/// All of it.
pub(crate) fn everything(make: &dyn Fn() -> Made) {
    an_empty_one_answers_empty(make());
    facts_are_kept_with_all_their_fields(make());
    duplicates_and_contradictions_do_not_pile_up(make());
    outside_facts_never_replace_what_the_person_said(make());
    what_is_corrected_stands_in_the_place_of_the_old(make());
    what_is_forgotten_is_gone_everywhere(make());
    the_best_comes_first(make());
    conversations_are_found_by_every_way(make());
    what_is_exported_can_be_imported(make(), make());
    an_import_names_bad_lines_and_takes_the_others(make());
    what_is_no_record_is_refused(make());
    emptied_it_is_as_new(make());
    what_is_older_is_removed_for_good(make());
}

fn an_empty_one_answers_empty((_folder, memory): Made) {
    assert_eq!(memory.facts(9).unwrap(), []);
    assert_eq!(memory.search_facts("tea", 9).unwrap(), []);
    assert_eq!(memory.meant("tea", 9).unwrap(), []);
    assert_eq!(memory.search_turns("tea", 9).unwrap(), []);
    assert_eq!(memory.show("1").unwrap(), []);
    assert_eq!(memory.conversation("1", 9).unwrap(), []);
    assert_eq!(memory.conversations(9).unwrap(), []);
    assert_eq!(memory.last_conversation().unwrap(), None);
    assert_eq!(memory.export(&mut Vec::new()).unwrap(), 0);
    assert!(!memory.forget("1", "now").unwrap());
    memory.clear().unwrap();
}

fn facts_are_kept_with_all_their_fields((_folder, memory): Made) {
    let all = Fact {
        kind: Kind::Preference,
        conversation_id: Some("c".to_owned()),
        turn_id: Some("t".to_owned()),
        extracted_by: Some("model".to_owned()),
        confidence: Some(0.75),
        outside: true,
        about: Some("taste tea".to_owned()),
        ..fact("1", "I like \u{1b}[2J tea \"quoted\" 🫖")
    };
    assert_eq!(memory.add_fact(all.clone()).unwrap(), Stored::New);
    assert_eq!(memory.facts(9).unwrap(), std::slice::from_ref(&all));
    assert_eq!(memory.search_facts("TÉA", 9).unwrap(), std::slice::from_ref(&all));
    assert_eq!(memory.show("1").unwrap(), [Record::Fact(all)]);
    for n in 2..9 {
        memory.add_fact(fact(&n.to_string(), &format!("fact number {n}"))).unwrap();
    }
    assert_eq!(texts(&memory.facts(2).unwrap()), ["fact number 7", "fact number 8"]);
}

fn duplicates_and_contradictions_do_not_pile_up((_folder, memory): Made) {
    let tell = |id: &str, text: &str| memory.add_fact(fact(id, text)).unwrap();
    assert_eq!(tell("1", "my cat is called Tom"), Stored::New);
    assert!(matches!(tell("2", "My  cat is CALLED tom!"), Stored::Known(old) if old.id == "1"));
    assert!(matches!(tell("3", "my cat is called Tim"), Stored::Replaced(old) if old.id == "1"));
    assert_eq!(tell("4", "I live in Bern"), Stored::New);
    assert!(matches!(tell("5", "ich wohne in Basel"), Stored::Replaced(old) if old.id == "4"));
    assert_eq!(tell("6", "mein Hund heißt Rex"), Stored::New);
    assert!(matches!(tell("7", "Mein Hund heisst Max."), Stored::Replaced(_)));
    assert_eq!(tell("8", "my cat is old"), Stored::New);
    assert_eq!(tell("9", "I am allergic to nuts"), Stored::New);
    assert_eq!(tell("10", "I am allergic to milk"), Stored::New);
    // What was true before may be stated again.
    assert!(matches!(tell("11", "my cat is called Tom"), Stored::Replaced(old) if old.id == "3"));
    let facts = memory.facts(99).unwrap();
    let expected = [
        "ich wohne in Basel",
        "Mein Hund heisst Max.",
        "my cat is old",
        "I am allergic to nuts",
        "I am allergic to milk",
        "my cat is called Tom",
    ];
    assert_eq!(texts(&facts), expected);
    assert_eq!(texts(&memory.search_facts("Tim", 9).unwrap()), Vec::<&str>::new());
}

fn outside_facts_never_replace_what_the_person_said((_folder, memory): Made) {
    memory.add_fact(fact("1", "I live in Bern")).unwrap();
    let outside = |id: &str, text: &str| Fact { outside: true, ..fact(id, text) };
    assert_eq!(memory.add_fact(outside("2", "I live in Moscow")).unwrap(), Stored::New);
    assert!(
        matches!(memory.add_fact(outside("3", "I live in Oslo")).unwrap(), Stored::Replaced(o) if o.id == "2")
    );
    assert_eq!(texts(&memory.facts(9).unwrap()), ["I live in Bern", "I live in Oslo"]);
    assert!(memory.facts(9).unwrap()[1].outside);
}

fn what_is_corrected_stands_in_the_place_of_the_old((_folder, memory): Made) {
    let told = [("1", "my cat is called Tom"), ("2", "I like tea"), ("3", "my dog is called Rex")];
    for (id, text) in told {
        memory.add_fact(fact(id, text)).unwrap();
    }
    let correct = |id: &str, new: &str, text: &str| memory.correct(id, fact(new, text)).unwrap();
    let kept = correct("2", "4", "I like green tea").expect("it is there");
    assert_eq!((kept.id.as_str(), kept.replaces.as_deref()), ("4", Some("2")));
    assert_eq!(
        texts(&memory.facts(9).unwrap()),
        ["my cat is called Tom", "my dog is called Rex", "I like green tea"]
    );
    assert_eq!(memory.show("2").unwrap(), []);
    assert_eq!(memory.show("4").unwrap(), [Record::Fact(kept)]);
    // The same words in another spelling are the same fact.
    assert_eq!(correct("4", "5", "I like GREEN tea").map(|kept| kept.id).as_deref(), Some("5"));
    // What is about the same as another fact takes its place too.
    correct("3", "6", "my cat is called Tim");
    assert_eq!(texts(&memory.facts(9).unwrap()), ["I like GREEN tea", "my cat is called Tim"]);
    // What is known already stays the fact that it is.
    assert_eq!(correct("5", "7", "my cat is called TIM").map(|kept| kept.id).as_deref(), Some("6"));
    assert_eq!(texts(&memory.facts(9).unwrap()), ["my cat is called Tim"]);
    assert_eq!(correct("5", "8", "I like milk"), None);
    memory.add_turns(&[turn("c1", "hello")]).unwrap();
    assert_eq!(correct("c1", "9", "I like milk"), None);
    assert!(matches!(memory.correct("6", fact("9", " ")), Err(Error::Refused(_))));
    assert_eq!(texts(&memory.facts(9).unwrap()), ["my cat is called Tim"]);
    // As after a restart: what was corrected is in no export.
    let mut exported = Vec::new();
    memory.export(&mut exported).unwrap();
    let exported = String::from_utf8(exported).unwrap();
    assert!(exported.contains("Tim") && !exported.contains("Tom") && !exported.contains("tea"), "{exported}");
}

fn what_is_forgotten_is_gone_everywhere((_folder, memory): Made) {
    memory.add_fact(fact("1", "I like tea")).unwrap();
    memory.add_fact(fact("2", "I like coffee")).unwrap();
    memory.add_turns(&[turn("c1", "green tea"), turn("c2", "black tea")]).unwrap();
    assert_eq!(texts(&memory.meant("tea I like", 9).unwrap()), ["I like tea"]);
    assert_eq!(memory.meant("the", 9).unwrap(), []);
    assert!(memory.forget("1", "now").unwrap());
    assert!(!memory.forget("1", "now").unwrap());
    assert_eq!(texts(&memory.facts(9).unwrap()), ["I like coffee"]);
    assert_eq!(memory.search_facts("tea", 9).unwrap(), []);
    assert_eq!(memory.meant("tea", 9).unwrap(), []);
    assert_eq!(memory.show("1").unwrap(), []);
    assert!(memory.forget("c2", "now").unwrap());
    assert_eq!(memory.conversation("c2", 9).unwrap(), []);
    assert_eq!(memory.search_turns("tea", 9).unwrap().len(), 1);
    assert_eq!(memory.last_conversation().unwrap().as_deref(), Some("c1"));
    assert_eq!(memory.add_fact(fact("3", "I like tea")).unwrap(), Stored::New);
    let mut exported = Vec::new();
    assert_eq!(memory.export(&mut exported).unwrap(), 3);
    assert!(!String::from_utf8(exported).unwrap().contains("black"));
}

fn the_best_comes_first((_folder, memory): Made) {
    for (n, text) in [
        "my cat is called Mia",
        "my dog is called Rex",
        "my favourite colour is green",
        "Mein Hund heißt Ümit",
        "моя собака Рекс",
        "我的猫叫小花",
        "maths homework page 3",
        "maths homework page 9",
    ]
    .into_iter()
    .enumerate()
    {
        memory.add_fact(fact(&n.to_string(), text)).unwrap();
    }
    let found = |query: &str| {
        let facts = memory.search_facts(query, 3).unwrap();
        facts.into_iter().map(|f| f.text).collect::<Vec<_>>()
    };
    assert_eq!(found("what is my dog called?")[0], "my dog is called Rex");
    assert_eq!(found("what is my favorite colours?"), ["my favourite colour is green"]);
    assert_eq!(found("UMIT"), ["Mein Hund heißt Ümit"]);
    assert_eq!(found("СОБАКА"), ["моя собака Рекс"]);
    assert_eq!(found("猫"), ["我的猫叫小花"]);
    assert_eq!(found("homework"), ["maths homework page 9", "maths homework page 3"]);
    assert!(found("dinosaurs").is_empty());
    assert!(found("the").is_empty() && found("").is_empty() && found("\"*' OR 1").is_empty());
    assert_eq!(memory.search_facts("homework", 1).unwrap().len(), 1);
}

fn conversations_are_found_by_every_way((_folder, memory): Made) {
    let answer = Turn {
        role: "assistant".to_owned(),
        tool_calls: vec![serde_json::json!({"id": "1", "name": "time"})],
        tool_results: vec![serde_json::json!({"id": "1", "content": "noon"})],
        provider: "p".to_owned(),
        model: "m".to_owned(),
        outside: true,
        private: true,
        metadata: serde_json::json!({"offer": null, "skills": ["dice"]}),
        ..turn("c1", "It is noon in the garden.")
    };
    memory.add_turns(&[turn("c1", "how late is it?"), answer.clone()]).unwrap();
    memory.add_turns(&[turn("c2", "tell me about gardens")]).unwrap();
    memory.add_turns(&[turn("c1", "and now?")]).unwrap();
    assert_eq!(
        memory.conversation("c1", 9).unwrap(),
        [turn("c1", "how late is it?"), answer.clone(), turn("c1", "and now?")]
    );
    assert_eq!(memory.conversation("c1", 1).unwrap(), [turn("c1", "and now?")]);
    assert_eq!(memory.last_conversation().unwrap().as_deref(), Some("c1"));
    let list = memory.conversations(9).unwrap();
    let list: Vec<(&str, &str)> = list.iter().map(|s| (s.id.as_str(), s.first.as_str())).collect();
    assert_eq!(list, [("c1", "how late is it?"), ("c2", "tell me about gardens")]);
    assert_eq!(memory.conversations(1).unwrap().len(), 1);
    assert_eq!(memory.search_turns("noon", 9).unwrap(), [answer]);
    assert_eq!(memory.search_turns("garden", 9).unwrap().len(), 2);
    assert_eq!(memory.show("c2").unwrap().len(), 1);
    assert_eq!(memory.show("t-c1").unwrap().len(), 3);
}

fn what_is_exported_can_be_imported((_one, from): Made, (_other, to): Made) {
    from.add_fact(fact("1", "I live in Bern")).unwrap();
    from.add_fact(fact("2", "I live in Basel")).unwrap();
    let marked = Turn { role: "assistant".to_owned(), outside: true, private: true, ..turn("c2", "bye") };
    from.add_turns(&[turn("c1", "hello"), marked.clone()]).unwrap();
    let mut exported = Vec::new();
    assert_eq!(from.export(&mut exported).unwrap(), 3);
    let imported = to.import(&mut exported.as_slice()).unwrap();
    assert_eq!((imported.taken, imported.known, imported.bad), (3, 0, 0));
    assert_eq!(texts(&to.facts(9).unwrap()), ["I live in Basel"]);
    assert_eq!(to.conversation("c2", 9).unwrap(), [marked]);
    let again = to.import(&mut exported.as_slice()).unwrap();
    assert_eq!((again.taken, again.known), (0, 3));
    let mut once_more = Vec::new();
    assert_eq!(to.export(&mut once_more).unwrap(), 3);
    assert_eq!(to.conversations(9).unwrap(), from.conversations(9).unwrap());
}

fn an_import_names_bad_lines_and_takes_the_others((_folder, memory): Made) {
    let long =
        format!("{{\"fact\":{{\"id\":\"8\",\"text\":\"{}\"}}}}", "x".repeat(shared_types::memory::MAX_LINE));
    let lines = [
        r#"{"fact":{"id":"1","text":"I like tea"}}"#,
        "nonsense",
        "",
        r#"{"fact":{"id":"2","text":"  "}}"#,
        r#"{"turn":{"conversation_id":"c","role":"god","content":"x"}}"#,
        r#"{"fact":{"id":"3","text":"again"},"turn":{}}"#,
        r#"{"fact":{"id":"1","text":"another with the same id"}}"#,
        r#"{"fact":{"id":"a b","text":"spaces in the id"}}"#,
        &long,
        r#"{"turn":{"conversation_id":"c","role":"user","content":"hello"}}"#,
    ];
    let imported = memory.import(&mut lines.join("\n").as_bytes()).unwrap();
    assert_eq!((imported.taken, imported.known, imported.bad), (2, 1, 6));
    let numbers: Vec<u64> = imported.first_bad.iter().map(|(n, _)| *n).collect();
    assert_eq!(numbers, [2, 4, 5, 6, 8, 9]);
    assert_eq!(texts(&memory.facts(9).unwrap()), ["I like tea"]);
    assert_eq!(memory.conversation("c", 9).unwrap().len(), 1);
}

fn what_is_no_record_is_refused((_folder, memory): Made) {
    for bad in [fact("1", " "), fact("", "tea"), fact("1", &"x".repeat(501)), fact("\u{1b}", "tea")] {
        assert!(memory.add_fact(bad).is_err());
    }
    assert!(memory.add_turns(&[turn("c", "fine"), turn("", "not")]).is_err());
    assert_eq!(memory.last_conversation().unwrap(), None, "all of a turn or nothing");
}

fn emptied_it_is_as_new((folder, memory): Made) {
    memory.add_fact(fact("1", "I like tea")).unwrap();
    memory.add_turns(&[turn("c1", "secret garden")]).unwrap();
    memory.clear().unwrap();
    an_empty_one_answers_empty((folder, memory));
}

fn what_is_older_is_removed_for_good((folder, memory): Made) {
    let dated = |id: &str, text: &str, at: &str| Fact { at: at.to_owned(), ..fact(id, text) };
    let said = |conversation: &str, text: &str, at: &str| Turn {
        timestamp: at.to_owned(),
        ..turn(conversation, text)
    };
    let moment: Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
    memory.add_fact(dated("1", "my cat is called Xanthippe", "2026-01-01T00:00:00Z")).unwrap();
    memory.add_fact(dated("2", "my cat is called Tim", "2026-04-01T00:00:00Z")).unwrap();
    memory.add_fact(dated("3", "I am allergic to quinoa", "2026-02-28T23:59:59+00:00")).unwrap();
    memory.add_fact(dated("4", "I like tea", "")).unwrap();
    memory.add_turns(&[said("c1", "gewurztraminer", "2026-02-01T00:00:00Z")]).unwrap();
    memory
        .add_turns(&[said("c1", "and now?", "2026-03-01T00:00:00Z"), said("c2", "bye", "yesterday")])
        .unwrap();
    let expected = Aged { facts: 1, messages: 1, undated: 2 };
    assert_eq!(memory.aged(moment).unwrap(), expected);
    assert_eq!(texts(&memory.facts(9).unwrap()).len(), 3, "counting removes nothing");
    let mut stays = vec![];
    assert_eq!(memory.forget_before(moment, &mut |text| stays.push(text.to_owned())).unwrap(), expected);
    assert_eq!(stays, ["and now?", "bye"]);
    assert_eq!(texts(&memory.facts(9).unwrap()), ["my cat is called Tim", "I like tea"]);
    assert_eq!(memory.search_turns("gewurztraminer", 9).unwrap(), []);
    assert_eq!(memory.conversation("c1", 9).unwrap().len(), 1);
    // What it took the place of is gone too, and no file holds a word of it.
    for word in ["anthippe", "quinoa", "ewurztraminer"] {
        for file in walk(folder.path()) {
            let bytes = std::fs::read(&file).unwrap();
            assert!(
                !bytes.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word.as_bytes())),
                "{word}: {file:?}"
            );
        }
    }
    let left = Aged { facts: 0, messages: 0, undated: 2 };
    assert_eq!(memory.forget_before(moment, &mut |_| {}).unwrap(), left);
    memory.add_fact(dated("5", "I live in Bern", "2026-04-01T00:00:00Z")).unwrap();
    assert_eq!(texts(&memory.search_facts("Bern", 9).unwrap()), ["I live in Bern"]);
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
