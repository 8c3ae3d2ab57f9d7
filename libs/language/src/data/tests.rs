use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;
use crate::fold;
use crate::pattern::Pattern;

#[test]
fn the_default_comes_first_and_every_language_is_there_once() {
    let codes: Vec<&str> = ALL.iter().map(|data| data.code).collect();
    assert_eq!(codes[0], "en");
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    assert!(codes.contains(&"de"));
}

#[test]
fn words_stand_in_the_files_in_the_form_in_which_they_are_compared() {
    for data in ALL {
        let lists = [
            data.markers,
            data.and,
            data.questions,
            data.quote,
            data.ignore,
            data.soft,
            data.pronouns,
            data.which,
            data.fronted,
            data.openers,
            data.asking,
            data.subjects,
            data.verbs,
            data.draft.stop,
        ];
        let phrases = data.lead.iter().chain(data.trail).chain(data.indirect).chain(data.requests).flatten();
        let rules = data.draft.rules.iter().flat_map(|r| r.words).flatten();
        let keys = data.swap.iter().flat_map(|(k, _)| k.split(' '));
        let same = data.same.iter().flat_map(|(_, words)| words);
        let first = data.intents.iter();
        let first = first
            .map(|(_, text, _)| -> &str { text.split(' ').next().unwrap_or_default().to_owned().leak() })
            .filter(|word| !word.starts_with(['[', '{']))
            .flat_map(|word| word.split('|'));
        let words =
            lists.into_iter().flatten().chain(phrases).chain(rules).chain(same).chain(COMMON.iter().copied());
        for word in words.chain(keys).chain(first).filter(|w| *w != "&") {
            assert_eq!(fold::word(word), word, "in {}", data.code);
        }
    }
}

#[test]
fn words_of_statements_stand_in_the_files_in_the_form_in_which_they_are_searched_for() {
    for Data { code, statements: s, .. } in ALL {
        let lists = [s.person, s.glue, s.join, s.starts, s.vague].into_iter().chain(s.lead);
        for word in lists.flatten().chain(SMALL.iter().copied()) {
            assert_eq!(crate::terms::fold(word), word, "in {code}");
        }
        for form in s.forms {
            Pattern::parse(form.say).unwrap();
            let slots = |template: Option<&str>| template.map_or(0, |t| t.matches('{').count());
            assert!(form.skip || slots(form.about) + slots(form.restate) <= 2, "{form:?}");
        }
    }
    assert!(SMALL.is_sorted() && COMMON.is_sorted());
}

#[test]
fn every_token_ability_and_table_of_the_files_is_known() {
    for data in ALL {
        for rule in data.draft.rules {
            for token in rule.tokens {
                token.parse::<shared_types::capability::Token>().unwrap();
            }
            for word in rule.requires {
                shared_types::profile::SystemCapability::parse(word).unwrap();
            }
        }
        assert_eq!((data.weekdays.len(), data.months.len()), (7, 12));
        let sorted = |keys: Vec<&str>| keys.is_sorted();
        assert!(sorted(data.contractions.iter().map(|(k, _)| k).collect()));
        assert!(sorted(data.numbers.iter().map(|(k, _)| k).collect()));
        assert!(sorted(data.places.iter().map(|(k, _)| k).collect()));
        assert!(sorted(data.swap.iter().map(|(k, _)| k).collect()));
    }
}

#[test]
fn every_language_fills_in_the_same_values() {
    let values = |text: &str| -> BTreeSet<String> {
        text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0.to_owned())).collect()
    };
    for data in ALL {
        for ((name, said), (_, default)) in data.says.all().into_iter().zip(ALL[0].says.all()) {
            assert!(!said.is_empty(), "{}: {name}", data.code);
            assert_eq!(values(said), values(default), "{}: {name}", data.code);
        }
    }
}

#[test]
fn the_tables_of_the_program_are_those_of_the_files() {
    let built = include_str!(concat!(env!("OUT_DIR"), "/languages.rs"));
    let read: Vec<source::Source> = ALL.iter().map(|data| source::Source::read(&folder(data.code))).collect();
    for source in &read {
        assert!(built.contains(&source.emit()), "{}", source.code);
    }
    assert!(built.contains(&source::emit_shared(&read)));
}

#[test]
fn every_pattern_comes_out_of_its_symbols_as_the_files_have_it() {
    for data in ALL {
        let files = source::Source::read(&folder(data.code)).intents();
        assert!(data.intents.iter().map(|(_, pattern, _)| pattern).eq(files.patterns), "{}", data.code);
        assert!(files.packed.bytes.len() * 3 < data.intents.iter().map(|(_, one, _)| one.len() * 2).sum());
    }
}

#[test]
fn what_a_language_lacks_is_named() {
    for data in ALL {
        assert_eq!(source::lacking(&folder("en"), &folder(data.code)), Vec::<String>::new(), "{}", data.code);
    }
    let french = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/fr");
    let lacking = source::lacking(&folder("en"), &french);
    let expected = [
        "able",
        "about",
        "about-you",
        "advice",
        "again",
        "aged",
        "bypass",
        "can-you-hear",
        "capabilities",
        "comfort",
        "correct",
        "correct-after-no",
        "dated",
        "ended",
        "feeling",
        "files",
        "follow-up",
        "forget-all",
        "forget-which",
        "fun",
        "goodbye",
        "harm",
        "how-are-you",
        "how-to",
        "how-to-avoid",
        "jotted",
        "joy",
        "knock",
        "learn-what",
        "learning",
        "lists",
        "named-workflow",
        "no-delete",
        "no-devices",
        "no-mail",
        "no-order",
        "no-sound",
        "no-timer",
        "no-translate",
        "no-web",
        "none",
        "of-file",
        "order",
        "otherwise",
        "past",
        "perhaps",
        "privacy",
        "proposals",
        "remind",
        "repeat",
        "seek",
        "sorry",
        "sums",
        "take-back",
        "thanks",
        "too-late",
        "unclear",
        "which-file",
        "who-are-you",
        "wished",
        "workflows",
    ];
    let words = ["afterthoughts", "asking", "forbids", "openers", "ours", "vague_times"]
        .map(|list| format!("words.yaml: {list}"));
    let expected = expected.map(|intent| format!("intents.yaml: {intent}"));
    assert_eq!(lacking, [&words[..], &expected].concat());
    let none = source::lacking(&folder("en"), Path::new("no/such/folder"));
    assert!(
        none.contains(&"sentences.yaml: gap".to_owned()) && none.contains(&"wishes.yaml: stop".to_owned())
    );
}

fn folder(code: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(code)
}
